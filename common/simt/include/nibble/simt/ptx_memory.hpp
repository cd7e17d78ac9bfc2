// Instructions of inline PTX on shared and global memory, and those of tensor cores. An address of
// shared memory is how far it lies behind the first byte of all shared memory.
#pragma once

#include "nibble/simt/cp_async.hpp"
#include "nibble/simt/device.hpp"
#include "nibble/simt/ldmatrix.hpp"
#include "nibble/simt/mma_sync.hpp"

// R is a type, and an address is a number in PTX.
// NOLINTBEGIN(bugprone-macro-parentheses, performance-no-int-to-ptr)
namespace nibble::simt::ptx {

/// What is in no shared memory gets an address that no access accepts.
unsigned long long shared_address(const void* pointer);
void* shared_pointer(unsigned address);

enum class PtxAccess { kLoad, kVolatileLoad, kStore };
/// Looks at an access of shared memory, or of global memory, and gives the bytes to be used.
void* in_shared(unsigned address, unsigned size, PtxAccess use, const void* pc);
void* in_global(unsigned long long address, unsigned size, PtxAccess use, const void* pc);

// -- addresses ------------------------------------------------------------------------------------

inline unsigned long long cvta_to_shared_u64(unsigned long long p) {
  return shared_address(__builtin_bit_cast(const void*, p));
}
inline unsigned long long cvta_shared_u64(unsigned long long address) {
  return reinterpret_cast<unsigned long long>(shared_pointer(static_cast<unsigned>(address)));
}
constexpr unsigned long long cvta_to_global_u64(unsigned long long p) { return p; }
constexpr unsigned long long cvta_global_u64(unsigned long long p) { return p; }

// -- memory ---------------------------------------------------------------------------------------

// One access, however many registers it fills.
// NOLINTBEGIN(bugprone-macro-parentheses): T is a type
// clang-format off
#define NIBBLE_SIMT_PTX(SPACE, NAME, ADDRESS, USE, TYPE, T, R)                                       \
  NIBBLE_SIMT_UNSEEN inline R NAME##_##TYPE(ADDRESS at) {                                            \
    return static_cast<R>(*static_cast<T*>(SPACE(at, sizeof(T), PtxAccess::USE, NIBBLE_SIMT_PC))); }
#define NIBBLE_SIMT_PTX_2(SPACE, NAME, ADDRESS, USE, TYPE, R)                                        \
  NIBBLE_SIMT_UNSEEN inline void NAME##_v2_##TYPE(R& x, R& y, ADDRESS at) {                          \
    const R* const from = static_cast<R*>(SPACE(at, 2 * sizeof(R), PtxAccess::USE, NIBBLE_SIMT_PC));       \
    x = from[0]; y = from[1]; }
#define NIBBLE_SIMT_PTX_4(SPACE, NAME, ADDRESS, USE, TYPE)                                           \
  NIBBLE_SIMT_UNSEEN inline void NAME##_v4_##TYPE(unsigned& x, unsigned& y, unsigned& z, unsigned& w,\
                                                  ADDRESS at) {                                      \
    const auto* const from =                                                                         \
        static_cast<unsigned*>(SPACE(at, 4 * sizeof(unsigned), PtxAccess::USE, NIBBLE_SIMT_PC));           \
    x = from[0]; y = from[1]; z = from[2]; w = from[3]; }
#define NIBBLE_SIMT_PTX_WORD(SPACE, NAME, ADDRESS, USE, TYPE)                                        \
  NIBBLE_SIMT_PTX(SPACE, NAME, ADDRESS, USE, TYPE, unsigned, unsigned)                               \
  NIBBLE_SIMT_PTX_2(SPACE, NAME, ADDRESS, USE, TYPE, unsigned)                                       \
  NIBBLE_SIMT_PTX_4(SPACE, NAME, ADDRESS, USE, TYPE)
#define NIBBLE_SIMT_PTX_LONG(SPACE, NAME, ADDRESS, USE, TYPE)                                        \
  NIBBLE_SIMT_PTX(SPACE, NAME, ADDRESS, USE, TYPE, unsigned long long, unsigned long long)           \
  NIBBLE_SIMT_PTX_2(SPACE, NAME, ADDRESS, USE, TYPE, unsigned long long)
#define NIBBLE_SIMT_PTX_LOADS(SPACE, NAME, ADDRESS, USE)                                             \
  NIBBLE_SIMT_PTX(SPACE, NAME, ADDRESS, USE, b8, unsigned char, unsigned)                            \
  NIBBLE_SIMT_PTX(SPACE, NAME, ADDRESS, USE, u8, unsigned char, unsigned)                            \
  NIBBLE_SIMT_PTX(SPACE, NAME, ADDRESS, USE, s8, signed char, unsigned)                              \
  NIBBLE_SIMT_PTX(SPACE, NAME, ADDRESS, USE, b16, unsigned short, unsigned)                          \
  NIBBLE_SIMT_PTX(SPACE, NAME, ADDRESS, USE, u16, unsigned short, unsigned)                          \
  NIBBLE_SIMT_PTX(SPACE, NAME, ADDRESS, USE, s16, short, unsigned)                                   \
  NIBBLE_SIMT_PTX(SPACE, NAME, ADDRESS, USE, f64, double, double)                                    \
  NIBBLE_SIMT_PTX_WORD(SPACE, NAME, ADDRESS, USE, b32)                                               \
  NIBBLE_SIMT_PTX_WORD(SPACE, NAME, ADDRESS, USE, u32)                                               \
  NIBBLE_SIMT_PTX_WORD(SPACE, NAME, ADDRESS, USE, s32)                                               \
  NIBBLE_SIMT_PTX_WORD(SPACE, NAME, ADDRESS, USE, f32)                                               \
  NIBBLE_SIMT_PTX_LONG(SPACE, NAME, ADDRESS, USE, b64)                                               \
  NIBBLE_SIMT_PTX_LONG(SPACE, NAME, ADDRESS, USE, u64)                                               \
  NIBBLE_SIMT_PTX_LONG(SPACE, NAME, ADDRESS, USE, s64)
NIBBLE_SIMT_PTX_LOADS(in_shared, ld_shared, unsigned, kLoad)
NIBBLE_SIMT_PTX_LOADS(in_shared, ld_volatile_shared, unsigned, kVolatileLoad)
NIBBLE_SIMT_PTX_LOADS(in_global, ld_global, unsigned long long, kLoad)
NIBBLE_SIMT_PTX_LOADS(in_global, ld_global_cg, unsigned long long, kVolatileLoad)
NIBBLE_SIMT_PTX_LOADS(in_global, ld_global_cv, unsigned long long, kVolatileLoad)
NIBBLE_SIMT_PTX_LOADS(in_global, ld_volatile_global, unsigned long long, kVolatileLoad)
#undef NIBBLE_SIMT_PTX
#undef NIBBLE_SIMT_PTX_2
#undef NIBBLE_SIMT_PTX_4

#define NIBBLE_SIMT_PTX(SPACE, NAME, ADDRESS, USE, TYPE, T, R)                                       \
  NIBBLE_SIMT_UNSEEN inline void NAME##_##TYPE(ADDRESS at, R x) {                                    \
    *static_cast<T*>(SPACE(at, sizeof(T), PtxAccess::USE, NIBBLE_SIMT_PC)) = static_cast<T>(x); }
#define NIBBLE_SIMT_PTX_2(SPACE, NAME, ADDRESS, USE, TYPE, R)                                        \
  NIBBLE_SIMT_UNSEEN inline void NAME##_v2_##TYPE(ADDRESS at, R x, R y) {                            \
    R* const to = static_cast<R*>(SPACE(at, 2 * sizeof(R), PtxAccess::USE, NIBBLE_SIMT_PC));               \
    to[0] = x; to[1] = y; }
#define NIBBLE_SIMT_PTX_4(SPACE, NAME, ADDRESS, USE, TYPE)                                           \
  NIBBLE_SIMT_UNSEEN inline void NAME##_v4_##TYPE(ADDRESS at, unsigned x, unsigned y, unsigned z,    \
                                                  unsigned w) {                                      \
    auto* const to =                                                                                 \
        static_cast<unsigned*>(SPACE(at, 4 * sizeof(unsigned), PtxAccess::USE, NIBBLE_SIMT_PC));           \
    to[0] = x; to[1] = y; to[2] = z; to[3] = w; }
NIBBLE_SIMT_PTX_LOADS(in_shared, st_shared, unsigned, kStore)
NIBBLE_SIMT_PTX_LOADS(in_global, st_global, unsigned long long, kStore)
#undef NIBBLE_SIMT_PTX
#undef NIBBLE_SIMT_PTX_2
#undef NIBBLE_SIMT_PTX_4
#undef NIBBLE_SIMT_PTX_WORD
#undef NIBBLE_SIMT_PTX_LONG
#undef NIBBLE_SIMT_PTX_LOADS
// clang-format on
// NOLINTEND(bugprone-macro-parentheses)

template <long long kBytes>
NIBBLE_SIMT_UNSEEN void cp_async_ca_shared_global(unsigned to, unsigned long long from,
                                                  unsigned source_bytes = kBytes) {
  static_assert(kBytes == 4 || kBytes == 8 || kBytes == 16, "cp.async.ca copies 4, 8 or 16 bytes");
  copy_async(shared_pointer(to), __builtin_bit_cast(const void*, from), kBytes, source_bytes,
             NIBBLE_SIMT_PC);
}
template <long long kBytes>
NIBBLE_SIMT_UNSEEN void cp_async_cg_shared_global(unsigned to, unsigned long long from,
                                                  unsigned source_bytes = kBytes) {
  static_assert(kBytes == 16, "cp.async.cg copies 16 bytes: for 4 or 8 there is cp.async.ca");
  copy_async(shared_pointer(to), __builtin_bit_cast(const void*, from), kBytes, source_bytes,
             NIBBLE_SIMT_PC);
}
NIBBLE_SIMT_UNSEEN inline void cp_async_commit_group() { commit_copies(); }
template <long long kUnfinished>
NIBBLE_SIMT_UNSEEN void cp_async_wait_group() {
  static_assert(kUnfinished >= 0, "cp.async.wait_group waits for all groups but so many");
  wait_for_copies(kUnfinished, NIBBLE_SIMT_PC);
}
/// Copies that belong to no group yet are waited for, too.
NIBBLE_SIMT_UNSEEN inline void cp_async_wait_all() {
  commit_copies();
  wait_for_copies(0, NIBBLE_SIMT_PC);
}

// -- tensor cores ---------------------------------------------------------------------------------

// clang-format off
#define NIBBLE_SIMT_PTX(SUFFIX, TRANSPOSED)                                                          \
  NIBBLE_SIMT_UNSEEN inline void ldmatrix_sync_aligned_m8n8_x1##SUFFIX(unsigned& x, unsigned row) {  \
    unsigned r[1];                                                                                   \
    ldmatrix(r, 1, TRANSPOSED, shared_pointer(row), NIBBLE_SIMT_PC);                                 \
    x = r[0]; }                                                                                      \
  NIBBLE_SIMT_UNSEEN inline void ldmatrix_sync_aligned_m8n8_x2##SUFFIX(unsigned& x, unsigned& y,     \
                                                                       unsigned row) {               \
    unsigned r[2];                                                                                   \
    ldmatrix(r, 2, TRANSPOSED, shared_pointer(row), NIBBLE_SIMT_PC);                                 \
    x = r[0]; y = r[1]; }                                                                            \
  NIBBLE_SIMT_UNSEEN inline void ldmatrix_sync_aligned_m8n8_x4##SUFFIX(                              \
      unsigned& x, unsigned& y, unsigned& z, unsigned& w, unsigned row) {                            \
    unsigned r[4];                                                                                   \
    ldmatrix(r, 4, TRANSPOSED, shared_pointer(row), NIBBLE_SIMT_PC);                                 \
    x = r[0]; y = r[1]; z = r[2]; w = r[3]; }
NIBBLE_SIMT_PTX(_shared_b16, false)
NIBBLE_SIMT_PTX(_trans_shared_b16, true)
#undef NIBBLE_SIMT_PTX

#define NIBBLE_SIMT_PTX_16(NAME, OPERAND)                                                            \
  NIBBLE_SIMT_UNSEEN inline void mma_sync_aligned_##NAME(                                            \
      unsigned& d0, unsigned& d1, unsigned& d2, unsigned& d3, unsigned a0, unsigned a1, unsigned b0, \
      unsigned c0, unsigned c1, unsigned c2, unsigned c3) {                                          \
    const unsigned a[2] = {a0, a1}, b[1] = {b0}, c[4] = {c0, c1, c2, c3};                            \
    unsigned d[4];                                                                                   \
    mma_sync({Element::OPERAND, Element::kInt, 16, "mma.sync"}, d, a, b, c, NIBBLE_SIMT_PC);         \
    d0 = d[0]; d1 = d[1]; d2 = d[2]; d3 = d[3]; }
NIBBLE_SIMT_PTX_16(m16n8k16_row_col_s32_s8_s8_s32, kS8)
NIBBLE_SIMT_PTX_16(m16n8k16_row_col_s32_u8_u8_s32, kU8)
#undef NIBBLE_SIMT_PTX_16

// NOLINTBEGIN(bugprone-macro-parentheses): R is a type
#define NIBBLE_SIMT_PTX_32(NAME, OPERAND, SUM, R)                                                    \
  NIBBLE_SIMT_UNSEEN inline void mma_sync_aligned_##NAME(                                            \
      R& d0, R& d1, R& d2, R& d3, unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0,   \
      unsigned b1, R c0, R c1, R c2, R c3) {                                                         \
    const unsigned a[4] = {a0, a1, a2, a3}, b[2] = {b0, b1};                                         \
    const R c[4] = {c0, c1, c2, c3};                                                                 \
    R d[4];                                                                                          \
    mma_sync({Element::OPERAND, Element::SUM, 32, "mma.sync"}, d, a, b, c, NIBBLE_SIMT_PC);          \
    d0 = d[0]; d1 = d[1]; d2 = d[2]; d3 = d[3]; }
NIBBLE_SIMT_PTX_32(m16n8k32_row_col_s32_s8_s8_s32, kS8, kInt, unsigned)
NIBBLE_SIMT_PTX_32(m16n8k32_row_col_s32_u8_u8_s32, kU8, kInt, unsigned)
NIBBLE_SIMT_PTX_32(m16n8k16_row_col_f32_f16_f16_f32, kHalf, kFloat, float)
NIBBLE_SIMT_PTX_32(m16n8k16_row_col_f32_bf16_bf16_f32, kBfloat16, kFloat, float)
NIBBLE_SIMT_PTX_32(m16n8k32_row_col_f32_e4m3_e4m3_f32, kE4m3, kFloat, float)
#undef NIBBLE_SIMT_PTX_32
// NOLINTEND(bugprone-macro-parentheses)
// clang-format on

NIBBLE_SIMT_UNSEEN inline void mma_sync_aligned_m16n8k256_row_col_s32_b1_b1_s32_and_popc(
    unsigned& d0, unsigned& d1, unsigned& d2, unsigned& d3, unsigned a0, unsigned a1, unsigned a2,
    unsigned a3, unsigned b0, unsigned b1, unsigned c0, unsigned c1, unsigned c2, unsigned c3) {
  const unsigned a[4] = {a0, a1, a2, a3}, b[2] = {b0, b1};
  const int c[4] = {int(c0), int(c1), int(c2), int(c3)};
  int d[4];
  mma_b1_and_popc(d, a, b, c, NIBBLE_SIMT_PC);
  d0 = unsigned(d[0]);
  d1 = unsigned(d[1]);
  d2 = unsigned(d[2]);
  d3 = unsigned(d[3]);
}

}  // namespace nibble::simt::ptx

inline unsigned long __cvta_generic_to_shared(const void* p) {
  return nibble::simt::ptx::shared_address(p);
}
inline void* __cvta_shared_to_generic(unsigned long address) {
  return nibble::simt::ptx::shared_pointer(static_cast<unsigned>(address));
}
inline unsigned long __cvta_generic_to_global(const void* p) {
  return reinterpret_cast<unsigned long>(p);
}
inline void* __cvta_global_to_generic(unsigned long address) {
  return __builtin_bit_cast(void*, address);
}
// NOLINTEND(bugprone-macro-parentheses, performance-no-int-to-ptr)
