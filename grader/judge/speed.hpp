// Speed, judged so that the weather does not matter: submission and published solution in turn,
// each in a process of its own, on the same fresh data,
// by the CPU time that the judge reads from outside.
//
//     round     judge                      submission            published solution
//       i       draws data
//               reads its CPU clock
//               lays out the data      --> computes
//               copies the outputs     <--
//               reads its CPU clock
//               the same, the other side (who is first alternates) --> computes
//               compares the outputs
//
//     ratio = lower quartile of the published solution / lower quartile of the submission,
//             unless the calls that those leave out tell of another one: measure.hpp
//
// What a submission does between the two readings is counted, on whatever thread; what it does
// before, it does without the data; what it does after comes too late for the copy.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "judge/call.hpp"
#include "judge/fresh_data.hpp"
#include "judge/kit_error.hpp"
#include "judge/measure.hpp"

namespace nibble::judge {

namespace detail {

/// What F makes of a round's arguments in one process, and the CPU time that it takes.
template <auto F>
class Timed {
 public:
  explicit Timed(Submission& target) : target_(target) {}

  template <class Arguments>
  auto run(const Arguments& arguments) {
    const auto before = target_.cpu_time();
    Layout layout(target_);
    if (laid_out_) layout.keep_what_lies();
    std::apply([&](const auto&... each) { Caller<F>::lay_out(layout, each...); }, arguments);
    laid_out_ = true;
    target_.perform_timed(Exercises::index_of<F>(), layout.sequences());
    auto answer = Caller<F>::read_results(target_, layout.sequences());
    nanoseconds = static_cast<double>((target_.cpu_time() - before).count());
    return answer;
  }

  double nanoseconds = 0.0;  ///< of the last run

 private:
  Submission& target_;
  bool laid_out_ = false;
};

/// Both processes of a session, which begin afresh with it.
template <auto F, class Arguments>
class Session {
 public:
  Session(int core, const Arguments& arguments) : arguments_(arguments) {
    submission().start_afresh(core);
    published_solution().start_afresh(core);
    // It has shut itself off before a line of theirs runs. And no start is counted; a submission
    // that does not start is told so by its first call.
    if (!published_solution().wake()) throw KitError("the published solution does not serve");
    submission().wake();
  }

  Round run(bool submission_first) {
    FreshData fresh;
    const auto arguments = arguments_(fresh);
    std::optional<Answer> got, want;
    if (submission_first) got = submitted_.run(arguments);
    want = as_ours([&] { return published_.run(arguments); });
    if (!submission_first) got = submitted_.run(arguments);
    Round round{submitted_.nanoseconds, published_.nanoseconds};
    if (*got != *want) {
      const bool stale = last_.has_value() && *got == *last_;
      round.answer = stale ? Round::Answer::kStale : Round::Answer::kDifferent;
    }
    last_ = std::move(want);
    return round;
  }

 private:
  using Drawn = decltype(std::declval<const Arguments&>()(std::declval<FreshData&>()));
  using Answer = decltype(std::declval<Timed<F>&>().run(std::declval<const Drawn&>()));

  const Arguments& arguments_;
  Timed<F> submitted_{submission()}, published_{published_solution()};
  std::optional<Answer> last_;  // what was right a round ago
};

}  // namespace detail

/// So many elements of what is kept become others in a round: to find them is to read all of it.
inline constexpr int kChanges = 64;

/// `values`, some of which `draw_one()` has drawn anew.
template <class Values, class DrawOne>
Kept<Values> kept_but_some(Values& values, FreshData& fresh, const DrawOne& draw_one) {
  std::vector<std::size_t> changed;
  for (int i = 0; i < kChanges; ++i) {
    changed.push_back(fresh.below(values.size()));
    values[changed.back()] = draw_one();
  }
  return kept(values, std::move(changed));
}

/// Times F against the published solution's F and pays what `goal` says for the ratio.
///
/// `arguments` makes the arguments of one round from fresh data: other ones every time, or else
/// what was made of them in one call serves in the next. out() is filled; kept() is for what is too
/// large to cross in every round, of which a part changes.
///
///     speed<&multiply_packed>({.zero_at = 0.3, .full_at = 0.6, .operations = 2e9},
///                             [&](FreshData& fresh) {
///       return std::tuple(fresh.codes<std::int8_t>(m * k, -128, 127), packed(fresh), out(m * n),
///                         shape);
///     });
template <auto F, class Arguments>
void speed(const SpeedGoal& goal, const Arguments& arguments) {
  detail::measure_speed(goal, [&](int core) -> detail::RunRound {
    const auto session = std::make_shared<detail::Session<F, Arguments>>(core, arguments);
    return [session](bool submission_first) { return session->run(submission_first); };
  });
}

}  // namespace nibble::judge
