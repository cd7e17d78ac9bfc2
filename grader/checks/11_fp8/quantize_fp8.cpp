// Lab 11, quantize_fp8: the checks.
#include "checks/11_fp8/quantize_fp8.hpp"

namespace nibble::judge::lab_11_fp8 {
namespace {

Fp8Tensor quantized(const Quantizing::Arguments& in) {
  const auto& [x, format] = in;
  const float amax = amax_of(x);
  const float scale = amax == 0 ? 1 : std::max(amax / largest_of(format_of(format)), FLT_MIN);
  return {codes_of_each(x, format, [&](float value) { return value / scale; }), scale};
}

void gives_tensor(const std::vector<Quantizing::Row>& rows) { quantizing.gives(rows, same_tensor); }

TEST(quantize_fp8, FollowsTheFormula) {
  gives_tensor({{"One", {{448}, kE4m3}, {{0x7E}, 1}},
                {"ScaleOne", {{3, -448, 17.5f, 0.1f}, kE4m3}, {{0x44, 0xFE, 0x59, 0x1D}, 1}},
                {"Half", {{8.75f, 224, -1.5f}, kE4m3}, {{0x59, 0x7E, 0xC4}, 0.5f}},
                {"BelowZero", {{1, -2, -7}, kE4m3}, {{0x68, 0xF0, 0xFE}, 0x1p-6f}},
                {"Large", {{0x7p20f, -0x1p20f, 1}, kE4m3}, {{0x7E, 0xE8, 0x00}, 0x1p14f}},
                {"NoPowerOfTwo", {{-1, 0.5f}, kE4m3}, {{0xFE, 0x76}, 1.0f / 448}}});
}

TEST(quantize_fp8, EachFormatHasItsRange) {
  gives_tensor({{"E5m2", {{57344, -1, 3, 19.5f}, kE5m2}, {{0x7B, 0xBC, 0x42, 0x4D}, 1}},
                {"Scaled", {{448, -1, 3}, kE5m2}, {{0x7B, 0xD8, 0x5E}, 0x1p-7f}},
                {"E4m3", {{57344, -128, 384, 2240}, kE4m3}, {{0x7E, 0xB8, 0x44, 0x59}, 128}},
                {"Small", {{7, 0.001f}, kE5m2}, {{0x7B, 0x48}, 0x1p-13f}},
                {"NoPowerOfTwo", {{-1, 0.5f}, kE5m2}, {{0xFB, 0x77}, 1.0f / 57344}}});
}

// In each row the first value makes the scale. Of the others, divided by it in float32, each is a
// tie, or next to one. Times the inverse, times largest / amax, divided by amax and multiplied
// then, or in double, one of them lies on another side.
TEST(quantize_fp8, OneByOneInFloat32) {
  gives_tensor({{"E4m3",
                 {{66, 0x1.116db8p-8f, 0x1.d76db8p-9f, 0x1.b1b6dcp-9f, 0x1.fd2492p-9f}, kE4m3},
                 {{0x7E, 0x0F, 0x0C, 0x0C, 0x0D}, 66.0f / 448}},
                {"E5m2",
                 {{105.5f, 0x1.87db6ep-22f, 0x1.c4249p-22f, 0x1.4b9248p-21f}, kE5m2},
                 {{0x7B, 0x0A, 0x0B, 0x0E}, 105.5f / 57344}}});
  quantizing.agrees_with(quantized, tensors(seed, 509), same_tensor);
}

// The scale of 1e-44 is 0 before it is raised.
TEST(quantize_fp8, ZerosAndTinyValues) {
  gives_tensor({{"Zeros", {{0, -0.0f, 0}, kE4m3}, {{0x00, 0x80, 0x00}, 1}},
                {"Nothing", {{}, kE5m2}, {{}, 1}},
                {"ZeroBesideOthers", {{-0.0f, 448, 0}, kE4m3}, {{0x80, 0x7E, 0x00}, 1}},
                {"SmallestScale", {{448 * FLT_MIN, -FLT_MIN}, kE4m3}, {{0x7E, 0xB8}, FLT_MIN}},
                {"Raised",
                 {{96 * FLT_MIN, -FLT_MIN, 3 * FLT_MIN}, kE4m3},
                 {{0x6C, 0xB8, 0x44}, FLT_MIN},
                 "amax is normal here, and amax / largest is raised to FLT_MIN"},
                {"RaisedE5m2", {{448 * FLT_MIN, -FLT_MIN}, kE5m2}, {{0x5F, 0xBC}, FLT_MIN}},
                {"Subnormal", {{FLT_MIN / 2, FLT_TRUE_MIN}, kE4m3}, {{0x30, 0x00}, FLT_MIN}},
                {"Largest", {{FLT_MAX, -FLT_MAX}, kE4m3}, {{0x7E, 0xFE}, FLT_MAX / 448}}});
  quantizing.agrees_with(
      quantized,
      in_both<Quantizing::Input>({{"MinusZero", {-0.0f}}, {"NextToNothing", {1e-44f, -0.0f}}}),
      same_tensor);
}

TEST(quantize_fp8, RefusesWhatIsNotFinite) {
  quantizing.refuses({{"Finite", {{-448, 1}, kE4m3}, {}}}, not_finite<Quantizing::Refused>(),
                     any_answer);
}

}  // namespace
}  // namespace nibble::judge::lab_11_fp8
