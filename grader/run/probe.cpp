// Runs the control in a box, then compiles and links one line in it;
// what fails first is why a level is not here.
#include "run/probe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "process/command.hpp"
#include "sandbox/control_group.hpp"
#include "text/harmless.hpp"

namespace nibble::run {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using sandbox::BoxBroke, sandbox::Boxes, sandbox::Level, sandbox::Tools;

/// What the control said: "lives", and what it could do besides.
std::vector<std::string> said_in(const lab::Kit& kit, Level level, const Tools& tools) {
  // A static program finds its libraries in itself.
  const char* const name = level == Level::kStatic ? "box-control-static" : "box-control";
  process::Command command;
  command.words = {(kit.build / "bin" / name).string()};
  if (!fs::exists(command.words[0])) throw BoxBroke("this compiler links no static programs");
  command.box = {level, tools, {command.words[0]}, {}, true};
  command.wall_limit = 30s;
  const process::Finished finished = process::run(command);
  std::istringstream words(finished.out);
  std::vector<std::string> said;
  for (std::string word; words >> word;) said.push_back(word);
  if (said.empty() || said[0] != "lives") {
    throw BoxBroke(fmt::format("a program does not start in the box: {}", finished.err));
  }
  said.erase(said.begin());
  return said;
}

std::string first_line(std::string text) {
  text.resize(std::min(text.size(), text.find('\n')));
  return text;
}

/// Why one linker does not work in a box; empty: it does.
std::string why_not_link(const lab::Kit& kit, Level level, bool static_program,
                         const std::vector<std::string>& flags) {
  const files::ScratchFolder folder(fs::temp_directory_path());
  files::write_atomically(folder.path() / "one.cpp", "int main() {}\n");
  process::Command command;
  command.words = {kit.cxx, "one.cpp", "-o", "one"};
  command.words.insert(command.words.end(), flags.begin(), flags.end());
  if (static_program) command.words.emplace_back("-static");
  command.directory = folder.path();
  command.box = {level, sandbox::find_tools(kit.build / "bin"), {}, {folder.path()}};
  command.box.readable = kit.compiler_folders;
  command.wall_limit = 30s;
  try {
    const process::Finished linked = process::run(command);
    if (linked.ok()) return "";
    const std::string said = text::harmless(first_line(linked.err + linked.out));
    return said.empty() ? "it fails and says nothing" : said;
  } catch (const std::exception& error) {
    return text::harmless(first_line(error.what()));
  }
}

/// A box for compilers is good when a program is compiled and linked in it.
Linker linker_at(const lab::Kit& kit, Level level, bool static_program) {
  Linker linker;
  for (const std::vector<std::string>& flags : kit.linkers) {
    const std::string why = why_not_link(kit, level, static_program, flags);
    linker.flags = flags;
    linker.works = why.empty();
    if (linker.works) break;
    linker.refused +=
        fmt::format("{}{}: {}", linker.refused.empty() ? "" : "; ", lab::linker_name(flags), why);
  }
  return linker;
}

struct CompilersBox {
  Level level = Level::kLimits;
  Linker linker{};
};

/// What compiles a submission that runs at `level`:
/// a machine for LS alone has no box for compilers.
CompilersBox compilers_box(const lab::Kit& kit, Level level) {
  std::vector<Level> candidates{level};
  if (level == Level::kStatic) candidates = {Level::kNamespaces, Level::kLandlock};
  CompilersBox box;
  for (const Level one : candidates) {
    box.linker = linker_at(kit, one, level == Level::kStatic);
    if (box.linker.works) {
      box.level = one;
      break;
    }
  }
  return box;
}

std::string why_not(const lab::Kit& kit, Level level) {
  const Tools tools = sandbox::find_tools(kit.build / "bin");
  if (level != Level::kLimits && tools.launcher.empty()) {
    return "the kit was built without libseccomp: install it and build the kit anew";
  }
  if (level == Level::kNamespaces && tools.bubblewrap.empty()) {
    return "bubblewrap is not here: install the package bubblewrap";
  }
  if (level == Level::kStatic && !kit.links_statically) {
    return "this compiler links no static programs";
  }
  try {
    const std::vector<std::string> done = said_in(kit, level, tools);
    if (level == Level::kLimits) {
      return done.empty() ? "the control did nothing, so that it proves nothing" : "";
    }
    if (!done.empty()) return fmt::format("the box leaks: the control {}", fmt::join(done, ", "));
    const CompilersBox box = compilers_box(kit, level);
    return box.linker.works ? "" : "nothing is compiled in a box here: " + box.linker.refused;
  } catch (const std::exception& error) {
    return first_line(error.what());
  }
}

}  // namespace

LevelHere probe(const lab::Kit& kit, Level level) { return {level, why_not(kit, level)}; }

std::vector<LevelHere> probe_all(const lab::Kit& kit) {
  std::vector<LevelHere> found;
  for (const Level level : sandbox::kBestFirst) found.push_back(probe(kit, level));
  return found;
}

Linker linker_in_box(const lab::Kit& kit, Level level) { return compilers_box(kit, level).linker; }

Boxes boxes_for(const lab::Kit& kit, Level level) {
  Boxes boxes{level,
              Level::kLimits,
              sandbox::find_tools(kit.build / "bin"),
              {},
              sandbox::groups_here().folder};
  if (level == Level::kLimits) return boxes;
  const CompilersBox box = compilers_box(kit, level);
  if (!box.linker.works) {
    throw BoxBroke(fmt::format("nothing is compiled in a box for level {}: {}", name_of(level),
                               box.linker.refused));
  }
  boxes.compile = box.level;
  boxes.link_flags = box.linker.flags;
  boxes.refused_linkers = box.linker.refused;
  return boxes;
}

Level best_of(const std::vector<LevelHere>& found) {
  for (const LevelHere& one : found) {
    if (one.works()) return one.level;
  }
  return Level::kLimits;
}

}  // namespace nibble::run
