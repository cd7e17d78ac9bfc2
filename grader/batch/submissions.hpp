// Who handed in: each path is a submission; one that is named alone may be a folder full of them.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "lab/lab.hpp"

namespace nibble::batch {

/// What one person handed in at one time. A person whose labs come week by week has several.
struct Delivery {
  std::string id;                   ///< the name of its folder, archive or file
  std::string path;                 ///< absolute; as text, because a batch holds one for everybody
  std::vector<std::string> labs{};  ///< that are looked for in it
  std::string refusal{};            ///< why it is not even opened; empty: it is
  std::string user{};               ///< in the course system that it was downloaded from, or empty
  bool is_called_late = false;      ///< by that system
};

/// A folder holds no file of `labs` at one of its places, and one of its entries is a submission:
/// a source, an archive, a folder in which such a file stands, or a folder with an archive in it.
bool is_full_of_submissions(const std::filesystem::path& path, const std::vector<lab::Lab>& labs);

/// Every entry of a folder full of submissions is one, where that folder is named alone. Where
/// several paths are named, each is one submission. Sorted by id. In a folder, those that share a
/// name, and names that no list can hold, are refused, and nobody else. Throws
/// std::invalid_argument for a path that is not there, for none at all, for two that were named and
/// share a name, for a folder full of submissions in which a lab's file lies beside them, and for
/// one that is full of sources of other labs.
std::vector<Delivery> find_submissions(const std::vector<std::filesystem::path>& paths,
                                       const std::vector<lab::Lab>& labs);

/// What lies at `path`, as one person's, whatever else lies in it: a folder of four sources is no
/// class of four. Throws std::invalid_argument for a path that is not there.
Delivery submission_at(const std::filesystem::path& path, const std::vector<lab::Lab>& labs);

/// The folder full of submissions that it lay in is there, and it is not.
bool is_taken_away(const Delivery& one);

/// Everybody once.
std::set<std::string> people_of(const std::vector<Delivery>& deliveries);

}  // namespace nibble::batch
