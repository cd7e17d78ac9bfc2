// Page-locked host memory. A copy between it and the device goes on while host code does; one from
// or to any other host memory is, for the host, over when its call returns.
#pragma once

#include <cstddef>

namespace nibble::simt {

/// Null: there is none left.
void* take_pinned(std::size_t bytes, const void* pc);
/// Not what take_pinned gave: false.
bool give_back_pinned(void* p);

/// Host memory of others that is to be page-locked for a while.
bool pin(void* p, std::size_t bytes, const void* pc);
bool unpin(void* p);

/// All of [p, p + bytes) is page-locked.
bool is_pinned(const void* p, std::size_t bytes);

void begin_pinned_memory();
/// Findings for what is still there.
void finish_pinned_memory();

}  // namespace nibble::simt
