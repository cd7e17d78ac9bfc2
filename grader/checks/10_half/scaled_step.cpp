// Lab 10, scaled_step: the checks.
#include "checks/10_half/scaled_step.hpp"

#include "checks/10_half/to_float.hpp"

namespace nibble::judge::lab_10_half {
namespace {

Training right_step(const Step::Arguments& in) { return step_of(in, in.a.scale, in.a.scale); }

/// "": as nothing in particular.
const char* rule_of_skips(const Step::Arguments& in, const Reals& got) {
  const Reals& before = in.a.weights;
  if (std::ranges::any_of(before, [](float weight) { return std::isnan(weight); })) return "";
  if (!is_taken(in)) return "one h[i] is not finite: the step is skipped, and no weight moves";
  const Reals zeros(before.size(), 0.0f);  // who stays there may have lost a step on its way
  return got == before && before != zeros
             ? "every h[i] is finite: the step is taken, and weights move"
             : "";
}

constexpr auto same_weights = [](Expect& expect, const Step::Arguments& in, const Training& got,
                                 const Training& want) {
  const bool is_right = expect.every("weights", got.weights, want.weights, [&](std::size_t i) {
    const bool are_nan = std::isnan(got.weights[i]) && std::isnan(want.weights[i]);
    return are_nan || equal_bits(got.weights[i], want.weights[i]);
  });
  if (!is_right) expect.recall(rule_of_skips(in, got.weights));
};
constexpr auto same_scale = [](Expect& expect, const auto&, const Training& got,
                               const Training& want) {
  if (!expect.equal("scale", got.scale, want.scale)) return;
  expect.equal("good_steps", got.good_steps, want.good_steps);
  expect.otherwise("N-FORMULA");  // a count is in no range
};

// Gradients that no half holds without a scale, one that is rounded on its way, one that a weight
// in half would not notice, a product that is rounded before it is subtracted, rates that overflow
// or vanish in another order of the product and the division, and a step at whose end the scale
// grows.
TEST(scaled_step, StepsByUnscaledHalves) {
  step.gives(
      {{"One", {{{2}, 1, 0}, {0.5f}, 1, 9}, {{1.5f}, 1, 1}},
       {"Nothing", {{{}, 1, 0}, {}, 1, 9}, {{}, 1, 1}},
       {"LearningRate",
        {{{1, -2, 0.5f}, 1, 0}, {0.25f, 0.5f, -1}, 0.5f, 9},
        {{0.875f, -2.25f, 1}, 1, 1}},
       {"Scaled", {{{1, -2}, 1024, 0}, {0.25f, 0.5f}, 0.5f, 9}, {{0.875f, -2.25f}, 1024, 1}},
       {"Rounded", {{{4}, 2, 0}, {1 + 0x3p-12f}, 1, 9}, {{3 - 0x1p-10f}, 2, 1}},
       {"Small",
        {{{0, 0x1p-20f}, 65536, 0}, {0x1p-30f, -0x1p-40f}, 1, 9},
        {{-0x1p-30f, 0x1p-20f + 0x1p-40f}, 65536, 1},
        "gradients are multiplied by scale before they are rounded to half"},
       {"TooSmall", {{{1}, 1, 0}, {0x1p-26f}, 0x1p10f, 9}, {{1}, 1, 1}},
       {"FloatWeights", {{{1}, 4, 0}, {0x1p-14f}, 0.25f, 9}, {{1 - 0x1p-16f}, 4, 1}},
       {"InFloat",
        {{{1 + 0x1p-10f + 0x1p-20f}, 2, 0}, {1 + 0x1p-10f}, 1 + 0x1p-20f, 9},
        {{0}, 2, 1}},
       {"LargeRate",
        {{{0}, 65536, 0}, {0.5f}, 0x1p120f, 9},
        {{-0x1p119f}, 65536, 1},
        "the quotient h[i] / scale comes first, then the product with learning_rate"},
       {"SmallRate",
        {{{0}, 65536, 0}, {0.5f}, 0x1p-140f, 9},
        {{-0x1p-141f}, 65536, 1},
        "the quotient h[i] / scale comes first, then the product with learning_rate"},
       {"AnyWeight", {{{kInfinity, FLT_MAX}, 2, 0}, {1, 1}, 1, 9}, {{kInfinity, FLT_MAX}, 2, 1}},
       {"Overflow", {{{1}, 2, 0}, {4}, 3e38f, 9}, {{-kInfinity}, 2, 1}},
       {"NanWeight",
        {{{kNan, 1}, 2, 0}, {1, 0.5f}, 1, 9},
        {{kNan, 0.5f}, 2, 1},
        "a weight that is a NaN stays one, and the step is taken"},
       {"Zeros", {{{-0.0f, -0.0f}, 2, 0}, {-0.0f, 0}, 1, 9}, {{0, -0.0f}, 2, 1}},
       {"Growing",
        {{{1}, 4, 8}, {0.5f}, 1, 9},
        {{0.5f}, 8, 0},
        "the division is by the scale that the step began with"}},
      same_weights);
}

TEST(scaled_step, SkipsAsAWhole) {
  step.gives({{"Overflow", {{{1, 2, 3}, 65536, 2}, {0.25f, 1, 0.5f}, 1, 9}, {{1, 2, 3}, 32768, 0}},
              {"AtTheEnd", {{{1, 2}, 4, 2}, {1, 16380}, 1, 9}, {{1, 2}, 2, 0}},
              {"BelowZero", {{{1, 2}, 4, 2}, {-16380, 1}, 1, 9}, {{1, 2}, 2, 0}},
              {"LastThatFits", {{{1, 2}, 4, 2}, {16379.75f, 0}, 1, 9}, {{-16375, 2}, 4, 3}},
              {"Infinity", {{{1, 2}, 4, 2}, {kInfinity, 1}, 1, 9}, {{1, 2}, 2, 0}},
              {"Nan", {{{1, 2}, 4, 2}, {1, kNan}, 1, 9}, {{1, 2}, 2, 0}},
              {"InFloat", {{{1}, 0x1p24f, 2}, {-FLT_MAX}, 1, 9}, {{1}, 0x1p23f, 0}}},
             same_weights);
}

// With weights that are no numbers, and with no weights at all, a step is as good as another.
TEST(scaled_step, HalvesAndDoubles) {
  step.gives({{"Good", {{{1}, 8, 0}, {1}, 1, 3}, {{0}, 8, 1}},
              {"Second", {{{1}, 8, 1}, {1}, 1, 3}, {{0}, 8, 2}},
              {"Third", {{{1}, 8, 2}, {1}, 1, 3}, {{0}, 16, 0}},
              {"EachTime", {{{1}, 8, 0}, {1}, 1, 1}, {{0}, 16, 0}},
              {"AnyWeight", {{{kInfinity, kNan}, 8, 1}, {1, 1}, 1, 3}, {{kInfinity, kNan}, 8, 2}},
              {"Nothing", {{{}, 8, 2}, {}, 1, 3}, {{}, 16, 0}},
              {"Skip", {{{1}, 8, 1}, {kInfinity}, 1, 3}, {{1}, 4, 0}},
              {"SkipBeforeTheThird", {{{1}, 8, 2}, {kInfinity}, 1, 3}, {{1}, 4, 0}}},
             same_scale);
}

TEST(scaled_step, KeepsTheScaleInRange) {
  step.gives({{"Up", {{{1}, 0x1p23f, 2}, {0}, 1, 3}, {{1}, 0x1p24f, 0}},
              {"Ceiling",
               {{{1}, 0x1p24f, 2}, {0}, 1, 3},
               {{1}, 0x1p24f, 0},
               "good_steps begins anew where the scale cannot grow, too"},
              {"Down", {{{1}, 2, 1}, {kInfinity}, 1, 3}, {{1}, 1, 0}},
              {"Floor", {{{1}, 1, 1}, {kInfinity}, 1, 3}, {{1}, 1, 0}}},
             same_scale);
}

TEST(scaled_step, AnyStep) { step.agrees_with(right_step, steps(seed, 58)); }

TEST(scaled_step, RefusesWhatIsNoStep) {
  const Training good{{1, 2}, 4, 1};
  std::vector<Step::Refused> refused = {{"N-SIZE", {good, {1}, 1, 3}},
                                        {"N-SIZE", {good, {1, 1, 1}, 1, 3}},
                                        {"N-SIZE", {good, {}, 1, 3}}};
  const auto unseen = [](float limit) { return std::isfinite(limit) ? "" : "N-NAN"; };
  for (const float scale : {0.0f, 0.5f, 1.5f, 3.0f, -4.0f, 0x1p25f, kInfinity, kNan}) {
    refused.push_back({unseen(scale), {{{1, 2}, scale, 1}, {1, 1}, 1, 3}});
  }
  for (const float rate : {0.0f, -1.0f, kInfinity, kNan}) {
    refused.push_back({unseen(rate), {good, {1, 1}, rate, 3}});
  }
  for (const int interval : {1, 0, -1}) refused.push_back({"", {good, {1, 1}, 1, interval}});
  refused.push_back({"", {{{1, 2}, 4, 0}, {1, 1}, 1, 0}});
  for (const int good_steps : {-1, 3, 4}) {
    refused.push_back({"", {{{1, 2}, 4, good_steps}, {1, 1}, 1, 3}});
  }
  for (Step::Refused skip : std::vector(refused)) {  // also where the step would be a skip
    for (float& gradient : skip.in.b) gradient = kInfinity;
    refused.push_back(skip);
  }
  step.refuses({{"Least", {{{1, 2}, 1, 0}, {1, 1}, 1, 1}, {{0, 1}, 2, 0}},
                {"Most", {{{1, 2}, 0x1p24f, 2}, {0, 0}, FLT_TRUE_MIN, 3}, {{1, 2}, 0x1p24f, 0}}},
               refused);
}

}  // namespace
}  // namespace nibble::judge::lab_10_half
