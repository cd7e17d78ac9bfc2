// The lines of a verdict from head to foot: the first failure in full,
// then each check on a line, then how to go on.
#include "report/screen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "report/estimate.hpp"
#include "report/sanitizer.hpp"
#include "text/json_text.hpp"

namespace nibble::report {
namespace {

constexpr std::size_t kErrorLines = 14, kOutputLines = 6;
constexpr std::string_view kIndent = "        ";

/// Nothing is wrong with it: speed may be earned in part, and what cannot run here is no fault.
bool passed(const Json& check) {
  const std::string status = check.at("status");
  return status == "pass" || status == "part" || status == "skip";
}

/// A row of the speed leg that was not measured yet: its turn comes when the values are right.
bool waits_for_its_leg(const Json& check) {
  return text_at(check, "leg") == "speed" && check.at("status") == "skip";
}

/// A check that was not run because the function it builds on is not written.
bool is_waiting(const Json& check) {
  return check.value("diagnosis", "") == "N-STUB" && check.contains("first") &&
         check["first"].value("case", "").empty();
}

const Json* first_failing(const Json& results) {
  for (const Json& check : results.at("checks")) {
    if (!passed(check)) return &check;
  }
  return nullptr;
}

std::size_t count_passed(const Json& results) {
  const Json& checks = results.at("checks");
  return static_cast<std::size_t>(std::ranges::count_if(
      checks, [](const Json& check) { return passed(check) && !waits_for_its_leg(check); }));
}

std::size_t count_run(const Json& results) {
  const Json& checks = results.at("checks");
  return checks.size() -
         static_cast<std::size_t>(std::count_if(checks.begin(), checks.end(), waits_for_its_leg));
}

std::string plural(std::size_t count, const std::string& word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

// --- The header ----------------------------------------------------------------------------------

std::string big_word(const Json& results) {
  const std::string verdict = results.at("verdict");
  if (verdict == "pass") return "PASS";
  return verdict == "fail" ? "FAIL" : "STOP";
}

std::string painted_word(const Json& results, const Paint& paint) {
  const std::string word = big_word(results);
  return word == "PASS" ? paint.good(word) : paint.bad(word);
}

std::string times(const View& view) {
  if (view.compiled_before) return fmt::format("(compiled before, run {:.2f})", view.run_seconds);
  return fmt::format("(compile {:.2f}, link {:.2f}, run {:.2f})", view.compile_seconds,
                     view.link_seconds, view.run_seconds);
}

/// No GPU has run these kernels.
bool is_emulated(const Json& results) {
  const Json& legs = results.at("legs");
  return legs.at("simt") == "ran" && legs.at("gpu") != "ran";
}

std::string header(const Json& results, const View& view) {
  const bool hidden = results.at("hidden").at("run");
  return fmt::format("{}  {}   {} of {}     {} of {}{} points     {:.2f} s  {}{}\n",
                     painted_word(results, view.paint), view.paint.loud(view.subject),
                     count_passed(results), plural(count_run(results), "check"),
                     results.at("points").get<int>(), results.at("max_points").get<int>(),
                     hidden ? "" : " public", results.at("seconds").get<double>(),
                     view.paint.quiet(times(view)),
                     is_emulated(results) ? "   " + view.paint.loud("EMULATED") : "");
}

// --- One check -----------------------------------------------------------------------------------

/// "N-ROUND: wrong half-way rule"; "looks like …" when another diagnosis fits as well.
std::string diagnosis_text(const Json& check, const Diagnoses& diagnoses) {
  const std::string code = text_at(check, "diagnosis");
  if (code.empty()) return "";
  const std::string title = diagnoses.title(code);
  return (check.value("sure", true) ? "" : "looks like ") + code +
         (title.empty() ? "" : ": " + title);
}

std::string check_line(const Json& check, std::size_t width, const Diagnoses& diagnoses,
                       const Paint& paint) {
  const std::string status = check.at("status");
  const std::string word = status == "pass" || status == "part" || status == "skip" ||
                                   status == "fail" || status == "odd"
                               ? status
                               : "stop";
  const std::string points =
      fmt::format("{}/{}", check.at("points").get<int>(), check.at("max_points").get<int>());
  const std::string diagnosis = diagnosis_text(check, diagnoses);
  std::string line =
      fmt::format("  {}  {:<{}}  {:>6}", passed(check) ? paint.good(word) : paint.bad(word),
                  text_at(check, "id"), width, points);
  if (!diagnosis.empty()) line += "   " + paint.loud(diagnosis);
  if (text_at(check, "visibility") == "hidden" && !passed(check)) {
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

std::string input_text(const Json& first) {
  const std::string input = text_at(first, "input");
  if (!first.contains("shrunk")) return input.empty() ? "" : line("input  " + input);
  const int steps = first.value("steps", 0);
  const std::string found = fmt::format(
      "smallest failing input: {} (from {}{})", text_at(first, "shrunk"), text_at(first, "case"),
      steps == 0 ? "" : fmt::format(" in {}", plural(static_cast<std::size_t>(steps), "step")));
  return line(found) + (input.empty() ? "" : line("input  " + input));
}

std::string values_text(const Json& check, const Json& first) {
  std::string text;
  if (first.contains("index")) text += "at " + index_text(first["index"]) + "   ";
  if (first.contains("got")) text += "got " + text_at(first, "got") + "   ";
  if (first.contains("want")) text += "want " + text_at(first, "want") + "   ";
  if (check.contains("tolerance")) text += "tolerance " + text_at(check, "tolerance");
  while (text.ends_with(' ')) text.pop_back();
  return text.empty() ? "" : line(text);
}

/// "   labs/03_symmetric/symmetric.cpp:27", or nothing.
std::string location_text(const Json& object) {
  if (!object.contains("location")) return "";
  return fmt::format("   {}:{}", text_at(object["location"], "file"),
                     object["location"]["line"].get<int>());
}

std::string message_text(const Json& check) {
  std::string message = text_at(check, "message");
  const std::string status = check.at("status");
  if (status != "fail") message = status_word(status) + ": " + message;
  const std::string place = location_text(check);
  const bool told = message.find(place.substr(place.rfind('/') + 1) + ":") != std::string::npos;
  return line(message + (told ? "" : place));
}

/// Everything about the first check that fails.
std::string details(const Json& check) {
  if (!check.contains("message")) return line("the contract says: " + text_at(check, "title"));
  const Json first = check.value("first", Json::object());
  std::string text = line("the contract says: " + text_at(check, "title"));
  text += message_text(check) + input_text(first) + values_text(check, first);
  const std::string output = text_at(check, "output");
  if (!output.empty() && check.at("status") == "crash" && !summary(output).empty()) {
    text += line(summary(output));
  } else if (!output.empty()) {
    text += line("your program printed:");
    text += first_lines(output, kOutputLines, "          ");
  }
  return text;
}

/// The checks of a lab, exercise by exercise.
class CheckList {
 public:
  CheckList(const Json& results, const Diagnoses& diagnoses, const View& view)
      : results_(results), diagnoses_(diagnoses), view_(view), first_(first_failing(results)) {
    for (const Json& check : results.at("checks")) {
      width_ = std::max(width_, text_at(check, "id").size());
      if (check.at("exercise") != results.at("checks").front().at("exercise")) several_ = true;
    }
  }

  std::string text() {
    for (const Json& check : results_.at("checks")) {
      if (!waits_for_its_leg(check)) add(check);
    }
    say_waiting();
    return text_;
  }

 private:
  void add(const Json& check) {
    const std::string exercise = check.at("exercise");
    if (exercise != exercise_) say_waiting();
    if (several_ && exercise != exercise_) text_ += " " + view_.paint.quiet(exercise) + "\n";
    exercise_ = exercise;
    if (is_waiting(check)) {
      ++waiting_;
      return;
    }
    say_waiting();
    text_ += check_line(check, width_, diagnoses_, view_.paint);
    const std::string message = text_at(check, "message");
    if (&check == first_) {
      text_ += details(check);
    } else if (!message.empty() && message != message_) {  // once is enough for the same crash
      text_ += message_text(check);
    }
    message_ = message;
  }

  void say_waiting() {
    if (waiting_ > 0) {
      text_ += fmt::format(
          "  not run: {} on {}\n",
          plural(waiting_, "check") + (waiting_ == 1 ? " that builds" : " that build"), exercise_);
    }
    waiting_ = 0;
  }

  const Json& results_;
  const Diagnoses& diagnoses_;
  const View& view_;
  const Json* first_;
  std::size_t width_ = 20, waiting_ = 0;
  bool several_ = false;
  std::string text_, exercise_, message_;
};

// --- What else there is to say -------------------------------------------------------------------

/// Why a leg could not be run here, as a results file says it.
std::string why_not_here(const Json& results, const char* leg) {
  return text_at(results.value("not_here", Json::object()), leg);
}

std::string legs_line(const Json& results, const View& view) {
  if (is_emulated(results)) {
    const std::string gpu = results.at("legs").at("gpu");
    const std::string why = why_not_here(results, "gpu");
    const std::string of_gpu = gpu == "none" ? "host code is judged on the engine alone"
                               : why.empty()
                                   ? "gpu not run"
                                   : "gpu not run: " + why + ", and nothing is counted against you";
    return view.paint.quiet(fmt::format("legs    simt {} of {} · {}\n", count_passed(results),
                                        count_run(results), of_gpu));
  }
  const std::string plain = results.at("legs").at("plain");
  if (plain != "ran") return "";
  const std::string sanitizers = results.at("legs").at("sanitizers");
  std::string text =
      fmt::format("legs    plain {} of {}", count_passed(results), count_run(results));
  if (sanitizers == "not_run" && results.at("verdict") == "fail") {
    text += " · sanitizers run when plain is green";
  }
  if (view.sanitizers_follow) text += " · the sanitizers look next, and may stop it";
  if (results.at("legs").at("speed") == "not_run") text += " · speed is measured after them";
  return view.paint.quiet(text) + "\n";
}

std::string replay_lines(const Json& results) {
  const Json* const first = first_failing(results);
  if (first == nullptr) return "";
  std::string text;
  if (first->contains("replay")) text += "replay  ./" + text_at(*first, "replay") + "\n";
  const std::string code = text_at(*first, "diagnosis");
  text += code.empty() || code == "N-STUB"
              ? "hint    ./nibble hint\n"
              : "next    ./nibble explain " + code + "     or     ./nibble hint\n";
  return text;
}

std::string listed(const Json& names) {
  std::string text;
  for (const Json& name : names) text += (text.empty() ? "" : ", ") + name.get<std::string>();
  return text;
}

std::string rule_line(const Json& results, const View& view) {
  if (!results.contains("odd_imports")) return "";
  return fmt::format("{}  calls {}, which no lab needs: your instructor will look at it\n",
                     view.paint.bad("RULE"), listed(results["odd_imports"]));
}

std::string printing_line(const Json& results, const View& view) {
  if (!results.contains("prints")) return "";
  return view.paint.quiet(fmt::format(
      "prints  through {}: no rule forbids it and nobody grades it, but it takes time\n",
      listed(results["prints"])));
}

/// What the compiler warned of: often the reason of what failed.
std::string warning_lines(const Json& results) {
  constexpr std::size_t kMost = 3;
  std::istringstream lines(results.contains("compile") ? text_at(results["compile"], "message")
                                                       : std::string());
  std::string text;
  std::size_t count = 0;
  for (std::string one; std::getline(lines, one);) {
    if (one.find(": warning: ") == std::string::npos || ++count > kMost) continue;
    text += "warns   " + one.substr(0, 200) + "\n";
  }
  if (count > kMost) text += fmt::format("warns   and {} more\n", count - kMost);
  return text;
}

std::string kept_output_line(const Json& results) {
  const Json& checks = results.at("checks");
  const bool printed = std::any_of(checks.begin(), checks.end(),
                                   [](const Json& check) { return check.contains("output"); });
  if (!printed || first_failing(results) != nullptr) return "";
  return fmt::format("what your program printed is kept in .nibble/out/{}/results.json\n",
                     text_at(results, "lab"));
}

std::string compile_text(const Json& results, const View& view) {
  const std::string message =
      results.contains("compile") ? text_at(results["compile"], "message") : "";
  return fmt::format("{}  {}   does not compile     {:.2f} s\n", painted_word(results, view.paint),
                     view.paint.loud(view.subject), results.at("seconds").get<double>()) +
         first_errors(message, kErrorLines) +
         "the first error is the one to look at: later ones often follow from it\n";
}

}  // namespace

std::string Paint::in(std::string_view code, std::string_view text) const {
  return on ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

std::string index_text(const Json& index) {
  std::string text;
  for (const Json& i : index) text += (text.empty() ? "" : ",") + text::json_text(i);
  return "[" + text + "]";
}

std::string first_errors(std::string_view diagnostics, std::size_t lines) {
  // Notes about the way to an error come before it: start where the error itself is.
  std::size_t begin = diagnostics.find("error:");
  if (begin != std::string_view::npos) begin = diagnostics.rfind('\n', begin);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  return first_lines(diagnostics.substr(begin), lines, "  ");
}

std::string verdict_text(const Json& results, const Diagnoses& diagnoses, const View& view) {
  if (results.at("verdict") == "no_compile") return compile_text(results, view);
  std::string text = header(results, view) + CheckList(results, diagnoses, view).text() +
                     rule_line(results, view) + printing_line(results, view) +
                     warning_lines(results) + kept_output_line(results) + legs_line(results, view);
  return text + replay_lines(results);
}

std::string hidden_text(const Json& results, const Diagnoses& diagnoses, const View& view) {
  Json hidden = results;
  hidden["checks"] = Json::array();
  for (const Json& check : results.at("checks")) {
    if (check.at("visibility") == "hidden") hidden["checks"].push_back(check);
  }
  if (hidden["checks"].empty()) return "";
  return header(results, view) + CheckList(hidden, diagnoses, view).text();
}

/// As people say it.
static std::string leg_word(const std::string& leg) {
  return leg == "gpu_sanitizer" ? "compute-sanitizer" : leg;
}

/// What a leg without points found.
static std::string finding_text(const Json& results, const View& view) {
  const Json& finding = results["finding"];
  std::string text = fmt::format("{}  {}   {}: {}{}", view.paint.bad("STOP"),
                                 view.paint.loud(view.subject), leg_word(text_at(finding, "leg")),
                                 text_at(finding, "message"), location_text(finding));
  text += fmt::format("\n{}in {}{}", kIndent, text_at(finding, "check"),
                      finding.contains("case") ? ", case " + text_at(finding, "case") : "");
  if (first_failing(results) != nullptr) return text + "\n";
  text += "; it costs no points, and the exercise stays open until it is gone\n";
  if (finding.contains("replay")) text += "replay  ./" + text_at(finding, "replay") + "\n";
  return text;
}

std::string sanitizers_text(const Json& results, double seconds, const View& view) {
  if (results.at("legs").at("sanitizers") == "not_here") {
    return "sanitizers  cannot be built on this machine: not counted against you\n";
  }
  if (results.at("legs").at("sanitizers") == "no_compile") {
    return "sanitizers  this file compiles without them and not with them, so that they saw "
           "nothing: "
           "your instructor will look at it\n" +
           first_errors(text_at(results.value("compile", Json::object()), "message"), kErrorLines);
  }
  if (results.contains("finding")) return finding_text(results, view);
  return fmt::format("sanitizers  found nothing{}     {:.2f} s\n",
                     results.at("verdict") == "pass" ? "" : " more", seconds);
}

std::string gpu_text(const Json& results, double seconds, const View& view) {
  if (results.contains("finding")) return finding_text(results, view);
  const Json& name = results.at("env").at("gpu");
  return fmt::format("gpu         the same values on {}     {:.2f} s\n",
                     name.is_string() ? name.get<std::string>() : "the GPU", seconds);
}

std::string gpu_sanitizer_text(const Json& results, double seconds, const View& view) {
  if (results.contains("finding")) return finding_text(results, view);
  if (results.at("legs").at("gpu_sanitizer") == "not_here") {
    return "gpu         not looked into: " + why_not_here(results, "gpu_sanitizer") + "\n";
  }
  return fmt::format("gpu         compute-sanitizer found nothing     {:.2f} s\n", seconds);
}

std::string closing_text(const Json& results, const View& view) {
  const Json& hidden = results.at("hidden");
  const int points = hidden.at("max_points");
  std::string text;
  const Elsewhere rest = elsewhere(results);
  if (rest.points > 0) {
    text += "points  " + points_words(results.at("points"), results.at("max_points"), rest) + "\n";
  }
  if (results.at("verdict") == "pass" && !view.next.empty()) text += "next    " + view.next + "\n";
  if (hidden.at("run").get<bool>() || points == 0) return text;
  text += fmt::format(
      "public checks only: hidden checks are worth {} more points and are run {}\n", points,
      view.hidden_here ? "by your instructor, or here with --hidden" : "by your instructor");
  return text;
}

std::string one_line(const Json& results, const View& view) {
  const std::string head = painted_word(results, view.paint);
  const double seconds = results.at("seconds");
  if (results.at("verdict") == "no_compile") {
    const std::string message =
        results.contains("compile") ? text_at(results["compile"], "message") : "";
    std::string first = first_errors(message, 1);
    while (!first.empty() && (first.back() == '\n' || first.back() == ' ')) first.pop_back();
    return fmt::format("{} does not compile   {:.2f} s {}", head, seconds, first);
  }
  std::string text =
      fmt::format("{} {}/{}   {:.2f} s", head, count_passed(results), count_run(results), seconds);
  if (const Json* const check = first_failing(results)) {
    text += "   " + text_at(*check, "id") + ": " + text_at(*check, "message");
    const Json first = check->value("first", Json::object());
    if (first.contains("got")) text += ": got " + text_at(first, "got");
    if (first.contains("want")) text += ", want " + text_at(first, "want");
    if (check->contains("diagnosis")) text += "   " + text_at(*check, "diagnosis");
  }
  return text;
}

std::string one_line_finding(const Json& results, const View& view) {
  const Json& finding = results.at("finding");
  return fmt::format("{} sanitizers: {}{}", view.paint.bad("STOP"), text_at(finding, "message"),
                     location_text(finding));
}

}  // namespace nibble::report
