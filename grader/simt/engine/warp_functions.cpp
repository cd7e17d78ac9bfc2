#include <algorithm>
#include <bit>

#include "nibble/simt/warp.hpp"
#include "whole_warp.hpp"

namespace nibble::simt {

namespace {

unsigned combine(Reduction reduction, unsigned a, unsigned b) {
  switch (reduction) {
    case Reduction::kAdd:
      return a + b;
    case Reduction::kMin:
      return unsigned(std::min(int(a), int(b)));
    case Reduction::kMax:
      return unsigned(std::max(int(a), int(b)));
    case Reduction::kMinUnsigned:
      return std::min(a, b);
    case Reduction::kMaxUnsigned:
      return std::max(a, b);
    case Reduction::kAnd:
      return a & b;
    case Reduction::kOr:
      return a | b;
    case Reduction::kXor:
      return a ^ b;
  }
  return 0;
}

template <class Each>
void for_each_lane(unsigned mask, const Each& each) {
  for (; mask != 0; mask &= mask - 1) each(std::countr_zero(mask));
}

}  // namespace

unsigned reduce_sync(Reduction reduction, unsigned mask, unsigned value, const void* pc) {
  std::uint64_t values[32];
  mask = gather_values(mask, value, values, pc);
  unsigned result = value;
  bool first = true;
  for_each_lane(mask, [&](int lane) {
    result = first ? unsigned(values[lane]) : combine(reduction, result, unsigned(values[lane]));
    first = false;
  });
  return result;
}

unsigned match_any(unsigned mask, std::uint64_t value, const void* pc) {
  std::uint64_t values[32];
  mask = gather_values(mask, value, values, pc);
  unsigned same = 0;
  for_each_lane(mask, [&](int lane) { same |= unsigned(values[lane] == value) << lane; });
  return same;
}

unsigned match_all(unsigned mask, std::uint64_t value, int* all_equal, const void* pc) {
  std::uint64_t values[32];
  mask = gather_values(mask, value, values, pc);
  bool equal = true;
  for_each_lane(mask, [&](int lane) { equal = equal && values[lane] == value; });
  touch(all_equal, sizeof *all_equal, true, pc);
  *all_equal = equal;
  return equal ? mask : 0;
}

unsigned active_mask(const void* pc) {
  return warp_collective(kActiveMask, 0xffffffffu, nullptr, 0, 0, 32, pc);
}

}  // namespace nibble::simt
