// Two results folders, compared in what must not depend on when,
// where and beside what they were made.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nibble::batch {

struct Difference {
  std::string id, lab;
  std::string
      what;  ///< "12 -> 15 points"; "only in grades-monday"; "the same points, other checks: …"
};

/// Sorted by id and lab; empty: the same. Throws std::invalid_argument when a folder holds no
/// result.
std::vector<Difference> compare(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace nibble::batch
