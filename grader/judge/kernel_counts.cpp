// Sums over all accesses of a kernel, and the sentence that says which of them costs too much.
#include "judge/kernel_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace nibble::judge {
namespace {

using simt::SessionTotals;
using simt::Space;
using simt::Traffic;
using simt::Use;

constexpr std::uint64_t kSectorBytes = 32;

std::uint64_t global_bytes(const Traffic& t) {
  return t.space == Space::kGlobal ? kSectorBytes * t.sectors : 0;
}
/// An atomic operation does both.
std::uint64_t load_bytes(const Traffic& t) { return t.use != Use::kStore ? global_bytes(t) : 0; }
std::uint64_t store_bytes(const Traffic& t) { return t.use != Use::kLoad ? global_bytes(t) : 0; }
std::uint64_t global_requests(const Traffic& t) {
  return t.space == Space::kGlobal ? t.requests : 0;
}
std::uint64_t shared_requests(const Traffic& t) {
  return t.space == Space::kShared ? t.requests : 0;
}
std::uint64_t conflicts(const Traffic& t) {
  return t.space == Space::kShared ? t.wavefronts - std::min(t.wavefronts, t.ideal_wavefronts) : 0;
}

std::string describe(const Traffic& t) {
  const double requests = static_cast<double>(std::max<std::uint64_t>(1, t.requests));
  const char* const verb = t.use == Use::kLoad    ? "loads"
                           : t.use == Use::kStore ? "stores"
                                                  : "atomics";
  if (t.space == Space::kShared) {
    return fmt::format("{} of {}: {:.2f} passes over the banks a request", verb, t.subject,
                       static_cast<double>(t.wavefronts) / requests);
  }
  return fmt::format("{} of {}: {:.2f} sectors a request, {:.0f} % of their bytes wanted", verb,
                     t.subject, static_cast<double>(t.sectors) / requests,
                     100.0 * static_cast<double>(t.useful_bytes) /
                         static_cast<double>(kSectorBytes * std::max<std::uint64_t>(1, t.sectors)));
}

/// How much more than the published solution counts for accesses like this one: "loads of x".
std::int64_t beyond(const Measure& measure, const Traffic& one, const Counted& counted) {
  std::int64_t more = 0;
  const auto add = [&](const KernelCounts& counts, std::int64_t sign) {
    for (const Traffic& t : counts.traffic) {
      if (t.space != one.space || t.use != one.use) continue;
      if (std::string_view(t.subject) != one.subject) continue;
      more += sign * static_cast<std::int64_t>(measure.of_traffic(t));
    }
  };
  add(counted.got, 1);
  add(counted.published, -1);
  return more;
}

/// "; most at cuda_quantize.cu:12: loads of x: 32.00 sectors a request, 12 % of their bytes
/// wanted". Of the array that is asked for most beyond what has to be: what costs most may have to.
std::string costliest(const Measure& measure, const Counted& counted) {
  const KernelCounts& counts = counted.got;
  if (measure.of_traffic == nullptr || counts.traffic.empty()) return "";
  const auto worst = std::ranges::max_element(counts.traffic, {}, [&](const Traffic& t) {
    return std::pair(beyond(measure, t, counted), measure.of_traffic(t));
  });
  const auto at = static_cast<std::size_t>(worst - counts.traffic.begin());
  const std::string line = counts.lines ? counts.lines().at(at) : "";
  return fmt::format("; most {}at {}: {}", measure.of(counted.published) == 0 ? "" : "beyond that ",
                     line.empty() ? "?" : line, describe(*worst));
}

std::string readable(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

/// "where the published solution needs 1,280 and 1.1 times that is allowed"
std::string allowance(std::uint64_t published, double factor) {
  if (published == 0) return "where the published solution has none";
  return fmt::format("where the published solution needs {} and {} times that is allowed",
                     readable(published), factor);
}

}  // namespace

const Measure kGlobalBytes{"bytes of global memory moved", "N-COALESCE", global_bytes, nullptr};
const Measure kGlobalLoadBytes{"bytes of global memory read", "N-COALESCE", load_bytes, nullptr};
const Measure kGlobalStoreBytes{"bytes of global memory written", "N-COALESCE", store_bytes,
                                nullptr};
const Measure kGlobalRequests{"requests to global memory", "N-REQUESTS", global_requests, nullptr};
const Measure kSharedRequests{"requests to shared memory", "N-REQUESTS", shared_requests, nullptr};
const Measure kBankConflicts{"bank conflicts", "N-BANK", conflicts, nullptr};
const Measure kBarriers{"barriers", "N-BARRIERS", nullptr,
                        [](const SessionTotals& t) { return t.barriers; }};
const Measure kAtomics{"atomic operations", "N-ATOMIC", nullptr,
                       [](const SessionTotals& t) { return t.atomics; }};
const Measure kLaunches{"launches", "N-LAUNCHES", nullptr,
                        [](const SessionTotals& t) { return t.launches; }};
const Measure kDp4a{"__dp4a", "N-DP4A", nullptr, [](const SessionTotals& t) { return t.dp4a; }};
const Measure kMma{"tensor-core products", "N-MMA", nullptr,
                   [](const SessionTotals& t) { return t.mma; }};
const Measure kPopc{"__popc", "N-POPC", nullptr, [](const SessionTotals& t) { return t.popc; }};
const Measure kLanesAtWork{
    "lanes of a warp at work, on average", "N-IDLE", nullptr,
    [](const SessionTotals& t) { return t.steps == 0 ? 0 : t.active_lanes / t.steps; }};

std::uint64_t Measure::of(const KernelCounts& counts) const {
  if (of_traffic == nullptr) return of_totals(counts.totals);
  std::uint64_t sum = 0;
  for (const Traffic& traffic : counts.traffic) sum += of_traffic(traffic);
  return sum;
}

bool at_most(Expect& expect, const Measure& measure, double factor, const Counted& counted) {
  const std::uint64_t got = measure.of(counted.got), published = measure.of(counted.published);
  if (static_cast<double>(got) <= factor * static_cast<double>(published)) {
    return !expect.failure();
  }
  return expect.that(false,
                     fmt::format("{}: {}, {}{}", measure.name, readable(got),
                                 allowance(published, factor), costliest(measure, counted)),
                     measure.code);
}

bool at_least(Expect& expect, const Measure& measure, double share, const Counted& counted) {
  const std::uint64_t got = measure.of(counted.got), published = measure.of(counted.published);
  return expect.that(static_cast<double>(got) >= share * static_cast<double>(published),
                     fmt::format("{}: {}, where the published solution has {} and {} of that is "
                                 "enough",
                                 measure.name, readable(got), readable(published), share),
                     measure.code);
}

bool exactly(Expect& expect, const Measure& measure, std::uint64_t want, const Counted& counted) {
  const std::uint64_t got = measure.of(counted.got);
  return expect.that(
      got == want,
      fmt::format("{}: {}, and it takes {}", measure.name, readable(got), readable(want)),
      measure.code);
}

}  // namespace nibble::judge
