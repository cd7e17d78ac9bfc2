// Everything that decides what comes of a compilation, as one hash; and what a compiler reads
// besides the learner's file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compile.hpp"
#include "compile/own_code.hpp"
#include "lab/kit.hpp"

namespace nibble::compile {

/// 64 hex digits: of source, contract and other headers, flags, compiler, linker, runner, leg,
/// boxes, version of the kit, and the kit's own code that makes one of the other. The same job has
/// the same key on every machine with the same kit.
std::string key_of(const lab::Kit& kit, const Job& job, std::string_view code = own_code());

/// Headers, and what was compiled of them ahead: folder by folder, each sorted.
std::vector<std::filesystem::path> headers_for(const lab::Kit& kit, const lab::Lab& lab,
                                               protocol::Leg leg);

/// Changes with whatever is done to a file: exchanged, written to, taken away, forbidden.
std::string file_state(const std::filesystem::path& file);

}  // namespace nibble::compile
