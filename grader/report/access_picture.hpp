// One request of a warp, drawn: which lane asks for which bytes.
// Lanes are called 0 to 9 and a to v.
//
//     global: a box is a sector of 32 bytes, a cell one access      shared: a row is one pass of banks
//     byte     0 |01234567|89abcdef|ghijklmn|opqrstuv|              word 0  |0...1...2...|
#pragma once

#include <string>

#include "report/traffic.hpp"

namespace nibble::report {

/// Several lines, each ends in a newline; empty when there is no sample.
std::string access_picture(const Access& access);

/// The same as a drawing, a file of its own.
std::string access_svg(const Access& access, const std::string& title);

}  // namespace nibble::report
