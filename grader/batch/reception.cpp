#include "batch/reception.hpp"

#include <fmt/format.h>

#include "batch/store.hpp"
#include "intake/take.hpp"

namespace nibble::batch {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::vector<std::string> receive(const build::Kit& kit, const Submission& submission,
                                 const std::vector<std::string>& labs, const fs::path& grades,
                                 const fs::path& work) {
  const fs::path fresh = work / "taken" / submission.id;
  fs::remove_all(fresh);
  fs::create_directories(fresh);
  const intake::Taken taken = intake::take(kit, submission.path, labs, fresh);

  const fs::path folder = grades / submission.id;
  fs::create_directories(folder);
  fs::remove_all(folder / "submitted");
  fs::rename(fresh, folder / "submitted");

  Json refusals = Json::array();
  std::vector<std::string> lines;
  for (const intake::Refusal& refusal : taken.refusals) {
    refusals.push_back({{"lab", refusal.lab}, {"why", refusal.why}, {"missing", refusal.missing}});
    if (!refusal.missing) lines.push_back(fmt::format("{}: {}", submission.id, refusal.why));
  }
  if (taken.files.empty() && lines.empty()) {
    lines.push_back(submission.id + ": holds no file of these labs");
  }
  keep(folder / "intake.json", {{"files", taken.files.size()}, {"refusals", refusals}});
  return lines;
}

}  // namespace nibble::batch
