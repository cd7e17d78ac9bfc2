// Names that look the same are the same.
#pragma once

#include <string>
#include <string_view>

namespace nibble::gradebook {

/// Unicode's composed form (NFC): macOS writes "é" into an archive as "e" and an accent, a
/// gradebook as one letter. What is not UTF-8 stays as it is.
std::string composed(std::string_view name);

}  // namespace nibble::gradebook
