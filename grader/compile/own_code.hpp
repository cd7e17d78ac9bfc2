// What this program itself does to a submission's text: it rewrites kernels, guards and closes
// objects.
#pragma once

#include <string_view>

namespace nibble::compile {

/// 64 hex digits, of the sources of all that; made when the kit is built, by OwnCode.cmake.
std::string_view own_code();

}  // namespace nibble::compile
