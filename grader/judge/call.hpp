// A typed call into the child process: call<&quantize_symmetric>(x, 8) reads as if the submission
// were linked in. It never is. Include the contract first: it says which function has which number.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "judge/failure.hpp"
#include "judge/kit_error.hpp"
#include "judge/submission.hpp"
#include "nibble/exercises.hpp"
#include "protocol/pack.hpp"

namespace nibble::judge {

/// Stands for a parameter that the submission fills: `count` poisoned elements.
struct Out {
  std::size_t count;
};
inline Out out(std::size_t count) { return {count}; }

/// Stands for an argument of a measurement that is too large to cross in every round: it crosses
/// once, and then only what has `changed` since the round before. Somewhere in it something must
/// change, where nobody can tell without reading all of it: what was made of it in an earlier call
/// is worth nothing. `value` has to outlive the measurement.
template <class Values>
struct Kept {
  const Values* value;
  std::vector<std::size_t> changed;  ///< indices of elements
};
template <class Values>
Kept<Values> kept(const Values& value, std::vector<std::size_t> changed) {
  if (changed.empty()) throw KitError("what is kept has to change");
  return {&value, std::move(changed)};
}

namespace detail {

template <class Argument>
inline constexpr bool is_kept = false;
template <class Values>
inline constexpr bool is_kept<Kept<Values>> = true;

template <class Parameter>
inline constexpr bool is_output = false;
template <class T>
inline constexpr bool is_output<std::span<T>> = !std::is_const_v<T>;

/// Lays the arguments of one call into the arenas, remembering every sequence for the messages.
class Layout {
 public:
  explicit Layout(Submission& target)
      : in_((target.begin_call(), target.inputs())), out_(target.outputs()) {}

  template <class Parameter, class Argument>
  void add(const Argument& argument) {
    ++argument_;
    if constexpr (is_kept<Argument>) {
      add_kept(std::span<typename Parameter::element_type>(*argument.value), argument.changed);
    } else if constexpr (is_output<Parameter>) {
      static_assert(std::is_same_v<Argument, Out>, "pass out(count) for a span to be filled");
      using Element = typename Parameter::element_type;
      in_.put<std::uint64_t>(argument.count);
      out_.begin_sequence(argument.count, sizeof(Element));
      sequences_.push_back({true, out_.slots() - 1, argument.count, sizeof(Element), argument_});
    } else {
      const Parameter& value = argument;
      note_sequences(value);
      in_.put(value);
    }
  }

  /// What was laid out before, for the same function, is still there: of kept(), what has changed
  /// is copied.
  void keep_what_lies() { keeps_ = true; }

  const std::vector<Sequence>& sequences() const { return sequences_; }
  std::size_t scalar_bytes() const { return in_.scalar_bytes(); }

 private:
  template <class Element>
  void add_kept(std::span<Element> value, std::span<const std::size_t> changed) {
    note_sequences(value);
    std::byte* const at = in_.begin_sequence(value.size(), sizeof(Element));
    if (!keeps_ && !value.empty()) std::memcpy(at, value.data(), value.size_bytes());
    if (!keeps_) return;
    for (const std::size_t i : changed) {
      std::memcpy(at + i * sizeof(Element), &value[i], sizeof(Element));
    }
  }

  template <class T>
  void note_sequences(const T& value) {
    if constexpr (protocol::is_sequence<T>) {
      sequences_.push_back({false, next_slot_++, value.size(), sizeof(*value.data()), argument_});
    } else if constexpr (!protocol::Scalar<T> && !protocol::is_array<T>) {
      protocol::for_each_field(value, [this](const auto& field) { this->note_sequences(field); });
    }
  }

  protocol::Packer in_, out_;
  std::vector<Sequence> sequences_;
  int next_slot_ = 0;
  int argument_ = 0;
  bool keeps_ = false;
};

template <class Parameter>
auto take_output(protocol::Unpacker& reader) {
  if constexpr (is_output<Parameter>) {
    const auto found = reader.get_sequence<typename Parameter::element_type>();
    return std::tuple(std::vector<typename Parameter::element_type>(found.begin(), found.end()));
  } else {
    return std::tuple<>();
  }
}

template <auto Function>
struct Caller;
template <class Result, class... Parameters, Result (*Function)(Parameters...)>
struct Caller<Function> {
  template <class... Arguments>
  static void lay_out(Layout& layout, const Arguments&... arguments) {
    static_assert(sizeof...(Arguments) == sizeof...(Parameters), "pass every argument");
    (layout.add<std::remove_cvref_t<Parameters>>(arguments), ...);
  }

  template <class... Arguments>
  static auto call(Submission& target, const Arguments&... arguments) {
    Layout layout(target);
    try {
      lay_out(layout, arguments...);
    } catch (const protocol::TooLarge&) {
      // A check made this argument from an earlier answer; its own inputs fit, or no solution would
      // pass. As an error of the kit it would let a huge answer escape every grade.
      throw CallFailed({CheckStatus::kFail,
                        "N-SIZE",
                        "returned more elements than any answer has",
                        {},
                        {},
                        {},
                        {}});
    }
    target.poison(layout.sequences());
    target.perform(Exercises::index_of<Function>(), layout.scalar_bytes(), layout.sequences());
    return read_results(target, layout.sequences());
  }

  static auto read_results(Submission& target, const std::vector<Sequence>& sequences) {
    const std::vector<std::byte> scalars = target.copy_scalars();
    protocol::Unpacker reader(scalars.data(), target.outputs());
    try {
      // The judge knows how large every output is; the count the child states must agree.
      // (Braces, because function arguments are evaluated in any order.)
      std::tuple<decltype(take_output<std::remove_cvref_t<Parameters>>(reader))...> parts{
          take_output<std::remove_cvref_t<Parameters>>(reader)...};
      auto outputs =
          std::apply([](auto&... part) { return std::tuple_cat(std::move(part)...); }, parts);
      check_counts(outputs, sequences);
      if constexpr (std::is_void_v<Result>) {
        return unwrap(std::move(outputs));
      } else {
        return unwrap(std::tuple_cat(std::tuple(reader.get<std::remove_cvref_t<Result>>()),
                                     std::move(outputs)));
      }
    } catch (const protocol::Malformed& error) {
      throw CallFailed({CheckStatus::kRule, "N-PROTOCOL", error.what(), {}, {}, {}, {}});
    }
  }

 private:
  template <class... Outputs>
  static void check_counts(const std::tuple<Outputs...>& outputs,
                           const std::vector<Sequence>& sequences) {
    std::size_t next = 0;
    const auto matches = [&](const auto& output) {
      while (!sequences[next].output) ++next;
      if (output.size() != sequences[next++].count) {
        throw protocol::Malformed("the size of an output was changed");
      }
    };
    std::apply([&](const auto&... each) { (matches(each), ...); }, outputs);
  }

  template <class... Values>
  static auto unwrap(std::tuple<Values...>&& values) {
    if constexpr (sizeof...(Values) == 1) {
      return std::get<0>(std::move(values));
    } else {
      return std::move(values);
    }
  }
};

/// The published solution is proven right by the kit's own tests: when it falls, the fault is ours.
template <class Body>
auto as_ours(const Body& body) {
  try {
    return body();
  } catch (const CallFailed& failed) {
    throw KitError("the published solution: " + failed.failure.message);
  }
}

}  // namespace detail

/// Calls contract function F in the submission's process and returns what it returns, or the
/// outputs it fills as vectors (a tuple, when there are several things). Throws CallFailed when
/// there is no value: a crash, a time-out, an exception, an output left unwritten.
///
///     SymmetricTensor got = call<&quantize_symmetric>(x, 8);
///     std::vector<std::int32_t> c = call<&matmul>(a, b, out(m * n), shape);
template <auto F, class... Arguments>
auto call(const Arguments&... arguments) {
  return detail::Caller<F>::call(submission(), arguments...);
}

/// True when F refuses these arguments with std::invalid_argument, as a contract's "Requires" says
/// it must; false when it accepts them. Anything else is thrown on.
template <auto F, class... Arguments>
bool refuses(const Arguments&... arguments) {
  try {
    call<F>(arguments...);
    return false;
  } catch (const CallFailed& failed) {
    if (failed.failure.code == "N-REFUSED") return true;
    throw;
  }
}

}  // namespace nibble::judge
