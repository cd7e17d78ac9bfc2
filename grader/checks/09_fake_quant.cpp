// Lab 09: the checks.
#include "fake_quant.hpp"

#include "checks/marks/09_fake_quant.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Codes = std::vector<std::int8_t>;
using Summing = Exercise<&sum_of_steps>;

template <class Step>
std::int32_t sum_of(const Codes& q, const Step& step) {
  std::int32_t sum = 0;
  for (const std::int8_t code : q) sum += step(code);
  return sum;
}

/// What known mistakes would answer.
void suspect_sums(Expect& expect, const Summing::Arguments& in, std::int32_t right) {
  const auto& [q, zero_point] = in;
  const int z = zero_point;
  expect.suspect("N-ZP-SIGN", "sum", sum_of(q, [z](std::int8_t code) { return code + z; }));
  expect.suspect("N-SIGN", "sum", sum_of(q, [z](std::uint8_t code) { return code - z; }));
  expect.suspect("N-OVERFLOW", "sum", static_cast<std::int16_t>(right));
  if (!q.empty()) expect.suspect("N-TAIL", "sum", right - (q.back() - z));
}

const Summing summing{{"q", "zero_point"}, {"sum"}, suspect_sums};

std::vector<Summing::Input> random_codes(Seed seed_of, const std::vector<std::size_t>& lengths) {
  std::vector<Summing::Input> inputs;
  for (const std::size_t count : lengths) {
    const Codes q = code_tensor<std::int8_t>(count, seed_of(count), -128, 127);
    inputs.push_back({std::to_string(count), {q, static_cast<int>(count % 256) - 128}});
  }
  return inputs;
}

TEST(sum_of_steps, FollowsTheFormula) {
  summing.gives({{"OneCode", {{5}, 3}, 2},
                 {"Empty", {{}, 3}, 0},
                 {"BelowZero", {{-1, 2, -128}, 1}, -130},
                 {"ZeroPointBelowZero", {{-1, 2, 127}, -128}, 512},
                 {"LargeSum", {Codes(300, 127), -128}, 76'500}});
}

// One less than, as many as, one more than 32 bytes of codes.
TEST(sum_of_steps, HoldsAtAnyLength) {
  summing.agrees_with(
      [](const auto& in) {
        const auto& [q, zero_point] = in;
        return sum_of(q, [z = zero_point](std::int8_t code) { return code - z; });
      },
      random_codes(seed, {31, 32, 33}));
}

// Refusing counts only where accepting works: the last zero points that are allowed come first.
TEST(sum_of_steps, RefusesWhatDoesNotFit) {
  summing.refuses({{"Lowest", {{1, -2}, -128}, 255}, {"Highest", {{1, -2}, 127}, -255}},
                  {{"", {{1, -2}, -129}}, {"", {{1, -2}, 128}}, {"", {Codes(kMostCodes + 1), 0}}});
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt. The longest input is longer than any public one.

TEST(sum_of_steps, EqualsTheReference) {
  const std::vector<Summing::Input> inputs = random_codes(hidden_seed, {1, 30, 257, 10'007});
  Expect::healthy(distinct(inputs.back().in.a) > 200, "few distinct codes");
  summing.agrees_with(summing.reference, inputs);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
