#include "bench/batches/started.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

namespace nibble::bench {

Started::Started(const std::vector<std::string>& words, const std::filesystem::path& log) {
  std::vector<std::string> copies = words;
  std::vector<char*> arguments;
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  pid_ = fork();
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid_ == 0) {
    dup2(out, 1);
    dup2(out, 2);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(out);
}

Started::~Started() {
  if (has_ended()) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

bool Started::has_ended() {
  if (ended_) return true;
  look_at_memory();
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
  exit_status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  ended_ = true;
  return true;
}

void Started::look_at_memory() {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) peak_kib_ = std::max(peak_kib_, std::stol(line.substr(6)));
  }
}

}  // namespace nibble::bench
