// What is different here: an algorithm instead of a loop.
#include "fake_quant.hpp"

namespace nibble {

std::int32_t sum_of_steps(std::span<const std::int8_t> q, int zero_point) {
  NIBBLE_EXPECTS(std::in_range<std::int8_t>(zero_point), zero_point);
  NIBBLE_EXPECTS(q.size() <= kMostCodes, q.size());
  return std::accumulate(
      q.begin(), q.end(), std::int32_t{0},
      [zero_point](std::int32_t sum, int code) { return sum + code - zero_point; });
}

}  // namespace nibble
