// Lab 33, awq_search: the checks.
#include "checks/33_smoothquant_awq/awq_search.hpp"

namespace nibble::judge::lab_33_smoothquant_awq {
namespace {

AwqChoice choice_by_definition(const Searching::Arguments& in) {
  return choice_with(in, Slip::kNone);
}

/// Where errors are equal for everybody, the least exponent is right, and no other.
void look_at_equal_ones(Expect& expect, const Searching::Arguments& in, const AwqChoice& got,
                        const AwqChoice& want) {
  expect.that(std::isfinite(got.error), "error is no number", "N-DIV0");
  expect.equal("exponent", got.exponent, want.exponent);
  look_at_choice(expect, in, got, want);
}

/// The same with so small weights that every error is next to nothing, and none is 0.
std::vector<Searching::Input> with_tiny_weights(std::vector<Searching::Input> inputs) {
  for (auto& [name, in] : inputs) {
    name += ", tiny weights";
    for (double& w : in.a) w *= 0x1p-40;
  }
  return inputs;
}

/// Whoever comes so far has found the least error of larger weights.
void look_at_tiny_errors(Expect& expect, const Searching::Arguments& in, const AwqChoice& got,
                         const AwqChoice& want) {
  expect.that(got.error <= want.error + factor_tolerance(want.error).absolute,
              "error is not the least: of tiny ones, too, only a share within 1e-8 is equal",
              "N-FORMULA");
  look_at_choice(expect, in, got, want);
}

/// Where an input is 2^60, no product of it has digits left for what a small weight loses.
void look_at_a_huge_input(Expect& expect, const Searching::Arguments& in, const AwqChoice& got,
                          const AwqChoice& want) {
  expect.that(got.exponent != want.exponent || got.error != 0,
              "error is 0, though a weight has lost all it is: looks like a difference of two "
              "outputs, which are too large to show it; weights are subtracted first",
              "N-CANCEL");
  look_at_choice(expect, in, got, want);
}

TEST(awq_search, FindsTheLeast) {
  const auto inputs =
      searches(seed, {{4, 8, 6, 3, 8}, {6, 12, 20, 2, 12}, {8, 20, 30, 4, 20}, {5, 9, 7, 8, 9}});
  searching.agrees_with(choice_by_definition, inputs, look_at_choice);
  searching.gives({{"TiesToEven",
                    {{7, 0.5, 1.5, 1.5, -1.5, 0.25}, {1, 1, 1, 1, 1, 1}, 6, 4, 6},
                    {0, {1, 1, 1, 1, 1, 1}, 0.0625}}},
                  look_at_choice);
  searching.agrees_with(choice_by_definition, with_tiny_weights(inputs), look_at_tiny_errors);
  searching.gives({{"HugeInput", {{127, 0.25}, {0x1p60, 1}, 2, 8, 2}, {0, {1, 1}, 0.0625}},
                   {"HugeInputBehind", {{0.25, -127}, {1, 0x1p60}, 2, 8, 2}, {0, {1, 1}, 0.0625}}},
                  look_at_a_huge_input);
}

TEST(awq_search, OfEqualOnesTheLeast) {
  const std::string least = "of equal errors the least exponent is taken";
  searching.gives({{"Exact", {{3, -1, 2}, {2, 2, 2}, 3, 3, 3}, {0, {1, 1, 1}, 0}, least},
                   {"AllAlike", {{3, 1.25}, {1, -1, 1, 1}, 2, 3, 2}, {0, {1, 1}, 0.0625}, least}},
                  look_at_equal_ones);
}

/// Where one group holds more than any row has, a place beyond its end is more than 32 bits hold.
void look_at_a_huge_group(Expect& expect, const Searching::Arguments& in, const AwqChoice& got,
                          const AwqChoice& want) {
  expect.that(are_alike(got, want),
              "a group_size of 2^31 - 1 does not make each row one group: inputs + group_size is "
              "more than 32 bits hold",
              "N-OVERFLOW");
  look_at_choice(expect, in, got, want);
}

TEST(awq_search, EveryShape) {
  searching.agrees_with(choice_by_definition,
                        searches(seed, {{1, 1, 1, 2, 1},
                                        {1, 5, 1, 3, 2},
                                        {7, 6, 3, 3, 4},
                                        {3, 6, 4, 3, 1000},
                                        {3, 17, 9, 4, 16},
                                        {2, 10, 12, 2, 3}}),
                        look_at_choice);
  searching.gives(
      {{"HugeGroup", {{3, 1.25, 1.25, 3}, {1, -1, 1, 1}, 2, 3, INT_MAX}, {0, {1, 1}, 0.0625}}},
      look_at_a_huge_group);
}

TEST(awq_search, SmallInputs) {
  searching.gives({{"NoWeights", {{0, 0}, {1, 1}, 2, 3, 2}, {0, {1, 1}, 0}}}, look_at_equal_ones);
  for (const double factor : {0.0, 1e-6}) {  // below 1e-4 is what is not 0, too
    std::vector<Searching::Input> inputs =
        searches(seed, {{4, 8, 6, 3, 8}, {3, 6, 9, 4, 3}, {6, 12, 20, 2, 12}});
    for (Searching::Input& input : inputs) {
      const auto n = static_cast<std::size_t>(input.in.c);
      for (std::size_t at = 0; at < input.in.b.size(); at += n) input.in.b[at] *= factor;
    }
    searching.agrees_with(choice_by_definition, inputs, look_at_choice);
  }
}

TEST(awq_search, RefusesWhatIsNoLayer) {
  searching.refuses({{"Fine", {{3, 1}, {1, 1}, 2, 3, 2}, {0, {1, 1}, 0}}},
                    {{"", {{3, 1}, {1, 1}, 2, 1, 2}},
                     {"", {{3, 1}, {1, 1}, 2, 9, 2}},
                     {"", {{3, 1}, {1, 1}, 2, 3, 0}},
                     {"", {{3, 1}, {1, 1}, 0, 3, 2}},
                     {"N-SIZE", {{3, 1, 2}, {1, 1}, 2, 3, 2}},
                     {"N-SIZE", {{3, 1}, {1, 1, 1}, 2, 3, 2}},
                     {"N-SIZE", {{3, 1}, Doubles{}, 2, 3, 2}},
                     {"N-NAN", {{3, double{kNan}}, {1, 1}, 2, 3, 2}},
                     {"N-NAN", {{3, 1}, {1, double{kInfinity}}, 2, 3, 2}}},
                    look_at_choice);
}

}  // namespace
}  // namespace nibble::judge::lab_33_smoothquant_awq
