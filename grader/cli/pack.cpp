// nibble pack [LAB…]: what is handed in. The one file of each lab, as the instructor's intake takes
// it, and a manifest that says when it was packed.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include "cli/children.hpp"
#include "cli/commands.hpp"
#include "cli/headers.hpp"
#include "cli/learner.hpp"
#include "cli/starter.hpp"
#include "cli/trouble.hpp"
#include "cli/ustar.hpp"
#include "compile/compile.hpp"
#include "files/file_lock.hpp"
#include "files/files.hpp"
#include "files/sha256.hpp"
#include "intake/contents.hpp"
#include "report/machine.hpp"
#include "text/harmless.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;

struct Piece {
  const MarkedLab* lab;
  std::string text;
};

/// Why most labs are left out, most of the year.
constexpr const char* kStarter = "is the starter still";

struct LeftOut {
  const MarkedLab* lab;
  std::string why;
};

std::vector<const MarkedLab*> labs_of(const Context& context,
                                      const std::vector<std::string>& words) {
  std::vector<const MarkedLab*> labs;
  for (const MarkedLab& lab : context.labs) {
    const auto is_it = [&](const std::string& word) {
      const Target target = find_target(context.labs, word);
      if (!target.exercise.empty() && target.lab == &lab) {
        throw usage(word + " is one exercise, and what is handed in is the whole file of " +
                    lab.name + ": ./nibble pack " + lab.number());
      }
      return target.lab == &lab;
    };
    if (words.empty() || std::ranges::any_of(words, is_it)) labs.push_back(&lab);
  }
  return labs;
}

/// "03_symmetric/symmetric.cpp"
std::string name_in_archive(const MarkedLab& lab) { return lab.name + "/" + lab.file_name(); }

bool compiles(const Context& context, const Piece& piece) {
  must_be_built(context.kit, *piece.lab);
  compile::Job job;
  job.lab = *piece.lab;
  job.source = piece.text;
  const fs::path work = work_folder(context.kit, job.lab);
  job.work = work / protocol::name_of(job.leg);
  const files::FileLock lock(work / "lock");
  return told_as_trouble(
      [&] { return children_of(context.kit, job.lab).get(context.kit, job).ok; });
}

/// Puts a lab's file among `pieces`, or says why not.
void look_at(const Context& context, const MarkedLab& lab, std::vector<Piece>& pieces,
             std::vector<LeftOut>& left_out) {
  if (!fs::is_regular_file(learners_file(context.kit, lab))) {
    left_out.push_back({&lab, "is not there"});
    return;
  }
  std::string text = read_learners_file(context.kit, lab);
  if (text == starter_of(context.kit, lab)) {
    left_out.push_back({&lab, kStarter});
    return;
  }
  pieces.push_back({&lab, std::move(text)});
}

void must_compile(const Context& context, const std::vector<Piece>& pieces) {
  std::string broken;
  for (const Piece& piece : pieces) {
    if (compiles(context, piece)) continue;
    broken += " " + piece.lab->number();
    context.err << changed_headers_text(context.kit, *piece.lab);
  }
  if (broken.empty()) return;
  throw Trouble(kNoCompile, fmt::format("these labs do not compile, and would earn nothing:{}; "
                                        "./nibble run{} says why, --force packs them as they are",
                                        broken, broken.substr(0, broken.find(' ', 1))));
}

/// Which kit and which handout packed which texts, and when by this machine's clock: the intake
/// takes the time from here where nothing better knows it.
std::string manifest_of(const Context& context, const std::vector<Piece>& pieces) {
  std::string text =
      fmt::format("nibble pack 1\nkit {}\npacked {}\n", context.kit.version, report::utc_now());
  const std::string handout = context.kit.handout();
  if (!handout.empty()) text += fmt::format("handout {}\n", handout);
  for (const Piece& piece : pieces) {
    text += fmt::format("{} {}\n", files::sha256(piece.text), name_in_archive(*piece.lab));
  }
  return text;
}

std::string archive_of(const Context& context, const std::vector<Piece>& pieces) {
  Ustar archive;
  for (const Piece& piece : pieces) archive.add(name_in_archive(*piece.lab), piece.text);
  archive.add(intake::kManifest, manifest_of(context, pieces));
  return archive.bytes();
}

/// A line each; starters share one, when there are several.
void show_left_out(std::ostream& out, const std::vector<LeftOut>& left_out) {
  const auto is_starter = [](const LeftOut& one) { return one.why == kStarter; };
  const bool many = std::ranges::count_if(left_out, is_starter) > 1;
  std::string starters;
  for (const LeftOut& one : left_out) {
    if (many && is_starter(one)) {
      starters += " " + one.lab->number();
    } else {
      out << fmt::format("  out   {:<44} {}\n", name_in_archive(*one.lab), one.why);
    }
  }
  if (many) out << fmt::format("  out   the starters still:{}\n", starters);
}

}  // namespace

int pack_command(Context& context, const PackOptions& options) {
  std::vector<Piece> pieces;
  std::vector<LeftOut> left_out;
  for (const MarkedLab* lab : labs_of(context, options.labs)) {
    look_at(context, *lab, pieces, left_out);
  }
  if (pieces.empty()) {
    throw usage("there is nothing to hand in yet: " +
                (left_out.size() == 1 ? left_out[0].lab->file().string() + " " + left_out[0].why
                                      : "every lab is a starter still"));
  }
  if (!options.force) must_compile(context, pieces);

  const std::string archive = archive_of(context, pieces);
  files::write_atomically(options.out, archive);
  context.out << fmt::format("packed  {}   {} of {} labs, {} bytes   {}\n", options.out,
                             pieces.size(), pieces.size() + left_out.size(), archive.size(),
                             files::sha256(archive));
  for (const Piece& piece : pieces) {
    context.out << fmt::format("  in    {:<44} {:>7} bytes\n", name_in_archive(*piece.lab),
                               piece.text.size());
    for (const std::string& name : beside(context.kit, *piece.lab)) {
      context.out << fmt::format("  out   {:<44} one file a lab is handed in\n",
                                 text::harmless(piece.lab->name + "/" + name));
    }
  }
  show_left_out(context.out, left_out);
  return kPassed;
}

}  // namespace nibble::cli
