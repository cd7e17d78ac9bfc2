// Every format against every other, in rounds: in each round all products are computed once, one
// format right after the other, so that what slows one of them down slows all of them.
#pragma once

#include <cstddef>
#include <vector>

#include "formats/problem.hpp"
#include "nibble/cpu.hpp"

namespace nibble::formats {

struct RoundPlan {
  ProblemSize size;
  std::vector<std::size_t> batches = {1, 32, 512};
  std::size_t warm_up = 2, rounds = 21;  ///< the first ones are not counted
  /// Read before each product, so that its operands come from memory: they are one layer of many.
  std::size_t flushed_bytes = std::size_t{64} << 20;
};

/// One format at one batch.
struct TimedFormat {
  NumberFormat format;
  std::size_t batch;
  std::vector<double> seconds;  ///< CPU time, round by round
  std::size_t bytes;            ///< operands and result, each counted once
  double sqnr_db;               ///< against the product of what is not quantized, in double
};

/// Batch by batch, each in the order of kEveryNumberFormat.
std::vector<TimedFormat> time_formats(Isa isa, const RoundPlan& plan);

}  // namespace nibble::formats
