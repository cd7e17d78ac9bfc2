// Compares file by file, and takes from the place of a file whose points hang on it.
#include "handout/handout_update.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "files/files.hpp"
#include "files/sha256.hpp"
#include "lab/kit.hpp"
#include "text/lines.hpp"

namespace nibble::handout {
namespace {

namespace fs = std::filesystem;

/// labs/03_symmetric/symmetric.cpp: nothing of ours ever writes there again.
bool is_learners(const fs::path& file) {
  const bool is_source = file.extension() == ".cpp" || file.extension() == ".cu";
  return is_source && *file.begin() == "labs";
}

bool begins_with(const fs::path& file, std::string_view folder) {
  return file.generic_string().starts_with(folder);
}

/// Measured where the handout was cut, and another time other numbers.
bool is_measured(const fs::path& file) { return begins_with(file, "grader/speeds/"); }

/// Of which lab its points hang on the file; "": of none; "*": of all.
std::string lab_of_points(const fs::path& file, const std::vector<std::string>& labs) {
  const auto named = std::ranges::find_if(labs, [&](const std::string& lab) {
    return file.stem() == lab || file.parent_path().filename() == lab;
  });
  const bool is_checked_by =
      begins_with(file, "grader/checks/") || begins_with(file, "grader/counts/");
  const bool is_contract = file.extension() == ".hpp" && *file.begin() == "labs";
  if (named != labs.end()) return is_checked_by || is_contract ? *named : "";
  const bool is_of_all =
      is_checked_by || begins_with(file, "grader/judge/") || begins_with(file, "grader/runner/") ||
      begins_with(file, "grader/compile/") || begins_with(file, "grader/protocol/") ||
      begins_with(file, "grader/legs/") || begins_with(file, "grader/simt/") ||
      begins_with(file, "common/");
  return is_of_all ? "*" : "";
}

/// Files of a folder by their path in it, without what was built or noted there.
std::set<fs::path> files_in(const fs::path& folder) {
  std::set<fs::path> found;
  auto walk = fs::recursive_directory_iterator(folder);
  for (auto place = fs::begin(walk); place != fs::end(walk); ++place) {
    const std::string name = place->path().filename().string();
    if (place.depth() == 0 && (name == "build" || name == ".nibble" || name == ".git")) {
      place.disable_recursion_pending();
    } else if (place->is_regular_file()) {
      found.insert(place->path().lexically_relative(folder));
    }
  }
  return found;
}

std::string list_of(const char* what, const std::vector<fs::path>& files) {
  if (files.empty()) return "";
  std::string text = fmt::format("\n{}\n\n", what);
  for (const fs::path& file : files) text += fmt::format("- `{}`\n", file.generic_string());
  return text;
}

}  // namespace

std::string handout_id(const HandoutFiles& files) {
  std::string all;
  for (const auto& [file, text] : files) {
    if (is_learners(file) || is_measured(file) || file == lab::kHandoutId) continue;
    all += fmt::format("{} {}\n", files::sha256(text), file.generic_string());
  }
  constexpr std::size_t kAlgorithm = 7, kDigits = 12;  // "sha256:"
  return files::sha256(all).substr(kAlgorithm, kDigits);
}

HandoutUpdate update_of(const HandoutFiles& files, const fs::path& old,
                        const std::vector<std::string>& labs) {
  if (!fs::is_directory(old / "grader" / "starters")) {
    throw std::invalid_argument(
        fmt::format("{} is no handout: name the folder that students were given", old.string()));
  }
  HandoutUpdate update;
  const auto note = [&](const fs::path& file) {
    const std::string lab = lab_of_points(file, labs);
    if (lab == "*") update.labs.insert(labs.begin(), labs.end());
    if (!lab.empty() && lab != "*") update.labs.insert(lab);
  };
  const std::set<fs::path> before = files_in(old);
  for (const auto& [file, text] : files) {
    const bool was_there = before.contains(file);
    if (was_there && files::read_file(old / file) == text) continue;
    if (was_there && is_learners(file)) {
      update.starters.push_back(file);
      continue;
    }
    update.files[file] = text;
    if (!is_measured(file)) note(file);
  }
  for (const fs::path& file : before) {
    // A lab may have left the course: what a student wrote for it stays theirs.
    if (files.contains(file) || is_learners(file)) continue;
    update.gone.push_back(file);
    note(file);
  }
  const fs::path id(lab::kHandoutId);
  if (const auto now = files.find(id); now != files.end()) update.to = text::trim(now->second);
  return update;
}

std::string update_page(const HandoutUpdate& update) {
  std::string text = fmt::format(
      "# An update of your kit{}\n\nCopy what is in this folder over yours; nothing in it is a "
      "file "
      "that you write. Then `./nibble` builds what has changed.\n\n",
      update.to.empty() ? "" : fmt::format(": handout {}", update.to));
  text += update.labs.empty() ? "No check of a lab has changed: your points stay what they are.\n"
                              : fmt::format("Points may change in: {}. `./nibble run` tells you.\n",
                                            fmt::join(update.labs, ", "));
  text += list_of(
      "The starters of these are others now. Yours stays; `./nibble reset` has the new "
      "one:",
      update.starters);
  text += list_of("No longer part of the kit; delete them:", update.gone);
  return text;
}

}  // namespace nibble::handout
