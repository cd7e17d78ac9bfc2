#include "sandbox/level.hpp"

#include <cstddef>

namespace nibble::sandbox {

std::string_view name_of(Level level) {
  constexpr std::array<std::string_view, 4> kNames = {"L0", "L1", "LS", "L3"};
  return kNames.at(static_cast<std::size_t>(level));
}

std::string_view made_of(Level level) {
  constexpr std::array<std::string_view, 4> kParts = {"limits only", "Landlock and seccomp",
                                                      "a static program and seccomp",
                                                      "bubblewrap and seccomp"};
  return kParts.at(static_cast<std::size_t>(level));
}

std::optional<Level> level_from(std::string_view text) {
  if (text.starts_with('L') || text.starts_with('l')) text.remove_prefix(1);
  if (text == "0") return Level::kLimits;
  if (text == "1") return Level::kLandlock;
  if (text == "3") return Level::kNamespaces;
  if (text == "S" || text == "s") return Level::kStatic;
  return std::nullopt;
}

}  // namespace nibble::sandbox
