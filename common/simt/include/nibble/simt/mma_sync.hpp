// PTX's mma.sync in the engine: the 16 x 8 outputs of one warp, in registers whose layout the
// instruction fixes. The wrappers for kernels are in nibble/device/mma.hpp.
#pragma once

#include <cstdint>

#include "nibble/simt/fragment.hpp"

namespace nibble::simt {

/// d = a * b + c. A row of a and a column of b are `k_bytes` long: 16 or 32.
struct MmaSync {
  Element operand, sum;  ///< sum: kInt or kFloat, four of them in c and d
  std::uint8_t k_bytes;
  const char* instruction;
};
void mma_sync(const MmaSync& mma, void* d, const unsigned* a, const unsigned* b, const void* c,
              const void* pc);

/// d = popcount(a & b) + c over 256 bits.
void mma_b1_and_popc(int (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2], const int (&c)[4],
                     const void* pc);

}  // namespace nibble::simt
