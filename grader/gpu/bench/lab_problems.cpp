// Inputs, outputs, bytes and operations of every kernel of the labs that is timed.
#include "gpu/bench/lab_problems.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nibble::gpu {
namespace {

constexpr std::int64_t kElements = std::int64_t{1} << 27;  // 512 MiB of floats: beyond every cache
constexpr std::int64_t kColumns = 4096, kRows = kElements / kColumns;
constexpr std::int64_t kSide = 4096;  // of a product: 137 G operations
constexpr std::int64_t kHalfRows = kRows / 2;
constexpr const char* kTensor = "mma_sync_s8_m16n8k32";

std::size_t floats(std::int64_t count) { return static_cast<std::size_t>(count) * sizeof(float); }
std::size_t codes(std::int64_t count) { return static_cast<std::size_t>(count); }

Parameter float_input(std::int64_t count) { return Parameter::input(floats(count), Fill::kFloats); }
Parameter scale_input(std::int64_t count) { return Parameter::input(floats(count), Fill::kScales); }
Parameter sum_input(std::int64_t count) { return Parameter::input(floats(count), Fill::kSums); }
Parameter code_input(std::int64_t count) { return Parameter::input(codes(count), Fill::kBytes); }
Parameter code_output(std::int64_t count) { return Parameter::output(codes(count)); }
Parameter float_output(std::int64_t count) { return Parameter::output(floats(count)); }

/// Where a product and a sum may be one rounding or two: two units in the last place below 2^8.
Parameter rounded_output(std::int64_t count) {
  return Parameter::output(floats(count), Compare::kFloats, 0x1p-15f);
}

double bytes_of(const std::vector<Parameter>& parameters) {
  double bytes = 0;
  for (const Parameter& one : parameters) bytes += static_cast<double>(one.bytes);
  return bytes;
}

LabProblem problem(const std::string& lab, const std::string& exercise, std::string size,
                   const std::string& ceiling, Work work, std::vector<Parameter> parameters,
                   double operations = 0) {
  LabProblem made{lab, exercise, std::move(size), ceiling, 75, {}};
  made.problem.kernel = exercise + "_kernel";
  made.problem.bytes = bytes_of(parameters);
  made.problem.operations = operations;
  made.problem.work = work;
  made.problem.parameters = std::move(parameters);
  return made;
}

std::vector<LabProblem> quantize_problems(const std::string& lab) {
  const std::string size = fmt::format("{}", kElements),
                    matrix = fmt::format("{}x{}", kRows, kColumns);
  const auto scale = Parameter::scalar(1.0f / 127), count = Parameter::scalar(kElements);
  const Work flat{.m = 1, .n = kElements};
  const Parameter halves = Parameter::input(2 * codes(kElements), Fill::kHalves);
  return {
      problem(lab, "quantize", size, "copy", flat,
              {float_input(kElements), code_output(kElements), scale, count}),
      problem(lab, "quantize_vectorized", size, "copy", flat,
              {float_input(kElements), code_output(kElements), scale, count}),
      problem(lab, "quantize_half", size, "copy", flat,
              {halves, code_output(kElements), scale, count}),
      problem(lab, "dequantize", matrix, "copy", {.m = kRows, .n = kColumns},
              {code_input(kElements), scale_input(kRows), float_output(kElements),
               Parameter::scalar(kRows), Parameter::scalar(kColumns)}),
  };
}

std::vector<LabProblem> absmax_problems(const std::string& lab) {
  constexpr std::int64_t kChunk = 1024;
  const std::string size = fmt::format("{}", kElements);
  const auto count = Parameter::scalar(kElements);
  Parameter largest = float_output(1);
  largest.from_zero = true;
  const std::vector<Parameter> partials = {float_input(kElements), float_output(kElements / kChunk),
                                           count};
  return {
      problem(lab, "absmax_block", size, "copy", {.m = 1, .n = kElements / kChunk}, partials),
      problem(lab, "absmax_warp", size, "copy", {.m = 1, .n = kElements / kChunk}, partials),
      problem(lab, "absmax", size, "copy", {.m = 1, .n = kElements},
              {float_input(kElements), largest, count}),
      problem(lab, "quantize_rows", fmt::format("{}x{}", kRows, kColumns), "copy",
              {.m = 1, .n = kRows},
              {float_input(kElements), code_output(kElements), float_output(kRows),
               Parameter::scalar(kRows), Parameter::scalar(static_cast<int>(kColumns))}),
  };
}

LabProblem product(const std::string& lab, const std::string& exercise,
                   const std::string& ceiling) {
  LabProblem made{lab,     exercise, fmt::format("{0}x{0}x{0}", kSide),
                  ceiling, 75,       square_product(exercise + "_kernel", kSide)};
  if (ceiling == kTensor) made.least_sm = 80;
  return made;
}

std::vector<LabProblem> matmul_problems(const std::string& lab) {
  return {product(lab, "matmul_naive", "dp4a"), product(lab, "matmul_tiled", "dp4a"),
          product(lab, "matmul_transposed", "dp4a"), product(lab, "matmul_register", "dp4a")};
}

std::vector<LabProblem> dp4a_problems(const std::string& lab) {
  std::vector<LabProblem> all = {product(lab, "matmul_dp4a_naive", "dp4a"),
                                 product(lab, "matmul_dp4a_tiled", "dp4a"),
                                 product(lab, "matmul_dp4a_register", "dp4a")};
  for (LabProblem& one : all) one.problem.parameters.push_back(Parameter::scalar(kSide));  // pitch
  return all;
}

std::vector<LabProblem> tensor_problems(const std::string& lab) {
  return {product(lab, "matmul_wmma", kTensor), product(lab, "matmul_mma", kTensor),
          product(lab, "matmul_mma_tiled", kTensor)};
}

std::vector<LabProblem> fused_problems(const std::string& lab) {
  constexpr std::int64_t kSums = kHalfRows * kColumns, kOutputs = kSide * kSide;
  constexpr double kOperations = 2.0 * kSide * kSide * kSide;
  const std::string matrix = fmt::format("{}x{}", kHalfRows, kColumns);
  const std::string cube = fmt::format("{0}x{0}x{0}", kSide);
  const auto m = Parameter::scalar(kHalfRows), n = Parameter::scalar(kColumns),
             side = Parameter::scalar(kSide), zero_point = Parameter::scalar(std::int32_t{-3});
  const auto a_scale = Parameter::scalar(0.125f);
  const Work epilogue{.m = kHalfRows, .n = kColumns}, whole{.m = kSide, .n = kSide};
  return {
      problem(lab, "scale_bias_relu", matrix, "copy", epilogue,
              {sum_input(kSums), a_scale, scale_input(kColumns), float_input(kColumns),
               rounded_output(kSums), m, n}),
      problem(lab, "requantize", matrix, "copy", epilogue,
              {sum_input(kSums), scale_input(kColumns), sum_input(kColumns), code_output(kSums),
               zero_point, m, n}),
      problem(lab, "matmul_fused", cube, "dp4a", whole,
              {code_input(kOutputs), code_input(kOutputs), a_scale, scale_input(kSide),
               float_input(kSide), rounded_output(kOutputs), side, side, side},
              kOperations),
      problem(lab, "matmul_requantized", cube, "dp4a", whole,
              {code_input(kOutputs), code_input(kOutputs), scale_input(kSide), sum_input(kSide),
               code_output(kOutputs), zero_point, side, side, side},
              kOperations),
  };
}

using Maker = std::vector<LabProblem> (*)(const std::string& lab);
struct TimedLab {
  const char* lab;
  Maker make;
};
constexpr TimedLab kLabs[] = {
    {"19_cuda_quantize", quantize_problems},  {"20_cuda_absmax", absmax_problems},
    {"21_cuda_int8_matmul", matmul_problems}, {"22_cuda_dp4a", dp4a_problems},
    {"24_cuda_fused", fused_problems},        {"25_cuda_tensor_core", tensor_problems},
};

}  // namespace

std::string name_of(const LabProblem& problem) {
  return problem.lab.substr(0, 2) + "." + problem.exercise + " " + problem.size;
}

std::vector<LabProblem> problems_of(const std::string& lab) {
  const auto* const found =
      std::ranges::find_if(kLabs, [&](const TimedLab& one) { return one.lab == lab; });
  return found == std::end(kLabs) ? std::vector<LabProblem>{} : found->make(lab);
}

std::vector<std::string> timed_labs() {
  std::vector<std::string> names;
  for (const TimedLab& one : kLabs) names.emplace_back(one.lab);
  return names;
}

KernelProblem square_product(const std::string& kernel, std::int64_t n) {
  KernelProblem problem;
  const auto side = Parameter::scalar(n);
  problem.kernel = kernel;
  problem.parameters = {code_input(n * n),
                        code_input(n * n),
                        Parameter::output(sizeof(std::int32_t) * codes(n * n)),
                        side,
                        side,
                        side};
  problem.work = {.m = n, .n = n};
  problem.bytes = bytes_of(problem.parameters);
  problem.operations =
      2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  return problem;
}

}  // namespace nibble::gpu
