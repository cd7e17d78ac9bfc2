// Whether the catalogue of every language has words for what the kit says: its titles and codes,
// for the sentences in its checks, for the screens that are kept, and for what mistakes are told.
#include <filesystem>
#include <set>

#include "files/files.hpp"
#include "handout/handout_cut.hpp"
#include "lab/lab_files.hpp"
#include "language/po_file.hpp"
#include "language/prose.hpp"
#include "language/screen_text.hpp"
#include "proofs/proofs.hpp"
#include "proofs/screens.hpp"
#include "report/diagnoses.hpp"
#include "text/cpp_text.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;

/// A catalogue, and the file that it comes from.
struct Wordbook {
  fs::path file;
  std::string po;
  language::Catalog catalog;
};

std::vector<Wordbook> all_words(const lab::Kit& kit) {
  std::vector<Wordbook> all;
  for (const auto& entry : fs::directory_iterator(kit.catalogs())) {
    if (entry.path().extension() != ".po") continue;
    const std::string po = files::read_file(entry.path());
    all.push_back({entry.path(), po, language::Catalog::parse(po, entry.path().stem())});
  }
  return all;
}

/// All that a catalogue has words for, a line each.
std::string english_of(std::string_view po) {
  std::string english = "\n";
  for (const language::PoEntry& entry : language::read_po(po)) english += entry.english + "\n";
  return english;
}

/// As a catalogue has it: what a format string puts in is {}.
std::string as_msgid(std::string_view literal) {
  std::string id;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    const std::size_t end = literal[i] == '{' ? literal.find('}', i) : std::string_view::npos;
    const bool is_field = end != std::string_view::npos && literal.substr(i, 2) != "{{" &&
                          (literal[i + 1] == ':' || end == i + 1);
    id += literal[i];
    if (is_field) {
      id += '}';
      i = end;
    }
  }
  return id;
}

void must_be_known(const Wordbook& words, const std::string& whose, std::string_view shown,
                   Proof& proof) {
  const auto missing = language::screen_text(words.catalog, shown).missing;
  for (const std::string& sentence : missing) {
    proof.count(false, words.file.filename().string() + " has no words for \"" + sentence + "\" (" +
                           whose + ")");
  }
  if (missing.empty()) proof.count(true, "");
}

std::set<std::string> sentences_of(std::string_view source) {
  std::set<std::string> sentences;
  for (const std::string& literal : text::literals_of(source)) {
    for (const std::string& line : text::lines_of(literal)) {
      const std::string sentence = text::trim(line);
      if (language::is_prose(sentence)) sentences.insert(sentence);
    }
  }
  return sentences;
}

/// The sentences of a source file that `english` lacks, as a whole or as a part of one.
void must_hold_sentences(const Wordbook& words, const std::string& english, const fs::path& file,
                         std::string_view source, Proof& proof) {
  for (const std::string& sentence : sentences_of(source)) {
    const bool is_known = english.find(as_msgid(sentence)) != std::string::npos ||
                          words.catalog.translate(sentence).missing.empty();
    proof.count(is_known, words.file.filename().string() + " has no words for \"" + sentence +
                              "\" (" + file.filename().string() + ")");
  }
}

/// What checks say that are not hidden, in any lab.
std::set<std::string> open_sentences(const lab::Kit& kit) {
  std::set<std::string> open;
  for (const lab::Lab& lab : kit.labs) {
    const lab::LabFiles files = lab::files_of(kit.source, lab);
    open.merge(sentences_of(handout::without_hidden_parts(files::read_file(files.marks))));
    for (const fs::path& file : files.checks) open.merge(sentences_of(files::read_file(file)));
  }
  return open;
}

/// What hidden checks alone say is not in a handout.
void must_hide_sentences(const Wordbook& words, const std::set<std::string>& open,
                         const fs::path& file, std::string_view source, Proof& proof) {
  const std::string handed_out = english_of(handout::without_hidden_parts(words.po));
  for (const std::string& literal : sentences_of(source)) {
    if (open.contains(literal)) continue;
    const bool is_given_away =
        handed_out.find("\n" + as_msgid(literal) + "\n") != std::string::npos;
    proof.count(!is_given_away, words.file.filename().string() + " hands out \"" + literal +
                                    "\", which only hidden checks of " + file.filename().string() +
                                    " say");
  }
}

void prove_words(const lab::Kit& kit, const std::vector<ProvenLab>& labs, const Wordbook& words,
                 Proof& proof) {
  const std::string english = english_of(words.po);
  const std::set<std::string> open = open_sentences(kit);
  const auto pages = report::Diagnoses::read(kit.source / "docs" / "diagnoses.md");
  for (const report::Diagnosis& page : pages.all()) {
    must_be_known(words, page.code, page.title, proof);
  }
  for (const ProvenLab& lab : labs) {
    std::vector<fs::path> sources = lab.files.checks;
    sources.insert(sources.end(), {lab.files.hidden, lab.files.marks});
    for (const fs::path& file : sources) {
      const std::string source = files::read_file(file);
      must_hold_sentences(words, english, file, source, proof);
      must_hide_sentences(words, open, file, source, proof);
    }
  }
  const auto kept = parse_screens(files::read_file(kit.source / "grader/proofs/screens.txt"));
  for (const KeptScreen& screen : kept.all) {
    const bool is_of_these = std::ranges::find(labs, screen.lab, &ProvenLab::name) != labs.end();
    if (is_of_these) must_be_known(words, "the screen of " + screen.mistake, screen.text, proof);
  }
}

}  // namespace

Proof prove_languages(const lab::Kit& kit, const std::vector<ProvenLab>& labs) {
  Proof proof{"words in every language"};
  for (const Wordbook& words : all_words(kit)) prove_words(kit, labs, words, proof);
  return proof;
}

Proof prove_messages(const lab::Kit& kit, const std::vector<TriedMistake>& all_tried) {
  Proof proof{"messages in every language"};
  for (const Wordbook& words : all_words(kit)) {
    for (const TriedMistake& tried : all_tried) {
      for (const record::Check& check : tried.failed) {
        const record::FailedCase first = check.first.value_or(record::FailedCase{});
        must_be_known(words, tried.lab->name() + " " + tried.mistake.name,
                      check.message + "\n" + first.got + "\n" + first.want, proof);
      }
    }
  }
  return proof;
}

}  // namespace nibble::proofs
