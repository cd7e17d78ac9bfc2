// Moments and how long lies between them: as files hold them, and as people read them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace nibble::text {

using Moment = std::chrono::sys_seconds;

/// "2026-10-12T21:59:00Z"
std::string stamp(Moment moment);

/// The way back; "+02:00" in place of the Z is understood. Nothing for any other text.
std::optional<Moment> moment_of(std::string_view stamp);

/// "Mon 12 Oct 23:59", `offset` ahead of UTC.
std::string shown(Moment moment, std::chrono::minutes offset);

/// "12 Oct 2026, 21:59 UTC", of a stamp; any other text stays as it is.
std::string dated(std::string_view stamp);

/// "1 d 3 h", "45 min": two units at most, rounded down.
std::string shown(std::chrono::seconds length);

}  // namespace nibble::text
