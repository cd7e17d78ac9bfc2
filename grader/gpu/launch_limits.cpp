#include "gpu/launch_limits.hpp"

#include <array>
#include <stdexcept>

namespace nibble::gpu {
namespace {

constexpr std::int64_t kMostBlocksX = (std::int64_t{1} << 31) - 1, kMostBlocksY = 65535;

std::string text(std::uint64_t number) { return std::to_string(number); }

/// "32 x 8"
std::string product(std::uint32_t a, std::uint32_t b) { return text(a) + " x " + text(b); }

std::uint32_t blocks(const std::string& kernel, std::int64_t outputs, std::int64_t tile,
                     std::int64_t most, const char* axis) {
  const std::int64_t count = (outputs - 1) / tile + 1;
  if (count > most) {
    throw std::runtime_error(kernel + ": " + std::to_string(outputs) + " outputs in tiles of " +
                             std::to_string(tile) + " are " + std::to_string(count) +
                             " blocks along " + axis + "; a GPU takes at most " +
                             std::to_string(most) + ": make the tile larger");
  }
  return static_cast<std::uint32_t>(count);
}

}  // namespace

std::uint32_t most_shared_bytes(int sm) {
  struct Row {
    int sm;
    std::uint32_t kib;
  };
  constexpr std::array<Row, 11> kRows = {{{75, 64},
                                          {80, 163},
                                          {86, 99},
                                          {87, 163},
                                          {88, 163},
                                          {89, 99},
                                          {90, 227},
                                          {100, 227},
                                          {103, 227},
                                          {120, 99},
                                          {121, 99}}};
  for (const Row& row : kRows) {
    if (row.sm == sm) return row.kib << 10;
  }
  return std::uint32_t{64} << 10;
}

std::string launch_trouble(const std::string& kernel, const Launch& launch, int sm) {
  if (launch.abi != 1) {
    return kernel + ": a launch descriptor of kind " + text(launch.abi) + "; this kit knows kind 1";
  }
  const std::uint64_t threads = std::uint64_t{launch.block_x} * launch.block_y;
  const std::string block = kernel + ": a block of " + product(launch.block_x, launch.block_y);
  if (threads > kMostThreads) {
    return block + " threads; a GPU takes at most " + text(kMostThreads);
  }
  if (threads == 0) return block + " threads has none";
  if (launch.tile_m == 0 || launch.tile_n == 0) {
    return kernel + ": a tile of " + product(launch.tile_m, launch.tile_n) +
           " outputs has none: no number of blocks makes them all";
  }
  if (launch.shared_bytes > most_shared_bytes(sm)) {
    return kernel + ": " + text(launch.shared_bytes) + " bytes of shared memory; a block of sm_" +
           std::to_string(sm) + " takes at most " + text(most_shared_bytes(sm));
  }
  return "";
}

Grid grid_of(const std::string& kernel, const Launch& launch, const Work& work) {
  return {blocks(kernel, work.n, launch.tile_n, kMostBlocksX, "x"),
          blocks(kernel, work.m, launch.tile_m, kMostBlocksY, "y")};
}

}  // namespace nibble::gpu
