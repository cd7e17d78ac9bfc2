// What is different here: every word is built and eaten from its highest bit down, every byte from
// its highest digit (Horner's rule); agreements are counted instead of differences, 64 bits at a
// time; and sums are kept in long double.
#include "binary.hpp"

namespace nibble {
namespace {

template <class T>
T expect_that(bool holds, T value, const char* what) {
  if (!holds) throw std::invalid_argument(what);
  return value;
}

/// `count` elements are `rows` rows. By division, so that no product can overflow.
void expect_rows(std::size_t count, int rows, std::size_t row_size) {
  expect_that(rows >= 0, rows, "fewer than no rows");
  const bool fits =
      row_size == 0 ? count == 0 : count % row_size == 0 && count / row_size == std::size_t(rows);
  expect_that(fits, count, "so many elements are not that many rows");
}

std::size_t size_of(int cols) {
  return static_cast<std::size_t>(expect_that(cols >= 0, cols, "fewer than no columns"));
}

std::size_t in_parts(std::size_t count, std::size_t of) { return count / of + (count % of != 0); }

std::span<const float> row_of(std::span<const float> w, std::size_t row, int cols) {
  return w.subspan(row * size_of(cols), size_of(cols));
}

/// The sum of the magnitudes above `low`, and how many they are. NaN and infinities are refused.
std::pair<long double, int> sum_above(std::span<const float> row, double low) {
  std::pair<long double, int> kept{0.0L, 0};
  for (const float x : row) {
    expect_that(!std::isnan(x) && !std::isinf(x), x, "not finite");
    if (x > low) kept = {kept.first + x, kept.second + 1};
    if (x < -low) kept = {kept.first - x, kept.second + 1};
  }
  return kept;
}

/// How many of the first k bits of two rows agree.
std::int64_t agreeing(const std::uint32_t* a, const std::uint32_t* b, std::size_t k) {
  std::int64_t sum = 0;
  for (; k >= 64; k -= 64, a += 2, b += 2) {
    const std::uint64_t both = std::uint64_t{a[0] ^ b[0]} << 32 | (a[1] ^ b[1]);
    sum += std::popcount(~both);
  }
  for (; k > 0; ++a, ++b) {
    const std::size_t columns = std::min<std::size_t>(k, 32);
    // Pushing the tail out of the word at its high end leaves zeros: those agree with nothing.
    sum += std::popcount(~(*a ^ *b) << (32 - columns));
    k -= columns;
  }
  return sum;
}

}  // namespace

std::vector<std::uint32_t> pack_signs(std::span<const float> x, int rows, int cols) {
  const std::size_t columns = size_of(cols), words = in_parts(columns, 32);
  expect_rows(x.size(), rows, columns);
  std::vector<std::uint32_t> bits;
  for (std::size_t word = 0; word < words * std::size_t(rows); ++word) {
    const std::size_t first = word % words * 32;
    std::uint32_t built = 0;
    for (std::size_t c = std::min(first + 32, columns); c-- > first;) {
      built = built << 1 | std::uint32_t{std::isless(x[word / words * columns + c], 0.0f)};
    }
    bits.push_back(built);
  }
  return bits;
}

std::vector<std::int32_t> binary_matmul(std::span<const std::uint32_t> a,
                                        std::span<const std::uint32_t> b_t, MatmulShape shape) {
  expect_that(shape.k >> 30 == 0, shape.k, "k is no number of 30 bits");
  const std::size_t k = size_of(shape.k), words = in_parts(k, 32);
  expect_rows(a.size(), shape.m, words);
  expect_rows(b_t.size(), shape.n, words);
  std::vector<std::int32_t> c(size_of(shape.m) * size_of(shape.n));
  for (std::size_t at = 0; at < c.size(); ++at) {
    const std::size_t i = at / size_of(shape.n), j = at % size_of(shape.n);
    const std::int64_t agree = agreeing(a.data() + i * words, b_t.data() + j * words, k);
    c[at] = static_cast<std::int32_t>(2 * agree - shape.k);
  }
  return c;
}

BinaryWeights binarize_weights(std::span<const float> w, int rows, int cols) {
  expect_that(cols >= 1, cols, "a mean of nothing");
  expect_rows(w.size(), rows, size_of(cols));
  std::vector<float> alpha(size_of(rows));
  for (std::size_t r = 0; r < alpha.size(); ++r) {
    alpha[r] = static_cast<float>(double(sum_above(row_of(w, r, cols), 0.0).first) / cols);
  }
  return {pack_signs(w, rows, cols), alpha};
}

TernaryWeights ternarize(std::span<const float> w, int rows, int cols) {
  expect_that(cols >= 1, cols, "a mean of nothing");
  expect_rows(w.size(), rows, size_of(cols));
  TernaryWeights result{std::vector<std::int8_t>(w.size()), std::vector<float>(size_of(rows))};
  for (std::size_t r = 0; r < result.alpha.size(); ++r) {
    const auto row = row_of(w, r, cols);
    const double mean = double(sum_above(row, 0.0).first) / cols, low = 0.7 * mean;
    const auto [sum, kept] = sum_above(row, low);
    if (kept > 0) result.alpha[r] = static_cast<float>(double(sum) / kept);
    for (std::size_t c = 0; c < row.size(); ++c) {
      const bool is_small = -low <= row[c] && row[c] <= low;
      result.trits[r * row.size() + c] = is_small ? 0 : std::signbit(row[c]) ? -1 : 1;
    }
  }
  return result;
}

std::vector<std::uint8_t> pack_ternary(std::span<const std::int8_t> trits) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t first = 0; first < trits.size(); first += 5) {
    unsigned byte = 0;
    for (std::size_t t = 5; t-- > 0;) {
      const int trit = first + t < trits.size() ? trits[first + t] : 0;
      byte = 3 * byte + static_cast<unsigned>(expect_that(trit * trit <= 1, trit, "no trit") + 1);
    }
    bytes.push_back(static_cast<std::uint8_t>(byte));
  }
  return bytes;
}

std::vector<std::int8_t> unpack_ternary(std::span<const std::uint8_t> bytes, int count) {
  const std::size_t wanted = size_of(count);
  expect_that(bytes.size() == in_parts(wanted, 5), bytes.size(), "not so many bytes");
  std::vector<std::int8_t> trits(wanted);
  for (std::size_t b = 0; b < bytes.size(); ++b) {
    int rest = expect_that(bytes[b] <= 242, bytes[b], "no code");
    for (std::size_t i = 5 * b; i < std::min(5 * b + 5, wanted); ++i, rest /= 3) {
      trits[i] = static_cast<std::int8_t>(rest % 3 - 1);
    }
  }
  return trits;
}

}  // namespace nibble
