// Lab 16, pack_int4: what is right, and what people write instead.
#pragma once

#include "cpu_int4_gemv.hpp"

#include <string>

#include "checks/16_cpu_int4_gemv/gemv_int8.hpp"
#include "checks/16_cpu_int4_gemv/unpack_int4.hpp"
#include "checks/16_cpu_int4_gemv/values.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/named_case.hpp"
#include "judge/speed.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {

inline std::string shape_text(Int4Shape s) {
  return std::to_string(s.n) + "x" + std::to_string(s.k) + "/" + std::to_string(s.group_size);
}

/// Codes [n,k], scales [n, k/group_size], and the contract's formula for their places.
struct Weights {
  Int4Shape shape;
  Codes w;
  Reals scales;
  static constexpr std::array names{"n", "k", "group_size", "codes", "scales"};

  std::size_t groups() const { return std::size_t(shape.k / shape.group_size); }
  std::size_t base(int j, int p) const {
    return (std::size_t(j / 16) * groups() + std::size_t(p / shape.group_size)) *
           (64 + 8 * std::size_t(shape.group_size));
  }
  std::size_t byte_of(int j, int p) const {
    return base(j, p) + std::size_t(64 + 64 * (p % shape.group_size / 8) + 4 * (j % 16) + p % 4);
  }
  std::size_t scale_of(int j, int group) const {
    return base(j, group * shape.group_size) + std::size_t(4 * (j % 16));
  }
};

inline Bytes packed_by_definition(const Weights& c) {
  const auto [n, k, group_size] = c.shape;
  Bytes packed(packed_int4_size(c.shape), 0x88);
  const int padded = (n + 15) / 16 * 16;
  for (int j = 0; j < padded; ++j) {
    for (int group = 0; group < int(c.groups()); ++group) {
      const float scale = j < n ? c.scales[std::size_t(j) * c.groups() + std::size_t(group)] : 0.0f;
      std::memcpy(&packed[c.scale_of(j, group)], &scale, 4);
    }
    for (int p = 0; p < k && j < n; ++p) {
      const int nibble = c.w[count_of(j, k) + std::size_t(p)] + 8, shift = p % 8 < 4 ? 0 : 4;
      std::uint8_t& byte = packed[c.byte_of(j, p)];
      byte = static_cast<std::uint8_t>((byte & ~(15 << shift)) | nibble << shift);
    }
  }
  return packed;
}

/// Codes as unpack_int4 reads them. Half of the last byte may mean nothing, and is not 0.
inline Bytes in_nibbles(const Codes& codes) {
  Bytes q4((codes.size() + 1) / 2, 0xA0);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const int shift = i % 2 == 0 ? 0 : 4;
    q4[i / 2] = static_cast<std::uint8_t>((q4[i / 2] & ~(15 << shift)) | (codes[i] & 15) << shift);
  }
  return q4;
}

inline Named<Weights> random_weights(Int4Shape shape, Seed seed_of) {
  const std::uint64_t salt =
      std::uint64_t(shape.n) << 40 ^ std::uint64_t(shape.k) << 20 ^ std::uint64_t(shape.group_size);
  return {shape_text(shape),
          {shape, code_tensor<std::int8_t>(count_of(shape.n, shape.k), seed_of(salt), -8, 7),
           uniform_tensor(count_of(shape.n, shape.k / shape.group_size), seed_of(salt + 1), 0.001f,
                          0.02f)}};
}

/// The upper left corner: the first n rows, the first groups of each.
inline Weights crop(const Weights& c, int n, int groups) {
  const int k = groups * c.shape.group_size;
  return {{n, k, c.shape.group_size},
          corner(c.w, c.shape.k, n, k),
          corner(c.scales, std::ptrdiff_t(c.groups()), n, groups)};
}

inline std::vector<Named<Weights>> smaller(const Named<Weights>& c) {
  std::vector<Named<Weights>> all;
  for (const auto [m, n, groups] : smaller_shapes({1, c.shape.n, int(c.groups())})) {
    const Weights less = crop(c, n, groups);
    all.push_back({shape_text(less.shape), less});
  }
  return all;
}

struct Parts {
  std::vector<int> nibbles;
  Reals scales;
};

/// Of rows [begin, end), read back from where the contract puts them.
inline Parts parts_of(const Weights& c, const Bytes& packed, int begin, int end) {
  Parts parts;
  for (int j = begin; j < end; ++j) {
    for (int p = 0; p < c.shape.k; ++p) {
      parts.nibbles.push_back(packed[c.byte_of(j, p)] >> (p % 8 < 4 ? 0 : 4) & 15);
    }
    for (int group = 0; group < int(c.groups()); ++group) {
      parts.scales.push_back(0);
      std::memcpy(&parts.scales.back(), &packed[c.scale_of(j, group)], 4);
    }
  }
  return parts;
}

/// What the nibbles would be if code p of a row came from code p ^ other.
inline std::vector<int> nibbles_exchanged(Weights c, std::size_t other) {
  const Codes w = c.w;
  for (std::size_t at = 0; at < w.size(); ++at) c.w[at] = w[at ^ other];  // k is a multiple of 32
  return parts_of(c, packed_by_definition(c), 0, c.shape.n).nibbles;
}

inline auto packing(void (*look)(Expect&, const Named<Weights>&, const Bytes& got,
                                 const Bytes& right)) {
  return kernel_exercise<&pack_int4>(
      [](const Named<Weights>& c) {
        return std::tuple(in_nibbles(c.w), c.scales, out(packed_int4_size(c.shape)), c.shape);
      },
      packed_by_definition, look);
}

inline std::vector<Named<Weights>> random_weights(const std::vector<Int4Shape>& shapes,
                                                  Seed seed_of) {
  return each_of(shapes, [&](Int4Shape shape) { return random_weights(shape, seed_of); });
}

/// What is wrong with a call: the shape, how much longer a list is than it should be, a scale.
struct Bad {
  const char* what;
  Int4Shape shape{2, 64, 32};
  int more_codes = 0, more_packed = 0, more_results = 0, more_scales = 0;
  float scale = 1.0f;

  const char* code() const { return scale == 1.0f ? "N-SIZE" : "N-DIV0"; }
  std::string text() const {
    return std::string(what) + " (" + shape_text(shape) + ", scale " + show_value(scale) + ")";
  }
  std::size_t n() const { return std::size_t(std::abs(shape.n)); }
  std::size_t k() const { return std::size_t(std::abs(shape.k)); }
  /// Sizes that would fit if the shape were legal, as far as anything can be said.
  std::size_t packed() const {
    const std::size_t fits = shape.group_size < 1         ? 320
                             : shape.n < 0 || shape.k < 0 ? 0
                                                          : packed_int4_size(shape);
    return fits + std::size_t(more_packed);
  }
};

/// What no function of packed weights takes, and more of them.
inline std::vector<Bad> bad_calls(const std::vector<Bad>& more) {
  std::vector<Bad> all{{"no group_size", {1, 32, 0}},
                       {"a negative group_size", {1, 32, -32}},
                       {"groups of 16", {1, 32, 16}},
                       {"groups that are no multiple of 32", {1, 48, 48}},
                       {"a group_size beyond 2^20", {1, (1 << 20) + 32, (1 << 20) + 32}},
                       {"half a group", {1, 96, 64}},
                       {"a negative n", {-1, 0, 32}},
                       {"a negative k", {0, -32, 32}},
                       {.what = "64 packed bytes too few", .more_packed = -64},
                       {.what = "64 packed bytes too many", .more_packed = 64}};
  all.insert(all.end(), more.begin(), more.end());
  for (const float scale : kUnusableScales) all.push_back({.what = "a scale", .scale = scale});
  return all;
}

}  // namespace nibble::judge::lab_16_cpu_int4_gemv
