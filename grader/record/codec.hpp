// Records as JSON, and back. Whoever reads has proof that nothing is missing and all of it is what
// it should be: a file may have been cut off, or edited.
#pragma once

#include <string>

#include "record/picture.hpp"
#include "record/result.hpp"
#include "record/scheme.hpp"
#include "record/speed_book.hpp"
#include "record/verdict.hpp"

namespace nibble::record {

/// Two-space indentation, a line end, and no byte that is not UTF-8.
std::string text_of(const Result& result);
std::string text_of(const Verdict& verdict);
std::string text_of(const Scheme& scheme);
std::string text_of(const SpeedBook& book);
std::string text_of(const Picture& picture);

/// These throw std::invalid_argument, which names the member that is missing or wrong.
Result read_result(const std::string& text);
Verdict read_verdict(const std::string& text);
Scheme read_scheme(const std::string& text);
SpeedBook read_speed_book(const std::string& text);
Picture read_picture(const std::string& text);

}  // namespace nibble::record
