// What a run of one lab found, as a part of a page: a learner's own, or what an instructor hands
// back.
#pragma once

#include <string>

#include "report/code_pages.hpp"
#include "report/results.hpp"

namespace nibble::report {

/// How it ended, every check, and the first failing cases as pictures.
std::string results_section(const Result& results, CodePages& codes);

/// A bar for each check of speed; empty: none was measured.
std::string speed_section(const Result& results);

}  // namespace nibble::report
