// Forks, becomes the program or its box, reads both pipes while it lives, and ends its whole group.
#include "process/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include "sandbox/control_group.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every unistd.h

namespace nibble::process {
namespace {

using sandbox::Level;
using std::chrono::steady_clock;

bool is_boxed(const Command& command) { return command.box.level != Level::kLimits; }

/// The few variables a compiler needs, and nothing secret: the course's salt stays behind.
std::vector<std::string> environment_of(const Command& command) {
  std::vector<std::string> variables;
  if (is_boxed(command) && !command.box.writable.empty()) {
    variables.push_back("TMPDIR=" + command.box.writable.front().string());
  }
  for (const char* const name : {"PATH", "HOME", "LANG", "TMPDIR"}) {
    if (!variables.empty() && variables.front().starts_with(name)) continue;
    if (const char* const value = std::getenv(name)) {
      variables.push_back(std::string(name) + "=" + value);
    }
  }
  variables.insert(variables.end(), command.environment.begin(), command.environment.end());
  return variables;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> list;
  list.reserve(words.size() + 1);
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

void limit(int resource, rlim_t value) {
  if (value == 0) return;
  const rlimit both{value, value};
  setrlimit(resource, &both);
}

struct Pipe {
  int read_end = -1, write_end = -1;
};

/// Closes what is read, whichever way the run ends.
struct ReadEnds {
  std::array<int, 4> fds;
  ~ReadEnds() {
    for (const int fd : fds) close(fd);
  }
};

/// Closed by every exec from the start: programs are run from several threads at once, and one
/// that inherits another's pipe would hold it open.
Pipe make_pipe() {
  std::array<int, 2> ends{};
#ifdef __linux__
  const bool made = pipe2(ends.data(), O_CLOEXEC) == 0;
#else
  const bool made = pipe(ends.data()) == 0;
  for (const int fd : ends) fcntl(fd, F_SETFD, FD_CLOEXEC);
#endif
  if (!made) throw std::system_error(errno, std::generic_category(), "pipe");
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {ends[0], ends[1]};
}

/// The end to read `input` from; -1 where there is none. A pipe holds all of it at once, or the
/// program is not started: nobody stays behind to write the rest.
int holding(const std::string& input) {
  if (input.empty()) return -1;
  const Pipe pipe = make_pipe();
  fcntl(pipe.write_end, F_SETFL, O_NONBLOCK);
  const bool held =
      write(pipe.write_end, input.data(), input.size()) == static_cast<ssize_t>(input.size());
  close(pipe.write_end);
  fcntl(pipe.read_end, F_SETFL, 0);
  if (held) return pipe.read_end;
  close(pipe.read_end);
  throw std::system_error(E2BIG, std::generic_category(), "a program's input");
}

/// Reads what there is, keeps at most `most` of it. False at the end of the pipe. A pipe that is
/// filled as fast as it is read has no end: the clocks must be looked at meanwhile.
bool drain(int fd, std::string& kept, std::size_t most) {
  std::array<char, 16384> chunk{};
  for (int reads = 0; reads < 64; ++reads) {
    const ssize_t got = read(fd, chunk.data(), chunk.size());
    if (got < 0) return true;
    if (got == 0) return false;
    const std::size_t room = most - std::min(most, kept.size());
    kept.append(chunk.data(), std::min(room, static_cast<std::size_t>(got)));
  }
  return true;
}

std::chrono::microseconds cpu_time(const rusage& used) {
  return std::chrono::seconds(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         std::chrono::microseconds(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/// What is called: the program, or what puts it into its box.
std::vector<std::string> words_of(const Command& command) {
  if (!is_boxed(command)) return command.words;
  std::vector<std::string> words = sandbox::words_for_tool(command.box);
  words.insert(words.end(), command.words.begin(), command.words.end());
  return words;
}

[[noreturn]] void become(const Command& command, const std::vector<char*>& arguments,
                         const std::vector<char*>& variables, int in, int out, int err,
                         int error_fd, int opening, int door) {
  setpgid(0, 0);
  bool ready = door < 0 || sandbox::enter(door);
  dup2(in >= 0 ? in : open("/dev/null", O_RDONLY), 0);
  dup2(out, 1);
  dup2(err, 2);
  if (opening >= 0) {  // both are moved out of the way first: they may overlap
    error_fd = fcntl(error_fd, F_DUPFD_CLOEXEC, 64);
    dup2(fcntl(opening, F_DUPFD_CLOEXEC, 64), sandbox::kToolOpeningFd);
  }
  const auto cpu = static_cast<rlim_t>(command.cpu_limit.count());
  const rlimit until{cpu, cpu + 2};  // apart, or the signal would be SIGKILL and not say why
  if (cpu > 0) setrlimit(RLIMIT_CPU, &until);
  limit(RLIMIT_AS, command.memory_bytes);
  limit(RLIMIT_FSIZE, command.file_bytes);
  ready = ready && (command.directory.empty() || chdir(command.directory.c_str()) == 0);
  if (ready) {
    environ = const_cast<char**>(variables.data());
    execvp(arguments[0], arguments.data());
  }
  const int reason = errno;
  [[maybe_unused]] const auto written = write(error_fd, &reason, sizeof reason);
  _exit(127);
}

/// Asks the program to end, so that a compiler takes its temporary files with it; a moment later it
/// is not asked. What it forked and did not move to another group goes with it.
int end_group(pid_t pid) {
  int status = 0;
  kill(-pid, SIGTERM);
  for (int waited = 0; waited < 50; ++waited) {
    if (waitpid(pid, &status, WNOHANG) == pid) return status;
    usleep(10'000);
  }
  kill(-pid, SIGKILL);
  waitpid(pid, &status, 0);
  return status;
}

/// Waits for the process itself, not for its pipes; ends the whole group in the end.
void watch(const Command& command, pid_t pid, Pipe out, Pipe err, Finished& result) {
  const auto start = steady_clock::now();
  std::array<pollfd, 2> ready{{{out.read_end, POLLIN, 0}, {err.read_end, POLLIN, 0}}};
  int status = 0;
  // Accounting is not exact: a process that was stopped for its time may show a little less.
  rusage used{};  // with that of the processes it waited for: a compiler is a driver and others
  for (bool ended = false; !ended;) {
    const bool silent = ready[0].fd < 0 && ready[1].fd < 0;
    poll(ready.data(), ready.size(), silent ? 1 : 20);
    ended = wait4(pid, &status, WNOHANG, &used) == pid;
    if (ready[0].fd >= 0 && !drain(out.read_end, result.out, command.kept_bytes)) ready[0].fd = -1;
    if (ready[1].fd >= 0 && !drain(err.read_end, result.err, command.kept_bytes)) ready[1].fd = -1;
    if (ended) break;
    const auto spent = steady_clock::now() - start;
    result.timed_out = command.wall_limit.count() > 0 && spent >= command.wall_limit;
    result.cancelled = command.cancelled && command.cancelled();
    if (result.timed_out || result.cancelled) {
      status = end_group(pid);
      ended = true;
    }
  }
  kill(-pid, SIGKILL);
  result.seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
  result.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  std::chrono::microseconds spent = cpu_time(used);
  if (command.box.level == Level::kNamespaces) {
    // bubblewrap says 128 + the signal, and does not wait for those whose time it would be.
    if (result.exit_status > 128) result.signal = std::exchange(result.exit_status, -1) - 128;
    spent = std::chrono::microseconds(static_cast<long>(1e6 * result.seconds));
  }
  result.timed_out =
      result.timed_out || result.signal == SIGXCPU ||
      (command.cpu_limit.count() > 0 && !result.ok() &&
       4 * spent >= 3 * command.cpu_limit);  // on a busy machine the two clocks differ
}

/// Waits until the box is closed. When it breaks, what its maker said is the reason.
void wait_for_box(sandbox::Opening& opening, pid_t pid, Pipe err) {
  try {
    opening.wait();
  } catch (const sandbox::BoxBroke& broke) {
    kill(-pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    std::string said;
    drain(err.read_end, said, 1024);
    throw sandbox::BoxBroke(said.empty() ? broke.what() : said);
  }
}

}  // namespace

Finished run(const Command& command) {
  std::optional<sandbox::Opening> opening;
  if (is_boxed(command)) opening.emplace();
  std::optional<sandbox::ControlGroup> group;
  if (!command.box.groups.empty()) {
    group.emplace(command.box.groups, command.memory_bytes, sandbox::kToolProcesses);
  }
  const int in = holding(command.input);
  const Pipe out = make_pipe(), err = make_pipe(), error = make_pipe();
  const ReadEnds ends{{in, out.read_end, err.read_end, error.read_end}};
  const std::vector<std::string> variables = environment_of(command);
  const std::vector<std::string> words = words_of(command);
  const std::vector<char*> argument_list = pointers(words);
  const std::vector<char*> variable_list = pointers(variables);
  const pid_t pid = fork();
  if (pid == 0) {
    become(command, argument_list, variable_list, in, out.write_end, err.write_end, error.write_end,
           opening ? opening->theirs() : -1, group ? group->door() : -1);
  }
  const int fork_error = errno;
  for (const int fd : {out.write_end, err.write_end, error.write_end}) close(fd);

  Finished result;
  int reason = pid < 0 ? fork_error : 0;
  if (pid > 0) {
    pollfd wait{error.read_end, POLLIN, 0};
    poll(&wait, 1, -1);  // ends with exec, or with the reason why there was none
    if (read(error.read_end, &reason, sizeof reason) != sizeof reason) reason = 0;
    if (reason == 0 && opening) wait_for_box(*opening, pid, err);
    if (reason == 0) watch(command, pid, out, err, result);
    result.out_of_memory = group && group->ran_out_of_memory();
    if (reason != 0) waitpid(pid, nullptr, 0);
  }
  if (reason != 0) {
    throw std::system_error(reason, std::generic_category(), "starting " + command.words.front());
  }
  return result;
}

}  // namespace nibble::process
