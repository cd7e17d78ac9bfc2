#include "lab/on_demand.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace nibble::lab {
namespace {

/// On this terminal, and in its group of processes: Ctrl-C ends the build, too.
bool build_now(const Kit& kit, std::vector<std::string> wanted) {
  std::string script = (kit.source / "nibble").string(), build = "build";
  std::vector<char*> words = {script.data(), build.data()};
  for (std::string& one : wanted) words.push_back(one.data());
  words.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawn(&child, script.c_str(), nullptr, nullptr, words.data(), environ) != 0)
    return false;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
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
