// Lab 15, dequantize: the checks.
#include "checks/15_cpu_simd/dequantize.hpp"

#include "judge/speed.hpp"

namespace nibble::judge::lab_15_cpu_simd {
namespace {

// Two short lists: what vectors leave is multiplied by itself, right or wrong.
TEST(dequantize, MultipliesByTheScale) {
  dequantizing.is_right({{"Empty", {{}, 1}},
                         {"Quarters", {{-128, -1, 0, 127, 2}, 0.25f}},
                         {"Halves", {{3, -128, 1}, 0.5f}},
                         {"EveryCode", {every_code(), 0.1f}},
                         {"Smallest", {every_code(), FLT_MIN}},
                         {"Overflowing", {every_code(), 0x1p126f}}});
}

TEST(dequantize, EveryLength) { dequantizing.is_right(codes_of_every_length(0.02f)); }

TEST(dequantize, RefusesWhatItMust) {
  dequantizing.refuses({{"Smallest", {{1, -2}, FLT_MIN}}}, bad_lists(dequantizing, Codes{1, 2}));
}

TEST(dequantize, Speed) {
  constexpr std::size_t count = 1 << 19;
  speed<&dequantize>({.zero_at = 0.1, .full_at = 0.3, .operations = 0, .bytes = 5.0 * count},
                     [](FreshData& fresh) {
                       return std::tuple(fresh.codes<std::int8_t>(count, -128, 127),
                                         fresh_scale(fresh), out(count));
                     });
}

}  // namespace
}  // namespace nibble::judge::lab_15_cpu_simd
