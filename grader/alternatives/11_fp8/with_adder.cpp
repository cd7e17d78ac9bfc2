// What is different here: the adder rounds. A float32 that is 2^23 steps large has a step for its
// last bit, so that adding it to x rounds x to whole steps, ties to even. A template is the format.
#include "fp8.hpp"

namespace nibble {
namespace {

template <int kFractionBits, int kLargest, int kOverflow, int kNan>
struct Float8 {
  static constexpr int kExponents = 1 << (7 - kFractionBits);
  static constexpr int kBias = kExponents / 2 - 1;
  static constexpr int kTop = (kLargest >> kFractionBits) - kBias;

  static std::uint8_t encode(float x, Overflow overflow) {
    const int sign = std::signbit(x) ? 0x80 : 0;
    if (std::isnan(x)) return static_cast<std::uint8_t>(sign | kNan);
    // Four times the largest power of two is far enough beyond the largest number.
    const float magnitude = std::min(std::fabs(x), std::ldexp(4.0f, kTop));
    int exponent = 0;  // magnitude = [0.5, 1) * 2^exponent
    std::frexp(magnitude, &exponent);
    if (magnitude == 0.0f || exponent < 2 - kBias) exponent = 2 - kBias;
    const float whole = std::ldexp(1.0f, exponent - 1 - kFractionBits + 23);
    const std::uint32_t steps =
        std::bit_cast<std::uint32_t>(whole + magnitude) - std::bit_cast<std::uint32_t>(whole);
    int code = ((exponent - 2 + kBias) << kFractionBits) + static_cast<int>(steps);
    if (code > kLargest) code = overflow == Overflow::kSaturate ? kLargest : kOverflow;
    return static_cast<std::uint8_t>(sign | code);
  }

  static float decode(std::uint8_t code) {
    // Exponent and fraction where a float32 has them; then the biases, by one exact product.
    const std::uint32_t bits = (code & 0x7Fu) << (23 - kFractionBits);
    float x = std::bit_cast<float>(bits) * std::ldexp(1.0f, 127 - kBias);
    if ((code & 0x7F) > kLargest) x = std::numeric_limits<float>::quiet_NaN();
    if (kOverflow != kNan && (code & 0x7F) == kOverflow) x = HUGE_VALF;
    return code >= 0x80 ? std::copysign(x, -1.0f) : x;
  }

  static Fp8Tensor quantize(std::span<const float> x) {
    expects_finite(x);
    Fp8Tensor tensor{{}, std::max(amax_of(x) / decode(kLargest), FLT_MIN)};
    if (amax_of(x) == 0.0f) tensor.scale = 1.0f;
    for (const float value : x) {
      tensor.codes.push_back(encode(value / tensor.scale, Overflow::kSaturate));
    }
    return tensor;
  }

  static MxTensor quantize_blocks(std::span<const float> x) {
    expects_finite(x);
    MxTensor tensor;
    float scale = 0.0f;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i % kMxBlock == 0) {
        int exponent = -200;  // of no value at all
        const float amax = amax_of(x.subspan(i, std::min(kMxBlock, x.size() - i)));
        if (amax > 0.0f) std::frexp(amax, &exponent);
        exponent = std::max(exponent - 1 - kTop, -127);
        tensor.scales.push_back(static_cast<std::uint8_t>(exponent + 127));
        scale = std::ldexp(1.0f, exponent);
      }
      tensor.codes.push_back(encode(x[i] / scale, Overflow::kSaturate));
    }
    return tensor;
  }

 private:
  static float amax_of(std::span<const float> x) {
    return std::accumulate(x.begin(), x.end(), 0.0f, [](float amax, float value) {
      return std::fabs(value) > amax ? std::fabs(value) : amax;
    });
  }
};

using E4m3 = Float8<3, 0x7E, 0x7F, 0x7F>;
using E5m2 = Float8<2, 0x7B, 0x7C, 0x7E>;

}  // namespace

std::uint8_t encode_e4m3(float x, Overflow overflow) { return E4m3::encode(x, overflow); }
float decode_e4m3(std::uint8_t code) { return E4m3::decode(code); }
std::uint8_t encode_e5m2(float x, Overflow overflow) { return E5m2::encode(x, overflow); }
float decode_e5m2(std::uint8_t code) { return E5m2::decode(code); }

Fp8Tensor quantize_fp8(std::span<const float> x, Fp8Format format) {
  return format == Fp8Format::kE4m3 ? E4m3::quantize(x) : E5m2::quantize(x);
}

MxTensor quantize_mx(std::span<const float> x, Fp8Format format) {
  return format == Fp8Format::kE4m3 ? E4m3::quantize_blocks(x) : E5m2::quantize_blocks(x);
}

}  // namespace nibble
