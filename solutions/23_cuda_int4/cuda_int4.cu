// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 23. A word of eight codes is fetched once; what changes is what
// becomes of it: bytes, floats, products with halves, products with int8.
// NIBBLE-STUB: // Lab 23. The contract is in cuda_int4.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 23        (or leave ./nibble watch open)
// NIBBLE-END
#include "cuda_int4.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr int kWarp = 32;

/// The first `count` codes of a word, and 0 for the others:
/// what lies behind the end of a row is not.
__device__ unsigned first_codes(unsigned word, std::int64_t count) {
  if (count >= 8) return word;
  return count > 0 ? word & ((1u << (4 * count)) - 1) : 0;
}

/// Code `i` of a word. Its highest bit becomes the highest of an int, and an int is shifted down
/// with its sign.
__device__ int code_at(unsigned word, int i) {
  return static_cast<int>(word << (28 - 4 * i)) >> 28;
}

}  // namespace
// NIBBLE-END

// --- One byte a code -----------------------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
namespace {

/// Four nibbles, each in a byte of its own, as four codes. The bit that is worth -8 has to fill
/// the four above it: 8 * 0x1e = 0xf0, which is no more than a byte,
/// and so never reaches the next one.
__device__ unsigned sign_extended(unsigned nibbles) {
  return nibbles | (nibbles & 0x08080808u) * 0x1eu;
}

/// Eight codes as eight bytes, in order.
__device__ uint2 bytes_of(unsigned word) {
  const unsigned even = sign_extended(word & 0x0f0f0f0fu);
  const unsigned odd = sign_extended(word >> 4 & 0x0f0f0f0fu);
  // Digits of the selector, lowest first: byte 0 of even, byte 0 of odd, byte 1 of even, ...
  return make_uint2(__byte_perm(even, odd, 0x5140), __byte_perm(even, odd, 0x7362));
}

}  // namespace

NIBBLE_LAUNCH(unpack_int4_kernel, .block_x = kWarp, .block_y = 8, .tile_m = 8,
              .tile_n = 16 * kWarp);
// NIBBLE-STUB: // How many codes does a thread of yours unpack, and how many rows does a block have?
// NIBBLE-STUB: NIBBLE_LAUNCH(unpack_int4_kernel, .block_x = 1);
// NIBBLE-END

NIBBLE_KERNEL void unpack_int4_kernel(const std::uint8_t* w4, std::int8_t* q, std::int64_t n,
                                      std::int64_t k, std::int64_t pitch) {
  // NIBBLE-BEGIN-SOLUTION
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t p = 16 * (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x);
  if (row >= n || p >= 2 * pitch) return;
  const uint2 words = *reinterpret_cast<const uint2*>(w4 + row * pitch + p / 2);
  const uint2 low = bytes_of(first_codes(words.x, k - p));
  const uint2 high = bytes_of(first_codes(words.y, k - p - 8));
  *reinterpret_cast<uint4*>(q + row * 2 * pitch + p) = make_uint4(low.x, low.y, high.x, high.y);
  // NIBBLE-STUB: // Which piece of which row is this thread's? How does a nibble get its sign, four of them
  // NIBBLE-STUB: // at a time? Which of the codes that it has loaded lie behind k?
  // NIBBLE-END
}

// --- Floats, a scale for each group --------------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
// 2 bytes in, 16 bytes out: 32 lanes store 512 neighbouring bytes. With a whole word a lane would
// store 32 bytes in two halves, and each of the two requests touch every sector.
NIBBLE_LAUNCH(dequantize_int4_kernel, .block_x = kWarp, .block_y = 8, .tile_m = 8,
              .tile_n = 4 * kWarp);
// NIBBLE-STUB: // How many codes make the 16 bytes that a thread can store at once?
// NIBBLE-STUB: NIBBLE_LAUNCH(dequantize_int4_kernel, .block_x = 1);
// NIBBLE-END

NIBBLE_KERNEL void dequantize_int4_kernel(const std::uint8_t* w4, const float* scales, float* w_hat,
                                          std::int64_t n, std::int64_t k, std::int64_t pitch,
                                          std::int64_t group_size) {
  // NIBBLE-BEGIN-SOLUTION
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t p = 4 * (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x);
  if (row >= n || p >= 2 * pitch) return;
  float4 values = make_float4(0, 0, 0, 0);
  if (p < k) {
    const std::int64_t groups = (k + group_size - 1) / group_size;
    const float scale = scales[row * groups + p / group_size];  // four codes never have two
    const unsigned pairs = *reinterpret_cast<const unsigned short*>(w4 + row * pitch + p / 2);
    const unsigned codes = first_codes(pairs, k - p);
    values = make_float4(scale * code_at(codes, 0), scale * code_at(codes, 1),
                         scale * code_at(codes, 2), scale * code_at(codes, 3));
  }
  *reinterpret_cast<float4*>(w_hat + row * 2 * pitch + p) = values;
  // NIBBLE-STUB: // The widest store first: whose four floats are it? Which bytes are they made of, and
  // NIBBLE-STUB: // which scale is theirs?
  // NIBBLE-END
}

// --- One row of activations, in binary16 ---------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
namespace {

/// Eight codes by eight halves; of both, only the first `count` are there.
__device__ float dot(unsigned word, uint4 halves, std::int64_t count) {
  const unsigned pairs[] = {halves.x, halves.y, halves.z, halves.w};
  float sum = 0;
  for (int i = 0; i < 8; ++i) {
    const auto bits = static_cast<unsigned short>(pairs[i / 2] >> (16 * (i % 2)));
    // Left out, not multiplied by 0: what is not there may be NaN.
    if (i < count) sum += code_at(word, i) * __half2float(__ushort_as_half(bits));
  }
  return sum;
}

/// The sum of what all lanes bring, in lane 0.
__device__ float warp_sum(float sum) {
  for (int step = kWarp / 2; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  return sum;
}

}  // namespace

// Threads with the same threadIdx.y are a warp, and have a row.
NIBBLE_LAUNCH(gemv_int4_kernel, .block_x = kWarp, .block_y = 8, .tile_n = 8);
// NIBBLE-STUB: // How many rows does a block make, when a warp makes one?
// NIBBLE-STUB: NIBBLE_LAUNCH(gemv_int4_kernel, .block_x = 1);
// NIBBLE-END

NIBBLE_KERNEL void gemv_int4_kernel(const std::uint8_t* w4, const float* scales, const __half* x,
                                    float* y, std::int64_t n, std::int64_t k, std::int64_t pitch,
                                    std::int64_t group_size) {
  // NIBBLE-BEGIN-SOLUTION
  const std::int64_t row = std::int64_t{blockIdx.x} * blockDim.y + threadIdx.y;
  if (row >= n) return;  // a whole warp leaves, or none of it
  const int lane = threadIdx.x;
  const std::int64_t groups = (k + group_size - 1) / group_size;
  float sum = 0;
  for (std::int64_t p = 8 * lane; p < k; p += 8 * kWarp) {
    const unsigned word = *reinterpret_cast<const unsigned*>(w4 + row * pitch + p / 2);
    const uint4 halves = *reinterpret_cast<const uint4*>(x + p);
    sum += scales[row * groups + p / group_size] * dot(word, halves, k - p);
  }
  sum = warp_sum(sum);  // lanes that had no word come here, too: a shuffle needs all of them
  if (lane == 0) y[row] = sum;
  // NIBBLE-STUB: // Which row is this warp's, and which of its words are this lane's, so that a warp reads
  // NIBBLE-STUB: // neighbours? Which lanes have to be there when the sums are shuffled? Who writes?
  // NIBBLE-END
}

// --- Many rows of activations, in int8 -----------------------------------------------------------

// NIBBLE-BEGIN-SOLUTION
namespace {

constexpr int kOutputs = 4;              // a thread has 4 rows and 4 columns of c,
constexpr int kSide = 16;                // a block 16 x 16 threads,
constexpr int kWide = kOutputs * kSide;  // and so 64 x 64 outputs
constexpr int kWords = 8;                // of weights in a row of a tile: 64 codes, a sector
constexpr int kStep = 8 * kWords;

/// Rows are 9 pieces long. A warp loads 8 pieces of 4 rows, and takes rows that are 8 apart: these
/// begin 8 * 9 = 72 pieces apart, 8 banks further on, so that its 32 stores meet nowhere. Nor do 16
/// lanes that read down 16 rows, for 9 is odd.
constexpr int kPadded = kWords + 1;

/// Eight activations in the order in which the nibbles of a word fall apart: even ones, odd ones.
/// Turned once when a tile is filled, instead of the weights whenever they are used.
__device__ uint2 even_and_odd(uint2 codes) {
  return make_uint2(__byte_perm(codes.x, codes.y, 0x6420), __byte_perm(codes.x, codes.y, 0x7531));
}

/// sum + 16 times the eight products. A nibble in the upper half of a byte, over a lower half of
/// zeros, is 16 times its code, sign and all: nothing has to be extended,
/// and 16 is divided out at the end.
__device__ int sixteen_times_dot(uint2 a, unsigned word, int sum) {
  const unsigned even = word << 4 & 0xf0f0f0f0u, odd = word & 0xf0f0f0f0u;
  sum = __dp4a(static_cast<int>(a.x), static_cast<int>(even), sum);
  return __dp4a(static_cast<int>(a.y), static_cast<int>(odd), sum);
}

}  // namespace

NIBBLE_LAUNCH(matmul_int4_kernel, .block_x = kSide, .block_y = kSide, .tile_m = kWide,
              .tile_n = kWide);
// NIBBLE-STUB: // Which part of c should a block make, and how many outputs a thread?
// NIBBLE-STUB: NIBBLE_LAUNCH(matmul_int4_kernel, .block_x = 1);
// NIBBLE-END

NIBBLE_KERNEL void matmul_int4_kernel(const std::int8_t* a, const float* a_scales,
                                      const std::uint8_t* w4, const float* scales_t, float* c,
                                      std::int64_t m, std::int64_t n, std::int64_t k,
                                      std::int64_t pitch, std::int64_t group_size) {
  // NIBBLE-BEGIN-SOLUTION
  __shared__ uint2 a_tile[kWide][kPadded];
  __shared__ unsigned w_tile[kWide][kPadded];
  __shared__ float scale_tile[kWide];
  const int x = threadIdx.x, y = threadIdx.y;
  const int thread = y * kSide + x, lane = thread % kWarp;
  const std::int64_t first_i = std::int64_t{blockIdx.y} * kWide;
  const std::int64_t first_j = std::int64_t{blockIdx.x} * kWide;
  int acc[kOutputs][kOutputs] = {};
  float sums[kOutputs][kOutputs] = {};

  for (std::int64_t p0 = 0; p0 < k; p0 += kStep) {
    const int piece = lane % kWords;
    const std::int64_t p = p0 + 8 * piece;
    for (int row = thread / kWarp + 8 * (lane / kWords); row < kWide; row += kWarp) {
      const std::int64_t i = first_i + row, j = first_j + row;
      uint2 codes = make_uint2(0, 0);
      unsigned word = 0;
      if (i < m && p < k) codes = *reinterpret_cast<const uint2*>(a + i * 2 * pitch + p);
      if (j < n && p < k) word = *reinterpret_cast<const unsigned*>(w4 + j * pitch + p / 2);
      a_tile[row][piece] = even_and_odd(codes);
      w_tile[row][piece] = first_codes(word, k - p);  // 0 times any int is 0: one operand is enough
    }
    const std::int64_t j = first_j + thread;
    if (thread < kWide) scale_tile[thread] = j < n ? scales_t[p0 / group_size * n + j] : 0;
    __syncthreads();

    for (int w = 0; w < kWords; ++w) {
      unsigned words[kOutputs];
      for (int s = 0; s < kOutputs; ++s) words[s] = w_tile[x + s * kSide][w];
      for (int r = 0; r < kOutputs; ++r) {
        const uint2 codes = a_tile[y + r * kSide][w];
        for (int s = 0; s < kOutputs; ++s) {
          acc[r][s] = sixteen_times_dot(codes, words[s], acc[r][s]);
        }
      }
    }
    // A group is whole steps, and its end is the only place where integers become floats.
    if ((p0 + kStep) % group_size == 0 || p0 + kStep >= k) {
      for (int r = 0; r < kOutputs; ++r) {
        for (int s = 0; s < kOutputs; ++s) {
          sums[r][s] += static_cast<float>(acc[r][s] / 16) * scale_tile[x + s * kSide];
          acc[r][s] = 0;
        }
      }
    }
    __syncthreads();
  }

  for (int r = 0; r < kOutputs; ++r) {
    for (int s = 0; s < kOutputs; ++s) {
      const std::int64_t i = first_i + y + r * kSide, j = first_j + x + s * kSide;
      if (i < m && j < n) c[i * n + j] = a_scales[i] * sums[r][s];
    }
  }
  // NIBBLE-STUB: // For every step along k: load tiles of a, of w4 and of scales, wait, multiply, wait. In
  // NIBBLE-STUB: // which order do the nibbles of a word fall apart, and in which are the activations? When
  // NIBBLE-STUB: // does an integer sum become a float? Where does a group end?
  // NIBBLE-END
}

}  // namespace nibble
