// When a file was handed in, and who says so.
#pragma once

#include <array>
#include <optional>

#include "text/moment.hpp"

namespace nibble::record {

/// The first that knows is believed. The last three are what a student's own machine wrote down.
enum class TimeSource { kNone, kByHand, kCourseSystem, kArchive, kGit, kManifest };

inline constexpr std::array kTimeSourceNames = {"nobody",  "by hand", "course system",
                                                "archive", "git",     "manifest"};

constexpr const char* name_of(TimeSource source) {
  return kTimeSourceNames.at(static_cast<std::size_t>(source));
}

struct HandIn {
  std::optional<text::Moment> at{};
  TimeSource source = TimeSource::kNone;
  bool is_called_late = false;  ///< Canvas says so in the file's name, and not by how much

  bool operator==(const HandIn&) const = default;
};

}  // namespace nibble::record
