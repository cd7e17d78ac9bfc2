// A function with host code of CUDA as its checks see it: how a case becomes the arguments of
// a call, and how its answer is looked at. A case is as for kernel_exercise.hpp.
//
//     const auto copying = host_exercise<&copy_through_device>(
//         [](const Named<Values>& c) { return std::tuple(c.x, out(c.x.size())); },
//         [](Expect& expect, const Values& c, const auto& answer) {
//           if (succeeded(answer, 0, expect)) expect.equal("y", answer.output(), c.x);
//         });
//
//     TEST(copy_through_device, EverySize) { copying.is_right(values({0, 1, 65})); }
//     TEST(copy_through_device, RunsClean) { copying.runs_clean(values({0, 7})); }
//     TEST(copy_through_device, EveryErrorComesBack) { copying.returns_every_error(values({5})); }
#pragma once

#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include "judge/host_code.hpp"
#include "judge/kernel_exercise.hpp"

namespace nibble::judge {

/// Asked so often, two streams have met in each of the four orders. And where a value is wrong it
/// may be what lay there before: a few bytes of that look like any answer, but not every time.
inline constexpr int kTimesAsked = 4;

template <auto F, class Case, class Arguments>
class HostExercise {
 public:
  using Answer = decltype(std::apply([](const auto&... each) { return asked<F>(each...); },
                                     std::declval<Arguments>()));
  using Look = std::function<void(Expect&, const Case&, const Answer&)>;

  /// As host_exercise() says.
  HostExercise(std::function<Arguments(const Case&)> arguments, Look look)
      : arguments_(std::move(arguments)), look_(std::move(look)) {}

  void is_right(const std::vector<Case>& cases) const {
    look_often(cases, look_, [](const auto&... each) { return asked<F>(each...); });
  }

  /// The same where every access is looked at. `more`: what else to look at.
  void runs_clean(const std::vector<Case>& cases, const Look& more = {}) const {
    const Look both = [&](Expect& expect, const Case& c, const Answer& answer) {
      look_(expect, c, answer);
      if (more) more(expect, c, answer);
    };
    look_often(cases, both, [](const auto&... each) { return watched_host<F>(each...); });
  }

  void returns_error(int error, const std::vector<Case>& cases) const {
    each_case(cases, [&](const Case& c, Expect& expect) {
      const auto ask = [](const auto&... each) { return watched_host<F>(each...); };
      expect.equal("the error", std::apply(ask, arguments_(c)).error, error);
    });
  }

  void returns_every_error(const std::vector<Case>& cases) const {
    each_case(cases, [this](const Case& c, Expect& expect) {
      std::apply([&](const auto&... each) { every_error_comes_back<F>(expect, each...); },
                 arguments_(c));
    });
  }

 private:
  template <class Ask>
  void look_often(const std::vector<Case>& cases, const Look& look, const Ask& ask) const {
    each_case(cases, [&](const Case& c, Expect& expect) {
      const Arguments arguments = arguments_(c);
      for (int i = 0; i < kTimesAsked && !expect.failure(); ++i) {
        look(expect, c, std::apply(ask, arguments));
      }
    });
  }

  std::function<Arguments(const Case&)> arguments_;
  Look look_;
};

/// arguments(case): what F is called with, out(n) for what it fills. look(expect, case, answer).
template <auto F, class Arguments, class Look>
auto host_exercise(const Arguments& arguments, const Look& look) {
  using Case = typename detail::OfOneCase<decltype(+arguments)>::Argument;
  return HostExercise<F, Case, decltype(arguments(std::declval<const Case&>()))>(arguments, look);
}

}  // namespace nibble::judge
