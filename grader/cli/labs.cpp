// Reads the mark schemes, and finds the lab or exercise that a word
// means, or the one that was nearly meant.
#include "cli/labs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <numeric>
#include <stdexcept>

#include "cli/trouble.hpp"
#include "files/files.hpp"
#include "lab/not_built.hpp"
#include "lab/on_demand.hpp"
#include "record/codec.hpp"

namespace nibble::cli {
namespace {

/// From the first line of the README: "# Lab 03 · Symmetric quantization".
std::string title_of(const lab::Kit& kit, const lab::Lab& lab) {
  std::ifstream readme(kit.pages(lab.name) / "README.md");
  std::string line;
  std::getline(readme, line);
  constexpr std::string_view kDot = " · ";
  const std::size_t dot = line.find(kDot);
  if (dot == std::string::npos) return lab.base();
  std::string title = line.substr(dot + kDot.size());
  // "INT8" stays, "Symmetric" becomes "symmetric".
  if (title.size() > 1 && std::islower(static_cast<unsigned char>(title[1])) != 0) {
    title[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(title[0])));
  }
  return title;
}

MarkedLab marked(const lab::Kit& kit, const lab::Lab& plain) {
  MarkedLab lab{plain, title_of(kit, plain), {}, 0, 0, {}};
  try {
    lab.scheme = record::read_scheme(files::read_file(kit.scheme(lab.name)));
  } catch (const std::invalid_argument&) {
    throw usage("the kit's notes on lab " + lab.name + " are damaged: remove " +
                kit.scheme(lab.name).string() + ", and ./nibble writes them again");
  }
  for (const std::string& exercise : lab.scheme.exercises) {
    lab.exercises.push_back({exercise, 0, 0});
  }
  for (const record::Row& row : lab.scheme.checks) {
    if (row.hidden) {
      lab.hidden_points += row.max_points;
      continue;
    }
    lab.points += row.max_points;
    const auto owner = std::ranges::find(lab.exercises, row.exercise, &MarkedExercise::name);
    owner->points += row.max_points;
    ++owner->checks;
  }
  return lab;
}

const MarkedLab* find_lab(const std::vector<MarkedLab>& labs, std::string_view word) {
  const auto found =
      std::ranges::find_if(labs, [&](const MarkedLab& lab) { return lab.is_called(word); });
  return found == labs.end() ? nullptr : &*found;
}

/// Everything that could have been meant.
std::vector<std::string> all_names(const std::vector<MarkedLab>& labs) {
  std::vector<std::string> names;
  for (const MarkedLab& lab : labs) {
    names.push_back(lab.name);
    names.push_back(lab.base());
    for (const MarkedExercise& exercise : lab.exercises) {
      names.push_back(lab.id_of(exercise.name));
      names.push_back(exercise.name);
    }
  }
  return names;
}

Trouble unknown(const std::vector<std::string>& names, std::string_view what,
                std::string_view word) {
  return usage(fmt::format("no {} is called {}: {}./nibble list shows what there is", what, word,
                           did_you_mean(names, word)));
}

/// "grid" of "labs/01_grid/grid.cpp", and "01_grid" of "labs/01_grid/", as a shell completes them.
std::string word_of_path(std::string_view typed) {
  const std::filesystem::path path(typed.ends_with('/') ? typed.substr(0, typed.size() - 1)
                                                        : typed);
  constexpr std::array kEndings = {".cpp", ".cu", ".hpp"};
  const bool is_file = std::ranges::find(kEndings, path.extension().string()) != kEndings.end();
  return (is_file ? path.stem() : path.filename()).string();
}

}  // namespace

std::string did_you_mean(const std::vector<std::string>& names, std::string_view word) {
  const auto best = std::ranges::min_element(
      names, {}, [&](const std::string& name) { return edit_distance(name, word); });
  const bool close = best != names.end() && edit_distance(*best, word) <= 2 + word.size() / 3;
  return close ? fmt::format("did you mean {}? ", *best) : "";
}

const MarkedExercise* MarkedLab::find(std::string_view exercise) const {
  const auto found = std::ranges::find(exercises, exercise, &MarkedExercise::name);
  return found == exercises.end() ? nullptr : &*found;
}

std::vector<MarkedLab> read_labs(const lab::Kit& kit) {
  std::vector<MarkedLab> labs;
  for (const lab::Lab& lab : kit.labs) labs.push_back(marked(kit, lab));
  return labs;
}

void must_be_built(const lab::Kit& kit, const MarkedLab& lab) {
  const bool ended = lab::have_built(kit, {lab.name});
  const std::string why = lab::why_not_built(kit, lab.name);
  if (!why.empty()) throw kit_fault("lab " + lab.number() + "'s checks do not build: " + why);
  if (!ended) throw kit_fault("lab " + lab.number() + " is not built: the lines above say why");
}

Target find_target(const std::vector<MarkedLab>& labs, std::string_view typed) {
  const std::string last_part = word_of_path(typed);
  const std::string_view word = last_part;
  if (const MarkedLab* const lab = find_lab(labs, word)) return {lab, ""};
  const std::size_t dot = word.find('.');
  if (dot != std::string_view::npos) {
    const MarkedLab* const lab = find_lab(labs, word.substr(0, dot));
    if (lab == nullptr) throw unknown(all_names(labs), "lab", word.substr(0, dot));
    const std::string_view exercise = word.substr(dot + 1);
    if (lab->find(exercise) != nullptr) return {lab, std::string(exercise)};
    throw unknown(all_names({*lab}), fmt::format("exercise of {}", lab->name), exercise);
  }
  for (const MarkedLab& lab : labs) {
    if (lab.find(word) != nullptr) return {&lab, std::string(word)};
  }
  throw unknown(all_names(labs), "lab or exercise", word);
}

Target find_exercise(const std::vector<MarkedLab>& labs, std::string_view word) {
  Target target = find_target(labs, word);
  if (!target.exercise.empty()) return target;
  if (target.lab->exercises.size() == 1) {
    target.exercise = target.lab->exercises.front().name;
    return target;
  }
  std::string names;
  for (const MarkedExercise& exercise : target.lab->exercises) {
    names += (names.empty() ? "" : ", ") + target.lab->id_of(exercise.name);
  }
  throw usage(fmt::format("which exercise of {}? {}", target.lab->name, names));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace nibble::cli
