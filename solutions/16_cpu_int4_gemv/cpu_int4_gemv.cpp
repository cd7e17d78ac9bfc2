// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 16. Equation numbers are those of the chapter. Parts: what is
// refused; int8 rows; packing; panels of int4, one kernel per instruction set; the code book.
// NIBBLE-STUB: // Lab 16. The contract is in cpu_int4_gemv.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 16        (or leave ./nibble watch open)
// NIBBLE-END
#include "cpu_int4_gemv.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

// --- What is refused ----------------------------------------------------------------------------

/// Asked once: in a virtual machine, every question to the CPU is a trip to its host (we measured
/// 25 us, and a product may take 500).
bool runs_here(Isa isa) {
  static const auto known = [] {
    std::array<bool, kEveryIsa.size()> has{};
    for (const Isa each : kEveryIsa) has[static_cast<std::size_t>(each)] = cpu_has(each);
    has[static_cast<std::size_t>(Isa::kAmxInt8)] = false;  // tiles are lab 17
    return has;
  }();
  const auto number = static_cast<std::size_t>(isa);
  return number < known.size() && known[number];
}

void expects_isa(Isa isa) {
  if (runs_here(isa)) return;
  throw std::invalid_argument("no kernel for " + std::string(name_of(isa)) + " on this CPU");
}

void expects_scale(float scale) { NIBBLE_EXPECTS(std::isnormal(scale) && scale > 0.0f, scale); }

void expects_scales(std::span<const float> scales) {
  for (const float scale : scales) expects_scale(scale);
}

void expects_group_size(int group_size) {
  NIBBLE_EXPECTS(group_size % 32 == 0, group_size);
  NIBBLE_EXPECTS(32 <= group_size && group_size <= 1 << 20, group_size);
}

void expects_shape(Int4Shape shape) {
  expects_group_size(shape.group_size);
  NIBBLE_EXPECTS(shape.n >= 0, shape.n);
  NIBBLE_EXPECTS(shape.k >= 0 && shape.k % shape.group_size == 0, shape.k);
}

// --- int8 rows ----------------------------------------------------------------------------------

/// The exact product of two rows of k codes; sum_a is the sum of a.
using Dot = std::int32_t (*)(const std::int8_t* a, const std::int8_t* w, std::size_t k,
                             std::int32_t sum_a);

std::int32_t dot_scalar(const std::int8_t* a, const std::int8_t* w, std::size_t k, std::int32_t) {
  std::int32_t acc = 0;
  for (std::size_t p = 0; p < k; ++p) acc += a[p] * w[p];
  return acc;
}

/// The last k % kWidth codes of both rows, followed by zeros: a vector that may be read whole.
template <std::size_t kWidth>
struct Tail {
  Tail(const std::int8_t* a_row, const std::int8_t* w_row, std::size_t k) {
    const std::size_t rest = k % kWidth;
    if (rest == 0) return;  // memcpy wants real pointers even for nothing
    std::memcpy(a.data(), a_row + k - rest, rest);
    std::memcpy(w.data(), w_row + k - rest, rest);
  }
  std::array<std::int8_t, kWidth> a{}, w{};
};

/// A sum modulo 2^32: its parts may leave int32 although the whole does not.
template <std::size_t kLanes>
std::uint32_t sum_of(const std::array<std::uint32_t, kLanes>& lanes) {
  return std::accumulate(lanes.begin(), lanes.end(), 0u);
}

#if defined(__x86_64__)
NIBBLE_BEGIN_AVX2
// vpmaddubsw would saturate on 8-bit codes. Widened to 16 bits, pairs of products fit in int32.
std::int32_t dot_avx2(const std::int8_t* a, const std::int8_t* w, std::size_t k, std::int32_t) {
  __m256i acc = _mm256_setzero_si256();
  const auto step = [&](const std::int8_t* x, const std::int8_t* y) {
    const __m128i codes_a = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x));
    const __m128i codes_w = _mm_loadu_si128(reinterpret_cast<const __m128i*>(y));
    acc = _mm256_add_epi32(
        acc, _mm256_madd_epi16(_mm256_cvtepi8_epi16(codes_a), _mm256_cvtepi8_epi16(codes_w)));
  };
  for (std::size_t p = 0; p + 16 <= k; p += 16) step(a + p, w + p);
  const Tail<16> tail(a, w, k);
  step(tail.a.data(), tail.w.data());
  std::array<std::uint32_t, 8> lanes;
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes.data()), acc);
  return static_cast<std::int32_t>(sum_of(lanes));
}
NIBBLE_END

// vpdpbusd wants one unsigned operand. w ^ 0x80 is w + 128, so that the sum is too large by
// 128 * sum(a), equation (4): once per row of a, not once per product.
NIBBLE_BEGIN_AVX_VNNI
std::int32_t dot_avx_vnni(const std::int8_t* a, const std::int8_t* w, std::size_t k,
                          std::int32_t sum_a) {
  const __m256i top_bit = _mm256_set1_epi8(-128);
  __m256i acc = _mm256_setzero_si256();
  const auto step = [&](const std::int8_t* x, const std::int8_t* y) {
    const __m256i codes_a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
    const __m256i codes_w = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(y));
    acc = _mm256_dpbusd_avx_epi32(acc, _mm256_xor_si256(codes_w, top_bit), codes_a);
  };
  for (std::size_t p = 0; p + 32 <= k; p += 32) step(a + p, w + p);
  const Tail<32> tail(a, w, k);  // where a is 0, the 128 of w adds nothing
  step(tail.a.data(), tail.w.data());
  std::array<std::uint32_t, 8> lanes;
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes.data()), acc);
  return static_cast<std::int32_t>(sum_of(lanes) - 128u * static_cast<std::uint32_t>(sum_a));
}
NIBBLE_END

NIBBLE_BEGIN_AVX512_VNNI
std::int32_t dot_avx512(const std::int8_t* a, const std::int8_t* w, std::size_t k,
                        std::int32_t sum_a) {
  const __m512i top_bit = _mm512_set1_epi8(-128);
  __m512i acc = _mm512_setzero_si512();
  std::size_t p = 0;
  for (; p + 64 <= k; p += 64) {
    const __m512i codes = _mm512_xor_si512(_mm512_loadu_si512(w + p), top_bit);
    acc = _mm512_dpbusd_epi32(acc, codes, _mm512_loadu_si512(a + p));
  }
  // A masked load does not touch what the mask leaves out, not even a forbidden page.
  const __mmask64 rest = (std::uint64_t{1} << (k - p)) - 1;
  const __m512i codes = _mm512_xor_si512(_mm512_maskz_loadu_epi8(rest, w + p), top_bit);
  acc = _mm512_dpbusd_epi32(acc, codes, _mm512_maskz_loadu_epi8(rest, a + p));
  std::array<std::uint32_t, 16> lanes;
  _mm512_storeu_si512(lanes.data(), acc);
  return static_cast<std::int32_t>(sum_of(lanes) - 128u * static_cast<std::uint32_t>(sum_a));
}
NIBBLE_END
#elif defined(__aarch64__)
NIBBLE_BEGIN_NEON_DOT
// sdot multiplies signed by signed: no correction.
std::int32_t dot_neon(const std::int8_t* a, const std::int8_t* w, std::size_t k, std::int32_t) {
  int32x4_t acc = vdupq_n_s32(0);
  for (std::size_t p = 0; p + 16 <= k; p += 16) {
    acc = vdotq_s32(acc, vld1q_s8(a + p), vld1q_s8(w + p));
  }
  const Tail<16> tail(a, w, k);
  acc = vdotq_s32(acc, vld1q_s8(tail.a.data()), vld1q_s8(tail.w.data()));
  return vaddvq_s32(acc);
}
NIBBLE_END
#endif

Dot dot_for(Isa isa) {
  expects_isa(isa);
#if defined(__x86_64__)
  if (isa == Isa::kAvx2) return dot_avx2;
  if (isa == Isa::kAvxVnni) return dot_avx_vnni;
  if (isa == Isa::kAvx512Vnni) return dot_avx512;
#elif defined(__aarch64__)
  if (isa == Isa::kNeonDot) return dot_neon;
#endif
  return dot_scalar;
}

// --- Panels of int4 -----------------------------------------------------------------------------
//
//   lane of a register  0       1             15         one lane, one row of the weights:
//                     +-------+-------+-   -+-------+    no sum across lanes, ever
//   line of codes     | row 0 | row 1 | ... | row 15|    4 bytes a lane: 8 codes, p = 0..7
//                     +-------+-------+-   -+-------+
//   & 15              | p 0-3 | p 0-3 | ... | p 0-3 |  x  a[0..3], the same 4 codes in every lane
//   >> 4 & 15         | p 4-7 | p 4-7 | ... | p 4-7 |  x  a[4..7]

/// One panel of weights, and the rows of activations that it is multiplied by.
struct PanelProduct {
  const std::uint8_t* panel;        ///< all its groups
  const std::int8_t* a;             ///< rows of k codes, one after the other
  const std::int32_t* corrections;  ///< [rows, groups]: -8 * sum of a over a group, equation (4)
  std::size_t k, groups, group_size;
};

/// Writes y [rows, 16]: the sums before a_scale.
using PanelKernel = void (*)(const PanelProduct&, float* y);

/// Kernels for 1, 2, 4 and 8 rows; as many as pay on this instruction set.
using PanelKernels = std::span<const PanelKernel>;

/// A hardware prefetcher stops at the end of its page of 4 KiB and starts anew in the next. Asking
/// for lines this far ahead keeps memory busy across those ends. In bytes;
/// the chapter has the curve.
constexpr std::size_t kAhead = 7168;

/// Plain C++, one row of activations.
void panel_scalar(const PanelProduct& product, float* y) {
  std::fill_n(y, kPanelRows, 0.0f);
  const std::uint8_t* line = product.panel;
  for (std::size_t p = 0; p < product.k;) {
    std::array<float, kPanelRows> scales;
    std::memcpy(scales.data(), line, sizeof scales);
    line += 64;
    std::array<std::int32_t, kPanelRows> acc{};
    for (const std::size_t end = p + product.group_size; p < end; p += 8, line += 64) {
      for (int byte = 0; byte < 64; ++byte) {
        const std::int8_t* a = product.a + p + byte % 4;
        acc[byte / 4] += ((line[byte] & 15) - 8) * a[0] + ((line[byte] >> 4) - 8) * a[4];
      }
    }
    for (int j = 0; j < kPanelRows; ++j) y[j] += static_cast<float>(acc[j]) * scales[j];
  }
}
constexpr PanelKernel kScalarKernels[] = {panel_scalar};

#if defined(__x86_64__)
/// Four codes of a, as one lane.
std::int32_t four_codes(const std::int8_t* a) {
  std::int32_t codes = 0;
  std::memcpy(&codes, a, sizeof codes);
  return codes;
}

void prefetch(const std::uint8_t* line) {
  _mm_prefetch(reinterpret_cast<const char*>(line) + kAhead, _MM_HINT_T0);
}

NIBBLE_BEGIN_AVX2
__m256i load_half(const std::uint8_t* line, int half) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(line + 32 * half));
}

/// y[0..7] += float(acc) * scale
void add_scaled(float* y, __m256i acc, const std::uint8_t* scales, int half) {
  const __m256 scale = _mm256_castsi256_ps(load_half(scales, half));
  const __m256 scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(acc), scale);
  _mm256_storeu_ps(y, _mm256_add_ps(_mm256_loadu_ps(y), scaled));
}

// No VNNI: vpmaddubsw adds two products in int16. With nibbles it cannot saturate, equation (5):
// a pair reaches 2 * 15 * 128 = 3840, and the 8 pairs of 32 codes 30720 < 32768.
template <int kRows>
void panel_avx2(const PanelProduct& product, float* y) {
  std::fill_n(y, kPanelRows * kRows, 0.0f);
  const __m256i low_nibbles = _mm256_set1_epi8(15), ones = _mm256_set1_epi16(1);
  const std::uint8_t* line = product.panel;
  for (std::size_t group = 0; group < product.groups; ++group) {
    const std::uint8_t* scales = line;
    prefetch(line);
    line += 64;
    __m256i acc[kRows][2];
    for (int i = 0; i < kRows; ++i) {
      acc[i][0] = acc[i][1] = _mm256_set1_epi32(product.corrections[i * product.groups + group]);
    }
    const std::int8_t* a = product.a + group * product.group_size;
    for (const std::int8_t* end = a + product.group_size; a < end;) {
      __m256i pairs[kRows][2];
      for (auto& row : pairs) row[0] = row[1] = _mm256_setzero_si256();
      for (int step = 0; step < 4; ++step, a += 8, line += 64) {
        prefetch(line);
        for (int half = 0; half < 2; ++half) {
          const __m256i codes = load_half(line, half);
          const __m256i low = _mm256_and_si256(codes, low_nibbles);
          const __m256i high = _mm256_and_si256(_mm256_srli_epi16(codes, 4), low_nibbles);
          for (int i = 0; i < kRows; ++i) {
            const __m256i a_low = _mm256_set1_epi32(four_codes(a + i * product.k));
            const __m256i a_high = _mm256_set1_epi32(four_codes(a + i * product.k + 4));
            const __m256i both = _mm256_add_epi16(_mm256_maddubs_epi16(low, a_low),
                                                  _mm256_maddubs_epi16(high, a_high));
            pairs[i][half] = _mm256_add_epi16(pairs[i][half], both);
          }
        }
      }
      for (int i = 0; i < 2 * kRows; ++i) {
        const __m256i fours = _mm256_madd_epi16(pairs[i / 2][i % 2], ones);
        acc[i / 2][i % 2] = _mm256_add_epi32(acc[i / 2][i % 2], fours);
      }
    }
    for (int i = 0; i < 2 * kRows; ++i) add_scaled(y + 8 * i, acc[i / 2][i % 2], scales, i % 2);
  }
}
constexpr PanelKernel kAvx2Kernels[] = {panel_avx2<1>, panel_avx2<2>};
NIBBLE_END

NIBBLE_BEGIN_AVX_VNNI
template <int kRows>
void panel_avx_vnni(const PanelProduct& product, float* y) {
  std::fill_n(y, kPanelRows * kRows, 0.0f);
  const __m256i low_nibbles = _mm256_set1_epi8(15);
  const std::uint8_t* line = product.panel;
  for (std::size_t group = 0; group < product.groups; ++group) {
    const std::uint8_t* scales = line;
    prefetch(line);
    line += 64;
    __m256i acc[kRows][2];
    for (int i = 0; i < kRows; ++i) {
      acc[i][0] = acc[i][1] = _mm256_set1_epi32(product.corrections[i * product.groups + group]);
    }
    const std::int8_t* a = product.a + group * product.group_size;
    for (const std::int8_t* end = a + product.group_size; a < end; a += 8, line += 64) {
      prefetch(line);
      for (int half = 0; half < 2; ++half) {
        const __m256i codes = load_half(line, half);
        const __m256i low = _mm256_and_si256(codes, low_nibbles);
        const __m256i high = _mm256_and_si256(_mm256_srli_epi16(codes, 4), low_nibbles);
        for (int i = 0; i < kRows; ++i) {
          const __m256i a_low = _mm256_set1_epi32(four_codes(a + i * product.k));
          const __m256i a_high = _mm256_set1_epi32(four_codes(a + i * product.k + 4));
          acc[i][half] = _mm256_dpbusd_avx_epi32(acc[i][half], low, a_low);
          acc[i][half] = _mm256_dpbusd_avx_epi32(acc[i][half], high, a_high);
        }
      }
    }
    for (int i = 0; i < 2 * kRows; ++i) add_scaled(y + 8 * i, acc[i / 2][i % 2], scales, i % 2);
  }
}
constexpr PanelKernel kAvxVnniKernels[] = {panel_avx_vnni<1>, panel_avx_vnni<2>, panel_avx_vnni<4>};
NIBBLE_END

NIBBLE_BEGIN_AVX512_VNNI
// A sum waits for the one before it, four cycles or more. With few rows there would be too little
// to do meanwhile, so each has two chains of sums, added up at the end of the group.
template <int kRows>
void panel_avx512(const PanelProduct& product, float* y) {
  constexpr int kChains = kRows < 4 ? 2 : 1;
  std::fill_n(y, kPanelRows * kRows, 0.0f);
  const __m512i low_nibbles = _mm512_set1_epi8(15);
  const std::uint8_t* line = product.panel;
  for (std::size_t group = 0; group < product.groups; ++group) {
    const __m512 scale = _mm512_loadu_ps(line);
    prefetch(line);
    line += 64;
    __m512i acc[kRows][kChains];
    for (int i = 0; i < kRows; ++i) {
      for (__m512i& sum : acc[i]) sum = _mm512_setzero_si512();
      acc[i][0] = _mm512_set1_epi32(product.corrections[i * product.groups + group]);
    }
    const std::int8_t* a = product.a + group * product.group_size;
    for (const std::int8_t* end = a + product.group_size; a < end; a += 8, line += 64) {
      prefetch(line);
      const __m512i line_codes = _mm512_loadu_si512(line);
      const __m512i codes[2] = {_mm512_and_si512(line_codes, low_nibbles),
                                _mm512_and_si512(_mm512_srli_epi16(line_codes, 4), low_nibbles)};
      for (int i = 0; i < kRows; ++i) {
        for (int q = 0; q < 2; ++q) {
          const __m512i four = _mm512_set1_epi32(four_codes(a + i * product.k + 4 * q));
          acc[i][q % kChains] = _mm512_dpbusd_epi32(acc[i][q % kChains], codes[q], four);
        }
      }
    }
    for (int i = 0; i < kRows; ++i) {
      for (int q = 1; q < kChains; ++q) acc[i][0] = _mm512_add_epi32(acc[i][0], acc[i][q]);
      const __m512 scaled = _mm512_mul_ps(_mm512_cvtepi32_ps(acc[i][0]), scale);
      float* sums = y + kPanelRows * i;
      _mm512_storeu_ps(sums, _mm512_add_ps(_mm512_loadu_ps(sums), scaled));
    }
  }
}
constexpr PanelKernel kAvx512Kernels[] = {panel_avx512<1>, panel_avx512<2>, panel_avx512<4>,
                                          panel_avx512<8>};
NIBBLE_END
#elif defined(__aarch64__)
NIBBLE_BEGIN_NEON_DOT
// 0..15 is in the range of a signed byte, too: sdot takes the same packed codes.
template <int kRows>
void panel_neon(const PanelProduct& product, float* y) {
  std::fill_n(y, kPanelRows * kRows, 0.0f);
  const std::uint8_t* line = product.panel;
  for (std::size_t group = 0; group < product.groups; ++group) {
    const float* scales = reinterpret_cast<const float*>(line);
    line += 64;
    int32x4_t acc[kRows][4];
    for (int i = 0; i < kRows; ++i) {
      for (auto& sum : acc[i]) sum = vdupq_n_s32(product.corrections[i * product.groups + group]);
    }
    const std::int8_t* a = product.a + group * product.group_size;
    for (std::size_t p = 0; p < product.group_size; p += 8, line += 64) {
      for (int quarter = 0; quarter < 4; ++quarter) {
        const uint8x16_t codes = vld1q_u8(line + 16 * quarter);
        const int8x16_t low = vreinterpretq_s8_u8(vandq_u8(codes, vdupq_n_u8(15)));
        const int8x16_t high = vreinterpretq_s8_u8(vshrq_n_u8(codes, 4));
        for (int i = 0; i < kRows; ++i) {
          const int8x8_t codes_a = vld1_s8(a + i * product.k + p);
          acc[i][quarter] = vdotq_lane_s32(acc[i][quarter], low, codes_a, 0);
          acc[i][quarter] = vdotq_lane_s32(acc[i][quarter], high, codes_a, 1);
        }
      }
    }
    for (int at = 0; at < 4 * kRows; ++at) {
      const float32x4_t scale = vld1q_f32(scales + at % 4 * 4);
      const float32x4_t scaled = vmulq_f32(vcvtq_f32_s32(acc[at / 4][at % 4]), scale);
      vst1q_f32(y + 4 * at, vaddq_f32(vld1q_f32(y + 4 * at), scaled));
    }
  }
}
constexpr PanelKernel kNeonKernels[] = {panel_neon<1>, panel_neon<2>, panel_neon<4>};
NIBBLE_END
#endif

PanelKernels panel_kernels_for(Isa isa) {
  expects_isa(isa);
#if defined(__x86_64__)
  if (isa == Isa::kAvx2) return kAvx2Kernels;
  if (isa == Isa::kAvxVnni) return kAvxVnniKernels;
  if (isa == Isa::kAvx512Vnni) return kAvx512Kernels;
#elif defined(__aarch64__)
  if (isa == Isa::kNeonDot) return kNeonKernels;
#endif
  return kScalarKernels;
}

/// -8 * the sum of every group of a, whose rows are whole groups: what excess 8 adds too much.
std::span<const std::int32_t> group_corrections(std::span<const std::int8_t> a, int group_size) {
  // Kept, and never smaller again: fresh memory costs page faults in every call.
  static thread_local std::vector<std::int32_t> kept;
  const std::size_t size = static_cast<std::size_t>(group_size), groups = a.size() / size;
  if (kept.size() < groups) kept.resize(groups);
  for (std::size_t group = 0; group < groups; ++group) {
    const auto codes = a.subspan(group * size, size);
    kept[group] = -8 * std::accumulate(codes.begin(), codes.end(), 0);
  }
  return {kept.data(), groups};
}

/// Panel by panel, all rows of a: from memory, the weights come once.
void multiply_panels(std::span<const std::int8_t> a, std::span<const float> a_scales,
                     std::span<const std::uint8_t> packed, std::span<float> c, Int4Shape shape,
                     PanelKernels kernels) {
  const std::size_t m = a_scales.size(), n = shape.n, k = shape.k;
  const std::size_t group_size = shape.group_size, groups = k / group_size;
  const std::span corrections = group_corrections(a, shape.group_size);
  const std::size_t panel_bytes = groups * (64 + 8 * group_size);
  const std::size_t most = std::size_t{1} << (kernels.size() - 1);
  std::array<float, 8 * kPanelRows> y;
  for (std::size_t j = 0; j < n; j += kPanelRows) {
    const std::uint8_t* panel = packed.data() + j / kPanelRows * panel_bytes;
    const std::size_t columns = std::min<std::size_t>(kPanelRows, n - j);
    for (std::size_t i = 0, rows = 0; i < m; i += rows) {
      rows = std::bit_floor(std::min(m - i, most));
      kernels[static_cast<std::size_t>(std::countr_zero(rows))](
          {panel, a.data() + i * k, corrections.data() + i * groups, k, groups, group_size},
          y.data());
      for (std::size_t at = 0; at < rows * columns; ++at) {
        const std::size_t row = at / columns, column = at % columns;
        c[(i + row) * n + j + column] = y[row * kPanelRows + column] * a_scales[i + row];
      }
    }
  }
}

// --- The code book ------------------------------------------------------------------------------

/// Looks up the first count / 16 * 16 codes.
using LookUp = void (*)(const std::uint8_t* q4, const CodeBook& table, float* x_hat,
                        std::size_t count);

void look_up_scalar(const std::uint8_t* q4, const CodeBook& table, float* x_hat,
                    std::size_t count) {
  for (std::size_t i = 0; i < count / 16 * 16; ++i) x_hat[i] = table[q4[i / 2] >> i % 2 * 4 & 15];
}

#if defined(__x86_64__)
// 8 bytes -> 16 bytes, one code each, in order.
__m128i spread_nibbles(const std::uint8_t* q4) {
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(q4));
  const __m128i low_nibbles = _mm_set1_epi8(15);
  return _mm_unpacklo_epi8(_mm_and_si128(bytes, low_nibbles),
                           _mm_and_si128(_mm_srli_epi16(bytes, 4), low_nibbles));
}

NIBBLE_BEGIN_AVX2
// vpermps looks eight entries up: once in each half of the table, and bit 3 of the code chooses.
void look_up_avx2(const std::uint8_t* q4, const CodeBook& table, float* x_hat, std::size_t count) {
  const __m256 first = _mm256_loadu_ps(table.data()), second = _mm256_loadu_ps(table.data() + 8);
  for (std::size_t i = 0; i + 16 <= count; i += 16) {
    const __m128i codes = spread_nibbles(q4 + i / 2);
    const __m256i index[2] = {_mm256_cvtepu8_epi32(codes),
                              _mm256_cvtepu8_epi32(_mm_srli_si128(codes, 8))};
    for (int half = 0; half < 2; ++half) {
      const __m256 bit_3 = _mm256_castsi256_ps(_mm256_slli_epi32(index[half], 28));
      _mm256_storeu_ps(x_hat + i + 8 * half,
                       _mm256_blendv_ps(_mm256_permutevar8x32_ps(first, index[half]),
                                        _mm256_permutevar8x32_ps(second, index[half]), bit_3));
    }
  }
}
NIBBLE_END

NIBBLE_BEGIN_AVX512_VNNI
// The whole table is one register.
void look_up_avx512(const std::uint8_t* q4, const CodeBook& table, float* x_hat,
                    std::size_t count) {
  const __m512 book = _mm512_loadu_ps(table.data());
  for (std::size_t i = 0; i + 16 <= count; i += 16) {
    const __m512i index = _mm512_cvtepu8_epi32(spread_nibbles(q4 + i / 2));
    _mm512_storeu_ps(x_hat + i, _mm512_permutexvar_ps(index, book));
  }
}
NIBBLE_END
#elif defined(__aarch64__)
// tbl looks bytes up: the four bytes of entry c are at 4 * c.
void look_up_neon(const std::uint8_t* q4, const CodeBook& table, float* x_hat, std::size_t count) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(table.data());
  const uint8x16x4_t book = vld1q_u8_x4(bytes);
  const uint8x16_t places = vreinterpretq_u8_u32(vdupq_n_u32(0x03020100));
  for (std::size_t i = 0; i + 16 <= count; i += 16) {
    for (std::size_t p = i; p < i + 16; p += 4) {
      const std::uint32_t low = q4[p / 2], high = q4[p / 2 + 1];
      const std::uint32_t codes = (low & 15) | low >> 4 << 8 | (high & 15) << 16 | high >> 4 << 24;
      const uint8x8_t four = vreinterpret_u8_u32(vdup_n_u32(4 * codes));  // c <= 15: no carry
      const uint8x8_t pairs = vzip1_u8(four, four);                       // 0 0 1 1 2 2 3 3
      const uint8x16_t quads = vcombine_u8(vzip1_u8(pairs, pairs), vzip2_u8(pairs, pairs));
      vst1q_f32(x_hat + p, vreinterpretq_f32_u8(vqtbl4q_u8(book, vorrq_u8(quads, places))));
    }
  }
}
#endif

LookUp look_up_for(Isa isa) {
  expects_isa(isa);
#if defined(__x86_64__)
  if (isa == Isa::kAvx2 || isa == Isa::kAvxVnni) return look_up_avx2;
  if (isa == Isa::kAvx512Vnni) return look_up_avx512;
#elif defined(__aarch64__)
  if (isa == Isa::kNeonDot) return look_up_neon;
#endif
  return look_up_scalar;
}

}  // namespace
// NIBBLE-END

void unpack_int4(std::span<const std::uint8_t> q4, std::span<std::int8_t> q) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(q4.size() == (q.size() + 1) / 2, q4.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    const int nibble = q4[i / 2] >> i % 2 * 4 & 15;
    q[i] = static_cast<std::int8_t>((nibble ^ 8) - 8);  // bit 3 weighs -8, not 8
  }
  // NIBBLE-STUB: // Which half of which byte is code i? What does its highest bit stand for?
  // NIBBLE-STUB: NIBBLE_TODO("unpack two codes from every byte");
  // NIBBLE-END
}

void gemv_int8(Isa isa, std::span<const std::int8_t> a, float a_scale,
               std::span<const std::int8_t> w, std::span<const float> w_scales,
               std::span<float> c) {
  // NIBBLE-BEGIN-SOLUTION
  const Dot dot = dot_for(isa);
  const std::size_t n = c.size(), k = a.size();
  NIBBLE_EXPECTS(k <= 131071, k);  // 128 * 128 * k fits in int32
  NIBBLE_EXPECTS(w.size() == n * k, w.size());
  NIBBLE_EXPECTS(w_scales.size() == n, w_scales.size());
  expects_scale(a_scale);
  expects_scales(w_scales);

  const std::int32_t sum_a = std::accumulate(a.begin(), a.end(), 0);
  for (std::size_t j = 0; j < n; ++j) {
    const std::int32_t acc = dot(a.data(), w.data() + j * k, k, sum_a);
    c[j] = static_cast<float>(acc) * (a_scale * w_scales[j]);
  }
  // NIBBLE-STUB: // 1. Refuse: sizes, scales, instruction sets.  2. Write it for kScalar first.
  // NIBBLE-STUB: // 3. One row of w after the other. What multiplies 64 pairs of codes at once, and which of
  // NIBBLE-STUB: //    its operands is unsigned?  4. The last k % 64 codes: nothing behind them may be read.
  // NIBBLE-STUB: NIBBLE_TODO("multiply a row of activations by int8 weights");
  // NIBBLE-END
}

void pack_int4(std::span<const std::uint8_t> q4, std::span<const float> scales,
               std::span<std::uint8_t> packed, Int4Shape shape) {
  // NIBBLE-BEGIN-SOLUTION
  expects_shape(shape);
  const std::size_t n = shape.n, k = shape.k;
  const std::size_t group_size = shape.group_size, groups = k / group_size;
  NIBBLE_EXPECTS(q4.size() == n * k / 2, q4.size());
  NIBBLE_EXPECTS(scales.size() == n * groups, scales.size());
  NIBBLE_EXPECTS(packed.size() == packed_int4_size(shape), packed.size());
  expects_scales(scales);

  // In the order of the result: every line is written once, whole.
  std::uint8_t* line = packed.data();
  for (std::size_t first = 0; first < n; first += kPanelRows) {
    for (std::size_t group = 0; group < groups; ++group) {
      std::array<float, kPanelRows> line_scales{};
      for (std::size_t j = first; j < std::min(n, first + kPanelRows); ++j) {
        line_scales[j - first] = scales[j * groups + group];
      }
      std::memcpy(line, line_scales.data(), sizeof line_scales);
      line += 64;
      for (std::size_t p = group * group_size; p < (group + 1) * group_size; p += 8, line += 64) {
        std::fill_n(line, 64, std::uint8_t{0x88});  // rows that are not there: two codes of 0
        for (std::size_t j = first; j < std::min(n, first + kPanelRows); ++j) {
          const std::uint8_t* row = q4.data() + (j * k + p) / 2;  // 4 bytes: codes p .. p + 7
          for (std::size_t b = 0; b < 4; ++b) {
            const int low = row[b / 2] >> b % 2 * 4 & 15, high = row[2 + b / 2] >> b % 2 * 4 & 15;
            // Two's complement and excess 8 differ in the highest bit of a nibble, and in no other.
            line[4 * (j - first) + b] = static_cast<std::uint8_t>((low | high << 4) ^ 0x88);
          }
        }
      }
    }
  }
  // NIBBLE-STUB: // 1. Refuse.  2. For every panel and group: the line of scales, then the lines of codes.
  // NIBBLE-STUB: // 3. Which bits does adding 8 change?  4. What stands where the last panel has no row?
  // NIBBLE-STUB: NIBBLE_TODO("repack the weights for the kernels");
  // NIBBLE-END
}

void gemv_int4(Isa isa, std::span<const std::int8_t> a, float a_scale,
               std::span<const std::uint8_t> packed, std::span<float> c, Int4Shape shape) {
  // NIBBLE-BEGIN-SOLUTION
  gemm_int4(isa, a, {&a_scale, 1}, packed, c, shape);
  // NIBBLE-STUB: // 1. Refuse.  2. kScalar, straight from the formula.  3. One lane of a register for each of
  // NIBBLE-STUB: //    16 rows: what does it hold, and when is it multiplied by a scale?
  // NIBBLE-STUB: // 4. Nibbles are code + 8. What is therefore added to every sum, and how often do you need it?
  // NIBBLE-STUB: NIBBLE_TODO("multiply a row of activations by packed int4 weights");
  // NIBBLE-END
}

void gemm_int4(Isa isa, std::span<const std::int8_t> a, std::span<const float> a_scales,
               std::span<const std::uint8_t> packed, std::span<float> c, Int4Shape shape) {
  // NIBBLE-BEGIN-SOLUTION
  const PanelKernels kernels = panel_kernels_for(isa);
  expects_shape(shape);
  NIBBLE_EXPECTS(a.size() == a_scales.size() * static_cast<std::size_t>(shape.k), a.size());
  NIBBLE_EXPECTS(packed.size() == packed_int4_size(shape), packed.size());
  NIBBLE_EXPECTS(c.size() == a_scales.size() * static_cast<std::size_t>(shape.n), c.size());
  expects_scales(a_scales);
  multiply_panels(a, a_scales, packed, c, shape, kernels);
  // NIBBLE-STUB: // A product per row would be right, and read the weights m times. How many rows can share a
  // NIBBLE-STUB: // line of codes while it is in a register?
  // NIBBLE-STUB: NIBBLE_TODO("multiply a few rows of activations by packed int4 weights");
  // NIBBLE-END
}

void dequantize_code_book(Isa isa, std::span<const std::uint8_t> q4, const CodeBook& code_book,
                          std::span<const float> scales, std::span<float> x_hat, int group_size) {
  // NIBBLE-BEGIN-SOLUTION
  const LookUp look_up = look_up_for(isa);
  expects_group_size(group_size);
  const std::size_t size = group_size;
  NIBBLE_EXPECTS(q4.size() == (x_hat.size() + 1) / 2, q4.size());
  NIBBLE_EXPECTS(scales.size() == (x_hat.size() + size - 1) / size, scales.size());
  expects_finite(code_book);
  expects_scales(scales);

  for (std::size_t group = 0; group < scales.size(); ++group) {
    CodeBook table = code_book;  // scaled: 16 products for a group, and the same roundings
    for (float& entry : table) entry *= scales[group];
    const std::size_t begin = group * size, count = std::min(size, x_hat.size() - begin);
    look_up(q4.data() + begin / 2, table, x_hat.data() + begin, count);
    for (std::size_t i = begin + count / 16 * 16; i < begin + count; ++i) {
      x_hat[i] = table[q4[i / 2] >> i % 2 * 4 & 15];
    }
  }
  // NIBBLE-STUB: // 1. Refuse.  2. kScalar: a table of 16.  3. Which instruction looks 16 floats up at once?
  // NIBBLE-STUB: NIBBLE_TODO("look 4-bit codes up in a table");
  // NIBBLE-END
}

}  // namespace nibble
