// nibble explain CODE: one page on a diagnosis.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "cli/commands.hpp"
#include "cli/trouble.hpp"

namespace nibble::cli {

int explain_command(Context& context, const std::string& code) {
  if (const report::Diagnosis* const found = context.diagnoses.find(code)) {
    context.out << context.paint.loud(found->code + ": " + found->title) << "\n\n" << found->page;
    return kPassed;
  }
  std::string known;
  for (const report::Diagnosis& one : context.diagnoses.all()) {
    known += fmt::format("\n  {:<12} {}", one.code, one.title);
  }
  throw usage("no diagnosis is called " + code + "; there are:" + known);
}

}  // namespace nibble::cli
