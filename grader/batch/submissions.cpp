// Looks at a path from outside: a folder with a lab, an archive, or a
// folder full of either; and whose it is by its name.
#include "batch/submissions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

bool is_submission(const fs::path& path, const std::vector<lab::Lab>& labs) {
  if (is_archive(path)) return true;
  return is_folder(path) && (holds_a_lab(path, labs) || !archive_in(path).empty());
}

/// A name becomes a line in many files.
std::string usable(std::string name) {
  if (text::harmless(name) == name && name.find('\n') == std::string::npos) return name;
  throw std::invalid_argument(fmt::format(
      "the name {} holds control characters or is not UTF-8: rename it", text::harmless(name)));
}

std::string shown(const fs::path& path) { return text::harmless(path.string()); }

/// A path is kept in the order, and read from there when the batch goes on.
std::string usable_path(const fs::path& path) {
  if (shown(path) == path.string()) return path.string();
  throw std::invalid_argument(fmt::format(
      "the path {} holds control characters or is not UTF-8: rename the folder", shown(path)));
}

}  // namespace

bool is_full_of_submissions(const fs::path& path, const std::vector<lab::Lab>& labs) {
  if (!is_folder(path) || holds_a_lab(path, labs)) return false;
  bool any = false;
  visit_entries(path, [&](const fs::path& entry) { return !(any = is_submission(entry, labs)); });
  return any;
}

std::vector<Delivery> find_submissions(const std::vector<fs::path>& paths,
                                       const std::vector<lab::Lab>& labs) {
  std::vector<Delivery> all;
  const auto add = [&](const fs::path& path) {
    const bool in_archive = is_folder(path) && !holds_a_lab(path, labs);
    const fs::path archive = in_archive ? archive_in(path) : fs::path();
    all.push_back(
        {usable(intake::person_of(path, labs)), usable_path(archive.empty() ? path : archive)});
    return true;
  };
  for (const fs::path& given : paths) {
    fs::path path = fs::absolute(given).lexically_normal();
    if (path.filename().empty()) path = path.parent_path();
    if (!fs::exists(path)) throw std::invalid_argument("there is no " + shown(given));
    // What lies in one person's folder says nothing of whose it is: the person named it.
    if (paths.size() == 1 && is_full_of_submissions(path, labs)) {
      visit_entries(path, add);
    } else {
      add(path);
    }
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

}  // namespace nibble::batch
