// gpu-benchmarks: one run on a machine with a GPU, section by section, into a file of JSON lines.
//
// Then a page is made of the file.
//
//     gpu-benchmarks --sources . --nvcc /usr/local/cuda/bin/nvcc --out docs/benchmarks
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "files/files.hpp"
#include "gpu/bench/bench_row.hpp"
#include "gpu/bench/ceilings.hpp"
#include "gpu/bench/lab_problems.hpp"
#include "gpu/bench/page.hpp"
#include "gpu/compile_cubin.hpp"
#include "gpu/gpu.hpp"
#include "gpu/gpu_here.hpp"
#include "process/command.hpp"
#include "report/machine.hpp"

namespace nibble::gpu {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

struct BenchFiles {
  fs::path sources, nvcc, out, times, cublaslt, work;
  std::string version;
};

/// Compiles one file for this GPU; the cubin stays in a folder of its own.
fs::path compiled(const BenchFiles& given, const fs::path& file, int sm) {
  CubinJob job;
  job.nvcc = given.nvcc;
  job.source = files::read_file(given.sources / file);
  job.name = file.filename();
  job.architecture = architecture_of(sm);
  const fs::path common = given.sources / "common";
  job.folders = {common, common / "simt" / "include",
                 given.sources / "labs" / file.parent_path().filename()};
  job.system_folders = {"/usr"};
  job.work = given.work / file.parent_path().filename() / file.stem();
  const BuiltCubin built = compile_cubin(job);
  if (!built.ok) throw std::runtime_error(file.string() + ": " + built.diagnostics);
  return built.cubin;
}

/// nvidia-smi's word for it, where it is there and tells.
std::string power_limit() {
  process::Command command;
  command.words = {"nvidia-smi", "--query-gpu=power.limit", "--format=csv,noheader"};
  command.wall_limit = 30s;
  try {
    const std::string said = process::run(command).out;
    return said.substr(0, said.find('\n'));
  } catch (const std::system_error&) {
    return "";
  }
}

/// "2026-11-21-gpu-nvidia-h200"
std::string file_name(const std::string& date, std::string gpu) {
  for (char& c : gpu) {
    c = std::isalnum(static_cast<unsigned char>(c)) != 0
            ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
            : '-';
  }
  return date + "-gpu-" + gpu;
}

class RowLog {
 public:
  explicit RowLog(const fs::path& file) : file_(file, std::ios::trunc) {
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
void section(RowLog& lines, const std::string& name, const std::function<void()>& measure) {
  try {
    measure();
  } catch (const std::exception& error) {
    lines.add(json_error_line(name, error.what()));
  }
}

/// A program that prints rows, in a process and under a limit of its own.
void add_rows_of(RowLog& lines, std::vector<std::string> words, std::chrono::seconds limit) {
  process::Command command;
  command.words = std::move(words);
  command.wall_limit = limit;
  const process::Finished finished = process::run(command);
  std::istringstream rows(finished.out);
  for (std::string row; std::getline(rows, row);) lines.add(row);
  if (finished.timed_out) throw std::runtime_error("stopped: it took more than its time");
  if (!finished.ok()) throw std::runtime_error("ended early: " + finished.err);
}

/// What every measurement needs, compiled for this GPU.
struct Cubins {
  fs::path kit, ceilings, plain;
};

fs::path solution(const BenchFiles& given, const std::string& lab, int sm) {
  const std::string base = lab.substr(lab.find('_') + 1);
  return compiled(given, fs::path("solutions") / lab / (base + ".cu"), sm);
}

void add_lab(RowLog& lines, const BenchFiles& given, const Cubins& cubins, const std::string& lab,
             int sm) {
  add_rows_of(lines,
              {given.times.string(), "--lab", lab, "--kit", cubins.kit.string(), "--ceilings",
               cubins.ceilings.string(), "--opponent", cubins.plain.string(), "--candidate",
               solution(given, lab, sm).string()},
              300s);
}

/// With it the fastest kernels of three labs, each in turn with cuBLASLt.
void add_cublaslt(RowLog& lines, const BenchFiles& given, const Cubins& cubins, int sm) {
  if (given.cublaslt.empty()) throw std::runtime_error("cuBLASLt is not installed");
  std::vector<std::string> command = {given.cublaslt.string(), "--kit", cubins.kit.string(),
                                      "--ceilings", cubins.ceilings.string()};
  for (const char* const lab : {"21_cuda_int8_matmul", "22_cuda_dp4a", "25_cuda_tensor_core"}) {
    command.insert(command.end(),
                   {"--lab", lab + std::string("=") + solution(given, lab, sm).string()});
  }
  add_rows_of(lines, command, 300s);
}

int run(const BenchFiles& given) {
  const FoundGpu found = Gpu::find();
  if (found.gpu == nullptr) {
    fmt::print("not run: {}\n", found.why);
    return EXIT_FAILURE;
  }
  const Gpu& gpu = *found.gpu;
  const int sm = gpu.facts().sm;
  fmt::print("{}\n", describe(gpu.facts()));
  const Cubins cubins{compiled(given, "grader/gpu/kit_kernels.cu", sm),
                      compiled(given, "grader/gpu/bench/ceilings.cu", sm),
                      compiled(given, "grader/gpu/bench/plain.cu", sm)};
  const std::string kit = files::read_file(cubins.kit),
                    ceilings = files::read_file(cubins.ceilings);
  const std::string date = report::utc_now().substr(0, 10);
  const std::string name = file_name(date, gpu.facts().name);
  fs::create_directories(given.out);
  RowLog lines(given.out / (name + ".jsonl"));
  lines.add(json_line(
      MachineLine{date, gpu.facts(), power_limit(), nvcc_version(given.nvcc), given.version}));
  section(lines, "ceilings", [&] {
    measure_ceilings(gpu, std::as_bytes(std::span(kit)), std::as_bytes(std::span(ceilings)),
                     [&](const BenchRow& row) { lines.add(json_line(row)); });
  });
  for (const std::string& lab : timed_labs()) {
    section(lines, "labs", [&] { add_lab(lines, given, cubins, lab, sm); });
  }
  section(lines, "lt", [&] { add_cublaslt(lines, given, cubins, sm); });
  const std::string rows = files::read_file(given.out / (name + ".jsonl"));
  files::write_atomically(given.out / (name + ".md"), page_of(rows, name + ".jsonl"));
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace nibble::gpu

int main(int count, char** arguments) {
  CLI::App app("What the GPU of this machine can do, as JSON lines");
  nibble::gpu::BenchFiles given;
  given.work = std::filesystem::temp_directory_path() / "nibble-gpu-benchmarks";
  app.add_option("--sources", given.sources, "the top folder of the project")->required();
  app.add_option("--nvcc", given.nvcc, "the CUDA compiler")->required();
  app.add_option("--out", given.out, "the folder of the result")->required();
  app.add_option("--times", given.times, "the program that times a lab")->required();
  app.add_option("--cublaslt", given.cublaslt, "the program that times cuBLASLt");
  app.add_option("--kit", given.version, "the kit's version");
  CLI11_PARSE(app, count, arguments);
  try {
    return nibble::gpu::run(given);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}
