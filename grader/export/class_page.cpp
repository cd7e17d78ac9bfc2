// The sections of the page: what needs a look, then each lab with its distribution, checks and
// mistakes, then everybody.
#include "export/class_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "export/class_figures.hpp"
#include "record/check.hpp"
#include "report/bars.hpp"
#include "report/code_pages.hpp"
#include "report/html.hpp"
#include "text/moment.hpp"

namespace nibble::gradebook {
namespace {

using report::ColumnKind;
using report::html;
using report::Table;
using report::TableColumn;

/// What all of these have in common; of several the number and the noun.
std::string common_of(const std::set<std::string>& values, const char* noun) {
  if (values.size() == 1) return fmt::format("{} {}", noun, *values.begin());
  return fmt::format("{} {}s", values.size(), noun);
}

/// Which kit gave the grades, and on which inputs.
std::string origin_of(const Class& all) {
  std::set<std::string> versions, seeds;
  for (const Graded& one : all.graded) {
    versions.insert(one.results.version);
    seeds.insert(one.results.seed);
  }
  if (versions.empty()) return "";
  return fmt::format(" · graded by Nibble, {}, {}", common_of(versions, "version"),
                     common_of(seeds, "seed"));
}

std::string lead_of(const Class& all, std::size_t to_look_at, const std::string& course,
                    const std::string& written) {
  const char* const whose = all.is_anonymous
                                ? "Names mean nothing here; whose they are stands elsewhere."
                                : "It names students: keep it where their grades are kept.";
  const std::string of_course =
      course.empty() ? "" : "<p class=\"course\">" + html(course) + "</p>\n";
  return of_course +
         fmt::format("<p class=\"soft\">{}{}. {}</p>\n", html(text::dated(written)),
                     html(origin_of(all)), whose) +
         report::key_figures({{"submissions", std::to_string(all.submissions().size())},
                              {"labs", std::to_string(all.labs().size())},
                              {"grades", std::to_string(all.graded.size())},
                              {"without a grade", std::to_string(all.ungraded.size())},
                              {"need a look", std::to_string(to_look_at)}});
}

/// The first `most` rows in sight, the others for those who ask.
std::string first_of(std::vector<std::vector<std::string>> rows, std::size_t most,
                     const std::string& caption, const std::vector<TableColumn>& columns) {
  constexpr std::size_t kNotWorthIt = 2;
  if (rows.size() <= most + kNotWorthIt) most = rows.size();
  Table first(caption, columns), rest(caption + ", the others", columns);
  for (std::size_t i = 0; i < rows.size(); ++i) (i < most ? first : rest).row(rows[i]);
  if (rest.size() == 0) return first.str();
  return first.str() + report::folded(fmt::format("{} more", rest.size()), rest.str());
}

/// As people call somebody, where a course knows whom it expects.
std::string shown_name(const Class& all, const std::string& student) {
  const auto expected = all.expected.find(student);
  return expected == all.expected.end() ? student : expected->second;
}

std::string look_section(const Class& all, const std::vector<NeedsLook>& list) {
  constexpr std::size_t kMost = 8;
  if (list.empty()) return "<p>Nothing does.</p>\n";
  std::vector<std::vector<std::string>> rows;
  for (const NeedsLook& one : list)
    rows.push_back({html(shown_name(all, one.student)), html(one.lab), html(one.why)});
  return first_of(rows, kMost, "Results that a person should look at",
                  {{"student"}, {"lab"}, {"why", ColumnKind::kSentence}});
}

// --- One lab -------------------------------------------------------------------------------------

std::string distribution_of(const LabFigures& figures) {
  const std::vector<int> bins = figures.distribution();
  std::string says =
      fmt::format("Points on {}, in ten bins from 0 to {}:", figures.lab, figures.possible);
  for (const int count : bins) says += fmt::format(" {}", count);
  return report::figure(
      report::histogram(bins, 0, figures.possible, "points", says + "."),
      fmt::format("How {} submissions are spread over the points. The numbers on top are "
                  "submissions.",
                  figures.graded));
}

std::string distribution_table(const LabFigures& figures) {
  Table table(fmt::format("The spread of points on {}", figures.lab),
              {{"points"}, {"submissions", ColumnKind::kNumber}});
  const std::vector<int> bins = figures.distribution();
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const auto bound = [&](std::size_t k) {
      return (static_cast<int>(k) * figures.possible + 9) / 10;
    };
    const int last = i == 9 ? figures.possible : bound(i + 1) - 1;
    table.row({fmt::format("{} to {}", bound(i), last), std::to_string(bins[i])});
  }
  return report::folded("The spread as a table", table.str());
}

std::string name_in(const CheckFigures& check) {
  return fmt::format("{} <span class=\"soft\">{}{}</span>", html(check.id), html(check.exercise),
                     check.hidden ? " · hidden" : "");
}

std::string outcomes_of(const CheckFigures& check) {
  const std::string in_part = check.part == 0 ? "" : fmt::format(", {} in part", check.part);
  return report::stacked_bar(
      {{"good", check.passed * 1.0}, {"part", check.part * 1.0}, {"bad", check.failed * 1.0}},
      check.judged(), fmt::format("{} passed{}, {} failed", check.passed, in_part, check.failed));
}

std::string checks_of(const LabFigures& figures) {
  constexpr std::size_t kMost = 5;
  std::vector<std::vector<std::string>> rows;
  for (const CheckFigures& check : figures.hardest()) {
    rows.push_back({name_in(check), html(check.title), outcomes_of(check),
                    fmt::format("{:.0f} %", 100 * check.passing()),
                    fmt::format("{:.1f}\u00A0of\u00A0{}", check.mean_points(), check.max_points)});
  }
  return first_of(rows, kMost,
                  fmt::format("The hardest first, over the {} submissions that compile",
                              figures.graded - figures.no_compile),
                  {{"check"},
                   {"what it asks", ColumnKind::kSentence},
                   {"submissions", ColumnKind::kSentence},
                   {"passed", ColumnKind::kNumber},
                   {"mean points", ColumnKind::kNumber}});
}

std::string diagnoses_of(const LabFigures& figures, report::CodePages& codes) {
  constexpr std::size_t kMost = 5;
  if (figures.diagnoses.empty()) return "<p>No check found a mistake that has a name.</p>\n";
  std::vector<std::vector<std::string>> rows;
  for (const DiagnosisFigures& one : figures.diagnoses) {
    rows.push_back(
        {codes.link(one.code),
         report::stacked_bar({{"accent", one.students * 1.0}}, figures.graded,
                             fmt::format("{} of {} students", one.students, figures.graded)),
         fmt::format("{:.0f} %", 100.0 * one.students / figures.graded),
         std::to_string(one.checks)});
  }
  return first_of(rows, kMost, "The commonest first",
                  {{"diagnosis"},
                   {"students", ColumnKind::kSentence},
                   {"share", ColumnKind::kNumber},
                   {"checks", ColumnKind::kNumber}});
}

/// What people gave beside the checks, in a sentence each; empty: a lab is its checks.
std::string parts_of(const LabFigures& figures) {
  std::string text;
  for (const PartFigures& one : figures.parts) {
    text += html(fmt::format("{}: {} given, of {} points {:.1f} in the mean; outstanding: {}.",
                             one.title, one.given, one.most, one.mean(), one.outstanding)) +
            "<br>\n";
  }
  return text.empty() ? "" : "<p>" + text + "</p>\n";
}

std::string lab_section(const LabFigures& figures, report::CodePages& codes) {
  if (figures.graded == 0) return "<p>No submission has a grade.</p>\n";
  return report::key_figures(
             {{"graded", std::to_string(figures.graded)},
              {"median", fmt::format("{:.4g} of {}", figures.quantile(0.5), figures.possible)},
              {"middle half",
               fmt::format("{:.0f} to {:.0f}", figures.quantile(0.25), figures.quantile(0.75))},
              {"mean", fmt::format("{:.1f}", figures.mean())},
              {"full marks", std::to_string(figures.full_marks)},
              {"do not compile", std::to_string(figures.no_compile)}}) +
         parts_of(figures) + distribution_of(figures) + distribution_table(figures) +
         "<h3>Checks</h3>\n" + checks_of(figures) + "<h3>Mistakes</h3>\n" +
         diagnoses_of(figures, codes);
}

// --- Everybody -----------------------------------------------------------------------------------

/// What people call it: "05".
std::string digits_of(const std::string& lab) { return lab.substr(0, lab.find('_')); }

/// The first part that waits for a person; empty: none does.
std::string first_outstanding(const Graded& one) {
  const auto found = std::ranges::find_if(
      one.parts, [](const GivenPart& given) { return !given.points.has_value(); });
  return found == one.parts.end() ? "" : found->part.title;
}

/// Why it is not what the judge gave, or nothing at all; empty: it needs no words.
std::string reason_of(const Graded& one) {
  if (one.by_hand) return "by hand";
  if (const std::string part = first_outstanding(one); !part.empty()) return "no " + part + " yet";
  if (one.late.taken_off > 0) return fmt::format("{} off: late", one.late.taken_off);
  if (one.points() > 0) return "";
  if (!one.results.compiles()) return "does not compile";
  const Check* const failing = record::first_failing(one.results.checks);
  if (failing == nullptr || failing->diagnosis.empty()) return "no check passed";
  return failing->diagnosis == "N-STUB" ? "not written" : failing->diagnosis;
}

std::string reason_of(const Class& all, const std::string& submission, const std::string& lab) {
  for (const Ungraded& one : all.ungraded) {
    if (one.submission == submission && (one.lab == lab || one.lab == "?")) {
      return one.refused ? "refused" : "no grade";
    }
  }
  return "none came";
}

std::string with_reason(const std::string& points, const std::string& reason) {
  return reason.empty() ? points : points + " <span class=\"soft\">" + html(reason) + "</span>";
}

/// Numbers inside of names by their value, and no letter before another for being large.
std::string sort_key(const std::string& name) {
  std::string key, digits;
  const auto end_digits = [&] {
    if (!digits.empty()) key += fmt::format("{:0>12}", digits);
    digits.clear();
  };
  for (const char c : name) {
    if (c >= '0' && c <= '9') {
      digits += c;
    } else {
      end_digits();
      key += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  end_digits();
  return key;
}

/// Somebody's row, and what sorts it.
struct PersonRow {
  std::string key;
  std::vector<std::string> cells;
};

/// What one person has on one lab.
struct LabOutcome {
  const Graded* graded = nullptr;
  const Graded* without_file = nullptr;  ///< points of somebody who handed in nothing
};

/// Whoever handed in, has points without that, or is expected; by lab. Found once: a class may have
/// ten thousand grades.
std::map<std::string, std::map<std::string, LabOutcome>> people_of(const Class& all) {
  std::map<std::string, std::map<std::string, LabOutcome>> people;
  for (const std::string& submission : all.submissions()) people[submission];
  for (const Graded& one : all.graded) people[one.submission][one.lab()].graded = &one;
  for (const Graded& one : all.without_file) people[one.submission][one.lab()].without_file = &one;
  std::set<std::string> students;  // whose folder may have another name than their results
  for (const Graded& one : all.graded) students.insert(one.student);
  for (const auto& [name, shown] : all.expected) {
    if (!students.contains(name)) people[name];
  }
  return people;
}

PersonRow standing_of(const Class& all, const std::vector<std::string>& labs,
                      const std::string& submission,
                      const std::map<std::string, LabOutcome>& on_labs) {
  std::string student = submission;
  std::vector<std::string> cells;
  int sum = 0;
  for (const std::string& lab : labs) {
    const auto found = on_labs.find(lab);
    const LabOutcome on_lab = found == on_labs.end() ? LabOutcome{} : found->second;
    if (on_lab.without_file != nullptr) {
      sum += on_lab.without_file->points();
      cells.push_back(with_reason(std::to_string(on_lab.without_file->points()), "none came"));
      continue;
    }
    if (on_lab.graded == nullptr) {
      cells.push_back(with_reason("–", reason_of(all, submission, lab)));
      continue;
    }
    student = on_lab.graded->student;
    sum += on_lab.graded->points();
    cells.push_back(
        with_reason(std::to_string(on_lab.graded->points()), reason_of(*on_lab.graded)));
  }
  student = shown_name(all, student);
  cells.insert(cells.begin(), {html(student), "<strong>" + std::to_string(sum) + "</strong>"});
  return {sort_key(student), cells};
}

/// Of everybody who has a grade.
std::vector<std::string> means_of(const Class& all) {
  std::vector<std::string> cells = {"mean of the grades", ""};
  for (const std::string& lab : all.labs()) {
    cells.push_back(fmt::format("{:.1f}", figures_of(all, lab).mean()));
  }
  return cells;
}

std::string everybody(const Class& all) {
  int possible = 0;
  std::vector<TableColumn> columns = {{"student"}, {"sum", ColumnKind::kNumber}};
  for (const std::string& lab : all.labs()) {
    possible += points_possible(all, lab);
    columns.push_back({digits_of(lab), ColumnKind::kNumber});
  }
  const std::vector<std::string> labs = all.labs();
  std::vector<PersonRow> standings;
  for (const auto& [submission, on_labs] : people_of(all)) {
    standings.push_back(standing_of(all, labs, submission, on_labs));
  }
  std::ranges::stable_sort(standings, {}, &PersonRow::key);
  Table table(fmt::format("Points of everybody; the sum is of {}", possible), columns);
  for (const PersonRow& one : standings) table.row(one.cells);
  table.last_row(means_of(all));
  return report::folded(fmt::format("{} people, by name", standings.size()), table.str());
}

}  // namespace

std::string class_page(const Class& all, const std::string& course, const std::string& written,
                       const report::Diagnoses& diagnoses) {
  const std::vector<NeedsLook> list = needs_look(all);
  report::Page page("Nibble class report", lead_of(all, list.size(), course, written));
  report::CodePages codes(diagnoses);
  page.section("needs-a-look", "Needs a look", look_section(all, list));
  for (const std::string& lab : all.labs()) {
    page.section("lab-" + lab, lab, lab_section(figures_of(all, lab), codes));
  }
  page.section("everybody", "Everybody", everybody(all));
  codes.close(page);
  return page.str();
}

}  // namespace nibble::gradebook
