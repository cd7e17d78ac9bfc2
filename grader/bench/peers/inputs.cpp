#include "inputs.hpp"

namespace nibble::peers {
namespace {

/// SplitMix64.
class Random {
 public:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }

  std::int8_t code() {
    const std::uint64_t bits = next();
    if (bits >> 62 == 0) return bits & 1 ? 127 : -128;
    return static_cast<std::int8_t>(bits);
  }

  /// In [-1, 1).
  float real() { return float(next() >> 40) * 0x1p-23f - 1.0f; }

 private:
  std::uint64_t state_ = 2026;
};

std::span<std::int8_t> codes(InheritedArena& arena, Random& random, std::size_t count) {
  const auto all = arena.take<std::int8_t>(count);
  for (std::int8_t& code : all) code = random.code();
  return all;
}

std::span<float> reals(InheritedArena& arena, Random& random, std::size_t count, float times,
                       float plus) {
  const auto all = arena.take<float>(count);
  for (float& x : all) x = random.real() * times + plus;
  return all;
}

/// The oracle: int32 sums of int8 products, as one writes them.
void multiply(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
              std::span<std::int32_t> c, MatmulShape shape, int shift) {
  const auto [m, n, k] = shape;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      std::int32_t sum = 0;
      for (int p = 0; p < k; ++p) {
        sum += a[std::size_t(i) * k + p] * (b_t[std::size_t(j) * k + p] >> shift);
      }
      c[std::size_t(i) * n + j] = sum;
    }
  }
}

}  // namespace

Posed pose_product(InheritedArena& arena, MatmulShape shape) {
  const auto [m, n, k] = shape;
  Random random;
  const auto a = codes(arena, random, std::size_t(m) * k);
  const auto b_t = codes(arena, random, std::size_t(n) * k);
  // Scales near 1 / (k * 128): outputs of a size that a next layer would take.
  const float scale = 0x1p-7f / float(k);
  Posed posed;
  posed.problem = {.shape = shape,
                   .a = a.data(),
                   .b_t = b_t.data(),
                   .scale = reals(arena, random, n, 0.5f * scale, scale).data(),
                   .bias = reals(arena, random, n, 1.0f, 0.0f).data()};
  const auto sums = arena.take<std::int32_t>(std::size_t(m) * n);
  multiply(a, b_t, sums, shape, 0);
  posed.sums = sums.data();
  if (m == 1) {
    const auto int4_sums = arena.take<std::int32_t>(std::size_t(n));
    multiply(a, b_t, int4_sums, shape, 4);
    posed.int4_sums = int4_sums.data();
  }
  return posed;
}

Posed pose_conversion(InheritedArena& arena, std::int64_t count) {
  Random random;
  Posed posed;
  posed.problem = {.count = count,
                   .x = reals(arena, random, std::size_t(count), 1.0f, 0.0f).data(),
                   .q = codes(arena, random, std::size_t(count)).data(),
                   .x_scale = 1.0f / 120.0f};  // some values are clamped
  return posed;
}

}  // namespace nibble::peers
