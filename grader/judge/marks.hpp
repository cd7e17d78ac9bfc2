// The mark scheme of a lab: a table in a file of its own, grader/checks/NN_name/marks.cpp, so that
// it can be read where the checks are not built. A row without a check,
// or a check without a row, stops the judge.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "record/scheme.hpp"

namespace nibble::judge {

using record::Detail;

/// When a check runs: with the values, or after them, against the clock.
enum class When { kValues, kSpeed };

struct Mark {
  const char* exercise;  ///< a contract function; the GoogleTest suite has its name
  const char* check;     ///< the GoogleTest test
  int points;            ///< earned whole, or not at all; speed in part
  const char* code;      ///< the diagnosis of a failure, unless a closer look finds a better one
  const char* sentence;  ///< what the contract promises here
  When when = When::kValues;  ///< kSpeed: earned in part too; 0 points: shown by `nibble bench`
};

constexpr int total_points(std::span<const Mark> marks) {
  int points = 0;
  for (const Mark& mark : marks) points += mark.points;
  return points;
}

/// Begins a lab with its public rows. Returns true, so that a global can be initialised with it.
bool register_marks(const char* lab, std::span<const Mark> marks);

/// Adds its hidden rows: run when a course grades, told only as far as `detail` says.
bool register_hidden_marks(std::span<const Mark> marks, Detail detail = Detail::kKind);

/// One in a judge; every lab's in the program that writes them down.
const std::vector<record::Scheme>& all_schemes();

/// Of a judge's lab.
const std::string& lab_name();
const std::vector<record::Row>& all_rows();

}  // namespace nibble::judge
