// gpu-benchmarks: one run on a machine with a GPU, section by section, into a file of JSON lines.
//
//     gpu-benchmarks --sources grader/gpu --nvcc /usr/local/cuda/bin/nvcc --out docs/benchmarks
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>

#include "build/command.hpp"
#include "build/files.hpp"
#include "gpu/bench/ceilings.hpp"
#include "gpu/bench/row.hpp"
#include "gpu/compile_cubin.hpp"
#include "gpu/gpu.hpp"
#include "gpu/gpu_line.hpp"
#include "report/machine.hpp"

namespace nibble::gpu {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

struct Words {
  fs::path sources, nvcc, out, cublaslt, work;
  std::string version;
};

std::string compiled(const Words& words, const fs::path& file, int sm) {
  CubinJob job;
  job.nvcc = words.nvcc;
  job.source = build::read_file(words.sources / file);
  job.name = file.filename();
  job.architecture = architecture_of(sm);
  job.system_folders = {"/usr"};
  job.work = words.work / file.stem();
  const BuiltCubin built = compile_cubin(job);
  if (!built.ok) throw std::runtime_error(file.string() + ": " + built.diagnostics);
  return build::read_file(built.cubin);
}

/// nvidia-smi's word for it, where it is there and tells.
std::string power_limit() {
  build::Command command;
  command.words = {"nvidia-smi", "--query-gpu=power.limit", "--format=csv,noheader"};
  command.wall_limit = 30s;
  try {
    const std::string said = build::run(command).out;
    return said.substr(0, said.find('\n'));
  } catch (const std::system_error&) {
    return "";
  }
}

/// "2026-11-21-nvidia-h200.jsonl"
std::string file_name(const std::string& date, std::string gpu) {
  for (char& c : gpu) {
    c = std::isalnum(static_cast<unsigned char>(c)) != 0
            ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
            : '-';
  }
  return date + "-" + gpu + ".jsonl";
}

class Lines {
 public:
  explicit Lines(const fs::path& file) : file_(file, std::ios::trunc) {
    if (!file_) throw std::runtime_error("cannot write " + file.string());
  }
  void add(const std::string& line) {
    file_ << line << '\n' << std::flush;
    fmt::print("{}\n", line);
    std::fflush(stdout);
  }

 private:
  std::ofstream file_;
};

/// A section that fails costs itself only.
void section(Lines& lines, const std::string& name, const std::function<void()>& measure) {
  try {
    measure();
  } catch (const std::exception& error) {
    lines.add(json_error_line(name, error.what()));
  }
}

void add_cublaslt(Lines& lines, const fs::path& program) {
  if (program.empty()) throw std::runtime_error("cuBLASLt is not installed");
  build::Command command;
  command.words = {program.string()};
  command.wall_limit = 240s;
  const build::Finished finished = build::run(command);
  std::istringstream rows(finished.out);
  for (std::string row; std::getline(rows, row);) lines.add(row);
  if (!finished.ok()) throw std::runtime_error("ended early: " + finished.err);
}

int run(const Words& words) {
  const FoundGpu found = Gpu::find();
  if (found.gpu == nullptr) {
    fmt::print("not run: {}\n", found.why);
    return EXIT_FAILURE;
  }
  const Gpu& gpu = *found.gpu;
  fmt::print("{}\n", describe(gpu.facts()));
  const std::string kit = compiled(words, "kit_kernels.cu", gpu.facts().sm);
  const std::string ceilings = compiled(words, "bench/ceilings.cu", gpu.facts().sm);
  const std::string date = report::utc_now().substr(0, 10);
  fs::create_directories(words.out);
  Lines lines(words.out / file_name(date, gpu.facts().name));
  lines.add(json_line(
      MachineLine{date, gpu.facts(), power_limit(), nvcc_version(words.nvcc), words.version}));
  section(lines, "ceilings", [&] {
    measure_ceilings(gpu, std::as_bytes(std::span(kit)), std::as_bytes(std::span(ceilings)),
                     [&](const Row& row) { lines.add(json_line(row)); });
  });
  section(lines, "lt", [&] { add_cublaslt(lines, words.cublaslt); });
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace nibble::gpu

int main(int count, char** arguments) {
  CLI::App app("What the GPU of this machine can do, as JSON lines");
  nibble::gpu::Words words;
  words.work = std::filesystem::temp_directory_path() / "nibble-gpu-benchmarks";
  app.add_option("--sources", words.sources, "the folder of kit_kernels.cu")->required();
  app.add_option("--nvcc", words.nvcc, "the CUDA compiler")->required();
  app.add_option("--out", words.out, "the folder of the result")->required();
  app.add_option("--cublaslt", words.cublaslt, "the program that times cuBLASLt");
  app.add_option("--kit", words.version, "the kit's version");
  CLI11_PARSE(app, count, arguments);
  try {
    return nibble::gpu::run(words);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}
