#include "report/traffic.hpp"

#include <algorithm>

namespace nibble::report {
namespace {

constexpr double kSectorBytes = 32.0, kCostly = 1.25;

double ratio(double a, double b) { return b > 0.0 ? a / b : 0.0; }

}  // namespace

double per_request(const Access& access) {
  return ratio(static_cast<double>(access.shared ? access.wavefronts : access.sectors),
               static_cast<double>(access.requests));
}

double wanted(const Access& access) {
  return ratio(static_cast<double>(access.useful_bytes),
               kSectorBytes * static_cast<double>(access.sectors));
}

bool is_costly(const Access& access) {
  if (!access.shared) return wanted(access) * kCostly < 1.0;
  return static_cast<double>(access.wavefronts) >
         kCostly * static_cast<double>(access.ideal_wavefronts);
}

std::vector<ExerciseTraffic> traffic_of(const record::Verdict& verdict) {
  std::vector<ExerciseTraffic> all;
  for (const record::Check& check : verdict.checks) {
    if (!check.totals || !check.published_totals) continue;
    ExerciseTraffic traffic{check.exercise, check.id, check.traffic, *check.totals,
                            *check.published_totals};
    std::ranges::stable_sort(traffic.accesses, {}, &Access::line);
    const auto before = std::ranges::find(all, traffic.exercise, &ExerciseTraffic::exercise);
    if (before != all.end()) {
      *before = std::move(traffic);
    } else {
      all.push_back(std::move(traffic));
    }
  }
  return all;
}

}  // namespace nibble::report
