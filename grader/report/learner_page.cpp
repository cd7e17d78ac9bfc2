// The sections of the page: sums, progress, then lab by lab the
// checks, the failing case and the roofline.
#include "report/learner_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/bars.hpp"
#include "report/base64.hpp"
#include "report/error_picture.hpp"
#include "report/html.hpp"
#include "report/number_line.hpp"
#include "report/picture.hpp"
#include "report/screen.hpp"

namespace nibble::report {
namespace {

/// Sums over the exercises of one lab, or of all.
struct Sums {
  int exercises = 0, done = 0, begun = 0, points = 0, earned = 0, tries = 0, hints = 0, seconds = 0;

  void add(const LearnerLab& lab) {
    for (const LearnerExercise& one : lab.exercises) {
      ++exercises;
      points += one.points;
      done += one.state == "done" ? 1 : 0;
      begun += one.state == "open" ? 1 : 0;
      earned += one.earned;
      tries += one.tries;
      hints += one.hints;
      seconds += one.seconds;
    }
  }
  const char* state() const {
    return done == exercises ? "done" : done + begun > 0 ? "open" : "untouched";
  }
};

Sums sums_of(const LearnerLab& lab) {
  Sums sums;
  sums.add(lab);
  return sums;
}

std::string time_words(int seconds) {
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min", seconds / 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds / 60 % 60);
}

std::string lead_of(const LearnerReport& report) {
  Sums all;
  int labs_done = 0;
  for (const LearnerLab& lab : report.labs) {
    all.add(lab);
    labs_done += sums_of(lab).done == sums_of(lab).exercises ? 1 : 0;
  }
  return fmt::format(
             "<p class=\"soft\">Nibble {} · {}. Public checks only: hidden ones are run by "
             "your instructor.</p>\n",
             html(report.version), html(report.written)) +
         key_figures({{"public points", fmt::format("{} of {}", all.earned, all.points)},
                      {"exercises", fmt::format("{} of {}", all.done, all.exercises)},
                      {"labs finished", fmt::format("{} of {}", labs_done, report.labs.size())},
                      {"time at work", time_words(all.seconds)},
                      {"hints used", std::to_string(all.hints)}});
}

std::string progress_of(const std::vector<LearnerLab>& labs) {
  Table table("Every lab: exercises done, public points, tries, hints and time",
              {"lab", "state", "exercises", "done", "points", "tries", "hints", "time"});
  for (const LearnerLab& lab : labs) {
    const Sums sums = sums_of(lab);
    const std::string done = fmt::format("{} of {}", sums.done, sums.exercises);
    table.row({html(lab.name), status_badge(sums.state()),
               stacked_bar(
                   {{"good", sums.done * 1.0}, {"part", sums.begun * 1.0}}, sums.exercises,
                   fmt::format("{} done, {} begun, of {}", sums.done, sums.begun, sums.exercises)),
               done, points_words(sums.earned, sums.points, lab.elsewhere),
               std::to_string(sums.tries), std::to_string(sums.hints), time_words(sums.seconds)});
  }
  return table.str();
}

std::string outcome_words(const Result& results) {
  if (!results.compiles()) return "It does not compile yet.";
  std::string words = results.passes() ? "Every check passed" : "Not every check passed";
  if (results.end == record::End::kStopped)
    words = "It was stopped, or a second look found something";
  return fmt::format("{}: {} points. Last run {}.", words,
                     points_words(results.points, results.max_points, elsewhere(results)),
                     results.started);
}

std::string diagnosis_words(const Check& check, const Diagnoses& diagnoses) {
  const std::string& code = check.diagnosis;
  if (code.empty()) return "";
  const std::string title = diagnoses.title(code);
  return fmt::format("{}<code>{}</code>{}", hedge_of(check), html(code),
                     title.empty() ? "" : " " + html(title));
}

std::string checks_table(const Result& results, const Diagnoses& diagnoses) {
  Table table(fmt::format("Checks of {}", results.lab),
              {"check", "outcome", "points", "diagnosis", "what it says"});
  for (const Check& check : results.checks) {
    table.row({html(check.id) + " <span class=\"soft\">" + html(check.exercise) + "</span>",
               status_badge(name_of(check.status)),
               fmt::format("{}\u00A0of\u00A0{}", check.points, check.max_points),
               diagnosis_words(check, diagnoses),
               "<div class=\"words\">" + html(check.message.empty() ? check.title : check.message) +
                   "</div>"});
  }
  return table.empty() ? "" : table.str();
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
    body += figure(map, "What came, element by element; the marked ones are wrong.");
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

std::string speed_of(const Result& results) {
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

/// As an image: whatever the file holds, nothing in it runs.
std::string roofline_of(const LearnerLab& lab) {
  if (lab.roofline_svg.empty()) return "";
  return fmt::format(
      "<h3>The roofline</h3>\n<figure>\n<img alt=\"Roofline of {0}: your kernels and the published "
      "ones below what this machine allows. The figures stand in the speed ladder.\" "
      "src=\"data:image/svg+xml;base64,{1}\"/>\n<figcaption>From the last <code>./nibble bench "
      "{0}</code>.</figcaption>\n</figure>\n",
      html(lab.name), base64(lab.roofline_svg));
}

std::string picture_of(const LearnerLab& lab) {
  if (!lab.picture) return "";
  return "<h3>What it looks like</h3>\n<p>From the last <code>./nibble show</code>.</p>\n" +
         picture_html(*lab.picture);
}

std::string lab_section(const LearnerLab& lab, const Diagnoses& diagnoses) {
  const Result& results = *lab.results;
  std::string body = "<p>" + html(outcome_words(results)) + "</p>\n";
  if (!results.compiles() && !results.compile_message.empty()) {
    body += "<pre>" + html(results.compile_message) + "</pre>\n";
  }
  if (results.finding) body += "<p>" + html(results.finding->message) + "</p>\n";
  return body + checks_table(results, diagnoses) + failing_cases(results) + picture_of(lab) +
         speed_of(results) + roofline_of(lab);
}

}  // namespace

std::string learner_page(const LearnerReport& report, const Diagnoses& diagnoses) {
  Page page("Your Nibble report", lead_of(report));
  page.section("progress", "Progress", progress_of(report.labs));
  for (const LearnerLab& lab : report.labs) {
    if (!lab.results) continue;
    page.section("lab-" + lab.name, lab.name.substr(0, 2) + " " + lab.title,
                 lab_section(lab, diagnoses));
  }
  return page.str();
}

}  // namespace nibble::report
