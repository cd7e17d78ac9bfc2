// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 13. Written to be read: the obvious loops, and a word on each trap.
// NIBBLE-STUB: // Lab 13. The contract is in binary.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 13        (or leave ./nibble watch open)
// NIBBLE-END
#include "binary.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr double kEvery = -1.0;              // a threshold that every magnitude is above
constexpr int kPlace[] = {1, 3, 9, 27, 81};  // what each of the five digits of a byte is worth

/// In 64 bits: rows * cols of two ints may not fit in an int.
void expects_matrix(std::size_t count, int rows, int cols) {
  NIBBLE_EXPECTS(rows >= 0, rows);
  NIBBLE_EXPECTS(cols >= 0, cols);
  NIBBLE_EXPECTS(count == static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols), count);
}

std::size_t words_of(int cols) { return (static_cast<std::size_t>(cols) + 31) / 32; }

/// The mean of those magnitudes of a row that are above a threshold; 0 if there are none.
double mean_above(std::span<const float> row, double threshold) {
  double sum = 0.0;  // a float would forget small weights beside a large sum
  std::size_t count = 0;
  for (const float weight : row) {
    const double magnitude = std::fabs(weight);
    if (magnitude <= threshold) continue;
    sum += magnitude;
    ++count;
  }
  return count == 0 ? 0.0 : sum / static_cast<double>(count);
}

}  // namespace
// NIBBLE-END

std::vector<std::uint32_t> pack_signs(std::span<const float> x, int rows, int cols) {
  // NIBBLE-BEGIN-SOLUTION
  expects_matrix(x.size(), rows, cols);
  const std::size_t words = words_of(cols);
  std::vector<std::uint32_t> bits(static_cast<std::size_t>(rows) * words);  // zeros: the tail is
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t row = i / cols, column = i % cols;
    // Not signbit(): -0.0 has one, and is not below 0.
    if (x[i] < 0.0f) bits[row * words + column / 32] |= std::uint32_t{1} << (column % 32);
  }
  return bits;
  // NIBBLE-STUB: // 1. Refuse sizes that do not fit together: NIBBLE_EXPECTS(...).
  // NIBBLE-STUB: // 2. How many words has a row? All of them start as zeros.
  // NIBBLE-STUB: // 3. Which word, which bit, and which question about x decides it?
  // NIBBLE-STUB: NIBBLE_TODO("one bit for each sign");
  // NIBBLE-END
}

std::vector<std::int32_t> binary_matmul(std::span<const std::uint32_t> a,
                                        std::span<const std::uint32_t> b_t, MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  const auto [m, n, k] = shape;
  NIBBLE_EXPECTS(0 <= k && k < 1 << 30, k);
  const std::size_t words = words_of(k);
  NIBBLE_EXPECTS(m >= 0 && a.size() == static_cast<std::size_t>(m) * words, a.size());
  NIBBLE_EXPECTS(n >= 0 && b_t.size() == static_cast<std::size_t>(n) * words, b_t.size());

  // Ones for the columns in the last word. Shifted right: a left shift by 32 means nothing.
  const std::uint32_t last = ~std::uint32_t{0} >> ((32 - k % 32) % 32);
  std::vector<std::int32_t> c;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      int differing = 0;
      for (std::size_t w = 0; w < words; ++w) {
        std::uint32_t differs = a[i * words + w] ^ b_t[j * words + w];
        if (w + 1 == words) differs &= last;
        differing += std::popcount(differs);
      }
      c.push_back(k - 2 * differing);  // each takes a +1 away, and puts a -1 there
    }
  }
  return c;
  // NIBBLE-STUB: // 1. Refuse sizes that do not fit together.
  // NIBBLE-STUB: // 2. Work one sum out by hand, for k = 4: what do the bits that differ tell?
  // NIBBLE-STUB: // 3. Which bits of which word must not be counted?
  // NIBBLE-STUB: NIBBLE_TODO("multiply signs by counting");
  // NIBBLE-END
}

BinaryWeights binarize_weights(std::span<const float> w, int rows, int cols) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(cols >= 1, cols);
  BinaryWeights result{pack_signs(w, rows, cols), {}};
  expects_finite(w);
  for (std::size_t first = 0; first < w.size(); first += cols) {
    result.alpha.push_back(static_cast<float>(mean_above(w.subspan(first, cols), kEvery)));
  }
  return result;
  // NIBBLE-STUB: // The bits are another function's. Of which weights is alpha[r] the mean?
  // NIBBLE-STUB: NIBBLE_TODO("keep the signs, and one scale a row");
  // NIBBLE-END
}

TernaryWeights ternarize(std::span<const float> w, int rows, int cols) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(cols >= 1, cols);
  expects_matrix(w.size(), rows, cols);
  expects_finite(w);
  TernaryWeights result;
  for (std::size_t first = 0; first < w.size(); first += cols) {
    const std::span<const float> row = w.subspan(first, cols);
    const double threshold = 0.7 * mean_above(row, kEvery);
    for (const float weight : row) {
      result.trits.push_back(weight > threshold ? 1 : weight < -threshold ? -1 : 0);
    }
    result.alpha.push_back(static_cast<float>(mean_above(row, threshold)));
  }
  return result;
  // NIBBLE-STUB: // For each row: 1. its threshold  2. its trits  3. the mean of what was kept.
  // NIBBLE-STUB: // Which of the three is in trouble in a row of zeros?
  // NIBBLE-STUB: NIBBLE_TODO("minus, nothing or plus for each weight, and one scale a row");
  // NIBBLE-END
}

std::vector<std::uint8_t> pack_ternary(std::span<const std::int8_t> trits) {
  // NIBBLE-BEGIN-SOLUTION
  for (const int trit : trits) NIBBLE_EXPECTS(-1 <= trit && trit <= 1, trit);
  std::vector<std::uint8_t> bytes((trits.size() + 4) / 5);
  for (std::size_t i = 0; i < 5 * bytes.size(); ++i) {
    const int trit = i < trits.size() ? trits[i] : 0;  // behind the end a 0, which is digit 1
    bytes[i / 5] += static_cast<std::uint8_t>((trit + 1) * kPlace[i % 5]);
  }
  return bytes;
  // NIBBLE-STUB: // 1. Refuse what is no trit.  2. What is each of the five digits worth?
  // NIBBLE-STUB: // 3. What stands in the last byte, where there are no trits left?
  // NIBBLE-STUB: NIBBLE_TODO("five trits a byte");
  // NIBBLE-END
}

std::vector<std::int8_t> unpack_ternary(std::span<const std::uint8_t> bytes, int count) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(count >= 0, count);
  NIBBLE_EXPECTS(bytes.size() == (static_cast<std::size_t>(count) + 4) / 5, bytes.size());
  for (const int byte : bytes) NIBBLE_EXPECTS(byte < 243, byte);
  std::vector<std::int8_t> trits;
  for (int i = 0; i < count; ++i) {
    trits.push_back(static_cast<std::int8_t>(bytes[i / 5] / kPlace[i % 5] % 3 - 1));
  }
  return trits;
  // NIBBLE-STUB: // 1. Refuse: the count, the number of bytes, and every byte that is no code.
  // NIBBLE-STUB: // 2. How do you get one digit of a number in base ten? And in base three?
  // NIBBLE-STUB: NIBBLE_TODO("trits from bytes");
  // NIBBLE-END
}

}  // namespace nibble
