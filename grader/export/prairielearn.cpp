// PrairieLearn: /grade/results/results.json. Points stand on every test, or none would be shown;
// what does not compile is not gradable, so that it costs no attempt. At most 1 MB.
#include <fmt/format.h>

#include "export/formats.hpp"
#include "export/told.hpp"
#include "text/harmless.hpp"

namespace nibble::gradebook {
namespace {

/// So many checks with the longest of messages would fill a megabyte.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 4096;
  if (text.size() <= kMost) return text;
  return text::harmless(text.substr(0, kMost)) + " …";
}

Json test_of(const Json& results, const Json& check) {
  const bool skipped = is_skipped(check);
  return {{"name", name_of(results, check)},
          {"description", report::text_at(check, "title")},
          {"points", check.at("points")},
          {"max_points", skipped ? Json(0) : check.at("max_points")},  // 0: shown grey
          {"message", report::text_at(check, "diagnosis")},
          {"output", shortened(safe_text(report::text_at(check, "message")))}};
}

std::string no_attempt(const Json& results) {
  const std::string message = compile_message(results);
  return json_text({{"gradable", false},
                    {"format_errors", {message.substr(0, message.find('\n'))}},
                    {"message", results.at("lab").get<std::string>() + " does not compile"},
                    {"output", message}});
}

}  // namespace

std::string prairielearn(const Json& all) {
  const Json results = told(all);
  if (!compiled(results)) return no_attempt(results);
  Json tests = Json::array();
  for (const Json& check : results.at("checks")) tests.push_back(test_of(results, check));
  const int points = results.at("points"), most = results.at("max_points");
  return json_text(
      {{"gradable", true},
       {"score", most == 0 ? 0.0 : static_cast<double>(points) / most},
       {"message", fmt::format("{}: {} of {}", report::text_at(results, "lab"), points, most)},
       {"output", ""},
       {"tests", tests}});
}

}  // namespace nibble::gradebook
