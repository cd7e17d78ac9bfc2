// Copies that were ordered and have not landed.
#pragma once

#include <cstddef>

namespace nibble::simt {

/// The running thread reads `size` bytes at `offset` of the arena. True, with a finding, when a
/// copy to one of them is on its way.
bool report_copy_on_its_way(std::size_t offset, unsigned size, const void* pc);

}  // namespace nibble::simt
