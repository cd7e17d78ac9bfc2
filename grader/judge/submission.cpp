// One call: place the arguments, poison the outputs, ask the
// child, and put into words whatever went wrong.
#include "judge/submission.hpp"

#include <signal.h>

#include <cstring>
#include <string_view>
#include <utility>

#include "judge/budget.hpp"
#include "judge/failure.hpp"
#include "judge/kernel_report.hpp"
#include "judge/kit_error.hpp"
#include "judge/mix.hpp"
#include "judge/record.hpp"
#include "nibble/simt/session.hpp"
#include "process/ending.hpp"
#include "protocol/arena.hpp"
#include "protocol/message.hpp"
#include "text/harmless.hpp"

namespace nibble::judge {
namespace {

using protocol::Answer;
using protocol::CrashNote;
using protocol::slot_begin;
using protocol::slot_end;
using std::chrono::steady_clock;

/// So many bytes equal to the poison are no coincidence: 2^-64.
constexpr std::size_t kSurelyUnwritten = 8;

/// Poisoned bytes before an output; an underrun lands there (an overrun hits a guard page).
constexpr std::size_t kZoneBytes = 4096;

std::size_t zone_begin(const Sequence& s) {
  const std::size_t begin = slot_end(s.slot) - s.bytes();
  return std::max(slot_begin(s.slot), begin - std::min(begin, kZoneBytes));
}

[[noreturn]] void fail(CheckStatus status, std::string code, std::string message) {
  throw CallFailed({status, std::move(code), std::move(message), {}, {}, {}, {}});
}

std::string describe(const Sequence& s) {
  return (s.output ? "the output (argument " : "argument ") + std::to_string(s.argument) +
         (s.output ? ")" : "") + ", which has " + std::to_string(s.count) +
         (s.count == 1 ? " element" : " elements");
}

std::string not_written_from(std::size_t first) {
  return first == 0 ? "nothing of " : "nothing from element " + std::to_string(first) + " on of ";
}

std::string_view signal_name(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "signal 11: touched memory that is not its own";
    case SIGBUS:
      return "signal 7: touched memory that is not there";
    case SIGFPE:
      return "signal 8: integer division by zero or overflow";
    case SIGILL:
      return "signal 4: an instruction this machine does not have";
    case SIGABRT:
      return "signal 6: a check of the standard library failed, or abort() was called";
    case SIGKILL:
      return "signal 9: killed";
    default:
      return "";
  }
}

std::string signal_text(int signal) {
  const std::string_view known = signal_name(signal);
  return known.empty() ? "signal " + std::to_string(signal) : std::string(known);
}

/// That is nobody's mistake, so it is asked once more.
bool was_killed(const Child::Reply& reply) {
  return !reply.answer && reply.ending.kind == Ending::Kind::kSignal &&
         process::is_from_outside(reply.ending.detail);
}

/// Puts the runner's note into words: which argument, and by how much it was missed.
Failure describe_crash(int signal, const CrashNote& note, const std::vector<Sequence>& sequences) {
  Failure failure{CheckStatus::kCrash, "N-CRASH", signal_text(signal), {}, {}, {}, {}};
  if (note.magic != CrashNote::kMagic) return failure;
  if (note.place == CrashNote::kStack) {
    failure.message = "ran out of stack: a very large local array, or a function that calls itself";
  }
  for (const Sequence& s : sequences) {
    const bool its_arena = note.place == (s.output ? CrashNote::kOutput : CrashNote::kInput);
    if (!its_arena || note.offset < slot_begin(s.slot) ||
        note.offset >= slot_end(s.slot) + protocol::kGuardBytes) {
      continue;
    }
    const std::string verb = note.was_write == 1 ? "wrote " : "read ";
    if (note.offset >= slot_end(s.slot)) {
      const std::size_t past = (note.offset - slot_end(s.slot)) / s.element_bytes;
      failure.code = "N-OOB";
      failure.message = verb + "element " + std::to_string(s.count + past) + " of " + describe(s);
    } else if (!s.output && note.was_write == 1) {
      failure.code = "N-INPUT";
      failure.message = "wrote to " + describe(s) + ": inputs are read-only";
    }
  }
  return failure;
}

/// Of what reads an executable. A static box has no paths, and reading needs some.
sandbox::ToolBox readers_box(const Submission::Options& options, const std::string& executable) {
  using sandbox::Level;
  if (options.level == Level::kLimits) return {};
  static const sandbox::Tools tools = sandbox::tools_beside_this_program();
  const Level level = options.level == Level::kStatic ? Level::kLandlock : options.level;
  return {level, tools, {executable}, {}, false, options.groups};
}

}  // namespace

Submission::Submission(Options options) : options_(std::move(options)) {}

Build Submission::use(Build build) { return std::exchange(build_, build); }

const std::string& Submission::executable() const {
  const std::string& path = build_ == Build::kWatched   ? options_.watched
                            : build_ == Build::kCounted ? options_.counted
                                                        : options_.path;
  if (path.empty()) throw KitError("the judge was given no executable of this kind");
  return path;
}

std::unique_ptr<SharedArena> Submission::Place::renew() {
  auto before = std::exchange(inputs_, std::make_unique<SharedArena>(SharedArena::Use::kInputs));
  outputs_ = std::make_unique<SharedArena>(SharedArena::Use::kOutputs);
  taken_ = false;
  return before;
}

void Submission::Place::prepare() {
  if (taken_ && (child == nullptr || !child->alive())) renew();
}

void Submission::Place::start(const Child::Setup& setup) {
  taken_ = true;
  child = std::make_unique<Child>(setup);
}

void Submission::begin_call() { place().prepare(); }

Child& Submission::child() {
  Place& here = place();
  if (here.child == nullptr || !here.child->alive()) {
    keep_output();
    here.prepare();
    here.start({executable(), here.inputs().fd(), here.outputs().fd(), options_.sanitized,
                options_.on_gpu, options_.limits, core_, options_.level, options_.groups});
  }
  return *here.child;
}

/// For another process, because the one that had the arguments was killed.
void Submission::lay_out_again(std::size_t scalar_bytes, const std::vector<Sequence>& sequences) {
  const auto before = place().renew();
  const auto copy = [&](std::size_t begin, std::size_t end) {
    std::memcpy(inputs() + begin, before->data() + begin, end - begin);
  };
  copy(0, scalar_bytes);
  for (const Sequence& s : sequences) {
    if (!s.output) copy(slot_end(s.slot) - s.bytes(), slot_end(s.slot));
  }
  spread_poison(sequences);
}

void Submission::start_afresh(int core) {
  keep_output();
  for (Place& place : places_) place.child.reset();
  core_ = core;
}

bool Submission::wake() {
  const auto start = steady_clock::now();
  const Child::Reply reply = child().ask(protocol::kAreYouThere, patience());
  charge(steady_clock::now() - start);
  return reply.answer.has_value();
}

/// Bounded as a whole: a submission that crashes often has many children, each of which may print.
void Submission::keep_output() {
  for (const Place& place : places_) {
    if (place.child == nullptr) continue;
    const std::string more = place.child->take_output();
    output_.append(more, 0, kKeptOutput - std::min(kKeptOutput, output_.size()));
  }
}

std::string Submission::take_output() {
  keep_output();
  return std::exchange(output_, {});
}

std::byte Submission::poison_at(std::size_t offset) const {
  return static_cast<std::byte>(mix(options_.poison_seed ^ calls_, offset) >> 56);
}

void Submission::poison(const std::vector<Sequence>& sequences) {
  ++calls_;
  unwritten_.reset();
  spread_poison(sequences);
}

void Submission::spread_poison(const std::vector<Sequence>& sequences) {
  for (std::size_t i = 0; i < protocol::kScalarBytes; ++i) outputs()[i] = poison_at(i);
  std::memset(outputs() + protocol::kNoteOffset, 0, sizeof(CrashNote));
  if (runs_kernels()) std::memset(outputs() + protocol::kReportOffset, 0, protocol::kReportBytes);
  for (const Sequence& s : sequences) {
    if (!s.output) continue;
    for (std::size_t i = zone_begin(s); i < slot_end(s.slot); ++i) outputs()[i] = poison_at(i);
  }
}

void Submission::perform(std::uint32_t function, std::size_t scalar_bytes,
                         const std::vector<Sequence>& sequences) {
  const std::uint64_t before = hash_inputs(scalar_bytes, sequences);
  Child::Reply reply = ask(function);
  if (was_killed(reply)) {
    lay_out_again(scalar_bytes, sequences);
    reply = ask(function);
  }
  must_have_returned(reply, sequences);
  if (hash_inputs(scalar_bytes, sequences) != before) {
    fail(CheckStatus::kRule, "N-INPUT", "changed its inputs");
  }
  must_be_untouched(sequences);
  try {
    must_be_written(sequences);
  } catch (const CallFailed& failed) {
    if (!tolerates_unwritten_) throw;
    unwritten_ = failed.failure;
  }
}

void Submission::perform_timed(std::uint32_t function, const std::vector<Sequence>& sequences) {
  const Child::Reply reply = ask(function);
  try {
    must_have_returned(reply, sequences);
  } catch (const CallFailed& failed) {
    if (was_killed(reply)) throw CallKilled(failed.failure);
    throw;
  }
}

Patience Submission::patience() const {
  const Limits& limits = options_.limits;
  if (options_.is_published) return {limits.cpu, limits.wall};
  // The sanitizers look at every access of a right solution, too:
  // one by a library takes 2 s with them.
  const int times = options_.sanitized ? 3 : 1;
  return {limits.cpu * times, limits.wall, budget_ends()};
}

void Submission::charge(std::chrono::nanoseconds waited) {
  if (options_.is_published) return give_back(waited);
  waited_ += waited;
  note_waited(waited);
}

Child::Reply Submission::ask(std::uint32_t function) {
  if (!options_.is_published && budget_is_used_up()) throw CallFailed(used_up());
  if (!options_.is_published && waited_ >= options_.limits.check) {
    fail(CheckStatus::kTimeout, "N-TIME",
         "the calls of this check took longer than " +
             std::to_string(options_.limits.check.count() / 1000) + " s together");
  }
  if (is_slow_build() && slow_watching() >= 2) {
    fail(CheckStatus::kTimeout, "N-TIME",
         "not run: two checks of this exercise in which every access is looked at did not come to "
         "an end, and this one is taken to fail for the same reason");
  }
  const auto start = steady_clock::now();
  const Patience patience = this->patience();
  Child::Reply reply = child().ask(function, patience, kernel_mode(), far_);
  if (reply.answer) {
    const Child::Reply presence = child().ask(protocol::kAreYouThere, patience);
    if (!presence.answer) reply = presence;
  }
  charge(steady_clock::now() - start);
  using enum Ending::Kind;
  const bool too_long = reply.ending.kind == kCpuTime || reply.ending.kind == kWallTime;
  if (!reply.answer && too_long && is_slow_build()) note_slow_watching();
  return reply;
}

void Submission::must_have_returned(const Child::Reply& reply,
                                    const std::vector<Sequence>& sequences) const {
  if (runs_kernels()) must_be_without_findings();  // it explains what follows from it
  if (!reply.answer) {
    const Ending ending = reply.ending;
    CrashNote note{};
    std::memcpy(&note, place().outputs().data() + protocol::kNoteOffset, sizeof note);
    switch (ending.kind) {
      case Ending::Kind::kProtocol:
        fail(CheckStatus::kRule, "N-PROTOCOL", "wrote to the judge's socket, or closed it");
      case Ending::Kind::kMemory:
        fail(CheckStatus::kCrash, "N-MEMORY",
             "took more than the " + std::to_string(options_.limits.memory_bytes >> 20) +
                 " MiB of memory it may use");
      case Ending::Kind::kCpuTime:
        fail(CheckStatus::kTimeout, "N-TIME",
             "stopped after " + std::to_string(patience().cpu.count()) + " ms of CPU time");
      case Ending::Kind::kWallTime:
        fail(CheckStatus::kTimeout, "N-TIME",
             "stopped after " + std::to_string(ending.detail) +
                 " s without an answer: it waits for something that never comes");
      case Ending::Kind::kPatience:
        throw CallFailed(used_up());
      case Ending::Kind::kSignal:
        throw CallFailed(describe_crash(ending.detail, note, sequences));
      case Ending::Kind::kExit:
        fail(CheckStatus::kCrash, "N-EXIT",
             "ended by itself, with exit status " + std::to_string(ending.detail) +
                 ": a function returns, it does not end the program");
    }
  }
  const Answer& answer = *reply.answer;
  const std::string text = text::harmless({answer.text, strnlen(answer.text, sizeof answer.text)});
  switch (answer.status) {
    case protocol::Status::kReturned:
      break;
    case protocol::Status::kNotImplemented:
      fail(CheckStatus::kFail, "N-STUB", "this function is not written yet");
    case protocol::Status::kInvalidArgument:
      fail(CheckStatus::kFail, "N-REFUSED", "refused an input that the contract allows: " + text);
    case protocol::Status::kOutOfMemory:
      fail(CheckStatus::kCrash, "N-MEMORY",
           "asked for more than the " + std::to_string(options_.limits.memory_bytes >> 20) +
               " MiB of memory it may use");
    case protocol::Status::kLaunchRefused:
      fail(CheckStatus::kFail, "N-LAUNCH", text);
    case protocol::Status::kOtherException:
      fail(CheckStatus::kFail, "N-THROW", "threw an exception: " + text);
    case protocol::Status::kResultTooLarge:
      fail(CheckStatus::kFail, "N-SIZE", "returned more elements than any answer has");
    default:
      fail(CheckStatus::kRule, "N-PROTOCOL", "answered in words the judge does not know");
  }
}

/// Values are asked for in an order of threads that nobody can rely on, another one every time;
/// what is told or counted, always in the same.
std::uint32_t Submission::kernel_mode() const {
  if (!runs_kernels()) return 0;
  protocol::KernelMode mode;
  mode.counters = build_ == Build::kCounted;
  if (build_ == Build::kValues) {
    mode.schedule = static_cast<std::uint32_t>(simt::Schedule::kShuffled);
    // Two streams that nothing orders meet in each of four orders, in any four calls.
    const auto random = static_cast<std::uint32_t>(mix(options_.poison_seed, calls_) >> 48);
    mode.seed = (random & ~3u) | (calls_ & 3);
  }
  mode.failing_call = failing_call_;
  return mode.pack();
}

void Submission::must_be_without_findings() const {
  const std::optional<simt::Report> report = read_report(place().outputs().data());
  if (!report) return;  // it ended before its engine could say anything
  const auto failure = failure_of(*report, executable(), readers_box(options_, executable()));
  if (!failure) return;
  if (failure->code == "N-TIME" && is_slow_build()) note_slow_watching();
  throw CallFailed(*failure);
}

KernelCounts Submission::counts() const {
  const std::optional<simt::Report> report = read_report(place().outputs().data());
  if (!report) fail(CheckStatus::kRule, "N-PROTOCOL", "the engine's counts are missing");
  if (report->traffic == 0) {
    fail(CheckStatus::kFail, "N-UNWRITTEN",
         "the kernels touch no memory: there is nothing to count");
  }
  if (report->more_traffic > 0) {
    fail(CheckStatus::kFail, "N-REQUESTS",
         "the kernels touch memory at more than " + std::to_string(simt::Report::kTraffic) +
             " places of the code, which is more than can be counted: use loops");
  }
  KernelCounts counts{report->totals, {}, {}};
  std::vector<simt::Place> places;
  for (std::uint32_t i = 0; i < report->traffic; ++i) {
    counts.traffic.push_back(report->traffics[i]);
    places.push_back(report->traffics[i].place);
  }
  counts.lines = [program = executable(), places, box = readers_box(options_, executable())] {
    return lines_of(program, places, box);
  };
  return counts;
}

unsigned Submission::let_call_fail(unsigned number) { return std::exchange(failing_call_, number); }

protocol::Far Submission::move_kernels(const protocol::Far& far) {
  return std::exchange(far_, far);
}

bool Submission::made_others() const {
  const std::optional<simt::Report> report = read_report(place().outputs().data());
  return report && report->elsewhere > 0;
}

bool Submission::tolerate_unwritten(bool tolerates) {
  return std::exchange(tolerates_unwritten_, tolerates);
}

HostWork Submission::host_work() const {
  const std::optional<simt::Report> report = read_report(place().outputs().data());
  if (!report) fail(CheckStatus::kRule, "N-PROTOCOL", "the engine's report is missing");
  return {report->calls,         static_cast<unsigned>(report->totals.launches),
          report->busy_streams,  report->unpinned_copies,
          report->totals.blocks, report->totals.threads,
          report->taken_bytes,   static_cast<int>(report->failed_with),
          report->failed_name,   report->refusal,
          report->refused_at,    report->launched_at};
}

std::string Submission::line_of(const simt::Place& place) const {
  return lines_of(executable(), std::span(&place, 1), readers_box(options_, executable())).front();
}

void Submission::must_be_untouched(const std::vector<Sequence>& sequences) const {
  for (const Sequence& s : sequences) {
    if (!s.output) continue;
    const std::size_t begin = slot_end(s.slot) - s.bytes();
    for (std::size_t i = zone_begin(s); i < begin; ++i) {
      if (place().outputs().data()[i] == poison_at(i)) continue;
      fail(CheckStatus::kCrash, "N-OOB", "wrote before the first element of " + describe(s));
    }
  }
}

void Submission::must_be_written(const std::vector<Sequence>& sequences) const {
  for (const Sequence& s : sequences) {
    if (!s.output) continue;
    const std::size_t begin = slot_end(s.slot) - s.bytes();
    const auto is_untouched = [&](std::size_t i) {
      return place().outputs().data()[i] == poison_at(i);
    };
    std::size_t untouched = 0;
    for (std::size_t i = begin; i < slot_end(s.slot); ++i) {
      untouched = is_untouched(i) ? untouched + 1 : 0;
      if (untouched < kSurelyUnwritten) continue;
      const std::size_t first = (i + 1 - untouched - begin) / s.element_bytes;
      std::size_t end = i;
      while (end < slot_end(s.slot) && is_untouched(end)) ++end;
      const bool is_all_of_several = end == slot_end(s.slot) && first + 1 < s.count;
      const std::string text =
          is_all_of_several
              ? not_written_from(first) + describe(s) + ", was written"
              : "element " + std::to_string(first) + " of " + describe(s) + ", was never written";
      constexpr const char* before = "what was there before";
      throw CallFailed({CheckStatus::kFail, "N-UNWRITTEN", text, {first}, before, "", ""});
    }
  }
}

std::uint64_t Submission::hash_inputs(std::size_t scalar_bytes,
                                      const std::vector<Sequence>& sequences) const {
  std::uint64_t hash = 0;
  const auto add = [&](std::size_t begin, std::size_t end) {
    std::uint64_t word = 0;
    for (std::size_t i = begin; i < end; i += sizeof word) {
      std::memcpy(&word, place().inputs().data() + i, std::min(sizeof word, end - i));
      hash = mix(hash, word);
    }
  };
  add(0, scalar_bytes);
  for (const Sequence& s : sequences) {
    if (!s.output) add(slot_end(s.slot) - s.bytes(), slot_end(s.slot));
  }
  return hash;
}

std::vector<std::byte> Submission::copy_scalars() const {
  return {place().outputs().data(), place().outputs().data() + protocol::kScalarBytes};
}

namespace {
std::unique_ptr<Submission>& current() {
  static std::unique_ptr<Submission> one;
  return one;
}
std::unique_ptr<Submission>& published() {
  static std::unique_ptr<Submission> one;
  return one;
}
}  // namespace

Submission& submission() {
  if (current() == nullptr) throw KitError("no submission was given to the judge");
  return *current();
}

bool has_submission() { return current() != nullptr; }

void set_submission(Submission::Options options) {
  current() = std::make_unique<Submission>(std::move(options));
}

Submission& published_solution() {
  if (published() == nullptr) throw KitError("no published solution was given to the judge");
  return *published();
}

void set_published_solution(Submission::Options options) {
  options.is_published = true;
  published() = std::make_unique<Submission>(std::move(options));
}

}  // namespace nibble::judge
