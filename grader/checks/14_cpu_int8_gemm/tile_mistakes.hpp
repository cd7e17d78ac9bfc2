// Lab 14: what mistakes make of tiles of 2 rows by 4 columns, and leave right beside them.
#pragma once

#include "cpu_int8_gemm.hpp"

#include <string_view>

#include "judge/code_rows.hpp"
#include "judge/product_exercise.hpp"

namespace nibble::judge::lab_14_cpu_int8_gemm {

class WrongTiles {
 public:
  WrongTiles(const Product& c, const Sums& right, Expect& expect)
      : m_(c.shape.m), n_(c.shape.n), case_(c), right_(right), expect_(expect) {}

  void suspect_all() {
    if (m_ < 2 || n_ < 4) return;
    suspect("N-LAYOUT", "both rows of a tile are made of the first",
            [&](std::size_t i, std::size_t j) { return right_[i / 2 * 2 * n_ + j]; });
    for (std::size_t one = 1; one < 8; ++one) {
      for (std::size_t other = 0; other < one; ++other) suspect_exchange(one, other);
    }
    for (const std::size_t row : {0, 1}) {
      suspect("N-OVERFLOW", "the sums of one row of a tile are kept in 16 bits",
              [&](std::size_t i, std::size_t j) -> std::int32_t {
                const std::int32_t sum = right_[i * n_ + j];
                return i % 2 == row ? static_cast<std::int16_t>(sum) : sum;
              });
    }
    if (m_ == 2 && n_ == 4) suspect_floats();  // of more, they take longer than they tell
  }

 private:
  template <class SumAt>
  void suspect(const char* code, std::string_view words, const SumAt& sum_at) {
    Sums sums = right_;
    for (std::size_t i = 0; i < m_ / 2 * 2; ++i) {
      for (std::size_t j = 0; j < n_ / 4 * 4; ++j) sums[i * n_ + j] = sum_at(i, j);
    }
    expect_.suspect(code, "c", sums, words);
  }

  static std::size_t place(std::size_t i, std::size_t j) { return i % 2 * 4 + j % 4; }

  void suspect_exchange(std::size_t one, std::size_t other) {
    suspect("N-LAYOUT", "two sums of a tile change places", [&](std::size_t i, std::size_t j) {
      const std::size_t at = place(i, j), from = at == one ? other : at == other ? one : at;
      return right_[(i / 2 * 2 + from / 4) * n_ + j / 4 * 4 + from % 4];
    });
  }

  std::int32_t by_float(std::size_t i, std::size_t j) const {
    const std::size_t k = case_.shape.k;
    float sum = 0;
    for (std::size_t p = 0; p < k; ++p) {
      sum += static_cast<float>(case_.a[i * k + p] * case_.b_t[j * k + p]);
    }
    return sum < 0x1p31f ? static_cast<std::int32_t>(sum) : 0;
  }

  void suspect_floats() {
    Sums floats;
    for (std::size_t at = 0; at < 8; ++at) floats.push_back(by_float(at / 4, at % 4));
    for (std::size_t one = 0; one < 8; ++one) {
      suspect("N-OVERFLOW", "one sum of a tile is kept in a float, which counts exactly to 2^24",
              [&](std::size_t i, std::size_t j) {
                const std::size_t at = place(i, j);
                return at == one ? floats[at] : right_[at];
              });
    }
  }

  std::size_t m_, n_;
  const Product& case_;
  const Sums& right_;
  Expect& expect_;
};

}  // namespace nibble::judge::lab_14_cpu_int8_gemm
