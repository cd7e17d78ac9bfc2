#include "gpu/gpu_lock.hpp"

#include <unistd.h>

#include <string>

namespace nibble::gpu {

std::filesystem::path gpu_lock() {
  return std::filesystem::temp_directory_path() /
         ("nibble-gpu-" + std::to_string(getuid()) + ".lock");
}

}  // namespace nibble::gpu
