// The lines of a verdict from head to foot: the first failure in full,
// then each check on a line, then how to go on.
#include "report/screen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "report/estimate.hpp"
#include "report/same_reason.hpp"
#include "report/sanitizer.hpp"

namespace nibble::report {
namespace {

using record::End;
using record::FailedCase;
using record::first_failing;

constexpr std::size_t kErrorLines = 14, kOutputLines = 6;
constexpr std::string_view kIndent = "        ";

std::size_t count_passed(const Result& results) {
  return static_cast<std::size_t>(std::ranges::count_if(results.checks, [](const Check& check) {
    return is_good(check.status) && !waits_for_speed(check);
  }));
}

std::size_t count_run(const Result& results) {
  return results.checks.size() -
         static_cast<std::size_t>(std::ranges::count_if(results.checks, record::waits_for_speed));
}

std::string plural(std::size_t count, const std::string& word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

// --- The header ----------------------------------------------------------------------------------

std::string painted_word(const Result& results, const Paint& paint) {
  if (results.passes()) return paint.good("PASS");
  return paint.bad(results.end == End::kFail ? "FAIL" : "STOP");
}

std::string times(const View& view) {
  if (view.compiled_before) return fmt::format("(compiled before, run {:.2f})", view.run_seconds);
  return fmt::format("(compile {:.2f}, link {:.2f}, run {:.2f})", view.compile_seconds,
                     view.link_seconds, view.run_seconds);
}

/// No GPU has run these kernels.
bool is_emulated(const Result& results) {
  return results.legs.simt == LegState::kRan && results.legs.gpu != LegState::kRan;
}

std::string header(const Result& results, const View& view) {
  return fmt::format("{}  {}   {} of {}     {} of {}{} points     {:.2f} s  {}{}\n",
                     painted_word(results, view.paint), view.paint.loud(view.subject),
                     count_passed(results), plural(count_run(results), "check"), results.points,
                     results.max_points, results.hidden.run ? "" : " public", results.seconds,
                     view.paint.quiet(times(view)),
                     is_emulated(results) ? "   " + view.paint.loud("EMULATED") : "");
}

// --- One check -----------------------------------------------------------------------------------

/// "looks like N-ROUND: wrong half-way rule".
std::string diagnosis_text(const Check& check, const Diagnoses& diagnoses) {
  const std::string& code = check.diagnosis;
  if (code.empty()) return "";
  const std::string title = diagnoses.title(code);
  return hedge_of(check) + code + (title.empty() ? "" : ": " + title);
}

std::string check_line(const Check& check, std::size_t width, const Diagnoses& diagnoses,
                       const Paint& paint) {
  const std::string diagnosis = diagnosis_text(check, diagnoses);
  std::string line = fmt::format("  {}  {:<{}}  {:>6}", painted_status(check, paint), check.id,
                                 width, points_text(check));
  if (!diagnosis.empty()) line += "   " + paint.loud(diagnosis);
  if (check.hidden && !is_good(check.status)) {
    line += "   (hidden: its values are not shown)";
  }
  return line + "\n";
}

std::string line(std::string_view text) { return fmt::format("{}{}\n", kIndent, text); }

std::string first_lines(std::string_view text, std::size_t most, std::string_view indent) {
  std::string kept;
  std::istringstream in{std::string(text)};
  std::string one;
  for (std::size_t n = 0; n < most && std::getline(in, one); ++n) {
    kept += fmt::format("{}{}\n", indent, one.substr(0, 300));
  }
  return kept;
}

std::string input_text(const FailedCase& first) {
  const std::string input = first.input.empty() ? "" : line("input  " + first.input);
  if (first.shrunk.empty()) return input;
  const std::string steps =
      first.steps == 0
          ? ""
          : fmt::format(" in {}", plural(static_cast<std::size_t>(first.steps), "step"));
  return line(fmt::format("smallest failing input: {} (from {}{})", first.shrunk, first.name,
                          steps)) +
         input;
}

std::string values_text(const Check& check, const FailedCase& first) {
  std::string text;
  if (!first.index.empty()) text += "at " + index_text(first.index) + "   ";
  if (!first.got.empty()) text += "got " + first.got + "   ";
  if (!first.want.empty()) text += "want " + first.want + "   ";
  if (!check.tolerance.empty()) text += "tolerance " + check.tolerance;
  while (text.ends_with(' ')) text.pop_back();
  return text.empty() ? "" : line(text);
}

/// "   labs/03_symmetric/symmetric.cpp:27", or nothing.
std::string location_text(const std::optional<record::Location>& place) {
  return place ? "   " + text_of(*place) : "";
}

std::string message_text(const Check& check) {
  std::string message = check.message;
  if (check.status != CheckStatus::kFail) message = word_of(check.status) + (": " + message);
  const std::string place = location_text(check.location);
  const bool told = message.find(place.substr(place.rfind('/') + 1) + ":") != std::string::npos;
  return line(message + (told ? "" : place));
}

/// Everything about the first check that fails.
std::string details(const Check& check) {
  std::string text = line("the contract says: " + check.title);
  if (check.message.empty()) return text;
  const FailedCase first = check.first.value_or(FailedCase{});
  text += message_text(check) + input_text(first) + values_text(check, first);
  const std::string seen = check.status == CheckStatus::kCrash ? summary(check.output) : "";
  if (!seen.empty()) {
    text += line(seen);
  } else if (!check.output.empty()) {
    text += line("your program printed:");
    text += first_lines(check.output, kOutputLines, "          ");
  }
  return text;
}

/// The checks of a lab, exercise by exercise.
class CheckList {
 public:
  CheckList(const std::vector<Check>& checks, const Diagnoses& diagnoses, const View& view)
      : checks_(checks), diagnoses_(diagnoses), view_(view), first_(first_failing(checks)) {
    for (const Check& check : checks) {
      width_ = std::max(width_, check.id.size());
      if (check.exercise != checks.front().exercise) several_ = true;
    }
  }

  std::string text() {
    for (const Check& check : checks_) {
      if (!waits_for_speed(check)) add(check);
    }
    say_the_rest();
    return text_;
  }

 private:
  void add(const Check& check) {
    if (check.exercise != exercise_) say_the_rest();
    if (several_ && check.exercise != exercise_) {
      text_ += " " + view_.paint.quiet(check.exercise) + "\n";
    }
    exercise_ = check.exercise;
    if (is_waiting(check)) {
      ++waiting_;
    } else if (reasons_.holds_of(check)) {
      folded_.push_back(&check);
    } else {
      tell(check);
    }
  }

  void tell(const Check& check) {
    text_ += check_line(check, width_, diagnoses_, view_.paint);
    if (&check == first_) {
      text_ += details(check);
    } else if (!check.message.empty() && check.message != message_) {  // the same crash: once
      text_ += message_text(check);
    }
    message_ = check.message;
  }

  void say_the_rest() {
    if (!folded_.empty()) {
      int points = 0, most = 0;
      std::vector<std::string> names;
      for (const Check* const check : folded_) {
        points += check->points;
        most += check->max_points;
        names.push_back(check->id);
      }
      text_ += fmt::format("  {}  {:<{}}  {:>6}   probably for the same reason: {}\n",
                           view_.paint.bad("fail"), fmt::format("{} more", names.size()), width_,
                           fmt::format("{}/{}", points, most), fmt::join(names, ", "));
    }
    folded_.clear();
    if (waiting_ > 0) {
      text_ += fmt::format(
          "  not run: {} on {}\n",
          plural(waiting_, "check") + (waiting_ == 1 ? " that builds" : " that build"), exercise_);
    }
    waiting_ = 0;
  }

  const std::vector<Check>& checks_;
  const Diagnoses& diagnoses_;
  const View& view_;
  const Check* first_;
  std::size_t width_ = 20, waiting_ = 0;
  bool several_ = false;
  std::string text_, exercise_, message_;
  std::vector<const Check*> folded_;
  SameReason reasons_;
};

// --- What else there is to say -------------------------------------------------------------------

std::string legs_line(const Result& results, const View& view) {
  if (is_emulated(results)) {
    const std::string& why = results.not_here.gpu;
    const std::string of_gpu =
        results.legs.gpu == LegState::kNone ? "host code is judged on the engine alone"
        : !why.empty()     ? "gpu not run: " + why + ", and nothing is counted against you"
        : results.passes() ? "gpu not asked yet"
                           : "gpu not run before every check passes";
    return view.paint.quiet(fmt::format("legs    simt {} of {} · {}\n", count_passed(results),
                                        count_run(results), of_gpu));
  }
  if (results.legs.plain != LegState::kRan) return "";
  std::string text =
      fmt::format("legs    plain {} of {}", count_passed(results), count_run(results));
  if (results.legs.sanitizers == LegState::kNotRun && results.end == End::kFail) {
    text += " · sanitizers run when plain is green";
  }
  if (view.sanitizers_follow) text += " · the sanitizers look next, and may stop it";
  if (results.legs.speed == LegState::kNotRun) text += " · speed is measured after them";
  return view.paint.quiet(text) + "\n";
}

std::string replay_lines(const Result& results) {
  const Check* const first = first_failing(results.checks);
  if (first == nullptr) return "";
  std::string text;
  if (!first->replay.empty()) text += "replay  ./" + first->replay + "\n";
  const std::string& code = first->diagnosis;
  text += code.empty() || code == "N-STUB"
              ? "hint    ./nibble hint\n"
              : "next    ./nibble explain " + code + "     or     ./nibble hint\n";
  return text;
}

std::string rule_line(const Result& results, const View& view) {
  if (results.odd_imports.empty()) return "";
  return fmt::format("{}  calls {}, which no lab needs: your instructor will look at it\n",
                     view.paint.bad("RULE"), fmt::join(results.odd_imports, ", "));
}

std::string printing_line(const Result& results, const View& view) {
  if (results.prints.empty()) return "";
  return view.paint.quiet(fmt::format(
      "prints  through {}: no rule forbids it and nobody grades it, but it takes time\n",
      fmt::join(results.prints, ", ")));
}

std::vector<std::string> warnings(const Result& results) {
  std::istringstream lines(results.compile_message);
  std::vector<std::string> all;
  for (std::string one; std::getline(lines, one);) {
    if (one.find(": warning: ") != one.npos) all.push_back(one.substr(0, 200));
  }
  return all;
}

bool is_of_unset_variable(const std::string& warning) {
  return warning.find("uninitialized") != warning.npos;
}

/// A variable without a value explains whatever fails: the first line.
std::string unset_variable_line(const Result& results) {
  if (first_failing(results.checks) == nullptr) return "";
  const std::vector<std::string> all = warnings(results);
  const auto unset = std::ranges::find_if(all, is_of_unset_variable);
  return unset == all.end() ? "" : "unset   " + *unset + "\n";
}

/// What the compiler warned of besides: often the reason of what failed.
std::string warning_lines(const Result& results) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> all = warnings(results);
  if (!unset_variable_line(results).empty()) {
    all.erase(std::ranges::find_if(all, is_of_unset_variable));
  }
  std::string text;
  for (const std::string& one : std::span(all).first(std::min(all.size(), kMost))) {
    text += "warns   " + one + "\n";
  }
  if (all.size() > kMost) text += fmt::format("warns   and {} more\n", all.size() - kMost);
  return text;
}

std::string kept_output_line(const Result& results) {
  const bool printed =
      std::ranges::any_of(results.checks, [](const Check& check) { return !check.output.empty(); });
  if (!printed || first_failing(results.checks) != nullptr) return "";
  return fmt::format("what your program printed is kept in .nibble/out/{}/results.json\n",
                     results.lab);
}

std::string compile_text(const Result& results, const View& view) {
  return fmt::format("{}  {}   does not compile     {:.2f} s\n", painted_word(results, view.paint),
                     view.paint.loud(view.subject), results.seconds) +
         first_errors(results.compile_message, kErrorLines) +
         "the first error is the one to look at: later ones often follow from it\n";
}

}  // namespace

std::string Paint::in(std::string_view code, std::string_view text) const {
  return on ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

std::string index_text(const std::vector<std::size_t>& index) {
  return fmt::format("[{}]", fmt::join(index, ","));
}

std::string painted_status(const Check& check, const Paint& paint) {
  const bool stopped = is_stop(check.status) && check.status != CheckStatus::kOdd;
  const char* const word = stopped ? "stop" : name_of(check.status);
  return is_good(check.status) ? paint.good(word) : paint.bad(word);
}

std::string points_text(const Check& check) {
  return fmt::format("{}/{}", check.points, check.max_points);
}

std::string first_errors(std::string_view diagnostics, std::size_t lines) {
  // Notes about the way to an error come before it: start where the error itself is.
  std::size_t begin = diagnostics.find("error:");
  if (begin != std::string_view::npos) begin = diagnostics.rfind('\n', begin);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  return first_lines(diagnostics.substr(begin), lines, "  ");
}

std::string verdict_text(const Result& results, const Diagnoses& diagnoses, const View& view) {
  if (!results.compiles()) return compile_text(results, view);
  std::string text = header(results, view) + unset_variable_line(results) +
                     CheckList(results.checks, diagnoses, view).text() + rule_line(results, view) +
                     printing_line(results, view) + warning_lines(results) +
                     kept_output_line(results) + legs_line(results, view);
  return text + replay_lines(results);
}

/// As people say it.
static const char* leg_word(protocol::Leg leg) {
  return leg == protocol::Leg::kGpuSanitizer ? "compute-sanitizer" : name_of(leg);
}

/// What a leg without points found.
static std::string finding_text(const Result& results, const View& view) {
  const record::Finding& finding = *results.finding;
  std::string text =
      fmt::format("{}  {}   {}: {}{}", view.paint.bad("STOP"), view.paint.loud(view.subject),
                  leg_word(finding.leg), finding.message, location_text(finding.location));
  text += fmt::format("\n{}in {}{}", kIndent, finding.check,
                      finding.case_name.empty() ? "" : ", case " + finding.case_name);
  if (first_failing(results.checks) != nullptr) return text + "\n";
  text += "; it costs no points, and the exercise stays open until it is gone\n";
  if (!finding.replay.empty()) text += "replay  ./" + finding.replay + "\n";
  return text;
}

std::string hidden_text(const Result& results, const Diagnoses& diagnoses, const View& view) {
  std::vector<Check> hidden;
  std::ranges::copy_if(results.checks, std::back_inserter(hidden), &Check::hidden);
  if (hidden.empty()) return "";
  std::string text = header(results, view) + CheckList(hidden, diagnoses, view).text();
  const auto found_here = [&](const Check& check) {
    return results.finding && results.finding->check == check.id &&
           results.finding->exercise == check.exercise;
  };
  return std::ranges::any_of(hidden, found_here) ? text + finding_text(results, view) : text;
}

static std::string sanitizers_text(const Result& results, double seconds, const View& view) {
  if (results.legs.sanitizers == LegState::kNotHere) {
    return "sanitizers  cannot be built on this machine: not counted against you\n";
  }
  if (results.legs.sanitizers == LegState::kNoCompile) {
    return "sanitizers  this file compiles without them and not with them, so that they saw "
           "nothing: "
           "your instructor will look at it\n" +
           first_errors(results.compile_message, kErrorLines);
  }
  if (results.finding) return finding_text(results, view);
  return fmt::format("sanitizers  found nothing{}     {:.2f} s\n", results.passes() ? "" : " more",
                     seconds);
}

static std::string gpu_text(const Result& results, double seconds, const View& view) {
  if (results.finding) return finding_text(results, view);
  if (results.legs.gpu == LegState::kNotHere) {
    return "gpu         not run: " + results.not_here.gpu + "\n";
  }
  return fmt::format("gpu         the same values on {}     {:.2f} s\n",
                     results.environment.gpu.value_or("the GPU"), seconds);
}

static std::string gpu_sanitizer_text(const Result& results, double seconds, const View& view) {
  if (results.finding) return finding_text(results, view);
  if (results.legs.gpu_sanitizer == LegState::kNotHere) {
    return "gpu         not looked into: " + results.not_here.gpu_sanitizer + "\n";
  }
  return fmt::format("gpu         compute-sanitizer found nothing     {:.2f} s\n", seconds);
}

std::string leg_text(protocol::Leg leg, const Result& results, double seconds, const View& view) {
  if (leg == protocol::Leg::kSanitizers) return sanitizers_text(results, seconds, view);
  if (leg == protocol::Leg::kGpu) return gpu_text(results, seconds, view);
  if (leg == protocol::Leg::kGpuSanitizer) return gpu_sanitizer_text(results, seconds, view);
  return speed_text(results, seconds, view);
}

std::string closing_text(const Result& results, const View& view) {
  const int points = results.hidden.max_points;
  std::string text;
  const Elsewhere rest = elsewhere(results);
  if (rest.points > 0) {
    text += "points  " + points_words(results.points, results.max_points, rest) + "\n";
  }
  if (results.passes() && !view.next.empty()) text += "next    " + view.next + "\n";
  if (results.hidden.run || points == 0) return text;
  text += fmt::format(
      "public checks only: hidden checks are worth {} more points and are run {}\n", points,
      view.hidden_here ? "by your instructor, or here with --hidden" : "by your instructor");
  return text;
}

std::string one_line(const Result& results, const View& view) {
  const std::string head = painted_word(results, view.paint);
  if (!results.compiles()) {
    std::string first = first_errors(results.compile_message, 1);
    while (!first.empty() && (first.back() == '\n' || first.back() == ' ')) first.pop_back();
    return fmt::format("{} does not compile   {:.2f} s {}", head, results.seconds, first);
  }
  std::string text = fmt::format("{} {}/{}   {:.2f} s", head, count_passed(results),
                                 count_run(results), results.seconds);
  if (const Check* const check = first_failing(results.checks)) {
    text += "   " + check->id + ": " + check->message;
    const FailedCase first = check->first.value_or(FailedCase{});
    if (!first.got.empty()) text += ": got " + first.got;
    if (!first.want.empty()) text += ", want " + first.want;
    if (!check->diagnosis.empty()) text += "   " + hedge_of(*check) + check->diagnosis;
  }
  return text;
}

std::string one_line_finding(const Result& results, const View& view) {
  return fmt::format("{} {}: {}{}", view.paint.bad("STOP"), leg_word(results.finding->leg),
                     results.finding->message, location_text(results.finding->location));
}

}  // namespace nibble::report
