// Speed, judged so that the weather does not matter: submission and published solution in turn, each
// in a process of its own, on the same fresh data, by the CPU time that the judge reads from outside.
//
//     round     judge                      submission            published solution
//       i       reads its CPU clock
//               lays out fresh inputs  --> computes
//               copies the outputs     <--
//               reads its CPU clock
//               the same, the other side (who is first alternates) --> computes
//               compares the outputs
//
//     ratio = lower quartile of the published solution / lower quartile of the submission
//
// What a submission does between the two readings is counted, on whatever thread; what it does
// before, it does without the data; what it does after comes too late for the copy.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "judge/call.hpp"
#include "judge/kit_error.hpp"
#include "judge/measure.hpp"

namespace nibble::judge {

/// One of the two processes of a measurement: for what a kernel needs beforehand, such as packing.
class Side {
 public:
  explicit Side(Submission& target) : target_(target) {}

  /// Calls F there, untimed.
  template <auto F, class... Arguments>
  auto call(const Arguments&... arguments) {
    return detail::Caller<F>::call(target_, arguments...);
  }

  Submission& target() { return target_; }

 private:
  Submission& target_;
};

namespace detail {

/// What F made of the data of `draw`, and the CPU time that it took.
template <auto F, class Arguments>
class Timed {
 public:
  Timed(Submission& target, Arguments arguments)
      : target_(target), arguments_(std::move(arguments)) {}

  auto run(std::uint64_t draw) {
    const auto values = arguments_(draw);
    const auto before = target_.cpu_time();
    Layout layout(target_);
    if (laid_out_) layout.keep_what_lies();
    std::apply([&](const auto&... each) { Caller<F>::lay_out(layout, each...); }, values);
    laid_out_ = true;
    target_.perform_timed(Exercises::index_of<F>(), layout.sequences());
    auto answer = Caller<F>::read_results(target_, layout.sequences());
    nanoseconds = static_cast<double>((target_.cpu_time() - before).count());
    return answer;
  }

  double nanoseconds = 0.0;  ///< of the last run

 private:
  Submission& target_;
  Arguments arguments_;
  bool laid_out_ = false;
};

}  // namespace detail

/// Times F against the published solution's F and pays what `goal` says for the ratio.
///
/// prepare(Side&) is called once for each process and returns a function that makes the arguments
/// of a round from a seed: fresh data, kept() data, out(). Both sides get the same data.
///
///     speed<&multiply_packed>({.zero_at = 0.3, .full_at = 0.6, .operations = 2e9},
///                             [&](Side& side) {
///       const auto packed = side.call<&pack_b>(b_t, out(packed_size(shape)), shape);
///       return [=](std::uint64_t draw) {
///         return std::tuple(codes(draw), kept(packed), out(m * n), shape);
///       };
///     });
template <auto F, class Prepare>
void speed(const SpeedGoal& goal, const Prepare& prepare) {
  detail::measure_speed(goal, [&](int core) -> detail::RunRound {
    using Arguments = decltype(prepare(std::declval<Side&>()));
    using Sides = std::pair<detail::Timed<F, Arguments>, detail::Timed<F, Arguments>>;
    Side theirs(submission()), ours(published_solution());
    theirs.target().start_afresh(core);
    ours.target().start_afresh(core);
    ours.target().make_ready();  // it has shut itself off before a line of theirs runs
    auto published = detail::as_ours([&] { return prepare(ours); });
    auto submitted = prepare(theirs);
    const auto sides =
        std::make_shared<Sides>(detail::Timed<F, Arguments>(theirs.target(), std::move(submitted)),
                                detail::Timed<F, Arguments>(ours.target(), std::move(published)));
    using Answer = decltype(sides->first.run(0));
    const auto last = std::make_shared<std::optional<Answer>>();  // what was right a round ago
    return [sides, last](std::uint64_t draw, bool submission_first) {
      auto &submission = sides->first, &published = sides->second;
      std::optional<Answer> got, want;
      if (submission_first) got = submission.run(draw);
      want = detail::as_ours([&] { return published.run(draw); });
      if (!submission_first) got = submission.run(draw);
      detail::Round round{submission.nanoseconds, published.nanoseconds};
      if (*got != *want) {
        const bool stale = last->has_value() && *got == **last;
        round.answer = stale ? detail::Round::Answer::kStale : detail::Round::Answer::kDifferent;
      }
      *last = std::move(want);
      return round;
    };
  });
}

}  // namespace nibble::judge
