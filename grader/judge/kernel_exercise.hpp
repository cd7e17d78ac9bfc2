// A kernel as its checks see it: how a case becomes the arguments of a call, and what is right. The
// case is a struct of the lab's, with a `name`, and `show` and `smaller` beside it (cases.hpp).
//
//     const auto negating = kernel_exercise<&negate>(
//         [](const Tensor& c) { return std::tuple(c.x, out(c.x.size())); },
//         [](const Tensor& c) { return negated(c.x); },
//         [](Expect& expect, const Tensor&, const Codes& got, const Codes& right) {
//           expect.equal("y", got, right);
//         });
//
//     TEST(negate, EveryShape) { negating.is_right(random_tensors(seed)); }
//     TEST(negate, Refuses) { negating.refuses({kTwo}, {{"N-SIZE", "2 for 3", {x, out(3)}}}); }
//     TEST(negate, RunsClean) { negating.runs_clean(random_tensors(seed)); }
//     TEST(negate, MovesNoMore) { negating.at_most(kGlobalBytes, 1.1, random_tensors(counted_seed)); }
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "judge/cases.hpp"
#include "judge/kernels.hpp"

namespace nibble::judge {

/// A case that is not made smaller when it fails: it was worked out by hand, or its size is the
/// reason. What is counted depends on sizes alone: `show_size` beside the case says them.
template <class Case>
struct AsItStands {
  std::string name;
  const Case& of;
  bool shows_size = false;
  const char* where = "";  ///< behind the size: what else is to be known of the input
};
template <class Case>
std::string show(const AsItStands<Case>& c) {
  if (!c.shows_size) return show(c.of);
  if constexpr (requires { show_size(c.of); }) return show_size(c.of) + c.where;
  return c.where;
}

/// call<F>, of arguments in a tuple.
template <auto F, class... Arguments>
auto call_with(const std::tuple<Arguments...>& arguments) {
  return std::apply([](const auto&... each) { return call<F>(each...); }, arguments);
}

/// Where an answer is wrong it may be what was there before: a few bytes of that look like any
/// answer, but they are others in every call. once_more() is the answer to the same call.
template <class T, class Call>
void expect_written(Expect& expect, std::string_view what, const std::vector<T>& got,
                    const std::vector<T>& right, const Call& once_more) {
  if (got == right || expect.is_hearing()) return;
  const char* why =
      submission().can_be_watched() ? "nobody writes it, or two threads do" : "nobody writes it";
  for (int repeats = 0; repeats < 3; ++repeats) {
    const std::vector<T> again = once_more();
    for (std::size_t i = 0; i < got.size(); ++i) {
      // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bit by bit, NaN as well
      const bool stays = std::memcmp(&got[i], &again[i], sizeof got[i]) == 0;
      expect.that(stays || got[i] == right[i],
                  std::string(what) + "[" + std::to_string(i) + "] of " +
                      std::to_string(got.size()) + " differs from call to call: " + why,
                  "N-UNWRITTEN");
    }
  }
}
template <auto F, class T, class... Arguments>
void expect_written(Expect& expect, std::string_view what, const std::vector<T>& got,
                    const std::vector<T>& right, const std::tuple<Arguments...>& arguments) {
  expect_written(expect, what, got, right, [&] { return call_with<F>(arguments); });
}

template <auto F, class Case, class Want, class Arguments>
class KernelExercise {
 public:
  using Input = Case;
  using Answer = decltype(call_with<F>(std::declval<Arguments>()));
  using Look = std::function<void(Expect&, const Case&, const Answer& got, const Want& right)>;

  /// What is right for a case, worked out by hand.
  struct Row {
    Case in;
    Want want;
  };

  /// A call that must be refused, and what it was, where it is not: "accepted …".
  struct Refused {
    const char* code;
    std::string what;
    Arguments arguments;
  };
  using Refusals = std::vector<Refused>;

  /// As kernel_exercise() says.
  KernelExercise(std::function<Arguments(const Case&)> arguments,
                 std::function<Want(const Case&)> right, Look look)
      : arguments_(std::move(arguments)), right_(std::move(right)), look_(std::move(look)) {}

  /// Each row as it stands. Rows are tables for people to read; the definition has to agree.
  void gives(const std::vector<Row>& rows) const {
    std::vector<Case> cases;
    for (const Row& row : rows) {
      Expect::healthy(right_(row.in) == row.want,
                      row.in.name + ": the row and the definition differ");
      cases.push_back(row.in);
    }
    each_case(as_they_stand(cases, false), [this](const AsItStands<Case>& c, Expect& expect) {
      look(expect, c.of, (*this)(c.of));
    });
  }

  void is_right(const std::vector<Case>& cases) const {
    each_case(cases, [this](const Case& c, Expect& expect) { look(expect, c, (*this)(c)); });
  }

  /// The same where every access is looked at.
  void runs_clean(const std::vector<Case>& cases) const {
    each_case(cases, [this](const Case& c, Expect& expect) {
      look(expect, c,
           std::apply([](const auto&... each) { return watched<F>(each...); }, arguments_(c)));
    });
  }

  /// The same far behind the beginning of arrays so large that an index needs more than 32 bits, as
  /// `far` says of a case (protocol::Far): the case is what lies there.
  void runs_far(const std::vector<Case>& cases,
                const std::function<protocol::Far(const Case&)>& far) const {
    constexpr const char* kWhere = ", and so many before it that an index of 32 bits is too small";
    const auto all = as_they_stand(cases, true, kWhere);
    each_case(all, [&](const AsItStands<Case>& c, Expect& expect) {
      const auto got =
          std::apply([&](const auto&... each) { return watched_far<F>(far(c.of), each...); },
                     arguments_(c.of));
      if (got) look(expect, c.of, *got);
    });
  }

  /// judge(expect, case, counts) for each case, of which sizes matter. The last, the largest, is
  /// what `nibble traffic` shows.
  void each_counted(const std::vector<Case>& cases,
                    const std::function<void(Expect&, const Case&, const Counted&)>& judge) const {
    each_case(as_they_stand(cases, true), [&](const AsItStands<Case>& c, Expect& expect) {
      judge(expect, c.of,
            std::apply([](const auto&... each) { return counted<F>(each...); }, arguments_(c.of)));
    });
  }

  void at_most(const Measure& measure, double factor, const std::vector<Case>& cases) const {
    each_counted(cases, [&](Expect& expect, const Case&, const Counted& both) {
      judge::at_most(expect, measure, factor, both);
    });
  }

  void at_least(const Measure& measure, double share, const std::vector<Case>& cases) const {
    each_counted(cases, [&](Expect& expect, const Case&, const Counted& both) {
      judge::at_least(expect, measure, share, both);
    });
  }

  /// `want`: how many there are in a case.
  void exactly(const Measure& measure, const std::function<std::uint64_t(const Case&)>& want,
               const std::vector<Case>& cases) const {
    each_counted(cases, [&](Expect& expect, const Case& c, const Counted& both) {
      judge::exactly(expect, measure, want(c), both);
    });
  }

  /// Refusing counts only where accepting works: `accepted` comes first.
  void refuses(const std::vector<Case>& accepted, const Refusals& refused) const {
    if (accepted.empty()) throw KitError("a check of refusals accepts nothing");
    once([&](Expect& expect) {
      for (const Case& c : accepted) look(expect, c, (*this)(c));
      for (const Refused& row : refused) {
        expect.that(is_refused(row), "accepted " + row.what, row.code);
      }
    });
  }

  /// What F is called with.
  Arguments arguments(const Case& c) const { return arguments_(c); }

  /// The submission's answer.
  Answer operator()(const Case& c) const { return call_with<F>(arguments_(c)); }

  void look(Expect& expect, const Case& c, const Answer& got) const {
    look_(expect, c, got, right_(c));
  }

 private:
  static std::vector<AsItStands<Case>> as_they_stand(const std::vector<Case>& cases,
                                                     bool shows_size, const char* where = "") {
    std::vector<AsItStands<Case>> all;
    for (const Case& c : cases) all.push_back({c.name, c, shows_size, where});
    return all;
  }

  static bool is_refused(const Refused& row) {
    try {
      return std::apply([](const auto&... each) { return judge::refuses<F>(each...); },
                        row.arguments);
    } catch (CallFailed& failed) {  // a crash, a time-out: which of the rows was it?
      failed.failure.message += "; given " + row.what;
      throw;
    }
  }

  std::function<Arguments(const Case&)> arguments_;
  std::function<Want(const Case&)> right_;
  Look look_;
};

namespace detail {
template <class Function>
struct OfOneCase;
template <class Made, class Case>
struct OfOneCase<Made (*)(const Case&)> {
  using Argument = Case;
};
}  // namespace detail

/// arguments(case): what F is called with, out(n) for what it fills. right(case): what is right.
/// look(expect, case, got, right): expect.suspect for what known mistakes answer, and a comparison.
template <auto F, class Arguments, class Right, class Look>
auto kernel_exercise(const Arguments& arguments, const Right& right, const Look& look) {
  using Case = typename detail::OfOneCase<decltype(+arguments)>::Argument;
  return KernelExercise<F, Case, decltype(right(std::declval<const Case&>())),
                        decltype(arguments(std::declval<const Case&>()))>(arguments, right, look);
}

/// A look: the answer is exactly the right one. Where it is not, suspects(expect, case) says what
/// known mistakes answer. Results of a case with a `shape` are m rows of n.
template <class Suspects>
auto equals(const char* what, const Suspects& suspects) {
  return [=](Expect& expect, const auto& c, const auto& got, const auto& right) {
    if (expect.asks_for_suspects(got, right)) suspects(expect, c);
    if constexpr (requires { c.shape.m; }) {
      expect.equal(what, got, right, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
    } else {
      expect.equal(what, got, right);
    }
  };
}

}  // namespace nibble::judge
