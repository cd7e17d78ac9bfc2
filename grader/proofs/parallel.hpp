// Many independent pieces of work on a few threads.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace nibble::proofs {

/// Calls body(0) … body(count - 1), `workers` at a time, and returns when all have ended. On a
/// terminal it counts them on stderr, after `what`. The first exception is thrown again.
void parallel(const std::string& what, std::size_t count, unsigned workers,
              const std::function<void(std::size_t)>& body);

}  // namespace nibble::proofs
