// Findings about pointers and handles that host code passes to the runtime.
#pragma once

#include <cstddef>

namespace nibble::simt {

/// What is given back is not there to be given back.
void report_bad_free(const char* what, const char* why, const void* pc);
/// The same for an address, which may have been device memory.
void report_bad_free(const void* p, const void* pc);

/// One side of a copy is not what its kind says, or is no longer there, or too small.
void report_bad_device_side(const void* p, std::size_t bytes, bool is_write, const void* pc);
void report_bad_host_side(const void* p, std::size_t bytes, bool is_write, const void* pc);

/// A copy reads memory that nobody has written, from `offset` of the arena on.
void report_copies_unwritten(std::size_t offset, std::size_t bytes, const void* pc);

}  // namespace nibble::simt
