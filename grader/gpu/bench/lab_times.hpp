// The kernels of a lab, timed: each beside another implementation of the same contract, on fresh
// data, every output checked, as a share of what this GPU can do at most.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "gpu/bench/bench_row.hpp"
#include "gpu/bench/lab_problems.hpp"
#include "gpu/gpu.hpp"

namespace nibble::gpu {

/// What the ceilings' rows say: bytes and operations a second, by the name of the row.
class GpuCeilings {
 public:
  /// A row that is not exact is no limit.
  void add(const BenchRow& ceiling);

  double per_second(const std::string& ceiling) const;  ///< 0: not known
  double bytes_per_second() const { return per_second("copy"); }
  double most_operations_per_second() const;  ///< of int8 products, by whatever instruction

 private:
  std::map<std::string, double> known_;
};

/// Who runs in turn with the kernel that is timed.
struct Opponent {
  std::string figure;  ///< "vs_plain": how often its time holds the kernel's
  Start start;
};

/// Times one kernel of `candidate`. A row whose check says FAIL counts for nothing.
BenchRow time_problem(const Gpu& gpu, const LabProblem& lab, std::span<const std::byte> kit_kernels,
                      const Opponent& opponent, std::span<const std::byte> candidate,
                      const GpuCeilings& limits, const PairedOptions& options);

/// The arithmetic of it, apart from any GPU.
BenchRow row_of(const LabProblem& lab, const PairedRun& run, const std::string& figure,
                const GpuCeilings& limits, const Facts& facts);

}  // namespace nibble::gpu
