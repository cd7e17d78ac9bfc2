#include "sandbox/probe.hpp"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>
#include <system_error>

#include "build/command.hpp"
#include "sandbox/control_group.hpp"

namespace nibble::sandbox {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// What the control said: "lives", and what it could do besides.
std::vector<std::string> said_in(const build::Kit& kit, Level level, const Tools& tools) {
  // A static program finds its libraries in itself.
  const char* const name = level == Level::kStatic ? "box-control-static" : "box-control";
  build::Command command;
  command.words = {(kit.build / "bin" / name).string()};
  if (!fs::exists(command.words[0])) throw BoxBroke("this compiler links no static programs");
  command.box = {level, tools, {command.words[0]}, {}, true};
  command.wall_limit = 30s;
  const build::Finished finished = build::run(command);
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

/// A box for compilers is good when a compiler starts in it.
bool starts_a_compiler(const build::Kit& kit, Level level) {
  build::Command command;
  command.words = {kit.cxx, "--version"};
  command.box = {level, find_tools(kit.build / "bin")};
  command.wall_limit = 30s;
  try {
    return build::run(command).ok();
  } catch (const std::exception&) {
    return false;
  }
}

/// What compiles a submission that runs at `level`: a machine for LS alone has no box for compilers.
Level compilers_level(const build::Kit& kit, Level level) {
  std::vector<Level> candidates{level};
  if (level == Level::kStatic) candidates = {Level::kNamespaces, Level::kLandlock};
  for (const Level one : candidates) {
    if (starts_a_compiler(kit, one)) return one;
  }
  return Level::kLimits;
}

std::string why_not(const build::Kit& kit, Level level) {
  const Tools tools = find_tools(kit.build / "bin");
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
    return compilers_level(kit, level) == Level::kLimits ? "no compiler starts in a box here" : "";
  } catch (const std::exception& error) {
    return first_line(error.what());
  }
}

}  // namespace

Found probe(const build::Kit& kit, Level level) { return {level, why_not(kit, level)}; }

std::vector<Found> probe_all(const build::Kit& kit) {
  std::vector<Found> found;
  for (const Level level : kBestFirst) found.push_back(probe(kit, level));
  return found;
}

Boxes boxes_for(const build::Kit& kit, Level level) {
  Boxes boxes{level, Level::kLimits, find_tools(kit.build / "bin"), groups_here().folder};
  if (level == Level::kLimits) return boxes;
  boxes.compile = compilers_level(kit, level);
  if (boxes.compile == Level::kLimits) {
    throw BoxBroke(fmt::format("no compiler starts in a box for level {}", name_of(level)));
  }
  return boxes;
}

Level best_of(const std::vector<Found>& found) {
  for (const Found& one : found) {
    if (one.works()) return one.level;
  }
  return Level::kLimits;
}

}  // namespace nibble::sandbox
