// Reads a catalogue, and finds the sentence that a text is.
#include "language/catalog.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "files/files.hpp"
#include "language/po_file.hpp"
#include "language/prose.hpp"
#include "text/format_error.hpp"
#include "text/lines.hpp"

namespace nibble::language {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFirstLetters = 3;

/// "{} of {}" says too little to be recognised around prose that nobody knows.
constexpr std::size_t kLettersOfAFrame = 8;

/// Text of a submission comes here too: what is longer than any sentence of the kit's, or takes
/// more lookups, is none of them.
constexpr std::size_t kLongest = 2000;
constexpr int kPatience = 1000;

std::string first_letters(std::string_view text) {
  return std::string(text.substr(0, kFirstLetters));
}

}  // namespace

/// The phrase that a text is, and what stands in its gaps.
struct Catalog::Fit {
  const Phrase* phrase = nullptr;
  std::vector<std::string_view> values{};
};

Catalog Catalog::parse(std::string_view po, std::string language) {
  Catalog catalog;
  catalog.language_ = std::move(language);
  for (const PoEntry& entry : read_po(po)) {
    try {
      catalog.add({entry.english, entry.translation});
    } catch (const std::invalid_argument& error) {
      throw text::FormatError(entry.line, error.what());
    }
  }
  return catalog;
}

void Catalog::add(Phrase phrase) {
  const std::size_t at = phrases_.size();
  Index& index = phrase.has_columns() ? lines_ : sentences_;
  if (phrase.is_whole()) {
    index.whole.emplace(phrase.beginning(), at);
  } else {
    index.begin[first_letters(phrase.beginning())].push_back(at);
  }
  phrases_.push_back(std::move(phrase));
}

std::vector<Catalog::Fit> Catalog::fits(const Index& index, std::string_view english) const {
  if (const auto found = index.whole.find(std::string(english)); found != index.whole.end()) {
    return {{&phrases_[found->second]}};
  }
  std::vector<Fit> all;
  for (std::size_t letters = 0; letters <= std::min(kFirstLetters, english.size()); ++letters) {
    const auto some = index.begin.find(std::string(english.substr(0, letters)));
    if (some == index.begin.end()) continue;
    for (const std::size_t at : some->second) {
      if (auto values = phrases_[at].match(english)) {
        all.push_back({&phrases_[at], std::move(*values)});
      }
    }
  }
  std::ranges::stable_sort(all, std::greater(),
                           [](const Fit& fit) { return fit.phrase->letters(); });
  return all;
}

Translation Catalog::filled(const Fit& fit, int& patience) const {
  Translation all;
  std::vector<std::string> values;
  for (const std::string_view value : fit.values) {
    Translation one = translate(value, patience);
    std::ranges::move(one.missing, std::back_inserter(all.missing));
    values.push_back(std::move(one.text));
  }
  all.text = fit.phrase->with(values);
  return all;
}

std::optional<Translation> Catalog::best(const Index& index, std::string_view english,
                                         int& patience) const {
  if (english.size() > kLongest || --patience < 0) return {};
  std::optional<Translation> best;
  for (const Fit& fit : fits(index, english)) {
    Translation one = filled(fit, patience);
    if (one.missing.empty()) return one;
    if (!best && fit.phrase->letters() > kLettersOfAFrame) best = std::move(one);
  }
  return best;
}

Translation Catalog::translate(std::string_view english, int& patience) const {
  if (std::optional<Translation> known = best(sentences_, english, patience)) {
    return std::move(*known);
  }
  if (std::optional<Translation> line = best(lines_, english, patience)) return std::move(*line);
  Translation same{std::string(english)};
  if (is_prose(english)) same.missing.push_back(same.text);
  return same;
}

Translation Catalog::translate(std::string_view english) const {
  int patience = kPatience;
  return translate(english, patience);
}

std::optional<Translation> Catalog::translate_line(std::string_view english) const {
  int patience = kPatience;
  return best(lines_, english, patience);
}

Catalog catalog_of(const fs::path& folder, const std::string& language) {
  if (language.empty() || language == "en") return {};
  std::string there = "en";
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (entry.path().extension() != ".po") continue;
    if (entry.path().stem() == language) {
      return Catalog::parse(files::read_file(entry.path()), language);
    }
    there += ", " + entry.path().stem().string();
  }
  throw std::invalid_argument("there are no words for the language " + language +
                              "; there are: " + there);
}

Catalog catalog_of_reader(const fs::path& folder) {
  if (const char* const named = std::getenv("NIBBLE_LANGUAGE")) return catalog_of(folder, named);
  const fs::path of_course = folder / kOfCourse;
  return catalog_of(folder, fs::exists(of_course) ? text::trim(files::read_file(of_course)) : "en");
}

}  // namespace nibble::language
