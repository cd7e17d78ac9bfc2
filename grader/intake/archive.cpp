// Goes through an archive's entries by way of libarchive: keeps what is
// wanted, reads over the rest, counts every byte.
#include "intake/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>

#include "intake/source_text.hpp"

namespace nibble::intake {
namespace {

/// More text than any course has labs.
constexpr std::size_t kMostKept = std::size_t{16} << 20;

/// Why nothing of the archive is read.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using OpenArchive = std::unique_ptr<archive, int (*)(archive*)>;

/// Knows three formats: each more would be another parser to be attacked.
OpenArchive open_reader(std::span<const std::byte> bytes) {
  OpenArchive reader(archive_read_new(), archive_read_free);
  if (reader == nullptr) throw Refused("cannot be read: there is no memory left");
  archive_read_support_filter_gzip(reader.get());
  archive_read_support_format_tar(reader.get());
  archive_read_support_format_zip(reader.get());
  if (archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK) {
    throw Refused("is no .zip, .tar or .tar.gz, whatever its name says");
  }
  return reader;
}

class Search {
 public:
  Search(std::span<const std::byte> bytes, const std::vector<Wanted>& wanted)
      : reader_(open_reader(bytes)), wanted_(wanted) {}

  Contents run() {
    archive_entry* entry = nullptr;
    while (next(entry)) take(entry);
    if (tops_.size() > 1) {  // nothing is wrapped around everything
      std::erase_if(contents_.found,
                    [this](const FoundFile& f) { return wrapped_.contains(f.place); });
    }
    return std::move(contents_);
  }

 private:
  bool next(archive_entry*& entry) {
    const int got = archive_read_next_header(reader_.get(), &entry);
    if (got == ARCHIVE_EOF) return false;
    if (got < ARCHIVE_WARN) {
      throw Refused(entries_ == 0 ? "is no .zip, .tar or .tar.gz, or is damaged"
                                  : "is damaged: it breaks off, or its parts do not fit");
    }
    if (++entries_ > kMostEntries) {
      throw Refused(
          fmt::format("holds more than {} entries: hand in the sources alone", kMostEntries));
    }
    return true;
  }

  void take(archive_entry* entry) {
    const char* const name = archive_entry_pathname(entry);
    const std::optional<std::string> path = plain_path(name != nullptr ? name : "");
    if (!path) throw Refused("holds a name that leads out of it: " + std::string(name));
    if (!path->empty() && !is_noise(first_part(*path)) && tops_.size() < 2) {
      tops_.insert(first_part(*path));
    }
    const Wanted* const direct = whose(*path);
    const std::size_t slash = path->find('/');
    if (*path == kManifest || (slash != path->npos && path->substr(slash + 1) == kManifest)) {
      read_manifest();
      return;
    }
    const bool inside = direct == nullptr && slash != path->npos;
    const Wanted* const lab = inside ? whose(path->substr(slash + 1)) : direct;
    if (lab == nullptr || archive_entry_filetype(entry) == AE_IFDIR) {
      if (!is_noise(last_part(*path))) note_name(contents_, last_part(*path), wanted_);
      read_over();
      return;
    }
    if (inside) wrapped_.insert(*path);
    keep(entry, *lab, *path);
  }

  const Wanted* whose(const std::string& path) const {
    const auto found = std::ranges::find_if(
        wanted_, [&](const Wanted& one) { return std::ranges::count(places_of(one), path) > 0; });
    return found == wanted_.end() ? nullptr : &*found;
  }

  void keep(archive_entry* entry, const Wanted& lab, const std::string& path) {
    const auto before = std::ranges::find(contents_.found, path, &FoundFile::place);
    if (before != contents_.found.end()) {
      before->refusal = "stands in the archive twice: which one is meant?";
      read_over();
      return;
    }
    FoundFile found{lab.lab, path, "", why_not_a_file(entry), time_of(entry)};
    if (found.refusal.empty()) read_text(found);
    kept_ += found.text.size();
    if (kept_ > kMostKept) throw Refused("holds the same few names too often");
    contents_.found.push_back(std::move(found));
    read_over();
  }

  static std::string why_not_a_file(archive_entry* entry) {
    if (archive_entry_is_encrypted(entry) != 0)
      return "is encrypted: hand it in without a password";
    if (archive_entry_hardlink(entry) != nullptr || archive_entry_filetype(entry) == AE_IFLNK) {
      return "is a link in the archive: pack the file itself";
    }
    if (archive_entry_filetype(entry) != AE_IFREG) return "is a pipe or a device, not a file";
    return "";
  }

  /// Archives that know no time say 1970, or 1980.
  static std::int64_t time_of(archive_entry* entry) {
    constexpr std::int64_t kOldest = 320'000'000;
    const std::int64_t time =
        archive_entry_mtime_is_set(entry) != 0 ? archive_entry_mtime(entry) : 0;
    return time < kOldest ? 0 : time;
  }

  /// The first of several.
  void read_manifest() {
    FoundFile file{};
    read_text(file);
    if (contents_.manifest.empty() && file.text.size() <= kLongestManifest) {
      contents_.manifest = file.text;
    }
    read_over();
  }

  /// What the header says of the size is not believed: one byte more than allowed is asked for.
  void read_text(FoundFile& found) {
    std::string text(kLargestSource + 1, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
      const la_ssize_t got =
          archive_read_data(reader_.get(), text.data() + size, text.size() - size);
      if (got < 0) found.refusal = "cannot be unpacked: the archive is damaged";
      if (got <= 0) break;
      size += static_cast<std::size_t>(got);
    }
    text.resize(size);
    if (size > kLargestSource) found.refusal = "is larger than 256 KiB; a lab needs a few";
    if (found.refusal.empty()) found.text = std::move(text);
    count(size);
  }

  /// To the end of the entry, counting: skipping would inflate a bomb as well,
  /// and without counting.
  void read_over() {
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

  void count(std::size_t bytes) {
    unpacked_ += bytes;
    if (unpacked_ > kMostUnpacked) {
      throw Refused(fmt::format("unpacks to more than {} MiB: hand in the sources alone",
                                kMostUnpacked >> 20));
    }
  }

  OpenArchive reader_;
  const std::vector<Wanted>& wanted_;
  Contents contents_;
  std::set<std::string> tops_, wrapped_;
  std::size_t unpacked_ = 0, kept_ = 0;
  int entries_ = 0;
};

}  // namespace

Contents read_archive(std::span<const std::byte> bytes, const std::vector<Wanted>& wanted) {
  try {
    return Search(bytes, wanted).run();
  } catch (const Refused& why) {
    Contents nothing;
    nothing.refusal = why.what();
    return nothing;
  }
}

}  // namespace nibble::intake
