// One section for each lab: what it came to, why, and what a run found.
#include "export/given_back.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "export/told.hpp"
#include "report/html.hpp"
#include "report/results_section.hpp"
#include "text/moment.hpp"

namespace nibble::gradebook {
namespace {

using report::html;

/// A fault of the grader is no business of the student's.
std::string why_none(const Ungraded& one) {
  const std::string lab = one.lab == "?" ? "your files" : one.lab;
  return one.refused ? fmt::format("{}: {}", lab, safe_text(one.why))
                     : fmt::format("{}: no grade yet", lab);
}

/// Empty: there is nothing in which people look for themselves.
std::string pseudonym_line(const GivenBack& one) {
  if (one.pseudonym.empty()) return "";
  return fmt::format("Where nobody has a name, as in a table of speed, you are {}.", one.pseudonym);
}

std::string lead_of(const Class& all, const GivenBack& one, const std::string& course,
                    const std::string& written) {
  std::string lead = fmt::format("<p class=\"soft\">{}{}{}</p>\n<ul>\n", html(course),
                                 course.empty() ? "" : " · ", html(text::dated(written)));
  for (const Graded* graded : one.graded) {
    lead += "<li>" + html(outcome_line(all, *graded)) + "</li>\n";
  }
  for (const Graded* without : one.without_file) {
    lead += "<li>" + html(outcome_line(all, *without)) + "</li>\n";
  }
  for (const Ungraded* ungraded : one.ungraded) {
    lead += "<li>" + html(why_none(*ungraded)) + "</li>\n";
  }
  lead += "</ul>\n";
  if (!one.pseudonym.empty()) lead += "<p>" + html(pseudonym_line(one)) + "</p>\n";
  return lead;
}

/// What a check took, and how to see it again. `width`: of the longest name.
std::string check_text(const Result& results, const Check& check, std::size_t width) {
  const std::string line = fmt::format("  {:<{}}  {:>2} of {:<2}  {}", name_of(results, check),
                                       width, check.points, check.max_points, why(check));
  std::string text = line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  if (!check.hidden && check.points < check.max_points && !check.replay.empty()) {
    text += fmt::format("  {:<{}}  to see it again: ./{}\n", "", width, check.replay);
  }
  return text;
}

std::string lab_text(const Class& all, const Graded& one) {
  const Result results = told(one.results);
  std::string text = outcome_line(all, one) + "\n";
  if (!results.compiles()) {
    return text + "  It does not compile:\n" + compile_message(results) + "\n";
  }
  std::size_t width = 0;
  for (const Check& check : results.checks) width = std::max(width, name_of(results, check).size());
  for (const Check& check : results.checks) {
    if (!is_skipped(check)) text += check_text(results, check, width);
  }
  return text;
}

}  // namespace

std::vector<GivenBack> given_back(const Class& all, const std::vector<Person>& roster) {
  std::map<std::string, GivenBack> by_submission;
  const auto of = [&](const std::string& submission, const std::string& student,
                      const std::string& user) -> GivenBack& {
    GivenBack& one = by_submission[submission];
    const Person* const person = find_person(roster, student);
    one.submission = submission;
    one.student = student;
    one.user = user;
    one.shown = person != nullptr ? shown(*person) : student;
    return one;
  };
  for (const Ungraded& one : all.ungraded) {
    of(one.submission, one.submission, one.user).ungraded.push_back(&one);
  }
  for (const Graded& one : all.graded) {
    of(one.submission, one.student, one.user).graded.push_back(&one);
  }
  for (const Graded& one : all.without_file) {
    of(one.submission, one.student, one.user).without_file.push_back(&one);
  }
  std::vector<GivenBack> everybody;
  for (auto& [submission, one] : by_submission) everybody.push_back(std::move(one));
  return everybody;
}

std::string outcome_line(const Class& all, const Graded& one) {
  const int possible = points_possible(all, one.lab());
  std::string line = fmt::format("{}: {} {}points", one.lab(), one.points(),
                                 possible == 0 ? "" : fmt::format("of {} ", possible));
  if (const std::string words = one.parts_words(); !words.empty()) line += "; " + words;
  if (!one.late.words.empty()) {
    line += fmt::format("; {}: {} points taken off", one.late.words, one.late.taken_off);
  }
  if (one.by_hand) line += "; " + one.by_hand->words;
  if (one.left_out > 0) line += "; " + one.left_out_words();
  return safe_text(line);
}

std::string feedback_page(const Class& all, const GivenBack& one, const std::string& course,
                          const std::string& written, const report::Diagnoses& diagnoses) {
  report::Page page(one.shown, lead_of(all, one, course, written));
  report::CodePages codes(diagnoses);
  for (const Graded* graded : one.graded) {
    const Result results = told(graded->results);
    page.section("lab-" + results.lab, results.lab,
                 report::results_section(results, codes) + report::speed_section(results));
  }
  codes.close(page);
  return page.str();
}

std::string feedback_text(const Class& all, const GivenBack& one, const std::string& course) {
  std::string text =
      fmt::format("{}{}{}\n", one.shown, course.empty() ? "" : " · ", safe_text(course));
  for (const Graded* graded : one.graded) text += "\n" + lab_text(all, *graded);
  for (const Graded* without : one.without_file) {
    text += "\n" + outcome_line(all, *without) + "\n";
  }
  for (const Ungraded* ungraded : one.ungraded) text += "\n" + why_none(*ungraded) + "\n";
  if (!one.pseudonym.empty()) text += "\n" + pseudonym_line(one) + "\n";
  return text;
}

}  // namespace nibble::gradebook
