// What a results folder holds, and what of it a person should look at before grades go out.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "batch/order.hpp"

namespace nibble::batch {

struct Look {
  std::string id, lab;  ///< lab empty: the submission as a whole
  std::string why;
};

struct Overview {
  std::size_t ordered = 0;  ///< labs that were handed in
  std::size_t graded = 0, passed = 0, missing = 0, faults = 0;
  std::vector<Look> looks;  ///< sorted by id
};

Overview look_over(const std::filesystem::path& grades, const BatchOrder& order);

/// As lines for people, the list at the end.
std::string overview_text(const Overview& overview);

}  // namespace nibble::batch
