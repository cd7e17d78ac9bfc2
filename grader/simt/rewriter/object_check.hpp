// A look at the object file made of a learner's kernels, for what cannot be seen in the text: what
// it calls, what it defines and what would run before main.
//
// What neither look sees, because it is in the instructions alone:
//   - a jump through a function pointer into the middle of a function, past a hook or a guard
//   - overloads that argument-dependent lookup finds in the engine's namespace
// So a report stays a claim of the process that ran the kernels, and values are judged outside.
//
// Before it is linked, an object should be closed, so that none of its functions stands in for one
// of the runner's of the same name (an inline function of a contract, say):
//   ld -r --force-group-allocation learner.o -o closed.o
//   objcopy --keep-global-symbol KERNEL --keep-global-symbol nibble_launch_KERNEL closed.o
// g++ needs -fno-gnu-unique for that; objcopy leaves unique symbols as they are.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::simt {

/// Names as they stand in symbol tables, or the beginning of names where they end in a star.
struct ObjectRules {
  std::vector<std::string> imports;  ///< may be used
  std::vector<std::string> exports;  ///< may be defined, besides C++ functions: the lab's kernels
  std::vector<std::string> taken;    ///< defined by others: the engine; add the runner's
  std::string nobody = "no kernel can call";  ///< the end of a sentence about an import
};

/// What kernels need: the hooks of the compilers, mathematics, printf, and of the engine, whose
/// symbols are given, all but what its sessions are run with.
ObjectRules rules_for_kernels(std::span<const std::string> engine_symbols,
                              std::span<const std::string> kernels);

/// What a file with host code needs: all that, the CUDA runtime and the C++ library. `functions`:
/// the mangled names that the lab asks for.
ObjectRules rules_for_host_code(std::span<const std::string> engine_symbols,
                                std::span<const std::string> functions);

/// Functions of the C library that the engine stands in for, as nibble_simt_NAME: those that store
/// through a pointer, and, where accesses are watched, those that copy.
std::span<const std::string_view> functions_of_engine(bool watched);

/// A sentence for each rule that is broken. The bytes may be anything.
std::vector<std::string> check_object(std::span<const std::byte> object, const ObjectRules& rules);

/// Global symbols that an object defines; none if it cannot be read.
std::vector<std::string> defined_symbols(std::span<const std::byte> object);

}  // namespace nibble::simt
