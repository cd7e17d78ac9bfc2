// What a sanitizer printed, in one line a person can use. For display only: a submission can print
// anything, so nothing is decided by it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "record/check.hpp"

namespace nibble::report {

/// The first line of a lab's file that the report names.
std::optional<record::Location> learners_line(std::string_view output);

/// "heap-buffer-overflow: a read of 4 bytes outside …"; empty when nothing is recognised.
std::string summary(std::string_view output);

/// The same report of the same fault on another run: addresses and process numbers are blanked.
std::string without_addresses(const std::string& output);

}  // namespace nibble::report
