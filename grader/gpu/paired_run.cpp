// Two contestants with inputs of their own, filled, poisoned, timed
// and compared pair by pair on one stream.
#include "gpu/paired_run.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "gpu/cubin.hpp"
#include "gpu/kit_kernels.hpp"
#include "gpu/launch_limits.hpp"

namespace nibble::gpu {
namespace {

using Bytes = std::span<const std::byte>;

std::size_t whole_words(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

std::uint64_t seed_of(std::uint64_t seed, std::uint64_t pair, std::uint64_t side,
                      std::uint64_t parameter) {
  return seed + 0x9E37'79B9'7F4A'7C15 * (64 * pair + 16 * side + parameter + 1);
}

void clear(const Gpu& gpu, const Memory& memory, const Stream& stream) {
  check(gpu.driver(),
        gpu.driver().cuMemsetD8Async(memory.address(), 0, memory.bytes(), stream.handle()),
        "clearing memory");
}

/// One of the two implementations, as it is in this process.
class Contestant {
 public:
  Contestant(const Gpu& gpu, Bytes image, const KernelProblem& problem)
      : gpu_(gpu), image_(image), name_(problem.kernel) {
    const Cubin cubin = read_cubin(image);
    const CubinKernel* const kernel = cubin.find(name_);
    if (kernel == nullptr || !kernel->launch) {
      throw std::runtime_error("the file has no kernel " + name_ + " with a launch descriptor");
    }
    const std::string trouble = launch_trouble(name_, *kernel->launch, gpu.facts().sm);
    if (!trouble.empty()) throw std::runtime_error(trouble);
    const Grid grid = grid_of(name_, *kernel->launch, problem.work);
    shape_ = {grid.x, grid.y, kernel->launch->block_x, kernel->launch->block_y,
              kernel->launch->shared_bytes};
    load();
  }

  /// A fresh copy of the code and of its variables. Nothing of it may be running.
  void load() {
    module_.emplace(gpu_, image_);
    function_ = module_->function(name_);
  }

  void start(std::vector<void*> arguments, const Stream& stream) const {
    launch(gpu_, function_, shape_, arguments.data(), stream.handle());
  }

 private:
  const Gpu& gpu_;
  Bytes image_;
  std::string name_;
  Shape shape_;
  std::optional<Module> module_;
  FunctionHandle function_ = nullptr;
};

/// Memory for every parameter; of outputs there are three: each side's, and the right one.
class Arguments {
 public:
  enum Set : std::size_t { kReference, kLearner, kExpected, kSets };

  Arguments(const Gpu& gpu, const KernelProblem& problem, const KitKernels& kit,
            const Stream& stream)
      : gpu_(gpu), kit_(kit), stream_(stream), parameters_(problem.parameters) {
    for (const Parameter& parameter : parameters_) {
      const std::size_t copies = copies_of(parameter.kind);
      auto& memories = memories_.emplace_back();
      for (std::size_t i = 0; i < copies; ++i) {
        memories.push_back(std::make_unique<Memory>(gpu, whole_words(parameter.bytes)));
      }
      auto& addresses = addresses_.emplace_back();
      for (std::size_t i = 0; i < copies; ++i) addresses[i] = memories[i]->address();
    }
  }

  void make_inputs(std::uint64_t seed, std::uint64_t pair, Set side) const {
    each(Parameter::Kind::kInput, [&](std::size_t i) {
      kit_.fill(*memories_[i][0], seed_of(seed, pair, side, i), parameters_[i].fill);
    });
  }

  void poison(std::uint64_t seed, std::uint64_t pair, Set set) const {
    each(Parameter::Kind::kOutput, [&](std::size_t i) {
      if (parameters_[i].from_zero) return clear(gpu_, *memories_[i][set], stream_);
      kit_.fill(*memories_[i][set], ~seed_of(seed, pair, set, i), Fill::kBytes);
    });
  }

  void compare(Address wrong) const {
    each(Parameter::Kind::kOutput, [&](std::size_t i) {
      kit_.count_differences(*memories_[i][kExpected], *memories_[i][kLearner],
                             parameters_[i].bytes, parameters_[i].compare, parameters_[i].tolerance,
                             wrong);
    });
  }

  std::vector<void*> list(Set set) {
    std::vector<void*> all;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      switch (parameters_[i].kind) {
        case Parameter::Kind::kScalar:
          all.push_back(parameters_[i].value.data());
          break;
        case Parameter::Kind::kInput:
          all.push_back(&addresses_[i][0]);
          break;
        case Parameter::Kind::kOutput:
          all.push_back(&addresses_[i].at(set));
          break;
      }
    }
    return all;
  }

 private:
  static std::size_t copies_of(Parameter::Kind kind) {
    if (kind == Parameter::Kind::kScalar) return 0;
    return kind == Parameter::Kind::kInput ? std::size_t{1} : std::size_t{kSets};
  }

  template <class Visit>
  void each(Parameter::Kind kind, const Visit& visit) const {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (parameters_[i].kind == kind) visit(i);
    }
  }

  const Gpu& gpu_;
  const KitKernels& kit_;
  const Stream& stream_;
  std::vector<Parameter> parameters_;
  std::vector<std::vector<std::unique_ptr<Memory>>> memories_;
  std::vector<std::array<Address, kSets>> addresses_;
};

/// Two moments, and what lies between.
struct Interval {
  explicit Interval(const Gpu& gpu) : begin(gpu), end(gpu) {}
  double microseconds() const { return end.microseconds_since(begin); }
  Event begin, end;
};

struct PairOfEvents {
  explicit PairOfEvents(const Gpu& gpu) : reference(gpu), learner(gpu) {}
  Interval reference, learner;
};

class Measurement {
 public:
  Measurement(const Gpu& gpu, const KernelProblem& problem, Bytes kit_kernels, Start reference,
              Bytes learner, const PairedOptions& options)
      : gpu_(gpu),
        options_(options),
        stream_(gpu),
        kit_(gpu, kit_kernels, stream_),
        reference_(std::move(reference)),
        learner_(gpu, learner, problem),
        arguments_(gpu, problem, kit_, stream_),
        wrong_(gpu, sizeof(std::uint64_t) * static_cast<std::size_t>(options.pairs)) {}

  PairedRun run() {
    PairedRun result;
    result.event_overhead_us = event_overhead();
    warm_up();
    clear(gpu_, wrong_, stream_);
    std::vector<Memory> stamps;
    for (int i = 0; i < 3; ++i) clear(gpu_, stamps.emplace_back(gpu_, kit_.stamp_bytes()), stream_);
    kit_.stamp(stamps[0]);
    const int half = options_.pairs / 2;
    take(result, 0, half);
    kit_.stamp(stamps[1]);
    take(result, half, options_.pairs);
    kit_.stamp(stamps[2]);
    stream_.synchronize();
    result.first_half_mhz = KitKernels::mhz_between(stamps[0], stamps[1]);
    result.second_half_mhz = KitKernels::mhz_between(stamps[1], stamps[2]);
    note_wrong_pairs(result);
    return result;
  }

 private:
  /// What a pair of events with nothing between them says.
  double event_overhead() {
    std::vector<Interval> empty;
    for (int i = 0; i < 32; ++i) empty.emplace_back(gpu_);
    kit_.flush();  // so that the events wait in a queue, as those of a measurement do
    for (const Interval& one : empty) {
      one.begin.record(stream_);
      one.end.record(stream_);
    }
    stream_.synchronize();
    std::vector<double> times;
    for (const Interval& one : empty) times.push_back(one.microseconds());
    return quantile(times, 0.5);
  }

  void warm_up() {
    double spent = 0;
    do {
      arguments_.make_inputs(options_.seed, kWarmUp, Arguments::kReference);
      const Interval once(gpu_);
      once.begin.record(stream_);
      for (int i = 0; i < 8; ++i) reference_(arguments_.list(Arguments::kReference), stream_);
      once.end.record(stream_);
      stream_.synchronize();
      spent += once.microseconds();
      if (once.microseconds() <= 0) break;  // a clock that stands still never warms up
    } while (spent < options_.warm_up_us);
    arguments_.make_inputs(options_.seed, kWarmUp, Arguments::kLearner);
    learner_.start(arguments_.list(Arguments::kLearner), stream_);
    stream_.synchronize();
  }

  template <class Side>
  void run_side(const Side& start, Arguments::Set side, const Interval& interval,
                std::uint64_t pair) {
    arguments_.make_inputs(options_.seed, pair, side);
    arguments_.poison(options_.seed, pair, side);
    kit_.flush();
    interval.begin.record(stream_);
    start(arguments_.list(side), stream_);
    interval.end.record(stream_);
  }

  void run_pair(const PairOfEvents& events, std::uint64_t pair) {
    const auto start_learner = [&](const std::vector<void*>& arguments, const Stream& stream) {
      learner_.start(arguments, stream);
    };
    const auto ours = [&] { run_side(reference_, Arguments::kReference, events.reference, pair); };
    const auto theirs = [&] { run_side(start_learner, Arguments::kLearner, events.learner, pair); };
    if (pair % 2 == 0) ours();
    theirs();
    if (pair % 2 == 1) ours();
    arguments_.make_inputs(options_.seed, pair, Arguments::kLearner);
    arguments_.poison(options_.seed, pair, Arguments::kExpected);
    reference_(arguments_.list(Arguments::kExpected), stream_);
    arguments_.compare(wrong_.address() + pair * sizeof(std::uint64_t));
  }

  /// Pairs from `begin` to `end`, a few at a time: all of them queued before the host waits.
  void take(PairedRun& result, int begin, int end) {
    for (int at = begin; at < end; at += options_.pairs_per_module) {
      learner_.load();
      const int until = std::min(end, at + options_.pairs_per_module);
      std::vector<PairOfEvents> events;
      for (int pair = at; pair < until; ++pair) events.emplace_back(gpu_);
      for (int pair = at; pair < until; ++pair) {
        run_pair(events[static_cast<std::size_t>(pair - at)], static_cast<std::uint64_t>(pair));
      }
      stream_.synchronize();
      for (const PairOfEvents& one : events) {
        result.pairs.push_back({one.reference.microseconds(), one.learner.microseconds()});
      }
    }
  }

  void note_wrong_pairs(PairedRun& result) const {
    std::vector<std::uint64_t> counts(result.pairs.size());
    wrong_.read(0, std::as_writable_bytes(std::span(counts)));
    for (std::size_t pair = 0; pair < counts.size(); ++pair) {
      if (counts[pair] != 0) result.wrong_pairs.push_back(static_cast<int>(pair));
    }
  }

  static constexpr std::uint64_t kWarmUp = 1'000'000;  ///< a pair that is never measured

  const Gpu& gpu_;
  PairedOptions options_;
  Stream stream_;
  KitKernels kit_;
  Start reference_;
  Contestant learner_;
  Arguments arguments_;
  Memory wrong_;
};

}  // namespace

Parameter Parameter::input(std::size_t bytes, Fill fill) {
  Parameter parameter;
  parameter.kind = Kind::kInput;
  parameter.bytes = bytes;
  parameter.fill = fill;
  return parameter;
}

Parameter Parameter::output(std::size_t bytes, Compare compare, float tolerance) {
  Parameter parameter;
  parameter.kind = Kind::kOutput;
  parameter.bytes = bytes;
  parameter.compare = compare;
  parameter.tolerance = tolerance;
  return parameter;
}

Start start_of(const Gpu& gpu, Bytes cubin, const KernelProblem& problem) {
  return [kernel = std::make_shared<Contestant>(gpu, cubin, problem)](
             const std::vector<void*>& arguments, const Stream& stream) {
    kernel->start(arguments, stream);
  };
}

PairedRun run_pairs(const Gpu& gpu, const KernelProblem& problem, Bytes kit_kernels,
                    Bytes reference, Bytes learner, const PairedOptions& options) {
  return run_pairs(gpu, problem, kit_kernels, start_of(gpu, reference, problem), learner, options);
}

PairedRun run_pairs(const Gpu& gpu, const KernelProblem& problem, Bytes kit_kernels,
                    const Start& reference, Bytes learner, const PairedOptions& options) {
  return Measurement(gpu, problem, kit_kernels, reference, learner, options).run();
}

}  // namespace nibble::gpu
