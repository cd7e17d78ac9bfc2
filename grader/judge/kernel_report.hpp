// The engine's report as the judge takes it: copied out of the outputs once, and believed no
// further than it can be shown. Code offsets become lines of the learner's file.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/failure.hpp"
#include "nibble/simt/report.hpp"
#include "sandbox/box.hpp"

namespace nibble::judge {

/// A copy whose counts are within bounds and whose texts end; nullopt when no engine wrote it.
std::optional<simt::Report> read_report(const std::byte* outputs);

/// "cuda_quantize.cu:12" for each place, "" where it is not known. Asks addr2line, once for all, in
/// `box`: it reads what a submission became.
std::vector<std::string> lines_of(const std::string& executable,
                                  std::span<const simt::Place> places,
                                  const sandbox::ToolBox& box = {});

/// The finding that explains most, as a failure: where, what, by which thread, and what to do.
/// nullopt: nothing was found.
std::optional<Failure> failure_of(const simt::Report& report, const std::string& executable,
                                  const sandbox::ToolBox& box = {});

}  // namespace nibble::judge
