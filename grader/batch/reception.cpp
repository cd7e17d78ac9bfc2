// Takes in week after week: replaces the copies of the labs that are brought, keeps those of the
// others, and sets aside the results whose file is gone.
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
    if (is_new || owner->second == one.id) continue;
    throw std::invalid_argument(fmt::format(
        "{} and {} would share the folder {}: its file system does not tell the two names apart. "
        "Rename one, or grade into a folder elsewhere with -o",
        owner->second, one.id, text::harmless(folder.string())));
  }
}

void copy_refusals(const fs::path& from, const fs::path& to,
                   const std::vector<Delivery>& submissions) {
  for (const Delivery& one : submissions) {
    const std::optional<Json> intake = read_json(folder_in(from, one.id) / "intake.json");
    if (intake) keep(folder_in(to, one.id) / "intake.json", *intake);
  }
}

namespace {

using Strings = std::vector<std::string>;

/// Of the labs that are taken in now, those that this delivery brings. One that is no longer where
/// it lay brings nothing new: what was taken of it before stays.
std::vector<lab::Lab> brought_by(const Delivery& one, const std::vector<lab::Lab>& labs,
                                 const fs::path& folder) {
  std::vector<lab::Lab> brought;
  const bool is_there = one.path.empty() || fs::exists(fs::symlink_status(one.path));
  for (const lab::Lab& lab : labs) {
    if (std::ranges::find(one.labs, lab.name) == one.labs.end()) continue;
    if (is_there || !fs::exists(folder / "submitted" / lab.name)) brought.push_back(lab);
  }
  return brought;
}

/// What was refused earlier of other labs.
Json refusals_of_others(const fs::path& folder, const Strings& labs) {
  Json others = Json::array();
  const std::optional<Json> intake = read_json(folder / "intake.json");
  if (!intake) return others;
  for (Json refusal : intake->value("refusals", Json::array())) {
    if (!refusal.is_object()) continue;
    Json remaining = Json::array();
    for (const Json& lab : refusal.value("labs", Json::array())) {
      if (!lab.is_string() || std::ranges::find(labs, lab.get<std::string>()) == labs.end()) {
        remaining.push_back(lab);
      }
    }
    if (remaining.empty()) continue;
    refusal["labs"] = remaining;
    others.push_back(refusal);
  }
  return others;
}

/// A grade does not outlive the file that it was given for. True when there was one.
bool set_aside(const fs::path& folder, const std::string& lab) {
  const fs::path result = folder / (lab + ".json");
  if (!fs::exists(result)) return false;
  fs::create_directories(folder / "earlier");
  fs::rename(result, folder / "earlier" / result.filename());
  return true;
}

/// Puts the clean copies in place of those of before.
void replace_copies(const fs::path& fresh, const fs::path& folder, const Strings& labs,
                    Strings& lines, const std::string& id) {
  fs::create_directories(folder / "submitted");
  for (const std::string& lab : labs) {
    fs::remove_all(folder / "submitted" / lab);
    if (fs::exists(fresh / lab)) {
      fs::rename(fresh / lab, folder / "submitted" / lab);
    } else if (set_aside(folder, lab)) {
      lines.push_back(fmt::format("{}: {} was graded before, and counts no more: see {}", id, lab,
                                  text::harmless((folder.filename() / "earlier").string())));
    }
  }
}

intake::Taken take(const lab::Kit& kit, const Delivery& one, const std::vector<lab::Lab>& labs,
                   const fs::path& fresh) {
  if (one.refusal.empty()) return intake::take(kit, one.path, labs, fresh);
  return {{}, {{"", one.refusal}}};
}

}  // namespace

std::vector<std::string> receive(const lab::Kit& kit, const Delivery& submission,
                                 const std::vector<lab::Lab>& labs, const fs::path& grades,
                                 const fs::path& work) {
  const fs::path folder = folder_in(grades, submission.id);
  const std::vector<lab::Lab> brought = brought_by(submission, labs, folder);
  if (brought.empty()) return {};
  const fs::path fresh = folder_in(work / "taken", submission.id);
  fs::remove_all(fresh);
  fs::create_directories(fresh);
  const intake::Taken taken = take(kit, submission, brought, fresh);

  Json refusals = refusals_of_others(folder, names_of(brought));
  Strings lines;
  for (const intake::Refusal& refusal : taken.refusals) {
    const Strings of = refusal.lab.empty() ? names_of(brought) : Strings{refusal.lab};
    refusals.push_back(
        {{"lab", refusal.lab}, {"labs", of}, {"why", refusal.why}, {"missing", refusal.missing}});
    if (!refusal.missing) lines.push_back(fmt::format("{}: {}", submission.id, refusal.why));
  }
  if (taken.files.empty() && lines.empty()) {
    lines.push_back(submission.id + ": holds no file of these labs" +
                    (is_full_of_submissions(submission.path, labs)
                         ? ", but folders that do: name it alone if it is full of submissions"
                         : ""));
  }
  replace_copies(fresh, folder, names_of(brought), lines, submission.id);
  const auto copies = std::distance(fs::directory_iterator(folder / "submitted"), {});
  keep(folder / "intake.json", {{"files", copies}, {"refusals", refusals}});
  return lines;
}

}  // namespace nibble::batch
