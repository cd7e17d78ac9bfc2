#include "process/usage.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

#include "process/spawn.hpp"

namespace nibble::process {
namespace {

std::optional<std::chrono::nanoseconds> read_clock(pid_t pid) {
#ifdef __linux__
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &time) == 0) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }
#else
  (void)pid;
#endif
  return std::nullopt;
}

}  // namespace

std::chrono::nanoseconds cpu_time(pid_t pid) {
  return read_clock(pid).value_or(std::chrono::nanoseconds{0});
}

bool cpu_clocks_can_be_read() {
  const pid_t other = fork_to([] { pause(); });
  const bool read = read_clock(other).has_value();
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  return read;
}

std::size_t memory_of(pid_t pid, std::initializer_list<std::string_view> lines) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  std::size_t kib = 0;
  for (std::string line; std::getline(status, line);) {
    const std::string_view name = std::string_view(line).substr(0, line.find(':') + 1);
    if (std::ranges::find(lines, name) != lines.end()) kib += std::stoul(line.substr(name.size()));
  }
  return kib << 10;
}

}  // namespace nibble::process
