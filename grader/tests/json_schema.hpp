// Enough of JSON Schema, draft-07, for the two schemas of this project: what must be there, what
// may be, of which type, which words, and references into `definitions`.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

namespace nibble::test {

class JsonSchema {
 public:
  using Json = nlohmann::ordered_json;

  explicit JsonSchema(Json schema) : schema_(std::move(schema)) {}

  /// What is wrong with `value`, with its place; empty: nothing.
  std::vector<std::string> complaints(const Json& value) const {
    std::vector<std::string> found;
    look(value, schema_, "$", found);
    return found;
  }

 private:
  using Found = std::vector<std::string>;

  static bool has_type(const Json& value, const std::string& type) {
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    return type == "null" && value.is_null();
  }

  static bool has_a_type(const Json& value, const Json& type) {
    if (type.is_string()) return has_type(value, type);
    return std::ranges::any_of(type, [&](const Json& one) { return has_type(value, one); });
  }

  bool fits(const Json& value, const Json& schema) const {
    Found found;
    look(value, schema, "", found);
    return found.empty();
  }

  void look(const Json& value, const Json& schema, const std::string& where, Found& found) const {
    if (schema.contains("$ref")) {
      const std::string name = schema["$ref"].get<std::string>().substr(14);  // "#/definitions/"
      look(value, schema_.at("definitions").at(name), where, found);
      return;
    }
    const auto complain = [&](const std::string& what) { found.push_back(where + ": " + what); };
    if (schema.contains("type") && !has_a_type(value, schema["type"])) complain("wrong type");
    if (schema.contains("const") && value != schema["const"]) complain("not the constant");
    if (schema.contains("enum") && std::ranges::count(schema["enum"], value) == 0) {
      complain("none of the words");
    }
    look_at_size(value, schema, complain);
    look_at_rules(value, schema, complain);
    if (value.is_object()) look_at_members(value, schema, where, found);
    if (value.is_array() && schema.contains("items")) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        look(value[i], schema["items"], where + "[" + std::to_string(i) + "]", found);
      }
    }
  }

  template <class Complain>
  static void look_at_size(const Json& value, const Json& schema, const Complain& complain) {
    if (value.is_number() && schema.contains("minimum") && value < schema["minimum"]) {
      complain("too small");
    }
    if (value.is_number() && schema.contains("maximum") && value > schema["maximum"]) {
      complain("too large");
    }
    if (!value.is_string()) return;
    const std::string text = value;
    if (schema.contains("maxLength") && text.size() > schema["maxLength"]) complain("too long");
    if (schema.contains("pattern") &&
        !std::regex_search(text, std::regex(schema["pattern"].get<std::string>()))) {
      complain("not of the pattern");
    }
  }

  template <class Complain>
  void look_at_rules(const Json& value, const Json& schema, const Complain& complain) const {
    const auto fits_here = [&](const Json& one) { return fits(value, one); };
    if (schema.contains("anyOf") && !std::ranges::any_of(schema["anyOf"], fits_here)) {
      complain("fits none of anyOf");
    }
    if (schema.contains("allOf") && !std::ranges::all_of(schema["allOf"], fits_here)) {
      complain("does not fit all of allOf");
    }
    if (schema.contains("not") && fits(value, schema["not"])) complain("fits what it must not");
    if (schema.contains("if") && fits(value, schema["if"]) && !fits(value, schema["then"])) {
      complain("does not fit `then`");
    }
  }

  void look_at_members(const Json& value, const Json& schema, const std::string& where,
                       Found& found) const {
    const Json properties = schema.value("properties", Json::object());
    for (const Json& name : schema.value("required", Json::array())) {
      if (!value.contains(name.get<std::string>())) {
        found.push_back(where + ": no " + name.get<std::string>());
      }
    }
    const Json rest = schema.value("additionalProperties", Json(true));
    for (const auto& [name, member] : value.items()) {
      if (properties.contains(name)) {
        look(member, properties[name], where + "." + name, found);
      } else if (rest == Json(false)) {
        found.push_back(where + ": " + name + " is not foreseen");
      } else if (rest.is_object()) {
        look(member, rest, where + "." + name, found);
      }
    }
  }

  Json schema_;
};

}  // namespace nibble::test
