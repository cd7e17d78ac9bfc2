// What a lab's published kernels count, as numbers for copies of the kit that do not hold them.
#pragma once

#include <filesystem>
#include <string>

#include "lab/kit.hpp"

namespace nibble::run {

/// The numbers, as JSON: judge/count_book.hpp says which. `child` is the published solution.
///
/// Throws std::runtime_error when two runs on other data do not give the same: they would be no
/// numbers of the kernels.
std::string count_book_of(const lab::Kit& kit, const lab::Lab& lab,
                          const std::filesystem::path& child);

}  // namespace nibble::run
