// What the engine knows of every byte of shared and device memory, beside the bytes themselves.
//
//     arena   | shared: static | dynamic | device memory: variables, then allocations ... |
//     states  one byte for four: which exist (high half), which have been written (low half)
//     keys    four bytes for one: who may use it without being looked at
//     marks   24 bytes for four: who used it last; made four times as fine where bytes differ
#pragma once

#include <cstddef>
#include <cstdint>

#include "hot.hpp"
#include "region.hpp"

namespace nibble::simt {

inline constexpr std::size_t kStaticShared = std::size_t{256} << 10;  // with fences
inline constexpr std::size_t kDynamicOffset = kStaticShared;          // and 256 KiB long
inline constexpr std::size_t kSharedBytes = 2 * kDynamicOffset;

extern Region arena_region;

extern std::size_t arena_limit;  // where the last byte of device memory may be
extern std::size_t arena_top;    // behind the last byte handed out
extern std::uint8_t* states;

inline std::byte* arena_byte(std::size_t offset) { return arena_region.as<std::byte>() + offset; }
inline bool is_shared(std::size_t offset) { return offset < kSharedBytes; }

/// Makes memory and states usable up to `top`.
void reach_arena(std::size_t top);
/// Makes keys and marks usable, too, as far as memory goes, and lets the hooks use them.
void reach_shadow();
/// No byte exists any more.
void forget_states();
void forget_races();

enum class ByteState { kAbsent, kUnwritten, kWritten };
/// Says so of `size` bytes from `offset` on.
void set_bytes(std::size_t offset, std::size_t size, ByteState state);
bool all_exist(std::size_t offset, std::size_t size);
/// The first byte of them that has not been written, or offset + size.
std::size_t first_unwritten(std::size_t offset, std::size_t size);

}  // namespace nibble::simt
