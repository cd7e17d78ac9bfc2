// Instructions of inline PTX, as the rewriter names them: mma.sync.… is mma_sync_…. What goes to
// memory, or needs other threads, is told to the engine under the learner's line.
//
// Registers are unsigned, float, unsigned short, unsigned long long and bool. An address of shared
// memory is how far it lies behind the first byte of all shared memory.
#pragma once

#include <type_traits>

#include "nibble/float_format.hpp"
#include "nibble/simt/conversions.hpp"
#include "nibble/simt/cp_async.hpp"
#include "nibble/simt/device.hpp"
#include "nibble/simt/integer_intrinsics.hpp"
#include "nibble/simt/ldmatrix.hpp"
#include "nibble/simt/mma_sync.hpp"
#include "nibble/simt/warp.hpp"

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

// -- operands -------------------------------------------------------------------------------------

template <class Register, class T>
constexpr bool kFits = sizeof(Register) == sizeof(T) &&
                       (std::is_floating_point_v<Register>
                            ? std::is_floating_point_v<T>
                            : std::is_integral_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>);

template <class Register, ByValue T>
NIBBLE_SIMT_INLINE constexpr Register in(T value) {
  static_assert(kFits<Register, T>,
                "an operand of inline PTX has the size and the kind of its constraint: \"r\" 32 "
                "bits, \"l\" 64 bits or a pointer, \"h\" 16 bits, \"f\" float, \"d\" double");
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<Register>(value);
  } else {
    return static_cast<Register>(value);
  }
}

template <class Reference, class Register>
NIBBLE_SIMT_INLINE constexpr auto out(Register value) {
  using T = std::remove_cvref_t<Reference>;
  static_assert(kFits<Register, T>,
                "an operand of inline PTX has the size and the kind of its constraint: \"r\" 32 "
                "bits, \"l\" 64 bits or a pointer, \"h\" 16 bits, \"f\" float, \"d\" double");
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(value);
  } else {
    return static_cast<T>(value);
  }
}

template <ByValue T>
NIBBLE_SIMT_INLINE constexpr long long constant(T value) {
  static_assert(std::is_integral_v<T> || std::is_enum_v<T>,
                "an operand \"n\" of inline PTX is a constant integer");
  return static_cast<long long>(value);
}

NIBBLE_SIMT_INLINE constexpr unsigned bits(float x) { return __builtin_bit_cast(unsigned, x); }
NIBBLE_SIMT_INLINE constexpr float number(unsigned code) { return __builtin_bit_cast(float, code); }

// -- special registers ----------------------------------------------------------------------------

NIBBLE_SIMT_PURE inline unsigned tid_x() { return threadIdx.x; }
NIBBLE_SIMT_PURE inline unsigned tid_y() { return threadIdx.y; }
NIBBLE_SIMT_PURE inline unsigned tid_z() { return threadIdx.z; }
NIBBLE_SIMT_PURE inline unsigned ntid_x() { return blockDim.x; }
NIBBLE_SIMT_PURE inline unsigned ntid_y() { return blockDim.y; }
NIBBLE_SIMT_PURE inline unsigned ntid_z() { return blockDim.z; }
NIBBLE_SIMT_PURE inline unsigned ctaid_x() { return blockIdx.x; }
NIBBLE_SIMT_PURE inline unsigned ctaid_y() { return blockIdx.y; }
NIBBLE_SIMT_PURE inline unsigned ctaid_z() { return blockIdx.z; }
NIBBLE_SIMT_PURE inline unsigned nctaid_x() { return gridDim.x; }
NIBBLE_SIMT_PURE inline unsigned nctaid_y() { return gridDim.y; }
NIBBLE_SIMT_PURE inline unsigned nctaid_z() { return gridDim.z; }

NIBBLE_SIMT_PURE inline unsigned linear_thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
NIBBLE_SIMT_PURE inline unsigned warpid() { return linear_thread() / 32; }
NIBBLE_SIMT_PURE inline unsigned laneid() { return linear_thread() % 32; }
NIBBLE_SIMT_PURE inline unsigned lanemask_eq() { return 1u << laneid(); }
NIBBLE_SIMT_PURE inline unsigned lanemask_lt() { return lanemask_eq() - 1; }
NIBBLE_SIMT_PURE inline unsigned lanemask_le() { return lanemask_lt() | lanemask_eq(); }
NIBBLE_SIMT_PURE inline unsigned lanemask_ge() { return ~lanemask_lt(); }
NIBBLE_SIMT_PURE inline unsigned lanemask_gt() { return ~lanemask_le(); }

// -- a warp together ------------------------------------------------------------------------------

// clang-format off
#define NIBBLE_SIMT_PTX(NAME, REDUCTION)                                           \
  NIBBLE_SIMT_UNSEEN inline unsigned redux_sync_##NAME(unsigned value, unsigned mask) { \
    return reduce_sync(Reduction::REDUCTION, mask, value, NIBBLE_SIMT_PC);         \
  }
NIBBLE_SIMT_PTX(add_s32, kAdd)
NIBBLE_SIMT_PTX(add_u32, kAdd)
NIBBLE_SIMT_PTX(min_s32, kMin)
NIBBLE_SIMT_PTX(min_u32, kMinUnsigned)
NIBBLE_SIMT_PTX(max_s32, kMax)
NIBBLE_SIMT_PTX(max_u32, kMaxUnsigned)
NIBBLE_SIMT_PTX(and_b32, kAnd)
NIBBLE_SIMT_PTX(or_b32, kOr)
NIBBLE_SIMT_PTX(xor_b32, kXor)
#undef NIBBLE_SIMT_PTX
// clang-format on

/// A shuffle's c: bits 0 to 4 bound the source lane, bits 8 to 12 are those of a segment's number.
struct Segment {
  int first, bound;
};
NIBBLE_SIMT_PURE constexpr Segment segment_of(int lane, unsigned c) {
  const int mask = static_cast<int>(c >> 8 & 31), clamp = static_cast<int>(c & 31);
  return {lane & mask, (lane & mask) | (clamp & ~mask)};
}

NIBBLE_SIMT_UNSEEN inline unsigned shfl_sync_idx_b32(unsigned a, unsigned b, unsigned c,
                                                     unsigned mask) {
  const int lane = static_cast<int>(laneid());
  const Segment s = segment_of(lane, c);
  const int source = s.first | (static_cast<int>(b & 31) & ~static_cast<int>(c >> 8 & 31));
  return shuffle(kShuffle, mask, a, source <= s.bound ? source : lane, 32, NIBBLE_SIMT_PC);
}
NIBBLE_SIMT_UNSEEN inline unsigned shfl_sync_up_b32(unsigned a, unsigned b, unsigned c,
                                                    unsigned mask) {
  const int lane = static_cast<int>(laneid()), source = lane - static_cast<int>(b & 31);
  const bool is_inside = source >= segment_of(lane, c).bound;
  return shuffle(kShuffle, mask, a, is_inside ? source : lane, 32, NIBBLE_SIMT_PC);
}
NIBBLE_SIMT_UNSEEN inline unsigned shfl_sync_down_b32(unsigned a, unsigned b, unsigned c,
                                                      unsigned mask) {
  const int lane = static_cast<int>(laneid()), source = lane + static_cast<int>(b & 31);
  const bool is_inside = source <= segment_of(lane, c).bound;
  return shuffle(kShuffle, mask, a, is_inside ? source : lane, 32, NIBBLE_SIMT_PC);
}
NIBBLE_SIMT_UNSEEN inline unsigned shfl_sync_bfly_b32(unsigned a, unsigned b, unsigned c,
                                                      unsigned mask) {
  const int lane = static_cast<int>(laneid()), source = lane ^ static_cast<int>(b & 31);
  const bool is_inside = source <= segment_of(lane, c).bound;
  return shuffle(kShuffle, mask, a, is_inside ? source : lane, 32, NIBBLE_SIMT_PC);
}

NIBBLE_SIMT_UNSEEN inline unsigned vote_sync_ballot_b32(bool vote, unsigned mask) {
  return warp_collective(kBallot, mask, nullptr, 0, vote, 32, NIBBLE_SIMT_PC);
}
NIBBLE_SIMT_UNSEEN inline bool vote_sync_any_pred(bool vote, unsigned mask) {
  return warp_collective(kBallot, mask, nullptr, 0, vote, 32, NIBBLE_SIMT_PC) != 0;
}
NIBBLE_SIMT_UNSEEN inline bool vote_sync_all_pred(bool vote, unsigned mask) {
  return warp_collective(kBallot, mask, nullptr, 0, !vote, 32, NIBBLE_SIMT_PC) == 0;
}
NIBBLE_SIMT_UNSEEN inline unsigned match_any_sync_b32(unsigned value, unsigned mask) {
  return match_any(mask, value, NIBBLE_SIMT_PC);
}
NIBBLE_SIMT_UNSEEN inline unsigned activemask_b32() { return active_mask(NIBBLE_SIMT_PC); }
NIBBLE_SIMT_UNSEEN inline void bar_warp_sync(unsigned mask) {
  warp_collective(kWarpSync, mask, nullptr, 0, 0, 32, NIBBLE_SIMT_PC);
}

// -- a block together -----------------------------------------------------------------------------

/// Waits until so many threads have come, the block's where it is 0. Barrier 0 for all threads is
/// the one of __syncthreads(). The other function comes and goes on.
void wait_at_barrier_of(unsigned barrier, unsigned threads, const void* pc);
void pass_barrier_of(unsigned barrier, unsigned threads, const void* pc);

NIBBLE_SIMT_UNSEEN inline void bar_sync(unsigned barrier, unsigned threads = 0) {
  wait_at_barrier_of(barrier, threads, NIBBLE_SIMT_PC);
}
NIBBLE_SIMT_UNSEEN inline void barrier_sync(unsigned barrier, unsigned threads = 0) {
  wait_at_barrier_of(barrier, threads, NIBBLE_SIMT_PC);
}
NIBBLE_SIMT_UNSEEN inline void bar_arrive(unsigned barrier, unsigned threads) {
  pass_barrier_of(barrier, threads, NIBBLE_SIMT_PC);
}
NIBBLE_SIMT_UNSEEN inline void barrier_arrive(unsigned barrier, unsigned threads) {
  pass_barrier_of(barrier, threads, NIBBLE_SIMT_PC);
}

// Memory is sequentially consistent here.
inline void membar_cta() {}
inline void membar_gl() {}
inline void membar_sys() {}
inline void fence_acq_rel_cta() {}
inline void fence_acq_rel_gpu() {}
inline void fence_acq_rel_sys() {}
inline void fence_sc_cta() {}
inline void fence_sc_gpu() {}
inline void fence_sc_sys() {}

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

// -- conversions ----------------------------------------------------------------------------------

// clang-format off
#define NIBBLE_SIMT_PTX(SUFFIX, ROUNDING, TYPE, T)                                                   \
  NIBBLE_SIMT_PURE constexpr unsigned cvt_##SUFFIX##_##TYPE##_f32(float x) {                         \
    return static_cast<unsigned>(to_integer<T>(x, Rounding::ROUNDING)); }
#define NIBBLE_SIMT_PTX_ROUNDED(SUFFIX, ROUNDING)                                                    \
  NIBBLE_SIMT_PTX(SUFFIX, ROUNDING, s8, signed char)                                                 \
  NIBBLE_SIMT_PTX(SUFFIX, ROUNDING, u8, unsigned char)                                               \
  NIBBLE_SIMT_PTX(SUFFIX, ROUNDING, s16, short)                                                      \
  NIBBLE_SIMT_PTX(SUFFIX, ROUNDING, u16, unsigned short)                                             \
  NIBBLE_SIMT_PTX(SUFFIX, ROUNDING, s32, int)                                                        \
  NIBBLE_SIMT_PTX(SUFFIX, ROUNDING, u32, unsigned)                                                   \
  NIBBLE_SIMT_PURE constexpr float cvt_##SUFFIX##_f32_f32(float x) {                                 \
    return x != x ? x : static_cast<float>(round_to_whole(x, Rounding::ROUNDING)); }
NIBBLE_SIMT_PTX_ROUNDED(rni, kNearestEven)
NIBBLE_SIMT_PTX_ROUNDED(rzi, kTowardZero)
NIBBLE_SIMT_PTX_ROUNDED(rmi, kDown)
NIBBLE_SIMT_PTX_ROUNDED(rpi, kUp)
#undef NIBBLE_SIMT_PTX_ROUNDED
#undef NIBBLE_SIMT_PTX

#define NIBBLE_SIMT_PTX(SUFFIX, ROUNDING)                                                            \
  NIBBLE_SIMT_PURE constexpr float cvt_##SUFFIX##_f32_s32(unsigned x) {                              \
    return to_float(static_cast<int>(x), Rounding::ROUNDING); }                                      \
  NIBBLE_SIMT_PURE constexpr float cvt_##SUFFIX##_f32_u32(unsigned x) {                              \
    return to_float(x, Rounding::ROUNDING); }
NIBBLE_SIMT_PTX(rn, kNearestEven)
NIBBLE_SIMT_PTX(rz, kTowardZero)
NIBBLE_SIMT_PTX(rm, kDown)
NIBBLE_SIMT_PTX(rp, kUp)
#undef NIBBLE_SIMT_PTX

/// x clamped to what the type holds.
#define NIBBLE_SIMT_PTX(FROM, SOURCE, TYPE, T)                                                       \
  NIBBLE_SIMT_PURE constexpr unsigned cvt_sat_##TYPE##_##FROM(unsigned bits_of_x) {                  \
    const long long x = static_cast<SOURCE>(bits_of_x);                                              \
    constexpr long long kMin = std::numeric_limits<T>::min(), kMax = std::numeric_limits<T>::max();  \
    return static_cast<unsigned>(x < kMin ? kMin : x > kMax ? kMax : x); }
NIBBLE_SIMT_PTX(s32, int, s8, signed char)
NIBBLE_SIMT_PTX(s32, int, u8, unsigned char)
NIBBLE_SIMT_PTX(s32, int, s16, short)
NIBBLE_SIMT_PTX(s32, int, u16, unsigned short)
NIBBLE_SIMT_PTX(u32, unsigned, s8, signed char)
NIBBLE_SIMT_PTX(u32, unsigned, u8, unsigned char)
NIBBLE_SIMT_PTX(u32, unsigned, s16, short)
NIBBLE_SIMT_PTX(u32, unsigned, u16, unsigned short)
#undef NIBBLE_SIMT_PTX

#define NIBBLE_SIMT_PTX(FROM, T)                                                                     \
  NIBBLE_SIMT_PURE constexpr unsigned cvt_s32_##FROM(unsigned x) {                                   \
    return static_cast<unsigned>(static_cast<T>(x)); }                                               \
  NIBBLE_SIMT_PURE constexpr unsigned cvt_u32_##FROM(unsigned x) { return cvt_s32_##FROM(x); }
NIBBLE_SIMT_PTX(s8, signed char)
NIBBLE_SIMT_PTX(u8, unsigned char)
NIBBLE_SIMT_PTX(s16, short)
NIBBLE_SIMT_PTX(u16, unsigned short)
#undef NIBBLE_SIMT_PTX

#define NIBBLE_SIMT_PTX(TO, FROM)                                                                    \
  NIBBLE_SIMT_PURE constexpr unsigned cvt_##TO##32_##FROM##64(unsigned long long x) {                \
    return static_cast<unsigned>(x); }
NIBBLE_SIMT_PTX(u, u)
NIBBLE_SIMT_PTX(u, s)
NIBBLE_SIMT_PTX(s, u)
NIBBLE_SIMT_PTX(s, s)
#undef NIBBLE_SIMT_PTX
// clang-format on
NIBBLE_SIMT_PURE constexpr unsigned long long cvt_u64_u32(unsigned x) { return x; }
NIBBLE_SIMT_PURE constexpr unsigned long long cvt_s64_u32(unsigned x) { return x; }
NIBBLE_SIMT_PURE constexpr unsigned long long cvt_s64_s32(unsigned x) {
  return static_cast<unsigned long long>(static_cast<long long>(static_cast<int>(x)));
}
NIBBLE_SIMT_PURE constexpr unsigned long long cvt_u64_s32(unsigned x) { return cvt_s64_s32(x); }

NIBBLE_SIMT_PURE constexpr float cvt_sat_f32_f32(float x) { return __saturatef(x); }
NIBBLE_SIMT_PURE constexpr unsigned short cvt_rn_f16_f32(float x) {
  return static_cast<unsigned short>(encode<HalfFormat>(x));
}
NIBBLE_SIMT_PURE constexpr unsigned short cvt_rn_bf16_f32(float x) {
  return static_cast<unsigned short>(encode<Bfloat16Format>(x));
}
NIBBLE_SIMT_PURE constexpr float cvt_f32_f16(unsigned short code) {
  return decode<HalfFormat>(code);
}
// Of two, the first becomes the upper half.
NIBBLE_SIMT_PURE constexpr unsigned cvt_rn_f16x2_f32(float high, float low) {
  return encode<HalfFormat>(high) << 16 | encode<HalfFormat>(low);
}
NIBBLE_SIMT_PURE constexpr unsigned cvt_rn_bf16x2_f32(float high, float low) {
  return encode<Bfloat16Format>(high) << 16 | encode<Bfloat16Format>(low);
}
template <class Format>
NIBBLE_SIMT_PURE constexpr unsigned short two_bytes(float high, float low) {
  constexpr auto kRounding = Rounding::kNearestEven;
  return static_cast<unsigned short>(encode<Format>(high, kRounding, Overflow::kSaturate) << 8 |
                                     encode<Format>(low, kRounding, Overflow::kSaturate));
}
NIBBLE_SIMT_PURE constexpr unsigned short cvt_rn_satfinite_e4m3x2_f32(float high, float low) {
  return two_bytes<E4m3Format>(high, low);
}
NIBBLE_SIMT_PURE constexpr unsigned short cvt_rn_satfinite_e5m2x2_f32(float high, float low) {
  return two_bytes<E5m2Format>(high, low);
}

// -- integers -------------------------------------------------------------------------------------

inline unsigned dp4a_s32_s32(unsigned a, unsigned b, unsigned c) {
  return static_cast<unsigned>(
      __dp4a(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)));
}
inline unsigned dp4a_u32_u32(unsigned a, unsigned b, unsigned c) { return __dp4a(a, b, c); }
NIBBLE_SIMT_QUIET inline unsigned dp4a_s32_u32(unsigned a, unsigned b, unsigned c) {
  count(kDp4a, 1);
  for (int i = 0; i < 4; ++i)
    c += static_cast<unsigned>(lane<signed char>(a, i) * lane<unsigned char>(b, i));
  return c;
}
inline unsigned dp4a_u32_s32(unsigned a, unsigned b, unsigned c) { return dp4a_s32_u32(b, a, c); }

// clang-format off
#define NIBBLE_SIMT_PTX(TYPE, T, WIDE)                                                               \
  NIBBLE_SIMT_PURE constexpr unsigned add_##TYPE(unsigned a, unsigned b) { return a + b; }           \
  NIBBLE_SIMT_PURE constexpr unsigned sub_##TYPE(unsigned a, unsigned b) { return a - b; }           \
  NIBBLE_SIMT_PURE constexpr unsigned min_##TYPE(unsigned a, unsigned b) {                           \
    return static_cast<T>(a) < static_cast<T>(b) ? a : b; }                                          \
  NIBBLE_SIMT_PURE constexpr unsigned max_##TYPE(unsigned a, unsigned b) {                           \
    return static_cast<T>(a) > static_cast<T>(b) ? a : b; }                                          \
  NIBBLE_SIMT_PURE constexpr unsigned mul_lo_##TYPE(unsigned a, unsigned b) { return a * b; }        \
  NIBBLE_SIMT_PURE constexpr unsigned mul_hi_##TYPE(unsigned a, unsigned b) {                        \
    return static_cast<unsigned>(static_cast<WIDE>(static_cast<T>(a)) * static_cast<T>(b) >> 32); }  \
  NIBBLE_SIMT_PURE constexpr unsigned mad_lo_##TYPE(unsigned a, unsigned b, unsigned c) {            \
    return a * b + c; }                                                                              \
  NIBBLE_SIMT_PURE constexpr unsigned mad_hi_##TYPE(unsigned a, unsigned b, unsigned c) {            \
    return mul_hi_##TYPE(a, b) + c; }                                                                \
  NIBBLE_SIMT_PURE constexpr unsigned shr_##TYPE(unsigned a, unsigned n) {                           \
    return static_cast<unsigned>(static_cast<WIDE>(static_cast<T>(a)) >> (n < 32 ? n : 32)); }       \
  NIBBLE_SIMT_PURE constexpr bool setp_lt_##TYPE(unsigned a, unsigned b) {                           \
    return static_cast<T>(a) < static_cast<T>(b); }                                                  \
  NIBBLE_SIMT_PURE constexpr bool setp_le_##TYPE(unsigned a, unsigned b) {                           \
    return static_cast<T>(a) <= static_cast<T>(b); }                                                 \
  NIBBLE_SIMT_PURE constexpr bool setp_gt_##TYPE(unsigned a, unsigned b) {                           \
    return static_cast<T>(a) > static_cast<T>(b); }                                                  \
  NIBBLE_SIMT_PURE constexpr bool setp_ge_##TYPE(unsigned a, unsigned b) {                           \
    return static_cast<T>(a) >= static_cast<T>(b); }                                                 \
  NIBBLE_SIMT_PURE constexpr bool setp_eq_##TYPE(unsigned a, unsigned b) { return a == b; }          \
  NIBBLE_SIMT_PURE constexpr bool setp_ne_##TYPE(unsigned a, unsigned b) { return a != b; }
NIBBLE_SIMT_PTX(s32, int, long long)
NIBBLE_SIMT_PTX(u32, unsigned, unsigned long long)
#undef NIBBLE_SIMT_PTX
// clang-format on
NIBBLE_SIMT_PURE constexpr bool setp_eq_b32(unsigned a, unsigned b) { return a == b; }
NIBBLE_SIMT_PURE constexpr bool setp_ne_b32(unsigned a, unsigned b) { return a != b; }

NIBBLE_SIMT_PURE constexpr unsigned abs_s32(unsigned a) { return a >> 31 != 0 ? 0 - a : a; }
NIBBLE_SIMT_PURE constexpr unsigned neg_s32(unsigned a) { return 0 - a; }
NIBBLE_SIMT_PURE constexpr unsigned and_b32(unsigned a, unsigned b) { return a & b; }
NIBBLE_SIMT_PURE constexpr unsigned or_b32(unsigned a, unsigned b) { return a | b; }
NIBBLE_SIMT_PURE constexpr unsigned xor_b32(unsigned a, unsigned b) { return a ^ b; }
NIBBLE_SIMT_PURE constexpr unsigned not_b32(unsigned a) { return ~a; }
NIBBLE_SIMT_PURE constexpr unsigned shl_b32(unsigned a, unsigned n) { return n < 32 ? a << n : 0; }
NIBBLE_SIMT_PURE constexpr unsigned shr_b32(unsigned a, unsigned n) { return shr_u32(a, n); }

inline unsigned popc_b32(unsigned a) { return static_cast<unsigned>(__popc(a)); }
NIBBLE_SIMT_PURE constexpr unsigned brev_b32(unsigned a) { return __brev(a); }
NIBBLE_SIMT_PURE constexpr unsigned clz_b32(unsigned a) {
  return static_cast<unsigned>(__clz(static_cast<int>(a)));
}

/// `length` bits of a from bit `first` on; of what is signed the last of them, or bit 31, goes on.
NIBBLE_SIMT_PURE constexpr unsigned bfe_u32(unsigned a, unsigned first, unsigned length) {
  first &= 0xff;
  length &= 0xff;
  const unsigned mask = length < 32 ? (1u << length) - 1 : ~0u;
  return shr_u32(a, first) & mask;
}
NIBBLE_SIMT_PURE constexpr unsigned bfe_s32(unsigned a, unsigned first, unsigned length) {
  first &= 0xff;
  length &= 0xff;
  if (length == 0) return 0;
  const unsigned last = first + length - 1 < 31 ? first + length - 1 : 31;
  const unsigned sign = a >> last & 1;
  const unsigned mask = length < 32 ? (1u << length) - 1 : ~0u;
  const unsigned kept = last < 31 || first + length == 32 ? length : first < 32 ? 32 - first : 0;
  const unsigned of_a = kept < 32 ? (1u << kept) - 1 : ~0u;
  const unsigned bits_of_a = shr_u32(a, first) & mask & of_a;
  return sign != 0 ? bits_of_a | ~of_a : bits_of_a;
}
/// b with `length` bits of a in it, from bit `first` on.
NIBBLE_SIMT_PURE constexpr unsigned bfi_b32(unsigned a, unsigned b, unsigned first,
                                            unsigned length) {
  first &= 0xff;
  length &= 0xff;
  const unsigned mask = shl_b32(length < 32 ? (1u << length) - 1 : ~0u, first);
  return (b & ~mask) | (shl_b32(a, first) & mask);
}
/// __byte_perm, but that the upper bit of a choice asks for the byte's sign, eight times.
NIBBLE_SIMT_PURE constexpr unsigned prmt_b32(unsigned a, unsigned b, unsigned selector) {
  unsigned result = __byte_perm(a, b, selector);
  for (int i = 0; i < 4; ++i) {
    if ((selector >> (4 * i) & 8) == 0) continue;
    const unsigned byte = 0xffu << (8 * i);
    result = (result >> (8 * i) & 0x80) != 0 ? result | byte : result & ~byte;
  }
  return result;
}
/// Bit i of the table is the answer for bits that are i, that of a first.
template <long long kTable>
NIBBLE_SIMT_PURE constexpr unsigned lop3_b32(unsigned a, unsigned b, unsigned c) {
  static_assert(kTable >= 0 && kTable < 256, "the table of lop3 has eight bits");
  unsigned result = 0;
  for (int i = 0; i < 8; ++i) {
    if ((kTable >> i & 1) == 0) continue;
    result |= ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
  }
  return result;
}

// -- floats ---------------------------------------------------------------------------------------

NIBBLE_SIMT_PURE inline float add_f32(float a, float b) { return __fadd_rn(a, b); }
NIBBLE_SIMT_PURE inline float sub_f32(float a, float b) { return __fsub_rn(a, b); }
NIBBLE_SIMT_PURE inline float mul_f32(float a, float b) { return __fmul_rn(a, b); }
NIBBLE_SIMT_PURE inline float fma_rn_f32(float a, float b, float c) { return __fmaf_rn(a, b, c); }
NIBBLE_SIMT_PURE inline float min_f32(float a, float b) { return __builtin_fminf(a, b); }
NIBBLE_SIMT_PURE inline float max_f32(float a, float b) { return __builtin_fmaxf(a, b); }
NIBBLE_SIMT_PURE inline float abs_f32(float a) { return __builtin_fabsf(a); }
NIBBLE_SIMT_PURE inline float neg_f32(float a) { return -a; }
NIBBLE_SIMT_PURE inline float ex2_approx_f32(float a) { return __builtin_exp2f(a); }
NIBBLE_SIMT_PURE inline float lg2_approx_f32(float a) { return __builtin_log2f(a); }
NIBBLE_SIMT_PURE inline float rcp_approx_f32(float a) { return 1 / a; }
NIBBLE_SIMT_PURE inline float rsqrt_approx_f32(float a) { return __frsqrt_rn(a); }
NIBBLE_SIMT_PURE inline float sqrt_approx_f32(float a) { return __builtin_sqrtf(a); }

NIBBLE_SIMT_PURE constexpr bool setp_eq_f32(float a, float b) { return a == b; }
NIBBLE_SIMT_PURE constexpr bool setp_ne_f32(float a, float b) { return a < b || a > b; }
NIBBLE_SIMT_PURE constexpr bool setp_lt_f32(float a, float b) { return a < b; }
NIBBLE_SIMT_PURE constexpr bool setp_le_f32(float a, float b) { return a <= b; }
NIBBLE_SIMT_PURE constexpr bool setp_gt_f32(float a, float b) { return a > b; }
NIBBLE_SIMT_PURE constexpr bool setp_ge_f32(float a, float b) { return a >= b; }

// -- registers ------------------------------------------------------------------------------------

// clang-format off
#define NIBBLE_SIMT_PTX(TYPE)                                                                        \
  NIBBLE_SIMT_PURE constexpr unsigned mov_##TYPE##32(unsigned a) { return a; }                       \
  NIBBLE_SIMT_PURE constexpr unsigned selp_##TYPE##32(unsigned a, unsigned b, bool p) {              \
    return p ? a : b; }
NIBBLE_SIMT_PTX(b)
NIBBLE_SIMT_PTX(u)
NIBBLE_SIMT_PTX(s)
NIBBLE_SIMT_PTX(f)
#undef NIBBLE_SIMT_PTX
// clang-format on
NIBBLE_SIMT_PURE constexpr unsigned mov_b32(unsigned short low, unsigned short high) {
  return unsigned{high} << 16 | low;
}
NIBBLE_SIMT_QUIET inline void mov_b32(unsigned short& low, unsigned short& high, unsigned a) {
  low = static_cast<unsigned short>(a);
  high = static_cast<unsigned short>(a >> 16);
}
NIBBLE_SIMT_PURE constexpr unsigned long long mov_b64(unsigned long long a) { return a; }
NIBBLE_SIMT_PURE constexpr unsigned long long mov_u64(unsigned long long a) { return a; }
NIBBLE_SIMT_PURE constexpr unsigned long long mov_s64(unsigned long long a) { return a; }
NIBBLE_SIMT_PURE constexpr unsigned long long mov_b64(unsigned low, unsigned high) {
  return static_cast<unsigned long long>(high) << 32 | low;
}
NIBBLE_SIMT_QUIET inline void mov_b64(unsigned& low, unsigned& high, unsigned long long a) {
  low = static_cast<unsigned>(a);
  high = static_cast<unsigned>(a >> 32);
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
