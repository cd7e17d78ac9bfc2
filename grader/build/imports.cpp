#include "build/imports.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <system_error>

#include "build/command.hpp"

namespace nibble::build {
namespace {

/// The C++ library by its mangled prefixes (std::, operator new and delete, nibble's own), what a
/// compiler emits by itself, and the sanitizers.
constexpr std::array<std::string_view, 18> kPrefixes = {
    "_ZSt",       "_ZNSt",       "_ZNKSt",   "_ZNSa",       "_ZTI",   "_ZTV",
    "_ZN6nibble", "_ZNK6nibble", "_Zn",      "_Zd",         "__cxa_", "__gxx_personality",
    "_Unwind_",   "__asan_",     "__ubsan_", "__stack_chk", "__mulx", "_ITM_"};

constexpr std::array<std::string_view, 34> kNames = {"_GLOBAL_OFFSET_TABLE_",
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
         std::ranges::any_of(kPrefixes, [&](auto prefix) { return symbol.starts_with(prefix); });
}

std::vector<std::string> odd_imports(const std::filesystem::path& object,
                                     const sandbox::ToolBox& box) {
  Finished listing;
  try {
    listing =
        run({.words = {"nm", "-u", "-P", object.string()}, .kept_bytes = 1 << 20, .box = box});
  } catch (const std::system_error&) {
    return {};  // no nm here: the barriers stand without the list
  }
  std::vector<std::string> odd;
  std::istringstream lines(listing.out);
  for (std::string line; std::getline(lines, line);) {
    const std::string symbol = line.substr(0, line.find(' '));
    if (!symbol.empty() && !is_expected_import(symbol)) odd.push_back(symbol);
  }
  std::ranges::sort(odd);
  return odd;
}

}  // namespace nibble::build
