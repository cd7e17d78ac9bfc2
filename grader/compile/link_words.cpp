#include "compile/link_words.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "text/pattern.hpp"

namespace nibble::compile {
namespace {

/// "nibble::helper(float)" of lines by mold, ld, gold and lld.
std::vector<std::string> found_by(const char* pattern, std::string_view linker) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const text::Found& found : text::Pattern(pattern).all(linker)) {
    if (seen.insert(found[1]).second) names.push_back(found[1]);
  }
  return names;
}

/// "helper" of "nibble::helper(float)".
std::string name_of(const std::string& symbol) {
  const std::string bare = symbol.substr(0, symbol.find('('));
  const std::size_t colon = bare.rfind("::");
  return colon == bare.npos ? bare : bare.substr(colon + 2);
}

std::string missing(const std::string& symbol, const std::vector<std::string>& functions,
                    const std::string& file) {
  const std::string name = name_of(symbol);
  const std::string own = std::filesystem::path(file).filename().string();
  const bool is_the_contracts =
      symbol.starts_with("nibble::") && std::ranges::count(functions, name) > 0;
  if (is_the_contracts) {
    return file + ": error: " + name + " of the contract is missing: define " + symbol +
           ", in namespace nibble, with just these parameters\n";
  }
  return file + ": error: " + symbol + " is declared, and has no body: " + own +
         " is compiled alone, so the body belongs there\n";
}

std::string twice(const std::string& symbol, const std::string& file) {
  if (symbol == "main") {
    return file +
           ": error: there is a main() here: the grader brings its own and calls the functions of "
           "the contract; leave yours out\n";
  }
  return file + ": error: " + symbol +
         " is a name that the grader has already: give yours another, or make it static\n";
}

}  // namespace

std::string link_words(std::string_view linker, const std::vector<std::string>& functions,
                       const std::string& file) {
  std::string lines;
  constexpr const char* kUndefined =
      "(?:undefined symbol: |undefined reference to [`'])([^\n'`]{1,400}?)(?:'|\n|$)";
  for (const std::string& symbol : found_by(kUndefined, linker)) {
    lines += missing(symbol, functions, file);
  }
  constexpr const char* kMold = "duplicate symbol: [^\n]*: ([^\n:]{1,400}(?:::[^\n:]+)*)(?:\n|$)";
  constexpr const char* kLld = "duplicate symbol: ([^\n:]{1,400}(?:::[^\n:]+)*)(?:\n|$)";
  constexpr const char* kLd = "multiple definition of [`']([^\n'`]{1,400})'";
  for (const char* const pattern : {kMold, kLld, kLd}) {
    for (const std::string& symbol : found_by(pattern, linker)) lines += twice(symbol, file);
  }
  return lines;
}

}  // namespace nibble::compile
