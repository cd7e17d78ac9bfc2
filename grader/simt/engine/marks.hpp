// Where the marks are kept: one set for four bytes,
// and four sets where the four are not used alike.
#pragma once

#include "race.hpp"

namespace nibble::simt {

extern Marks* marks;

/// Notes the use of 1, 2, 4, 8 or 16 bytes, aligned, in their marks and keys.
template <unsigned kSize, Act kAct>
void note_use(std::size_t offset, const void* pc);

/// The same for a write of 4, 8 or 16 bytes.
void note_write(unsigned size, std::size_t offset, const void* pc);

/// Keys for memory whose races nobody asked about: readable by all once it is written.
void note_unraced(Act act, std::size_t offset, unsigned size);

/// Where in the code the byte was written last, as far as marks say; 0: not known.
std::uint32_t last_writer(std::size_t offset);

void forget_fine_marks();

}  // namespace nibble::simt
