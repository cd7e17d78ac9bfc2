#include "report/format_table.hpp"

#include <algorithm>
#include <numeric>

namespace nibble::report {
namespace {

using Json = nlohmann::ordered_json;

Spread spread_at(const Json& three) {
  return {three.at(0).get<double>(), three.at(1).get<double>(), three.at(2).get<double>()};
}

FormatCell cell_of(const Json& json) {
  FormatCell cell;
  cell.batch = json.at("batch").get<std::size_t>();
  cell.operations = json.at("operations").get<double>();
  cell.bytes = json.at("bytes").get<double>();
  cell.seconds = spread_at(json.at("seconds"));
  cell.ratio = spread_at(json.at("ratio"));
  cell.sqnr_db = json.at("sqnr_db").get<double>();
  return cell;
}

FormatRow row_of(const Json& json, const Json& measured) {
  FormatRow row;
  row.format = json.at("format").get<std::string>();
  row.arithmetic = json.at("arithmetic").get<std::string>();
  row.emulated = json.at("emulated").get<bool>();
  row.weight_bytes = json.at("weight_bytes").get<double>();
  const Json& resident = measured.at("memory").at(row.format);
  if (!resident.is_null()) row.resident_bytes = resident.get<double>();
  const char* const peak = row.format.starts_with("int") ? "int8_gops" : "fp32_gops";
  row.peak_gops = measured.at("times").at("ceilings").at(peak).get<double>();
  for (const Json& cell : json.at("batches")) row.cells.push_back(cell_of(cell));
  row.accuracies = measured.at("net").at("accuracy").at(row.format).get<std::vector<double>>();
  return row;
}

}  // namespace

double FormatTable::roof_of(const FormatRow& row, const FormatCell& cell) const {
  return std::min(row.peak_gops, cell.intensity() * read_gbytes);
}

double FormatTable::longest_ratio() const {
  double longest = 1.0;
  for (const FormatRow& row : rows) {
    for (const FormatCell& cell : row.cells) longest = std::max(longest, cell.ratio.high);
  }
  return longest;
}

Spread spread_of(const std::vector<double>& values) {
  if (values.empty()) return {};
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  const auto [low, high] = std::ranges::minmax(values);
  return {low, sum / static_cast<double>(values.size()), high};
}

FormatTable read_format_table(const Json& measured) {
  const Json &times = measured.at("times"), &env = measured.at("env");
  FormatTable table;
  table.started = measured.at("started").get<std::string>();
  table.isa = times.at("isa").get<std::string>();
  table.compiler = times.at("compiler").get<std::string>();
  table.machine.cpu = env.at("cpu").get<std::string>();
  table.machine.isa = env.at("isa").get<std::vector<std::string>>();
  table.machine.load = env.at("load").get<double>();
  table.n = times.at("n").get<std::size_t>();
  table.k = times.at("k").get<std::size_t>();
  table.rounds = times.at("rounds").get<int>();
  table.test_images = measured.at("net").at("images").get<int>();
  table.read_gbytes = times.at("ceilings").at("read_gbytes").get<double>();
  for (const Json& row : times.at("formats")) table.rows.push_back(row_of(row, measured));
  return table;
}

}  // namespace nibble::report
