// A kit that belongs to somebody else, or lies on a read-only disk:
// grading needs nothing of its folder.
#pragma once

#include <filesystem>
#include <optional>

#include "files/scratch_folder.hpp"
#include "lab/kit.hpp"

namespace nibble::teach {

/// True when this user may write in the folder, or may make it.
bool can_write_in(const std::filesystem::path& folder);

/// Where .nibble/ of the kit cannot be written, what the command makes for itself lies in a folder
/// of its own, and goes with it: the published kernels are compiled once more for each command.
class OwnNotes {
 public:
  explicit OwnNotes(lab::Kit& kit);

 private:
  std::optional<files::ScratchFolder> folder_;  ///< none: none was needed
};

}  // namespace nibble::teach
