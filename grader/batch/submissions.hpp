// Who handed in: each path is a submission, or a folder full of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nibble::batch {

struct Submission {
  std::string id;    ///< the name of its folder, archive or file
  std::string path;  ///< absolute; as text, because a batch holds one for everybody
};

/// A path is a folder of submissions when one of its entries is a submission: an archive, a folder in
/// which a file of `labs` stands at one of its places, or a folder with an archive in it. Any other path is
/// a submission itself, and so is every entry of such a folder. Sorted by id. Throws
/// std::invalid_argument for a path that is not there, for none at all, and for two of one name.
std::vector<Submission> find_submissions(const std::vector<std::filesystem::path>& paths,
                                         const std::vector<std::string>& labs);

}  // namespace nibble::batch
