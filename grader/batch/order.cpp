#include "batch/order.hpp"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "batch/store.hpp"
#include "files/files.hpp"
#include "text/json_text.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kSchema = 2;

fs::path file_in(const fs::path& grades) { return grades / "grades.json"; }

}  // namespace

void write_order(const fs::path& grades, const BatchOrder& order) {
  const Json head = {{"grades", kSchema},
                     {"labs", names_of(order.labs)},
                     {"legs", order.legs.hidden ? "all" : "public"},
                     {"sanitizers", order.legs.sanitizers},
                     {"gpu", order.legs.gpu},
                     {"budget_seconds", floor<std::chrono::seconds>(order.terms.budget).count()},
                     {"seed", order.terms.seed},
                     {"salt", order.salt_hash},
                     {"salt_is_lost", order.salt_is_lost},
                     {"started", order.started}};
  std::string text = text::json_text(head, 2);
  text.resize(text.size() - 2);  // "\n}": one more follows, which is as long as the class
  text += ",\n  \"submissions\": [";
  const char* separator = "\n";
  for (const Delivery& one : order.submissions) {
    Json entry = {{"id", one.id}, {"path", one.path}, {"labs", one.labs}};
    if (!one.refusal.empty()) entry["refusal"] = one.refusal;
    if (!one.user.empty()) entry["user"] = one.user;
    if (one.is_called_late) entry["late"] = true;
    text += std::exchange(separator, ",\n") + ("    " + text::json_text(entry));
  }
  keep_text(file_in(grades), text + "\n  ]\n}\n");
}

std::optional<BatchOrder> read_order(const lab::Kit& kit, const fs::path& grades) {
  const fs::path file = file_in(grades);
  if (!fs::exists(file)) return std::nullopt;
  const Json text = text::json_of(files::read_file(file));
  const bool has_one =
      text.is_object() && text.contains("grades") && text["grades"].is_number_integer();
  const int schema = has_one ? text["grades"].get<int>() : 0;
  if (schema != kSchema) {
    throw std::invalid_argument(fmt::format(
        "{} is of {}: this kit reads version {}. Grade into another folder with -o", file.string(),
        schema == 0 ? "no version" : fmt::format("version {}", schema), kSchema));
  }
  try {
    BatchOrder order;
    for (const std::string lab : text.at("labs")) order.labs.push_back(kit.lab(lab));
    order.legs.hidden = text.at("legs") == "all";
    text.at("sanitizers").get_to(order.legs.sanitizers);
    order.legs.gpu = text.value("gpu", false);
    order.terms.budget = std::chrono::seconds(text.value("budget_seconds", 0));
    text.at("seed").get_to(order.terms.seed);
    text.at("salt").get_to(order.salt_hash);
    text.at("salt_is_lost").get_to(order.salt_is_lost);
    text.at("started").get_to(order.started);
    for (const Json& entry : text.at("submissions")) {
      order.submissions.push_back({entry.at("id"), entry.at("path"), entry.at("labs"),
                                   entry.value("refusal", std::string()),
                                   entry.value("user", std::string()), entry.value("late", false)});
    }
    return order;
  } catch (const Json::exception& error) {
    throw std::invalid_argument(fmt::format("{} is damaged: {}", file.string(), error.what()));
  }
}

}  // namespace nibble::batch
