#include "lab/on_demand.hpp"

#include <cstdlib>

#include "process/spawn.hpp"

namespace nibble::lab {
namespace {

/// On this terminal, and in its group of processes: Ctrl-C ends the build, too.
bool build_now(const Kit& kit, std::vector<std::string> wanted) {
  wanted.insert(wanted.begin(), {(kit.source / "nibble").string(), "build"});
  return process::run_here(wanted);
}

bool is_named(const std::string& list, const std::string& word) {
  return (" " + list + " ").find(" " + word + " ") != std::string::npos;
}

}  // namespace

bool have_built(const Kit& kit, std::vector<std::string> wanted) {
  const char* const list = std::getenv("NIBBLE_FRESH");
  if (list == nullptr) return true;
  std::string fresh = list;
  std::erase_if(wanted, [&](const std::string& one) { return is_named(fresh, one); });
  if (wanted.empty()) return true;
  if (!build_now(kit, wanted)) return false;
  for (const std::string& one : wanted) fresh += " " + one;
  setenv("NIBBLE_FRESH", fresh.c_str(), /*replace=*/1);
  return true;
}

}  // namespace nibble::lab
