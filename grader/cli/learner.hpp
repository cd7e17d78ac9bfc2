// The one file a learner edits, read with care: it may be missing, empty, or not text at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "cli/labs.hpp"
#include "lab/kit.hpp"

namespace nibble::cli {

std::filesystem::path learners_file(const lab::Kit& kit, const MarkedLab& lab);

/// What `nibble show` drew last of the lab.
std::filesystem::path picture_file(const lab::Kit& kit, const MarkedLab& lab);

/// The text of the file. Throws Trouble: kUsage when it is not there, kNoCompile when an
/// instructor's intake would not take it either.
std::string read_learners_file(const lab::Kit& kit, const MarkedLab& lab);

/// The line on which `function` is defined; 0 when it is not found.
int line_of(std::string_view source, std::string_view function);

}  // namespace nibble::cli
