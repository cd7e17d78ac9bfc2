// How a run ended, what is wrong in one table, the first failing cases as pictures, then the rest.
#include "report/results_section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "report/bars.hpp"
#include "report/error_picture.hpp"
#include "report/estimate.hpp"
#include "report/html.hpp"
#include "report/number_line.hpp"
#include "report/same_reason.hpp"
#include "report/screen.hpp"
#include "text/moment.hpp"

namespace nibble::report {
namespace {

std::string outcome_words(const Result& results) {
  if (!results.compiles()) return "It does not compile yet.";
  std::string words = results.passes() ? "Every check passed" : "Not every check passed";
  if (results.end == record::End::kStopped)
    words = "It was stopped, or a second look found something";
  return fmt::format("{}: {} points. Last run {}, seed {}.", words,
                     points_words(results.points, results.max_points, elsewhere(results)),
                     text::dated(results.started), results.seed);
}

Table checks_table(const std::string& caption) {
  return {caption,
          {{"check"},
           {"outcome"},
           {"points", ColumnKind::kNumber},
           {"what it says", ColumnKind::kSentence}}};
}

std::vector<std::string> cells_of(const Check& check, CodePages& codes) {
  const std::string code = codes.link(check.diagnosis);
  return {html(check.id) + " <span class=\"soft\">" + html(check.exercise) + "</span>",
          status_badge(is_waiting(check) ? "skip" : name_of(check.status)),
          fmt::format("{}\u00A0of\u00A0{}", check.points, check.max_points),
          html(check.message.empty() ? check.title : check.message) +
              (code.empty() ? "" : "<div>" + hedge_of(check) + code + "</div>")};
}

std::string place_words(const std::vector<std::size_t>& index) {
  return index.empty() ? "" : fmt::format(" at [{}]", fmt::join(index, ", "));
}

/// What is typed to see it again: no word of it is cut at a hyphen.
std::string command_of(const std::string& replay) {
  std::string words;
  std::istringstream in(replay);
  for (std::string word; in >> word;) words += " <span>" + html(word) + "</span>";
  return "<code class=\"command\">./" + words.substr(1) + "</code>";
}

/// The smallest failing case of a check: its input, what was asked, then the picture.
std::string failing_case(const Check& check) {
  const record::FailedCase& first = *check.first;
  std::string body = fmt::format("<h3>{}: the case {}</h3>\n", html(check.id),
                                 html(first.shrunk.empty() ? first.name : first.shrunk));
  if (!check.title.empty()) {
    body += "<p>The contract says: <strong>" + html(check.title) + "</strong></p>\n";
  }
  if (!first.input.empty()) body += "<pre>" + html(first.input) + "</pre>\n";
  if (!first.want.empty()) {
    body += fmt::format("<p>Got <strong>{}</strong>, want <strong>{}</strong>{}.</p>\n",
                        html(first.got), html(first.want), html(place_words(first.index)));
  } else {
    body += "<p>" + html(check.message) + "</p>\n";
  }
  if (const std::string line = number_line(first.got, first.want); !line.empty()) {
    body += figure(line, "The answer and what it should be, on one line.");
  }
  const record::Compared compared = first.compared.value_or(record::Compared{});
  const std::string map = error_map(compared), wanted = wanted_map(compared);
  if (!wanted.empty()) {
    body += "<div class=\"two\">\n" +
            figure(map, "What came, element by element; the marked ones are wrong.") +
            figure(wanted, "What was wanted in their places.") + "</div>\n";
  } else if (!map.empty()) {
    body += figure(map, wrong_elements(compared));
  }
  if (const std::string spread = error_histogram(compared); !spread.empty()) {
    body += figure(spread, "How far the elements are off. The numbers on top are elements.");
  }
  if (!check.replay.empty()) {
    body += "<p>To see it again: " + command_of(check.replay) + "</p>\n";
  }
  return "<div class=\"case\">\n" + body + "</div>\n";
}

/// The first ones, each reason once; then others of which another mistake is known.
std::vector<const Check*> cases_of(const Result& results) {
  constexpr std::size_t kMost = 3;
  SameReason reasons;
  std::vector<const Check*> first, behind;
  std::set<std::pair<std::string, std::string>> told;  // exercises, and mistakes
  for (const Check& check : results.checks) {
    if (is_good(check.status) || !check.first || check.diagnosis == "N-STUB") continue;
    if (reasons.holds_of(check)) {
      behind.push_back(&check);
    } else {
      first.push_back(&check);
      told.insert({check.exercise, check.diagnosis});
    }
  }
  for (const Check* const check : behind) {
    if (told.insert({check->exercise, check->diagnosis}).second) first.push_back(check);
  }
  first.resize(std::min(first.size(), kMost));
  return first;
}

std::string failing_cases(const Result& results) {
  std::string body;
  for (const Check* const check : cases_of(results)) body += failing_case(*check);
  return body;
}

std::string folded_table(const std::string& line, const Table& table, bool printed = true) {
  return table.size() == 0 ? "" : folded(line, table.str(), printed);
}

/// What is wrong comes first, each reason once, with its cases; the rest, what is well and what was
/// not run, for those who ask; on paper not where nothing else is to be said.
std::string checks_of(const Result& results, CodePages& codes) {
  Table wrong = checks_table("What is wrong in " + results.lab),
        behind = checks_table("Failed as well in " + results.lab),
        waiting = checks_table("Not run yet in " + results.lab), well = checks_table(results.lab);
  SameReason reasons;
  int points = 0, most = 0;
  for (const Check& check : results.checks) {
    const bool is_behind = !is_waiting(check) && reasons.holds_of(check);
    points += is_behind ? check.points : 0;
    most += is_behind ? check.max_points : 0;
    Table& table = is_waiting(check)       ? waiting
                   : is_good(check.status) ? well
                   : is_behind             ? behind
                                           : wrong;
    table.row(cells_of(check, codes));
  }
  return wrong.str() + failing_cases(results) +
         folded_table(fmt::format("More that failed, probably for the same reason: {}, with {} of "
                                  "{} points",
                                  behind.size(), points, most),
                      behind) +
         folded_table(fmt::format("Checks that wait for a function that is not written yet: {}",
                                  waiting.size()),
                      waiting) +
         folded_table(fmt::format("{} {}: passed, in part, or not run", well.size(),
                                  wrong.size() == 0 ? "checks" : "other checks"),
                      well, !results.passes());
}

}  // namespace

std::string results_section(const Result& results, CodePages& codes) {
  std::string body = "<p>" + html(outcome_words(results)) + "</p>\n";
  if (!results.compiles() && !results.compile_message.empty()) {
    body += "<pre>" + html(results.compile_message) + "</pre>\n";
  }
  if (results.finding) body += "<p>" + html(results.finding->message) + "</p>\n";
  return body + checks_of(results, codes);
}

std::string speed_section(const Result& results) {
  std::string body;
  for (const Check& check : results.checks) {
    if (!check.speed) continue;
    const record::Speed& speed = *check.speed;
    const SpeedBar bar = {speed.ratio, speed.margin, speed.zero_at, speed.full_at};
    std::string words = fmt::format(
        "{}: {:.2f} times the speed of the published solution, give or "
        "take {:.2f}.",
        check.exercise, bar.ratio, bar.margin);
    if (speed.peak_gops > 0) {
      words += fmt::format(" {:.4g} GOPS; this machine's {} peak was {:.4g}.", speed.gops,
                           speed.isa, speed.peak_gops);
    }
    body += figure(speed_bar(bar, words), words);
  }
  return body.empty() ? "" : "<h3>The speed ladder</h3>\n" + body;
}

}  // namespace nibble::report
