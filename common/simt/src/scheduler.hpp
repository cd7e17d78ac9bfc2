// Whose turn it is.
#pragma once

#include <cstdint>
#include <vector>

namespace nibble::simt {

/// 0 .. count-1 in the order that the options ask for.
void put_in_order(std::vector<std::uint32_t>& order, std::uint32_t count);
void begin_order(std::uint64_t seed);

/// Runs one block to its end, or to the end of the launch.
void run_block(std::uint32_t linear);

}  // namespace nibble::simt
