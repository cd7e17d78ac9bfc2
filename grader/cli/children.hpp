// The two programs that a comparison is about: the learner's file and the published solution, each
// compiled as for the plain leg.
#pragma once

#include <filesystem>
#include <string>

#include "cli/context.hpp"
#include "compile/cache.hpp"

namespace nibble::cli {

/// The folder in which a lab's files are compiled; its lock is `lock`.
std::filesystem::path work_folder(const lab::Kit& kit, const lab::Lab& lab);

/// What was compiled there: plain, sanitizers, published, and what was saved before.
compile::Cache children_of(const lab::Kit& kit, const lab::Lab& lab);

/// Compiles the learner's file, or takes the child of the last run. An absolute path; empty: it was
/// interrupted. Throws Trouble when it does not compile.
std::filesystem::path learners_child(const Context& context, const MarkedLab& lab);

/// The same of the published solution; empty, too, when it is not in this copy of the kit.
std::filesystem::path published_child(const Context& context, const MarkedLab& lab);

/// "g++ 12.2.0 -O3 -march=x86-64-v3": the compiler, and how far it goes.
std::string compiler_text(const Context& context, const MarkedLab& lab);

}  // namespace nibble::cli
