// Float formats side by side: a ruler near 0 with a mark for each number, and how fine each format
// is at every power of two.
//
//     E5M2      |||||||||-|-|-|-|---|---|---|---|-------|-------|-------|-------|
//     E2M1      |---|---|---|---|-------|-------|---------------|----------------
#pragma once

#include <string>
#include <vector>

#include "record/picture.hpp"

namespace nibble::report {

std::string ruler_text(const std::vector<record::RulerRow>& rows);
std::string ruler_svg(const std::vector<record::RulerRow>& rows);

}  // namespace nibble::report
