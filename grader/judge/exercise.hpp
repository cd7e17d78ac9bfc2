// One exercise as its checks see it: what its arguments and the parts of its result are called, and
// what known mistakes would answer. The text of an input, what it shrinks to, the call and the
// comparison follow from the contract's signature. A span that the exercise fills is its result.
//
//     const Exercise<&quantize_with_scale> quantizing{
//         {"x", "scale", "num_bits"}, {"q"}, [](auto& expect, const auto& in, const Codes& right) {
//           expect.suspect("N-TRUNC", "q", truncated(in));
//         }};
//
//     TEST(quantize_with_scale, TiesGoToEven) {
//       quantizing.gives({{"AboveZero", {{0.5f, 1.5f, 2.5f}, 1.0f, 8}, {0, 2, 2}}});
//     }
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/leaves.hpp"
#include "judge/smaller_arguments.hpp"

namespace nibble::judge {

/// What a case keeps for a parameter: a list of its own for a span. For a struct of spans the
/// checks specialize it: a struct of lists, which converts.
template <class T>
struct Owned {
  using Type = T;
};
template <class T>
struct Owned<std::span<const T>> {
  using Type = std::vector<T>;
};

namespace detail {

/// The arguments of a call. (A std::tuple, but an aggregate: `{}` may stand for an empty list.)
template <class... T>
struct Arguments;
// clang-format off
template <class A> struct Arguments<A> { A a; };
template <class A, class B> struct Arguments<A, B> { A a; B b; };
template <class A, class B, class C> struct Arguments<A, B, C> { A a; B b; C c; };
template <class A, class B, class C, class D> struct Arguments<A, B, C, D> { A a; B b; C c; D d; };
template <class A, class B, class C, class D, class E>
struct Arguments<A, B, C, D, E> { A a; B b; C c; D d; E e; };
template <class A, class B, class C, class D, class E, class F>
struct Arguments<A, B, C, D, E, F> { A a; B b; C c; D d; E e; F f; };
template <class A, class B, class C, class D, class E, class F, class G>
struct Arguments<A, B, C, D, E, F, G> { A a; B b; C c; D d; E e; F f; G g; };
template <class A, class B, class C, class D, class E, class F, class G, class H>
struct Arguments<A, B, C, D, E, F, G, H> { A a; B b; C c; D d; E e; F f; G g; H h; };
// clang-format on

/// A parameter as a tuple: of what a case keeps for it, or of the list that a filled span becomes.
template <class T>
struct ParameterTuples {
  using Kept = std::tuple<typename Owned<T>::Type>;
  using Filled = std::tuple<>;
};
template <class T>
requires(is_output<T>) struct ParameterTuples<T> {
  using Kept = std::tuple<>;
  using Filled = std::tuple<std::vector<typename T::element_type>>;
};

template <class Tuple>
struct ArgumentsOf;
template <class... T>
struct ArgumentsOf<std::tuple<T...>> {
  using Type = Arguments<T...>;
};

template <class F>
struct Signature;
template <class R, class... P>
struct Signature<R (*)(P...)> {
  template <class T>
  using Of = ParameterTuples<std::remove_cvref_t<T>>;
  using Arguments = typename ArgumentsOf<decltype(std::tuple_cat(typename Of<P>::Kept{}...))>::Type;
  using Results =
      decltype(std::tuple_cat(std::conditional_t<std::is_void_v<R>, std::tuple<>, std::tuple<R>>{},
                              typename Of<P>::Filled{}...));
  static_assert(std::tuple_size_v<Results> == 1, "an exercise returns its result, or fills a span");
  using Result = std::tuple_element_t<0, Results>;

  static constexpr bool kFills = std::is_void_v<R>;

  /// use(arguments...) in the contract's order; `filled` stands where a span is filled.
  template <class Filled, class Use>
  static auto apply(const Arguments& in, Filled& filled, const Use& use) {
    return protocol::with_fields(in, [&](const auto&... kept) {
      if constexpr (!kFills) {
        return use(kept...);
      } else {
        const auto all = std::tie(kept...);
        constexpr std::array is_filled{is_output<std::remove_cvref_t<P>>...};
        constexpr std::size_t before = std::ranges::find(is_filled, true) - is_filled.begin();
        return [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...>,
                                                       std::index_sequence<J...>) {
          return use(std::get<I>(all)..., filled, std::get<before + J>(all)...);
        }
        (std::make_index_sequence<before>{}, std::make_index_sequence<sizeof...(kept) - before>{});
      }
    });
  }
};

}  // namespace detail

/// What an exercise's signature does not say. All of it may be left out but the sizes of a span
/// that is filled.
template <class Arguments>
struct Form {
  /// How far the floats of an answer may be off.
  Tolerance tolerance = {};
  /// Of the span that is filled, or the result's first part: an index reads [row, column].
  std::function<Shape(const Arguments&)> sizes = {};
  /// Simpler arguments, simplest first, where halves of the lists would not fit each other.
  std::function<std::vector<Arguments>(const Arguments&)> smaller = smaller_arguments<Arguments>;
};

template <auto F>
class Exercise {
  using Signature = detail::Signature<decltype(F)>;

 public:
  using Result = typename Signature::Result;
  using Arguments = typename Signature::Arguments;

  /// Arguments, and what is right for them.
  /// `rule`: what this row is about, where the clause of its check does not say.
  struct Row {
    std::string name;
    Arguments in;
    Result want;
    std::string rule{};
  };
  struct Input {
    std::string name;
    Arguments in;
  };
  /// Arguments that must be refused, and what it looks like when they are not ("": as the row of
  /// the mark scheme says). `too_many`: elements more than fit of the span to be filled. `rule`:
  /// why they must, where that does not meet the eye.
  struct Refused {
    const char* code;
    Arguments in;
    std::size_t too_many = 0;
    std::string rule{};
  };
  /// Names of the leaves: a struct is named member by member.
  using ArgumentNames = std::array<const char*, leaf_count<Arguments>>;
  using ResultNames = std::array<const char*, leaf_count<Result>>;
  /// Calls expect.suspect for what known mistakes would answer.
  using Suspects = std::function<void(Expect&, const Arguments&, const Result& right)>;
  /// Says what is right, for given arguments and for all that they shrink to.
  using Definition = std::function<Result(const Arguments&)>;
  /// How an answer is looked at; the default: every part is the wanted one, floats within the
  /// tolerance.
  using Compare =
      std::function<void(Expect&, const Arguments&, const Result& got, const Result& want)>;

  Exercise(ArgumentNames arguments, ResultNames result, Suspects suspects = {},
           Form<Arguments> form = {})
      : arguments_(arguments),
        result_(result),
        suspects_(std::move(suspects)),
        form_(std::move(form)) {}

  Exercise(const Exercise&) = delete;  // `reference` knows where it stands

  /// Each row as it stands. It was worked out by hand, so that it is not made smaller.
  /// `if_refused`: what it looks like when arguments that are legal are refused.
  void gives(const std::vector<Row>& rows, const char* if_refused = "") const {
    gives(rows, Compare{}, if_refused);
  }
  void gives(const std::vector<Row>& rows, const Compare& compare,
             const char* if_refused = "") const {
    const Body body = [&](Expect& expect, const Arguments& in, const Row* row) {
      try {
        look(expect, in, row->want, compare);
        expect.recall(row->rule);
      } catch (CallFailed& failed) {
        if (failed.failure.code == "N-REFUSED") {
          if (*if_refused != 0) failed.failure.code = if_refused;
          if (!row->rule.empty()) failed.failure.message += "; " + row->rule;
        }
        throw;
      }
    };
    detail::run_cases(rows.size(), [&](std::size_t i) {
      return std::make_unique<Case>(*this, body, rows[i].name, rows[i].in, &rows[i]);
    });
  }

  /// The submission says what `right` says.
  void agrees_with(const Definition& right, const std::vector<Input>& inputs,
                   const Compare& compare = {}) const {
    on_each(inputs,
            [&](Expect& expect, const Arguments& in) { look(expect, in, right(in), compare); });
  }

  /// body(expect, arguments) on each input, made smaller where it fails: for laws that an answer
  /// keeps, whatever it is.
  void on_each(const std::vector<Input>& inputs,
               const std::function<void(Expect&, const Arguments&)>& body) const {
    const Body without_row = [&](Expect& expect, const Arguments& in, const Row*) {
      body(expect, in);
    };
    detail::run_cases(inputs.size(), [&](std::size_t i) {
      return std::make_unique<Case>(*this, without_row, inputs[i].name, inputs[i].in, nullptr);
    });
  }

  /// Refusing counts only where accepting works: `accepted` comes first.
  void refuses(const std::vector<Row>& accepted, const std::vector<Refused>& refused,
               const Compare& compare = {}) const {
    if (accepted.empty()) throw KitError("a check of refusals accepts nothing");
    once([&](Expect& expect) {
      for (const Row& row : accepted) look(expect, row.in, row.want, compare);
      expect.otherwise("N-FORMULA");  // the row's own code is of what should have been refused
      for (const Refused& row : refused) {
        const bool refuses_it = refuses(row), is_first = !expect.failure();
        expect.that(refuses_it, "accepted " + text(row), row.code);
        if (!refuses_it && is_first) expect.recall(row.rule);
      }
    });
  }

  /// Looks at these parts of the result, in this order, and at no other. "mse" is also every part
  /// whose name ends in ".mse".
  Compare only(const std::vector<std::string_view>& parts) const {
    std::vector<std::size_t> chosen;
    for (const std::string_view part : parts) {
      const std::size_t before = chosen.size();
      for (std::size_t at = 0; at < result_.size(); ++at) {
        const std::string_view name = result_[at];
        if (name.substr(name.rfind('.') + 1) == part || name == part) chosen.push_back(at);
      }
      if (chosen.size() == before) throw KitError("no part of a result: " + std::string(part));
    }
    return
        [this, chosen](Expect& expect, const Arguments& in, const Result& got, const Result& want) {
          for (const std::size_t one : chosen) {
            for_each_pair_of_leaves(got, want, [&](std::size_t at, const auto& a, const auto& b) {
              if (at == one) look_at(expect, in, at, a, b);
            });
          }
        };
  }

  /// The submission's answer.
  Result operator()(const Arguments& in) const {
    const Out filled = out(filled_by(in));
    return Signature::apply(in, filled, [](const auto&... each) { return call<F>(each...); });
  }

  /// The published solution's, in the hidden part. (A class: nothing of it is linked in before it
  /// is called.)
  struct Reference {
    const Exercise* of;
    Result operator()(const Arguments& in) const {
      const auto ask = [](auto&... each) { return F(each...); };
      if constexpr (Signature::kFills) {
        Result filled(of->filled_by(in));
        Signature::apply(in, filled, ask);
        return filled;
      } else {
        return Signature::apply(in, in, ask);
      }
    }
  };
  const Reference reference{this};

  /// "x = [1, 2], num_bits = 8".
  std::string text(const Arguments& in) const { return show_leaves(in, arguments_); }

 private:
  using Body = std::function<void(Expect&, const Arguments&, const Row*)>;

  /// With a row, the answer was worked out by hand: such a case is not made smaller.
  class Case final : public detail::AnyCase {
   public:
    Case(const Exercise& of, const Body& body, std::string name, Arguments in, const Row* row)
        : of_(of), body_(body), name_(std::move(name)), in_(std::move(in)), row_(row) {}

    const std::string& name() const override { return name_; }
    std::string input() const override { return of_.text(in_); }
    void run(Expect& expect) const override { body_(expect, in_, row_); }
    std::vector<std::unique_ptr<AnyCase>> smaller() const override {
      std::vector<std::unique_ptr<AnyCase>> all;
      if (row_ != nullptr) return all;
      for (Arguments& in : of_.form_.smaller(in_)) {
        all.push_back(std::make_unique<Case>(of_, body_, size_of_case(in), std::move(in), nullptr));
      }
      return all;
    }

   private:
    const Exercise& of_;
    const Body& body_;
    std::string name_;
    Arguments in_;
    const Row* row_;
  };

  /// How many elements the exercise fills.
  std::size_t filled_by(const Arguments& in) const {
    std::size_t count = 1;
    if constexpr (Signature::kFills) {
      for (const std::size_t size : form_.sizes(in)) count *= size;
    }
    return count;
  }

  bool refuses(const Refused& row) const {
    const Out filled = out(filled_by(row.in) + row.too_many);
    const auto ask = [](const auto&... each) { return judge::refuses<F>(each...); };
    try {
      return Signature::apply(row.in, filled, ask);
    } catch (CallFailed& failed) {  // a crash, a time-out: which of the rows was it?
      failed.failure.message += "; given " + text(row);
      throw;
    }
  }

  std::string text(const Refused& row) const {
    if (row.too_many == 0) return text(row.in);
    return text(row.in) + ", " + result_[0] + " of " +
           std::to_string(filled_by(row.in) + row.too_many) + " elements";
  }

  /// What known mistakes would answer is worked out for a wrong answer alone: it takes longer than
  /// all the rest.
  void look(Expect& expect, const Arguments& in, const Result& want, const Compare& compare) const {
    const Result got = (*this)(in);
    Expect unsuspecting;
    look_at_all(unsuspecting, in, got, want, compare);
    if (!unsuspecting.failure() && !expect.is_hearing()) return;
    if (suspects_) suspects_(expect, in, want);
    look_at_all(expect, in, got, want, compare);
  }

  void look_at_all(Expect& expect, const Arguments& in, const Result& got, const Result& want,
                   const Compare& compare) const {
    if (compare) return compare(expect, in, got, want);
    for_each_pair_of_leaves(got, want, [&](std::size_t at, const auto& answer, const auto& right) {
      look_at(expect, in, at, answer, right);
    });
  }

  /// One part of an answer.
  template <class Leaf>
  void look_at(Expect& expect, const Arguments& in, std::size_t at, const Leaf& got,
               const Leaf& want) const {
    const char* const what = result_[at];
    const Tolerance& tolerance = form_.tolerance;
    if constexpr (std::is_floating_point_v<Leaf>) {
      if (tolerance.formula.empty()) {
        expect.equal(what, got, want);
      } else {
        expect.near(what, got, want, tolerance);
      }
    } else if constexpr (protocol::Scalar<Leaf> || std::is_enum_v<Leaf>) {
      expect.equal(what, got, want);
    } else {
      const Shape shape = at == 0 && form_.sizes ? form_.sizes(in) : Shape{};
      if constexpr (std::is_floating_point_v<std::ranges::range_value_t<Leaf>>) {
        expect.near(what, got, want, tolerance, shape);
      } else {
        expect.equal(what, got, want, shape);
      }
    }
  }

  ArgumentNames arguments_;
  ResultNames result_;
  Suspects suspects_;
  Form<Arguments> form_;
};

}  // namespace nibble::judge
