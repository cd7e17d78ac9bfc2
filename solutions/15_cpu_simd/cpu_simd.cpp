// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 15: one titled section an instruction set, each with its tile picture,
// and one driver that packs A, walks the blocks and hands tiles to them.
// NIBBLE-STUB: // Lab 15. The contract is in cpu_simd.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 15        (or leave ./nibble watch open)
// NIBBLE-END
#include "cpu_simd.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

// --- What is refused -----------------------------------------------------------------------------

std::size_t product(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

/// Asked once: CPUID leaves a virtual machine, which costs more than a small product.
bool runs_here(Isa isa) {
  static const std::uint32_t here = isas_here();
  return (here & bit_of(isa)) != 0;
}

void expects_isa(Isa isa) {
  const bool has_kernel = std::ranges::count(kKernelIsas, isa) == 1;
  if (has_kernel && runs_here(isa)) return;
  throw std::invalid_argument("no kernel for the instruction set " + std::string(name_of(isa)) +
                              (has_kernel ? ": this CPU lacks it" : " in this lab"));
}

void expects_scale(float scale) { NIBBLE_EXPECTS(std::isnormal(scale) && scale > 0.0f, scale); }

void expects_packed(Isa isa, std::span<const std::int8_t> packed, MatmulShape shape) {
  expects_isa(isa);
  NIBBLE_EXPECTS(shape.n >= 0, shape.n);
  NIBBLE_EXPECTS(0 <= shape.k && shape.k <= kLongestK, shape.k);
  NIBBLE_EXPECTS(packed.size() == packed_size(isa, shape), packed.size());
  const auto past_alignment = reinterpret_cast<std::uintptr_t>(packed.data()) % 64;
  NIBBLE_EXPECTS(past_alignment == 0, past_alignment);
}

void expects_operands(Isa isa, std::size_t a_count, std::span<const std::int8_t> packed,
                      std::size_t c_count, MatmulShape shape) {
  NIBBLE_EXPECTS(shape.m >= 0, shape.m);
  expects_packed(isa, packed, shape);
  NIBBLE_EXPECTS(a_count == product(shape.m, shape.k), a_count);
  NIBBLE_EXPECTS(c_count == product(shape.m, shape.n), c_count);
}

// --- Where a tile goes ---------------------------------------------------------------------------

/// Scales and biases of the columns; null for int32 results.
struct Epilogue {
  const float* scale;
  const float* bias;

  Epilogue from(std::size_t column) const {
    return scale == nullptr ? *this : Epilogue{scale + column, bias + column};
  }
};

/// What a kernel reads and writes: `rows` rows of A, one panel, and a corner of c.
template <class T>
struct Tile {
  const std::uint8_t* a;     ///< the first row, as pack_row leaves it
  std::size_t a_stride;      ///< bytes from one row of A to the next
  const std::int8_t* b;      ///< the panel, [quads][width][4]
  const std::int32_t* sums;  ///< of its columns
  std::size_t quads;         ///< k, in steps of four
  T* c;                      ///< first element of the tile
  std::size_t stride;        ///< elements from one row of c to the next
  int columns;               ///< how many columns of the panel exist, at most its width
  Epilogue epilogue;         ///< of its columns
};

template <class T>
constexpr bool is_fused = std::is_same_v<T, float>;

// --- scalar --------------------------------------------------------------------------------------

/// One row, 16 columns. The compiler may make vectors of it.
template <int kRows, class T>
void scalar_tile(const Tile<T>& tile) {
  static_assert(kRows == 1);
  std::array<std::int32_t, 16> acc{};
  for (std::size_t quad = 0; quad < tile.quads; ++quad) {
    for (std::size_t p = 0; p < 4; ++p) {
      const int x = static_cast<std::int8_t>(tile.a[4 * quad + p]);
      for (std::size_t j = 0; j < acc.size(); ++j) acc[j] += x * tile.b[64 * quad + 4 * j + p];
    }
  }
  for (int j = 0; j < tile.columns; ++j) {
    if constexpr (is_fused<T>) {
      const float scaled = static_cast<float>(acc[j]) * tile.epilogue.scale[j];
      const float v = scaled + tile.epilogue.bias[j];
      tile.c[j] = v > 0.0f ? v : 0.0f;
    } else {
      tile.c[j] = acc[j];
    }
  }
}

std::int32_t scalar_dot(const std::int8_t* a, const std::int8_t* b, std::size_t count) {
  std::int32_t acc = 0;
  for (std::size_t i = 0; i < count; ++i) acc += a[i] * b[i];
  return acc;
}

#if defined(__x86_64__)

// --- avx2: 6 x 16 --------------------------------------------------------------------------------
//
//                 b: 8 columns  8 columns       16 registers: 12 sums, 2 of b, 1 of a, 1 product.
//              +------------+------------+      vpmaddwd wants int16. Bytes 1 and 3 of a quad are
//    a: row 0  |  acc[0][0] |  acc[0][1] |      one shift away from it, bytes 0 and 2 two shifts:
//       ...    |    ...     |    ...     |      so the four products of a quad are summed in the
//       row 5  |  acc[5][0] |  acc[5][1] |      order (1, 3), (0, 2), and A is packed in it.
//              +------------+------------+      A product pair is at most 2^15: nothing saturates.

NIBBLE_BEGIN_AVX2

__m256i load256(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }

/// All ones in the lanes that exist, counted from lane 0.
__m256i lanes_below(int count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/// Stores 8 sums, or what the epilogue makes of them. `j` counts from the tile's first column.
template <class T>
void store256(const Tile<T>& tile, int row, int j, __m256i acc) {
  const __m256i mask = lanes_below(tile.columns - j);
  T* to = tile.c + row * tile.stride + j;
  if constexpr (is_fused<T>) {
    const __m256 scale = _mm256_maskload_ps(tile.epilogue.scale + j, mask);
    const __m256 bias = _mm256_maskload_ps(tile.epilogue.bias + j, mask);
    const __m256 v = _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(acc), scale), bias);
    _mm256_maskstore_ps(to, mask, _mm256_max_ps(v, _mm256_setzero_ps()));
  } else {
    _mm256_maskstore_epi32(to, mask, acc);
  }
}

/// acc += x * b0 and x * b1, where x is the same pair of codes in every lane.
void add_pairs(__m256i (&acc)[2], const std::uint8_t* pair, __m256i b0, __m256i b1) {
  std::int32_t two;
  std::memcpy(&two, pair, 4);
  const __m256i x = _mm256_set1_epi32(two);
  acc[0] = _mm256_add_epi32(acc[0], _mm256_madd_epi16(x, b0));
  acc[1] = _mm256_add_epi32(acc[1], _mm256_madd_epi16(x, b1));
  // Says "is in a register now". Otherwise the compiler adds two products to each other before they
  // join the sum, and has no registers to keep so many of them in.
  asm("" : "+x"(acc[0]), "+x"(acc[1]));
}

template <int kRows, class T>
void avx2_tile(const Tile<T>& tile) {
  __m256i acc[kRows][2];
#pragma GCC unroll 6
  for (int row = 0; row < kRows; ++row) acc[row][0] = acc[row][1] = _mm256_setzero_si256();
  const std::uint8_t* a = tile.a;
  const std::int8_t* b = tile.b;
  for (std::size_t quad = 0; quad < tile.quads; ++quad, a += 8, b += 64) {
    const __m256i odd0 = _mm256_srai_epi16(load256(b), 8);
    const __m256i odd1 = _mm256_srai_epi16(load256(b + 32), 8);
#pragma GCC unroll 6
    for (int row = 0; row < kRows; ++row) add_pairs(acc[row], a + row * tile.a_stride, odd0, odd1);
    const __m256i even0 = _mm256_srai_epi16(_mm256_slli_epi16(load256(b), 8), 8);
    const __m256i even1 = _mm256_srai_epi16(_mm256_slli_epi16(load256(b + 32), 8), 8);
#pragma GCC unroll 6
    for (int row = 0; row < kRows; ++row) {
      add_pairs(acc[row], a + row * tile.a_stride + 4, even0, even1);
    }
  }
#pragma GCC unroll 6
  for (int row = 0; row < kRows; ++row) {
    store256(tile, row, 0, acc[row][0]);
    store256(tile, row, 8, acc[row][1]);
  }
}

std::int32_t sum_of(__m256i v) {
  __m128i s = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  s = _mm_add_epi32(s, _mm_shuffle_epi32(s, 0b01'00'11'10));
  return _mm_cvtsi128_si32(_mm_add_epi32(s, _mm_shuffle_epi32(s, 0b10'11'00'01)));
}

std::int32_t avx2_dot(const std::int8_t* a, const std::int8_t* b, std::size_t count) {
  __m256i even = {}, odd = {};
  const auto product_of = [](const std::int8_t* x, const std::int8_t* y) {
    const auto wide = [](const std::int8_t* from) {
      return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    };
    return _mm256_madd_epi16(wide(x), wide(y));
  };
  std::size_t i = 0;
  for (; i + 32 <= count; i += 32) {  // two sums: the next addition need not wait for the last
    even = _mm256_add_epi32(even, product_of(a + i, b + i));
    odd = _mm256_add_epi32(odd, product_of(a + i + 16, b + i + 16));
  }
  return sum_of(_mm256_add_epi32(even, odd)) + scalar_dot(a + i, b + i, count - i);
}
NIBBLE_END

// --- avx_vnni: 6 x 16 ----------------------------------------------------------------------------
//
// The picture is that of avx2, with one vpdpbusd for four products: u8 times s8, so A holds a
// + 128, and a sum starts at -128 * (sum of its column of b).

NIBBLE_BEGIN_AVX_VNNI

template <int kRows, class T>
void avx_vnni_tile(const Tile<T>& tile) {
  __m256i acc[kRows][2];
  const auto start = [&](int j) {
    return _mm256_sub_epi32(__m256i{}, _mm256_slli_epi32(load256(tile.sums + j), 7));
  };
#pragma GCC unroll 6
  for (int row = 0; row < kRows; ++row) {
    acc[row][0] = start(0);
    acc[row][1] = start(8);
  }
  const std::uint8_t* a = tile.a;
  const std::int8_t* b = tile.b;
  for (std::size_t quad = 0; quad < tile.quads; ++quad, a += 4, b += 64) {
    const __m256i b0 = load256(b), b1 = load256(b + 32);
#pragma GCC unroll 6
    for (int row = 0; row < kRows; ++row) {
      std::int32_t four;
      std::memcpy(&four, a + row * tile.a_stride, 4);
      const __m256i x = _mm256_set1_epi32(four);
      acc[row][0] = _mm256_dpbusd_avx_epi32(acc[row][0], x, b0);
      acc[row][1] = _mm256_dpbusd_avx_epi32(acc[row][1], x, b1);
    }
  }
#pragma GCC unroll 6
  for (int row = 0; row < kRows; ++row) {
    asm("" : "+x"(acc[row][0]), "+x"(acc[row][1]));  // see avx512_vnni_tile
    store256(tile, row, 0, acc[row][0]);
    store256(tile, row, 8, acc[row][1]);
  }
}

std::int32_t avx_vnni_dot(const std::int8_t* a, const std::int8_t* b, std::size_t count) {
  const __m256i flip = _mm256_set1_epi8(-128), ones = _mm256_set1_epi8(1);
  __m256i acc = {}, b_sums = {};
  std::size_t i = 0;
  for (; i + 32 <= count; i += 32) {
    const __m256i y = load256(b + i);
    acc = _mm256_dpbusd_avx_epi32(acc, _mm256_xor_si256(load256(a + i), flip), y);
    b_sums = _mm256_dpbusd_avx_epi32(b_sums, ones, y);
  }
  // Lane by lane, where both are small: the whole sum with its +128 may leave int32.
  return sum_of(_mm256_sub_epi32(acc, _mm256_slli_epi32(b_sums, 7))) +
         scalar_dot(a + i, b + i, count - i);
}
NIBBLE_END

// --- avx512_vnni: 6 x 64 -------------------------------------------------------------------------
//
//               b: 16 columns  16 columns  16 columns  16 columns    32 registers: 24 sums, 4 of
//             +-----------+-----------+-----------+-----------+      b, 1 of a. A step of k (a
//    a: row 0 | acc[0][0] | acc[0][1] | acc[0][2] | acc[0][3] |      quad) loads 4 vectors of b,
//       row 1 | acc[1][0] | acc[1][1] | acc[1][2] | acc[1][3] |      and 6 quads of a repeated in
//       ...   |    ...    |    ...    |    ...    |    ...    |      all lanes: 10 loads for 24
//       row 5 | acc[5][0] | acc[5][1] | acc[5][2] | acc[5][3] |      vpdpbusd of 64 products, so
//             +-----------+-----------+-----------+-----------+      the products are what waits.

NIBBLE_BEGIN_AVX512_VNNI

__mmask16 mask_below(int count) {
  return static_cast<__mmask16>(count >= 16 ? 0xFFFF : count <= 0 ? 0 : (1 << count) - 1);
}

/// Stores the sums of 16 columns from j on, or what the epilogue makes of them.
template <int kRows, class T>
void store512(const Tile<T>& tile, int j, const __m512i (&acc)[kRows]) {
  const __mmask16 mask = mask_below(tile.columns - j);
  T* to = tile.c + j;
  if constexpr (is_fused<T>) {
    const __m512 scale = _mm512_maskz_loadu_ps(mask, tile.epilogue.scale + j);
    const __m512 bias = _mm512_maskz_loadu_ps(mask, tile.epilogue.bias + j);
#pragma GCC unroll 6
    for (int row = 0; row < kRows; ++row, to += tile.stride) {
      const __m512 real = _mm512_maskz_cvtepi32_ps(mask, acc[row]);
      const __m512 v = _mm512_add_ps(_mm512_mul_ps(real, scale), bias);
      _mm512_mask_storeu_ps(to, mask, _mm512_maskz_max_ps(mask, v, _mm512_setzero_ps()));
    }
  } else {
#pragma GCC unroll 6
    for (int row = 0; row < kRows; ++row, to += tile.stride) {
      _mm512_mask_storeu_epi32(to, mask, acc[row]);
    }
  }
}

template <int kRows, class T>
void avx512_vnni_tile(const Tile<T>& tile) {
  __m512i acc[4][kRows];
#pragma GCC unroll 4
  for (int v = 0; v < 4; ++v) {
    const __m512i sums = _mm512_loadu_si512(tile.sums + 16 * v);
    const __m512i start = _mm512_mullo_epi32(sums, _mm512_set1_epi32(-128));
#pragma GCC unroll 6
    for (int row = 0; row < kRows; ++row) acc[v][row] = start;
  }
  const std::uint8_t* a = tile.a;
  const std::int8_t* b = tile.b;
  for (std::size_t quad = 0; quad < tile.quads; ++quad, a += 4, b += 256) {
    const __m512i b0 = _mm512_loadu_si512(b), b1 = _mm512_loadu_si512(b + 64);
    const __m512i b2 = _mm512_loadu_si512(b + 128), b3 = _mm512_loadu_si512(b + 192);
#pragma GCC unroll 6
    for (int row = 0; row < kRows; ++row) {
      std::int32_t four;
      std::memcpy(&four, a + row * tile.a_stride, 4);
      const __m512i x = _mm512_set1_epi32(four);
      acc[0][row] = _mm512_dpbusd_epi32(acc[0][row], x, b0);
      acc[1][row] = _mm512_dpbusd_epi32(acc[1][row], x, b1);
      acc[2][row] = _mm512_dpbusd_epi32(acc[2][row], x, b2);
      acc[3][row] = _mm512_dpbusd_epi32(acc[3][row], x, b3);
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < 4; ++v) {
    // Says "is in a register here". Without it GCC 12 may store every sum in every step of the loop
    // above, which costs half of the speed.
#pragma GCC unroll 6
    for (int row = 0; row < kRows; ++row) asm("" : "+v"(acc[v][row]));
    store512(tile, 16 * v, acc[v]);
  }
}

std::int32_t avx512_vnni_dot(const std::int8_t* a, const std::int8_t* b, std::size_t count) {
  const __m512i flip = _mm512_set1_epi8(-128), ones = _mm512_set1_epi8(1);
  __m512i acc = {}, b_sums = {};
  for (std::size_t i = 0; i < count; i += 64) {
    const std::size_t left = count - i;
    const __mmask64 mask = left >= 64 ? ~0ull : (1ull << left) - 1;
    const __m512i x = _mm512_maskz_loadu_epi8(mask, a + i),
                  y = _mm512_maskz_loadu_epi8(mask, b + i);
    acc = _mm512_dpbusd_epi32(acc, _mm512_xor_si512(x, flip), y);  // past the end: 128 * 0
    b_sums = _mm512_dpbusd_epi32(b_sums, ones, y);
  }
  acc = _mm512_sub_epi32(acc, _mm512_mullo_epi32(b_sums, _mm512_set1_epi32(128)));
  std::array<std::int32_t, 16> lanes;
  _mm512_storeu_si512(lanes.data(), acc);
  return std::accumulate(lanes.begin(), lanes.end(), 0);
}
NIBBLE_END

#elif defined(__aarch64__)

// --- neon_dot: 4 x 16 ----------------------------------------------------------------------------
//
//               b: 4 columns  4 columns   4 columns   4 columns
//             +-----------+-----------+-----------+-----------+      32 registers: 16 sums, 4 of
//    a: row 0 | acc[0][0] | acc[0][1] | acc[0][2] | acc[0][3] |      b, 1 of a. sdot multiplies
//       ...   |    ...    |    ...    |    ...    |    ...    |      signed by signed: nothing is
//       row 3 | acc[3][0] | acc[3][1] | acc[3][2] | acc[3][3] |      taken off.
//             +-----------+-----------+-----------+-----------+

NIBBLE_BEGIN_NEON_DOT

template <class T>
void store128(const Tile<T>& tile, int row, int j, int32x4_t acc) {
  const int count = std::min(4, tile.columns - j);
  std::array<T, 4> lanes{};
  if constexpr (is_fused<T>) {
    std::array<float, 4> scale{}, bias{};
    for (int lane = 0; lane < count; ++lane) {
      scale[lane] = tile.epilogue.scale[j + lane];
      bias[lane] = tile.epilogue.bias[j + lane];
    }
    const float32x4_t v =
        vaddq_f32(vmulq_f32(vcvtq_f32_s32(acc), vld1q_f32(scale.data())), vld1q_f32(bias.data()));
    vst1q_f32(lanes.data(), vmaxq_f32(v, vdupq_n_f32(0.0f)));
  } else {
    vst1q_s32(lanes.data(), acc);
  }
  for (int lane = 0; lane < count; ++lane) tile.c[row * tile.stride + j + lane] = lanes[lane];
}

template <int kRows, class T>
void neon_tile(const Tile<T>& tile) {
  int32x4_t acc[kRows][4];
#pragma GCC unroll 4
  for (int row = 0; row < kRows; ++row) {
#pragma GCC unroll 4
    for (int v = 0; v < 4; ++v) acc[row][v] = vdupq_n_s32(0);
  }
  const std::uint8_t* a = tile.a;
  const std::int8_t* b = tile.b;
  for (std::size_t quad = 0; quad < tile.quads; ++quad, a += 4, b += 64) {
    const int8x16_t columns[4] = {vld1q_s8(b), vld1q_s8(b + 16), vld1q_s8(b + 32),
                                  vld1q_s8(b + 48)};
#pragma GCC unroll 4
    for (int row = 0; row < kRows; ++row) {
      std::int32_t four;
      std::memcpy(&four, a + row * tile.a_stride, 4);
      const int8x16_t x = vreinterpretq_s8_s32(vdupq_n_s32(four));
#pragma GCC unroll 4
      for (int v = 0; v < 4; ++v) acc[row][v] = vdotq_s32(acc[row][v], columns[v], x);
    }
  }
#pragma GCC unroll 4
  for (int row = 0; row < kRows; ++row) {
#pragma GCC unroll 4
    for (int v = 0; v < 4; ++v) {
      asm("" : "+w"(acc[row][v]));  // "is in a register here": or GCC 12 stores one in every step
      store128(tile, row, 4 * v, acc[row][v]);
    }
  }
}

std::int32_t neon_dot(const std::int8_t* a, const std::int8_t* b, std::size_t count) {
  int32x4_t acc = vdupq_n_s32(0);
  std::size_t i = 0;
  for (; i + 16 <= count; i += 16) acc = vdotq_s32(acc, vld1q_s8(a + i), vld1q_s8(b + i));
  return vaddvq_s32(acc) + scalar_dot(a + i, b + i, count - i);
}
NIBBLE_END
#endif

// --- The driver ----------------------------------------------------------------------------------
//
//             panel 0   panel 1  ...          for a block of rows of A that fits in the L2 cache:
//           +---------+---------+               pack the block
//   block 0 | tiles   |         |               for every panel of B:
//           |   |     |   |     |                 for every group of rows in the block: one tile
//           |   v     |   v     |             The panel stays near while the groups pass it by; the
//           +---------+---------+             block stays in L2 while the panels pass it by.
//   block 1 | ...     | ...     |

/// How the kernel of an isa wants A.
enum class Packing {
  kSigned,    ///< a quad as it is: 4 bytes
  kUnsigned,  ///< a + 128
  kWidened,   ///< int16, in the order 1, 3, 0, 2: 8 bytes
};

constexpr std::size_t bytes_of_code(Packing packing) {
  return packing == Packing::kWidened ? 2 : 1;
}

/// Copies a row of A as the kernel wants it, whole quads. What stands behind k is multiplied by the
/// zeros of B; for vpdpbusd it is 128 all the same, for that is what 0 looks like there.
template <Packing kPacking>
void pack_row(const std::int8_t* row, std::size_t k, std::uint8_t* to) {
  if constexpr (kPacking == Packing::kWidened) {
    // Sixteen quads at a time, which the compiler makes vectors of; then the rest,
    // with zeros behind.
    std::array<std::int8_t, 64> x;
    std::array<std::int16_t, 64> wide;
    for (std::size_t p = 0; p < k; p += 64) {
      const std::size_t count = std::min<std::size_t>(64, k - p);
      if (count < 64) x.fill(0);
      std::copy(row + p, row + p + count, x.begin());
      for (std::size_t q = 0; q < 64; q += 4) {
        wide[q] = x[q + 1];
        wide[q + 1] = x[q + 3];
        wide[q + 2] = x[q];
        wide[q + 3] = x[q + 2];
      }
      std::memcpy(to + 2 * p, wide.data(), sizeof wide);
    }
  } else {
    constexpr int flip = kPacking == Packing::kUnsigned ? 0x80 : 0;
    for (std::size_t p = 0; p < k; ++p) to[p] = static_cast<std::uint8_t>(row[p] ^ flip);
    for (std::size_t p = k; p < (k + 3) / 4 * 4; ++p) to[p] = static_cast<std::uint8_t>(flip);
  }
}

/// Room for packed rows, kept from call to call: fresh memory costs a page fault every 4 KiB.
std::uint8_t* scratch(std::size_t bytes) {
  static thread_local std::vector<std::uint8_t> memory;
  if (memory.size() < bytes + 64) memory.resize(bytes + 64);
  return memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64);
}

template <class T>
using TileFunction = void (*)(const Tile<T>&);

/// The kernels for 1 ... kMax rows.
template <class T, std::size_t kMax>
using TileFunctions = std::array<TileFunction<T>, kMax>;

template <Packing kPacking, class T, std::size_t kMax>
void multiply(const TileFunctions<T, kMax>& tiles, int width, std::span<const std::int8_t> a,
              std::span<const std::int8_t> packed, const Epilogue& epilogue, T* c,
              MatmulShape shape) {
  const std::size_t k = shape.k, n = shape.n, quads = (k + 3) / 4,
                    wide = rounded_up(shape.n, width);
  const auto* sums = reinterpret_cast<const std::int32_t*>(packed.data());
  const std::int8_t* panels = packed.data() + 4 * wide;
  // Rows that lie 4096 bytes apart would fight for the same few lines of the L1 cache.
  const std::size_t row_bytes = rounded_up(shape.k, 64) * bytes_of_code(kPacking) + 64;
  constexpr std::size_t kBlockBytes = 320 * 1024;
  const int group = static_cast<int>(kMax);
  const int block = std::max(group, static_cast<int>(kBlockBytes / row_bytes) / group * group);
  std::uint8_t* const block_a = scratch(std::min(block, shape.m) * row_bytes);
  for (int i0 = 0; i0 < shape.m; i0 += block) {
    const int end = std::min(shape.m, i0 + block);
    for (int i = i0; i < end; ++i) {
      pack_row<kPacking>(a.data() + i * k, k, block_a + (i - i0) * row_bytes);
    }
    for (std::size_t j = 0; j < n; j += width) {
      for (int i = i0; i < end; i += group) {
        const int rows = std::min(group, end - i);
        const int columns = static_cast<int>(std::min<std::size_t>(width, n - j));
        tiles[rows - 1]({block_a + (i - i0) * row_bytes, row_bytes, panels + j * 4 * quads,
                         sums + j, quads, c + i * n + j, n, columns, epilogue.from(j)});
      }
    }
  }
}

template <class T>
void multiply_with(Isa isa, std::span<const std::int8_t> a, std::span<const std::int8_t> packed,
                   const Epilogue& epilogue, std::span<T> c, MatmulShape shape) {
  const auto run = [&]<Packing kPacking, std::size_t kMax>(
                       std::integral_constant<Packing, kPacking>,
                       const TileFunctions<T, kMax>& tiles) {
    multiply<kPacking>(tiles, panel_width(isa), a, packed, epilogue, c.data(), shape);
  };
  switch (isa) {
#if defined(__x86_64__)
    case Isa::kAvx2:
      return run(std::integral_constant<Packing, Packing::kWidened>{},
                 TileFunctions<T, 6>{avx2_tile<1, T>, avx2_tile<2, T>, avx2_tile<3, T>,
                                     avx2_tile<4, T>, avx2_tile<5, T>, avx2_tile<6, T>});
    case Isa::kAvxVnni:
      return run(
          std::integral_constant<Packing, Packing::kUnsigned>{},
          TileFunctions<T, 6>{avx_vnni_tile<1, T>, avx_vnni_tile<2, T>, avx_vnni_tile<3, T>,
                              avx_vnni_tile<4, T>, avx_vnni_tile<5, T>, avx_vnni_tile<6, T>});
    case Isa::kAvx512Vnni:
      return run(std::integral_constant<Packing, Packing::kUnsigned>{},
                 TileFunctions<T, 6>{avx512_vnni_tile<1, T>, avx512_vnni_tile<2, T>,
                                     avx512_vnni_tile<3, T>, avx512_vnni_tile<4, T>,
                                     avx512_vnni_tile<5, T>, avx512_vnni_tile<6, T>});
#elif defined(__aarch64__)
    case Isa::kNeonDot:
      return run(
          std::integral_constant<Packing, Packing::kSigned>{},
          TileFunctions<T, 4>{neon_tile<1, T>, neon_tile<2, T>, neon_tile<3, T>, neon_tile<4, T>});
#endif
    default:
      return run(std::integral_constant<Packing, Packing::kSigned>{},
                 TileFunctions<T, 1>{scalar_tile<1, T>});
  }
}

// --- Element by element, plain -------------------------------------------------------------------
//
// Loops that become vectors: restrict, because the compiler has to know that what is written is not
// read again; no branch and no function call in them.

float clamp_code(float v) { return std::min(std::max(v, -128.0f), 127.0f); }

void quantize_plain(const float* __restrict x, float scale, std::int8_t* __restrict q,
                    std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const float code = clamp_code(std::nearbyint(x[i] / scale));
    q[i] = static_cast<std::int8_t>(x[i] == x[i] ? code : 0.0f);  // a NaN is not equal to itself
  }
}

void dequantize_plain(const std::int8_t* __restrict q, float scale, float* __restrict x,
                      std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x[i] = scale * static_cast<float>(q[i]);
}

void requantize_plain(const std::int32_t* __restrict acc, const float* __restrict multiplier,
                      std::int32_t zero_point, std::int8_t* __restrict q, std::size_t count) {
  for (std::size_t j = 0; j < count; ++j) {
    const float v = std::nearbyint(static_cast<float>(acc[j]) * multiplier[j]);
    q[j] = static_cast<std::int8_t>(clamp_code(v + static_cast<float>(zero_point)));
  }
}

/// y for every x, by x as an unsigned byte.
using Table = std::array<std::int8_t, 256>;

Table sigmoid_table(float scale) {
  Table table;
  for (int x = -128; x < 128; ++x) {
    const double s = 1.0 / (1.0 + std::exp(-static_cast<double>(scale) * x));
    const double code = std::min(std::nearbyint(256.0 * s) - 128.0, 127.0);
    table[static_cast<std::uint8_t>(x)] = static_cast<std::int8_t>(code);
  }
  return table;
}

#if defined(__x86_64__)

// --- Element by element, AVX-512 and AVX2 --------------------------------------------------------
//
// Each returns how many elements it did; the plain form does the rest. The conversions saturate by
// themselves, so only the upper end is clamped: past int32 every value becomes -2^31.

NIBBLE_BEGIN_AVX512_VNNI

/// Past any cache, a store that goes by the caches: the line need not be read before it is written.
constexpr std::size_t kBeyondCaches = std::size_t{32} << 20;  // bytes, in and out

template <bool kStream>
void put(void* to, __m512i v) {
  if constexpr (kStream) {
    _mm512_stream_si512(static_cast<__m512i*>(to), v);
  } else {
    _mm512_storeu_si512(to, v);
  }
}

/// How many elements there are before the first that is 64-byte aligned, as streaming wants it.
template <class T>
std::size_t unaligned_part(const T* p, std::size_t count) {
  return std::min(count, (64 - reinterpret_cast<std::uintptr_t>(p) % 64) % 64 / sizeof(T));
}

/// 64 codes of 64 integers, clamped. A pack works on each quarter of its registers by itself: the
/// codes come out in fours, in the order 0, 4, 8, 12, 1, 5, ...
__m512i packed_codes(const __m512i (&v)[4], int zero_point) {
  const __m512i shift = _mm512_set1_epi16(static_cast<short>(zero_point));
  const __m512i low = _mm512_adds_epi16(_mm512_packs_epi32(v[0], v[1]), shift);
  const __m512i high = _mm512_adds_epi16(_mm512_packs_epi32(v[2], v[3]), shift);
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  return _mm512_maskz_permutexvar_epi32(0xFFFF, order, _mm512_packs_epi16(low, high));
}

/// The nearest integers, ties to even.
__m512i rounded(__m512 v) {
  return _mm512_maskz_cvtps_epi32(0xFFFF, _mm512_maskz_min_ps(0xFFFF, v, _mm512_set1_ps(512.0f)));
}

constexpr std::size_t kChunk = 64;

/// A product is far cheaper than a quotient, and its code is the same except beside a tie:
/// |x * (1 / scale) - x / scale| <= |x / scale| * 6 * 2^-24, a 1 / scale below FLT_MIN among them;
/// and past 128.5 steps both are clamped. So: this far from an integer, divide.
constexpr float kNearTie = 0.5f - 0x1p-14f;

template <bool kStream>
std::size_t quantize_512(const float* x, float scale, std::int8_t* q, std::size_t count) {
  const __m512 inverse = _mm512_set1_ps(1.0f / scale);
  const __m512i near_tie = _mm512_set1_epi32(std::bit_cast<std::int32_t>(kNearTie));
  std::size_t i = kStream ? unaligned_part(q, count) : 0;
  quantize_plain(x, scale, q, i);
  for (; i + kChunk <= count; i += kChunk) {
    // The distances from an integer are compared by their bits: those of a NaN are the largest.
    __m512i codes[4], worst = _mm512_setzero_si512();
#pragma GCC unroll 4
    for (int part = 0; part < 4; ++part) {
      const __m512 v = _mm512_mul_ps(_mm512_loadu_ps(x + i + 16 * part), inverse);
      const __m512 off = _mm512_maskz_reduce_ps(0xFFFF, v, _MM_FROUND_TO_NEAREST_INT);
      worst = _mm512_maskz_max_epi32(0xFFFF, worst, _mm512_castps_si512(_mm512_abs_ps(off)));
      codes[part] = rounded(v);
    }
    if (_mm512_cmpgt_epi32_mask(worst, near_tie) == 0) {
      put<kStream>(q + i, packed_codes(codes, 0));
    } else {
      quantize_plain(x + i, scale, q + i, kChunk);
    }
  }
  return i;
}

template <bool kStream>
std::size_t dequantize_512(const std::int8_t* q, float scale, float* x, std::size_t count) {
  std::size_t i = kStream ? unaligned_part(x, count) : 0;
  dequantize_plain(q, scale, x, i);
  for (; i + 16 <= count; i += 16) {
    const __m128i codes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(q + i));
    const __m512i wide = _mm512_maskz_cvtepi8_epi32(0xFFFF, codes);
    const __m512 real =
        _mm512_mul_ps(_mm512_maskz_cvtepi32_ps(0xFFFF, wide), _mm512_set1_ps(scale));
    put<kStream>(x + i, _mm512_castps_si512(real));
  }
  return i;
}

std::size_t requantize_512(const std::int32_t* acc, const float* multiplier, int zero_point,
                           std::int8_t* q, std::size_t count) {
  std::size_t j = 0;
  for (; j + kChunk <= count; j += kChunk) {
    __m512i codes[4];
#pragma GCC unroll 4
    for (std::size_t part = 0; part < 4; ++part) {
      const std::size_t at = j + 16 * part;
      const __m512 sums = _mm512_maskz_cvtepi32_ps(0xFFFF, _mm512_loadu_si512(acc + at));
      codes[part] = rounded(_mm512_mul_ps(sums, _mm512_loadu_ps(multiplier + at)));
    }
    put<false>(q + j, packed_codes(codes, zero_point));
  }
  return j;
}
NIBBLE_END

NIBBLE_BEGIN_AVX2

/// vpshufb picks from 16 bytes by the low four bits of an index, and gives 0 where its top bit is
/// set. So the table is taken in 16 parts. For part t, an index that has 16 * t taken off is below
/// 16 exactly in that part; adding 0x70, and stopping at 255, sets the top bit of all others.
std::size_t look_up_256(const std::int8_t* x, const Table& table, std::int8_t* y,
                        std::size_t count) {
  __m256i parts[16];
  for (int t = 0; t < 16; ++t) {
    parts[t] = _mm256_broadcastsi128_si256(
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(&table[16 * t])));
  }
  std::size_t i = 0;
  for (; i + 32 <= count; i += 32) {
    __m256i index = load256(x + i), found = _mm256_setzero_si256();
    for (const __m256i& part : parts) {
      const __m256i here = _mm256_adds_epu8(index, _mm256_set1_epi8(0x70));
      found = _mm256_or_si256(found, _mm256_shuffle_epi8(part, here));
      index = _mm256_sub_epi8(index, _mm256_set1_epi8(16));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(y + i), found);
  }
  return i;
}
NIBBLE_END
#endif

}  // namespace
// NIBBLE-END

Isa best_isa(std::uint32_t isas, Isa cap) {
  // NIBBLE-BEGIN-SOLUTION
  std::uint32_t known = 0;
  for (const Isa isa : kEveryIsa) known |= bit_of(isa);
  NIBBLE_EXPECTS((isas & ~known) == 0, isas);
  // Not compared as numbers: neon_dot comes last there, and is slower than avx2 in our order.
  const auto limit = std::ranges::find(kKernelIsas, cap);
  NIBBLE_EXPECTS(limit != kKernelIsas.end() || cap == Isa::kAmxInt8, static_cast<int>(cap));
  auto end = limit == kKernelIsas.end() ? limit : limit + 1;
  while (end != kKernelIsas.begin()) {
    if ((isas & bit_of(*--end)) != 0) return *end;
  }
  throw std::invalid_argument("no kernel of this lab runs on a machine with the set " +
                              std::to_string(isas) + " up to " + std::string(name_of(cap)));
  // NIBBLE-STUB: // 1. Refuse bits and caps that mean nothing.  2. From the fastest that cap allows, go
  // NIBBLE-STUB: //    down: which is in the set?  3. What if none is?
  // NIBBLE-STUB: NIBBLE_TODO("choose a kernel");
  // NIBBLE-END
}

std::array<std::uint8_t, 2> saturating_pair(std::int8_t s0, std::int8_t s1) {
  // NIBBLE-BEGIN-SOLUTION
  // The sum is largest with 255 at the positive weights,
  // and smallest with 255 at the negative ones.
  for (const int sign : {1, -1}) {
    const std::array<std::uint8_t, 2> u = {static_cast<std::uint8_t>(s0 * sign > 0 ? 255 : 0),
                                           static_cast<std::uint8_t>(s1 * sign > 0 ? 255 : 0)};
    const int exact = u[0] * s0 + u[1] * s1;
    if (exact < -32768 || 32767 < exact) return u;
  }
  throw std::invalid_argument("no activations saturate the weights " + std::to_string(s0) +
                              " and " + std::to_string(s1));
  // NIBBLE-STUB: // How far up and how far down can u[0] * s0 + u[1] * s1 get? What is the int16 range?
  // NIBBLE-STUB: NIBBLE_TODO("find a pair that vpmaddubsw gets wrong");
  // NIBBLE-END
}

std::int32_t dot(Isa isa, std::span<const std::int8_t> a, std::span<const std::int8_t> b) {
  // NIBBLE-BEGIN-SOLUTION
  expects_isa(isa);
  NIBBLE_EXPECTS(a.size() == b.size(), a.size());
  NIBBLE_EXPECTS(a.size() <= std::size_t{kLongestK}, a.size());
  switch (isa) {
#if defined(__x86_64__)
    case Isa::kAvx2:
      return avx2_dot(a.data(), b.data(), a.size());
    case Isa::kAvxVnni:
      return avx_vnni_dot(a.data(), b.data(), a.size());
    case Isa::kAvx512Vnni:
      return avx512_vnni_dot(a.data(), b.data(), a.size());
#elif defined(__aarch64__)
    case Isa::kNeonDot:
      return neon_dot(a.data(), b.data(), a.size());
#endif
    default:
      return scalar_dot(a.data(), b.data(), a.size());
  }
  // NIBBLE-STUB: // 1. Refuse: the isa, the sizes.  2. One way for each isa, between NIBBLE_BEGIN_... and
  // NIBBLE-STUB: //    NIBBLE_END, as nibble/target.hpp shows. Begin with the plain loop.
  // NIBBLE-STUB: NIBBLE_TODO("sum products exactly");
  // NIBBLE-END
}

void pack_b(Isa isa, std::span<const std::int8_t> b_t, std::span<std::int8_t> packed,
            MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  expects_packed(isa, packed, shape);
  NIBBLE_EXPECTS(b_t.size() == product(shape.n, shape.k), b_t.size());
  const std::size_t n = shape.n, k = shape.k, w = panel_width(isa);
  const std::size_t wide = rounded_up(shape.n, panel_width(isa)), long_k = rounded_up(shape.k, 4);
  std::int8_t* const panels = packed.data() + 4 * wide;
  for (std::size_t j = 0; j < wide; ++j) {
    std::int8_t* to = panels + j / w * (w * long_k) + j % w * 4;
    std::int32_t sum = 0;
    for (std::size_t p = 0; p < long_k; p += 4, to += 4 * w) {
      for (std::size_t q = 0; q < 4; ++q) {
        to[q] = j < n && p + q < k ? b_t[j * k + p + q] : std::int8_t{0};
        sum += to[q];
      }
    }
    std::memcpy(packed.data() + 4 * j, &sum, 4);
  }
  // NIBBLE-STUB: // Column by column: where does a quad of it go, and what stands where there is none?
  // NIBBLE-STUB: NIBBLE_TODO("lay the weights out for the kernel");
  // NIBBLE-END
}

void multiply_packed(Isa isa, std::span<const std::int8_t> a, std::span<const std::int8_t> packed,
                     std::span<std::int32_t> c, MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  expects_operands(isa, a.size(), packed, c.size(), shape);
  multiply_with(isa, a, packed, {}, c, shape);
  // NIBBLE-STUB: // 1. Refuse.  2. A kernel that keeps a tile of sums in registers while it walks down k.
  // NIBBLE-STUB: // 3. A in the order in which the kernel reads it.  4. The edges, then the caches.
  // NIBBLE-STUB: NIBBLE_TODO("multiply by packed weights");
  // NIBBLE-END
}

void multiply_packed_fused(Isa isa, std::span<const std::int8_t> a,
                           std::span<const std::int8_t> packed, std::span<const float> scale,
                           std::span<const float> bias, std::span<float> c, MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  expects_operands(isa, a.size(), packed, c.size(), shape);
  NIBBLE_EXPECTS(scale.size() == product(shape.n, 1), scale.size());
  NIBBLE_EXPECTS(bias.size() == product(shape.n, 1), bias.size());
  expects_finite(scale);
  expects_finite(bias);
  multiply_with(isa, a, packed, {scale.data(), bias.data()}, c, shape);
  // NIBBLE-STUB: // The kernel you have, and another way for its sums to leave the registers.
  // NIBBLE-STUB: NIBBLE_TODO("scale, add and clip in the registers");
  // NIBBLE-END
}

void quantize(std::span<const float> x, float scale, std::span<std::int8_t> q) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(x.size() == q.size(), x.size());
  expects_scale(scale);
  std::size_t done = 0;
#if defined(__x86_64__)
  if (runs_here(Isa::kAvx512Vnni)) {
    const bool large = x.size() * 5 > kBeyondCaches;
    const auto kernel = large ? quantize_512<true> : quantize_512<false>;
    done = kernel(x.data(), scale, q.data(), x.size());
  }
#endif
  quantize_plain(x.data() + done, scale, q.data() + done, x.size() - done);
  // NIBBLE-STUB: // Look at the loop as the compiler does: which of its lines cannot be done for eight
  // NIBBLE-STUB: // elements at once, and which is slow even then?
  // NIBBLE-STUB: NIBBLE_TODO("quantize at the speed of memory");
  // NIBBLE-END
}

void dequantize(std::span<const std::int8_t> q, float scale, std::span<float> x) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(x.size() == q.size(), x.size());
  expects_scale(scale);
  std::size_t done = 0;
#if defined(__x86_64__)
  if (runs_here(Isa::kAvx512Vnni)) {
    const bool large = x.size() * 5 > kBeyondCaches;
    const auto kernel = large ? dequantize_512<true> : dequantize_512<false>;
    done = kernel(q.data(), scale, x.data(), x.size());
  }
#endif
  dequantize_plain(q.data() + done, scale, x.data() + done, x.size() - done);
  // NIBBLE-STUB: NIBBLE_TODO("undo quantize at the speed of memory");
  // NIBBLE-END
}

void requantize(std::span<const std::int32_t> acc, std::span<const float> multiplier,
                std::int32_t zero_point, std::span<std::int8_t> q) {
  // NIBBLE-BEGIN-SOLUTION
  const std::size_t n = multiplier.size();
  NIBBLE_EXPECTS(acc.size() == q.size(), acc.size());
  NIBBLE_EXPECTS(n == 0 ? acc.empty() : acc.size() % n == 0, acc.size());
  NIBBLE_EXPECTS(-128 <= zero_point && zero_point <= 127, zero_point);
  for (const float factor : multiplier) expects_scale(factor);
  for (std::size_t row = 0; row < acc.size(); row += n) {
    std::size_t done = 0;
#if defined(__x86_64__)
    if (runs_here(Isa::kAvx512Vnni)) {
      done = requantize_512(&acc[row], multiplier.data(), zero_point, &q[row], n);
    }
#endif
    requantize_plain(acc.data() + row + done, multiplier.data() + done, zero_point,
                     q.data() + row + done, n - done);
  }
  // NIBBLE-STUB: // Row by row, so that the columns of both stand beside each other. Which comes first:
  // NIBBLE-STUB: // rounding, zero point, clamp?
  // NIBBLE-STUB: NIBBLE_TODO("make codes of sums");
  // NIBBLE-END
}

void sigmoid(std::span<const std::int8_t> x, float scale, std::span<std::int8_t> y) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(x.size() == y.size(), x.size());
  expects_scale(scale);
  const Table table = sigmoid_table(scale);
  std::size_t done = 0;
#if defined(__x86_64__)
  if (runs_here(Isa::kAvx2)) done = look_up_256(x.data(), table, y.data(), x.size());
#endif
  for (std::size_t i = done; i < x.size(); ++i) y[i] = table[static_cast<std::uint8_t>(x[i])];
  // NIBBLE-STUB: // 1. Refuse.  2. How many different inputs are there?  3. Build a table once a call.
  // NIBBLE-STUB: NIBBLE_TODO("apply the logistic function to codes");
  // NIBBLE-END
}

}  // namespace nibble
