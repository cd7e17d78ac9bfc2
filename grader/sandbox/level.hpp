// How strongly a process that holds somebody else's code is confined.
//
//     L3   bubblewrap (own mounts, processes, network, users) and an allow-list of system calls
//     L1   Landlock (no file but a few) and the same allow-list; needs no root and no namespaces
//     LS   a statically linked program and an allow-list without any call that names a path
//     L0   limits only: for one's own code
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace nibble::sandbox {

/// The number is what results.json says.
enum class Level { kLimits = 0, kLandlock = 1, kStatic = 2, kNamespaces = 3 };

/// Best first; the first that works is the one to use.
inline constexpr std::array<Level, 4> kBestFirst = {Level::kNamespaces, Level::kLandlock,
                                                    Level::kStatic, Level::kLimits};

/// "L3".
std::string_view name_of(Level level);

/// "bubblewrap and seccomp".
std::string_view made_of(Level level);

/// From "L3", "l3" or "3"; "LS" or "s".
std::optional<Level> level_from(std::string_view text);

}  // namespace nibble::sandbox
