// The names that any lab may import, and the look at an object's symbols by way of nm.
#include "compile/imports.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>

#include "files/files.hpp"
#include "process/command.hpp"
#include "text/harmless.hpp"

namespace nibble::compile {
namespace {

/// The C++ library by its mangled prefixes (std::, operator new and delete, nibble's own), what a
/// compiler emits by itself, and the sanitizers.
constexpr std::array<std::string_view, 15> kPrefixes = {
    "_ZTI",     "_ZTV",       "_ZN6nibble", "_ZNK6nibble",
    "_Zn",      "_Zd",        "__cxa_",     "__gxx_personality",
    "_Unwind_", "__asan_",    "__ubsan_",   "__stack_chk",
    "__mulx",   "__popcount", "_ITM_"};

constexpr std::array<std::string_view, 44> kNames = {"_GLOBAL_OFFSET_TABLE_",
                                                     "__assert_fail",
                                                     "__printf_chk",
                                                     "__fprintf_chk",
                                                     "__snprintf_chk",
                                                     "__vsnprintf_chk",
                                                     "__memcpy_chk",
                                                     "__memset_chk",
                                                     "putc",
                                                     "perror",
                                                     "vprintf",
                                                     "__dso_handle",
                                                     "memcpy",
                                                     "memmove",
                                                     "memset",
                                                     "memcmp",
                                                     "memchr",
                                                     "strlen",
                                                     "strcmp",
                                                     "malloc",
                                                     "calloc",
                                                     "realloc",
                                                     "free",
                                                     "aligned_alloc",
                                                     "abs",
                                                     "labs",
                                                     "printf",
                                                     "puts",
                                                     "putchar",
                                                     "fprintf",
                                                     "fputs",
                                                     "fputc",
                                                     "fwrite",
                                                     "fflush",
                                                     "stdout",
                                                     "stderr",
                                                     "snprintf",
                                                     "vsnprintf",
                                                     "abort",
                                                     "qsort",
                                                     "bcmp",
                                                     "div",
                                                     "ldiv",
                                                     "__errno_location"};

/// <cmath>, without its suffixes: f for float, l for long double.
constexpr std::array<std::string_view, 40> kMathematics = {
    "acos",    "asin",  "atan",      "atan2",     "cbrt",  "ceil",  "copysign", "cos",
    "cosh",    "erf",   "exp",       "exp2",      "expm1", "fabs",  "fdim",     "floor",
    "fma",     "fmax",  "fmin",      "fmod",      "frexp", "hypot", "ilogb",    "ldexp",
    "log",     "log10", "log1p",     "log2",      "logb",  "lrint", "lround",   "llrint",
    "llround", "modf",  "nearbyint", "nextafter", "pow",   "rint",  "round",    "scalbn"};

constexpr std::array<std::string_view, 9> kMoreMathematics = {
    "sin", "sinh", "sqrt", "tan", "tanh", "trunc", "remainder", "roundeven", "fesetround"};

/// A name in std: the mangling writes it St, or, of its commonest members, Sa, Sb, Ss, Si,
/// So and Sd.
bool is_of_std(std::string_view symbol) {
  if (!symbol.starts_with("_Z")) return false;
  symbol.remove_prefix(2);
  if (symbol.starts_with("N")) symbol.remove_prefix(symbol.starts_with("NK") ? 2 : 1);
  constexpr std::string_view kMembers = "tabsiod";
  return symbol.size() > 1 && symbol[0] == 'S' && kMembers.find(symbol[1]) != symbol.npos;
}

/// What a learner debugs with.
bool is_printing(std::string_view symbol) {
  constexpr std::array<std::string_view, 13> kPrinting = {
      "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "printf", "puts",    "putchar",     "fprintf",
      "fputs",     "fputc",     "fwrite",    "putc",   "vprintf", "__printf_chk"};
  return std::ranges::count(kPrinting, symbol) > 0;
}

/// Up to g++ 11 the library's own assertion stands in each object, and prints.
bool holds_an_assertion(const std::filesystem::path& object) {
  return files::read_file(object).find("_ZSt20__replacement_assert") != std::string::npos;
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text::harmless(text.get()) : symbol;
}

bool is_mathematics(std::string_view name) {
  const auto known = [](std::string_view word) {
    return std::ranges::count(kMathematics, word) + std::ranges::count(kMoreMathematics, word) > 0;
  };
  if (known(name)) return true;
  return !name.empty() && (name.back() == 'f' || name.back() == 'l') &&
         known(name.substr(0, name.size() - 1));
}

}  // namespace

bool is_expected_import(const std::string& symbol) {
  return std::ranges::count(kNames, std::string_view(symbol)) > 0 || is_mathematics(symbol) ||
         is_of_std(symbol) ||
         std::ranges::any_of(kPrefixes, [&](auto prefix) { return symbol.starts_with(prefix); });
}

Imports imports_of(const std::filesystem::path& object, const sandbox::ToolBox& box) {
  process::Finished listing;
  try {
    listing = process::run({.words = {"nm", "-u", "-P", object.string()},
                            .cpu_limit = std::chrono::seconds{10},
                            .wall_limit = std::chrono::seconds{30},
                            .memory_bytes = std::size_t{1} << 30,
                            .kept_bytes = 1 << 20,
                            .box = box});
  } catch (const std::system_error&) {
    return {};  // no nm here: the barriers stand without the list
  }
  Imports imports;
  std::istringstream lines(listing.out);
  for (std::string line; std::getline(lines, line);) {
    const std::string symbol = text::harmless(line.substr(0, line.find(' ')));
    if (symbol.empty()) continue;
    if (!is_expected_import(symbol)) imports.odd.push_back(demangled(symbol));
    if (!is_printing(symbol) || (symbol == "printf" && holds_an_assertion(object))) continue;
    imports.printing.push_back(demangled(symbol));
  }
  std::ranges::sort(imports.odd);
  std::ranges::sort(imports.printing);
  return imports;
}

}  // namespace nibble::compile
