// Counts a lab's results: the mean, quantiles, the hardest checks,
// the commonest diagnoses, who needs a look.
#include "export/class_figures.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "export/told.hpp"

namespace nibble::gradebook {
namespace {

CheckFigures& place_of(std::vector<CheckFigures>& checks, const Check& check) {
  const auto found = std::ranges::find_if(
      checks, [&](const CheckFigures& one) { return is_same_check(one, check); });
  if (found != checks.end()) return *found;
  return checks.emplace_back(CheckFigures{check});
}

void count(CheckFigures& figures, const Check& check) {
  if (is_skipped(check)) {
    ++figures.skipped;
    return;
  }
  ++(check.status == CheckStatus::kPass   ? figures.passed
     : check.status == CheckStatus::kPart ? figures.part
                                          : figures.failed);
  figures.points += check.points;
}

/// Of one result; parts of a lab are the same ones in all of its results.
void count(std::vector<PartFigures>& figures, const std::vector<GivenPart>& parts) {
  figures.resize(std::max(figures.size(), parts.size()));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    figures[i].title = parts[i].part.title;
    figures[i].most = parts[i].part.points;
    figures[i].points += parts[i].points.value_or(0);
    ++(parts[i].points ? figures[i].given : figures[i].outstanding);
  }
}

std::vector<DiagnosisFigures> commonest(const std::map<std::string, DiagnosisFigures>& by_code) {
  std::vector<DiagnosisFigures> sorted;
  for (const auto& [code, figures] : by_code) sorted.push_back(figures);
  std::ranges::stable_sort(sorted, [](const DiagnosisFigures& a, const DiagnosisFigures& b) {
    return a.students != b.students ? a.students > b.students : a.checks > b.checks;
  });
  return sorted;
}

}  // namespace

LabFigures figures_of(const Class& all, const std::string& lab) {
  LabFigures figures;
  figures.lab = lab;
  figures.possible = points_possible(all, lab);
  std::map<std::string, DiagnosisFigures> by_code;
  for (const Graded& one : all.graded) {
    if (one.lab() != lab) continue;
    ++figures.graded;
    figures.no_compile += one.results.compiles() ? 0 : 1;
    figures.full_marks += one.points() == figures.possible ? 1 : 0;
    figures.points.push_back(one.points());
    count(figures.parts, one.parts);
    std::set<std::string> codes;
    for (const Check& check : one.results.checks) {
      count(place_of(figures.checks, check), check);
      if (check.diagnosis.empty()) continue;
      DiagnosisFigures& diagnosis = by_code[check.diagnosis];
      diagnosis.code = check.diagnosis;
      ++diagnosis.checks;
      diagnosis.students += codes.insert(check.diagnosis).second ? 1 : 0;
    }
  }
  std::ranges::sort(figures.points);
  figures.diagnoses = commonest(by_code);
  return figures;
}

double LabFigures::mean() const {
  if (points.empty()) return 0.0;
  double sum = 0.0;
  for (const int one : points) sum += one;
  return sum / static_cast<double>(points.size());
}

double LabFigures::quantile(double share) const {
  if (points.empty()) return 0.0;
  const double place = share * static_cast<double>(points.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, points.size() - 1);
  const double part = place - static_cast<double>(below);
  return points[below] * (1.0 - part) + points[above] * part;
}

std::vector<int> LabFigures::distribution() const {
  std::vector<int> bins(10, 0);
  for (const int one : points) {
    const int bin = possible == 0 ? 0 : one * 10 / possible;
    ++bins[static_cast<std::size_t>(std::clamp(bin, 0, 9))];
  }
  return bins;
}

std::vector<CheckFigures> LabFigures::hardest() const {
  std::vector<CheckFigures> sorted = checks;
  std::ranges::stable_sort(sorted, {}, &CheckFigures::passing);
  return sorted;
}

std::vector<NeedsLook> needs_look(const Class& all) {
  std::vector<NeedsLook> list;
  for (const Ungraded& one : all.ungraded) {
    list.push_back({one.submission, one.lab, (one.refused ? "" : "no grade: ") + one.why});
  }
  for (const Graded& one : all.graded) {
    for (const std::string& word : one.results.needs_look) {
      const std::string why = word == "rule"  ? "calls functions that no lab needs"
                              : word == "leg" ? "compiles for one leg and not for another"
                              : word == "odd" ? "a measurement that is not believable"
                              : word == "noise"
                                  ? "a speed within noise of a step: the higher mark was given"
                                  : word;
      list.push_back({one.student, one.lab(), why});
    }
  }
  return list;
}

}  // namespace nibble::gradebook
