// One process that holds an implementation of a contract, and everything the judge does to it:
// start it with nothing in its hands, talk to it, watch its clocks, end it and what it left behind.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "process/descriptor.hpp"
#include "process/printed.hpp"
#include "protocol/message.hpp"
#include "sandbox/level.hpp"

namespace nibble::process {
struct Program;
}
namespace nibble::sandbox {
class ControlGroup;
class Opening;
}  // namespace nibble::sandbox

namespace nibble::judge {

/// What one call may use. The wall clock is generous: a busy machine must not fail anybody.
struct Limits {
  std::chrono::milliseconds cpu{2000};
  std::chrono::milliseconds wall{20000};
  std::chrono::milliseconds check{60000};  ///< wall clock of all calls of a check together
  std::size_t memory_bytes = std::size_t{512} << 20;  ///< beyond the arenas
};

/// How long one call is waited for.
struct Patience {
  std::chrono::milliseconds cpu, wall;
  /// The end of all patience, whatever the call has used.
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
};

/// How long one call may take by the wall clock. Who has used some of its CPU time does not wait
/// for anything but a core: on a busy machine an endless loop must be told from a sleep as on an
/// idle one.
constexpr std::chrono::milliseconds wall_limit(const Patience& patience,
                                               std::chrono::nanoseconds used) {
  return 20 * used >= patience.cpu ? 3 * patience.wall : patience.wall;
}

/// What is kept of the output of a submission, for one check.
inline constexpr std::size_t kKeptOutput = std::size_t{64} << 10;

/// Why a child gave no answer. The order is the rule: the first that holds is the one reported, so
/// that a repetition says the same.
struct Ending {
  enum class Kind { kProtocol, kMemory, kCpuTime, kWallTime, kPatience, kSignal, kExit };
  Kind kind;
  int detail = 0;  ///< the signal, the exit status, or the seconds of the wall clock
};

class Child {
 public:
  /// What the kit's runner needs of its surroundings.
  struct Setup {
    std::string path;  ///< the executable
    int inputs_fd, outputs_fd;
    bool sanitized =
        false;            ///< sanitizers map terabytes of shadow: what it holds is watched instead
    bool on_gpu = false;  ///< a GPU's driver has threads, files and address space of its own
    Limits limits{};
    int core = -1;  ///< where it starts to run; -1: wherever the system likes
    sandbox::Level level = sandbox::Level::kLimits;  ///< what it is confined to
    std::string groups{};  ///< where a control group can be made for it; empty: nowhere
  };

  explicit Child(const Setup& setup);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  struct Reply {
    std::optional<protocol::Answer> answer;
    Ending ending{};  ///< when there is no answer
  };

  /// Sends one request and waits for its answer. After an Ending the child is gone, with its whole
  /// process group and whatever it left behind.
  Reply ask(std::uint32_t function, const Patience& patience, std::uint32_t mode = 0,
            const protocol::Far& far = {});

  bool alive() const { return pid_ > 0; }

  /// CPU time of the whole process so far, read from outside.
  std::chrono::nanoseconds cpu_time() const;

  /// What it printed on stdout and stderr since the last call of this function; capped.
  std::string take_output();

 private:
  void start(const Setup& setup);
  void wait_for_opening(sandbox::Opening& opening, sandbox::Level level);
  bool holds_too_much() const;
  bool has_ended() const;  ///< the runner is no more, but for its wait status
  void wait_for_box() const;
  int end();  ///< kills and reaps it and everything it left; its wait status
  Ending finish(std::optional<Ending::Kind> because);
  Reply wait_for_answer(std::uint64_t nonce, const Patience& patience);

  std::size_t watched_bytes_ =
      0;  ///< what it may hold where its address space is open; 0: not watched
  std::unique_ptr<sandbox::ControlGroup> group_;
  pid_t pid_ = -1;     ///< the process started: the runner, or the box around it
  pid_t runner_ = -1;  ///< the runner, as seen from here
  bool has_box_around_ = false;
  process::Descriptor runner_fd_;  ///< of a runner in a box around it: ready when it has ended
  process::Descriptor socket_;
  process::Printed printed_;  ///< its stdout and stderr
};

}  // namespace nibble::judge
