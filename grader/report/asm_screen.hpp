// Machine code as people read it: the loop, a word in the margin where an instruction matters, and
// what it adds up to.
#pragma once

#include <string>
#include <vector>

#include "report/hot_loop.hpp"
#include "report/screen.hpp"

namespace nibble::report {

/// The hot loop of `subject`, instruction by instruction; `whole`: all of its function.
std::string hot_loop_text(const Disassembly& listing, const HotLoop& hot,
                          const std::string& subject, bool whole, const Paint& paint);

/// What the hot loop adds up to, on one line, or why there is none.
std::string hot_loop_summary(const HotLoop& hot);

/// One exercise of a comparison.
struct ComparedLoops {
  std::string exercise;
  LoopCounts yours, published;
};

/// Counts side by side; of the published solution nothing but numbers.
std::string comparison_text(const std::vector<ComparedLoops>& rows);

}  // namespace nibble::report
