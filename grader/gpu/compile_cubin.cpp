// Calls nvcc in a box with the kit's own flags, and makes its words
// readable: the learner's file, without temporary names.
#include "gpu/compile_cubin.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "compile/includes.hpp"
#include "files/files.hpp"
#include "process/command.hpp"
#include "text/harmless.hpp"
#include "text/pattern.hpp"

namespace nibble::gpu {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* kCubin = "learner.cubin";
constexpr const char* kDependencies = "learner.d";

void write_source(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.flush();
  if (!out) throw fs::filesystem_error("writing", file, std::make_error_code(std::errc::io_error));
}

/// Declared in one namespace and defined in another with other parameters, a C function draws no
/// more than a warning: "more than one instance of overloaded function has C linkage".
constexpr const char* kOtherParameters = "-diag-error=338";

/// No -rdc, so that a kernel cannot start another; no -use_fast_math, so that 1/0 is what it is.
process::Command compiler(const CubinJob& job) {
  process::Command command;
  command.words = {job.nvcc.string(), "-std=c++20", "-cubin",  "-arch=" + job.architecture,
                   "-lineinfo",       "-Xptxas=-v", "-MD",     "-MF",
                   kDependencies,     "-MT",        "learner", "--no-display-error-number",
                   kOtherParameters};
  for (const fs::path& folder : job.folders) command.words.push_back("-I" + folder.string());
  command.words.insert(command.words.end(), {job.name.string(), "-o", kCubin});
  command.directory = job.work;
  command.environment = {"LC_ALL=C.UTF-8", "TMPDIR=" + job.work.string()};
  command.cpu_limit = job.cpu_limit;
  command.wall_limit = 3 * job.cpu_limit;
  command.memory_bytes = std::size_t{8} << 30;
  command.file_bytes = std::size_t{64} << 20;
  command.cancelled = job.cancelled;
  command.box = box_of(job);
  return command;
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  const fs::path relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

/// Where the toolkit's own headers are: beside its bin/, or where a distribution puts them.
std::vector<fs::path> toolkit_folders(const fs::path& nvcc) {
  std::vector<fs::path> folders;
  for (const fs::path& found : {nvcc, fs::weakly_canonical(nvcc)}) {
    const fs::path top = found.parent_path().parent_path();
    for (const char* const part : {"include", "targets", "lib"}) folders.push_back(top / part);
  }
  return folders;
}

std::string foreign_include(const CubinJob& job) {
  std::vector<fs::path> allowed = toolkit_folders(job.nvcc);
  allowed.insert(allowed.end(), job.folders.begin(), job.folders.end());
  allowed.insert(allowed.end(), job.system_folders.begin(), job.system_folders.end());
  for (fs::path& folder : allowed) folder = fs::weakly_canonical(folder);
  const fs::path source = fs::weakly_canonical(job.work / job.name);
  for (const std::string& name :
       compile::prerequisites(files::read_file(job.work / kDependencies))) {
    const fs::path file = fs::weakly_canonical(job.work / name);
    const bool known =
        std::ranges::any_of(allowed, [&](const fs::path& folder) { return lies_in(file, folder); });
    if (!known && file != source) return name;
  }
  return "";
}

bool is_chatter(const std::string& line) {
  static const std::array<text::Pattern, 5> kChatter = {
      text::Pattern(R"(ptxas fatal\s*: Ptx assembly aborted due to errors)"),
      text::Pattern(R"(ptxas info\s*:.*)"), text::Pattern(R"(\s+\d+ bytes stack frame, .*)"),
      text::Pattern(R"(\d+ errors? detected in the compilation of .*)"),
      text::Pattern(R"(Remark: The warnings can be suppressed .*)")};
  return std::ranges::any_of(kChatter,
                             [&](const text::Pattern& one) { return one.match(line).has_value(); });
}

/// The assembler speaks of a file that the learner never saw.
std::string without_temporary_files(const std::string& line) {
  static const text::Pattern kAssembler(R"(ptxas \S+, line \d+; (error|warning)\s*: (.*))");
  return kAssembler.replaced(line, "the assembler: $1: $2");
}

std::string in_cudas_words(std::string line) {
  for (const auto& [theirs, ours] : {std::pair("__attribute__((global))", "__global__"),
                                     std::pair("__attribute__((device))", "__device__"),
                                     std::pair("__attribute__((shared))", "__shared__"),
                                     std::pair("__attribute__((constant))", "__constant__"),
                                     std::pair("__attribute__((host))", "__host__")}) {
    for (std::size_t at = 0; (at = line.find(theirs, at)) != std::string::npos;) {
      line.replace(at, std::string_view(theirs).size(), ours);
    }
  }
  return line;
}

}  // namespace

sandbox::ToolBox box_of(const CubinJob& job, const std::vector<fs::path>& more) {
  sandbox::ToolBox box{.level = job.boxes.compile,
                       .tools = job.boxes.tools,
                       .writable = {job.work},
                       .groups = job.boxes.groups};
  if (box.level == sandbox::Level::kLimits) return box;
  const auto allow = [&](const fs::path& folder) {
    if (!lies_in(fs::weakly_canonical(folder), "/usr")) box.readable.push_back(folder);
  };
  for (const fs::path& folder : job.folders) allow(folder);
  for (const fs::path& folder : job.system_folders) allow(folder);
  for (const fs::path& nvcc : {job.nvcc, fs::weakly_canonical(job.nvcc)}) {
    allow(nvcc.parent_path().parent_path());
  }
  box.readable.insert(box.readable.end(), more.begin(), more.end());
  return box;
}

BuiltCubin compile_cubin(const CubinJob& job) {
  BuiltCubin built;
  const fs::path cubin = job.work / kCubin;
  fs::create_directories(job.work);
  fs::remove(cubin);
  write_source(job.work / job.name, job.source);
  const process::Finished compiled = process::run(compiler(job));
  built.seconds = compiled.seconds;
  built.timed_out = compiled.timed_out;
  built.cancelled = compiled.cancelled;
  built.diagnostics = readable_diagnostics(compiled.err + compiled.out);
  if (!compiled.ok()) return built;
  if (!files::are_plain_files(job.work, {kCubin, kDependencies})) {
    built.diagnostics += "error: the compiler left something that is no plain file\n";
    return built;
  }
  built.foreign_file = foreign_include(job);
  if (!built.foreign_file.empty()) {
    built.diagnostics += text::harmless("error: includes " + built.foreign_file +
                                        ", which is no part of this lab\n");
    return built;
  }
  built.usage = usage_of(compiled.err + compiled.out);
  built.ok = true;
  built.cubin = cubin;
  return built;
}

std::string architecture_of(int sm, bool needs_its_own) {
  return "sm_" + std::to_string(sm) + (needs_its_own ? "a" : "");
}

std::string readable_diagnostics(const std::string& said) {
  std::string kept;
  std::istringstream lines(said);
  bool was_empty = true;
  for (std::string line; std::getline(lines, line);) {
    if (is_chatter(line) || (line.empty() && was_empty)) continue;
    was_empty = line.empty();
    kept += in_cudas_words(without_temporary_files(line)) + '\n';
  }
  while (kept.ends_with("\n\n")) kept.pop_back();
  return text::harmless(kept);
}

std::vector<Usage> usage_of(const std::string& said) {
  static const text::Pattern entry(R"(.*Compiling entry function '([^']*)'.*)"),
      spills(R"(.* (\d+) bytes spill stores, (\d+) bytes spill loads.*)"),
      registers(R"(.*Used (\d+) registers.*)");
  std::vector<Usage> found;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (const auto kernel = entry.match(line)) {
      found.push_back({(*kernel)[1]});
    } else if (found.empty()) {
      continue;
    } else if (const auto spilled = spills.match(line)) {
      found.back().spill_bytes += std::stoi((*spilled)[1]) + std::stoi((*spilled)[2]);
    } else if (const auto used = registers.match(line)) {
      found.back().registers = std::stoi((*used)[1]);
    }
  }
  return found;
}

}  // namespace nibble::gpu
