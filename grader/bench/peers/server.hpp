// The contender's side of the pipes.
#pragma once

#include <filesystem>

#include "contender.hpp"

namespace nibble::peers {

/// Says first whether the contender could be opened, then answers until nobody asks any more. Ends
/// the process.
[[noreturn]] void serve(const Contender& contender, const std::filesystem::path& folder,
                        int requests, int replies);

}  // namespace nibble::peers
