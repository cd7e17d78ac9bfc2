// JSON as text, and back: the only ways out of the kit and into it. Both are compiled once: what
// they make of the library's templates is half of what a file that does it by itself is compiled
// for.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace nibble::text {

/// Strings from outside are made valid where they come in (text/harmless.hpp); one that was
/// forgotten there becomes U+FFFD here, and no exception that would cost somebody a verdict.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

/// As a file: two-space indentation and a line end.
std::string file_text(const nlohmann::ordered_json& json);

/// A discarded value, which is no object, where the text is no JSON.
nlohmann::ordered_json json_of(const std::string& text);

/// A member of `object` as text; empty when there is none, or it is no text.
std::string text_at(const nlohmann::ordered_json& object, const char* key);

}  // namespace nibble::text
