// What a submission holds of the files that are asked for: found, not yet judged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "intake/places.hpp"

namespace nibble::intake {

/// A file where a lab's file may stand.
struct FoundFile {
  std::string lab;
  std::string place;         ///< its path in the submission
  std::string text;          ///< as it is: nobody has looked whether it is text
  std::string refusal;       ///< not empty: why it was not read
  std::int64_t written = 0;  ///< as an archive says, in seconds since 1970; 0: nothing says
};

struct Contents {
  std::string refusal;  ///< not empty: why nothing of the submission is read
  std::vector<FoundFile> found;
  /// Names of files that look like one of them, and paths of those that are called so and stand
  /// where none of them may.
  std::vector<std::string> others;
  std::string manifest{};  ///< what `nibble pack` says of them; empty: nothing
};

/// What `nibble pack` writes beside the files.
inline constexpr std::string_view kManifest = "nibble_pack.txt";
inline constexpr std::size_t kLongestManifest = 16384;

/// True when a file of that place was found.
bool holds(const Contents& contents, std::string_view place);

/// Keeps a file for "did you mean", when somebody could have meant a wanted one by it.
void note_file(Contents& contents, const std::string& path, const std::vector<Wanted>& wanted);

/// As bytes, for the pipe between the process that reads archives and ours.
std::string to_bytes(const Contents& contents);

/// Nothing when no honest to_bytes() wrote this.
std::optional<Contents> from_bytes(std::string_view bytes);

}  // namespace nibble::intake
