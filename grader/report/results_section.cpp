// How a run ended, its checks in one table, and the first failing cases as pictures.
#include "report/results_section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/bars.hpp"
#include "report/error_picture.hpp"
#include "report/estimate.hpp"
#include "report/html.hpp"
#include "report/number_line.hpp"
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
           {"what it says", ColumnKind::kSentence},
           {"diagnosis", ColumnKind::kSentence}}};
}

std::vector<std::string> cells_of(const Check& check, CodePages& codes) {
  const std::string code = codes.link(check.diagnosis);
  return {html(check.id) + " <span class=\"soft\">" + html(check.exercise) + "</span>",
          status_badge(name_of(check.status)),
          fmt::format("{}\u00A0of\u00A0{}", check.points, check.max_points),
          html(check.message.empty() ? check.title : check.message),
          code.empty() ? "" : hedge_of(check) + code};
}

/// What is wrong comes first; what is well, and what was not run, for those who ask.
std::string checks_of(const Result& results, CodePages& codes) {
  Table wrong = checks_table("What is wrong in " + results.lab), well = checks_table(results.lab);
  for (const Check& check : results.checks) {
    (is_good(check.status) ? well : wrong).row(cells_of(check, codes));
  }
  if (well.size() == 0) return wrong.str();
  return wrong.str() +
         folded(fmt::format("{} other checks: passed, in part, or not run", well.size()),
                well.str());
}

std::string place_words(const std::vector<std::size_t>& index) {
  return index.empty() ? "" : fmt::format(" at [{}]", fmt::join(index, ", "));
}

/// The smallest failing case of a check: its input, then the picture.
std::string failing_case(const Check& check) {
  const record::FailedCase& first = *check.first;
  std::string body = fmt::format("<h3>{}: the case {}</h3>\n", html(check.id),
                                 html(first.shrunk.empty() ? first.name : first.shrunk));
  if (!first.input.empty()) body += "<pre>" + html(first.input) + "</pre>\n";
  if (!first.want.empty()) {
    body += fmt::format("<p>Got <strong>{}</strong>, want <strong>{}</strong>{}.</p>\n",
                        html(first.got), html(first.want), html(place_words(first.index)));
  }
  if (const std::string line = number_line(first.got, first.want); !line.empty()) {
    body += figure(line, "The answer and what it should be, on one line.");
  }
  const record::Compared compared = first.compared.value_or(record::Compared{});
  if (const std::string map = error_map(compared); !map.empty()) {
    body += "<div class=\"two\">\n" +
            figure(map, "What came, element by element; the marked ones are wrong.") +
            figure(wanted_map(compared), "What was wanted in their places.") + "</div>\n";
  }
  if (const std::string spread = error_histogram(compared); !spread.empty()) {
    body += figure(spread, "How far the elements are off. The numbers on top are elements.");
  }
  if (!check.replay.empty()) {
    body += "<p>To see it again: <code>./" + html(check.replay) + "</code></p>\n";
  }
  return body;
}

std::string failing_cases(const Result& results) {
  constexpr int kMost = 3;  // the first ones; the others often follow from them
  std::string body;
  int shown = 0;
  for (const Check& check : results.checks) {
    const bool told = check.first && check.diagnosis != "N-STUB";
    if (is_good(check.status) || !told || shown == kMost) continue;
    body += failing_case(check);
    ++shown;
  }
  return body;
}

}  // namespace

std::string results_section(const Result& results, CodePages& codes) {
  std::string body = "<p>" + html(outcome_words(results)) + "</p>\n";
  if (!results.compiles() && !results.compile_message.empty()) {
    body += "<pre>" + html(results.compile_message) + "</pre>\n";
  }
  if (results.finding) body += "<p>" + html(results.finding->message) + "</p>\n";
  return body + checks_of(results, codes) + failing_cases(results);
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
