// Finds the files that are asked for in an archive that somebody else made. Nothing is unpacked:
// the wanted files are read into memory, everything else is read over, all of it within limits.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "intake/contents.hpp"
#include "intake/places.hpp"

namespace nibble::intake {

inline constexpr std::size_t kLargestArchive = std::size_t{64} << 20;
inline constexpr std::size_t kMostUnpacked = std::size_t{256} << 20;  ///< of all entries together
inline constexpr int kMostEntries = 10'000;

/// A .zip, .tar or .tar.gz; what it is called does not count.
Contents read_archive(std::span<const std::byte> bytes, const std::vector<Wanted>& wanted);

/// What everybody handed in, in one archive of a course system's.
inline constexpr std::size_t kLargestDownload = std::size_t{256} << 20;
inline constexpr std::size_t kMostDownloaded = std::size_t{128} << 20;  ///< that is handed on

/// Of such an archive every source and every archive, by its place alone: of no lab yet. Of what is
/// neither only the place: somebody handed it in.
Contents read_download(std::span<const std::byte> bytes);

}  // namespace nibble::intake
