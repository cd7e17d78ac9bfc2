// Whose turn it is.
#pragma once

#include <cstdint>
#include <vector>

namespace nibble::simt {

/// 0 .. count-1 in the order that the options ask for.
void put_in_order(std::vector<std::uint32_t>& order, std::uint32_t count);
void begin_order(std::uint64_t seed);

/// Runs one block to its end, to the grid's barrier, or to the end of the launch.
void run_block(std::uint32_t linear);

/// The block that runs is this one from now on; its time begins.
void enter_block(std::uint32_t linear, std::uint64_t serial);
/// Lets its threads, those that can, have their turns.
void run_turns();

}  // namespace nibble::simt
