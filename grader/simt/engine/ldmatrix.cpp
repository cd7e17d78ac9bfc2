// ldmatrix: one request of 16 bytes a lane, blocks of 8 lanes at a time, and then every lane takes
// its part out of what the others have read.
#include "nibble/simt/ldmatrix.hpp"

#include <cstring>

#include "access.hpp"
#include "nibble/simt/device.hpp"
#include "whole_warp.hpp"

namespace nibble::simt {

namespace {

constexpr unsigned kRowBytes = 16;

void read_row(unsigned char* mine, const void* row, const char* instruction, const void* pc) {
  const RefusedAccess access{row, kRowBytes, false, pc};
  if (!is_shared_memory(row)) stop_not_shared(access, "%s reads shared memory only", instruction);
  if (reinterpret_cast<std::uintptr_t>(row) % kRowBytes != 0) {
    stop_misaligned(access, "%s: a row starts at a multiple of 16 bytes", instruction);
  }
  touch(row, kRowBytes, false, pc);
  std::memcpy(mine, row, kRowBytes);
}

}  // namespace

void ldmatrix(unsigned* registers, int matrices, bool transposed, const void* row, const void* pc) {
  const char* const instruction = transposed ? "ldmatrix_transposed" : "ldmatrix";
  touch_registers(registers, static_cast<std::size_t>(matrices) * sizeof *registers, true, pc);
  meet(instruction, pc);
  const std::size_t lane = lane_in_warp(), g = lane / 4, t = lane % 4;
  const auto blocks = static_cast<std::size_t>(matrices);
  unsigned char mine[kRowBytes];
  if (lane < 8 * blocks) read_row(mine, row, instruction, pc);
  void* all[32];
  exchange(mine, all, instruction, pc);
  for (std::size_t i = 0; i < blocks; i++) {
    const auto bytes = [&](std::size_t r) {
      return static_cast<const unsigned char*>(all[8 * i + r]);
    };
    auto* to = reinterpret_cast<unsigned char*>(registers + i);
    if (transposed) {
      for (std::size_t j = 0; j < 2; j++) std::memcpy(to + 2 * j, bytes(2 * t + j) + 2 * g, 2);
    } else {
      std::memcpy(to, bytes(g) + 4 * t, 4);
    }
  }
  meet(instruction, pc);  // until here others read this lane's row
}

}  // namespace nibble::simt
