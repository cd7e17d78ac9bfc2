// Lab 27: rows of floats.
#pragma once

#include "cuda_binary.hpp"

#include <cmath>
#include <string_view>

#include "judge/bits.hpp"
#include "judge/product_exercise.hpp"
#include "judge/rows.hpp"

namespace nibble::judge::lab_27_cuda_binary {

using Shapes = std::vector<MatmulShape>;

inline std::size_t words_in(const Rows& c) { return c.rows() * words_of(c.cols); }

inline Bits signs_by_definition(const Rows& c) {
  const std::size_t width = words_of(c.cols) * 32;
  Bits bits(c.rows() * width);
  for (std::size_t at = 0; at < c.x.size(); ++at) {
    bits[at / c.cols * width + at % c.cols] = c.x[at] < 0.0f ? 1 : 0;
  }
  return bits;
}

/// Steps of 1/64 up to 8: sums of up to 2^15 of them are exact in float32, in any order.
inline Rows random_rows(int rows, int cols, std::uint64_t its_seed) {
  Rows c{size_text(rows, cols), cols, {}};
  for (const int code : code_tensor<int>(std::size_t(rows) * cols, its_seed, -512, 511)) {
    c.x.push_back(float(code) / 64.0f);
  }
  return c;
}

inline void expect_signs(Expect& expect, const Rows& c, const Words& got, const Bits& right) {
  const std::size_t width = words_of(c.cols) * 32;
  if (right.size() > 500 && c.cols > 1) Expect::healthy(distinct(right) == 2, "signs all alike");
  const auto suspect = [&](const char* code, std::string_view words, const auto& bit) {
    Bits bits = right;
    for (std::size_t at = 0; at < bits.size(); ++at) bits[at] = bit(at / width, at % width) ? 1 : 0;
    expect.suspect(code, "bits", bits, words);
  };
  const std::size_t cols = std::size_t(c.cols);
  const auto is_right = [&](std::size_t r, std::size_t column) {
    return right[r * width + column] == 1;
  };
  const auto signs = [&](const char* code, std::string_view words, const auto& is_minus) {
    suspect(code, words, [&](std::size_t r, std::size_t column) {
      return column < cols && is_minus(c.row(r)[column]);
    });
  };
  suspect("N-LANES", "lanes without a column leave before the vote", [&](auto r, auto column) {
    const bool is_last = column / 32 == cols / 32 && column / 32 % 32 >= cols % 32;
    return !is_last && is_right(r, column);
  });
  suspect("N-TAIL", "bits behind the last column are 1, and have to be 0",
          [&](auto r, auto column) { return column >= cols || is_right(r, column); });
  if (cols > 1024) {
    suspect("N-TAIL", "each 1024 columns of a row have the bits of its first 1024",
            [&](auto r, auto column) { return is_right(r, column % 1024); });
  }
  expect.suspect("N-LAYOUT", "bits", turned_words(right),
                 "the first column is the highest bit of its word, and has to be the lowest");
  // The rare numbers first: among them alone, the last two answer the same.
  signs("N-NAN", "NaN is taken for -1: sign(NaN) = +1", [](float x) { return !(x >= 0.0f); });
  signs("N-FORMULA", "the sign bit is taken: sign(-0.0) = +1",
        [](float x) { return std::signbit(x); });
  signs("N-FORMULA", "0 is taken for -1: sign(0) = +1", [](float x) { return x <= 0.0f; });
  constexpr const char* kInverted = "a bit is 1 where x < 0, and here where it is not";
  suspect("N-FORMULA", kInverted, [&](auto r, auto column) { return !is_right(r, column); });
  signs("N-FORMULA", kInverted, [](float x) { return !(x < 0.0f); });
  signs("N-FORMULA", kInverted, [](float x) { return x > 0.0f; });
  expect.equal("bits", bits_of(got), right, {c.rows(), width});
}

inline const auto packing = kernel_exercise<&pack_signs>(
    [](const Rows& c) { return std::tuple(c.x, out(words_in(c)), int(c.rows()), c.cols); },
    signs_by_definition, expect_signs);

// By hand, in whole words and in less; one bit of a word each,
// so that no order of bits but one is right.
inline std::vector<Rows> hand_signs() {
  Reals far(96, 1.0f);
  far[0] = far[33] = far[66] = far[95] = -0.25f;
  return {{"OneColumn", 1, {-1, 1}},
          {"OneOfThree", 3, {5, 4, -3, -2, 1, 0.5f}},
          {"TwoRows", 2, {1, -1, -1, 1}},
          {"Extremes", 6, {kInfinity, -kInfinity, -0x1p-149f, 0x1p-149f, -3e38f, 3e38f}},
          {"ThreeWords", 96, far}};
}

// One less than, as many as and one more than a word, two, and a warp's 32 of them; primes. Few
// rows, and more than a block has warps.
inline std::vector<Rows> every_row(std::uint64_t (*seeds)(std::uint64_t)) {
  std::vector<Rows> cases;
  for (const int cols : {1, 2, 31, 32, 33, 63, 64, 65, 127, 257, 992, 1023, 1024, 1025, 2053}) {
    cases.push_back(random_rows(3, cols, seeds(cols)));
  }
  for (const int rows : {1, 7, 8, 9, 33, 67}) cases.push_back(random_rows(rows, 45, seeds(rows)));
  return cases;
}

// Less than a word, tails, and more than 32 words; then what is counted.
inline const std::vector<std::pair<int, int>> kCountedRows = {{9, 1100}, {16, 1024}};

inline std::vector<Rows> counted_rows() {
  std::vector<Rows> cases;
  for (const auto& [rows, cols] : kCountedRows) {
    cases.push_back(random_rows(rows, cols, counted_seed(rows)));
  }
  return cases;
}

inline std::vector<Rows> watched_rows() {
  std::vector<Rows> cases = {random_rows(3, 5, seed(1)), random_rows(9, 70, seed(2)),
                             random_rows(2, 1057, seed(3))};
  for (const Rows& c : counted_rows()) cases.push_back(c);
  return cases;
}

}  // namespace nibble::judge::lab_27_cuda_binary
