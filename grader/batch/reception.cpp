#include "batch/reception.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <map>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "batch/store.hpp"
#include "intake/take.hpp"
#include "text/harmless.hpp"

namespace nibble::batch {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void make_folders(const fs::path& grades, const std::vector<Delivery>& submissions) {
  // The file system is asked, because each has rules of its own about case and accents.
  std::map<std::pair<dev_t, ino_t>, std::string> owners;
  for (const Delivery& one : submissions) {
    const fs::path folder = folder_in(grades, one.id);
    fs::create_directories(folder);
    struct stat found {};
    if (stat(folder.c_str(), &found) != 0) {
      throw std::system_error(errno, std::generic_category(), folder.string());
    }
    const auto [owner, is_new] = owners.try_emplace({found.st_dev, found.st_ino}, one.id);
    if (is_new) continue;
    throw std::invalid_argument(fmt::format(
        "{} and {} would share the folder {}: its file system does not tell the two names apart. "
        "Rename one, or grade into a folder elsewhere with -o",
        owner->second, one.id, text::harmless(folder.string())));
  }
}

std::vector<std::string> receive(const lab::Kit& kit, const Delivery& submission,
                                 const std::vector<lab::Lab>& labs, const fs::path& grades,
                                 const fs::path& work) {
  const fs::path fresh = folder_in(work / "taken", submission.id);
  fs::remove_all(fresh);
  fs::create_directories(fresh);
  const intake::Taken taken = intake::take(kit, submission.path, labs, fresh);

  const fs::path folder = folder_in(grades, submission.id);
  fs::remove_all(folder / "submitted");
  fs::rename(fresh, folder / "submitted");

  Json refusals = Json::array();
  std::vector<std::string> lines;
  for (const intake::Refusal& refusal : taken.refusals) {
    refusals.push_back({{"lab", refusal.lab}, {"why", refusal.why}, {"missing", refusal.missing}});
    if (!refusal.missing) lines.push_back(fmt::format("{}: {}", submission.id, refusal.why));
  }
  if (taken.files.empty() && lines.empty()) {
    lines.push_back(submission.id + ": holds no file of these labs" +
                    (is_full_of_submissions(submission.path, labs)
                         ? ", but folders that do: name it alone if it is full of submissions"
                         : ""));
  }
  keep(folder / "intake.json", {{"files", taken.files.size()}, {"refusals", refusals}});
  return lines;
}

}  // namespace nibble::batch
