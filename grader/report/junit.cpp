// A testcase for each check and one for each other verdict,
// written as XML with text that is safe in it.
#include "report/junit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/harmless.hpp"

namespace nibble::report {
namespace {

struct Counts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0.0;
};

std::string attribute(std::string_view name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, xml_text(value));
}

/// "at [0,3]: got 3, want 2", then where, then how to repeat it.
std::string body_of(const Check& check) {
  std::string body;
  if (check.first && !check.first->got.empty() && !check.first->want.empty()) {
    const record::FailedCase& first = *check.first;
    if (!first.index.empty()) body += fmt::format("at [{}]: ", fmt::join(first.index, ","));
    body += fmt::format("got {}, want {}\n", first.got, first.want);
  }
  if (check.location) body += text_of(*check.location) + "\n";
  if (!check.replay.empty()) body += "replay: " + check.replay;
  return body;
}

std::string problem(std::string_view element, std::string_view type, const Check& check) {
  const std::string message = check.message.empty() ? word_of(check.status) : check.message;
  return fmt::format("\n      <{0}{1}{2}>{3}</{0}>\n    ", element, attribute("type", type),
                     attribute("message", message), xml_text(body_of(check)));
}

/// What stands inside a testcase.
std::string outcome_of(const Check& check, Counts& counts) {
  switch (check.status) {
    case CheckStatus::kPass:
      return "";
    case CheckStatus::kPart:
      return fmt::format("\n      <system-out>{} of {} points</system-out>\n    ", check.points,
                         check.max_points);
    case CheckStatus::kSkip:
      ++counts.skipped;
      return fmt::format("<skipped{}/>", attribute("message", check.message));
    case CheckStatus::kFail:
      ++counts.failures;
      return problem("failure", check.diagnosis.empty() ? "mismatch" : check.diagnosis, check);
    default:
      ++counts.errors;
      return problem("error", check.status == CheckStatus::kError ? "kit" : name_of(check.status),
                     check);
  }
}

std::string testcase(const std::string& lab, const Check& check, Counts& counts) {
  ++counts.tests;
  const std::string inside = outcome_of(check, counts);
  const std::string head = fmt::format("    <testcase{}{} time=\"{:.3f}\"",
                                       attribute("classname", lab + "." + check.exercise),
                                       attribute("name", check.id), check.seconds);
  return head + (inside.empty() ? "/>\n" : ">" + inside + "</testcase>\n");
}

/// A verdict that belongs to no check is a testcase of its own, so that nobody overlooks it.
std::string extra_case(const Result& lab, Counts& counts) {
  Check extra;
  extra.status = CheckStatus::kCrash;
  if (!lab.compiles()) {
    extra.id = "Compiles";
    extra.exercise = "all";
    extra.message = lab.compile_message.empty() ? "does not compile" : lab.compile_message;
    return testcase(lab.lab, extra, counts);
  }
  if (!lab.finding || lab.legs.plain != LegState::kRan) return "";
  extra.id = "Sanitizers";
  extra.exercise = lab.finding->exercise;
  extra.message = lab.finding->message;
  extra.location = lab.finding->location;
  extra.replay = lab.finding->replay;
  return testcase(lab.lab, extra, counts);
}

std::string property(std::string_view name, std::string_view value) {
  return fmt::format("      <property{}{}/>\n", attribute("name", name), attribute("value", value));
}

std::string properties_of(const Result& lab) {
  return "    <properties>\n" + property("nibble.version", lab.version) +
         property("nibble.seed", lab.seed) + property("nibble.points", std::to_string(lab.points)) +
         property("nibble.max_points", std::to_string(lab.max_points)) + "    </properties>\n";
}

std::string output_of(const Result& lab) {
  std::string printed;
  for (const Check& check : lab.checks) printed += check.output;
  if (printed.empty()) return "";
  return "    <system-out>" + xml_text(printed.substr(0, std::size_t{64} << 10)) +
         "</system-out>\n";
}

std::string testsuite(const Result& lab, const std::string& host, Counts& counts) {
  std::string cases;
  for (const Check& check : lab.checks) cases += testcase(lab.lab, check, counts);
  cases += extra_case(lab, counts);
  counts.seconds = lab.seconds;
  std::string started = lab.started;
  if (started.ends_with('Z')) started.pop_back();
  const std::string head = fmt::format(
      "  <testsuite{} tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\"{}{}>\n",
      attribute("name", lab.lab), counts.tests, counts.failures, counts.errors, counts.skipped,
      counts.seconds, attribute("timestamp", started), attribute("hostname", host));
  return head + properties_of(lab) + cases + output_of(lab) + "  </testsuite>\n";
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string safe = text::harmless(text);
  for (const char* const forbidden : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {  // U+FFFE, U+FFFF
    for (std::size_t at; (at = safe.find(forbidden)) != std::string::npos;) {
      safe.replace(at, 3, "?");
    }
  }
  std::string escaped;
  for (const char c : safe) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string junit_xml(const std::vector<Result>& labs, const std::string& host) {
  Counts all;
  std::string suites;
  for (const Result& lab : labs) {
    Counts counts;
    suites += testsuite(lab, host, counts);
    all.tests += counts.tests;
    all.failures += counts.failures;
    all.errors += counts.errors;
    all.seconds += counts.seconds;
  }
  return fmt::format(
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<testsuites name=\"nibble\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
             "time=\"{:.3f}\">\n",
             all.tests, all.failures, all.errors, all.seconds) +
         suites + "</testsuites>\n";
}

}  // namespace nibble::report
