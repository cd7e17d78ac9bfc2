#include "report/sanitizer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "text/pattern.hpp"

namespace nibble::report {
namespace {

std::optional<text::Found> search(std::string_view text, const char* pattern) {
  return text::Pattern(pattern).search(text);
}

/// In words, the kinds that learners meet.
std::string_view words_for(std::string_view kind) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kWords = {{
      {"heap-buffer-overflow", "outside a vector or an allocated block"},
      {"stack-buffer-overflow", "outside a local array"},
      {"global-buffer-overflow", "outside a global array"},
      {"heap-use-after-free", "in memory that was given back before"},
      {"stack-use-after-scope", "of a variable that no longer exists"},
      {"stack-use-after-return", "of a variable of a function that has returned"},
      {"SEGV", "at an address that is not the program's"},
      {"stack-overflow", "beyond the end of the stack"},
  }};
  for (const auto& [name, words] : kWords) {
    if (kind == name) return words;
  }
  return "";
}

std::string address_fault(std::string_view output, const std::string& kind) {
  const std::string words(words_for(kind));
  if (words.empty()) return kind;
  const auto access = search(output, "(READ|WRITE) of size ([0-9]+)");
  if (!access) return kind + ": an access " + words;
  const std::string size = (*access)[2];
  return kind + ((*access)[1] == "READ" ? ": a read of " : ": a write of ") + size +
         (size == "1" ? " byte " : " bytes ") + words;
}

}  // namespace

std::optional<record::Location> learners_line(std::string_view output) {
  const auto match =
      search(output, "(labs/[0-9][0-9]_[a-z0-9_]+/[a-z0-9_]+\\.(?:cpp|cu)):([0-9]{1,7})");
  if (!match) return {};
  return record::Location{(*match)[1], std::max(1, std::stoi((*match)[2]))};
}

std::string summary(std::string_view output) {
  if (const auto undefined = search(output, "runtime error: ([^\n]{1,200})")) {
    return "undefined behaviour: " + (*undefined)[1];
  }
  if (const auto assertion = search(output, "Assertion '([^\n]{1,120})' failed")) {
    return "a check of the standard library failed: " + (*assertion)[1];
  }
  constexpr const char* kHuge =
      "AddressSanitizer: (?:requested allocation size|out of memory: allocator is trying to "
      "allocate) "
      "(0x[0-9a-f]{1,16})";
  if (const auto huge = search(output, kHuge)) {
    return "asks for " + std::to_string(std::stoull((*huge)[1], nullptr, 16)) +
           " bytes at once, more than there can be: was a size negative, or never set?";
  }
  const auto address = search(output, "AddressSanitizer: ([A-Za-z-]{3,40})");
  return address ? address_fault(output, (*address)[1]) : "";
}

std::string without_addresses(const std::string& output) {
  return text::Pattern("==[0-9]+==")
      .replaced(text::Pattern("0x[0-9a-f]{5,16}").replaced(output, "0x..."), "====");
}

}  // namespace nibble::report
