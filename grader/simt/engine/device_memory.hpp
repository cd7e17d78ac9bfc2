// Device memory: allocations one behind the other, never twice at the same place, with fences.
//
//     fence | x ............ | fence | q ..... | fence
//     256 bytes or more, filled with a pattern that no kernel may change
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace nibble::simt {

struct Allocation {
  std::size_t offset, size;
  std::string name;
  bool live, managed;
  std::uint32_t freed_at;  // place in the code; 0: not known
  std::uint64_t reported;  // damaged fence: 1
  const void* taken_at;    // the host code's call; null: the runner's
  bool free_is_ordered = false;
  std::int64_t before = 0;  // bytes of a larger array, of which this is the end; they do not exist
};

void begin_device_memory(std::size_t bytes);

/// The allocation that `offset` is in, or the nearest one; null: there is none.
Allocation* allocation_near(std::size_t offset);
/// The live allocation of which `address` is a multiple of 2^32 bytes away; null: none.
const Allocation* allocation_beyond(std::uintptr_t address);
/// The live allocation in front of which `address` lies, where a larger array would be; null: none.
const Allocation* allocation_after(std::uintptr_t address);
/// The allocation that begins there; null: none.
Allocation* allocation_at(const void* device);
/// All bytes [device, device + bytes) belong to live memory.
bool is_device_memory(const void* device, std::size_t bytes);

/// Managed memory has pages of its own.
Allocation& allocate_device(std::size_t bytes, const char* name, const void* pc, bool managed);
void for_each_managed(const std::function<void(const Allocation&)>& f);
void release_device(Allocation& allocation, const void* pc);

/// Findings for every fence that was written over. The fast build has nothing but this.
void check_fences();

/// Findings for what host code has taken and not given back.
void report_leaked_memory();
/// Gives all of that back.
void release_all(const void* pc);

}  // namespace nibble::simt
