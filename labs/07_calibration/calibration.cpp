// Lab 07. The contract is in calibration.hpp; the story is in README.md.
// Check yourself:  ./nibble run 07        (or leave ./nibble watch open)
#include "calibration.hpp"

namespace nibble {

RangeObserver minmax_observe(const RangeObserver& observer, std::span<const float> batch) {
  // 1. When is the observer returned as it is?  2. Refuse.
  // 3. The first batch, and the others.
  NIBBLE_TODO("fold the batch into the range");
}

RangeObserver moving_average_observe(const RangeObserver& observer, std::span<const float> batch) {
  // The range of this batch, and then one step in a hundred towards it.
  NIBBLE_TODO("move the range towards that of the batch");
}

float percentile_clip(std::span<const float> x, std::int32_t per_million) {
  // 1. Refuse.  2. Sort what?  3. Which rank, counted from 1, in which type?
  NIBBLE_TODO("find the order statistic");
}

float mse_clip(std::span<const float> x, int num_bits) {
  // A hundred clips, an error for each. In which order do you try them?
  NIBBLE_TODO("find the clip with the least squared error");
}

float entropy_clip(std::span<const float> x, std::int32_t batch_size) {
  // 1. Count batch by batch; helpers of your own go above this function.
  // 2. A divergence for each k: which bins add nothing, which too much?  3. Choose.
  NIBBLE_TODO("find the clip with the least divergence");
}

DynamicRows quantize_dynamic_rows(std::span<const float> x, std::int32_t columns) {
  // Row by row: where does one begin, and what of the row before may it see?
  NIBBLE_TODO("quantize each row with a scale of its own");
}

}  // namespace nibble
