// Lab 05, compare_quantization_methods: the checks.
#include "checks/05_per_channel/compare_quantization_methods.hpp"

#include "checks/05_per_channel/quantize_per_group.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_05_per_channel {
namespace {

// One matrix for most of what follows, at 4 bits, so that every scale below is a power of two.
//
//     row 0      -7     0.5    0.4375   0          scale 1       groups of 2:  1     1/16
//     row 1     -1.75   0.125  0      -0.4375      scale 1/4                   1/4   1/16
//
//     squared errors, times 256       row 0             row 1               sum
//     per tensor, scale 1          0  64  49   0     16   4   0  49         182
//     asymmetric, scale 1/2, 6     0   0   1   0     16   4   0   1          22
//     per channel                  0  64  49   0      0   4   0   1         118
//     asymmetric, 1/2 and 1/8      0   0   1   0      0   0   0   1           2
//     per group of 2               0  64   0   0      0   4   0   0          68
const Reals kHand{-7, 0.5f, 0.4375f, 0, -1.75f, 0.125f, 0, -0.4375f};

/// What a row looks at: the other metrics are asked by a check of their own.
MethodResult lost(double mse, double sqnr_db, double bits = 0) {
  return {mse, 0, 0, 0, 0, sqnr_db, 0, bits};
}

/// A matrix of 2x4, and the sums of the squared errors in the order of the results, times `unit`.
Comparing::Row two_by_four(std::string name, const Reals& x, int num_bits, std::int32_t group_size,
                           const std::array<double, 5>& sums, double unit) {
  double power = 0;
  for (const double value : x) power += value * value;
  const double b = num_bits, groups = group_size < 4 ? 4 : 2;
  const auto method = [&](std::size_t at, double bits) {
    const double sum = sums[at] * unit;
    return lost(sum / 8, sum == 0 ? HUGE_VAL : 10 * std::log10(power / sum), b + bits);
  };
  const auto best = static_cast<Method>(std::ranges::min_element(sums) - sums.begin());
  return {std::move(name),
          {x, {2, 4}, num_bits, group_size},
          {method(0, 32.0 / 8), method(1, (32 + b) / 8), method(2, 2 * 32.0 / 8),
           method(3, 2 * (32 + b) / 8), method(4, groups * 32 / 8), best}};
}

/// A group larger than the row is the row: what a group is over the end of it would be worse.
Comparing::Row hand(std::int32_t group_size) {
  const double of_groups = group_size == 2 ? 68 : group_size == 3 ? 117 : 118;
  return two_by_four("Groups" + std::to_string(group_size), kHand, 4, group_size,
                     {182, 22, 118, 2, of_groups}, 0x1p-8);
}

const Comparing::Row kExact = two_by_four("Exact", {105, 0, 105, 105, 0, 105, 0, 0}, 4, 2, {}, 1);

TEST(compare_quantization_methods, MeasuresPerTensor) {
  comparing.gives({hand(2)}, comparing.only({"per_tensor_symmetric.mse"}));
}

TEST(compare_quantization_methods, MeasuresTheAsymmetricWays) {
  comparing.gives({hand(2)},
                  comparing.only({"per_tensor_asymmetric.mse", "per_channel_asymmetric.mse"}));
}

TEST(compare_quantization_methods, GivesEachRowItsScale) {
  comparing.gives({hand(2)}, comparing.only({"per_channel_symmetric.mse"}));
}

TEST(compare_quantization_methods, GivesEachGroupItsScale) {
  Comparing::Row deep = hand(8);
  deep.in.b = {1, 2, 4};
  deep.rule = "the rows are those of the last axis, however many there are";
  comparing.gives({hand(2), hand(8), hand(INT_MAX), deep}, comparing.only({"per_group.mse"}));
}

// Groups of 3 in a row of 4: two in each row, the second one short.
TEST(compare_quantization_methods, CountsTheirBits) {
  Comparing::Row short_groups = hand(3);
  short_groups.rule = "groups end with their row: each row of 4 has two, the second one short";
  comparing.gives({hand(2), short_groups}, comparing.only({"bits_per_element"}));
}

// What is right at 4 bits alone has forgotten to hand num_bits on: one default is 4, another is 8.
// Made as the matrix above is.
TEST(compare_quantization_methods, WorksAtEveryWidth) {
  comparing.gives(
      {two_by_four("ThreeBits", {-3, 0.5f, 0.375f, 0.1875f, -0.75f, 0.125f, 0, -0.1875f}, 3, 2,
                   {565248, 172032, 466944, 57344, 282624}, 0x1p-20),
       two_by_four("EightBits",
                   {-127, 0.5f, 127 * 0x1p-8f, 0.1875f, -31.75f, 0.125f, 0, -127 * 0x1p-10f}, 8, 2,
                   {655121, 134929, 589585, 36881, 278528}, 0x1p-20)},
      comparing.only({"mse", "bits_per_element"}));
}

TEST(compare_quantization_methods, SqnrIsInDecibels) {
  Comparing::Row zeros = two_by_four("Zeros", Reals(8), 4, 2, {}, 1);
  zeros.rule = "mse is 0 here: then sqnr_db is +infinity";
  comparing.gives({hand(2), kExact, zeros,
                   two_by_four("Tiny", {3 * FLT_MIN, -FLT_MIN, 0, 0, 0, 0, 0, 0}, 4, 2, {}, 1)},
                  comparing.only({"sqnr_db"}));
}

TEST(compare_quantization_methods, BestIsTheHighest) {
  const auto is = [](Method best) { return MethodComparison{{}, {}, {}, {}, {}, best}; };
  comparing.gives(
      {hand(2),
       kExact,
       {"Rows",
        {{7, -7, 0.875f, 0.125f}, {2, 2}, 4, 2},
        is(Method::kPerChannelSymmetric)},  // groups: same
       {"Groups", {{7, -7, 0.875f, 0.125f, 7, -7, 7, -7}, {2, 4}, 4, 2}, is(Method::kPerGroup)}},
      comparing.only({"best"}));
}

// By hand, with a scale of 1: x_hat = {7, 2, -3, 2}, e = {0, 1/2, -1/4, -1/4}, and the mean of x is
// 2. Then nothing lost; and a quarter of the least scale, of which nothing is left.
TEST(compare_quantization_methods, MeasuresAsInLab02) {
  const auto of = [](const MethodResult& right) {
    return MethodComparison{right, {}, {}, {}, {}, {}};
  };
  const double squares = 0.375, variance = 52.875, power = 68.875;
  const MethodResult by_hand{squares / 4,
                             0.25,
                             0.5,
                             squares / variance,
                             10 * std::log10(variance / squares),
                             10 * std::log10(power / squares),
                             67.25 / std::sqrt(power * 66),
                             0};
  const double tiny = FLT_MIN / 4;
  const MethodComparison perfect = of({0, 0, 0, 0, HUGE_VAL, HUGE_VAL, 1, 0});
  comparing.gives(
      {{"ByHand", {{7, 2.5f, -3.25f, 1.75f}, {1, 4}, 4, 4}, of(by_hand)},
       {"Constant",
        {{7, 7}, {1, 2}, 4, 2},
        perfect,
        "mse is 0 here: the error is 0, and decibels are +infinity"},
       {"Zeros",
        {{0, 0}, {1, 2}, 4, 2},
        perfect,
        "both are all zero: there is no error, and the cosine is 1"},
       {"NothingLeft",
        {{FLT_MIN / 4, FLT_MIN / 4}, {1, 2}, 4, 2},
        of({tiny * tiny, tiny, tiny, HUGE_VAL, -HUGE_VAL, 0, 0, 0}),
        "all of x_hat is 0 here, and x is constant: the cosine is 0, the error +infinity"}},
      comparing.only({"per_tensor_symmetric.mae", "per_tensor_symmetric.max_error",
                      "per_tensor_symmetric.relative_error", "per_tensor_symmetric.snr_db",
                      "per_tensor_symmetric.cosine"}));
}

// 8192 errors of 1/2 make a sum of 2048. In float32, 2048 + 2^-14 is 2048: the next 8192 errors, of
// 2^-7, would be lost, one by one; and so would the squares of what is lost.
TEST(compare_quantization_methods, SumsInDouble) {
  Reals x(1 + 8192, 0.5f);
  x.front() = 127;
  x.resize(1 + 2 * 8192, 0x1p-7f);
  const MethodResult right = lost(2048.5 / 16385, 10 * std::log10(18177.5 / 2048.5));
  comparing.gives({{"16385",
                    {x, {1, 16385}, 8, 128},
                    {right, {}, {}, {}, {}, {}},
                    "a float32 sum of 16,385 values drops the small ones: the sum is a double"}},
                  comparing.only({"per_tensor_symmetric.mse", "per_tensor_symmetric.sqnr_db"}));
}

TEST(compare_quantization_methods, RefusesWhatItCannotCompare) {
  comparing.refuses({{"One", {{3}, {1}, 8, 1}, {lost(0, 0, 40), {}, {}, {}, {}, {}}}},
                    {{"N-NAN", {{1, kNan, 2, 3}, {2, 2}, 4, 2}},
                     {"N-OVERFLOW", {{3e38f, -3e38f, 0, 0}, {2, 2}, 4, 2}},
                     {"N-SIZE", {{}, {0, 2}, 4, 2}},
                     {"N-SIZE", {{1, 2, 3, 4}, {2, 3}, 4, 2}},
                     {"N-SIZE", {{1, 2, 3, 4}, {2, 2}, 4, 0}},
                     {"N-RANGE", {{1, 2, 3, 4}, {2, 2}, 9, 2}}},
                    comparing.only({"per_tensor_symmetric.bits_per_element"}));
}

}  // namespace
}  // namespace nibble::judge::lab_05_per_channel
