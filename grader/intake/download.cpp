// Names first, then every file into its owner's folder.
#include "intake/download.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <stdexcept>
#include <utility>

#include "files/files.hpp"
#include "intake/archive.hpp"
#include "intake/places.hpp"
#include "intake/unpacker.hpp"
#include "text/harmless.hpp"
#include "text/lines.hpp"

namespace nibble::intake {
namespace {

namespace fs = std::filesystem;

std::optional<DownloadName> canvas_name(const std::string& path) {
  static const std::regex pattern("([^_/]+)_(LATE_)?([0-9]+)_[0-9]+_([^/]+)");
  std::smatch found;
  if (!std::regex_match(path, found, pattern)) return {};
  const std::string user = found[3].str();
  return DownloadName{found[1].str() + "_" + user, "canvas " + user, found[4].str(),
                      found[2].matched};
}

std::optional<DownloadName> moodle_name(const std::string& path) {
  static const std::regex pattern("([^/]+)_([0-9]+)_assignsubmission_file(?:_?/|_)(.+)");
  std::smatch found;
  if (!std::regex_match(path, found, pattern)) return {};
  const std::string user = found[2].str();
  return DownloadName{found[1].str() + "_" + user, "moodle " + user, found[3].str(), false};
}

/// One file of a download, wherever it lies.
struct DownloadedFile {
  std::string place, text;
  fs::path file{};  ///< to be copied; empty: the text is it
};

bool is_wanted(const fs::path& file) {
  constexpr std::array kKinds = {".cpp", ".cu", ".zip", ".tar", ".gz", ".tgz"};
  return std::ranges::count(kKinds, file.extension().string()) > 0 || file.filename() == kManifest;
}

/// Of an archive; nothing where it is none of a course system's.
std::vector<DownloadedFile> pieces_of_archive(const lab::Kit& kit, const fs::path& archive) {
  Contents contents = read_download_apart(kit, archive);
  // A small one may be one person's, of whom the intake says what is wrong with it.
  if (!contents.refusal.empty() && fs::file_size(archive) > kLargestArchive) {
    throw std::invalid_argument(
        text::harmless(fmt::format("{} {}", archive.filename().string(), contents.refusal)));
  }
  std::vector<DownloadedFile> pieces;
  for (FoundFile& found : contents.found) {
    // An encrypted file or a link: what is put in its place is refused by the intake.
    pieces.push_back({found.place, found.refusal.empty() ? std::move(found.text) : ""});
  }
  return pieces;
}

/// One of a folder's entries is called as a course system calls it.
bool is_download(const fs::path& folder) {
  std::error_code error;
  const fs::directory_iterator entries(folder, error);
  return std::any_of(begin(entries), end(entries), [&](const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    return download_name(entry.is_directory(error) ? name + "/x" : name).has_value();
  });
}

/// Of a folder that somebody unpacked: names alone, and no link is followed.
std::vector<DownloadedFile> pieces_of_folder(const fs::path& folder) {
  std::vector<DownloadedFile> pieces;
  if (!is_download(folder)) return pieces;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, error), end;
  for (; entry != end; entry.increment(error)) {
    const bool is_file = entry->symlink_status(error).type() == fs::file_type::regular;
    if (!is_file) continue;
    const std::string place = entry->path().lexically_relative(folder).generic_string();
    pieces.push_back({place, "", is_wanted(entry->path()) ? entry->path() : fs::path()});
  }
  return pieces;
}

/// A list beside a person's folder, a line for each entry.
fs::path entries_beside(const fs::path& folder) {
  fs::path file = folder;
  file += ".entries";
  return file;
}

/// A name that is a file's and a folder's too is an attempt at the grader, and comes to nothing.
void put(const DownloadedFile& piece, const fs::path& file) {
  std::error_code in_the_way;
  fs::create_directories(file.parent_path(), in_the_way);
  if (in_the_way == std::errc::not_a_directory || fs::is_directory(file)) return;
  if (piece.file.empty()) {
    files::write_atomically(file, piece.text);
  } else {
    fs::copy_file(piece.file, file, fs::copy_options::overwrite_existing);
  }
}

}  // namespace

std::optional<DownloadName> download_name(std::string_view path) {
  const std::optional<std::string> plain = plain_path(path);
  if (!plain || text::harmless(*plain) != *plain) return {};
  const std::size_t slash = plain->find('/');
  const std::string inside = slash == plain->npos ? "" : plain->substr(slash + 1);
  for (const std::string& tail : {*plain, inside}) {
    if (auto name = moodle_name(tail)) return name;
    if (auto name = canvas_name(tail)) return name;
  }
  return {};
}

std::map<std::string, std::string> entries_of(const fs::path& folder) {
  std::map<std::string, std::string> entries;
  const fs::path file = entries_beside(folder);
  if (!fs::is_regular_file(file)) return entries;
  for (const std::string& line : text::lines_of(files::read_file(file))) {
    if (const auto name = download_name(line)) entries[name->rest] = line;
  }
  return entries;
}

std::vector<Downloaded> sort_download(const lab::Kit& kit, const fs::path& download,
                                      const fs::path& into) {
  const std::vector<DownloadedFile> pieces =
      fs::is_directory(download) ? pieces_of_folder(download) : pieces_of_archive(kit, download);
  std::map<std::string, Downloaded> people;
  std::vector<std::pair<const DownloadedFile*, DownloadName>> named;
  for (const DownloadedFile& piece : pieces) {
    const std::optional<DownloadName> name = download_name(piece.place);
    if (!name) continue;
    // By the user, whoever else is in the next download: nobody may find another's files there.
    std::string own = name->user;
    std::ranges::replace(own, ' ', '_');
    Downloaded& person =
        people.try_emplace(name->user, Downloaded{name->person, name->user, into / own})
            .first->second;
    person.is_called_late = person.is_called_late || name->is_called_late;
    named.emplace_back(&piece, *name);
  }
  if (named.empty()) return {};
  fs::remove_all(into);
  std::map<std::string, std::string> entries;
  for (const auto& [piece, name] : named) {
    put(*piece, people.at(name.user).folder / name.rest);
    if (name.user.starts_with("canvas ")) entries[name.user] += last_part(piece->place) + "\n";
  }
  for (const auto& [user, list] : entries) {
    files::write_atomically(entries_beside(people.at(user).folder), list);
  }
  std::vector<Downloaded> all;
  for (auto& [user, person] : people) all.push_back(std::move(person));
  return all;
}

}  // namespace nibble::intake
