// When a file was committed, in a clone that somebody else may have made.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "text/moment.hpp"

namespace nibble::intake {

/// The committer's date of the last commit of `clone` that changed `place`; nothing where `clone`
/// is no clone, git is not here, or its objects say nothing of that file. Nothing that the clone
/// itself configures is read: git is shown its objects alone, from a repository of ours in `work`,
/// which is made and removed.
std::optional<text::Moment> committed_at(const std::filesystem::path& clone,
                                         const std::string& place,
                                         const std::filesystem::path& work);

}  // namespace nibble::intake
