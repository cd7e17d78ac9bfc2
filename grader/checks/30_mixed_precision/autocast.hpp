// Lab 30, autocast: what is right, and what people write instead.
#pragma once

#include "mixed_precision.hpp"

#include "checks/30_mixed_precision/values.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"
#include "judge/reals.hpp"

namespace nibble::judge::lab_30_mixed_precision {

using Casting = Exercise<&autocast>;

/// What a known mistake makes of the types: is(first is half, second is half, there is a second).
template <class IsHalf>
Places types_with(const Operations& program, const IsHalf& is_half, bool input_is_half = false) {
  Places half;
  const auto of = [&](std::int32_t operand) {
    if (operand == kInput) return input_is_half;
    return operand >= 0 && operand < std::ssize(half) && half[std::size_t(operand)] == 1;
  };
  for (std::size_t op = 0; op < program.kinds.size(); ++op) {
    const std::int32_t first = program.first[op], second = program.second[op];
    half.push_back(is_half(program.kinds[op], of(first), of(second), second != kNothing) ? 1 : 0);
  }
  return half;
}

/// For each operand that is in the other type: `count(reader, operand)`, where 0 is the first.
template <class Count>
void each_cast(const Operations& program, const Places& half, const Count& count) {
  for (std::size_t op = 0; op < half.size(); ++op) {
    for (const bool is_second : {false, true}) {
      const std::int32_t from = is_second ? program.second[op] : program.first[op];
      if (from == kNothing || from >= std::ssize(half)) continue;
      const std::int32_t type = from == kInput ? 0 : half[std::size_t(from)];
      if (type != half[op]) count(op, from, is_second);
    }
  }
}

inline void suspect_casts(Expect& expect, const Casting::Arguments& in, const Autocast& right) {
  const Operations& program = in.a;
  if (program.first.size() != program.kinds.size()) throw std::invalid_argument("sizes");
  if (program.second.size() != program.kinds.size()) throw std::invalid_argument("sizes");
  const auto types = [&](const char* words, const auto& is_half) {
    expect.suspect("N-FORMULA", "half", types_with(program, is_half), words);
  };
  types("everything is in half: a reduction is in float", [](auto...) { return true; });
  types("elementwise operations are in half, whatever they read",
        [](int kind, auto...) { return kind != kReduction; });
  types("elementwise operations are in float, whatever they read",
        [](int kind, auto...) { return kind == kProduct; });
  types("elementwise is in half where one operand is: all have to be",
        [](int kind, bool a, bool b, bool) { return kind == 0 || (kind == 2 && (a || b)); });
  types("the first operand decides: all have to be in half",
        [](int kind, bool a, bool, bool) { return kind == 0 || (kind == 2 && a); });
  types("an operand that is not there is taken for a float",
        [](int kind, bool a, bool b, bool) { return kind == 0 || (kind == 2 && a && b); });
  types("a product is in half where what it reads is: it always is",
        [](int kind, bool a, bool b, bool two) { return kind != 1 && a && (b || !two); });
  const auto right_kind = [](int kind, bool a, bool b, bool two) {
    return kind == kProduct || (kind == kElementwise && a && (b || !two));
  };
  expect.suspect("N-FORMULA", "half", types_with(program, right_kind, /*input_is_half=*/true),
                 "the input is taken for a half: it is float");
  std::int32_t each = 0, firsts = 0, no_input = 0, readers = 0;
  std::vector<std::size_t> who;
  std::vector<std::int32_t> seen, of_first, but_input;
  const auto once = [](std::vector<std::int32_t>& all, std::int32_t one) {
    if (std::ranges::count(all, one) > 0) return 0;
    all.push_back(one);
    return 1;
  };
  each_cast(program, right.half, [&](std::size_t op, std::int32_t from, bool is_second) {
    ++each;
    if (!is_second) firsts += once(of_first, from);
    if (from != kInput) no_input += once(but_input, from);
    if (who.empty() || who.back() != op) who.push_back(op), ++readers;
  });
  const auto casts = [&](const char* words, std::int32_t count) {
    expect.suspect("N-FORMULA", "casts", count, words);
  };
  casts("a value is cast anew for each that reads it: once is enough", each);
  casts("casts of second operands are not counted", firsts);
  casts("casts of the input are not counted: it is float", no_input);
  casts("operations that cast are counted: it is values that are cast", readers);
}

inline const Casting casting{{"kinds", "first", "second"}, {"half", "casts"}, suspect_casts};

}  // namespace nibble::judge::lab_30_mixed_precision
