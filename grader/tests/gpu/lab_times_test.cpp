// What the labs' kernels are timed on, held against their contracts; the rows that come of it; and
// the page that is made of rows. No GPU takes part.
#include "gpu/bench/lab_times.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <type_traits>

#include "gpu/bench/page.hpp"
#include "nibble/cuda_lab.hpp"

// Only the signatures are wanted, of several contracts at once: none of them is this file's own.
#undef NIBBLE_EXERCISES
#define NIBBLE_EXERCISES(...) static_assert(true)
#include <19_cuda_quantize/cuda_quantize.hpp>
#include <20_cuda_absmax/cuda_absmax.hpp>
#include <21_cuda_int8_matmul/cuda_int8_matmul.hpp>
#include <22_cuda_dp4a/cuda_dp4a.hpp>
#include <24_cuda_fused/cuda_fused.hpp>
#include <25_cuda_tensor_core/cuda_tensor_core.hpp>

namespace nibble::gpu {
namespace {

using Kind = Parameter::Kind;

// --- The problems --------------------------------------------------------------------------------

struct Declared {
  Kind kind;
  std::size_t bytes;  ///< of a scalar
};

template <class T>
Declared declared() {
  if constexpr (!std::is_pointer_v<T>) {
    return {Kind::kScalar, sizeof(T)};
  } else {
    return {std::is_const_v<std::remove_pointer_t<T>> ? Kind::kInput : Kind::kOutput, 0};
  }
}

/// Of a kernel that is declared and nowhere defined.
template <class Function>
struct Signature;
template <class... Arguments>
struct Signature<void(Arguments...)> {
  static std::vector<Declared> parameters() { return {declared<Arguments>()...}; }
};

#define KERNEL(name) \
  { #name, Signature < decltype(nibble::name)> ::parameters() }
const std::map<std::string, std::vector<Declared>> kContracts = {
    KERNEL(quantize_kernel),
    KERNEL(quantize_vectorized_kernel),
    KERNEL(quantize_half_kernel),
    KERNEL(dequantize_kernel),
    KERNEL(absmax_block_kernel),
    KERNEL(absmax_warp_kernel),
    KERNEL(absmax_kernel),
    KERNEL(quantize_rows_kernel),
    KERNEL(matmul_naive_kernel),
    KERNEL(matmul_tiled_kernel),
    KERNEL(matmul_transposed_kernel),
    KERNEL(matmul_register_kernel),
    KERNEL(matmul_dp4a_naive_kernel),
    KERNEL(matmul_dp4a_tiled_kernel),
    KERNEL(matmul_dp4a_register_kernel),
    KERNEL(scale_bias_relu_kernel),
    KERNEL(requantize_kernel),
    KERNEL(matmul_fused_kernel),
    KERNEL(matmul_requantized_kernel),
    KERNEL(matmul_wmma_kernel),
    KERNEL(matmul_mma_kernel),
    KERNEL(matmul_mma_tiled_kernel),
};
#undef KERNEL

TEST(LabProblems, HaveTheParametersOfTheirContract) {
  std::size_t seen = 0;
  for (const std::string& lab : timed_labs()) {
    for (const LabProblem& one : problems_of(lab)) {
      SCOPED_TRACE(name_of(one));
      ++seen;
      ASSERT_TRUE(kContracts.contains(one.problem.kernel));
      const std::vector<Declared>& want = kContracts.at(one.problem.kernel);
      ASSERT_EQ(one.problem.parameters.size(), want.size());
      for (std::size_t i = 0; i < want.size(); ++i) {
        const Parameter& parameter = one.problem.parameters[i];
        EXPECT_EQ(parameter.kind, want[i].kind) << "parameter " << i;
        EXPECT_EQ(parameter.bytes > 0, parameter.kind != Kind::kScalar) << "parameter " << i;
        if (want[i].bytes == sizeof(std::int32_t)) {  // so no 64-bit value was put there
          EXPECT_TRUE(std::ranges::all_of(std::span(parameter.value).last(4),
                                          [](std::byte b) { return b == std::byte{0}; }));
        }
      }
    }
  }
  EXPECT_EQ(seen, kContracts.size());  // no kernel of a timed lab is left out
}

TEST(LabProblems, OutgrowTheCacheOrHaveOperations) {
  constexpr double kLargestCache = 130e6;
  for (const std::string& lab : timed_labs()) {
    for (const LabProblem& one : problems_of(lab)) {
      SCOPED_TRACE(name_of(one));
      EXPECT_TRUE(one.problem.operations > 0 || one.problem.bytes > 2 * kLargestCache);
      EXPECT_EQ(one.ceiling == "copy", one.problem.operations == 0);
    }
  }
  EXPECT_TRUE(problems_of("03_symmetric").empty());
}

// --- Rows ----------------------------------------------------------------------------------------

LabProblem a_product() {
  LabProblem lab{"22_cuda_dp4a", "matmul_dp4a_tiled", "4096x4096x4096", "dp4a", 75, {}};
  lab.problem = square_product("matmul_dp4a_tiled_kernel", 4096);
  return lab;
}

BenchRow ceiling(const std::string& name, const std::string& figure, double value) {
  return {"ceilings", name, {}, 0, {{figure, value}}, "exact"};
}

GpuCeilings some_limits() {
  GpuCeilings limits;
  limits.add(ceiling("copy", "gbps", 4000));
  limits.add(ceiling("dp4a", "tops", 120));
  limits.add(ceiling("mma_sync_s8_m16n8k32", "tops", 1200));
  return limits;
}

/// 12 pairs: the opponent takes 20 ms, the kernel `us`.
PairedRun a_run(double us) {
  PairedRun run;
  for (int i = 0; i < 12; ++i) run.pairs.push_back({20'000.0 + i, us + 0.01 * i});
  run.event_overhead_us = 1;
  run.first_half_mhz = 1900;
  run.second_half_mhz = 1905;
  return run;
}

double figure(const BenchRow& row, const std::string& name) {
  for (const auto& [known, value] : row.figures) {
    if (known == name) return value;
  }
  return -1;
}

TEST(LabTimes, ARowIsAShareOfItsOwnCeiling) {
  const BenchRow row = row_of(a_product(), a_run(2000), "vs_plain", some_limits(), {});
  EXPECT_EQ(row.name, "22.matmul_dp4a_tiled 4096x4096x4096");
  EXPECT_EQ(row.check, "exact");
  EXPECT_EQ(row.sm_mhz, 1905);
  EXPECT_NEAR(figure(row, "tops"), 2 * 4096e-9 * 4096 * 4096 / 2, 0.5);  // in 2 ms
  EXPECT_NEAR(figure(row, "share"), figure(row, "tops") / 120, 1e-9);
  EXPECT_NEAR(figure(row, "vs_plain"), 10, 0.01);
  EXPECT_LE(figure(row, "vs_plain_low"), figure(row, "vs_plain"));
}

TEST(LabTimes, AWrongOutputAtOnePlaceRefusesTheRow) {
  PairedRun run = a_run(2000);
  run.wrong_pairs = {7};
  EXPECT_EQ(row_of(a_product(), run, "vs_plain", some_limits(), {}).check,
            "FAIL: 1 of 12 outputs are not what they should be");
}

TEST(LabTimes, FasterThanTheFastestInstructionIsNotBelievable) {
  // 1200 TOPS need 114 us, with tensor cores; the share is of DP4A all the same.
  EXPECT_EQ(row_of(a_product(), a_run(115), "vs_plain", some_limits(), {}).check, "exact");
  EXPECT_TRUE(row_of(a_product(), a_run(100), "vs_plain", some_limits(), {})
                  .check.starts_with("FAIL: not believable"));
}

TEST(LabTimes, WhatMayHaveStayedInTheCacheIsNoReasonToDisbelieve) {
  const LabProblem lab = problems_of("19_cuda_quantize").front();
  Facts facts;
  const double us = 1e6 * lab.problem.bytes / 4e12 / 1.2;  // a fifth more than memory can move
  EXPECT_TRUE(row_of(lab, a_run(us), "vs_plain", some_limits(), facts)
                  .check.starts_with("FAIL: not believable"));
  facts.l2_bytes = static_cast<std::size_t>(0.2 * lab.problem.bytes);
  EXPECT_EQ(row_of(lab, a_run(us), "vs_plain", some_limits(), facts).check, "exact");
}

TEST(LabTimes, AClockThatMovesRefusesTheRow) {
  PairedRun run = a_run(2000);
  run.second_half_mhz = 1500;
  EXPECT_TRUE(row_of(a_product(), run, "vs_lt", some_limits(), {}).check.starts_with("FAIL: "));
}

TEST(LabTimes, ACeilingThatIsNotExactIsNone) {
  GpuCeilings limits;
  BenchRow broken = ceiling("dp4a", "tops", 120);
  broken.check = "FAIL: another sum than on the CPU";
  limits.add(broken);
  EXPECT_EQ(limits.per_second("dp4a"), 0);
  EXPECT_EQ(figure(row_of(a_product(), a_run(2000), "vs_plain", limits, {}), "share"), -1);
}

TEST(LabTimes, RoundingIsSaid) {
  const LabProblem lab = problems_of("24_cuda_fused").front();
  EXPECT_EQ(row_of(lab, a_run(2000), "vs_plain", {}, {}).check, "within rounding");
}

// --- The page ------------------------------------------------------------------------------------

TEST(Page, ShowsEverySectionAndWhatWasNotMeasured) {
  MachineLine machine;
  machine.date = "2026-01-02";
  machine.facts.name = "Imagined GPU";
  machine.facts.sm = 90;
  const BenchRow row = row_of(a_product(), a_run(2000), "vs_plain", some_limits(), {});
  const std::string page =
      page_of(json_line(machine) + "\n" + json_line(row) + "\n" +
                  json_error_line("labs", "25.matmul_wmma: needs sm_80") + "\n",
              "rows.jsonl");
  EXPECT_NE(page.find("Imagined GPU, sm_90"), std::string::npos) << page;
  EXPECT_NE(page.find("[rows.jsonl](rows.jsonl)"), std::string::npos);
  EXPECT_NE(page.find("| 22.matmul_dp4a_tiled 4096x4096x4096 | 2000.1 | "), std::string::npos)
      << page;
  EXPECT_NE(page.find("| 10 x plain (10 to 10) | exact |"), std::string::npos) << page;
  EXPECT_NE(page.find("- not measured: 25.matmul_wmma: needs sm_80"), std::string::npos);
  EXPECT_EQ(page.find("## cuBLASLt"), std::string::npos);
}

TEST(Page, WhatIsNoRowIsRefused) {
  EXPECT_THROW(page_of("Segmentation fault\n", "rows.jsonl"), std::runtime_error);
  EXPECT_THROW(page_of("", "rows.jsonl"), std::runtime_error);
}

}  // namespace
}  // namespace nibble::gpu
