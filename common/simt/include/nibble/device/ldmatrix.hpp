// ldmatrix: blocks of 8 rows by 16 bytes from shared memory into the registers that mma wants. All
// 32 lanes call it together.
//
//   lane 8 i + j says where row j of block i starts: a multiple of 16 bytes. With one block only
//   the lanes 0 … 7 are asked, with two 0 … 15.
//
//   lane 4 g + t gets r[i]:                      ldmatrix             ldmatrix_transposed
//                                                row g of block i,    elements (2t, g) and (2t + 1, g)
//                                                bytes 4t … 4t + 3    of its 8 x 8 elements of 16 bits
//
// A block is read in one pass over the 32 banks when its rows lie in 8 different groups of 4 banks.
// Needs sm_75.
#pragma once

#ifdef NIBBLE_SIMT
#include "nibble/simt/ldmatrix.hpp"
#include "nibble/simt/types.hpp"
#endif

namespace nibble {

#ifdef NIBBLE_SIMT

template <int kBlocks>
NIBBLE_SIMT_UNSEEN void ldmatrix(unsigned (&r)[kBlocks], const void* row) {
  static_assert(kBlocks == 1 || kBlocks == 2 || kBlocks == 4, "ldmatrix reads 1, 2 or 4 blocks");
  simt::ldmatrix(r, kBlocks, false, row, NIBBLE_SIMT_PC);
}
template <int kBlocks>
NIBBLE_SIMT_UNSEEN void ldmatrix_transposed(unsigned (&r)[kBlocks], const void* row) {
  static_assert(kBlocks == 1 || kBlocks == 2 || kBlocks == 4, "ldmatrix reads 1, 2 or 4 blocks");
  simt::ldmatrix(r, kBlocks, true, row, NIBBLE_SIMT_PC);
}

#else

#define NIBBLE_DEVICE_LDMATRIX(NAME, TRANSPOSED)                                                  \
  __device__ __forceinline__ void NAME(unsigned(&r)[1], const void* row) {                        \
    asm volatile("ldmatrix.sync.aligned.m8n8.x1" TRANSPOSED ".shared.b16 {%0}, [%1];"             \
                 : "=r"(r[0])                                                                     \
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))                      \
                 : "memory");                                                                     \
  }                                                                                               \
  __device__ __forceinline__ void NAME(unsigned(&r)[2], const void* row) {                        \
    asm volatile("ldmatrix.sync.aligned.m8n8.x2" TRANSPOSED ".shared.b16 {%0, %1}, [%2];"         \
                 : "=r"(r[0]), "=r"(r[1])                                                         \
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))                      \
                 : "memory");                                                                     \
  }                                                                                               \
  __device__ __forceinline__ void NAME(unsigned(&r)[4], const void* row) {                        \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4" TRANSPOSED ".shared.b16 {%0, %1, %2, %3}, [%4];" \
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                                 \
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))                      \
                 : "memory");                                                                     \
  }
NIBBLE_DEVICE_LDMATRIX(ldmatrix, "")
NIBBLE_DEVICE_LDMATRIX(ldmatrix_transposed, ".trans")
#undef NIBBLE_DEVICE_LDMATRIX

#endif

}  // namespace nibble
