// By way of libarchive, which knows three formats here: each more would be another parser to be
// attacked.
#include "intake/archive_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "intake/archive.hpp"
#include "intake/places.hpp"

namespace nibble::intake {

ArchiveReader::ArchiveReader(std::span<const std::byte> bytes)
    : reader_(archive_read_new(), archive_read_free) {
  if (reader_ == nullptr) throw ArchiveRefused("cannot be read: there is no memory left");
  archive_read_support_filter_gzip(reader_.get());
  archive_read_support_format_tar(reader_.get());
  archive_read_support_format_zip(reader_.get());
  if (archive_read_open_memory(reader_.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) {
    throw ArchiveRefused("is no .zip, .tar or .tar.gz, whatever its name says");
  }
}

archive_entry* ArchiveReader::next() {
  archive_entry* entry = nullptr;
  const int got = archive_read_next_header(reader_.get(), &entry);
  if (got == ARCHIVE_EOF) return nullptr;
  if (got < ARCHIVE_WARN) {
    throw ArchiveRefused(entries_ == 0 ? "is no .zip, .tar or .tar.gz, or is damaged"
                                       : "is damaged: it breaks off, or its parts do not fit");
  }
  if (++entries_ > kMostEntries) {
    throw ArchiveRefused(
        fmt::format("holds more than {} entries: hand in the sources alone", kMostEntries));
  }
  return entry;
}

std::string ArchiveReader::text(std::size_t most, std::string& refusal) {
  constexpr std::size_t kStep = std::size_t{64} << 10;
  std::string text;
  while (text.size() <= most) {
    const std::size_t before = text.size();
    text.resize(std::min(before + kStep, most + 1));
    const la_ssize_t got =
        archive_read_data(reader_.get(), text.data() + before, text.size() - before);
    text.resize(before + static_cast<std::size_t>(std::max<la_ssize_t>(got, 0)));
    if (got < 0) refusal = "cannot be unpacked: the archive is damaged";
    if (got <= 0) break;
  }
  count(text.size());
  return text;
}

void ArchiveReader::read_over() {
  const void* block = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  for (;;) {
    const int got = archive_read_data_block(reader_.get(), &block, &size, &offset);
    if (got == ARCHIVE_EOF) return;
    if (got < ARCHIVE_WARN) return;  // the next header says whether anything can follow
    count(size);
  }
}

void ArchiveReader::count(std::size_t bytes) {
  unpacked_ += bytes;
  if (unpacked_ <= kMostUnpacked) return;
  throw ArchiveRefused(
      fmt::format("unpacks to more than {} MiB: hand in the sources alone", kMostUnpacked >> 20));
}

std::string place_of(archive_entry* entry) {
  const char* const name = archive_entry_pathname(entry);
  std::optional<std::string> path = plain_path(name != nullptr ? name : "");
  if (!path) throw ArchiveRefused("holds a name that leads out of it: " + std::string(name));
  return std::move(*path);
}

std::string why_not_a_file(archive_entry* entry) {
  if (archive_entry_is_encrypted(entry) != 0) return "is encrypted: hand it in without a password";
  if (archive_entry_hardlink(entry) != nullptr || archive_entry_filetype(entry) == AE_IFLNK) {
    return "is a link in the archive: pack the file itself";
  }
  if (archive_entry_filetype(entry) != AE_IFREG) return "is a pipe or a device, not a file";
  return "";
}

std::int64_t time_of(archive_entry* entry) {
  constexpr std::int64_t kOldest = 320'000'000;
  const std::int64_t time = archive_entry_mtime_is_set(entry) != 0 ? archive_entry_mtime(entry) : 0;
  return time < kOldest ? 0 : time;
}

}  // namespace nibble::intake
