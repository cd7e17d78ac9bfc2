// The implementation being judged: a child process, restarted whenever it ends, and the two arenas
// its calls go through. One per judge.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/child.hpp"
#include "judge/failure.hpp"
#include "judge/kernel_counts.hpp"
#include "judge/shared_arena.hpp"

namespace nibble::judge {

/// A sequence that a call will find among its inputs or has to write, for poison and messages.
struct Sequence {
  bool output;
  int slot;
  std::size_t count;
  std::size_t element_bytes;
  int argument;  ///< which argument of the call, from 1

  std::size_t bytes() const { return count * element_bytes; }
};

/// What host code has asked the CUDA runtime for.
struct HostWork {
  unsigned calls = 0;             ///< that can fail, launches among them
  unsigned launches = 0;          ///< that ran
  unsigned streams = 0;           ///< that had work waiting at the same time
  unsigned unpinned_copies = 0;   ///< asynchronous ones, from or to memory that is not pinned
  std::uint64_t blocks = 0;       ///< of all launches
  std::uint64_t threads = 0;      ///< in these
  std::uint64_t taken_bytes = 0;  ///< of device memory and of pinned memory, all in all
  int failed_with = 0;        ///< the error of the call that was made to fail; 0: there was none
  std::string failed_name;    ///< "cudaMemcpy"
  std::string refusal;        ///< what was asked for and cannot be had, as a sentence; or empty
  simt::Place refused_at{};   ///< who asked for it
  simt::Place launched_at{};  ///< the last launch
};

/// Which executable of a submission answers. Only a CUDA lab has more than one.
enum class Build { kValues, kWatched, kCounted };

class Submission {
 public:
  struct Options {
    std::string path;  ///< the executable; built from a runner and one source file
    bool sanitized = false;
    std::uint64_t poison_seed = 0;
    Limits limits{};
    bool on_gpu = false;               ///< `path` launches on a GPU
    std::string watched{}, counted{};  ///< of kernels: every access checked; every access counted
    sandbox::Level level = sandbox::Level::kLimits;  ///< what its process is confined to
    std::string groups{};       ///< where a control group for it can be made; empty: nowhere
    bool is_published = false;  ///< the kit's own: neither check nor budget is charged for it
  };

  explicit Submission(Options options);

  /// Before the arguments of a call are laid out: what answers it has arenas that no other process
  /// had.
  void begin_call();

  std::byte* inputs() { return place().inputs().data(); }
  std::byte* outputs() { return place().outputs().data(); }

  /// From now on the calls belong to another check,
  /// which has the whole of Limits::check for itself.
  void begin_check() { waited_ = {}; }

  /// Fills what the child may write with bytes that no answer holds by chance. Called after the
  /// arguments are laid out, before perform().
  void poison(const std::vector<Sequence>& sequences);

  /// Has the child perform exercise number `function` on the inputs. Throws CallFailed when it
  /// gives no answer, refuses, touches what is not its own, or leaves an output unwritten.
  void perform(std::uint32_t function, std::size_t scalar_bytes,
               const std::vector<Sequence>& sequences);

  /// From now on that executable answers. Returns the one that did until now.
  Build use(Build build);

  /// True when there is an executable that checks every access of a kernel.
  bool can_be_watched() const { return !options_.watched.empty(); }

  bool is_on_gpu() const { return options_.on_gpu; }

  /// What the engine counted in the last call.
  KernelCounts counts() const;

  /// From now on that CUDA call of host code fails, from 1; 0: none. Returns the one that did.
  unsigned let_call_fail(unsigned number);

  /// From now on kernels work so far behind the beginning. Returns where they did.
  protocol::Far move_kernels(const protocol::Far& far);
  /// True when blocks of the last call left outputs at their place in the grid to others.
  bool made_others() const;

  /// From now on an output may stay unwritten, for a function that says by its result whether there
  /// is an answer. Returns whether it could until now.
  bool tolerate_unwritten(bool tolerates);
  /// What would have been said about the last call.
  const std::optional<Failure>& unwritten() const { return unwritten_; }

  /// What host code did in the last call, as the engine tells it.
  HostWork host_work() const;

  /// "cuda_host.cu:12"; empty where its executable says nothing of lines.
  std::string line_of(const simt::Place& place) const;

  /// The same for a measurement: no look at what the caller compares anyway, only at the answer.
  /// Throws CallKilled when the process was ended from outside: what it kept is gone,
  /// so the caller begins anew.
  void perform_timed(std::uint32_t function, const std::vector<Sequence>& sequences);

  /// Ends its process; the next call starts another, on that core of the machine.
  void start_afresh(int core);

  /// Starts the process and waits until it serves; false when it does not.
  bool wake();

  /// CPU time that its process has used so far; starts it, when there is none.
  std::chrono::nanoseconds cpu_time() { return child().cpu_time(); }

  /// The scalars of the answer, copied once: what is checked is what is used.
  std::vector<std::byte> copy_scalars() const;

  /// What the submission printed since the last call of this function.
  std::string take_output();

 private:
  /// A process and its arenas, which end with it: memory that outlived one would tell the next what
  /// it had seen.
  class Place {
   public:
    Place() { renew(); }
    const SharedArena& inputs() const { return *inputs_; }
    const SharedArena& outputs() const { return *outputs_; }

    /// Other arenas, unless those that are here wait for their first process, or have one.
    void prepare();
    /// The arenas that a process had, for what has to be laid out again.
    std::unique_ptr<SharedArena> renew();
    void start(const Child::Setup& setup);

    std::unique_ptr<Child> child;

   private:
    std::unique_ptr<SharedArena> inputs_, outputs_;
    bool taken_ = false;  ///< a process has, or had, the arenas
  };

  Place& place() { return places_[static_cast<std::size_t>(build_)]; }
  const Place& place() const { return places_[static_cast<std::size_t>(build_)]; }
  Child& child();
  void lay_out_again(std::size_t scalar_bytes, const std::vector<Sequence>& sequences);
  const std::string& executable() const;
  bool is_slow_build() const { return build_ != Build::kValues && !options_.is_published; }
  bool runs_kernels() const { return can_be_watched() || !options_.counted.empty(); }
  std::uint32_t kernel_mode() const;
  void must_be_without_findings() const;
  void spread_poison(const std::vector<Sequence>& sequences);
  Child::Reply ask(std::uint32_t function);
  Patience patience() const;
  void charge(std::chrono::nanoseconds waited);
  void must_have_returned(const Child::Reply& reply, const std::vector<Sequence>& sequences) const;
  void keep_output();
  void must_be_untouched(const std::vector<Sequence>& sequences) const;
  void must_be_written(const std::vector<Sequence>& sequences) const;
  std::uint64_t hash_inputs(std::size_t scalar_bytes, const std::vector<Sequence>& sequences) const;
  std::byte poison_at(std::size_t offset) const;

  Options options_;
  std::array<Place, 3> places_;  ///< by Build
  Build build_ = Build::kValues;
  unsigned failing_call_ = 0;
  protocol::Far far_;
  bool tolerates_unwritten_ = false;
  std::optional<Failure> unwritten_;
  int core_ = -1;
  std::string output_;
  std::uint64_t calls_ = 0;
  std::chrono::nanoseconds waited_{0};  ///< for answers, in this check
};

/// The submission that this judge was started for.
Submission& submission();
bool has_submission();
void set_submission(Submission::Options options);

/// The published solution, for the submission to be timed against.
Submission& published_solution();
void set_published_solution(Submission::Options options);

}  // namespace nibble::judge
