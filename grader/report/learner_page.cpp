// The sections of the page: sums, progress, then lab by lab what a run found, and the roofline.
#include "report/learner_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/bars.hpp"
#include "report/base64.hpp"
#include "report/html.hpp"
#include "report/picture.hpp"
#include "report/results_section.hpp"
#include "text/moment.hpp"

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
             html(report.version), html(text::dated(report.written))) +
         key_figures({{"public points", fmt::format("{} of {}", all.earned, all.points)},
                      {"exercises", fmt::format("{} of {}", all.done, all.exercises)},
                      {"labs finished", fmt::format("{} of {}", labs_done, report.labs.size())},
                      {"time at work", time_words(all.seconds)},
                      {"hints used", std::to_string(all.hints)}});
}

/// What somebody else gives stands below, where it may take several lines.
std::string points_of(const Sums& sums, const Elsewhere& rest) {
  const std::string points = points_words(sums.earned, sums.points, {});
  if (rest.points == 0) return points;
  const std::string words = points_words(sums.earned, sums.points, rest);
  return points + " <span class=\"soft\">" + html(words.substr(words.find("; ") + 2)) + "</span>";
}

std::vector<std::string> cells_of(const LearnerLab& lab) {
  const Sums sums = sums_of(lab);
  const std::string words =
      fmt::format("{} done, {} begun, of {}", sums.done, sums.begun, sums.exercises);
  return {
      lab.results ? fmt::format("<a class=\"code\" href=\"#lab-{0}\">{0}</a>", html(lab.name))
                  : html(lab.name),
      status_badge(sums.state()),
      stacked_bar({{"good", sums.done * 1.0}, {"part", sums.begun * 1.0}}, sums.exercises, words),
      points_of(sums, lab.elsewhere),
      std::to_string(sums.tries),
      std::to_string(sums.hints),
      time_words(sums.seconds)};
}

/// Of labs that nobody touched there are names, for those who ask.
std::string progress_of(const std::vector<LearnerLab>& labs) {
  Table begun("Exercises done, public points, tries, hints and time",
              {{"lab"},
               {"state"},
               {"exercises", ColumnKind::kSentence},
               {"points", ColumnKind::kNumber},
               {"tries", ColumnKind::kNumber},
               {"hints", ColumnKind::kNumber},
               {"time", ColumnKind::kNumber}});
  std::vector<std::string> untouched;
  for (const LearnerLab& lab : labs) {
    if (lab.results || sums_of(lab).state() != std::string_view("untouched")) {
      begun.row(cells_of(lab));
    } else {
      untouched.push_back(html(lab.name));
    }
  }
  if (untouched.empty()) return begun.str();
  return begun.str() + folded(fmt::format("{} labs are not begun", untouched.size()),
                              fmt::format("<p>{}</p>\n", fmt::join(untouched, ", ")));
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

std::string lab_section(const LearnerLab& lab, CodePages& codes) {
  return results_section(*lab.results, codes) + picture_of(lab) + speed_section(*lab.results) +
         roofline_of(lab);
}

}  // namespace

std::string learner_page(const LearnerReport& report, const Diagnoses& diagnoses) {
  Page page("Your Nibble report", lead_of(report));
  CodePages codes(diagnoses);
  page.section("progress", "Progress", progress_of(report.labs));
  for (const LearnerLab& lab : report.labs) {
    if (!lab.results) continue;
    page.section("lab-" + lab.name, lab.name.substr(0, 2) + " " + lab.title,
                 lab_section(lab, codes));
  }
  codes.close(page);
  return page.str();
}

}  // namespace nibble::report
