// One exercise as its checks see it: what its arguments and the parts of its result are called, and
// what known mistakes would answer. The text of an input, what it shrinks to, the call and the
// comparison follow from the contract's signature.
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

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/leaves.hpp"
#include "judge/smaller_arguments.hpp"

namespace nibble::judge {

namespace detail {

/// What a case keeps for a parameter: a list of its own for a span.
template <class T>
struct Owned {
  using Type = T;
};
template <class T>
struct Owned<std::span<const T>> {
  using Type = std::vector<T>;
};

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

template <class F>
struct Signature;
template <class R, class... P>
struct Signature<R (*)(P...)> {
  using Result = R;
  using Arguments = detail::Arguments<typename Owned<std::remove_cvref_t<P>>::Type...>;
  static_assert((!is_output<std::remove_cvref_t<P>> && ...), "an exercise that returns its result");
};

}  // namespace detail

/// seed or hidden_seed: a public check and its hidden twin differ in it, and in who is asked.
using Seed = std::uint64_t (*)(std::uint64_t);

template <auto F>
class Exercise {
 public:
  using Result = typename detail::Signature<decltype(F)>::Result;
  using Arguments = typename detail::Signature<decltype(F)>::Arguments;

  /// Arguments, and what is right for them.
  struct Row {
    std::string name;
    Arguments in;
    Result want;
  };
  struct Input {
    std::string name;
    Arguments in;
  };
  /// Arguments that must be refused, and what it looks like when they are not ("": as the row of
  /// the mark scheme says).
  struct Refused {
    const char* code;
    Arguments in;
  };
  /// Names of the leaves: a struct is named member by member.
  using ArgumentNames = std::array<const char*, leaf_count<Arguments>>;
  using ResultNames = std::array<const char*, leaf_count<Result>>;
  /// Calls expect.suspect for what known mistakes would answer.
  using Suspects = std::function<void(Expect&, const Arguments&, const Result& right)>;
  /// Says what is right, for given arguments and for all that they shrink to.
  using Definition = std::function<Result(const Arguments&)>;
  /// How an answer is looked at; the default: every part is exactly the wanted one.
  using Compare =
      std::function<void(Expect&, const Arguments&, const Result& got, const Result& want)>;

  Exercise(ArgumentNames arguments, ResultNames result, Suspects suspects = {})
      : arguments_(arguments), result_(result), suspects_(std::move(suspects)) {}

  /// Each row as it stands. It was worked out by hand, so that it is not made smaller.
  /// `if_refused`: what it looks like when arguments that are legal are refused.
  void gives(const std::vector<Row>& rows, const char* if_refused = "") const {
    gives(rows, Compare{}, if_refused);
  }
  void gives(const std::vector<Row>& rows, const Compare& compare,
             const char* if_refused = "") const {
    const Body body = [&](Expect& expect, const Arguments& in, const Result* want) {
      try {
        look(expect, in, *want, compare);
      } catch (CallFailed& failed) {
        if (*if_refused != 0 && failed.failure.code == "N-REFUSED") {
          failed.failure.code = if_refused;
        }
        throw;
      }
    };
    detail::run_cases(rows.size(), [&](std::size_t i) {
      return std::make_unique<Case>(*this, body, rows[i].name, rows[i].in, &rows[i].want);
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
    const Body without_want = [&](Expect& expect, const Arguments& in, const Result*) {
      body(expect, in);
    };
    detail::run_cases(inputs.size(), [&](std::size_t i) {
      return std::make_unique<Case>(*this, without_want, inputs[i].name, inputs[i].in, nullptr);
    });
  }

  /// Refusing counts only where accepting works: `accepted` comes first.
  void refuses(const std::vector<Row>& accepted, const std::vector<Refused>& refused) const {
    if (accepted.empty()) throw KitError("a check of refusals accepts nothing");
    once([&](Expect& expect) {
      for (const Row& row : accepted) look(expect, row.in, row.want, {});
      for (const Refused& row : refused) {
        const bool refuses_it = refuses(row.in);
        expect.that(refuses_it, "accepted " + text(row.in), row.code);
      }
    });
  }

  /// The submission's answer.
  Result operator()(const Arguments& in) const {
    return protocol::with_fields(in, [](auto&... each) { return call<F>(each...); });
  }

  /// The published solution's, in the hidden part.
  static Result reference(const Arguments& in) {
    return protocol::with_fields(in, [](auto&... each) { return F(each...); });
  }

  /// "x = [1, 2], num_bits = 8".
  std::string text(const Arguments& in) const {
    std::string all;
    std::size_t at = 0;
    for_each_leaf(in, [&](const auto& leaf) {
      all += (at == 0 ? "" : ", ") + std::string(arguments_[at]) + " = " + show_leaf(leaf);
      ++at;
    });
    return all;
  }

 private:
  using Body = std::function<void(Expect&, const Arguments&, const Result* want)>;

  /// `want`: worked out by hand; such a case is not made smaller.
  class Case final : public detail::AnyCase {
   public:
    Case(const Exercise& of, const Body& body, std::string name, Arguments in, const Result* want)
        : of_(of), body_(body), name_(std::move(name)), in_(std::move(in)), want_(want) {}

    const std::string& name() const override { return name_; }
    std::string input() const override { return of_.text(in_); }
    void run(Expect& expect) const override { body_(expect, in_, want_); }
    std::vector<std::unique_ptr<AnyCase>> smaller() const override {
      std::vector<std::unique_ptr<AnyCase>> all;
      if (want_ != nullptr) return all;
      for (Arguments& in : smaller_arguments(in_)) {
        std::string size = std::to_string(longest_list(in)) + " values";
        all.push_back(std::make_unique<Case>(of_, body_, std::move(size), std::move(in), nullptr));
      }
      return all;
    }

   private:
    const Exercise& of_;
    const Body& body_;
    std::string name_;
    Arguments in_;
    const Result* want_;
  };

  bool refuses(const Arguments& in) const {
    try {
      return protocol::with_fields(in, [](auto&... each) { return judge::refuses<F>(each...); });
    } catch (CallFailed& failed) {  // a crash, a time-out: which of the rows was it?
      failed.failure.message += "; given " + text(in);
      throw;
    }
  }

  void look(Expect& expect, const Arguments& in, const Result& want, const Compare& compare) const {
    if (suspects_) suspects_(expect, in, want);
    const Result got = (*this)(in);
    if (compare) return compare(expect, in, got, want);
    for_each_pair_of_leaves(got, want, [&](std::size_t at, const auto& answer, const auto& right) {
      expect.equal(result_[at], answer, right);
    });
  }

  ArgumentNames arguments_;
  ResultNames result_;
  Suspects suspects_;
};

}  // namespace nibble::judge
