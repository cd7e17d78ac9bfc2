// Where a program is.
#pragma once

#include <string>

namespace nibble::cli {

/// Where `program` is, looked for in PATH and then in `folder`; empty: nowhere.
std::string find_program(const std::string& program, const std::string& folder = "");

}  // namespace nibble::cli
