// What the host's calls remember: errors. The numbers are CUDA's.
#pragma once

namespace nibble::simt {

inline constexpr int kErrorInvalidValue = 1, kErrorInvalidConfiguration = 9,
                     kErrorIllegalAddress = 700, kErrorLaunchTimeout = 702,
                     kErrorMisalignedAddress = 716, kErrorLaunchFailure = 719;

/// Ends all work on the device until the session ends: a kernel went wrong.
void set_sticky_error(int error);
int sticky_error();
/// The next question for the last error gets this answer.
void set_last_error(int error);
void forget_errors();

/// Buffers are numbered from 1 again, and nobody has asked for more shared memory.
void begin_numbering();
/// Bytes of dynamic shared memory that host code may give a launch: 48 KiB, or what it has asked
/// cudaFuncSetAttribute for, for whichever kernel.
unsigned most_shared_asked_for();

}  // namespace nibble::simt
