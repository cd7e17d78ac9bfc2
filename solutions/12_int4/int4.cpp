// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 12. Written to be read: the obvious loops, and a word on each trap.
// NIBBLE-STUB: // Lab 12. The contract is in int4.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 12        (or leave ./nibble watch open)
// NIBBLE-END
#include "int4.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

/// Two's complement: the highest of four bits counts -8 where it would count +8.
int code_in(unsigned nibble) { return static_cast<int>(nibble ^ 8u) - 8; }

/// Code i of codes that are packed from `q4` on.
int code_at(const std::uint8_t* q4, std::size_t i) {
  return code_in(i % 2 == 0 ? q4[i / 2] & 15u : q4[i / 2] >> 4u);
}

void append_half(float d, std::vector<std::uint8_t>& bytes) {
  NIBBLE_EXPECTS(std::fabs(d) < 65520.0f, d);  // from here on, the nearest half is infinite
  const std::uint16_t half = half_from_float(d);
  bytes.push_back(static_cast<std::uint8_t>(half & 255));
  bytes.push_back(static_cast<std::uint8_t>(half >> 8));
}

/// Not only 0 has an infinite inverse: so has a subnormal float, and 0 * infinity is NaN.
float inverse_of(float d) {
  const float inverse = d == 0.0f ? 0.0f : 1.0f / d;
  return std::isinf(inverse) ? 0.0f : inverse;
}

}  // namespace
// NIBBLE-END

std::vector<std::uint8_t> pack_int4(std::span<const std::int8_t> q) {
  // NIBBLE-BEGIN-SOLUTION
  for (const std::int8_t code : q) NIBBLE_EXPECTS(-8 <= code && code <= 7, code);

  std::vector<std::uint8_t> q4;
  for (std::size_t i = 0; i < q.size(); i += 2) {
    const int low = q[i], high = i + 1 < q.size() ? q[i + 1] : 0;
    // Without the mask, the sign of a negative code would fill the upper half, too.
    q4.push_back(static_cast<std::uint8_t>((low & 15) | (high & 15) << 4));
  }
  return q4;
  // NIBBLE-STUB: // 1. Refuse what the contract refuses.  2. Two codes make a byte: which bits of a
  // NIBBLE-STUB: //    negative code do you want?  3. What stands beside the last of an odd number?
  // NIBBLE-STUB: NIBBLE_TODO("pack two codes into every byte");
  // NIBBLE-END
}

std::vector<std::int8_t> unpack_int4(std::span<const std::uint8_t> q4, std::size_t count) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(q4.size() == count / 2 + count % 2, q4.size());
  std::vector<std::int8_t> q(count);
  for (std::size_t i = 0; i < count; ++i) q[i] = static_cast<std::int8_t>(code_at(q4.data(), i));
  return q;
  // NIBBLE-STUB: // Which half of which byte is code i? What does its highest bit stand for?
  // NIBBLE-STUB: NIBBLE_TODO("unpack two codes from every byte");
  // NIBBLE-END
}

std::vector<std::uint8_t> to_excess8(std::span<const std::uint8_t> q4) {
  // NIBBLE-BEGIN-SOLUTION
  std::vector<std::uint8_t> u4(q4.begin(), q4.end());
  // Adding 8 modulo 16 flips the highest bit; an addition would carry into the other nibble.
  for (std::uint8_t& byte : u4) byte ^= 0x88;
  return u4;
  // NIBBLE-STUB: // Write the codes -8, -1, 0 and 7 down in both forms: which bits differ?
  // NIBBLE-STUB: NIBBLE_TODO("turn two's complement into excess 8");
  // NIBBLE-END
}

std::vector<std::uint8_t> quantize_q4_0(std::span<const float> x) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(x.size() % kBlockValues == 0, x.size());
  expects_finite(x);

  std::vector<std::uint8_t> blocks;
  for (; !x.empty(); x = x.subspan(kBlockValues)) {
    const std::span<const float> v = x.first(kBlockValues);
    float extreme = 0.0f;  // with its sign: it is to have the code -8, and there is no +8
    for (const float value : v) {
      if (std::fabs(value) > std::fabs(extreme)) extreme = value;
    }
    const float d = extreme / -8.0f;
    append_half(d, blocks);

    const float inverse = inverse_of(d);
    const auto u = [&](std::size_t j) {
      // The conversion cuts, and all is above 0: so it is the floor of what has 8 + 1/2 added.
      return std::min(15, static_cast<int>(v[j] * inverse + 8.5f));
    };
    for (std::size_t j = 0; j < kBlockValues / 2; ++j) {
      blocks.push_back(static_cast<std::uint8_t>(u(j) | u(j + kBlockValues / 2) << 4));
    }
  }
  return blocks;
  // NIBBLE-STUB: // 1. Refuse.  2. Block by block: the extreme with its sign; d; its half.
  // NIBBLE-STUB: // 3. Sixteen bytes of codes: which two of the 32 values share a byte?
  // NIBBLE-STUB: NIBBLE_TODO("quantize to Q4_0 blocks");
  // NIBBLE-END
}

std::vector<std::uint8_t> quantize_q8_0(std::span<const float> x) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(x.size() % kBlockValues == 0, x.size());
  expects_finite(x);

  std::vector<std::uint8_t> blocks;
  for (; !x.empty(); x = x.subspan(kBlockValues)) {
    const std::span<const float> v = x.first(kBlockValues);
    float amax = 0.0f;
    for (const float value : v) amax = std::max(amax, std::fabs(value));
    const float d = amax / 127.0f;
    append_half(d, blocks);

    const float inverse = inverse_of(d);
    for (const float value : v) {
      const int q = static_cast<int>(std::round(value * inverse));  // this one: ties away from 0
      blocks.push_back(static_cast<std::uint8_t>(q));
    }
  }
  return blocks;
  // NIBBLE-STUB: // As quantize_q4_0, with another d, another order, and another rule for ties.
  // NIBBLE-STUB: NIBBLE_TODO("quantize to Q8_0 blocks");
  // NIBBLE-END
}

std::vector<std::int32_t> matmul_int4(std::span<const std::uint8_t> a4,
                                      std::span<const std::uint8_t> b4, Int4Layout layout,
                                      MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(shape.m >= 0, shape.m);
  NIBBLE_EXPECTS(shape.n >= 0, shape.n);
  NIBBLE_EXPECTS(0 <= shape.k && shape.k <= 33554431, shape.k);
  // As std::size_t: the product of two ints may not be one.
  const std::size_t m = shape.m, n = shape.n, k = shape.k, bytes = (k + 1) / 2;
  NIBBLE_EXPECTS(a4.size() == m * bytes, a4.size());
  NIBBLE_EXPECTS(b4.size() == n * bytes, b4.size());
  const bool in_pairs = layout == Int4Layout::kPairs;
  NIBBLE_EXPECTS(in_pairs || layout == Int4Layout::kTransposed, static_cast<int>(layout));

  std::vector<std::int32_t> c(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      std::int32_t acc = 0;
      for (std::size_t p = 0; p < k; ++p) {  // never as far as the nibble that only pads
        const std::uint8_t b = in_pairs ? b4[p / 2 * n + j] : b4[j * bytes + p / 2];
        acc += code_at(&a4[i * bytes], p) * code_in(p % 2 == 0 ? b & 15u : b >> 4u);
      }
      c[i * n + j] = acc;
    }
  }
  return c;
  // NIBBLE-STUB: // 1. Refuse.  2. Both operands are packed along k: which byte of a4, and which
  // NIBBLE-STUB: //    of b4 in either layout, has the code of p?  3. Which nibbles are no codes?
  // NIBBLE-STUB: NIBBLE_TODO("multiply packed codes");
  // NIBBLE-END
}

}  // namespace nibble
