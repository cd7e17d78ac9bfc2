// What is different here: no word is ever shifted or masked by hand. A word is a std::bitset, a row
// of signs a list of bits, a sum of products a std::inner_product of numbers, and a byte of trits
// the place of its five in a table of all 243.
#include <bitset>

#include "binary.hpp"

namespace nibble {
namespace {

using Word = std::bitset<32>;
using Five = std::array<std::int8_t, 5>;

std::int64_t ceil_divided(std::int64_t count, std::int64_t by) { return (count + by - 1) / by; }

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

void require_matrix(std::size_t count, std::int64_t rows, std::int64_t cols) {
  require(rows >= 0 && cols >= 0 && static_cast<std::int64_t>(count) == rows * cols,
          "the size is not rows * cols");
}

void require_weights(std::span<const float> w, int rows, int cols) {
  require(cols > 0, "a row without weights has no mean");
  require_matrix(w.size(), rows, cols);
  require(std::ranges::all_of(w, [](float x) { return std::fabs(x) <= FLT_MAX; }),
          "a weight is not finite");
}

/// Row `row` of k bits as numbers, 1 and -1.
std::vector<int> signs_of(std::span<const std::uint32_t> bits, int row, int k) {
  const std::size_t first = row * static_cast<std::size_t>(ceil_divided(k, 32));
  std::vector<int> signs(k);
  for (int p = 0; p < k; ++p) signs[p] = Word(bits[first + p / 32])[p % 32] ? -1 : 1;
  return signs;
}

std::vector<double> magnitudes_of(std::span<const float> row) {
  std::vector<double> magnitudes(row.size());
  std::ranges::transform(row, magnitudes.begin(), [](double x) { return x < 0 ? -x : x; });
  return magnitudes;
}

double mean_of(const std::vector<double>& values) {
  const double sum = std::accumulate(values.rbegin(), values.rend(), 0.0);
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

/// What each byte stands for: counted up, the first digit fastest.
std::array<Five, 243> make_table() {
  std::array<Five, 243> table;
  Five five{-1, -1, -1, -1, -1};
  for (Five& entry : table) {
    entry = five;
    for (std::int8_t& trit : five) {
      if (++trit <= 1) break;
      trit = -1;
    }
  }
  return table;
}

}  // namespace

std::vector<std::uint32_t> pack_signs(std::span<const float> x, int rows, int cols) {
  require_matrix(x.size(), rows, cols);
  std::vector<std::uint32_t> bits;
  for (int row = 0; row < rows; ++row) {
    const auto values = x.subspan(row * static_cast<std::size_t>(cols), cols);
    for (std::size_t first = 0; first < values.size(); first += 32) {
      Word word;
      for (std::size_t at = first; at < std::min(first + 32, values.size()); ++at) {
        word[at - first] = 0.0f > values[at];
      }
      bits.push_back(static_cast<std::uint32_t>(word.to_ulong()));
    }
  }
  return bits;
}

std::vector<std::int32_t> binary_matmul(std::span<const std::uint32_t> a,
                                        std::span<const std::uint32_t> b_t, MatmulShape shape) {
  require(shape.k >= 0 && shape.k < 0x40000000, "k is negative, or too large");
  require_matrix(a.size(), shape.m, ceil_divided(shape.k, 32));
  require_matrix(b_t.size(), shape.n, ceil_divided(shape.k, 32));
  std::vector<std::int32_t> c;
  for (int i = 0; i < shape.m; ++i) {
    const std::vector<int> row = signs_of(a, i, shape.k);
    for (int j = 0; j < shape.n; ++j) {
      const std::vector<int> column = signs_of(b_t, j, shape.k);
      c.push_back(std::inner_product(row.begin(), row.end(), column.begin(), 0));
    }
  }
  return c;
}

BinaryWeights binarize_weights(std::span<const float> w, int rows, int cols) {
  require_weights(w, rows, cols);
  BinaryWeights result;
  result.bits = pack_signs(w, rows, cols);
  for (; !w.empty(); w = w.subspan(cols)) {
    result.alpha.push_back(static_cast<float>(mean_of(magnitudes_of(w.first(cols)))));
  }
  return result;
}

TernaryWeights ternarize(std::span<const float> w, int rows, int cols) {
  require_weights(w, rows, cols);
  TernaryWeights result;
  for (; !w.empty(); w = w.subspan(cols)) {
    std::vector<double> kept = magnitudes_of(w.first(cols));
    const double threshold = mean_of(kept) * 0.7;
    for (const double x : w.first(cols)) {
      result.trits.push_back(static_cast<std::int8_t>((x > threshold) - (-x > threshold)));
    }
    std::erase_if(kept, [=](double magnitude) { return magnitude <= threshold; });
    result.alpha.push_back(static_cast<float>(mean_of(kept)));
  }
  return result;
}

std::vector<std::uint8_t> pack_ternary(std::span<const std::int8_t> trits) {
  static const std::array<Five, 243> table = make_table();
  std::vector<std::uint8_t> bytes;
  for (std::size_t first = 0; first < trits.size(); first += 5) {
    Five five{};
    std::ranges::copy(trits.subspan(first, std::min<std::size_t>(5, trits.size() - first)),
                      five.begin());
    const auto place = std::ranges::find(table, five);
    require(place != table.end(), "not a trit");
    bytes.push_back(static_cast<std::uint8_t>(place - table.begin()));
  }
  return bytes;
}

std::vector<std::int8_t> unpack_ternary(std::span<const std::uint8_t> bytes, int count) {
  static const std::array<Five, 243> table = make_table();
  require(count >= 0, "a negative count");
  require(static_cast<std::int64_t>(bytes.size()) == ceil_divided(count, 5), "not so many bytes");
  std::vector<std::int8_t> trits;
  for (const std::uint8_t byte : bytes) {
    require(byte < table.size(), "not a code");
    trits.insert(trits.end(), table[byte].begin(), table[byte].end());
  }
  trits.resize(count);
  return trits;
}

}  // namespace nibble
