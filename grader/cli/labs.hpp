// The labs that are here, as their mark schemes describe them, and the words people use for them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/kit.hpp"
#include "record/scheme.hpp"

namespace nibble::cli {

struct MarkedExercise {
  std::string name;  ///< a contract function
  int points = 0;    ///< public ones
  int checks = 0;    ///< public ones
};

/// A lab with what its mark scheme says.
struct MarkedLab : lab::Lab {
  std::string title;  ///< "symmetric quantization"
  std::vector<MarkedExercise> exercises;
  int points = 0;         ///< public ones
  int hidden_points = 0;  ///< that this kit can check
  record::Scheme scheme;

  /// "03.quantize_symmetric": how progress, hints and replays name an exercise.
  std::string id_of(const std::string& exercise) const { return number() + "." + exercise; }
  const MarkedExercise* find(std::string_view exercise) const;
};

/// All of them, built or not. Throws Trouble when the kit is damaged.
std::vector<MarkedLab> read_labs(const lab::Kit& kit);

/// Has its judge, runner and headers built, or brought up to date.
/// Throws Trouble that says why they are not.
void must_be_built(const lab::Kit& kit, const MarkedLab& lab);

/// A lab, or one exercise of it.
struct Target {
  const MarkedLab* lab = nullptr;
  std::string exercise;  ///< empty: the whole lab

  std::string subject() const { return exercise.empty() ? lab->name : lab->id_of(exercise); }
};

/// "05_per_channel", "05", "5", "per_channel"; "05.quantize_per_channel"; "quantize_per_channel".
/// Throws Trouble that suggests the nearest name.
Target find_target(const std::vector<MarkedLab>& labs, std::string_view word);

/// As above, and it must be one exercise.
Target find_exercise(const std::vector<MarkedLab>& labs, std::string_view word);

/// "did you mean run? " when one of `names` is near; otherwise "".
std::string did_you_mean(const std::vector<std::string>& names, std::string_view word);

/// How many single-character edits make one word the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace nibble::cli
