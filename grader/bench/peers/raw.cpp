#include "raw.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/machine.hpp"

namespace nibble::peers {
namespace {

using Json = nlohmann::ordered_json;

/// A sample is no better than four digits, and a file of samples is long.
double four_digits(double x) {
  if (x == 0) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(x))) - 3);
  return unit < 1 ? std::round(x / unit) / std::round(1 / unit) : std::round(x);
}

std::vector<double> rounded(const std::vector<double>& samples, double unit) {
  std::vector<double> out;
  for (const double sample : samples) out.push_back(four_digits(sample / unit));
  return out;
}

Json machine(double load) {
  const report::Machine here = report::this_machine();
  return {{"cpu", here.cpu}, {"isa", here.isa}, {"load", load}};
}

Json ceiling_json(const Ceiling& ceiling) {
  return {{"name", ceiling.name},
          {"family", ceiling.family},
          {"threads", ceiling.threads},
          {"bytes", ceiling.bytes},
          {"unit", ceiling.bytes > 0 ? "GB/s" : "GOPS"},
          {"samples", rounded(ceiling.samples, 1)}};
}

Json row_json(const Score& row) {
  Json json = {{"contender", row.contender.name},
               {"about", row.about},
               {"family", row.contender.family},
               {"cap", row.contender.cap},
               {"ours", row.contender.is_ours},
               {"work", name_of(row.work)},
               {"m", row.shape.m},
               {"n", row.shape.n},
               {"k", row.shape.k},
               {"count", row.count},
               {"threads", row.threads},
               {"checked", row.comparison.checked},
               {"wrong_share", row.comparison.wrong},
               {"clock", row.threads == 1 ? "cpu" : "wall"}};
  json["median_us"] = four_digits(row.time().median / 1e-6);
  json["samples_us"] = rounded(row.seconds, 1e-6);
  return json;
}

Json absence_json(const Absence& absence) {
  return {{"name", absence.name}, {"where", absence.where}, {"why", absence.reason}};
}

template <typename Item>
std::string lines(const std::vector<Item>& items, Json (*json_of)(const Item&)) {
  std::string out;
  for (const Item& item : items) out += (out.empty() ? "  " : ",\n  ") + json_of(item).dump();
  return "[\n" + out + "\n ]";
}

}  // namespace

std::string raw(const Results& results, const std::string& command) {
  const Json head = {{"date", report::utc_now()},
                     {"command", command},
                     {"machine", machine(results.load)},
                     {"compiler", NIBBLE_COMPILER},
                     {"kernel_flags", NIBBLE_KERNEL_FLAGS}};
  const std::string begun = head.dump(1);  // "{ … \n}"
  return begun.substr(0, begun.size() - 2) +
         ",\n \"ceilings\": " + lines(results.ceilings, ceiling_json) +
         ",\n \"rows\": " + lines(results.rows, row_json) +
         ",\n \"absent\": " + lines(results.absences, absence_json) + "\n}\n";
}

}  // namespace nibble::peers
