// Proof that stores are seen: what changed in device memory during a counted launch is what a hook
// was told of, byte for byte.
#pragma once

#include <cstddef>

namespace nibble::simt {

/// Remembers device memory as it is before a launch.
void begin_seen_stores();

/// A store that somebody was told of.
void note_seen_store(std::size_t offset, unsigned size);

/// Reports the first byte that is another one now, and that nobody stored.
void check_seen_stores();

}  // namespace nibble::simt
