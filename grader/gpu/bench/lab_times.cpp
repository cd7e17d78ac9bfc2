#include "gpu/bench/lab_times.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nibble::gpu {
namespace {

/// What has to come from memory, and go there: as much as the cache holds may have stayed in it.
double bytes_beyond_the_cache(const KernelProblem& problem, const Facts& facts) {
  return std::max(0.0, problem.bytes - static_cast<double>(facts.l2_bytes));
}

/// Of all int8 products, whatever instruction the lab is about: what no kernel can do better.
Floor floor_of(const KernelProblem& problem, const GpuCeilings& limits, const Facts& facts) {
  return {bytes_beyond_the_cache(problem, facts), problem.operations, limits.bytes_per_second(),
          limits.most_operations_per_second()};
}

bool is_exact(const KernelProblem& problem) {
  return std::ranges::all_of(problem.parameters, [](const Parameter& one) {
    return one.kind != Parameter::Kind::kOutput || one.compare == Compare::kExact;
  });
}

/// How the outputs agree, or why the row counts for nothing.
std::string check_of(const KernelProblem& problem, const PairedRun& run, const Decision& decision) {
  if (!run.wrong_pairs.empty()) {
    return fmt::format("FAIL: {} of {} outputs are not what they should be", run.wrong_pairs.size(),
                       run.pairs.size());
  }
  switch (decision.ruling) {
    case Ruling::kNotBelievable:
      return "FAIL: not believable: " + decision.sentence;
    case Ruling::kTooShort:
    case Ruling::kUnfit:
      return "FAIL: " + decision.sentence;
    default:
      return is_exact(problem) ? "exact" : "within rounding";
  }
}

}  // namespace

void GpuCeilings::add(const BenchRow& ceiling) {
  if (ceiling.check != "exact") return;
  for (const auto& [figure, value] : ceiling.figures) {
    if (figure == "gbps") known_[ceiling.name] = 1e9 * value;
    if (figure == "tops") known_[ceiling.name] = 1e12 * value;
  }
}

double GpuCeilings::per_second(const std::string& ceiling) const {
  const auto found = known_.find(ceiling);
  return found == known_.end() ? 0 : found->second;
}

double GpuCeilings::most_operations_per_second() const {
  return std::max(per_second("dp4a"), per_second("mma_sync_s8_m16n8k32"));
}

BenchRow row_of(const LabProblem& lab, const PairedRun& run, const std::string& figure,
                const GpuCeilings& limits, const Facts& facts) {
  Conditions conditions;
  conditions.event_overhead_us = run.event_overhead_us;
  conditions.first_half_mhz = run.first_half_mhz;
  conditions.second_half_mhz = run.second_half_mhz;
  conditions.floor = floor_of(lab.problem, limits, facts);
  const Decision decision = judge(run.pairs, conditions, 0, 1);

  BenchRow row{"labs",
               name_of(lab),
               decision.learner,
               run.second_half_mhz,
               {},
               check_of(lab.problem, run, decision)};
  const bool moves = lab.ceiling == "copy";
  const double work = moves ? lab.problem.bytes : lab.problem.operations;
  const double per_second = row.times.median_us > 0 ? 1e6 * work / row.times.median_us : 0;
  const double limit = limits.per_second(lab.ceiling);
  row.figures.emplace_back(moves ? "gbps" : "tops", per_second * (moves ? 1e-9 : 1e-12));
  if (limit > 0) row.figures.emplace_back("share", per_second / limit);
  row.figures.emplace_back(figure, decision.ratio.median);
  row.figures.emplace_back(figure + "_low", decision.ratio.low);
  row.figures.emplace_back(figure + "_high", decision.ratio.high);
  return row;
}

BenchRow time_problem(const Gpu& gpu, const LabProblem& lab, std::span<const std::byte> kit_kernels,
                      const Opponent& opponent, std::span<const std::byte> candidate,
                      const GpuCeilings& limits, const PairedOptions& options) {
  const PairedRun run =
      run_pairs(gpu, lab.problem, kit_kernels, opponent.start, candidate, options);
  return row_of(lab, run, opponent.figure, limits, gpu.facts());
}

}  // namespace nibble::gpu
