// Lab 24: layers at random.
#pragma once

#include "cuda_fused.hpp"

#include <cmath>

#include "checks/24_cuda_fused/exercise.hpp"
#include "checks/24_cuda_fused/layer.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/product.hpp"
#include "judge/same_function.hpp"

namespace nibble::judge::lab_24_cuda_fused {

/// About half of the outputs are cut by ReLU, and few are too large.
template <auto F>
Layer random_layer(MatmulShape s, std::uint64_t seed) {
  const auto reals = [&](std::size_t count, int salt, float low, float high) {
    return uniform_tensor(count, seed + std::uint64_t(salt), low, high);
  };
  const std::size_t m = std::size_t(s.m), n = std::size_t(s.n), k = std::size_t(s.k);
  const int spread = kMultiplies<F> ? int(5461 * std::sqrt(double(k + 1))) : 20000;
  Layer c{name_of(s), s, {}, {}, {}, reals(1, 2, 0.01f, 0.1f)[0], {}, {}, {}, 0};
  if constexpr (kMultiplies<F>) {
    c.a = code_tensor<std::int8_t>(m * k, seed, -128, 127);
    c.b_t = code_tensor<std::int8_t>(n * k, seed + 1, -128, 127);
    c.acc = sums_of(c.a, c.b_t, s, s.k);
  } else {
    c.acc = code_tensor<std::int32_t>(m * n, seed, -spread, spread);
  }
  const float step = 50.0f / float(spread) / (kMakesCodes<F> ? 1.0f : c.a_scale);
  c.scales = reals(n, 3, 0.5f * step, 1.5f * step);
  if constexpr (kMakesCodes<F>) {
    c.integer_bias = code_tensor<std::int32_t>(n, seed + 4, -spread / 3, spread / 2);
  } else if constexpr (kHasZeroPoints<F>) {
    c.b_zero_points = code_tensor<std::int32_t>(n, seed + 7, -128, 127);
  } else {
    c.real_bias = reals(n, 5, -20, 30);
  }
  c.zero_point = code_tensor<std::int32_t>(1, seed + 6, -128, 20)[0];
  return c;
}

template <auto F>
std::vector<Layer> random_layers(const std::vector<MatmulShape>& shapes,
                                 std::uint64_t (*seeds)(std::uint64_t)) {
  return each_of(
      shapes, [&](MatmulShape s, std::uint64_t at) { return random_layer<F>(s, seeds(8 * at)); });
}

// Nothing; one; every rest of four; one less than, as many as, one more than a warp, four codes
// a lane, a tile of 64; tall and flat; more rows than a thread makes.
inline const std::vector<MatmulShape> kShapes = {
    {0, 4, 0},   {4, 0, 0},   {1, 1, 0},   {1, 4, 0},    {2, 5, 0},   {3, 6, 0},     {5, 7, 0},
    {9, 8, 0},   {7, 31, 0},  {7, 32, 0},  {7, 33, 0},   {2, 127, 0}, {3, 128, 0},   {3, 132, 0},
    {1, 129, 0}, {130, 3, 0}, {257, 4, 0}, {66, 260, 0}, {600, 1, 0}, {131, 131, 0},
};
// k: nothing, one piece, one more and one less than a tile of 32 or 64 codes.
inline const std::vector<MatmulShape> kProducts = {
    {0, 4, 16},   {4, 0, 16},   {2, 3, 0},    {1, 1, 16},   {1, 4, 32},    {3, 5, 48},
    {5, 8, 80},   {33, 2, 16},  {2, 33, 64},  {63, 64, 16}, {64, 63, 32},  {64, 64, 112},
    {65, 66, 48}, {129, 3, 32}, {3, 132, 32}, {70, 65, 96}, {128, 128, 16}};

template <auto F>
std::vector<MatmulShape> all_shapes() {
  return kMultiplies<F> ? kProducts : kShapes;
}

// A shape that no tile divides, and whole tiles of every usual size. Rows enough for a thread that
// keeps what belongs to a channel.
template <auto F>
std::vector<MatmulShape> counted_shapes() {
  if (kMultiplies<F>) return {{45, 72, 48}, {64, 64, 64}};
  return {{130, 76, 0}, {128, 128, 0}};
}

template <auto F>
void check_shapes() {
  layer<F>.is_right(random_layers<F>(all_shapes<F>(), seed));
}

// 16 products pass int16. 2064 pass what a float counts exactly, and as many below 0 lead back to
// the one product of 16 that is left: a float has lost some of them on the way, however many it
// adds at once. And a k that int16 does not hold. The second row is one product, which 8 bits do
// not hold, and 16 do.
template <auto F>
void check_exact_sums() {
  const auto sums = [](const char* name, int up, int down) {
    Layer c{name, {2, 1, up + down + 16}, {}, {}, {}, 1, {1}, {}, {}, -128};
    kMakesCodes<F> ? c.integer_bias.push_back(0) : c.real_bias.push_back(0);
    const auto code = [](int p) { return std::int8_t(p % 7 ? 127 : 126); };
    for (int p = 0; p < up; ++p) c.a.push_back(code(p));
    for (int p = 0; p < down; ++p) c.a.push_back(std::int8_t(-code(p)));
    c.a.push_back(16);
    c.a.resize(2 * std::size_t(c.shape.k));
    c.a[std::size_t(c.shape.k)] = 2;
    c.b_t = Codes(std::size_t(up + down), 127);
    c.b_t.insert(c.b_t.end(), 16, 1);
    c.acc = sums_of(c.a, c.b_t, c.shape, c.shape.k);
    return c;
  };
  layer<F>.is_right(
      {sums("PastInt16", 16, 0), sums("PastFloat", 2064, 2064), sums("LongRows", 16400, 16400)});
}

}  // namespace nibble::judge::lab_24_cuda_fused
