// nibble teach grade, regrade, diff-grades, status: what is ordered, done, and shown of a batch.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "batch/key.hpp"
#include "batch/slurm.hpp"
#include "export/roster.hpp"
#include "lab/kit.hpp"
#include "sandbox/box.hpp"

namespace nibble::teach {

struct Grade {
  std::vector<std::filesystem::path> paths;  ///< submissions, or one folder full of them
  bool is_one = false;                       ///< the path is one person's, whatever lies in it
  std::vector<std::string> labs;             ///< as a person names them; none: all
  batch::Extras legs{};
  std::filesystem::path out;  ///< results go to out/<id>/<lab>.json
  protocol::Terms terms{};  ///< a seed, or one is drawn for all; a salt; a budget, or 0: the kit's
  bool salt_is_lost = false;  ///< it was drawn for this run
  unsigned workers = 1;
  std::vector<std::string> only{};          ///< whose; none: everybody's
  std::vector<gradebook::Person> roster{};  ///< whom it knows by several names is one person
  bool resume = false;  ///< `out` may hold results; what is not given is as it was ordered
  sandbox::Boxes boxes{};
  std::optional<batch::Slurm> slurm{};  ///< there instead of here
  std::function<bool()> cancelled{};
};

/// Grades what has no result yet. Returns 0 when all that was handed in has a verdict, whatever it
/// is; 6 when the kit failed somewhere; 130 when it was interrupted. Throws std::invalid_argument
/// when the order cannot be carried out as it stands.
int grade(const lab::Kit& kit, const Grade& what);

/// Grades the clean copies in `grades` once more, as they were ordered, into what.out, and says
/// what came out otherwise. Returns 0 when nothing did, 1 when something did; else as grade().
int regrade(const lab::Kit& kit, const std::filesystem::path& grades, const Grade& what);

/// What a job on a cluster does: grades the chunk in `file` into `grades`, one after the other.
int grade_chunk(const lab::Kit& kit, const std::filesystem::path& grades,
                const std::filesystem::path& file, const Grade& what);

/// 0: the same; 1: not. `only`: whose are compared; none: everybody's.
int diff_grades(const std::filesystem::path& a, const std::filesystem::path& b,
                const std::vector<std::string>& only = {});

/// 0 when everything has a verdict, else 1.
int show_status(const lab::Kit& kit, const std::filesystem::path& grades);

}  // namespace nibble::teach
