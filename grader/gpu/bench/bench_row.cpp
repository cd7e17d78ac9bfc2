#include "gpu/bench/bench_row.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace nibble::gpu {
namespace {

using Json = nlohmann::ordered_json;

/// More digits than this no measurement has.
double rounded(double value) {
  if (!std::isfinite(value) || value == 0) return 0;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.5g", value);
  return std::strtod(text.data(), nullptr);
}

}  // namespace

std::string json_line(const BenchRow& row) {
  Json line{{"section", row.section}, {"name", row.name}};
  line["us"] = rounded(row.times.median_us);
  line["min_us"] = rounded(row.times.min_us);
  line["p90_us"] = rounded(row.times.p90_us);
  line["n"] = row.times.samples;
  line["sm_mhz"] = std::round(row.sm_mhz);
  for (const auto& [name, value] : row.figures) line[name] = rounded(value);
  line["check"] = row.check;
  return line.dump();
}

std::string json_line(const MachineLine& machine) {
  return Json{{"section", "run"},
              {"name", "machine"},
              {"date", machine.date},
              {"gpu", machine.facts.name},
              {"sm", machine.facts.sm},
              {"multiprocessors", machine.facts.multiprocessors},
              {"max_sm_mhz", machine.facts.sm_mhz},
              {"l2_bytes", machine.facts.l2_bytes},
              {"memory_bytes", machine.facts.memory_bytes},
              {"driver", machine.facts.driver},
              {"power_limit", machine.power_limit},
              {"nvcc", machine.nvcc},
              {"kit", machine.kit}}
      .dump();
}

std::string json_error_line(const std::string& section, const std::string& why) {
  return Json{{"section", section}, {"name", "not measured"}, {"error", why}}.dump();
}

}  // namespace nibble::gpu
