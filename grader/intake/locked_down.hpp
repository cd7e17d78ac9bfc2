// Takes from this process everything that reading bytes from memory does not need.
#pragma once

namespace nibble::intake {

/// No further descriptor, so no file and no socket; no byte into any file; no second process; a
/// bound on memory and CPU time; and where the kernel has Landlock, no path of the file system.
/// What is open stays open, and cannot be undone.
void lock_down();

}  // namespace nibble::intake
