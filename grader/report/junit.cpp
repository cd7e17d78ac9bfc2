// A testcase for each check and one for each other verdict,
// written as XML with text that is safe in it.
#include "report/junit.hpp"

#include <fmt/format.h>

#include "text/harmless.hpp"
#include "text/json_text.hpp"

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
std::string body_of(const Json& check) {
  std::string body;
  const Json first = check.value("first", Json::object());
  if (first.contains("got") && first.contains("want")) {
    if (first.contains("index")) body += "at " + text::json_text(first["index"]) + ": ";
    body += fmt::format("got {}, want {}\n", text_at(first, "got"), text_at(first, "want"));
  }
  if (check.contains("location")) {
    body += fmt::format("{}:{}\n", text_at(check["location"], "file"),
                        check["location"]["line"].get<int>());
  }
  if (check.contains("replay")) body += "replay: " + text_at(check, "replay");
  return body;
}

std::string problem(std::string_view element, std::string_view type, const Json& check) {
  std::string message = text_at(check, "message");
  if (message.empty()) message = status_word(check.value("status", "crash"));
  return fmt::format("\n      <{0}{1}{2}>{3}</{0}>\n    ", element, attribute("type", type),
                     attribute("message", message), xml_text(body_of(check)));
}

/// What stands inside a testcase.
std::string outcome_of(const Json& check, Counts& counts) {
  const std::string status = check.at("status");
  if (status == "pass") return "";
  if (status == "part") {
    return fmt::format("\n      <system-out>{} of {} points</system-out>\n    ",
                       check.at("points").get<int>(), check.at("max_points").get<int>());
  }
  if (status == "skip") {
    ++counts.skipped;
    return fmt::format("<skipped{}/>", attribute("message", text_at(check, "message")));
  }
  if (status == "fail") {
    ++counts.failures;
    return problem("failure", check.value("diagnosis", "mismatch"), check);
  }
  ++counts.errors;
  return problem("error", status == "error" ? "kit" : status, check);
}

std::string testcase(const std::string& lab, const Json& check, Counts& counts) {
  ++counts.tests;
  const std::string inside = outcome_of(check, counts);
  const std::string head =
      fmt::format("    <testcase{}{} time=\"{:.3f}\"",
                  attribute("classname", lab + "." + text_at(check, "exercise")),
                  attribute("name", text_at(check, "id")), check.value("seconds", 0.0));
  return head + (inside.empty() ? "/>\n" : ">" + inside + "</testcase>\n");
}

/// A verdict that belongs to no check is a testcase of its own, so that nobody overlooks it.
std::string extra_cases(const Json& lab, Counts& counts) {
  if (lab.at("verdict") == "no_compile") {
    const Json compile = {{"id", "Compiles"},
                          {"exercise", "all"},
                          {"status", "crash"},
                          {"message", lab.contains("compile") ? lab["compile"]["message"]
                                                              : Json("does not compile")}};
    return testcase(lab.at("lab"), compile, counts);
  }
  if (!lab.contains("finding") || lab.at("legs").at("plain") != "ran") return "";
  Json finding = lab["finding"];
  finding["id"] = "Sanitizers";
  finding["status"] = "crash";
  return testcase(lab.at("lab"), finding, counts);
}

std::string property(std::string_view name, std::string_view value) {
  return fmt::format("      <property{}{}/>\n", attribute("name", name), attribute("value", value));
}

std::string properties_of(const Json& lab) {
  return "    <properties>\n" + property("nibble.version", text_at(lab, "nibble")) +
         property("nibble.seed", text_at(lab, "seed")) +
         property("nibble.points", std::to_string(lab.at("points").get<int>())) +
         property("nibble.max_points", std::to_string(lab.at("max_points").get<int>())) +
         "    </properties>\n";
}

std::string output_of(const Json& lab) {
  std::string printed;
  for (const Json& check : lab.at("checks")) printed += check.value("output", "");
  if (printed.empty()) return "";
  return "    <system-out>" + xml_text(printed.substr(0, std::size_t{64} << 10)) +
         "</system-out>\n";
}

std::string testsuite(const Json& lab, const std::string& host, Counts& counts) {
  std::string cases;
  for (const Json& check : lab.at("checks")) cases += testcase(lab.at("lab"), check, counts);
  cases += extra_cases(lab, counts);
  counts.seconds = lab.at("seconds");
  std::string started = lab.at("started");
  if (started.ends_with('Z')) started.pop_back();
  const std::string head = fmt::format(
      "  <testsuite{} tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\"{}{}>\n",
      attribute("name", text_at(lab, "lab")), counts.tests, counts.failures, counts.errors,
      counts.skipped, counts.seconds, attribute("timestamp", started), attribute("hostname", host));
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

std::string junit_xml(const std::vector<Json>& labs, const std::string& host) {
  Counts all;
  std::string suites;
  for (const Json& lab : labs) {
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
