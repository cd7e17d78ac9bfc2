// Lab 07, quantize_dynamic_rows: the checks.
#include "checks/07_calibration/quantize_dynamic_rows.hpp"

namespace nibble::judge::lab_07_calibration {
namespace {

DynamicRows rows_by_definition(const Dynamic::Arguments& in) {
  if (std::ssize(in.a) % in.b != 0) throw std::invalid_argument("no matrix");
  return rows_with(
      in, [&](std::size_t r) { return max_abs(row_of(in, r)); }, to_even);
}

TEST(quantize_dynamic_rows, ScalePerRow) {
  dynamic.gives(
      {{"OneRow", {{127, 1, -2}, 3}, {{127, 1, -2}, {1}}},
       {"NegativeAmax", {{1, -254, 2}, 3}, {{0, -127, 1}, {2}}},
       {"AmaxAtTheEnd", {{1, -2, -254}, 3}, {{0, -1, -127}, {2}}},
       {"LoudAfterQuiet", {{1, -127, 2, 508, 4, -8}, 3}, {{1, -127, 2, 127, 1, -2}, {1, 4}}},
       {"QuietAfterLoud", {{508, 4, 127, 1}, 2}, {{127, 1, 127, 1}, {4, 1}}},
       {"OneColumn", {{127, -63.5f, 254}, 1}, {{127, -127, 127}, {1, 0.5f, 2}}},
       {"Empty", {Reals{}, 4}, {{}, {}}}},
      scales_first);
}

// In "Quotient" the quotient is a tie in float32, the product with 1 / scale is not.
TEST(quantize_dynamic_rows, RoundsAQuotient) {
  dynamic.gives(
      {{"UpAndDown", {{127, 1.75f, -1.75f, 1.25f}, 4}, {{127, 2, -2, 1}, {1}}},
       {"Ties", {{127, 0.5f, 1.5f, 2.5f, -2.5f, -3.5f}, 6}, {{127, 0, 2, 2, -2, -4}, {1}}},
       {"Quotient",
        {{0.5f, 0.344488174f}, 2},
        {{127, 88}, {0.5f / 127}},
        "x[r,j] is divided by scales[r], a float32"},
       {"QuotientForAScale", {{9}, 1}, {{127}, {9.0f / 127}}}},
      scales_first);
}

TEST(quantize_dynamic_rows, ScaleIsNeverZero) {
  dynamic.gives({{"Zeros", {{0, -0.0f, 127, 1}, 2}, {{0, 0, 127, 1}, {1, 1}}},
                 {"ZerosBehindOthers",
                  {{508, 4, 254, 2, 0, 0, -0.0f, 0, 127, 1}, 2},
                  {{127, 1, 127, 1, 0, 0, 0, 0, 127, 1}, {4, 2, 1, 1, 1}},
                  "a row of zeros has the scale 1, whatever rows it stands among"},
                 {"Tiny", {{3 * FLT_MIN, -FLT_MIN}, 2}, {{3, -1}, {FLT_MIN}}},
                 {"Subnormal", {{FLT_TRUE_MIN, 0, 254, 2}, 2}, {{0, 0, 127, 1}, {FLT_MIN, 2}}},
                 {"Smallest", {{127 * 0x1p-126f, 0}, 2}, {{127, 0}, {0x1p-126f}}}},
                scales_first);
}

TEST(quantize_dynamic_rows, AnyShape) {
  dynamic.agrees_with(rows_by_definition, matrices(seed, 257), scales_first);
}

TEST(quantize_dynamic_rows, RefusesWhatIsNoMatrix) {
  dynamic.refuses({{"Fits", {{127, 1, 254, 2}, 2}, {{127, 1, 127, 1}, {1, 2}}}},
                  {{"N-SIZE", {{1, 2, 3, 4, 5}, 2}},
                   {"N-SIZE", {{1, 2}, 3}},
                   {"N-SIZE", {{1, 2}, 0}},
                   {"N-SIZE", {Reals{}, 0}},
                   {"N-SIZE", {{1, 2}, -1}},
                   {"N-NAN", {{1, 2, kNan, 3}, 2}},
                   {"N-NAN", {{1, 2, 3, kInfinity}, 2}},
                   {"N-NAN", {{-kInfinity, 2}, 2}}});
}

}  // namespace
}  // namespace nibble::judge::lab_07_calibration
