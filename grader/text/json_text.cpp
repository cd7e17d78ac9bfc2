#include "text/json_text.hpp"

namespace nibble::text {

std::string json_text(const nlohmann::ordered_json& json, int indent) {
  constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;
  return json.dump(indent, ' ', false, kReplace);  // lint-ok: the one place
}

std::string file_text(const nlohmann::ordered_json& json) { return json_text(json, 2) + "\n"; }

nlohmann::ordered_json json_of(const std::string& text) {
  return nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
}

std::string text_at(const nlohmann::ordered_json& object, const char* key) {
  const auto member = object.find(key);
  return member != object.end() && member->is_string() ? member->get<std::string>() : "";
}

}  // namespace nibble::text
