#include "teach/guarded.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

namespace nibble::teach {
namespace {

constexpr int kCallersFault = 2, kOurFault = 6;

}  // namespace

int guarded(const std::function<int()>& command) {
  try {
    return command();
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "nibble: {}\n", error.what());
    return kCallersFault;
  } catch (const std::exception& error) {
    fmt::print(stderr, "nibble: a fault of the kit: {}\n", error.what());
    return kOurFault;
  }
}

}  // namespace nibble::teach
