// Intake: from what a person handed in to a clean folder with the few files that are graded, or one
// clear line for each that is not there or not taken.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lab/kit.hpp"
#include "record/hand_in.hpp"

namespace nibble::intake {

/// A file that was taken, copied to destination/03_symmetric/symmetric.cpp.
struct File {
  std::string lab;
  std::filesystem::path path;
  record::HandIn handed_in{};  ///< by the archive, git or the manifest, whichever speaks first
  std::string hash{};          ///< of its text, "sha256:…"
  std::string handout{};       ///< that packed it, as its manifest says; empty: nothing says
  std::string place{};         ///< where it was: "symmetric.cpp", "hw.zip/symmetric.cpp"
  std::string entry{};         ///< of Canvas's download that it was in; empty: of none
};

/// A line for people: which file, what is wrong with it, what to do. Safe to print.
struct Refusal {
  std::string lab;  ///< empty: the submission as a whole
  std::string why;
  bool missing = false;  ///< nothing was handed in for that lab, not even by another name
};

struct Taken {
  std::vector<File> files;
  std::vector<Refusal> refusals;
  std::string entry{};  ///< any of theirs in Canvas's download; empty: there was none
};

/// Looks in `submission` (a folder, a .zip, .tar, .tar.gz or .tgz; or the source itself, when one
/// lab is asked for) for the files of `labs`, and copies what may be taken to `destination`.
/// Nothing else of it is read, and nothing is ever unpacked. Throws std::runtime_error for a fault
/// of the kit, and std::filesystem::filesystem_error when `destination` cannot be written or holds
/// the file already.
Taken take(const lab::Kit& kit, const std::filesystem::path& submission,
           const std::vector<lab::Lab>& labs, const std::filesystem::path& destination);

/// The same for one person's folder of a download (download.hpp), in which everything counts that
/// is called as a lab's file is: sources, and archives with sources in them. Of a file that was
/// uploaded again, as "symmetric-1.cpp", the last is taken; the same text twice is one file.
Taken take_downloaded(const lab::Kit& kit, const std::filesystem::path& folder,
                      const std::vector<lab::Lab>& labs, const std::filesystem::path& destination);

/// Whose it is: the name of the folder, or of the archive or the source without its ending. A
/// source that is called as a lab's file is goes by the name of its folder.
std::string person_of(const std::filesystem::path& submission, const std::vector<lab::Lab>& labs);

}  // namespace nibble::intake
