#include "batch/order.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

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
  Json submissions = Json::object();
  for (const Submission& one : order.submissions) submissions[one.id] = one.path.string();
  const Json text = {{"grades", kSchema},
                     {"labs", order.labs},
                     {"legs", order.hidden ? "all" : "public"},
                     {"sanitizers", order.sanitizers},
                     {"seed", order.seed},
                     {"salt", order.salt_hash},
                     {"salt_is_lost", order.salt_is_lost},
                     {"started", order.started},
                     {"submissions", submissions}};
  keep(file_in(grades), text);
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
