// C++ source as a scanner sees it: code without its comments, and the tokens of that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nibble::text {

/// Every comment replaced by blanks; line ends stay, so that line numbers do.
std::string without_comments(std::string_view source);

/// Comments and the insides of string and character literals replaced by blanks.
std::string without_comments_and_strings(std::string_view source);

/// What stands between the quotes of string literals, as it is meant; literals that follow each
/// other are one. Raw ones, which hold whole files, are left out.
std::vector<std::string> literals_of(std::string_view source);

/// Names, numbers, and every other character by itself. Comments are not looked for: this reads
/// prose too.
std::vector<std::string> tokens_of(std::string_view text);

}  // namespace nibble::text
