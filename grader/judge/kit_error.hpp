// Our own fault: never a learner's zero, and no result is written.
#pragma once

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace nibble::judge {

struct KitError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a check asks for is not to be had in this leg: the check is passed over, and costs nothing.
struct NotInThisLeg : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A KitError that names the system call that failed and why.
inline KitError system_error(const std::string& what) {
  return KitError(what + ": " + std::strerror(errno));
}

}  // namespace nibble::judge
