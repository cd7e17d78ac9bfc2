// attack: none: it uses the groups of CUDA as they are meant
// rule: V3
// expect: honest
// leg: simt
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
// @HEAD@
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  namespace cg = cooperative_groups;
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const std::int64_t i = my_element();
  const float value = i < n ? x[i] : 0.0f;
  const float other = tile.shfl_xor(tile.shfl(value, tile.thread_rank()), 0);
  const int all = cg::reduce(tile, 1, cg::plus<int>());
  const float sum = cg::reduce(tile, 1.0f, cg::plus<float>());
  const cg::coalesced_group here = cg::coalesced_threads();
  const bool right = all == 32 && sum == 32.0f && tile.any(1) && tile.ballot(1) == ~0u &&
                     here.size() <= 32 && here.thread_rank() < 32;
  if (i < n) q[i] = right ? right_code(other, scale) : std::int8_t{0};
}
