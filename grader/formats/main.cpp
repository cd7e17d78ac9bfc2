// format-times: what `nibble bench 35` measures, as JSON. `times` is every format in turn, `net`
// the accuracy of the network, `memory FORMAT` what a fresh process grows by.
#include <cmath>
#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "formats/net_accuracy.hpp"
#include "formats/product.hpp"
#include "formats/resident.hpp"
#include "formats/statistics.hpp"
#include "formats/timing.hpp"
#include "judge/ceiling.hpp"
#include "text/json_text.hpp"

namespace nibble::formats {
namespace {

using Json = nlohmann::ordered_json;

#if defined(__clang__)
constexpr const char* kCompiler = "clang++ " __clang_version__ " -O3";
#else
constexpr const char* kCompiler = "g++ " __VERSION__ " -O3";
#endif

/// What one core can do at most: memory, and the instructions that kernels here are made of.
Json ceilings_json(Isa isa) {
  constexpr std::size_t kFromMemory = std::size_t{96} << 20;
  return {{"fp32_gops", judge::fma_gops()},
          {"int8_gops", judge::peak_gops(isa)},
          {"read_gbytes", judge::read_gbytes(kFromMemory)}};
}

std::vector<std::int64_t> nanoseconds(const std::vector<double>& seconds) {
  std::vector<std::int64_t> whole;
  for (const double each : seconds) whole.push_back(std::llround(1e9 * each));
  return whole;
}

Json cell_json(const TimedFormat& timed, const TimedFormat& fp32, ProblemSize size) {
  const Quartiles time = quartiles_of(timed.seconds);
  const PairedRatio ratio = paired_ratio(timed.seconds, fp32.seconds, 1);
  return {{"batch", timed.batch},
          {"operations", 2 * timed.batch * size.n * size.k},
          {"bytes", timed.bytes},
          {"seconds", {time.low, time.median, time.high}},
          {"ratio", {ratio.low, ratio.ratio, ratio.high}},
          {"sqnr_db", timed.sqnr_db},
          {"samples_ns", nanoseconds(timed.seconds)}};
}

Json times_json(const RoundPlan& plan) {
  const Isa isa = widest_isa();
  Json ceilings = ceilings_json(isa), formats = Json::array();
  const std::vector<TimedFormat> timed = time_formats(isa, plan);
  for (std::size_t f = 0; f < kEveryNumberFormat.size(); ++f) {
    const NumberFormat format = kEveryNumberFormat[f];
    Json cells = Json::array();
    for (std::size_t b = 0; b < plan.batches.size(); ++b) {
      const std::size_t fp32 = b * kEveryNumberFormat.size();
      cells.push_back(cell_json(timed[fp32 + f], timed[fp32], plan.size));
    }
    formats.push_back({{"format", name_of(format)},
                       {"arithmetic", arithmetic_of(format, isa)},
                       {"emulated", is_emulated(format)},
                       {"weight_bytes", bytes_of(packed_weights(format, plan.size))},
                       {"batches", cells}});
  }
  return {{"n", plan.size.n},      {"k", plan.size.k},      {"isa", name_of(isa)},
          {"compiler", kCompiler}, {"rounds", plan.rounds}, {"flushed_bytes", plan.flushed_bytes},
          {"ceilings", ceilings},  {"formats", formats}};
}

Json net_json(const NetPlan& plan) {
  const auto accuracies = net_accuracies(widest_isa(), plan);
  Json json = {{"seeds", plan.seeds}, {"images", plan.test_images}, {"accuracy", Json::object()}};
  for (std::size_t f = 0; f < accuracies.size(); ++f) {
    json["accuracy"][std::string(name_of(kEveryNumberFormat[f]))] = accuracies[f];
  }
  return json;
}

Json memory_json(const std::string& name, ProblemSize size) {
  for (const NumberFormat format : kEveryNumberFormat) {
    if (name_of(format) != name) continue;
    const auto grown = growth_in(format, widest_isa(), size);
    return {{"resident_bytes", grown ? Json(*grown) : Json(nullptr)}};
  }
  return {};
}

/// Null: the words mean nothing.
Json answer_to(const std::vector<std::string>& words) {
  if (words == std::vector<std::string>{"times"}) return times_json({});
  if (words == std::vector<std::string>{"net"}) return net_json({});
  if (words.size() == 2 && words[0] == "memory") return memory_json(words[1], {});
  return {};
}

}  // namespace
}  // namespace nibble::formats

int main(int argc, char** argv) {
  const auto answer = nibble::formats::answer_to({argv + 1, argv + argc});
  if (answer.is_null()) {
    std::cerr << "format-times: times, net or memory FORMAT; ./nibble bench 35 calls it\n";
    return 2;
  }
  std::cout << nibble::text::json_text(answer);
  return 0;
}
