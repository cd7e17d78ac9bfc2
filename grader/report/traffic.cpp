#include "report/traffic.hpp"

#include <algorithm>
#include <cstdlib>

namespace nibble::report {
namespace {

constexpr double kSectorBytes = 32.0, kCostly = 1.25;

double ratio(double a, double b) { return b > 0.0 ? a / b : 0.0; }

int line_of(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  return colon == std::string::npos ? 0 : std::atoi(place.c_str() + colon + 1);
}

Access access_of(const Json& entry) {
  Access access;
  access.line = line_of(entry.at("line"));
  access.subject = entry.at("subject");
  access.shared = entry.at("space") == "shared";
  access.use = entry.at("use");
  access.bytes = entry.at("bytes");
  access.requests = entry.at("requests");
  access.lanes = entry.at("lanes");
  access.sectors = entry.at("sectors");
  access.useful_bytes = entry.at("useful_bytes");
  access.wavefronts = entry.at("wavefronts");
  access.ideal_wavefronts = entry.at("ideal_wavefronts");
  access.sample_lanes = entry.at("sample_lanes");
  access.sample = entry.at("sample");
  return access;
}

}  // namespace

double Access::per_request() const {
  return ratio(static_cast<double>(shared ? wavefronts : sectors), static_cast<double>(requests));
}

double Access::wanted() const {
  return ratio(static_cast<double>(useful_bytes), kSectorBytes * static_cast<double>(sectors));
}

bool Access::is_costly() const {
  if (shared) {
    return static_cast<double>(wavefronts) > kCostly * static_cast<double>(ideal_wavefronts);
  }
  return wanted() * kCostly < 1.0;
}

std::vector<Traffic> traffic_of(const Json& verdict) {
  std::vector<Traffic> all;
  for (const Json& check : verdict.at("checks")) {
    if (!check.contains("traffic")) continue;
    Traffic traffic{
        check.at("exercise"), check.at("id"), {}, check.at("totals"), check.at("published_totals")};
    for (const Json& entry : check["traffic"]) traffic.accesses.push_back(access_of(entry));
    std::ranges::stable_sort(traffic.accesses, {}, &Access::line);
    const auto before = std::ranges::find(all, traffic.exercise, &Traffic::exercise);
    if (before != all.end()) {
      *before = std::move(traffic);
    } else {
      all.push_back(std::move(traffic));
    }
  }
  return all;
}

}  // namespace nibble::report
