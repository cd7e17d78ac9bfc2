// Looks where a lab's file may stand, and for what somebody could have meant by it.
#include "intake/folder.hpp"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "intake/source_text.hpp"

namespace nibble::intake {
namespace {

/// A folder of 100,000 names is somebody's joke: the rest of it is not looked at.
constexpr int kMostNames = 10'000;

/// The names in a folder, but for noise.
std::vector<std::string> names_in(int folder) {
  std::vector<std::string> names;
  const int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> list(fdopendir(own), closedir);
  if (list == nullptr) return names;
  for (int left = kMostNames; left > 0; --left) {
    const dirent* const entry = readdir(list.get());
    if (entry == nullptr) break;
    if (!is_noise(entry->d_name)) names.emplace_back(entry->d_name);
  }
  return names;
}

void look(int folder, const std::string& prefix, const std::vector<Wanted>& wanted, Way way,
          Contents& contents) {
  for (const Wanted& one : wanted) {
    for (const std::string& place : places_of(one)) {
      if (holds(contents, prefix + place)) continue;  // its own folder is the only one
      const Descriptor file = open_beneath(folder, place, way);
      if (!file && (errno == ENOENT || errno == ENOTDIR)) continue;
      SourceText source = file ? read_source(file.get()) : SourceText{"", words_for(errno)};
      contents.found.push_back(
          {one.lab, prefix + place, std::move(source.text), std::move(source.refusal)});
    }
  }
}

void read_manifest(int folder, Way way, Contents& contents) {
  const Descriptor file = open_beneath(folder, std::string(kManifest), way);
  if (!file) return;
  const SourceText manifest = read_source(file.get());
  if (manifest.text.size() <= kLongestManifest) contents.manifest = manifest.text;
}

void note_names(int folder, const std::vector<Wanted>& wanted, Contents& contents) {
  for (const std::string& name : names_in(folder)) note_file(contents, name, wanted);
}

/// Those one folder deeper, where a file is nobody's when there are several folders.
void note_files_in(int top, const std::vector<std::string>& folders,
                   const std::vector<Wanted>& wanted, Way way, Contents& contents) {
  constexpr std::size_t kMost = 16;
  for (std::size_t i = 0; i < std::min(folders.size(), kMost); ++i) {
    for (const Wanted& one : wanted) {
      const std::string path = folders[i] + "/" + one.file;
      if (open_beneath(top, path, way)) note_file(contents, path, wanted);
    }
  }
}

}  // namespace

Contents read_folder(const std::filesystem::path& path, const std::vector<Wanted>& wanted,
                     Way way) {
  Contents contents;
  const Descriptor top(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!top) {
    contents.refusal = errno == ENOTDIR ? words_for(ELOOP) : words_for(errno);
    return contents;
  }
  look(top.get(), "", wanted, way, contents);
  read_manifest(top.get(), way, contents);
  note_names(top.get(), wanted, contents);
  for (const Wanted& one : wanted) {  // where a misspelt file would stand
    for (const std::string& inner : {"labs/" + one.lab, one.lab}) {
      if (const Descriptor folder = open_folder_beneath(top.get(), inner, way)) {
        note_names(folder.get(), wanted, contents);
      }
    }
  }
  const std::vector<std::string> names = names_in(top.get());
  if (names.size() != 1) {
    note_files_in(top.get(), names, wanted, way, contents);
    return contents;
  }
  if (const Descriptor inner = open_folder_beneath(top.get(), names.front(), way)) {
    look(inner.get(), names.front() + "/", wanted, way, contents);
    read_manifest(inner.get(), way, contents);
    note_names(inner.get(), wanted, contents);
  }
  return contents;
}

}  // namespace nibble::intake
