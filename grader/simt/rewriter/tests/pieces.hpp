// What a .cu file is made of, for tests that put it together in any order.
#pragma once

#include <array>
#include <string_view>

#include "simt/rewriter/rewrite.hpp"

namespace nibble::simt {

inline constexpr std::array kDialects = {Dialect::kKernels, Dialect::kHostAndKernels};

// clang-format off
inline constexpr auto kPieces = std::to_array<std::string_view>({
    "__shared__", "extern", "static", "__device__", "__constant__", "__global__", "int", "float*", "a",
    "b", "k", "template", "<", ">", ">>", ">>>", "<<<", "(", ")", "[", "]", "{", "}", ";", ",", "=", ":",
    "::", "#", "\n#define X ", "\n#if A\n", "\n#else\n", "\n#endif\n", "\n#include <a>\n", "\n", "\\\n",
    "\\", "\"", "'", "R\"(", ")\"", "//", "/*", "*/", "1", "1.5e+3", "1'0", "struct", "enum", "class",
    "namespace", "operator", "using", "alignas", "(16)", "[[", "]]", "const", "*", "&&", "->", ".",
    "asm(\"bar.sync 0;\");", "asm volatile(", "\"=r\"(", "\"mov.u32 %0, %%laneid;\"", "%:", "<:", "__align__", "\xC3\xA4", "\t", "\r\n", "\f", "asm", "return", "##", "goto", "decltype"});
// clang-format on

}  // namespace nibble::simt
