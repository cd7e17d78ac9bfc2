// The kit's own kernels for a measurement: fresh data, a cold cache, the clock, a comparison.
// Device code only, as a submission is; loaded through the driver.
#include <cstdint>

namespace {

/// splitmix64: element i of a seed, in any order.
__device__ std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E37'79B9'7F4A'7C15;
  x = (x ^ (x >> 30)) * 0xBF58'476D'1CE4'E5B9;
  x = (x ^ (x >> 27)) * 0x94D0'49BB'1331'11EB;
  return x ^ (x >> 31);
}

__device__ std::uint64_t first() { return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ std::uint64_t step() { return std::uint64_t{gridDim.x} * blockDim.x; }

/// Four random bytes; as symmetric int8 codes -128 does not occur.
__device__ std::uint32_t four_codes(std::uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) {
    if (((word >> shift) & 0xFF) == 0x80) word ^= 1u << shift;
  }
  return word;
}

/// A float in [-1, 1).
__device__ float unit(std::uint32_t word) {
  return static_cast<float>(static_cast<std::int32_t>(word)) * 0x1p-31f;
}

/// A half with random sign and mantissa and a magnitude from 2^-8 to 2: no infinity, no NaN.
__device__ std::uint32_t two_halves(std::uint32_t word) {
  const std::uint32_t exponents = ((word >> 10) & 0x0007'0007u) + 0x0008'0008u;
  return (word & 0x83FF'83FFu) | (exponents << 10);
}

/// A float in [2^-12, 2^-11).
__device__ float scale(std::uint32_t word) { return (1.0f + (word >> 9) * 0x1p-23f) * 0x1p-12f; }

}  // namespace

/// fill: 0 bytes, 1 symmetric int8 codes, 2 floats, 3 halves, 4 scales, 5 sums of 21 bits
extern "C" __global__ void nibble_fill(std::uint32_t* words, std::uint64_t count,
                                       std::uint64_t seed, std::uint32_t fill) {
  for (std::uint64_t i = first(); i < count; i += step()) {
    const auto word = static_cast<std::uint32_t>(mixed(seed ^ mixed(i)) >> 32);
    switch (fill) {
      case 1:
        words[i] = four_codes(word);
        break;
      case 2:
        words[i] = __float_as_uint(unit(word));
        break;
      case 3:
        words[i] = two_halves(word);
        break;
      case 4:
        words[i] = __float_as_uint(scale(word));
        break;
      case 5:
        words[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(word) >> 11);
        break;
      default:
        words[i] = word;
    }
  }
}

/// Fills the cache by reading: a line that was written would be the timed kernel's to write back.
extern "C" __global__ void nibble_flush(const uint4* lines, std::uint64_t count,
                                        std::uint32_t* never) {
  std::uint32_t sum = 0;
  for (std::uint64_t i = first(); i < count; i += step()) {
    const uint4 line = lines[i];
    sum ^= line.x ^ line.y ^ line.z ^ line.w;
  }
  if (sum == 0x9E37'79B9u) *never = sum;  // the lines hold zeros; the compiler cannot know
}

/// The cycles and the nanoseconds of every multiprocessor: two of these tell the clock between.
extern "C" __global__ void nibble_stamp(ulonglong2* stamps, std::uint32_t most) {
  std::uint32_t multiprocessor;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  ulonglong2 now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now.y));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now.x));
  if (multiprocessor < most) stamps[multiprocessor] = now;
}

/// Counts elements that are not what they should be. compare: 0 bytes, 1 floats, 2 halves; a number
/// that is none differs from everything.
extern "C" __global__ void nibble_differences(const void* want, const void* got,
                                              std::uint64_t count, std::uint32_t compare,
                                              float tolerance, unsigned long long* wrong) {
  unsigned long long mine = 0;
  for (std::uint64_t i = first(); i < count; i += step()) {
    if (compare == 0) {
      mine += static_cast<const std::uint8_t*>(want)[i] != static_cast<const std::uint8_t*>(got)[i];
      continue;
    }
    float a, b;
    if (compare == 1) {
      a = static_cast<const float*>(want)[i];
      b = static_cast<const float*>(got)[i];
    } else {
      const std::uint16_t ha = static_cast<const std::uint16_t*>(want)[i];
      const std::uint16_t hb = static_cast<const std::uint16_t*>(got)[i];
      asm("cvt.f32.f16 %0, %1;" : "=f"(a) : "h"(ha));
      asm("cvt.f32.f16 %0, %1;" : "=f"(b) : "h"(hb));
    }
    mine += fabsf(a - b) <= tolerance ? 0 : 1;
  }
  if (mine > 0) atomicAdd(wrong, mine);
}
