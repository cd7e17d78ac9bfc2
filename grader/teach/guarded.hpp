// What every command of `nibble teach` does when something is thrown.
#pragma once

#include <functional>

namespace nibble::teach {

/// Runs a command; a bad argument is the caller's fault (2),
/// anything else that is thrown is ours (6).
int guarded(const std::function<int()>& command);

}  // namespace nibble::teach
