// The sections of the page: what needs a look, then each lab with its distribution, checks and
// mistakes, then everybody.
#include "export/class_page.hpp"

#include <fmt/format.h>

#include "export/class_figures.hpp"
#include "report/bars.hpp"
#include "report/html.hpp"

namespace nibble::gradebook {
namespace {

using report::html;

/// "41 (82 %)", which is not broken in two.
std::string count_and_share(int count, double share) {
  return fmt::format("{}\u00A0({:.0f}\u00A0%)", count, 100 * share);
}

std::string lead_of(const Class& all, std::size_t to_look_at, const std::string& written) {
  const char* const whose = all.is_anonymous
                                ? "Names mean nothing here; whose they are stands elsewhere."
                                : "It names students: keep it where their grades are kept.";
  return fmt::format("<p class=\"soft\">{}. {}</p>\n", html(written), whose) +
         report::key_figures({{"submissions", std::to_string(all.submissions().size())},
                              {"labs", std::to_string(all.labs().size())},
                              {"grades", std::to_string(all.graded.size())},
                              {"without a grade", std::to_string(all.ungraded.size())},
                              {"need a look", std::to_string(to_look_at)}});
}

std::string look_section(const std::vector<NeedsLook>& list) {
  if (list.empty()) return "<p>Nothing does.</p>\n";
  report::Table table("Results that a person should look at", {"student", "lab", "why"});
  for (const NeedsLook& one : list) table.row({html(one.student), html(one.lab), html(one.why)});
  return table.str();
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
  report::Table table(fmt::format("The spread of points on {}, as a table", figures.lab),
                      {"points", "submissions"});
  const std::vector<int> bins = figures.distribution();
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const auto bound = [&](std::size_t k) {
      return (static_cast<int>(k) * figures.possible + 9) / 10;
    };
    const int last = i == 9 ? figures.possible : bound(i + 1) - 1;
    table.row({fmt::format("{} to {}", bound(i), last), std::to_string(bins[i])});
  }
  return table.str();
}

std::string name_in(const CheckFigures& check) {
  return fmt::format("{} <span class=\"soft\">{}{}</span>", html(check.id), html(check.exercise),
                     check.hidden ? " · hidden" : "");
}

std::string checks_of(const LabFigures& figures) {
  report::Table table(
      fmt::format("Checks of {}, the hardest first, over the {} submissions that compile",
                  figures.lab, figures.graded - figures.no_compile),
      {"check", "what it asks", "passed", "share", "in part", "failed", "mean points"});
  for (const CheckFigures& check : figures.hardest()) {
    const double whole = check.judged();
    table.row({name_in(check), "<div class=\"words\">" + html(check.title) + "</div>",
               report::stacked_bar({{"good", check.passed * 1.0},
                                    {"part", check.part * 1.0},
                                    {"bad", check.failed * 1.0}},
                                   whole,
                                   fmt::format("{} passed, {} in part, {} failed", check.passed,
                                               check.part, check.failed)),
               count_and_share(check.passed, check.passing()), std::to_string(check.part),
               std::to_string(check.failed),
               fmt::format("{:.1f} of {}", check.mean_points(), check.max_points)});
  }
  return table.str();
}

std::string diagnoses_of(const LabFigures& figures, const report::Diagnoses& pages) {
  if (figures.diagnoses.empty()) return "<p>No check found a mistake that has a name.</p>\n";
  report::Table table(fmt::format("Mistakes in {}, the commonest first", figures.lab),
                      {"diagnosis", "what it is", "students", "share", "checks"});
  for (const DiagnosisFigures& one : figures.diagnoses) {
    table.row({"<code>" + html(one.code) + "</code>", html(pages.title(one.code)),
               report::stacked_bar({{"accent", one.students * 1.0}}, figures.graded,
                                   fmt::format("{} of {} students", one.students, figures.graded)),
               count_and_share(one.students, static_cast<double>(one.students) / figures.graded),
               std::to_string(one.checks)});
  }
  return table.str();
}

std::string lab_section(const LabFigures& figures, const report::Diagnoses& pages) {
  if (figures.graded == 0) return "<p>No submission has a grade.</p>\n";
  return report::key_figures(
             {{"graded", std::to_string(figures.graded)},
              {"median", fmt::format("{:.4g} of {}", figures.quantile(0.5), figures.possible)},
              {"middle half",
               fmt::format("{:.0f} to {:.0f}", figures.quantile(0.25), figures.quantile(0.75))},
              {"mean", fmt::format("{:.1f}", figures.mean())},
              {"full marks", std::to_string(figures.full_marks)},
              {"do not compile", std::to_string(figures.no_compile)}}) +
         "<div class=\"two\">\n" + distribution_of(figures) + distribution_table(figures) +
         "</div>\n" + "<h3>Checks</h3>\n" + checks_of(figures) + "<h3>Mistakes</h3>\n" +
         diagnoses_of(figures, pages);
}

// --- Everybody -----------------------------------------------------------------------------------

std::string points_cell(const Graded& one) {
  const std::string points = std::to_string(one.points());
  return one.by_hand ? points + " <span class=\"soft\">by hand</span>" : points;
}

std::string everybody(const Class& all) {
  std::vector<std::string> columns = {"student"};
  for (const std::string& lab : all.labs()) columns.push_back(lab);
  report::Table table("Points of everybody. A dash: no submission, or no grade", columns);
  for (const std::string& submission : all.submissions()) {
    std::string student = submission;
    std::vector<std::string> cells;
    for (const std::string& lab : all.labs()) {
      const Graded* const one = all.find(submission, lab);
      if (one != nullptr) student = one->student;
      cells.push_back(one == nullptr ? "–" : points_cell(*one));
    }
    cells.insert(cells.begin(), html(student));
    table.row(cells);
  }
  return table.str();
}

}  // namespace

std::string class_page(const Class& all, const std::string& written,
                       const report::Diagnoses& diagnoses) {
  const std::vector<NeedsLook> list = needs_look(all);
  report::Page page("Nibble class report", lead_of(all, list.size(), written));
  page.section("needs-a-look", "Needs a look", look_section(list));
  for (const std::string& lab : all.labs()) {
    page.section("lab-" + lab, lab, lab_section(figures_of(all, lab), diagnoses));
  }
  page.section("everybody", "Everybody", everybody(all));
  return page.str();
}

}  // namespace nibble::gradebook
