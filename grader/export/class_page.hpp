// A class as a page: how points are spread, which checks are hard, which mistakes are common, and
// whose results want a person's eyes.
#pragma once

#include <string>

#include "export/class.hpp"
#include "report/diagnoses.hpp"

namespace nibble::gradebook {

/// `course`: its name; or empty. `written`: when, as utc_now() writes it. Throws what
/// points_possible throws.
std::string class_page(const Class& all, const std::string& course, const std::string& written,
                       const report::Diagnoses& diagnoses);

}  // namespace nibble::gradebook
