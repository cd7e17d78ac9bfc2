// One job a GPU: whoever launches or times kernels waits for the others of the same user.
#pragma once

#include <filesystem>

namespace nibble::gpu {

/// The file to be held, as a FileLock. Of one user: /tmp lets nobody share a file with a stranger.
std::filesystem::path gpu_lock();

}  // namespace nibble::gpu
