// What the probe puts into a box to see whether it holds: a program that says that it lives, and
// then what it could do that no submission may. In a good box it says one word.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <iostream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace {

bool can_fork() {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  if (pid > 0) waitpid(pid, nullptr, 0);
  return pid > 0;
}

bool can_read(const char* path) { return open(path, O_RDONLY) >= 0; }

bool can_signal_parent() { return kill(getppid(), 0) == 0; }

bool can_arm_signals() { return fcntl(STDOUT_FILENO, F_SETOWN, getpid()) == 0; }

bool has_network() { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }

/// What a library does for its own threads; another one's name is written to a file in /proc.
bool has_threads() {
  try {
    std::atomic<bool> named = false;
    std::thread other([&named] {
      while (!named) std::this_thread::yield();
    });
    pthread_setname_np(other.native_handle(), "helper");
    named = true;
    other.join();
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

int main() {
  std::vector<std::string> said{"lives"};  // on the heap, and by the C++ library: all of it works
  if (can_read("/etc/passwd")) said.emplace_back("reads");
  if (can_read("/proc/self/environ")) said.emplace_back("sees-processes");
  if (has_threads()) said.emplace_back("threads");
  if (can_fork()) said.emplace_back("forks");
  if (can_signal_parent()) said.emplace_back("signals");
  if (can_arm_signals()) said.emplace_back("arms");
  if (has_network()) said.emplace_back("connects");
  for (const std::string& word : said) std::cout << word << ' ';
  std::cout << std::endl;
}
