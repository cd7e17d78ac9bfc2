// A wrong tensor as a picture: which elements are wrong, and by how much.
//
//     ..3..      a cell for each element, rows as the tensor has them; wrong ones stand out
//     .4455
#pragma once

#include <string>

#include "record/check.hpp"

namespace nibble::report {

/// The drawing of `compared` (results.json: first.compared); empty when there is nothing to draw.
std::string error_map(const record::Compared& compared);

/// The same cells with what was wanted in them; empty where values have no room in a cell, too.
std::string wanted_map(const record::Compared& compared);

/// The first wrong elements in words, for what the cells have no room for.
std::string wrong_elements(const record::Compared& compared);

/// How often which difference got - want occurs, where there are enough of them to make a shape;
/// empty when there are not, or one is no finite number.
std::string error_histogram(const record::Compared& compared);

}  // namespace nibble::report
