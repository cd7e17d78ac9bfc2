// Lab 11, quantize_mx: the checks.
#include "checks/11_fp8/quantize_mx.hpp"

namespace nibble::judge::lab_11_fp8 {
namespace {

MxTensor blocks_of(const Blocks::Arguments& in) {
  const int top = top_of(format_of(in.b));
  return in_blocks(in, [&](std::span<const float> v) { return std::ilogb(amax_of(v)) - top; });
}

void gives_blocks(const std::vector<Blocks::Row>& rows) { blocks.gives(rows, same_blocks); }

TEST(quantize_mx, FollowsTheFormula) {
  gives_blocks(
      {{"One", {{1}, kE4m3}, {{0x78}, {119}}},
       {"StepOne",
        {{256, -448, 17.000002f, 17.5f, 5}, kE4m3},
        {{0x78, 0xFE, 0x59, 0x59, 0x4A}, {127}}},
       {"Small",
        {{3, -1.5f, 0.1f, 0.02f, -0.004f}, kE4m3},
        {{0x7C, 0xF4, 0x55, 0x42, 0xB0}, {120}}},
       {"BelowZero", {{0.003f, -0.75f, 0.011f}, kE4m3}, {{0x3C, 0xFC, 0x4B}, {118}}},
       {"OneInE5m2", {{1}, kE5m2}, {{0x78}, {112}}},
       {"StepOneInE5m2", {{32768, -57344, 17, 5}, kE5m2}, {{0x78, 0xFB, 0x4C, 0x45}, {127}}},
       {"SmallInE5m2",
        {{3, -1.5f, 0.1f, 0.02f, -0.004f}, kE5m2},
        {{0x7A, 0xF6, 0x66, 0x5D, 0xD4}, {113}}},
       {"Nothing", {{}, kE4m3}, {{}, {}}}});
}

// The float below a power of two has a logarithm that a float32 rounds to a whole number.
TEST(quantize_mx, TakesTheWholeExponent) {
  gives_blocks({{"Between", {{1.75f, -1.25f}, kE4m3}, {{0x7E, 0xFA}, {119}}},
                {"PowerOfTwo", {{16, 5}, kE4m3}, {{0x78, 0x6A}, {123}}},
                {"BelowIt",
                 {{0x1.FFFFFEp3f, 5}, kE4m3},
                 {{0x7E, 0x72}, {122}},
                 "e is rounded down, even where the largest value saturates"},
                {"SmallPower", {{0x1p-20f}, kE4m3}, {{0x78}, {99}}},
                {"BelowASmallOne", {{0x1.FFFFFEp-21f, 0x5p-23f}, kE4m3}, {{0x7E, 0x7A}, {98}}},
                {"BelowALargeOne", {{0x1.FFFFFEp99f, 0x5p96f}, kE5m2}, {{0x7B, 0x75}, {211}}}});
}

TEST(quantize_mx, SaturatesTheLargest) {
  gives_blocks(
      {{"Tie", {{1.8125f, -1.8f, 0.3f}, kE4m3}, {{0x7E, 0xFE, 0x6A}, {119}}},
       {"Beyond", {{1.9f, 1.7f, -1.99f, 0.3f}, kE4m3}, {{0x7E, 0x7E, 0xFE, 0x6A}, {119}}},
       {"TieInE5m2", {{1.875f, -1.8f, 0.3f}, kE5m2}, {{0x7B, 0xFB, 0x71}, {112}}},
       {"BeyondInE5m2", {{1.9f, 1.7f, -1.99f, 0.3f}, kE5m2}, {{0x7B, 0x7B, 0xFB, 0x71}, {112}}}});
}

TEST(quantize_mx, EveryBlockByItself) {
  Reals two(64, 1);
  std::fill(two.begin() + 32, two.end(), -24.0f);
  Reals tail(34, 0.5f);
  tail[31] = 3;
  tail[33] = -6;
  Codes codes_of_two(64, 0x78), codes_of_tail(34, 0x68);
  std::fill(codes_of_two.begin() + 32, codes_of_two.end(), std::uint8_t{0xFC});
  codes_of_tail[31] = 0x7C;
  codes_of_tail[32] = 0x60;
  codes_of_tail[33] = 0xFC;
  gives_blocks({{"Two", {two, kE4m3}, {codes_of_two, {119, 123}}},
                {"Quieter",
                 {{two.rbegin(), two.rend()}, kE4m3},
                 {{codes_of_two.rbegin(), codes_of_two.rend()}, {123, 119}},
                 "the scale comes from the block's own values, none before them"},
                {"Tail", {tail, kE4m3}, {codes_of_tail, {120, 121}}}});
  blocks.agrees_with(blocks_of, several_blocks(seed, 509), same_blocks);
}

// The smallest scale is 2^-127, which a float32 holds as a subnormal number.
TEST(quantize_mx, ZerosAndTinyValues) {
  Reals zeros_first(33, 0.0f);
  zeros_first[32] = 1;
  Codes codes_of_zeros(33, 0x00);
  codes_of_zeros[32] = 0x78;
  Reals zeros_behind(67, 0.0f), tiny_behind(33, 1.0f);  // behind a block of ones
  std::fill(zeros_behind.begin(), zeros_behind.begin() + 32, 1.0f);
  zeros_behind[32] = -0.0f;
  tiny_behind[32] = 1e-40f;
  gives_blocks({{"Zeros", {{0, -0.0f}, kE4m3}, {{0x00, 0x80}, {0}}},
                {"ZerosBefore", {zeros_first, kE4m3}, {codes_of_zeros, {0, 119}}},
                {"ScaleOne", {{0x1p-118f, 0x1p-119f}, kE4m3}, {{0x78, 0x70}, {1}}},
                {"LastScale",
                 {{0x1p-119f, -0x1p-125f}, kE4m3},
                 {{0x78, 0xC8}, {0}},
                 "the scale 0 stands for 2^-127, which v[j] is divided by"},
                {"Below", {{0x1p-120f, -0x1p-125f}, kE4m3}, {{0x70, 0xC8}, {0}}},
                {"FarBelow",
                 {{0x1p127f, -FLT_TRUE_MIN}, kE4m3},
                 {{0x78, 0x80}, {246}},
                 "a quotient that is too small for a float keeps its sign"},
                {"BelowInE5m2",
                 {{0x1p-113f, -FLT_TRUE_MIN}, kE5m2},
                 {{0x74, 0x80}, {0}},
                 "0 where e - top + 127 is less, with the top of this format"}});
  blocks.agrees_with(blocks_of,
                     in_both<Blocks::Input>({{"MinusZero", {-0.0f, 0}},
                                             {"ZerosBehind", zeros_behind},
                                             {"TinyBehind", tiny_behind},
                                             {"Subnormal", {0x3p-128f, -0x1p-130f, FLT_TRUE_MIN}},
                                             {"Largest", {FLT_MAX, -1e38f, 1e30f}}}),
                     same_blocks);
}

TEST(quantize_mx, RefusesWhatIsNotFinite) {
  blocks.refuses({{"Finite", {{-448, 1}, kE4m3}, {}}}, not_finite<Blocks::Refused>(), any_answer);
}

}  // namespace
}  // namespace nibble::judge::lab_11_fp8
