// Who may include whom: reads the includes of a source file and holds them against layers.txt.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::proofs {

struct Include {
  int line = 0;
  std::string target;   ///< what stands between the quotes or brackets
  bool quoted = false;  ///< "…", not <…>
};

/// Includes in comments do not count. Throws FormatError for an include that a macro computes.
std::vector<Include> includes_of(std::string_view source);

/// place -> the places whose files its files may include.
using Layers = std::map<std::string, std::set<std::string>>;

/// One row a line: a place, then what it may include. `#` begins a comment.
/// Throws FormatError for a place with two rows, or with none of its own that another row names.
Layers parse_layers(std::string_view table);

/// The place of a file of the project: "labs", "grader/judge", … `file` is relative to its top.
std::string place_of(const std::filesystem::path& file);

/// What the file at top/file includes and may not, as "file:line: why".
std::vector<std::string> forbidden_includes(const Layers& layers, const std::filesystem::path& top,
                                            const std::filesystem::path& file);

}  // namespace nibble::proofs
