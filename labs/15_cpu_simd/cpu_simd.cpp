// Lab 15. The contract is in cpu_simd.hpp; the story is in README.md.
// Check yourself:  ./nibble run 15        (or leave ./nibble watch open)
#include "cpu_simd.hpp"

namespace nibble {

Isa best_isa(std::uint32_t isas, Isa cap) {
  // 1. Refuse bits and caps that mean nothing.  2. From the fastest that cap allows, go
  //    down: which is in the set?  3. What if none is?
  NIBBLE_TODO("choose a kernel");
}

std::array<std::uint8_t, 2> saturating_pair(std::int8_t s0, std::int8_t s1) {
  // How far up and how far down can u[0] * s0 + u[1] * s1 get? What is the int16 range?
  NIBBLE_TODO("find a pair that vpmaddubsw gets wrong");
}

std::int32_t dot(Isa isa, std::span<const std::int8_t> a, std::span<const std::int8_t> b) {
  // 1. Refuse: the isa, the sizes.  2. One way for each isa, between NIBBLE_BEGIN_... and
  //    NIBBLE_END, as nibble/target.hpp shows. Begin with the plain loop.
  NIBBLE_TODO("sum products exactly");
}

void pack_b(Isa isa, std::span<const std::int8_t> b_t, std::span<std::int8_t> packed,
            MatmulShape shape) {
  // Column by column: where does a quad of it go, and what stands where there is none?
  NIBBLE_TODO("lay the weights out for the kernel");
}

void multiply_packed(Isa isa, std::span<const std::int8_t> a, std::span<const std::int8_t> packed,
                     std::span<std::int32_t> c, MatmulShape shape) {
  // 1. Refuse.  2. A kernel that keeps a tile of sums in registers while it walks down k.
  // 3. A in the order in which the kernel reads it.  4. The edges, then the caches.
  NIBBLE_TODO("multiply by packed weights");
}

void multiply_packed_fused(Isa isa, std::span<const std::int8_t> a,
                           std::span<const std::int8_t> packed, std::span<const float> scale,
                           std::span<const float> bias, std::span<float> c, MatmulShape shape) {
  // The kernel you have, and another way for its sums to leave the registers.
  NIBBLE_TODO("scale, add and clip in the registers");
}

void quantize(std::span<const float> x, float scale, std::span<std::int8_t> q) {
  // Look at the loop as the compiler does: which of its lines cannot be done for eight
  // elements at once, and which is slow even then?
  NIBBLE_TODO("quantize at the speed of memory");
}

void dequantize(std::span<const std::int8_t> q, float scale, std::span<float> x) {
  NIBBLE_TODO("undo quantize at the speed of memory");
}

void requantize(std::span<const std::int32_t> acc, std::span<const float> multiplier,
                std::int32_t zero_point, std::span<std::int8_t> q) {
  // Row by row, so that the columns of both stand beside each other. Which comes first:
  // rounding, zero point, clamp?
  NIBBLE_TODO("make codes of sums");
}

void sigmoid(std::span<const std::int8_t> x, float scale, std::span<std::int8_t> y) {
  // 1. Refuse.  2. How many different inputs are there?  3. Build a table once a call.
  NIBBLE_TODO("apply the logistic function to codes");
}

}  // namespace nibble
