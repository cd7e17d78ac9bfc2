// nibble explain CODE: one page on a diagnosis.
#include <fmt/format.h>

#include <ostream>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/labs.hpp"
#include "cli/trouble.hpp"
#include "text/harmless.hpp"

namespace nibble::cli {

int explain_command(Context& context, const std::string& code) {
  if (const report::Diagnosis* const found = context.diagnoses.find(code)) {
    context.out << context.paint.loud(found->code + ": " + found->title) << "\n\n" << found->page;
    return kPassed;
  }
  std::vector<std::string> codes;
  for (const report::Diagnosis& one : context.diagnoses.all()) codes.push_back(one.code);
  constexpr std::size_t kInALine = 6;
  std::string known;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    known += fmt::format("{}{:<13}", i % kInALine == 0 ? "\n  " : "", codes[i]);
  }
  throw usage(fmt::format("no diagnosis is called {}: {}there are{}", text::harmless(code),
                          did_you_mean(codes, code), known));
}

}  // namespace nibble::cli
