// Lab 03, symmetric_scale: the checks.
#include "checks/03_symmetric/symmetric_scale.hpp"

namespace nibble::judge::lab_03_symmetric {
namespace {

// The largest magnitude stands first, in the middle and last; above zero and below.
TEST(symmetric_scale, AmaxOverQmax) {
  scaling.gives(
      {{"Last",
        {{1, -1, 254}, 8},
        2.0f,
        "scale = max |x[i]| / qmax, and qmax is 2^(num_bits - 1) - 1"},
       {"BelowZero", {{31, -63.5f, 2}, 8}, 0.5f, "amax is a magnitude: -63.5 is larger than 31"},
       {"First", {{14, -7, 3}, 4}, 2.0f, "four bits have qmax = 7"},
       {"AllBelowZero", {{-1, -1.75f, -0.5f}, 4}, 0.25f},
       {"TwoBits", {{-4, 3, 2}, 2}, 4.0f},
       {"OneValue", {{-24}, 3}, 8.0f},
       {"OneDivision",
        {{5, -1}, 3},
        5.0f / 3,
        "amax / qmax is one float32 division, not a product with 1 / qmax"},  // 5 * (1 / 3.0f) is another float
       {"Large", {{0, 0x1p120f * 127, 0}, 8}, 0x1p120f}});
}

TEST(symmetric_scale, ScaleIsNeverZero) {
  scaling.gives({{"AllZero", {{0, -0.0f, 0}, 8}, 1.0f, "where amax is 0 the scale is 1"},
                 {"Empty", {Reals{}, 8}, 1.0f},
                 {"Small",
                  {{0, 127 * 0x1p-100f, 0}, 8},
                  0x1p-100f,
                  "amax / qmax is normal here, and stays as it is"},
                 {"BelowTheFloor",
                  {{3 * FLT_MIN, -FLT_MIN, 0}, 8},
                  FLT_MIN,
                  "a scale below FLT_MIN is raised to FLT_MIN"},
                 {"Subnormal",
                  {{0, FLT_TRUE_MIN}, 4},
                  FLT_MIN,
                  "amax is not 0 here, and amax / qmax is below FLT_MIN"}});
}

TEST(symmetric_scale, RefusesWhatHasNoRange) {
  scaling.refuses({{"TwoBits", {{2, -4}, 2}, 4.0f}, {"EightBits", {{2, -254}, 8}, 2.0f}},
                  without_a_range<&symmetric_scale>());
}

}  // namespace
}  // namespace nibble::judge::lab_03_symmetric
