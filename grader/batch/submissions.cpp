// Looks at a path from outside: a folder with a lab, an archive, or a
// folder full of either; and whose it is by its name.
#include "batch/submissions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <system_error>
#include <tuple>

#include "intake/places.hpp"
#include "intake/take.hpp"
#include "text/harmless.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;

/// What it is itself, and not what it leads to. What cannot be looked at, a link to itself or a
/// folder of somebody who lets nobody in, is nothing: to be refused when it is taken,
/// with nobody else.
fs::file_type type_of(const fs::path& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type();
}

bool is_folder(const fs::path& path) { return type_of(path) == fs::file_type::directory; }

bool is_there(const fs::path& path) {
  const fs::file_type type = type_of(path);
  return type != fs::file_type::not_found && type != fs::file_type::none;
}

bool holds_a_lab(const fs::path& folder, const std::vector<lab::Lab>& labs) {
  return std::ranges::any_of(labs, [&](const lab::Lab& lab) {
    return std::ranges::any_of(intake::places_of({lab.name, lab.file_name()}),
                               [&](const std::string& place) { return is_there(folder / place); });
  });
}

/// Calls `visit` for each thing in a folder of submissions, until it returns false; what no person
/// put there is left out.
void visit_entries(const fs::path& folder, const auto& visit) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; entry != end; entry.increment(error)) {
    if (intake::is_noise(entry->path().filename().string())) continue;
    if (!visit(entry->path())) return;
  }
}

bool is_archive(const fs::path& path) {
  constexpr std::array kEndings = {".zip", ".tar", ".gz", ".tgz"};
  return type_of(path) == fs::file_type::regular &&
         std::ranges::count(kEndings, path.extension()) > 0;
}

/// The one archive in a folder, as course systems hand it over; empty: none, or several.
fs::path archive_in(const fs::path& folder) {
  fs::path found;
  int count = 0;
  visit_entries(folder, [&](const fs::path& entry) {
    if (is_archive(entry) && ++count == 1) found = entry;
    return count < 2;
  });
  return count == 1 ? found : fs::path();
}

bool is_source(const fs::path& path) {
  return type_of(path) == fs::file_type::regular &&
         (path.extension() == ".cpp" || path.extension() == ".cu");
}

/// A folder that `teach grade` filled holds nobody's submission.
bool holds_grades(const fs::path& folder) { return is_there(folder / "grades.json"); }

bool is_submission(const fs::path& path, const std::vector<lab::Lab>& labs) {
  if (is_archive(path) || is_source(path)) return true;
  if (!is_folder(path) || holds_grades(path)) return false;
  return holds_a_lab(path, labs) || !archive_in(path).empty();
}

/// A name becomes a line in many files.
bool is_usable(const std::string& name) {
  return text::harmless(name) == name && name.find('\n') == std::string::npos;
}

std::string shown(const fs::path& path) { return text::harmless(path.string()); }

/// A path is kept in the order, and read from there when the batch goes on.
void must_be_usable(const fs::path& path) {
  if (is_usable(path.string())) return;
  throw std::invalid_argument(fmt::format(
      "the path {} holds control characters or is not UTF-8: rename the folder", shown(path)));
}

/// A path as it is kept. Throws std::invalid_argument for one that is not there or not usable.
fs::path named(const fs::path& given) {
  fs::path path = fs::absolute(given).lexically_normal();
  if (path.filename().empty()) path = path.parent_path();
  if (!fs::exists(path)) throw std::invalid_argument("there is no " + shown(given));
  if (is_folder(path)) must_be_usable(path);
  return path;
}

/// The id is safe to print even where the name is not.
Delivery delivery_in(const fs::path& path, const std::vector<lab::Lab>& labs) {
  const bool in_archive = is_folder(path) && !holds_a_lab(path, labs);
  const fs::path archive = in_archive ? archive_in(path) : fs::path();
  const std::string file = (archive.empty() ? path : archive).string();
  Delivery one{text::harmless(intake::person_of(path, labs)), file, names_of(labs)};
  if (is_usable(file)) return one;
  std::ranges::replace(one.id, '\n', '?');
  one.path.clear();
  one.refusal = "its name holds control characters or is not UTF-8: rename it";
  return one;
}

/// Each entry of a folder full of submissions; those that share a name become one that is refused.
std::vector<Delivery> deliveries_in(const fs::path& folder, const std::vector<lab::Lab>& labs) {
  std::map<std::string, Delivery> all;
  visit_entries(folder, [&](const fs::path& entry) {
    if (is_folder(entry) && holds_grades(entry)) return true;
    Delivery one = delivery_in(entry, labs);
    const auto [place, is_new] = all.try_emplace(one.id, one);
    if (is_new) return true;
    place->second.path.clear();
    place->second.refusal = fmt::format(
        "several submissions are called {}, {} is one of them: rename one, or leave one", one.id,
        shown(entry.filename()));
    return true;
  });
  std::vector<Delivery> list;
  for (auto& [id, one] : all) list.push_back(std::move(one));
  return list;
}

/// A class's folder with a lab's file in it would be taken for one submission.
void refuse_a_stray_file(const fs::path& folder, const std::vector<lab::Lab>& labs) {
  if (!is_folder(folder) || !holds_a_lab(folder, labs)) return;
  std::size_t submissions = 0;
  visit_entries(folder, [&](const fs::path& entry) {
    const bool is_of_this_one =
        entry.filename() == "labs" || is_source(entry) ||
        std::ranges::find(labs, entry.filename().string(), &lab::Lab::name) != labs.end();
    submissions += !is_of_this_one && is_submission(entry, labs) ? 1 : 0;
    return true;
  });
  if (submissions < 2) return;
  throw std::invalid_argument(fmt::format(
      "{} holds a lab's file beside {} submissions: move that file into a folder of its own",
      shown(folder), submissions));
}

bool holds_a_source(const fs::path& folder) {
  bool any = false;
  visit_entries(folder, [&](const fs::path& entry) { return !(any = is_source(entry)); });
  return any;
}

/// A class that was named for another lab would be taken for one person who handed in nothing.
void refuse_a_class_of_another_lab(const fs::path& folder, const std::vector<lab::Lab>& labs) {
  if (!is_folder(folder) || holds_a_lab(folder, labs) || holds_a_source(folder)) return;
  std::size_t others = 0;
  visit_entries(folder, [&](const fs::path& entry) {
    others += is_folder(entry) && holds_a_source(entry) ? 1 : 0;
    return true;
  });
  if (others < 2) return;
  throw std::invalid_argument(
      fmt::format("{} holds {} folders with sources, and none of them a file of {}: name another "
                  "--lab",
                  shown(folder), others, fmt::join(names_of(labs), ", ")));
}

}  // namespace

bool is_full_of_submissions(const fs::path& path, const std::vector<lab::Lab>& labs) {
  if (!is_folder(path) || holds_a_lab(path, labs) || holds_grades(path)) return false;
  bool any = false;
  visit_entries(path, [&](const fs::path& entry) { return !(any = is_submission(entry, labs)); });
  return any;
}

Delivery submission_at(const fs::path& path, const std::vector<lab::Lab>& labs) {
  return delivery_in(named(path), labs);
}

std::vector<Delivery> find_submissions(const std::vector<fs::path>& paths,
                                       const std::vector<lab::Lab>& labs) {
  std::vector<Delivery> all;
  for (const fs::path& given : paths) {
    const fs::path path = named(given);
    // What lies in one person's folder says nothing of whose it is: the person named it.
    if (paths.size() == 1 && is_full_of_submissions(path, labs)) {
      return deliveries_in(path, labs);
    }
    if (paths.size() == 1) {
      refuse_a_stray_file(path, labs);
      refuse_a_class_of_another_lab(path, labs);
    }
    all.push_back(delivery_in(path, labs));
  }
  if (all.empty()) throw std::invalid_argument("there is no submission in what was named");
  std::ranges::sort(all, {}, [](const Delivery& one) { return std::tie(one.id, one.path); });
  const auto twice = std::ranges::adjacent_find(all, {}, &Delivery::id);
  if (twice != all.end()) {
    throw std::invalid_argument(
        fmt::format("two submissions are called {}: {} and {}. Rename one, or leave one out",
                    text::harmless(twice->id), shown(twice->path), shown(std::next(twice)->path)));
  }
  return all;
}

bool is_taken_away(const Delivery& one) {
  const fs::path path = one.path;
  if (path.empty() || is_there(path)) return false;
  const fs::path folder = path.parent_path();  // a person's own, where an archive lay in one
  return is_folder(folder.filename() == one.id ? folder.parent_path() : folder);
}

std::set<std::string> people_of(const std::vector<Delivery>& deliveries) {
  std::set<std::string> people;
  for (const Delivery& one : deliveries) people.insert(one.id);
  return people;
}

}  // namespace nibble::batch
