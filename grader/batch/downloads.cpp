#include "batch/downloads.hpp"

#include <algorithm>
#include <map>
#include <regex>
#include <tuple>

#include "files/sha256.hpp"
#include "intake/download.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;

/// Each download has a place of its own, and the same one next week.
fs::path place_for(const fs::path& download, const fs::path& grades) {
  constexpr std::size_t kPrefix = 7, kDigits = 16;  // of "sha256:…"
  return fs::absolute(grades) / ".batch" / "downloads" /
         files::sha256(download.string()).substr(kPrefix, kDigits);
}

/// What was typed into the course system's page, and is no file of anybody's.
bool is_typed(const std::string& place) {
  static const std::regex pattern(".+_[0-9]+_(assignsubmission_onlinetext.*|text.html|link.html)");
  return std::regex_match(place, pattern);
}

/// A delivery that find_submissions made of a download's own entry.
bool is_of(const fs::path& download, const Delivery& one) {
  if (one.path.empty()) return intake::download_name(one.id + ".cpp").has_value();
  const std::string place = fs::path(one.path).lexically_relative(download).generic_string();
  return place == "." || is_typed(place) || intake::download_name(place + "/x") ||
         intake::download_name(place);
}

}  // namespace

std::optional<std::vector<Delivery>> find_downloaded(const lab::Kit& kit, const fs::path& named,
                                                     const std::vector<lab::Lab>& labs,
                                                     const fs::path& grades) {
  fs::path download = fs::absolute(named).lexically_normal();
  if (download.filename().empty()) download = download.parent_path();
  const bool is_folder = fs::is_directory(fs::symlink_status(download));
  const bool is_zip = fs::is_regular_file(download) && download.extension() == ".zip";
  if (!is_folder && !is_zip) return {};
  std::vector<Delivery> all;
  for (const intake::Downloaded& one :
       intake::sort_download(kit, download, place_for(download, grades))) {
    all.push_back(
        {one.person, one.folder.string(), names_of(labs), "", one.user, one.is_called_late});
  }
  if (all.empty()) return {};
  if (is_folder) {
    for (Delivery& other : find_submissions({download}, labs)) {
      if (!is_of(download, other)) all.push_back(std::move(other));
    }
  }
  std::ranges::sort(all, {}, [](const Delivery& one) { return std::tie(one.id, one.path); });
  return all;
}

void call_as_before(std::vector<Delivery>& now, const std::vector<Delivery>& before) {
  std::map<std::string, std::string> names;
  for (const Delivery& one : before) {
    if (!one.user.empty()) names.try_emplace(one.user, one.id);
  }
  for (Delivery& one : now) {
    const auto known = names.find(one.user);
    if (known != names.end()) one.id = known->second;
  }
}

}  // namespace nibble::batch
