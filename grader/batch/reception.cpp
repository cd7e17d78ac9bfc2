// Takes in week after week: replaces the copies of the labs that are brought, keeps those of the
// others, and sets aside the results whose file is gone.
#include "batch/reception.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "batch/store.hpp"
#include "intake/take.hpp"
#include "text/harmless.hpp"
#include "text/json_text.hpp"

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

/// Whether this lab was looked for before: it was taken, or refused.
bool was_received(const fs::path& folder, const std::string& lab) {
  const std::optional<Json> intake = read_json(folder / "intake.json");
  const Json refusals = intake ? intake->value("refusals", Json::array()) : Json::array();
  const auto is_of_it = [&](const Json& refusal) {
    const Json labs = refusal.is_object() ? refusal.value("labs", Json::array()) : Json::array();
    return std::ranges::find(labs, Json(lab)) != labs.end();
  };
  return fs::exists(folder / "submitted" / lab) || std::ranges::any_of(refusals, is_of_it);
}

/// Of the labs that are taken in now, those that this delivery brings. One that is no longer where
/// it lay brings nothing new: what was taken of it before, and why it was refused, stays.
std::vector<lab::Lab> brought_by(const Delivery& one, const std::vector<lab::Lab>& labs,
                                 const fs::path& folder) {
  std::vector<lab::Lab> brought;
  const bool is_there = one.path.empty() || fs::exists(fs::symlink_status(one.path));
  for (const lab::Lab& lab : labs) {
    if (std::ranges::find(one.labs, lab.name) == one.labs.end()) continue;
    if (is_there || !was_received(folder, lab.name)) brought.push_back(lab);
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

/// What was noted of each lab's file; an object.
Json notes_in(const fs::path& folder) {
  const std::optional<Json> intake = read_json(folder / "intake.json");
  Json notes = intake ? intake->value("handed_in", Json::object()) : Json::object();
  return notes.is_object() ? notes : Json::object();
}

/// Whom the course system knew a submission of, when it was taken in.
std::string user_in(const fs::path& folder) {
  const std::optional<Json> intake = read_json(folder / "intake.json");
  return intake ? text::text_at(*intake, "user") : "";
}

/// Whom the course system knew them as, lab by lab: a number of Moodle's is of one assignment. What
/// was refused is theirs, too.
Json note_users(const fs::path& folder, const intake::Taken& taken, const Strings& labs,
                const std::string& user) {
  const std::optional<Json> intake = read_json(folder / "intake.json");
  Json users = intake ? intake->value("users", Json::object()) : Json::object();
  if (!users.is_object()) users = Json::object();
  if (user.empty()) return users;
  for (const intake::Refusal& refusal : taken.refusals) {
    if (refusal.missing) continue;
    for (const std::string& lab : refusal.lab.empty() ? labs : Strings{refusal.lab}) {
      users[lab] = user;
    }
  }
  for (const intake::File& file : taken.files) users[file.lab] = user;
  return users;
}

/// Of what was noted of a lab; an empty object where nothing was.
Json note_on(const Json& notes, const std::string& lab) {
  const auto found = notes.find(lab);
  return found != notes.end() && found->is_object() ? *found : Json::object();
}

/// Another file of a lab is another attempt: the one before is kept with its grade, where it has
/// one, as attempts/<lab>/<n>.json. What was refused in between takes no grade from anybody.
void keep_attempt(const fs::path& folder, const std::string& lab, const Json& before,
                  const std::string& hash) {
  const std::string of = text::text_at(before, "file");
  if (of.empty()) return;
  const fs::path result = folder / (lab + ".json"), aside = folder / "earlier" / result.filename();
  if (!fs::exists(result) && fs::exists(aside)) fs::rename(aside, result);
  const std::optional<Json> json = read_json(result);
  if (!json || of == hash) return;
  const fs::path attempts = folder / "attempts" / lab;
  fs::create_directories(attempts);
  const auto count = std::distance(fs::directory_iterator(attempts), {});
  keep(attempts / fmt::format("{:03}.json", count + 1), {{"handed_in", before}, {"result", *json}});
  fs::remove(result);
}

/// The same text came once: its first time counts.
Json note_of(const intake::File& file, const Json& before) {
  Json note = {{"file", file.hash}};
  if (!file.handout.empty()) note["handout"] = file.handout;
  const record::HandIn& now = file.handed_in;
  const bool is_same = text::text_at(before, "file") == file.hash;
  const std::optional<text::Moment> then =
      is_same ? text::moment_of(text::text_at(before, "at")) : std::nullopt;
  if (then && (!now.at || *then <= *now.at)) return before;
  if (now.at) {
    note["at"] = text::stamp(*now.at);
    note["source"] = name_of(now.source);
  }
  const bool was_late = is_same && before.contains("late");
  if (now.is_called_late || was_late) note["late"] = true;
  return note;
}

/// Notes of files that are taken now, in place of those of before; files that were graded and are
/// another text now become attempts.
Json note_hand_ins(const fs::path& folder, const intake::Taken& taken) {
  const Json before = notes_in(folder);
  Json notes = before;
  for (const intake::File& file : taken.files) {
    const Json earlier = note_on(before, file.lab);
    keep_attempt(folder, file.lab, earlier, file.hash);
    notes[file.lab] = note_of(file, earlier);
  }
  return notes;
}

/// What files were called in Canvas's download, by lab, over what they were called before: a
/// refused file is one of theirs, too, and a lab of which nothing came keeps its name.
Json note_entries(const fs::path& folder, const intake::Taken& taken, const Strings& labs) {
  const std::optional<Json> intake = read_json(folder / "intake.json");
  Json entries = intake ? intake->value("entries", Json::object()) : Json::object();
  if (!entries.is_object()) entries = Json::object();
  for (const intake::Refusal& refusal : taken.refusals) {
    if (refusal.missing || taken.entry.empty()) continue;
    for (const std::string& lab : refusal.lab.empty() ? labs : Strings{refusal.lab}) {
      entries[lab] = taken.entry;
    }
  }
  for (const intake::File& file : taken.files) {
    if (!file.entry.empty()) entries[file.lab] = file.entry;
  }
  return entries;
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

/// Whoever is in a download did hand something in, though it may be another lab's.
void say_that_nothing_fits(std::vector<intake::Refusal>& refusals) {
  if (refusals.empty() || !std::ranges::all_of(refusals, &intake::Refusal::missing)) return;
  if (refusals.size() > 1) refusals = {{"", "holds no file of these labs"}};
  refusals.front().missing = false;
}

intake::Taken take(const lab::Kit& kit, const Delivery& one, const std::vector<lab::Lab>& labs,
                   const fs::path& fresh) {
  if (!one.refusal.empty()) return {{}, {{"", one.refusal}}};
  if (one.user.empty()) return intake::take(kit, one.path, labs, fresh);
  intake::Taken taken = intake::take_downloaded(kit, one.path, labs, fresh);
  for (intake::File& file : taken.files) file.handed_in.is_called_late |= one.is_called_late;
  if (taken.files.empty()) say_that_nothing_fits(taken.refusals);
  return taken;
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
  const Json notes = note_hand_ins(folder, taken);
  const Json entries = note_entries(folder, taken, names_of(brought));
  replace_copies(fresh, folder, names_of(brought), lines, submission.id);
  const auto copies = std::distance(fs::directory_iterator(folder / "submitted"), {});
  Json intake = {{"files", copies}, {"refusals", refusals}, {"handed_in", notes}};
  const std::string user = submission.user.empty() ? user_in(folder) : submission.user;
  if (!user.empty()) intake["user"] = user;
  const Json users = note_users(folder, taken, names_of(brought), submission.user);
  if (!users.empty()) intake["users"] = users;
  if (!entries.empty()) intake["entries"] = entries;
  keep(folder / "intake.json", intake);
  return lines;
}

}  // namespace nibble::batch
