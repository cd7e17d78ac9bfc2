// Keeps what is wanted of an archive's entries, and reads over the rest.
#include "intake/archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "intake/archive_reader.hpp"
#include "intake/source_text.hpp"

namespace nibble::intake {
namespace {

/// More text than any course has labs.
constexpr std::size_t kMostKept = std::size_t{16} << 20;

class Search {
 public:
  Search(std::span<const std::byte> bytes, const std::vector<Wanted>& wanted)
      : reader_(bytes), wanted_(wanted) {}

  Contents run() {
    while (archive_entry* const entry = reader_.next()) take(entry);
    if (tops_.size() > 1) {  // nothing is wrapped around everything
      for (const std::string& place : wrapped_) note_file(contents_, place, wanted_);
      std::erase_if(contents_.found,
                    [this](const FoundFile& f) { return wrapped_.contains(f.place); });
    }
    return std::move(contents_);
  }

 private:
  void take(archive_entry* entry) {
    const std::string path = place_of(entry);
    if (!path.empty() && !is_noise(first_part(path)) && tops_.size() < 2) {
      tops_.insert(first_part(path));
    }
    const Wanted* const direct = whose(path);
    const std::size_t slash = path.find('/');
    if (path == kManifest || (slash != path.npos && path.substr(slash + 1) == kManifest)) {
      read_manifest();
      return;
    }
    const bool inside = direct == nullptr && slash != path.npos;
    const Wanted* const lab = inside ? whose(path.substr(slash + 1)) : direct;
    const bool is_folder = archive_entry_filetype(entry) == AE_IFDIR;
    if (lab == nullptr || is_folder) {
      if (!is_folder && !is_noise(last_part(path))) note_file(contents_, path, wanted_);
      reader_.read_over();
      return;
    }
    if (inside) wrapped_.insert(path);
    keep(entry, *lab, path);
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
      reader_.read_over();
      return;
    }
    FoundFile found{lab.lab, path, "", why_not_a_file(entry), time_of(entry)};
    if (found.refusal.empty()) read_text(found);
    kept_ += found.text.size();
    if (kept_ > kMostKept) throw ArchiveRefused("holds the same few names too often");
    contents_.found.push_back(found);
    reader_.read_over();
  }

  void read_text(FoundFile& found) {
    std::string text = reader_.text(kLargestSource, found.refusal);
    if (text.size() > kLargestSource) found.refusal = "is larger than 256 KiB; a lab needs a few";
    if (found.refusal.empty()) found.text = std::move(text);
  }

  /// The first of several.
  void read_manifest() {
    std::string refusal;
    const std::string text = reader_.text(kLongestManifest, refusal);
    const bool is_one = refusal.empty() && text.size() <= kLongestManifest;
    if (is_one && contents_.manifest.empty()) contents_.manifest = text;
    reader_.read_over();
  }

  ArchiveReader reader_;
  const std::vector<Wanted>& wanted_;
  Contents contents_;
  std::set<std::string> tops_, wrapped_;
  std::size_t kept_ = 0;
};

/// What of a download is handed on: sources, and archives with sources in them.
std::size_t most_of(const std::string& name) {
  const std::string kind = std::filesystem::path(name).extension().string();
  if (kind == ".cpp" || kind == ".cu" || name == kManifest) return kLargestSource;
  const bool is_archive = kind == ".zip" || kind == ".tar" || kind == ".gz" || kind == ".tgz";
  return is_archive ? kLargestArchive : 0;
}

}  // namespace

Contents read_archive(std::span<const std::byte> bytes, const std::vector<Wanted>& wanted) {
  try {
    return Search(bytes, wanted).run();
  } catch (const ArchiveRefused& why) {
    Contents nothing;
    nothing.refusal = why.what();
    return nothing;
  }
}

Contents read_download(std::span<const std::byte> bytes) {
  Contents contents;
  std::size_t kept = 0;
  try {
    ArchiveReader reader(bytes);
    while (archive_entry* const entry = reader.next()) {
      FoundFile found{"", place_of(entry), "", why_not_a_file(entry)};
      const std::size_t most = most_of(last_part(found.place));
      if (archive_entry_filetype(entry) != AE_IFDIR) {
        if (most > 0 && found.refusal.empty()) found.text = reader.text(most, found.refusal);
        kept += found.text.size();
        contents.found.push_back(std::move(found));
      }
      reader.read_over();
      if (kept > kMostDownloaded) {
        throw ArchiveRefused(fmt::format(
            "holds more than {} MiB of sources and archives: unpack it, and name the folder",
            kMostDownloaded >> 20));
      }
    }
  } catch (const ArchiveRefused& why) {
    contents.found.clear();
    contents.refusal = why.what();
  }
  return contents;
}

}  // namespace nibble::intake
