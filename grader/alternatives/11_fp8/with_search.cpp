// What is different here: a table of what the codes stand for, and a search in it for what is
// nearest. Rounding is a comparison of two distances; a format is a list of numbers.
#include "fp8.hpp"

namespace nibble {
namespace {

/// What the codes from 0 on stand for, in order. Last what the code after the largest would, if it
/// were a number: there the distances to it are measured.
std::vector<double> table(int fractions, double smallest, double end) {
  std::vector<double> values;
  for (int fraction = 0; fraction < fractions; ++fraction) values.push_back(fraction * smallest);
  for (double step = smallest; values.back() < end; step *= 2.0) {
    for (int i = fractions; i < 2 * fractions && values.back() < end; ++i) {
      values.push_back(i * step);
    }
  }
  return values;
}

const std::vector<double> kE4m3 = table(8, 0x1p-9, 480.0);
const std::vector<double> kE5m2 = table(4, 0x1p-16, 65536.0);

const std::vector<double>& table_of(Fp8Format format) {
  return format == Fp8Format::kE4m3 ? kE4m3 : kE5m2;
}

/// The index of what is nearest; the last one is where kNonFinite goes.
int nearest(double magnitude, const std::vector<double>& values, Overflow overflow) {
  const auto above = std::lower_bound(values.begin(), values.end(), magnitude);
  const int last = static_cast<int>(values.size()) - 1;
  int code = static_cast<int>(above - values.begin());
  if (code > 0 && code <= last) {
    const double to_above = *above - magnitude, to_below = magnitude - *(above - 1);
    if (to_below < to_above || (to_below == to_above && code % 2 == 1)) --code;
  }
  return std::min(code, overflow == Overflow::kSaturate ? last - 1 : last);
}

std::uint8_t with_sign(float x, int code) {
  return static_cast<std::uint8_t>(code + 128 * std::signbit(x));
}

float value_at(std::uint8_t code, const std::vector<double>& values) {
  const std::size_t magnitude = code % 128u;
  const double value =
      magnitude + 1 < values.size() ? values[magnitude] : std::numeric_limits<double>::quiet_NaN();
  return static_cast<float>(std::copysign(value, code < 128 ? 1.0 : -1.0));
}

std::uint8_t encode(float x, Fp8Format format) {
  return format == Fp8Format::kE4m3 ? encode_e4m3(x, Overflow::kSaturate)
                                    : encode_e5m2(x, Overflow::kSaturate);
}

float largest_of(std::span<const float> x) {
  if (x.empty()) return 0.0f;
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  return std::max(-*low, *high);
}

void require_finite(std::span<const float> x) {
  if (!std::all_of(x.begin(), x.end(), [](float value) { return std::isfinite(value); })) {
    throw std::invalid_argument("a value is not finite");
  }
}

}  // namespace

std::uint8_t encode_e4m3(float x, Overflow overflow) {
  if (std::isnan(x)) return with_sign(x, 0x7F);
  return with_sign(x, nearest(std::fabs(double{x}), kE4m3, overflow));
}

float decode_e4m3(std::uint8_t code) { return value_at(code, kE4m3); }

std::uint8_t encode_e5m2(float x, Overflow overflow) {
  if (std::isnan(x)) return with_sign(x, 0x7E);
  return with_sign(x, nearest(std::fabs(double{x}), kE5m2, overflow));
}

float decode_e5m2(std::uint8_t code) {
  if (code == 0x7C) return HUGE_VALF;
  if (code == 0xFC) return -HUGE_VALF;
  return value_at(code, kE5m2);
}

Fp8Tensor quantize_fp8(std::span<const float> x, Fp8Format format) {
  require_finite(x);
  const std::vector<double>& values = table_of(format);
  const float amax = largest_of(x), largest = static_cast<float>(values[values.size() - 2]);
  Fp8Tensor tensor{std::vector<std::uint8_t>(x.size()), 1.0f};
  if (amax > 0.0f) tensor.scale = std::max(FLT_MIN, amax / largest);
  std::transform(x.begin(), x.end(), tensor.codes.begin(),
                 [&](float value) { return encode(value / tensor.scale, format); });
  return tensor;
}

MxTensor quantize_mx(std::span<const float> x, Fp8Format format) {
  require_finite(x);
  const int top = format == Fp8Format::kE4m3 ? 8 : 15;
  MxTensor tensor{std::vector<std::uint8_t>(x.size()),
                  std::vector<std::uint8_t>((x.size() + kMxBlock - 1) / kMxBlock)};
  for (std::size_t b = 0; b < tensor.scales.size(); ++b) {
    const std::size_t first = b * kMxBlock, count = std::min(kMxBlock, x.size() - first);
    const float amax = largest_of(x.subspan(first, count));
    const int scale = amax > 0.0f ? std::max(0, std::ilogb(amax) - top + 127) : 0;
    tensor.scales[b] = static_cast<std::uint8_t>(scale);
    const double step = std::exp2(scale - 127);
    for (std::size_t i = first; i < first + count; ++i) {
      tensor.codes[i] = encode(static_cast<float>(x[i] / step), format);
    }
  }
  return tensor;
}

}  // namespace nibble
