// The same lab without an intrinsic: plain C++ for every isa, in the order in which a compiler can
// make vectors of it. A line of 64 bytes is 16 words of 32 bits, one for each row of the weights;
// shifts and masks take them apart, all 16 at once.
#include "cpu_int4_gemv.hpp"

namespace nibble {
namespace {

struct Refusal {
  const char* about;
  void unless(bool good) const {
    if (!good) throw std::invalid_argument(std::string("refused: ") + about);
  }
};

bool is_scale(float scale) { return scale >= FLT_MIN && scale <= FLT_MAX; }

void check_scales(std::span<const float> scales) {
  Refusal{"a scale that is not normal and > 0"}.unless(std::ranges::all_of(scales, is_scale));
}

void check_isa(Isa isa) {
  static const std::vector<Isa> here = [] {
    std::vector<Isa> found;
    std::ranges::copy_if(kEveryIsa, std::back_inserter(found),
                         [](Isa one) { return one != Isa::kAmxInt8 && cpu_has(one); });
    return found;
  }();
  Refusal{"an isa without a kernel here"}.unless(std::ranges::count(here, isa) == 1);
}

void check_group(std::int64_t group_size) {
  Refusal{"a group size"}.unless(group_size > 0 && group_size % 32 == 0 && group_size <= 1 << 20);
}

void check_shape(Int4Shape shape) {
  check_group(shape.group_size);
  Refusal{"a shape"}.unless(shape.n >= 0 && shape.k >= 0 && shape.k % shape.group_size == 0);
}

using Lanes = std::array<std::int32_t, kPanelRows>;

/// acc[lane] += the products of 8 activations and a line of codes, nibble by nibble.
void add_line(const std::uint8_t* line, const std::int8_t* a, Lanes& acc) {
  std::array<std::uint32_t, kPanelRows> words;
  std::memcpy(words.data(), line, 64);
  for (int b = 0; b < 4; ++b) {
    const int shift = std::endian::native == std::endian::little ? 8 * b : 24 - 8 * b;
    for (std::size_t lane = 0; lane < words.size(); ++lane) {
      const auto low = static_cast<std::int32_t>(words[lane] >> shift & 15);
      const auto high = static_cast<std::int32_t>(words[lane] >> shift >> 4 & 15);
      acc[lane] += low * a[b] + high * a[b + 4];
    }
  }
}

/// y[lane] += float(acc) * scale, for one group; returns what follows it.
const std::uint8_t* add_group(const std::uint8_t* group, std::span<const std::int8_t> a,
                              std::array<float, kPanelRows>& y) {
  std::array<float, kPanelRows> scales;
  std::memcpy(scales.data(), group, 64);
  const std::uint8_t* line = group + 64;
  Lanes acc;
  acc.fill(-8 * std::reduce(a.begin(), a.end(), 0));
  for (std::size_t p = 0; p < a.size(); p += 8, line += 64) add_line(line, a.data() + p, acc);
  for (std::size_t lane = 0; lane < y.size(); ++lane) {
    y[lane] += static_cast<float>(acc[lane]) * scales[lane];
  }
  return line;
}

int nibble_at(std::span<const std::uint8_t> q4, std::size_t i) {
  return i % 2 == 0 ? q4[i / 2] & 15 : q4[i / 2] >> 4;
}

}  // namespace

void unpack_int4(std::span<const std::uint8_t> q4, std::span<std::int8_t> q) {
  Refusal{"sizes"}.unless(q.size() == 2 * q4.size() || q.size() + 1 == 2 * q4.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    const auto left_aligned = static_cast<std::int8_t>(nibble_at(q4, i) << 4);
    q[i] = static_cast<std::int8_t>(left_aligned >> 4);  // brings the sign along
  }
}

void gemv_int8(Isa isa, std::span<const std::int8_t> a, float a_scale,
               std::span<const std::int8_t> w, std::span<const float> w_scales,
               std::span<float> c) {
  check_isa(isa);
  Refusal{"k"}.unless(a.size() <= 131071);
  Refusal{"sizes"}.unless(w.size() == a.size() * c.size() && w_scales.size() == c.size());
  check_scales({&a_scale, 1});
  check_scales(w_scales);
  std::ranges::transform(w_scales, c.begin(), [&, row = w.begin()](float scale) mutable {
    const std::int32_t acc = std::inner_product(a.begin(), a.end(), row, 0);
    row += static_cast<std::ptrdiff_t>(a.size());
    return static_cast<float>(acc) * (a_scale * scale);
  });
}

void pack_int4(std::span<const std::uint8_t> q4, std::span<const float> scales,
               std::span<std::uint8_t> packed, Int4Shape shape) {
  check_shape(shape);
  const std::size_t n = std::size_t(shape.n), k = std::size_t(shape.k);
  const std::size_t size = std::size_t(shape.group_size), groups = k / size;
  Refusal{"sizes"}.unless(q4.size() == n * k / 2 && scales.size() == n * groups &&
                          packed.size() == packed_int4_size(shape));
  check_scales(scales);
  // Row by row, each byte where the contract's formula puts it, over a background of empty rows.
  const std::size_t group_bytes = 64 + 8 * size;
  for (std::size_t at = 0; at < packed.size(); ++at) {
    packed[at] = at % group_bytes < 64 ? 0 : 0x88;
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t group = 0; group < groups; ++group) {
      const std::size_t base = (j / kPanelRows * groups + group) * group_bytes;
      const std::size_t in_line = 4 * (j % kPanelRows);
      std::memcpy(&packed[base + in_line], &scales[j * groups + group], sizeof(float));
      for (std::size_t p = 0; p < size; ++p) {
        const int nibble = (nibble_at(q4, j * k + group * size + p) + 8) & 15;
        std::uint8_t& byte = packed[base + 64 + p / 8 * 64 + in_line + p % 4];
        byte = static_cast<std::uint8_t>(p % 8 < 4 ? (byte & 0xF0) | nibble
                                                   : (byte & 0x0F) | nibble << 4);
      }
    }
  }
}

void gemv_int4(Isa isa, std::span<const std::int8_t> a, float a_scale,
               std::span<const std::uint8_t> packed, std::span<float> c, Int4Shape shape) {
  check_isa(isa);
  check_shape(shape);
  Refusal{"sizes"}.unless(a.size() == std::size_t(shape.k) && c.size() == std::size_t(shape.n) &&
                          packed.size() == packed_int4_size(shape));
  check_scales({&a_scale, 1});
  const std::uint8_t* group = packed.data();
  for (std::size_t j = 0; j < c.size(); j += kPanelRows) {
    std::array<float, kPanelRows> y{};
    for (std::size_t p = 0; p < a.size(); p += std::size_t(shape.group_size)) {
      group = add_group(group, a.subspan(p, std::size_t(shape.group_size)), y);
    }
    for (std::size_t lane = 0; lane < y.size() && j + lane < c.size(); ++lane) {
      c[j + lane] = y[lane] * a_scale;
    }
  }
}

void gemm_int4(Isa isa, std::span<const std::int8_t> a, std::span<const float> a_scales,
               std::span<const std::uint8_t> packed, std::span<float> c, Int4Shape shape) {
  check_isa(isa);
  check_shape(shape);
  const std::size_t m = a_scales.size(), n = std::size_t(shape.n), k = std::size_t(shape.k);
  Refusal{"sizes"}.unless(a.size() == m * k && c.size() == m * n &&
                          packed.size() == packed_int4_size(shape));
  check_scales(a_scales);
  for (std::size_t i = 0; i < m; ++i) {
    gemv_int4(isa, a.subspan(i * k, k), a_scales[i], packed, c.subspan(i * n, n), shape);
  }
}

void dequantize_code_book(Isa isa, std::span<const std::uint8_t> q4, const CodeBook& code_book,
                          std::span<const float> scales, std::span<float> x_hat, int group_size) {
  check_isa(isa);
  check_group(group_size);
  const std::size_t size = std::size_t(group_size), count = x_hat.size();
  Refusal{"sizes"}.unless(q4.size() == count / 2 + count % 2 &&
                          scales.size() == count / size + (count % size != 0));
  expects_finite(code_book);
  check_scales(scales);
  for (std::size_t i = 0; i < count; ++i) {
    x_hat[i] = code_book[std::size_t(nibble_at(q4, i))] * scales[i / size];
  }
}

}  // namespace nibble
