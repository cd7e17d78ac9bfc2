// Reads a folder, an archive or a single file, chooses one source for
// each lab, and writes it into a clean folder.
#include "intake/take.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "files/sha256.hpp"
#include "intake/download.hpp"
#include "intake/folder.hpp"
#include "intake/git_time.hpp"
#include "intake/source_text.hpp"
#include "intake/unpacker.hpp"
#include "text/harmless.hpp"
#include "text/lines.hpp"

namespace nibble::intake {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kArchives{".tar.gz", ".tgz", ".tar", ".zip"};

/// Its ending when the name is an archive's, else empty.
std::string_view archive_ending(std::string_view name) {
  const auto found = std::ranges::find_if(
      kArchives, [&](std::string_view ending) { return name.ends_with(ending); });
  return found == kArchives.end() ? std::string_view() : *found;
}

bool is_source(const fs::path& file) {
  return file.extension() == ".cpp" || file.extension() == ".cu";
}

std::vector<Wanted> wanted_of(const std::vector<lab::Lab>& labs) {
  std::vector<Wanted> wanted;
  for (const lab::Lab& lab : labs) {
    wanted.push_back({lab.name, lab.file_name()});
  }
  return wanted;
}

Contents refused(std::string why) {
  Contents contents;
  contents.refusal = std::move(why);
  return contents;
}

/// Of the labs' files the one that a source by itself is called after: "kim_12_34_symmetric-1.cpp".
/// The longest, since one name may end as another does; nullptr: it is called after none.
const Wanted* called_after(const std::string& name, const std::vector<Wanted>& all) {
  const Wanted* best = nullptr;
  for (const Wanted& one : all) {
    if (is_called(name, one.file) && (best == nullptr || one.file.size() > best->file.size())) {
      best = &one;
    }
  }
  return best;
}

/// A source by itself is of the lab that it is called after; else of the one that was asked for.
Contents read_single(const lab::Kit& kit, const fs::path& file, const std::vector<Wanted>& wanted) {
  const std::vector<Wanted> every = wanted_of(kit.labs);
  const Wanted* of = called_after(file.filename().string(), every);
  if (of == nullptr && wanted.size() == 1) of = &wanted.front();
  if (of == nullptr) return refused("is one file, called after no lab, and several were asked for");
  if (std::ranges::find(wanted, of->lab, &Wanted::lab) == wanted.end()) {
    return refused(
        fmt::format("is called after {} of {}, which was not asked for", of->file, of->lab));
  }
  constexpr int kCareful = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC;
  const Descriptor open_file(open(file.c_str(), kCareful));
  SourceText source = open_file ? read_source(open_file.get()) : SourceText{"", words_for(errno)};
  Contents contents;
  contents.found.push_back(
      {of->lab, file.filename().string(), std::move(source.text), std::move(source.refusal)});
  return contents;
}

Contents read(const lab::Kit& kit, const fs::path& submission, const std::vector<Wanted>& wanted) {
  const fs::file_status status = fs::symlink_status(submission);
  if (!fs::exists(status)) return refused("is not there");
  if (fs::is_symlink(status)) return refused("is a link: name what it leads to");
  if (fs::is_directory(status)) {
    return read_folder(submission, wanted, one_step_works() ? Way::kOneStep : Way::kFolderByFolder);
  }
  if (!archive_ending(submission.string()).empty()) {
    return read_archive_apart(kit, submission, wanted);
  }
  if (is_source(submission)) return read_single(kit, submission, wanted);
  return refused("is neither a folder nor a .zip, .tar, .tar.gz or .tgz");
}

void write_new(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  const Descriptor out(
      open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0644));
  std::size_t at = 0;
  while (out && at < text.size()) {
    const ssize_t done = write(out.get(), text.data() + at, text.size() - at);
    if (done < 0) break;
    at += static_cast<std::size_t>(done);
  }
  if (out && at == text.size()) return;
  throw fs::filesystem_error("writing", file, std::error_code(errno, std::generic_category()));
}

/// The one file of the lab, or why there is none.
struct Choice {
  const FoundFile* file = nullptr;
  std::string why;
  bool missing = false;
};

/// Files of that name where none of the lab's may stand.
std::vector<std::string> elsewhere(const Wanted& wanted, const Contents& contents) {
  std::vector<std::string> places;
  std::ranges::copy_if(contents.others, std::back_inserter(places), [&](const std::string& other) {
    return other != wanted.file && last_part(other) == wanted.file;
  });
  std::ranges::sort(places);
  return places;
}

Choice nothing_found(const Wanted& wanted, const Contents& contents) {
  if (const auto places = elsewhere(wanted, contents); !places.empty()) {
    return {nullptr, fmt::format("{} stands at {}: put the one that counts at the top, or into {}/",
                                 wanted.file, fmt::join(places, " and at "), wanted.lab)};
  }
  const std::string close = nearest(wanted.file, contents.others);
  const std::string why = "there is no " + wanted.file;
  if (close.empty()) return {nullptr, why, true};
  return {nullptr, fmt::format("{}; is {} meant? Rename it", why, close)};
}

Choice choose(const Wanted& wanted, const Contents& contents) {
  Choice choice;
  for (const FoundFile& found : contents.found) {
    if (found.lab != wanted.lab) continue;
    if (choice.file != nullptr) {
      return {nullptr,
              fmt::format("{} and {} are both there: leave one", choice.file->place, found.place)};
    }
    choice.file = &found;
  }
  if (choice.file == nullptr) return nothing_found(wanted, contents);
  std::string why = choice.file->refusal;
  if (why.empty()) why = why_not_source_text(choice.file->text);
  if (!why.empty()) return {nullptr, choice.file->place + " " + why};
  return choice;
}

/// The handout that packed it: some digits, or nothing.
std::string packed_by(const std::string& manifest) {
  constexpr std::string_view kHandout = "handout ", kDigits = "0123456789abcdef";
  constexpr std::size_t kMost = 64;
  for (const std::string& line : text::lines_of(manifest)) {
    if (!line.starts_with(kHandout)) continue;
    const std::string id = line.substr(kHandout.size());
    return id.size() <= kMost && id.find_first_not_of(kDigits) == id.npos ? id : "";
  }
  return "";
}

/// When a manifest says that it was packed; nothing where it is of another text.
std::optional<text::Moment> packed_at(const std::string& manifest, const std::string& hash) {
  constexpr std::string_view kPacked = "packed ";
  std::optional<text::Moment> when;
  bool is_of_this = false;
  for (const std::string& line : text::lines_of(manifest)) {
    if (line.starts_with(kPacked)) when = text::moment_of(line.substr(kPacked.size()));
    is_of_this = is_of_this || line.starts_with(hash + " ");
  }
  return is_of_this ? when : std::nullopt;
}

/// Canvas's "lovelaceada_LATE_4711_90210_symmetric.cpp".
bool is_called_late(const std::string& name) {
  const std::size_t first = name.find('_');
  return first != name.npos && name.substr(first).starts_with("_LATE_");
}

record::HandIn hand_in_of(const fs::path& submission, const FoundFile& file,
                          const std::string& manifest, const std::string& hash,
                          const fs::path& work) {
  using record::TimeSource;
  record::HandIn one;
  one.is_called_late = is_called_late(submission.filename().string());
  const auto is_known = [&](std::optional<text::Moment> when, TimeSource source) {
    if (when) one.at = when, one.source = source;
    return when.has_value();
  };
  std::optional<text::Moment> written;
  if (file.written > 0) written = text::Moment(std::chrono::seconds(file.written));
  is_known(written, TimeSource::kArchive) ||
      is_known(committed_at(submission, file.place, work), TimeSource::kGit) ||
      is_known(packed_at(manifest, hash), TimeSource::kManifest);
  return one;
}

/// One line, whatever the names in it are.
std::string safe_line(std::string_view text) {
  constexpr std::size_t kLongest = 400;
  std::string line = text::harmless(text.substr(0, kLongest));
  for (char& c : line) {
    if (c == '\n' || c == '\t') c = '?';
  }
  return line;
}

/// Chooses, writes and notes what is taken of a submission's contents.
Taken taken_of(const Contents& contents, const fs::path& submission,
               const std::vector<Wanted>& wanted, const fs::path& destination) {
  Taken taken;
  if (!contents.refusal.empty()) {
    const std::string name = submission.filename().string();
    taken.refusals.push_back({"", safe_line(name + " " + contents.refusal)});
    return taken;
  }
  for (const Wanted& one : wanted) {
    const Choice choice = choose(one, contents);
    if (choice.file == nullptr) {
      taken.refusals.push_back({one.lab, safe_line(choice.why), choice.missing});
      continue;
    }
    const fs::path file = destination / one.lab / one.file;
    write_new(file, choice.file->text);
    const std::string hash = files::sha256(choice.file->text);
    taken.files.push_back(
        {one.lab, file, hand_in_of(submission, *choice.file, contents.manifest, hash, destination),
         hash, packed_by(contents.manifest), choice.file->place});
  }
  return taken;
}

// --- One person's files of a download ------------------------------------------------------------

/// "symmetric-2.cpp" is ("symmetric.cpp", 2): a course system counts what is uploaded again.
std::pair<std::string, int> counted(const std::string& name) {
  const std::size_t dot = name.find('.'), dash = name.substr(0, dot).rfind('-');
  int count = 0;
  if (dot == name.npos || dash == name.npos) return {name, count};
  const char* const end = name.data() + dot;
  const auto [stopped, error] = std::from_chars(name.data() + dash + 1, end, count);
  if (error != std::errc() || stopped != end) return {name, 0};
  return {name.substr(0, dash) + name.substr(dot), count};
}

/// Sources and archives directly in a folder, each as it was uploaded last.
std::vector<std::string> last_uploads(const fs::path& folder) {
  std::map<std::string, std::pair<int, std::string>> last;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool counts = is_source(entry.path()) || !archive_ending(name).empty();
    if (!counts || is_noise(name) || !entry.is_regular_file()) continue;
    const auto [base, count] = counted(name);
    auto& best = last[base];
    if (best.second.empty() || count > best.first) best = {count, name};
  }
  std::vector<std::string> names;
  for (auto& [base, best] : last) names.push_back(std::move(best.second));
  return names;
}

/// What one upload holds is added to the rest. One that is about something else says nothing.
void add_upload(const lab::Kit& kit, const fs::path& file, const std::vector<Wanted>& wanted,
                Contents& all, std::vector<Refusal>& refusals) {
  const bool is_archive = !archive_ending(file.string()).empty();
  const std::string name = file.filename().string();
  const std::vector<Wanted> every = wanted_of(kit.labs);
  const Wanted* const of = is_archive ? nullptr : called_after(name, every);
  const bool is_asked =
      of != nullptr && std::ranges::find(wanted, of->lab, &Wanted::lab) != wanted.end();
  if (!is_archive && !is_asked) {
    note_file(all, name, wanted);
    return;
  }
  Contents one = read(kit, file, wanted);
  if (!one.refusal.empty()) refusals.push_back({"", safe_line(name + " " + one.refusal)});
  for (FoundFile& found : one.found) {
    if (is_archive) found.place.insert(0, name + "/");
    all.found.push_back(std::move(found));
  }
  all.others.insert(all.others.end(), one.others.begin(), one.others.end());
  if (all.manifest.empty()) all.manifest = one.manifest;
}

/// "homework.rar": whoever handed in nothing that can be read handed in something; empty: did not.
std::string unread_in(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool is_read = is_source(entry.path()) || !archive_ending(name).empty();
    if (entry.is_regular_file() && !is_noise(name) && !is_read && name != kManifest) return name;
  }
  return "";
}

/// What each file that was taken was called in the download.
void name_entries(const std::map<std::string, std::string>& entries, Taken& taken) {
  if (entries.empty()) return;
  taken.entry = entries.begin()->second;
  for (File& file : taken.files) {
    const auto found = entries.find(first_part(file.place));
    if (found != entries.end()) file.entry = found->second;
  }
}

/// Of the same text of a lab the one whose time is known is kept.
void keep_each_text_once(Contents& all) {
  std::ranges::stable_sort(all.found, std::greater<>(), &FoundFile::written);
  std::vector<FoundFile> kept;
  for (FoundFile& found : all.found) {
    const bool is_there = std::ranges::any_of(kept, [&](const FoundFile& other) {
      return other.lab == found.lab && other.text == found.text && other.refusal == found.refusal;
    });
    if (!is_there) kept.push_back(std::move(found));
  }
  all.found = std::move(kept);
}

}  // namespace

Taken take(const lab::Kit& kit, const fs::path& submission, const std::vector<lab::Lab>& labs,
           const fs::path& destination) {
  const std::vector<Wanted> wanted = wanted_of(labs);
  return taken_of(read(kit, submission, wanted), submission, wanted, destination);
}

Taken take_downloaded(const lab::Kit& kit, const fs::path& folder,
                      const std::vector<lab::Lab>& labs, const fs::path& destination) {
  const std::vector<Wanted> wanted = wanted_of(labs);
  Contents all = read(kit, folder, wanted);
  if (!all.refusal.empty()) return taken_of(all, folder, wanted, destination);
  // What lies at the top is looked at as uploads: two of them may be one file.
  std::erase_if(all.found,
                [](const FoundFile& one) { return one.place.find('/') == one.place.npos; });
  std::vector<Refusal> refusals;
  for (const std::string& name : last_uploads(folder)) {
    add_upload(kit, folder / name, wanted, all, refusals);
  }
  keep_each_text_once(all);
  Taken taken = taken_of(all, folder, wanted, destination);
  const std::string unread = all.found.empty() && refusals.empty() ? unread_in(folder) : "";
  if (!unread.empty()) {
    refusals.push_back({"", safe_line(unread + " is neither a source nor a .zip, .tar, .tar.gz or "
                                               ".tgz: hand in one of these")});
  }
  taken.refusals.insert(taken.refusals.end(), refusals.begin(), refusals.end());
  name_entries(entries_of(folder), taken);
  return taken;
}

std::string person_of(const fs::path& submission, const std::vector<lab::Lab>& labs) {
  fs::path full = fs::absolute(submission).lexically_normal();
  if (full.filename().empty()) full = full.parent_path();  // "alice/"
  const std::string name = full.filename().string();
  if (const std::string_view ending = archive_ending(name); !ending.empty()) {
    return name.substr(0, name.size() - ending.size());
  }
  const std::vector<Wanted> wanted = wanted_of(labs);
  if (std::ranges::find(wanted, name, &Wanted::file) == wanted.end()) {
    return is_source(full) ? full.stem().string() : name;
  }
  fs::path folder = full.parent_path();
  if (std::ranges::find(wanted, folder.filename().string(), &Wanted::lab) != wanted.end()) {
    folder = folder.parent_path();
  }
  if (folder.filename() == "labs") folder = folder.parent_path();
  return folder.filename().string();
}

}  // namespace nibble::intake
