// Opens what stands below a folder and nothing else: no link on the way, no way up, no other file
// system, no waiting for whoever holds the other end of a pipe.
#pragma once

#include <string>

#include "process/descriptor.hpp"

namespace nibble::intake {

using process::Descriptor;

/// Who watches the way: the kernel in one step (openat2, Linux 5.6), or we at each folder, where
/// the kernel or a container's filter does not know that call.
enum class Way { kOneStep, kFolderByFolder };

/// True when the kernel lets us use openat2.
bool one_step_works();

/// Opens `path`, relative and without "..", below `folder` for reading. Nothing when it cannot be
/// opened; then errno says why: ELOOP for a link anywhere on the way,
/// EXDEV for another file system.
Descriptor open_beneath(int folder, const std::string& path, Way way);

/// As above, and it must be a folder.
Descriptor open_folder_beneath(int folder, const std::string& path, Way way);

/// In words that fit behind a file's name: "is a link, or lies behind one".
std::string words_for(int error);

}  // namespace nibble::intake
