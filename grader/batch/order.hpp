// What was ordered: the file GRADES/grades.json. With it a batch goes on after anything,
// and is repeated.
//
//     GRADES/grades.json                       the order
//     GRADES/kim/05_per_channel.json           a result: the truth about one lab of one submission
//     GRADES/kim/submitted/05_per_channel/…    what was graded: a clean copy of the named source files
//     GRADES/kim/intake.json                   what was not taken, and why; when the rest came
//     GRADES/kim/attempts/05_per_channel/001.json   the grade of a file before this one
//     GRADES/kim/05_per_channel.fault.json     the kit failed: no grade, and no zero
//     GRADES/kim/earlier/05_per_channel.json   a result whose file was withdrawn, or refused since
//     GRADES/.batch/                           compiled children and work in progress: may be deleted
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "batch/key.hpp"
#include "batch/submissions.hpp"

namespace nibble::batch {

struct BatchOrder {
  std::vector<lab::Lab> labs;
  Extras legs{};
  protocol::Terms terms{};    ///< a seed, one for all; a budget, or 0: the kit's; never the salt
  std::string salt_hash;      ///< of the course's secret, "sha256:…"; empty without hidden checks
  bool salt_is_lost = false;  ///< it was drawn for this order: nobody can draw it again
  std::string started;
  std::vector<Delivery> submissions;  ///< sorted by id; no lab of a person stands in two
};

void write_order(const std::filesystem::path& grades, const BatchOrder& order);

/// Nothing when the folder holds no order. Throws std::invalid_argument for one that this kit
/// cannot read.
std::optional<BatchOrder> read_order(const lab::Kit& kit, const std::filesystem::path& grades);

}  // namespace nibble::batch
