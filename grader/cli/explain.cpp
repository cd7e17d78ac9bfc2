// nibble explain [CODE]: one page on a diagnosis, or the list of all.
#include <fmt/format.h>

#include <ostream>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/labs.hpp"
#include "cli/trouble.hpp"
#include "text/harmless.hpp"
#include "text/plain_text.hpp"

namespace nibble::cli {
namespace {

int list_diagnoses(Context& context) {
  for (const report::Diagnosis& one : context.diagnoses.all()) {
    context.out << fmt::format("  {}{}\n", context.paint.loud(fmt::format("{:<14}", one.code)),
                               one.title);
  }
  context.out << "a page on one of them: ./nibble explain N-AXIS\n";
  return kPassed;
}

}  // namespace

int explain_command(Context& context, const std::string& code) {
  if (code.empty()) return list_diagnoses(context);
  if (const report::Diagnosis* const found = context.diagnoses.find(code)) {
    context.out << context.paint.loud(found->code + ": " + found->title) << "\n\n"
                << text::plain_text(found->page);
    return kPassed;
  }
  std::vector<std::string> codes;
  for (const report::Diagnosis& one : context.diagnoses.all()) codes.push_back(one.code);
  throw usage(fmt::format("no diagnosis is called {}: {}./nibble explain lists them",
                          text::harmless(code), did_you_mean(codes, code)));
}

}  // namespace nibble::cli
