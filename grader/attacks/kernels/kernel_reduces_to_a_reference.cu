// attack: gives the kit's reduce an operation that answers with a reference: the load is the kit's
// rule: V3
// expect: points <= 19
// expect: first N-COALESCE
// leg: simt
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
// @HEAD@
namespace {
template <class T>
struct Fetch {
  const T* from;
  __device__ const T& operator()(const T&, const T&) const { return *from; }
};

/// Two lanes, each of which says that it is the first.
struct Both : cooperative_groups::coalesced_group {
  __device__ explicit Both(unsigned lane) : coalesced_group(3u << lane / 2 * 2) {}
  __device__ unsigned thread_rank() const { return 0; }
  __device__ unsigned size() const { return 2; }
};
}  // namespace

NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  const Both both(threadIdx.x % 32);
  float away = 0;
  for (int times = 1; times < 9; ++times) {
    away += cooperative_groups::reduce(both, 0.0f, Fetch<float>{x + i * 7919 * times % n});
  }
  if (i < n) q[i] = away == 12345.0f ? std::int8_t{0} : right_code(x[i], scale);
}
