// Answers the judge's requests until it hangs up.
#pragma once

#include <cstddef>

namespace nibble::runner {

/// Serves requests from `socket` with values in the two arenas. Returns when the judge hangs up.
void serve_requests(int socket, std::byte* inputs, std::byte* outputs);

}  // namespace nibble::runner
