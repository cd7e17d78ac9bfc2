// Everything is laid out in a folder that nobody else can look into, and takes its place at the
// end.
#include "setup/bundle.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "process/command.hpp"

namespace nibble::setup {
namespace {

namespace fs = std::filesystem;

fs::perms permissions_of(FileRole role) {
  constexpr fs::perms kOwner = fs::perms::owner_read | fs::perms::owner_write;
  if (role == FileRole::kSecret) return kOwner;
  const fs::perms readable = kOwner | fs::perms::group_read | fs::perms::others_read;
  if (role == FileRole::kPlain) return readable;
  return readable | fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
}

void lay_out(const fs::path& folder, const Bundle& bundle) {
  fs::create_directory(folder);
  for (const auto& [file, what] : bundle) {
    files::write_atomically(folder / file, what.text);
    fs::permissions(folder / file, permissions_of(what.role));
  }
}

bool has_secret(const Bundle& bundle) {
  return std::ranges::any_of(
      bundle, [](const auto& file) { return file.second.role == FileRole::kSecret; });
}

bool is_archive(const fs::path& file) {
  return file.extension() == ".zip" || file.extension() == ".tar";
}

/// Folders at the top that are called like archives.
void archive_inner(const fs::path& folder, const Bundle& bundle) {
  std::set<fs::path> inner;
  for (const auto& [file, what] : bundle) {
    if (file.has_parent_path() && is_archive(*file.begin())) inner.insert(*file.begin());
  }
  for (const fs::path& one : inner) {
    const fs::path contents = folder / (one.string() + ".contents");
    fs::rename(folder / one, contents);
    archive_folder(contents, folder / one);
    fs::remove_all(contents);
  }
}

}  // namespace

void archive_folder(const fs::path& folder, const fs::path& file) {
  process::Command command;  // CMake is there wherever the kit is built, and keeps modes
  command.words = {"cmake",       "-E",
                   "tar",         "cf",
                   file.string(), file.extension() == ".zip" ? "--format=zip" : "--format=gnutar",
                   "--"};
  for (const auto& entry : fs::directory_iterator(folder)) {
    command.words.push_back(entry.path().filename().string());
  }
  command.directory = folder;
  const process::Finished done = process::run(command);
  if (!done.ok()) throw std::runtime_error("no archive could be made: " + done.err);
  fs::permissions(file, permissions_of(FileRole::kSecret));
}

void write_bundle(const fs::path& out, const Bundle& bundle) {
  fs::path place = fs::absolute(out).lexically_normal();
  if (place.filename().empty()) place = place.parent_path();  // "there/"
  const bool in_archive = is_archive(place);
  if (fs::exists(place) && (in_archive || !fs::is_directory(place) || !fs::is_empty(place))) {
    throw std::invalid_argument(out.string() +
                                " is there already: name another place, so that nothing old is "
                                "handed to a course system");
  }
  const files::ScratchFolder work(place.parent_path());
  fs::path made = work.path() / "files";
  lay_out(made, bundle);
  archive_inner(made, bundle);
  if (in_archive) {
    archive_folder(made, work.path() / place.filename());
    made = work.path() / place.filename();
  }
  if (has_secret(bundle))
    fs::permissions(made, fs::perms::group_all | fs::perms::others_all, fs::perm_options::remove);
  fs::rename(made, place);
}

}  // namespace nibble::setup
