// What is different here: what a byte stands for is looked up in a table, a product unpacks both
// operands first, and blocks are written into place.
#include "int4.hpp"

namespace nibble {
namespace {

using TwoCodes = std::array<std::int8_t, 2>;

constexpr std::array<TwoCodes, 256> make_table() {
  std::array<TwoCodes, 256> table{};
  for (int byte = 0; byte < 256; ++byte) {
    const int low = byte % 16, high = byte / 16;
    table[static_cast<std::size_t>(byte)] = {static_cast<std::int8_t>(low < 8 ? low : low - 16),
                                             static_cast<std::int8_t>(high < 8 ? high : high - 16)};
  }
  return table;
}

constexpr std::array<TwoCodes, 256> kCodesOf = make_table();

void expect_size(std::size_t size, std::size_t wanted) { NIBBLE_EXPECTS(size == wanted, size); }

/// d, and its half in the first two bytes of a block.
float store_scale(float d, std::uint8_t* block) {
  const std::uint16_t half = half_from_float(d);
  if ((half & 0x7c00) == 0x7c00) throw std::invalid_argument("a scale too large for a half");
  block[0] = static_cast<std::uint8_t>(half);
  block[1] = static_cast<std::uint8_t>(half >> 8);
  return d;
}

float inverse_of(float d) { return std::fabs(d) <= 0x1p-128f ? 0.0f : 1.0f / d; }

std::size_t blocks_in(std::span<const float> x) {
  expect_size(x.size() % kBlockValues, 0);
  expects_finite(x);
  return x.size() / kBlockValues;
}

std::vector<std::int32_t> rows_of(std::span<const std::uint8_t> packed, std::size_t rows,
                                  std::size_t k) {
  std::vector<std::int32_t> codes;
  const std::size_t pitch = (k + 1) / 2;
  for (std::size_t at = 0; at < rows * k; ++at) {
    codes.push_back(kCodesOf[packed[at / k * pitch + at % k / 2]][at % k % 2]);
  }
  return codes;
}

}  // namespace

std::vector<std::uint8_t> pack_int4(std::span<const std::int8_t> q) {
  if (std::ranges::any_of(q, [](int code) { return code < -8 || code > 7; })) {
    throw std::invalid_argument("a code that is no int4");
  }
  std::vector<std::uint8_t> q4((q.size() + 1) / 2);
  for (std::size_t i = 0; i < q.size(); ++i) {
    const int nibble = (q[i] + 16) % 16;
    q4[i / 2] = static_cast<std::uint8_t>(q4[i / 2] + (i % 2 == 0 ? nibble : 16 * nibble));
  }
  return q4;
}

std::vector<std::int8_t> unpack_int4(std::span<const std::uint8_t> q4, std::size_t count) {
  expect_size(q4.size(), count / 2 + count % 2);
  std::vector<std::int8_t> q;
  for (const std::uint8_t byte : q4)
    q.insert(q.end(), kCodesOf[byte].begin(), kCodesOf[byte].end());
  q.resize(count);
  return q;
}

std::vector<std::uint8_t> to_excess8(std::span<const std::uint8_t> q4) {
  std::vector<std::uint8_t> u4;
  for (const std::uint8_t byte : q4) {
    const auto [low, high] = kCodesOf[byte];
    u4.push_back(static_cast<std::uint8_t>(low + 8 + 16 * (high + 8)));
  }
  return u4;
}

std::vector<std::uint8_t> quantize_q4_0(std::span<const float> x) {
  std::vector<std::uint8_t> bytes(blocks_in(x) * kQ4Bytes);
  for (std::size_t i = 0; i < bytes.size() / kQ4Bytes; ++i) {
    std::uint8_t* const block = &bytes[i * kQ4Bytes];
    const auto v = x.subspan(i * kBlockValues, kBlockValues);
    const auto extreme =
        std::ranges::max_element(v, {}, [](float value) { return std::fabs(value); });
    const float d = store_scale((*extreme + 0.0f) / -8.0f, block);  // -0 + 0 is +0
    for (std::size_t j = 0; j < kBlockValues; ++j) {
      const float u = std::min(15.0f, std::floor(v[j] * inverse_of(d) + 8.5f));
      std::uint8_t& byte = block[2 + j % 16];
      byte = static_cast<std::uint8_t>(byte + u * (j < 16 ? 1 : 16));
    }
  }
  return bytes;
}

std::vector<std::uint8_t> quantize_q8_0(std::span<const float> x) {
  std::vector<std::uint8_t> bytes(blocks_in(x) * kQ8Bytes);
  for (std::size_t i = 0; i < bytes.size() / kQ8Bytes; ++i) {
    std::uint8_t* const block = &bytes[i * kQ8Bytes];
    const auto v = x.subspan(i * kBlockValues, kBlockValues);
    const auto [low, high] = std::ranges::minmax(v);
    const float d = store_scale(std::max(std::fabs(low), std::fabs(high)) / 127.0f, block);
    for (std::size_t j = 0; j < kBlockValues; ++j) {
      const float steps = v[j] * inverse_of(d), whole = std::trunc(steps);
      const float more = std::fabs(steps - whole) >= 0.5f ? std::copysign(1.0f, steps) : 0.0f;
      block[2 + j] = static_cast<std::uint8_t>(static_cast<std::int8_t>(whole + more));
    }
  }
  return bytes;
}

std::vector<std::int32_t> matmul_int4(std::span<const std::uint8_t> a4,
                                      std::span<const std::uint8_t> b4, Int4Layout layout,
                                      MatmulShape shape) {
  if (shape.m < 0 || shape.n < 0 || shape.k < 0) throw std::invalid_argument("a size below 0");
  if (shape.k > 33554431) throw std::invalid_argument("too many products for an int32");
  if (layout != Int4Layout::kTransposed && layout != Int4Layout::kPairs) {
    throw std::invalid_argument("no such layout");
  }
  const auto m = static_cast<std::size_t>(shape.m), n = static_cast<std::size_t>(shape.n),
             k = static_cast<std::size_t>(shape.k), pitch = (k + 1) / 2;
  expect_size(a4.size(), m * pitch);
  expect_size(b4.size(), n * pitch);

  std::vector<std::uint8_t> turned(b4.begin(), b4.end());
  if (layout == Int4Layout::kPairs) {
    for (std::size_t at = 0; at < b4.size(); ++at) turned[at % n * pitch + at / n] = b4[at];
  }
  const std::vector<std::int32_t> a = rows_of(a4, m, k), b = rows_of(turned, n, k);
  std::vector<std::int32_t> c(m * n);
  for (std::size_t at = 0; at < c.size(); ++at) {
    const auto row = a.begin() + static_cast<std::ptrdiff_t>(at / n * k);
    const auto column = b.begin() + static_cast<std::ptrdiff_t>(at % n * k);
    c[at] = std::inner_product(row, row + static_cast<std::ptrdiff_t>(k), column, 0);
  }
  return c;
}

}  // namespace nibble
