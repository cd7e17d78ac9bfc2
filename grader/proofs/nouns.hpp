// One class to a noun: a word that means two things in the kit's sources has to be looked up each
// time that it is read.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace nibble::proofs {

/// The classes that a file declares, with their members, outside of every other: a nested class is
/// told apart by the one around it.
std::set<std::string> classes_in(std::string_view text);

/// Sources of the kit itself: no tests, no checks, no submissions, and no file that has to look
/// like another.
bool has_nouns(const std::filesystem::path& file);

}  // namespace nibble::proofs
