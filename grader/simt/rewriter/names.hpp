// Which names a learner's kernels may use. Of the names that belong to the compiler, CUDA's are
// listed and all others refused: behind one that nobody thought of,
// a system header may hide an attribute.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nibble::simt {

/// Of inline PTX that cannot be understood.
inline constexpr const char* kForOneGpu =
    "inline PTX is for one kind of GPU and does not run here: use the CUDA function of the same "
    "effect, or the kit's wrapper";

/// Why this name cannot stand in a kernel file; nothing for most names.
std::optional<std::string> why_refused(std::string_view name);

/// Why this header cannot be included, `spelling` with its quotes or angles; nothing if it can.
std::optional<std::string> why_header_refused(std::string_view spelling);

/// `unroll` and its like: advice, and warnings that are not wanted.
bool is_harmless_pragma(std::string_view word);

/// [[nodiscard]] and its like, that say nothing to a code generator.
bool is_standard_attribute(std::string_view name);

/// Of __attribute__((…)): what nvcc takes, too, and no hook is taken away by.
bool is_harmless_attribute_of_compilers(std::string_view name);

}  // namespace nibble::simt
