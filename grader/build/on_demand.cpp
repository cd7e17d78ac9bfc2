#include "build/on_demand.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

namespace nibble::build {
namespace {

/// On this terminal, and in its group of processes: Ctrl-C ends the build, too.
bool build_now(const Kit& kit, const std::string& what) {
  std::string script = (kit.source / "nibble").string(), word = "build", target = what;
  const std::array<char*, 4> words = {script.data(), word.data(), target.data(), nullptr};
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

bool have_built(const Kit& kit, const std::string& what) {
  const char* const list = std::getenv("NIBBLE_FRESH");
  if (list == nullptr) return true;
  const std::string fresh = list;
  if (is_named(fresh, what)) return true;
  if (!build_now(kit, what)) return false;
  setenv("NIBBLE_FRESH", (fresh + " " + what).c_str(), /*replace=*/1);
  return true;
}

}  // namespace nibble::build
