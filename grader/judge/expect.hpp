// How a check says what should be so. The first thing that is not becomes the failure: what it is,
// where, got, want, and what it looks like.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "judge/failure.hpp"
#include "judge/law.hpp"
#include "judge/show.hpp"
#include "judge/tolerance.hpp"

namespace nibble::judge {

/// Sizes of a tensor, outermost first, so that an index reads [row, column]. Empty: a plain list.
using Shape = std::vector<std::size_t>;

template <class T>
concept Number = std::is_arithmetic_v<T>;
template <class T>
concept Numbers = std::ranges::contiguous_range<T> && Number<std::ranges::range_value_t<T>>;

class Expect {
 public:
  Expect() = default;
  /// The cleared of `heard` are suspects no more; of those who are alike no one is named alone.
  explicit Expect(const Heard& heard) : heard_(&heard) {}

  /// `got` is exactly `want`.
  template <Number T>
  bool equal(std::string_view what, T got, std::type_identity_t<T> want) {
    return compare(what, std::span(&got, 1), std::span(&want, 1), Scalar{},
                   [&](std::size_t) { return same(got, want); });
  }

  /// The same for an enum, whose values the `show` beside it names.
  template <class Enum>
  requires std::is_enum_v<Enum>
  bool equal(std::string_view what, Enum got, std::type_identity_t<Enum> want) {
    if (failure_) return false;
    if (equal(what, static_cast<long long>(got), static_cast<long long>(want))) return true;
    if constexpr (requires { show(got); }) {
      failure_->got = show(got);
      failure_->want = show(want);
    }
    return false;
  }

  /// Every got[i] is exactly want[i], and there are equally many.
  template <Numbers Got, Numbers Want>
  bool equal(std::string_view what, const Got& got, const Want& want, const Shape& shape = {}) {
    return compare(what, all_of(got), all_of(want), shape,
                   [&](std::size_t i) { return same(got[i], want[i]); });
  }

  /// `got` is within `tolerance` of `want`; NaN never is.
  bool near(std::string_view what, double got, double want, const Tolerance& tolerance);

  /// Every got[i] is within `tolerance` of want[i], and there are equally many.
  template <Numbers Got, Numbers Want>
  bool near(std::string_view what, const Got& got, const Want& want, const Tolerance& tolerance,
            const Shape& shape = {}) {
    tolerance_ = tolerance;
    const bool ok = compare(what, all_of(got), all_of(want), shape,
                            [&](std::size_t i) { return is_near(got[i], want[i], tolerance); });
    tolerance_ = {};
    return ok;
  }

  /// good(i) holds for every i of two equally long tensors: for rules that are neither of the
  /// above.
  template <Numbers Got, Numbers Want>
  bool every(std::string_view what, const Got& got, const Want& want,
             const std::function<bool(std::size_t)>& good, const Shape& shape = {}) {
    return compare(what, all_of(got), all_of(want), shape, good);
  }

  /// `holds` is true; `message` is the whole sentence to be shown when it is not.
  bool that(bool holds, std::string message);

  /// As `that`, with a diagnosis of its own.
  bool that(bool holds, std::string message, std::string_view code);

  /// If the next comparison called `what` fails, and the answer is exactly `values`, it looks like
  /// `code`: what a known mistake would have answered on this input. An empty list never matches.
  /// `words` say what the mistake is, better than the code does; with them the answer may be as far
  /// from `values` as from what is right: no order of a sum hides the mistake.
  template <Numbers Values>
  void suspect(std::string_view code, std::string_view what, const Values& values,
               std::string_view words = "") {
    suspects_.push_back({{std::string(code), std::string(what), std::string(words)},
                         as_doubles(std::span(values))});
  }
  template <Number T>
  void suspect(std::string_view code, std::string_view what, T value, std::string_view words = "") {
    suspect(code, what, std::span(&value, 1), words);
  }

  /// What the answers to other cases say of a suspect.
  struct Evidence {
    int agrees = 0;  ///< with a wrong answer
    int differs = 0;
    int guesses = 0;  ///< at how, in one case: to differ from one of two says nothing

    void add(const Evidence& more) {
      agrees += more.agrees;
      differs += more.differs;
      guesses = std::max(guesses, more.guesses);
    }
  };
  /// From now on nothing fails: answers are evidence for and against suspects that have words.
  void hear() { is_hearing_ = true; }
  bool is_hearing() const { return is_hearing_; }
  /// Suspects are worked out for a wrong answer, and where a right one is evidence, too.
  template <class Got, class Want>
  bool asks_for_suspects(const Got& got, const Want& want) const {
    return is_hearing_ || got != want;
  }
  const std::map<Cause, Evidence>& evidence() const { return evidence_; }

  /// The input is good enough to prove something. A poor input is our fault: throws KitError.
  static void healthy(bool good, const std::string& why);

  /// What went wrong first; nothing yet: nullopt.
  const std::optional<Failure>& failure() const { return failure_; }
  void fail(Failure failure);

  /// Adds to what went wrong the rule that it broke, where no suspect has said more; "": none.
  void recall(const std::string& rule) {
    if (failure_ && !rule.empty() && !is_explained_) failure_->message += ": " + rule;
  }

  /// What went wrong looks like `code`, where nothing has said more.
  void otherwise(std::string_view code) {
    if (failure_ && failure_->code.empty()) failure_->code = code;
  }

 private:
  struct Scalar {};
  struct Suspect {
    Cause cause;
    std::vector<double> values;
  };

  /// Integers of any two types by value; floats exactly, where 0 and -0 are equal and NaN is equal
  /// to nothing.
  template <class A, class B>
  static bool same(A got, B want) {
    if constexpr (std::is_floating_point_v<A> || std::is_floating_point_v<B>) {
      return is_near(static_cast<double>(got), static_cast<double>(want), Tolerance{});
    } else {
      return std::cmp_equal(+got, +want);  // + makes an integer of a bool or a char
    }
  }

  /// A span of no fixed size, of an array too.
  template <Numbers Values>
  static auto all_of(const Values& values) {
    return std::span(std::data(values), std::size(values));
  }

  template <class T>
  static std::vector<double> as_doubles(std::span<T> values) {
    return {values.begin(), values.end()};
  }

  template <class Got, class Want, class Where, class Good>
  bool compare(std::string_view what, std::span<Got> got, std::span<Want> want, const Where& where,
               const Good& good) {
    if (is_hearing_) return hear(what, got, want.size(), good);
    if (failure_) return false;  // the first failure is the one that is told
    if (got.size() != want.size()) {
      wrong_size(what, got.size(), want.size());
      failure_->may_be_chance = got.size() < 2;
      return explain(looks_like(what, got));
    }
    std::size_t bad = 0, first = 0;
    std::vector<WrongValue> wrong;  // the first few thousand: a law holds for these, too
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (good(i)) continue;
      if (bad++ == 0) first = i;
      if (bad <= 4096) {
        wrong.push_back({static_cast<double>(got[i]), static_cast<double>(want[i])});
      }
    }
    if (bad == 0) return true;
    Failure failure;
    failure.got = show_value(got[first]);
    failure.want = show_value(want[first]);
    failure.tolerance = tolerance_.formula;
    if constexpr (std::is_same_v<Where, Shape>) {
      failure.index = unravel(first, where);
      failure.message = several(what, bad, got.size());
      failure.compared = whole(got, want, where, good);
    } else {
      failure.message = std::string(what) + " is wrong";
    }
    const auto is_first = [&](const WrongValue& one) { return one.got == wrong.front().got; };
    failure.may_be_chance = std::ranges::all_of(wrong, is_first);
    const std::string law = law_of(wrong, std::is_integral_v<std::remove_cv_t<Got>>);
    failure.message += law;
    if (law.find(record::kNobodyHasSet) != law.npos) failure.code = "N-UNINIT";
    fail(std::move(failure));
    return explain(looks_like(what, got));
  }

  /// Both tensors, if a picture of them would have no more than so many cells.
  template <class Got, class Want, class Good>
  static Compared whole(std::span<Got> got, std::span<Want> want, const Shape& shape,
                        const Good& good) {
    constexpr std::size_t kMostCells = 64;
    Compared all{shape, {}, {}, {}};
    if (got.size() < 2 || got.size() > kMostCells) return all;
    for (std::size_t i = 0; i < got.size(); ++i) {
      all.got.push_back(show_value(got[i]));
      all.want.push_back(show_value(want[i]));
      if (!good(i)) all.wrong.push_back(i);
    }
    return all;
  }

  static std::vector<std::size_t> unravel(std::size_t i, const Shape& shape);
  static std::string several(std::string_view what, std::size_t bad, std::size_t count);
  void wrong_size(std::string_view what, std::size_t got, std::size_t want);

  /// Nothing is copied: `got` may be huge. A NaN is the answer of nobody in particular.
  template <class Got>
  bool has_answered(const Suspect& suspect, std::span<Got> got, bool nan_is_nan = false) const {
    const Tolerance off = suspect.cause.words.empty() ? Tolerance{} : tolerance_;
    const auto near = [&](Got a, double b) {
      const auto answer = static_cast<double>(a);
      return is_near(answer, b, off) || (nan_is_nan && std::isnan(answer) && std::isnan(b));
    };
    return !got.empty() && std::ranges::equal(got, suspect.values, near);
  }

  /// The suspects whose values `got` has.
  template <class Got>
  std::vector<Cause> looks_like(std::string_view what, std::span<Got> got) const {
    std::vector<Cause> all;
    for (const auto& [cause, values] : suspects_) {
      const bool is_new = cause.what == what && std::ranges::find(all, cause) == all.end();
      if (!is_new || (heard_ != nullptr && heard_->cleared.contains(cause))) continue;
      if (has_answered({cause, values}, got)) all.push_back(cause);
    }
    return all;
  }

  template <class Got, class Good>
  bool hear(std::string_view what, std::span<Got> got, std::size_t wanted, const Good& good) {
    bool is_right = got.size() == wanted;
    for (std::size_t i = 0; is_right && i < got.size(); ++i) is_right = good(i);
    struct Guesses {
      int fit = 0, all = 0;
    };
    std::map<Cause, Guesses> guesses;
    for (const Suspect& suspect : suspects_) {
      if (suspect.cause.what != what || suspect.cause.words.empty() || got.empty()) continue;
      Guesses& of = guesses[suspect.cause];
      ++of.all;
      of.fit += has_answered(suspect, got, /*nan_is_nan=*/true) ? 1 : 0;
    }
    for (const auto& [cause, of] : guesses) {
      evidence_[cause].add({of.fit > 0 && !is_right, of.fit == 0, of.all});
    }
    return true;
  }

  /// The failure is that of the first suspect, if there is one.
  bool explain(const std::vector<Cause>& causes) {
    if (causes.empty()) return false;
    const Cause& cause = causes.front();
    failure_->code = cause.code;
    failure_->cause = cause;
    for (const Cause& other : causes) {
      if (other.words != cause.words && !other.words.empty()) failure_->others.push_back(other);
    }
    failure_->told = words_for(cause);
    recall(failure_->told);
    is_explained_ = !failure_->told.empty();
    return false;
  }

  /// The words of the first suspect, and those of another who is like him: of three or more that
  /// are alike none is named.
  std::string words_for(const Cause& first) const;

  std::optional<Failure> failure_;
  std::vector<Suspect> suspects_;
  Tolerance tolerance_;  ///< of what is being compared
  const Heard* heard_ = nullptr;
  std::map<Cause, Evidence> evidence_;
  bool is_explained_ = false, is_hearing_ = false;
};

}  // namespace nibble::judge
