// Device memory: allocations one behind the other, never twice at the same place, with fences.
//
//     fence | x ............ | fence | q ..... | fence
//     256 bytes or more, filled with a pattern that no kernel may change
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace nibble::simt {

struct Allocation {
  std::size_t offset, size;
  std::string name;
  bool live, managed;
  std::uint32_t freed_at;  // place in the code; 0: not known
  std::uint64_t reported;  // damaged fence: 1
};

void begin_device_memory(std::size_t bytes);

/// The allocation that `offset` is in, or the nearest one; null: there is none.
Allocation* allocation_near(std::size_t offset);
/// The allocation that begins there; null: none.
Allocation* allocation_at(const void* device);
/// All bytes [device, device + bytes) belong to live memory.
bool is_device_memory(const void* device, std::size_t bytes);

Allocation& allocate_device(std::size_t bytes, const char* name, const void* pc);
void release_device(Allocation& allocation, const void* pc);

/// Findings for every fence that was written over. The fast build has nothing but this.
void check_fences();

}  // namespace nibble::simt
