// Lab 12: the checks.
#include "int4.hpp"

#include "checks/marks/12_int4.hpp"
#include "judge/call.hpp"
#include "judge/cases.hpp"
#include "judge/shrink.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Codes = std::vector<std::int8_t>;

struct StepsCase {
  std::string name;
  Codes q;
  int zero_point;
};

std::string show(const StepsCase& c) {
  return "q = " + show_values(c.q) + ", zero_point = " + std::to_string(c.zero_point);
}

std::vector<StepsCase> smaller(const StepsCase& c) {
  std::vector<StepsCase> all;
  for (Codes& q : smaller_lists(c.q)) {
    all.push_back({std::to_string(q.size()) + " codes", std::move(q), c.zero_point});
  }
  return all;
}

StepsCase random_case(std::size_t count, std::uint64_t from) {
  const Codes q = code_tensor<std::int8_t>(count + 1, from, -128, 127);
  return {std::to_string(count), {q.begin() + 1, q.end()}, q.front()};
}

template <class Step>
std::int32_t sum_of(const StepsCase& c, const Step& step) {
  std::int32_t sum = 0;
  for (const std::int8_t code : c.q) sum += step(code);
  return sum;
}

void follows_the_formula(const StepsCase& c, Expect& expect) {
  const int z = c.zero_point;
  const std::int32_t want = sum_of(c, [z](std::int8_t code) { return code - z; });
  // What known mistakes would answer.
  expect.suspect("N-ZP-SIGN", "sum", sum_of(c, [z](std::int8_t code) { return code + z; }));
  expect.suspect("N-SIGN", "sum", sum_of(c, [z](std::uint8_t code) { return code - z; }));
  expect.suspect("N-OVERFLOW", "sum", static_cast<std::int16_t>(want));
  if (!c.q.empty()) expect.suspect("N-TAIL", "sum", want - (c.q.back() - z));
  expect.equal("sum", call<&sum_of_steps>(c.q, z), want);
}

// Worked out by hand; then one less than, as many as, one more than 32 bytes of codes.
TEST(sum_of_steps, FollowsTheFormula) {
  each_case<StepsCase>({{"OneCode", {5}, 3},
                        {"Empty", {}, 3},
                        {"BelowZero", {-1, 2, -128}, 1},
                        {"ZeroPointBelowZero", {-1, 2, 127}, -128},
                        {"LargeSum", Codes(300, 127), -128},
                        random_case(31, seed(31)),
                        random_case(32, seed(32)),
                        random_case(33, seed(33))},
                       follows_the_formula);
}

// Refusing counts only where accepting works: the last zero points that are allowed come first.
TEST(sum_of_steps, RefusesWhatDoesNotFit) {
  once([](Expect& expect) {
    const Codes q{1, -2};
    for (const int zero_point : {-128, 127}) {
      expect.equal("sum", call<&sum_of_steps>(q, zero_point), -1 - 2 * zero_point);
    }
    for (const int zero_point : {-129, 128}) {
      expect.that(refuses<&sum_of_steps>(q, zero_point),
                  "accepted zero_point = " + std::to_string(zero_point));
    }
    expect.that(refuses<&sum_of_steps>(Codes(kMostCodes + 1), 0), "accepted 2^22 + 1 codes");
  });
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. A contract function called plainly is the reference, linked in for its values;
// the inputs follow from the course's secret salt. The longest input is longer than any public one.

TEST(sum_of_steps, EqualsTheReference) {
  std::vector<StepsCase> cases;
  for (const std::size_t count : {1, 30, 257, 10'007}) {
    cases.push_back(random_case(count, hidden_seed(count)));
  }
  Expect::healthy(distinct(cases.back().q) > 200, "few distinct codes");
  each_case(cases, [](const StepsCase& c, Expect& expect) {
    expect.equal("sum", call<&sum_of_steps>(c.q, c.zero_point), sum_of_steps(c.q, c.zero_point));
  });
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
