// JUnit XML, for Jenkins, GitLab and editors: what `nibble run --junit` writes, for several labs.
#include "report/junit.hpp"

#include "export/formats.hpp"
#include "export/told.hpp"
#include "record/codec.hpp"
#include "text/json_text.hpp"

namespace nibble::gradebook {

std::string junit(const std::vector<Result>& labs) {
  std::vector<Json> suites;
  for (const Result& results : labs) {
    suites.push_back(text::json_of(record::text_of(told(results))));
  }
  return report::junit_xml(suites, "grader");
}

}  // namespace nibble::gradebook
