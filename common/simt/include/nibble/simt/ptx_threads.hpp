// Instructions of inline PTX that ask which thread this is, or that threads come to together.
#pragma once

#include "nibble/simt/device.hpp"
#include "nibble/simt/warp.hpp"

namespace nibble::simt::ptx {

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

}  // namespace nibble::simt::ptx
