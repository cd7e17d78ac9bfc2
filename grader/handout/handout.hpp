// nibble teach handout: the copy of the kit that students get. It builds and judges by itself, and
// holds no solution, no hidden check, no mistake, no attack and no history.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "lab/hint_budget.hpp"
#include "lab/kit.hpp"

namespace nibble::handout {

struct Handout {
  std::filesystem::path out;       ///< a folder that is not there yet, or empty
  std::vector<std::string> labs;   ///< as people name them; empty: all
  std::filesystem::path update{};  ///< an earlier one: only what differs is written; empty: all
  bool counts =
      true;  ///< write down what the published kernels count, and how near the ceiling they run
  lab::HintBudget hints{};  ///< that cost nothing, as the course says
  std::string language{};   ///< of the course; empty: English
};

/// The files of a handout, by their path in it.
using HandoutFiles = std::map<std::filesystem::path, std::string>;

/// What gives a solution away, a line for each file; empty when nothing does.
std::vector<std::string> leaks_in(const lab::Kit& kit, const HandoutFiles& files);

/// Returns 0, or 1 when something would be given away; then nothing is written. Throws
/// std::invalid_argument for an unknown lab, a folder that is not empty, and one to be updated that
/// is no handout.
int hand_out(const lab::Kit& kit, const Handout& what);

}  // namespace nibble::handout
