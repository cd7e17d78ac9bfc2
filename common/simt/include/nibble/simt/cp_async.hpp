// PTX's cp.async in the engine: a copy from global to shared memory that lands when its thread
// waits for it, and not before.
#pragma once

namespace nibble::simt {

/// `bytes` (4, 8 or 16) at `shared` become the first `source_bytes` at `global`, then zeros.
void copy_async(void* shared, const void* global, unsigned bytes, unsigned source_bytes,
                const void* pc);
void commit_copies();
/// Lands all committed groups but the `unfinished` youngest.
void wait_for_copies(unsigned unfinished, const void* pc);

}  // namespace nibble::simt
