// Finds the variables among the segments of the executable, gives each
// its place in the shadow, and restores its value.
#include "variables.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "shadow.hpp"

// The rewriter leaves a record for each variable in this section; the linker knows where it begins
// and ends. Neither exists where no file has a variable.
extern "C" {
extern const nibble::simt::Variable __start_nibble_simt_variables[]
    __attribute__((weak, visibility("hidden")));
extern const nibble::simt::Variable __stop_nibble_simt_variables[]
    __attribute__((weak, visibility("hidden")));
}

namespace nibble::simt {
namespace {

constexpr std::size_t kNearby = 256;

std::vector<PlacedVariable> variables;             // by address
std::vector<std::vector<std::byte>> first_values;  // in the same order

struct Range {
  std::uintptr_t begin, end;
};
std::vector<Range> constant_data;
Range image;

int note_segments(dl_phdr_info* info, std::size_t, void*) {
  image = {~std::uintptr_t{0}, 0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    const Range range{begin, begin + header.p_memsz};
    const bool fixed = header.p_type == PT_LOAD && (header.p_flags & PF_W) == 0;
    if (fixed || header.p_type == PT_GNU_RELRO) constant_data.push_back(range);
    if (header.p_type != PT_LOAD) continue;
    image = {std::min(image.begin, range.begin), std::max(image.end, range.end)};
  }
  return 1;  // the first is the executable itself
}

std::uintptr_t address_of(const PlacedVariable& p) {
  return reinterpret_cast<std::uintptr_t>(p.variable->address);
}

void find_variables() {
  for (const Variable* v = __start_nibble_simt_variables; v != __stop_nibble_simt_variables; ++v) {
    variables.push_back({v, 0});
  }
  std::ranges::sort(variables, {}, address_of);
  for (const PlacedVariable& p : variables) {
    const auto* bytes = static_cast<const std::byte*>(p.variable->address);
    first_values.emplace_back(bytes, bytes + p.variable->size);
  }
}

/// A constexpr __constant__ table cannot be written, nor has it changed.
void restore(const PlacedVariable& p, const std::vector<std::byte>& value) {
  if (std::memcmp(p.variable->address, value.data(), value.size()) == 0) return;
  std::memcpy(const_cast<void*>(p.variable->address), value.data(), value.size());
}

}  // namespace

std::size_t place_variables(std::size_t top) {
  if (constant_data.empty()) {
    dl_iterate_phdr(note_segments, nullptr);
    find_variables();
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    PlacedVariable& p = variables[i];
    restore(p, first_values[i]);
    // As far from a multiple of 256 as the variable itself: sectors and alignment are its own.
    p.offset = (top / kNearby + 2) * kNearby + address_of(p) % kNearby;
    top = p.offset + p.variable->size;
    reach_arena(top + kNearby);
    set_bytes(p.offset, p.variable->size, ByteState::kWritten);
  }
  return top;
}

const PlacedVariable* variable_near(std::uintptr_t address) {
  const auto after = std::ranges::upper_bound(variables, address, {}, address_of);
  if (after != variables.begin()) {
    const PlacedVariable& before = *std::prev(after);
    if (address - address_of(before) < before.variable->size + kNearby) return &before;
  }
  return after != variables.end() && address_of(*after) - address < kNearby ? &*after : nullptr;
}

const PlacedVariable* variable_at(std::uintptr_t address) {
  const PlacedVariable* const p = variable_near(address);
  return p != nullptr && address - address_of(*p) < p->variable->size ? p : nullptr;
}

const PlacedVariable* variable_of_shadow(std::size_t offset) {
  for (const PlacedVariable& p : variables) {
    if (offset - p.offset < p.variable->size) return &p;
  }
  return nullptr;
}

bool is_constant_data(std::uintptr_t address, std::size_t size) {
  return std::ranges::any_of(constant_data, [&](const Range& r) {
    return address >= r.begin && address < r.end && size <= r.end - address;
  });
}

bool is_in_image(std::uintptr_t address) { return address >= image.begin && address < image.end; }

}  // namespace nibble::simt
