// Writes the cubin that device_gpu_test carries: kernels without code, for a driver without a GPU.
#include <fstream>

#include "made_cubin.hpp"

int main(int, char** arguments) {
  using nibble::Launch;
  const nibble::gpu::MadeCubin made({
      {"add_to_all", true, {.block_x = 128, .tile_n = 256, .shared_bytes = 64}},
      {"without_descriptor", false, {}},
      {"too_many_threads", true, {.block_x = 2048}},
      {"without_tiles", true, {.tile_n = 0}},
      {"too_much_shared", true, {.shared_bytes = 300000}},
      {"not_in_the_driver", true, {}},
  });
  const auto bytes = made.bytes();
  std::ofstream(arguments[1], std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}
