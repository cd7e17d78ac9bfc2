// What no source file of the kit may hold, with the reason beside each ban.
//
// A line that must break a rule says why:   // lint-ok: the reason
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::proofs {

/// Where `text`, the file of this name (relative to the project's top), breaks a rule.
std::vector<std::string> lint(const std::filesystem::path& file, std::string_view text);

}  // namespace nibble::proofs
