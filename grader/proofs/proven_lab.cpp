#include "proofs/proven_lab.hpp"

#include <stdexcept>

#include "files/files.hpp"
#include "lab/not_built.hpp"
#include "record/codec.hpp"
#include "text/format_error.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;

/// The judge holds the checks, the contract and the reference as they were when it was built; of a
/// CUDA lab no reference.
void expect_fresh_judge(const lab::Kit& kit, const lab::LabFiles& files) {
  const fs::path judge = kit.judge(files.lab.name);
  const std::string why = lab::why_not_built(kit, files.lab.name);
  if (!why.empty()) throw std::runtime_error("its checks do not build: " + why);
  std::vector<fs::path> inside = files.checks;
  inside.insert(inside.end(), {files.hidden, files.marks, files.contract});
  if (!files.lab.is_cuda()) inside.push_back(files.solution);
  for (const fs::path& file : inside) {
    if (fs::last_write_time(file) <= fs::last_write_time(judge)) continue;
    throw std::runtime_error("the judge is older than " + file.filename().string() +
                             ": build the kit again");
  }
}

}  // namespace

int ProvenLab::points_for_values() const {
  int points = 0;
  for (const record::Row& row : scheme.checks) points += row.of_speed ? 0 : row.max_points;
  return points;
}

int ProvenLab::points_for_speed() const {
  int points = 0;
  for (const record::Row& row : scheme.checks) points += row.of_speed ? row.max_points : 0;
  return points;
}

ProvenLab open_lab(const lab::Kit& kit, const lab::Lab& which) {
  ProvenLab lab;
  lab.files = lab::files_of(kit.source, which);
  for (const fs::path& file :
       {lab.files.solution, lab.files.contract, lab.files.hidden, lab.files.marks}) {
    if (fs::exists(file)) continue;
    throw std::runtime_error(fs::relative(file, kit.source).string() + " is missing");
  }
  expect_fresh_judge(kit, lab.files);
  lab.solution = files::read_file(lab.files.solution);
  try {
    lab.regions = lab::solution_regions(lab.solution);
  } catch (const text::FormatError& error) {
    throw std::runtime_error(lab.files.solution.filename().string() + ", " + error.what());
  }
  lab.scheme = record::read_scheme(files::read_file(kit.scheme(which.name)));
  return lab;
}

}  // namespace nibble::proofs
