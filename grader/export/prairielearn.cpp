// PrairieLearn: /grade/results/results.json. Points stand on every test, or none would be shown;
// what does not compile is not gradable, so that it costs no attempt. At most 1 MB.
#include <fmt/format.h>

#include "export/formats.hpp"
#include "export/told.hpp"
#include "text/harmless.hpp"
#include "text/json_text.hpp"

namespace nibble::gradebook {
namespace {

/// So many checks with the longest of messages would fill a megabyte.
std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 4096;
  if (text.size() <= kMost) return text;
  return text::harmless(text.substr(0, kMost)) + " …";
}

Json test_of(const Result& results, const Check& check) {
  return {{"name", name_of(results, check)},
          {"description", check.title},
          {"points", check.points},
          {"max_points", is_skipped(check) ? 0 : check.max_points},  // 0: shown grey
          {"message", diagnosis_of(check)},
          {"output", shortened(safe_text(check.message))}};
}

std::string no_attempt(const Result& results) {
  const std::string message = compile_message(results);
  return text::file_text({{"gradable", false},
                          {"format_errors", {message.substr(0, message.find('\n'))}},
                          {"message", results.lab + " does not compile"},
                          {"output", message}});
}

}  // namespace

std::string prairielearn(const Result& all) {
  const Result results = told(all);
  if (!results.compiles()) return no_attempt(results);
  Json tests = Json::array();
  for (const Check& check : results.checks) tests.push_back(test_of(results, check));
  const int points = results.points, most = results.max_points;
  return text::file_text({{"gradable", true},
                          {"score", most == 0 ? 0.0 : static_cast<double>(points) / most},
                          {"message", fmt::format("{}: {} of {}", results.lab, points, most)},
                          {"output", ""},
                          {"tests", tests}});
}

std::string prairielearn_refused(const std::string& lab, const std::string& why) {
  const std::string words = safe_text(why);
  return text::file_text({{"gradable", false},
                          {"format_errors", {words}},
                          {"message", "nothing of " + lab + " was taken"},
                          {"output", words}});
}

}  // namespace nibble::gradebook
