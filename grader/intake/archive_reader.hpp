// Goes through the entries of an archive that somebody else made, and counts every byte of it.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

namespace nibble::intake {

/// Why nothing of the archive is read.
struct ArchiveRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Every member throws ArchiveRefused for what no honest archive is.
class ArchiveReader {
 public:
  explicit ArchiveReader(std::span<const std::byte> bytes);

  /// The next entry; nullptr after the last.
  archive_entry* next();

  /// Of the entry, at most `most` bytes and one more: what its header says of its size is not
  /// believed. What cannot be unpacked is told by `refusal`.
  std::string text(std::size_t most, std::string& refusal);

  /// To the end of the entry, counting: skipping would inflate a bomb as well, and count nothing.
  void read_over();

 private:
  void count(std::size_t bytes);
  std::unique_ptr<archive, int (*)(archive*)> reader_;
  std::size_t unpacked_ = 0;
  int entries_ = 0;
};

/// The name of an entry in its plain form. Throws ArchiveRefused for one that leads out.
std::string place_of(archive_entry* entry);

/// Why an entry is no file that is read; empty: it is one.
std::string why_not_a_file(archive_entry* entry);

/// When it was written; 0 where the archive knows no time, and says 1970 or 1980.
std::int64_t time_of(archive_entry* entry);

}  // namespace nibble::intake
