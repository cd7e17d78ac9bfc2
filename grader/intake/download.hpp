// What a course system lets an instructor download: everybody's files in one archive or folder,
// told apart by their names.
//
//     lovelaceada_4711_90210_symmetric-1.cpp                   Canvas: name, user, attachment, file
//     lovelaceada_LATE_4711_90210_homework.zip                 the same, after the date
//     Ada Lovelace_71_assignsubmission_file/symmetric.cpp      Moodle, in folders: participant 71
//     Ada Lovelace_71_assignsubmission_file_symmetric.cpp      Moodle, flat
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/kit.hpp"

namespace nibble::intake {

/// Whose an entry of a download is.
struct DownloadName {
  std::string person;  ///< "lovelaceada_4711", "Ada Lovelace_71"
  std::string user;    ///< "canvas 4711", "moodle 71"
  std::string rest;    ///< the file, as its owner called it: "symmetric-1.cpp"
  bool is_called_late = false;
};

/// Nothing for a path that no course system made. One folder may be around everything.
std::optional<DownloadName> download_name(std::string_view path);

/// What Canvas's entries with one person's files were called, by what is left of each in `folder`,
/// which is that person's: a course system takes feedback back by these names. Empty: it is of no
/// such download.
std::map<std::string, std::string> entries_of(const std::filesystem::path& folder);

/// One person's files of a download.
struct Downloaded {
  std::string person, user;
  std::filesystem::path folder;  ///< with their files in it, called as their owner called them
  bool is_called_late = false;
};

/// Sorts a download, an archive or a folder, into a folder of each person in `into`, which is
/// emptied before; nothing where it is none, and then nothing is written. Only sources and archives
/// are taken out of it; what is neither leaves its name, and nothing in it. Throws
/// std::invalid_argument, one line, for an archive that is too large, and
/// std::filesystem::filesystem_error when nothing can be written.
std::vector<Downloaded> sort_download(const lab::Kit& kit, const std::filesystem::path& download,
                                      const std::filesystem::path& into);

}  // namespace nibble::intake
