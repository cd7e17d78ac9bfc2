// A mended handout for students who have one already: what differs, and nothing that they write.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "handout/handout.hpp"

namespace nibble::handout {

struct HandoutUpdate {
  HandoutFiles files;                       ///< to be laid over the earlier ones
  std::vector<std::filesystem::path> gone;  ///< which the earlier handout has, and this one has not
  std::vector<std::filesystem::path> starters;  ///< others now; a learner's file stays as it is
  std::set<std::string> labs;                   ///< in which points may change
  std::string to;                               ///< the handout that it leads to; or empty
};

/// What a handout is known by: a number made of its files, those that learners write aside.
std::string handout_id(const HandoutFiles& files);

/// `old`: a folder with an earlier handout, as it was given out. `labs`: of the new one. Throws
/// std::invalid_argument for a folder that is none.
HandoutUpdate update_of(const HandoutFiles& files, const std::filesystem::path& old,
                        const std::vector<std::string>& labs);

/// What it says to students: UPDATE.md.
std::string update_page(const HandoutUpdate& update);

}  // namespace nibble::handout
