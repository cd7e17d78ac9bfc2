#include "batch/order.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "batch/store.hpp"
#include "build/files.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

fs::path file_in(const fs::path& grades) { return grades / "grades.json"; }

}  // namespace

void write_order(const fs::path& grades, const Order& order) {
  const Json head = {{"grades", kSchema},
                     {"labs", order.labs},
                     {"legs", order.hidden ? "all" : "public"},
                     {"sanitizers", order.sanitizers},
                     {"gpu", order.gpu},
                     {"seed", order.seed},
                     {"salt", order.salt_hash},
                     {"salt_is_lost", order.salt_is_lost},
                     {"started", order.started}};
  std::string text = head.dump(2);
  text.resize(text.size() - 2);  // "\n}": one more follows, which is as long as the class
  text += ",\n  \"submissions\": {";
  const char* separator = "\n";
  for (const Submission& one : order.submissions) {
    text += fmt::format("{}    {}: {}", std::exchange(separator, ",\n"), Json(one.id).dump(),
                        Json(one.path).dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  keep_text(file_in(grades), text + "\n  }\n}\n");
}

std::optional<Order> read_order(const fs::path& grades) {
  const fs::path file = file_in(grades);
  if (!fs::exists(file)) return std::nullopt;
  const Json text = Json::parse(build::read_file(file), nullptr, /*throw=*/false);
  const bool has_one =
      text.is_object() && text.contains("grades") && text["grades"].is_number_integer();
  const int schema = has_one ? text["grades"].get<int>() : 0;
  if (schema != kSchema) {
    throw std::invalid_argument(fmt::format(
        "{} is of {}: this kit reads version {}. Grade into another folder with -o", file.string(),
        schema == 0 ? "no version" : fmt::format("version {}", schema), kSchema));
  }
  try {
    Order order;
    order.labs = text.at("labs");
    order.hidden = text.at("legs") == "all";
    order.sanitizers = text.at("sanitizers");
    order.gpu = text.value("gpu", false);
    order.seed = text.at("seed");
    order.salt_hash = text.at("salt");
    order.salt_is_lost = text.at("salt_is_lost");
    order.started = text.at("started");
    for (const auto& [id, path] : text.at("submissions").items()) {
      order.submissions.push_back({id, path.get<std::string>()});
    }
    return order;
  } catch (const Json::exception& error) {
    throw std::invalid_argument(fmt::format("{} is damaged: {}", file.string(), error.what()));
  }
}

}  // namespace nibble::batch
