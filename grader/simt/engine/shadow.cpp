#include "shadow.hpp"

#include <cstring>

#include "marks.hpp"

namespace nibble::simt {

constexpr std::size_t kMost = std::size_t{1} << 32;
Region arena_region(Wish::kArena, kMost);
std::size_t arena_limit, arena_top;
std::uint8_t* states;
Hot hot;

namespace {

Region state_region(Wish::kStates, kMost / 4);
Region key_region(Wish::kKeys, kMost * 4);
Region mark_region(Wish::kMarks, kMost / 4 * sizeof(Marks));

/// The bits of a state for bytes [begin, end) of its four.
std::uint8_t bits(std::size_t begin, std::size_t end, ByteState state) {
  const unsigned some = (0xFu >> (4 - (end - begin))) << begin;
  if (state == ByteState::kAbsent) return 0;
  return static_cast<std::uint8_t>(some << 4 | (state == ByteState::kWritten ? some : 0));
}

void set_some(std::size_t granule, std::size_t begin, std::size_t end, ByteState state) {
  const auto mask = bits(begin, end, ByteState::kWritten);
  states[granule] = static_cast<std::uint8_t>((states[granule] & ~mask) | bits(begin, end, state));
}

}  // namespace

void reach_arena(std::size_t top) {
  arena_region.reach(top);
  state_region.reach(arena_region.reached() / 4);
  states = state_region.as<std::uint8_t>();
  hot.arena = reinterpret_cast<uptr>(arena_region.as<char>());
}

void reach_shadow() {
  const std::size_t bytes = arena_region.reached();
  key_region.reach(bytes * sizeof(std::uint32_t));
  mark_region.reach(bytes / 4 * sizeof(Marks));
  hot.keys = key_region.as<std::uint32_t>();
  marks = mark_region.as<Marks>();
  hot.reach = bytes;
}

void forget_states() {
  if (states != nullptr) std::memset(states, 0, arena_top / 4 + 1);
}

void forget_races() {
  key_region.forget();
  mark_region.forget();
  forget_fine_marks();
}

void set_bytes(std::size_t offset, std::size_t size, ByteState state) {
  const std::size_t end = offset + size;
  while (offset < end) {
    const std::size_t granule = offset / 4, begin = offset % 4;
    if (begin == 0 && end - offset >= 4) {
      std::memset(states + granule, bits(0, 4, state), (end - offset) / 4);
      offset = end / 4 * 4;
    } else {
      const std::size_t some = end - offset < 4 - begin ? end - offset : 4 - begin;
      set_some(granule, begin, begin + some, state);
      offset += some;
    }
  }
}

std::size_t first_unwritten(std::size_t offset, std::size_t size) {
  const std::size_t end = offset + size;
  while (offset < end && (states[offset / 4] >> offset % 4 & 1) != 0) ++offset;
  return offset;
}

bool all_exist(std::size_t offset, std::size_t size) {
  for (std::size_t end = offset + size; offset < end; ++offset) {
    if ((states[offset / 4] >> (4 + offset % 4) & 1) == 0) return false;
  }
  return true;
}

}  // namespace nibble::simt
