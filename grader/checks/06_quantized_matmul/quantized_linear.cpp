// Lab 06, quantized_linear: the checks.
#include "checks/06_quantized_matmul/quantized_linear.hpp"

namespace nibble::judge::lab_06_quantized_matmul {
namespace {

/// Sums -4, -9 in the first row, 400, -189 in the second.
Running::Arguments two_by_two(const Reals& bias, float y_scale) {
  return {{0.5f, 3, {2, -1, 3, 4}, {0.25f, 1}, bias, y_scale, 130}, {4, 1, 200, 5}, kTwo};
}

// By hand: v = -0.25, -2.25, 25, -47.25; and 4, -8, 12. Then sizes with every tail.
TEST(quantized_linear, GoesFromCodesToCodes) {
  const auto far_apart = [](float x_scale, float w_scale) {
    return Running::Arguments{
        {x_scale, 10, {1}, {w_scale}, {}, 0x1p-28f, 100}, {11, 8, 13}, {3, 1, 1}};
  };
  const OwnedLayer narrow{0.5f, 5, {}, Reals(9, 2.0f), {}, 0.5f, 4};
  running.gives({{"ByHand", two_by_two({}, 2), {130, 128, 155, 83}},
                 {"NoK", {narrow, {}, {2, 9, 0}}, Bytes(18, 4)},
                 {"NoRows", {{0.5f, 5, {1}, {2}, {}, 0.5f, 3}, {}, {0, 1, 1}}, {}},
                 {"LargeAndSmall", far_apart(0x1p100f, 0x1p-126f), {104, 92, 112}, kDivideLast},
                 {"SmallAndLarge", far_apart(0x1p-126f, 0x1p100f), {104, 92, 112}, kDivideLast}});
  running.agrees_with(byte_product, random_layers(seed, kScaledShapes, false), near_bytes);
}

// The codes 0, 127, 128 and 255 from the least zero point, the middle one and the largest; then the
// longest k that any zero point allows, ending at 65793 * 255 * 128 = 2147483520.
TEST(quantized_linear, CodesAreUnsigned) {
  const auto with = [](float x_scale, int zx, int zy) {
    return Running::Arguments{{x_scale, zx, {1}, {1}, {}, 1, zy}, {0, 127, 128, 255}, {4, 1, 1}};
  };
  const I k = 65793;
  running.gives({{"FromZero", with(0.5f, 0, 3), {3, 67, 67, 131}},
                 {"FromTheMiddle", with(1, 128, 128), {0, 127, 128, 255}},
                 {"FromTheTop", with(0.25f, 255, 255), {191, 223, 223, 255}},
                 {"Longest",
                  {{0x1p-20f, 0, Codes(k, -128), {1}, {}, 16, 200}, Bytes(k, 255), {1, 1, int(k)}},
                  {72}}});
}

/// 1524000000 + 1200619520 and -1536000000 - 1200619520 in steps of 2^-20 / 40: 64.96, and -65.25.
/// Who stops at the ends of int32 has 51.2.
Running::Arguments beyond_int32() {
  const I k = 60000;
  Codes w;
  for (I p = 0; p < k; ++p) w.push_back(127), w.push_back(-128);
  return {{0x1p-20f, 0, w, {1, 1}, {1145, -1145}, 40, 100}, Bytes(k, 200), {1, 2, int(k)}};
}

// In the unit of a sum, 1.25 is a tie, 2.5: the sum is -9, and -9 + 2 the answer. A bias that is no
// number adds nothing; one too large for any integer saturates, and the sum with it does not.
TEST(quantized_linear, AddsTheBias) {
  const OwnedLayer none{0.5f, 5, {}, {2, 4, 2, 2}, {6, -9, kNan, kInfinity}, 2, 9};
  running.gives({{"ByHand", two_by_two({16, -2.5f}, 0.5f), {161, 116, 255, 0}},
                 {"ATie", two_by_two({0, 1.25f}, 0.5f), {129, 123, 230, 0}},
                 {"EmptySum", {none, {}, {1, 4, 0}}, {12, 5, 9, 255}},
                 {"BeyondInt32", beyond_int32(), {165, 35}}});
  running.agrees_with(byte_product, random_layers(seed, kScaledShapes, true), near_bytes);
}

// Distances 122, -118, 0 at three scales: past the rails by themselves, only with the zero point,
// and past every integer type.
TEST(quantized_linear, Saturates) {
  const auto with = [](float x_scale, float w_scale, float y_scale, int zy) {
    return Running::Arguments{
        {x_scale, 128, {1}, {w_scale}, {}, y_scale, zy}, {250, 10, 128}, {3, 1, 1}};
  };
  running.gives({{"Scaled", with(2, 1.5f, 1, 3), {255, 0, 3}},
                 {"ByTheZeroPoint", with(1, 1, 1, 200), {255, 82, 200}},
                 {"BackByTheZeroPoint", with(1.5f, 1, 1, 240), {255, 63, 240}},
                 {"Huge", with(1e6f, 1e6f, 1e-3f, 5), {255, 0, 5}}});
}

TEST(quantized_linear, RefusesBadLayers) {
  const Running::Arguments fine = two_by_two({0, 0}, 2);
  std::vector<Running::Refused> refused;
  const auto add = [&](const char* code, const auto& change) {
    refused.push_back({code, fine});
    change(refused.back().in);
  };
  for (const int zero_point : {-1, 256}) {
    add("N-RANGE", [=](auto& in) { in.a.zx = zero_point; });
    add("N-RANGE", [=](auto& in) { in.a.zy = zero_point; });
  }
  refused.push_back({"N-SIZE", fine, /*too_many=*/1});
  add("N-SIZE", [](auto& in) { in.b.push_back(1); });
  add("N-SIZE", [](auto& in) { in.a.w.push_back(1); });
  for (const I size : {1, 3}) {
    add("N-SIZE", [=](auto& in) { in.a.bias.clear(), in.a.w_scales.assign(size, 1); });
    add("N-SIZE", [=](auto& in) { in.a.bias.assign(size, 1); });
  }
  // The last is fine by itself; 0.125 / 3e38 is subnormal.
  for (const float y_scale : {0.0f, -1.0f, kNan, kInfinity, FLT_MIN / 4, 3e38f}) {
    add("N-DIV0", [=](auto& in) { in.a.y_scale = y_scale; });
  }
  for (const ScalePair& bad : kBadScales) {
    add("N-DIV0", [&](auto& in) { in.a.x_scale = bad.a, in.a.w_scales = {bad.other_b, bad.b}; });
  }
  add("N-OVERFLOW", [](auto& in) {
    const I k = 65794;
    in = {{0.5f, 255, Codes(k, 1), {1}, {}, 1, 0}, Bytes(k, 254), {1, 1, int(k)}};
  });
  running.refuses({{"Fine", fine, {130, 128, 155, 83}}}, refused);
}

}  // namespace
}  // namespace nibble::judge::lab_06_quantized_matmul
