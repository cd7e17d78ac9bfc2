// A program with pipes at both its ends, read while it lives, within its clocks.
#include "process/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include "process/ending.hpp"
#include "process/pipes.hpp"
#include "process/printed.hpp"
#include "process/spawn.hpp"
#include "sandbox/control_group.hpp"

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

/// What its stdin reads. A pipe holds all of the input at once, or the program is not started:
/// nobody stays behind to write the rest.
Descriptor holding(const std::string& input) {
  if (input.empty()) return open_file("/dev/null", O_RDONLY);
  Pipe pipe = make_pipe();
  do_not_wait(pipe.write_end);
  const ssize_t held = write(pipe.write_end.get(), input.data(), input.size());
  if (held == static_cast<ssize_t>(input.size())) return std::move(pipe.read_end);
  throw std::system_error(E2BIG, std::generic_category(), "a program's input");
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

std::vector<Limit> limits_of(const Command& command) {
  std::vector<Limit> limits;
  const auto cpu = static_cast<rlim_t>(command.cpu_limit.count());
  // Apart, or the signal would be SIGKILL and not say why.
  if (cpu > 0) limits.push_back({RLIMIT_CPU, cpu, cpu + 2});
  if (command.memory_bytes > 0)
    limits.push_back({RLIMIT_AS, command.memory_bytes, command.memory_bytes});
  if (command.file_bytes > 0)
    limits.push_back({RLIMIT_FSIZE, command.file_bytes, command.file_bytes});
  return limits;
}

/// Waits for the process itself, not for its pipes; ends the whole group in the end.
void watch(const Command& command, pid_t pid, Printed& out, Printed& err, Finished& result) {
  const auto start = steady_clock::now();
  int status = 0;
  // Accounting is not exact: a process that was stopped for its time may show a little less.
  rusage used{};  // with that of the processes it waited for: a compiler is a driver and others
  for (bool ended = false; !ended;) {
    std::array<pollfd, 2> ready{{{out.fd(), POLLIN, 0}, {err.fd(), POLLIN, 0}}};
    const bool silent = out.fd() < 0 && err.fd() < 0;
    poll(ready.data(), ready.size(), silent ? 1 : 20);
    ended = wait4(pid, &status, WNOHANG, &used) == pid;
    out.drain();
    err.drain();
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
  const bool in_bubblewrap = command.box.level == Level::kNamespaces;
  const Ended how = how_it_ended(status, in_bubblewrap);
  result.exit_status = how.exit_status;
  result.signal = how.signal;
  std::chrono::microseconds spent = cpu_time(used);
  if (in_bubblewrap) {  // which does not wait for those whose time it would be
    spent = std::chrono::microseconds(static_cast<long>(1e6 * result.seconds));
  }
  result.timed_out =
      result.timed_out || result.signal == SIGXCPU ||
      (command.cpu_limit.count() > 0 && !result.ok() &&
       4 * spent >= 3 * command.cpu_limit);  // on a busy machine the two clocks differ
}

/// Waits until the box is closed. When it breaks, what its maker said is the reason.
void wait_for_box(sandbox::Opening& opening, pid_t pid, Printed& err) {
  try {
    opening.wait();
  } catch (const sandbox::BoxBroke& broke) {
    kill(-pid, SIGKILL);
    waitpid(pid, nullptr, 0);
    const std::string said = err.take();
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
  const Descriptor in = holding(command.input);
  Pipe out_pipe = make_pipe(), err_pipe = make_pipe();
  Program program{.words = words_of(command),
                  .environment = environment_of(command),
                  .directory = command.directory.string(),
                  .descriptors = {in.get(), out_pipe.write_end.get(), err_pipe.write_end.get()},
                  .limits = limits_of(command),
                  .door = group ? group->door() : -1};
  if (opening) program.descriptors.push_back(opening->theirs());  // kToolOpeningFd
  const pid_t pid = spawn(program);
  out_pipe.write_end = {};
  err_pipe.write_end = {};

  Printed out(std::move(out_pipe.read_end), command.kept_bytes);
  Printed err(std::move(err_pipe.read_end), command.kept_bytes);
  if (opening) wait_for_box(*opening, pid, err);
  Finished result;
  watch(command, pid, out, err, result);
  result.out = out.take();
  result.err = err.take();
  result.out_of_memory = group && group->ran_out_of_memory();
  return result;
}

}  // namespace nibble::process
