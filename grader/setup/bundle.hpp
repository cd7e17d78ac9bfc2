// Files that go to a course system together: a folder, or an archive of one.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace nibble::setup {

enum class FileRole {
  kPlain,    ///< everybody may read it
  kProgram,  ///< and run it
  kSecret,   ///< its owner alone may read it
};

struct BundledFile {
  std::string text;
  FileRole role = FileRole::kPlain;
};

/// By their path in it.
using Bundle = std::map<std::filesystem::path, BundledFile>;

/// Writes the folder `out`, or where it is called so the archive `out.zip` or `out.tar`; a folder
/// at the top of the bundle that is called so becomes an archive in the same way. Whole or not at
/// all, and readable by its owner alone where a secret is in it. Throws
/// std::invalid_argument when `out` is there, and is no empty folder.
void write_bundle(const std::filesystem::path& out, const Bundle& bundle);

/// Makes the archive `file`, .zip or .tar, of what is in `folder`. Its owner alone may read it.
void archive_folder(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace nibble::setup
