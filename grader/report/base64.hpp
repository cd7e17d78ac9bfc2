// Bytes as letters, RFC 4648.
#pragma once

#include <string>
#include <string_view>

namespace nibble::report {

std::string base64(std::string_view bytes);

}  // namespace nibble::report
