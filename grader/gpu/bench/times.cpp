// gpu-times: the kernels of one lab out of one cubin, timed in turn with those of another. A
// process of its own: what a kernel does to its context is done to nobody else's. Prints rows.
//
//     gpu-times --lab 21_cuda_int8_matmul --kit kit.cubin --ceilings ceilings.cubin
//               --opponent plain.cubin --candidate solution.cubin
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <span>
#include <stdexcept>
#include <string>

#include "files/files.hpp"
#include "gpu/bench/ceilings.hpp"
#include "gpu/bench/lab_times.hpp"

namespace nibble::gpu {
namespace {

namespace fs = std::filesystem;

struct Duel {
  std::string lab, exercise, figure = "vs_plain";
  fs::path kit, ceilings, opponent, candidate;
};

std::span<const std::byte> bytes(const std::string& image) {
  return std::as_bytes(std::span(image));
}

void print(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

/// Products are long, and heat the chip; the rest is over soon.
PairedOptions options_for(const LabProblem& lab) {
  PairedOptions options;
  options.pairs = lab.problem.operations > 0 ? 12 : 24;
  options.pairs_per_module = 4;
  options.warm_up_us = 5e5;
  std::random_device bits;
  options.seed = (std::uint64_t{bits()} << 32) | bits();
  return options;
}

int run(const Duel& duel) {
  const FoundGpu found = Gpu::find();
  if (found.gpu == nullptr) {
    fmt::print(stderr, "not run: {}\n", found.why);
    return EXIT_FAILURE;
  }
  const Gpu& gpu = *found.gpu;
  const std::string kit = files::read_file(duel.kit), ceilings = files::read_file(duel.ceilings),
                    opponent = files::read_file(duel.opponent),
                    candidate = files::read_file(duel.candidate);
  GpuCeilings limits;
  measure_ceilings(gpu, bytes(kit), bytes(ceilings), [&](const BenchRow& row) { limits.add(row); });
  for (const LabProblem& lab : problems_of(duel.lab)) {
    if (!duel.exercise.empty() && lab.exercise != duel.exercise) continue;
    try {
      if (gpu.facts().sm < lab.least_sm) {
        throw std::runtime_error(fmt::format("needs sm_{}", lab.least_sm));
      }
      const Opponent other{duel.figure, start_of(gpu, bytes(opponent), lab.problem)};
      print(json_line(
          time_problem(gpu, lab, bytes(kit), other, bytes(candidate), limits, options_for(lab))));
    } catch (const CudaError&) {
      throw;  // the context is of no more use
    } catch (const std::exception& error) {
      print(json_error_line("labs", name_of(lab) + ": " + error.what()));
    }
  }
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace nibble::gpu

int main(int count, char** arguments) {
  CLI::App app("The kernels of a lab, timed on the GPU of this machine");
  nibble::gpu::Duel duel;
  app.add_option("--lab", duel.lab, "21_cuda_int8_matmul")->required();
  app.add_option("--exercise", duel.exercise, "only this one");
  app.add_option("--kit", duel.kit, "kit_kernels.cu, as a cubin")->required();
  app.add_option("--ceilings", duel.ceilings, "ceilings.cu, as a cubin")->required();
  app.add_option("--opponent", duel.opponent, "who runs in turn, and whose answers count")
      ->required();
  app.add_option("--candidate", duel.candidate, "whose kernels are timed")->required();
  app.add_option("--figure", duel.figure, "what the ratio of the two is called");
  CLI11_PARSE(app, count, arguments);
  try {
    return nibble::gpu::run(duel);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}
