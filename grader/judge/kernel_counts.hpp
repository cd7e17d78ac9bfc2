// What a kernel asked of the memory, counted by the engine: the same on every machine and on every
// day, so that points can be given for it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "judge/expect.hpp"
#include "nibble/simt/report.hpp"

namespace nibble::judge {

/// Counts of one call.
struct KernelCounts {
  simt::SessionTotals totals{};
  std::vector<simt::Traffic> traffic;
  /// Of the traffic: "cuda_quantize.cu:12". Another program is asked, so nobody asks before a line
  /// is told. Null: nobody knows.
  std::function<std::vector<std::string>()> lines;
};

/// A call of the submission and one of the published solution, on the same arguments.
struct Counted {
  KernelCounts got, published;
};

/// Something that can be counted, and what it is called when there is too much of it.
struct Measure {
  const char* name;                                   ///< "bytes of global memory moved"
  const char* code;                                   ///< the diagnosis of too much, or too little
  std::uint64_t (*of_traffic)(const simt::Traffic&);  ///< null: of the totals
  std::uint64_t (*of_totals)(const simt::SessionTotals&);

  std::uint64_t of(const KernelCounts& counts) const;
};

extern const Measure kGlobalBytes;       ///< 32 for every sector of every request
extern const Measure kGlobalLoadBytes;   ///< of loads and atomic operations
extern const Measure kGlobalStoreBytes;  ///< of stores and atomic operations
extern const Measure kGlobalRequests;    ///< what warps asked for, loads and stores
extern const Measure kSharedRequests;
extern const Measure kBankConflicts;  ///< passes over the banks beyond what the words need
extern const Measure kBarriers;       ///< __syncthreads, once a block each
extern const Measure kAtomics;
extern const Measure kLaunches;
extern const Measure kDp4a;         ///< of all threads
extern const Measure kMma;          ///< of all warps
extern const Measure kPopc;         ///< of all threads
extern const Measure kLanesAtWork;  ///< of 32, on average over the steps of all warps

/// There is no more of `measure` than `factor` times what the published solution needs. The failure
/// names the costliest line of the array that is asked for most beyond that.
bool at_most(Expect& expect, const Measure& measure, double factor, const Counted& counted);

/// There is no less of it than `share` of what the published solution has.
bool at_least(Expect& expect, const Measure& measure, double share, const Counted& counted);

/// There is exactly as much of it as `want`.
bool exactly(Expect& expect, const Measure& measure, std::uint64_t want, const Counted& counted);

}  // namespace nibble::judge
