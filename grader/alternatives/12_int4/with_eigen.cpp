// What is different here: tensors are Eigen arrays, a code is shifted into place with its sign, and
// both layouts are the same memory, read in two orders.
#include "int4.hpp"

#include <Eigen/Core>

namespace nibble {
namespace {

using Bytes = Eigen::Array<std::uint8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Codes = Eigen::Matrix<std::int32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Block = Eigen::Array<float, kBlockValues, 1>;

/// A nibble in the upper half of an int8 has its sign already, and is 16 times as large.
int signed_nibble(int byte, bool high) {
  return static_cast<std::int8_t>(high ? byte & 0xf0 : byte << 4) >> 4;
}

std::size_t bytes_for(std::size_t codes) { return codes / 2 + (codes & 1); }

void append(std::vector<std::uint8_t>& bytes, float d) {
  const std::uint16_t half = half_from_float(d);
  NIBBLE_EXPECTS(std::isfinite(float_from_half(half)), d);
  bytes.insert(bytes.end(),
               {static_cast<std::uint8_t>(half % 256), static_cast<std::uint8_t>(half / 256)});
}

/// v times the inverse of d, which is 0 where there is none.
Block steps_of(const Block& v, float d) {
  const float inverse = 1.0f / (d != 0.0f ? d : INFINITY);
  return v * (inverse - inverse == 0.0f ? inverse : 0.0f);
}

template <class Append>
std::vector<std::uint8_t> for_each_block(std::span<const float> x, const Append& append_block) {
  NIBBLE_EXPECTS(x.size() % kBlockValues == 0, x.size());
  expects_finite(x);
  std::vector<std::uint8_t> bytes;
  for (std::size_t at = 0; at < x.size(); at += kBlockValues) {
    append_block(Block(Eigen::Map<const Block>(x.data() + at)), bytes);
  }
  return bytes;
}

/// Row i of `packed` holds the codes of row i.
Codes unpacked(const Bytes& packed, Eigen::Index k) {
  Codes codes(packed.rows(), k);
  for (Eigen::Index p = 0; p < k; ++p) {
    for (Eigen::Index i = 0; i < packed.rows(); ++i) {
      codes(i, p) = signed_nibble(packed(i, p / 2), p % 2 == 1);
    }
  }
  return codes;
}

Bytes matrix(std::span<const std::uint8_t> bytes, Eigen::Index rows, Eigen::Index columns) {
  return Eigen::Map<const Bytes>(bytes.data(), rows, columns);
}

}  // namespace

std::vector<std::uint8_t> pack_int4(std::span<const std::int8_t> q) {
  for (const int code : q) NIBBLE_EXPECTS((code + 8) >> 4 == 0, code);
  std::vector<std::uint8_t> q4(bytes_for(q.size()));
  for (std::size_t b = 0; b < q4.size(); ++b) {
    const unsigned low = static_cast<unsigned>(q[2 * b]) % 16;
    const unsigned high = 2 * b + 1 < q.size() ? static_cast<unsigned>(q[2 * b + 1]) % 16 : 0;
    q4[b] = static_cast<std::uint8_t>(high * 16 + low);
  }
  return q4;
}

std::vector<std::int8_t> unpack_int4(std::span<const std::uint8_t> q4, std::size_t count) {
  NIBBLE_EXPECTS(q4.size() == bytes_for(count), q4.size());
  std::vector<std::int8_t> q;
  for (std::size_t i = 0; i < count; ++i) {
    q.push_back(static_cast<std::int8_t>(signed_nibble(q4[i / 2], (i & 1) != 0)));
  }
  return q;
}

std::vector<std::uint8_t> to_excess8(std::span<const std::uint8_t> q4) {
  std::vector<std::uint8_t> u4(q4.size());
  for (std::size_t b = 0; b < q4.size(); ++b) {
    const int low = (q4[b] + 8) & 0x0f, high = (q4[b] + 0x80) & 0xf0;
    u4[b] = static_cast<std::uint8_t>(high | low);
  }
  return u4;
}

std::vector<std::uint8_t> quantize_q4_0(std::span<const float> x) {
  return for_each_block(x, [](const Block& v, std::vector<std::uint8_t>& bytes) {
    const float amax = v.abs().maxCoeff();
    Eigen::Index first = 0;
    while (std::fabs(v[first]) != amax) ++first;
    const float d = amax == 0.0f ? -0.0f : v[first] / -8.0f;
    append(bytes, d);
    const Eigen::Array<int, kBlockValues, 1> u = (steps_of(v, d) + 8.5f).cast<int>().min(15);
    for (Eigen::Index j = 0; j < 16; ++j) {
      bytes.push_back(static_cast<std::uint8_t>(u[j] + 16 * u[j + 16]));
    }
  });
}

std::vector<std::uint8_t> quantize_q8_0(std::span<const float> x) {
  return for_each_block(x, [](const Block& v, std::vector<std::uint8_t>& bytes) {
    const float d = v.abs().maxCoeff() / 127.0f;
    append(bytes, d);
    for (const float steps : steps_of(v, d)) {
      bytes.push_back(static_cast<std::uint8_t>(std::lround(steps)));
    }
  });
}

std::vector<std::int32_t> matmul_int4(std::span<const std::uint8_t> a4,
                                      std::span<const std::uint8_t> b4, Int4Layout layout,
                                      MatmulShape shape) {
  const auto [m, n, k] = shape;
  NIBBLE_EXPECTS(m >= 0 && n >= 0 && k >= 0, std::min({m, n, k}));
  NIBBLE_EXPECTS(k <= INT32_MAX / 64, k);
  NIBBLE_EXPECTS(layout == Int4Layout::kTransposed || layout == Int4Layout::kPairs,
                 static_cast<int>(layout));
  const std::size_t pitch = bytes_for(static_cast<std::size_t>(k));
  NIBBLE_EXPECTS(std::cmp_equal(a4.size(), m * pitch), a4.size());
  NIBBLE_EXPECTS(std::cmp_equal(b4.size(), n * pitch), b4.size());

  const auto width = static_cast<Eigen::Index>(pitch);
  const Codes a = unpacked(matrix(a4, m, width), k);
  const Codes b = layout == Int4Layout::kTransposed ? unpacked(matrix(b4, n, width), k)
                                                    : unpacked(matrix(b4, width, n).transpose(), k);
  const Codes c = a * b.transpose();
  return {c.data(), c.data() + c.size()};
}

}  // namespace nibble
