// What a byte of the arena is called: As[9][9], x[17], table[3].
#pragma once

#include <cstddef>
#include <cstdint>

#include "device_memory.hpp"
#include "nibble/simt/report.hpp"
#include "variables.hpp"

namespace nibble::simt {

/// Fills in subject, offset and size of the variable or allocation that an access of `bytes` at
/// `offset` is in, or nearest to.
void name_subject(EngineFinding& finding, std::size_t offset, unsigned bytes);

/// The same for an allocation and a distance from where it would begin, which may lie outside.
void name_element(EngineFinding& finding, const Allocation& a, std::int64_t at, unsigned bytes);

/// The same for a variable and a distance from its beginning, which may lie outside.
void name_variable(EngineFinding& finding, const PlacedVariable& v, std::int64_t at,
                   unsigned bytes);

/// The name alone, and where it begins.
struct Subject {
  const char* name;
  std::size_t begin, size;
};
Subject subject_at(std::size_t offset);

}  // namespace nibble::simt
