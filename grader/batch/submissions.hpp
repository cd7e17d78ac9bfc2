// Who handed in: each path is a submission; one that is named alone may be a folder full of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lab/lab.hpp"

namespace nibble::batch {

struct Delivery {
  std::string id;    ///< the name of its folder, archive or file
  std::string path;  ///< absolute; as text, because a batch holds one for everybody
};

/// A folder holds no file of `labs` at one of its places, and one of its entries is a submission:
/// an archive, a folder in which such a file stands, or a folder with an archive in it.
bool is_full_of_submissions(const std::filesystem::path& path, const std::vector<lab::Lab>& labs);

/// Every entry of a folder full of submissions is one, where that folder is named alone. Where
/// several paths are named, each is one submission. Sorted by id. Throws std::invalid_argument for
/// a path that is not there, for none at all, and for two of one name.
std::vector<Delivery> find_submissions(const std::vector<std::filesystem::path>& paths,
                                       const std::vector<lab::Lab>& labs);

}  // namespace nibble::batch
