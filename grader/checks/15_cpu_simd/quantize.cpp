// Lab 15, quantize: the checks.
#include "checks/15_cpu_simd/quantize.hpp"

#include "judge/speed.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_15_cpu_simd {
namespace {

// Two short lists with fractions: what vectors leave is rounded by itself, right or wrong.
TEST(quantize, RoundsToNearest) {
  quantizing.is_right({{"Empty", {{}, 1}},
                       {"Whole", {{1, -1, 0, 100, -0.0f}, 1}},
                       {"Quarters", {{1, -2.6f, 0, 20, 0.45f}, 0.25f}},
                       {"LargeScale", {{48, -80, 0, 112, 25}, 16}},
                       repeated("Repeated", 0.5f, {1, 2.3f, -3.1f, 4, 5.4f, -6, 0.2f})});
}

// All 256 ties there are, and the halves beside them that are none.
TEST(quantize, TiesGoToEven) {
  Reals ties;
  for (int q = -128; q < 128; ++q) ties.push_back((static_cast<float>(q) + 0.5f) * 4);
  Reals beside = ties;
  for (std::size_t i = 0; i < beside.size(); ++i) {
    beside[i] = std::nextafter(beside[i], i % 2 == 0 ? kInfinity : -kInfinity);
  }
  quantizing.is_right({{"Few", {{0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 126.5f}, 1}},
                       {"All", {ties, 4}},
                       {"Beside", {beside, 4}}});
}

/// Values whose quotient in float32 rounds onto a tie or off it, where a product with 1 / scale, or
/// a quotient in double, does the other thing.
Values disputed(float scale) {
  Reals all;
  for (int q = -128; q < 127; ++q) {
    float x = (static_cast<float>(q) + 0.5f) * scale;
    for (int step = -2; step < 0; ++step) x = std::nextafter(x, -kInfinity);
    for (int step = 0; step < 5; ++step, x = std::nextafter(x, kInfinity)) {
      if (std::isfinite(x)) all.push_back(x);
    }
  }
  all.resize((all.size() + 63) / 64 * 64);
  return scaled(scale, all);
}

TEST(quantize, RoundsTheQuotient) {
  std::vector<Values> all;
  for (const float scale : {0.1f, 0.023f, 3.0f, 7e-5f, 1e20f, 2e-38f, 0x1.8p127f}) {
    all.push_back(disputed(scale));
  }
  Expect::healthy(by_product(all[0]) != by_quotient(all[0]), "a product gives the same codes");
  for (const float scale : uniform_tensor(5, seed(3), 0.01f, 0.1f)) all.push_back(disputed(scale));
  quantizing.is_right(all);
}

// Just inside the grid and just past it; past int32; a quotient that overflows a float32.
TEST(quantize, StaysOnTheGrid) {
  const Reals past{127,  127.4f, 127.6f, 128,  -128,  -128.4f, -129, 200,
                   -200, 300,    -300,   1000, -1000, 5,       -6,   7};
  const Reals huge{3e9f, -3e9f, 1e20f, -1e20f, FLT_MAX, -FLT_MAX};
  quantizing.is_right({{"Past", {past, 1}},
                       {"Huge", {huge, 1}},
                       repeated("ManyPast", 1, past),
                       repeated("ManyHuge", 1, huge),
                       repeated("Overflowing", 0x1p-100f, {1e20f, -1e20f, FLT_MAX, -1})});
}

TEST(quantize, TakesNanAndInfinity) {
  Reals one_nan(64, 3);
  one_nan[37] = kNan;
  quantizing.is_right({{"Few", {{kNan, kInfinity, -kInfinity, -kNan, 300}, 1}},
                       {"OneNan", {one_nan, 0.5f}},
                       {"AllNan", {Reals(128, kNan), 1}},
                       repeated("Mixed", 2, {1, kInfinity, 3, -kInfinity, 9, kNan, -7})});
}

TEST(quantize, EveryLength) {
  quantizing.is_right(each_of(
      every_length(), [](std::size_t n) { return scaled(0.02f, normal_tensor(n, seed(n))); }));
}

TEST(quantize, RefusesWhatItMust) {
  quantizing.refuses({{"Smallest", {{FLT_MIN, -2 * FLT_MIN}, FLT_MIN}},
                      {"Largest", {{FLT_MAX, -FLT_MAX}, FLT_MAX}}},
                     bad_lists(quantizing, Reals{1, 2}));
}

/// To draw as much anew in every round would take longer than all that is measured.
TEST(quantize, Speed) {
  constexpr std::size_t count = 1 << 19;
  Reals x = FreshData().uniform(count, -3, 3);
  speed<&quantize>({.zero_at = 0.15, .full_at = 0.45, .operations = 0, .bytes = 5.0 * count},
                   [&](FreshData& fresh) {
                     const auto one = [&] { return fresh.uniform(-3, 3); };
                     return std::tuple(kept_but_some(x, fresh, one), fresh_scale(fresh),
                                       out(count));
                   });
}

}  // namespace
}  // namespace nibble::judge::lab_15_cpu_simd
