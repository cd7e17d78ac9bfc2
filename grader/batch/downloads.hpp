// What a course system lets an instructor download, as deliveries: one of each person in it.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "batch/submissions.hpp"
#include "lab/kit.hpp"

namespace nibble::batch {

/// Sorts the download into GRADES/.batch/downloads; beside it in a folder may lie what other people
/// handed in. Nothing where no course system made it. Throws what sort_download and
/// find_submissions throw.
std::optional<std::vector<Delivery>> find_downloaded(const lab::Kit& kit,
                                                     const std::filesystem::path& download,
                                                     const std::vector<lab::Lab>& labs,
                                                     const std::filesystem::path& grades);

/// A person of a download who handed in before goes by the name of then: course systems write names
/// as they are today.
void call_as_before(std::vector<Delivery>& now, const std::vector<Delivery>& before);

}  // namespace nibble::batch
