#include "build/compile.hpp"

#include <fstream>

#include "build/command.hpp"
#include "build/imports.hpp"
#include "build/includes.hpp"
#include "report/harmless.hpp"

namespace nibble::build {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// Compiling is running: a template can compute for ever, an array can fill a disk.
Command compiler(const Kit& kit, const Job& job, std::vector<std::string> arguments) {
  Command command;
  command.words = {kit.cxx};
  command.words.insert(command.words.end(), arguments.begin(), arguments.end());
  command.directory = job.work;
  command.environment = {"LC_ALL=C.UTF-8"};
  command.cpu_limit = job.cpu_limit;
  command.wall_limit = 3 * job.cpu_limit;
  command.memory_bytes = std::size_t{4} << 30;
  command.file_bytes = std::size_t{64} << 20;
  command.cancelled = job.cancelled;
  return command;
}

void write_source(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.flush();
  if (!out) throw fs::filesystem_error("writing", file, std::make_error_code(std::errc::io_error));
}

Finished compile(const Kit& kit, const Job& job) {
  std::vector<std::string> arguments = kit.flags(job.lab, job.leg);
  const std::vector<std::string>& prelude = kit.kind(job.lab).prelude;
  arguments.insert(arguments.end(), prelude.begin(), prelude.end());
  arguments.insert(arguments.end(), job.more_flags.begin(), job.more_flags.end());
  for (const fs::path& folder :
       {kit.compiled_ahead(job.lab, job.leg), kit.contract(job.lab), kit.source / "common"}) {
    arguments.push_back("-I" + folder.string());
  }
  arguments.insert(arguments.end(), {"-MD", "-MF", "learner.d", "-MT", "learner.o", "-c",
                                     source_name(job.lab).string(), "-o", "learner.o"});
  return run(compiler(kit, job, arguments));
}

/// The learner's object comes first: of two copies of an inline function, the sanitized one is
/// kept.
Finished link(const Kit& kit, const Job& job) {
  std::vector<std::string> arguments{"learner.o"};
  for (const std::string part : {"main", "loop", "crash_note", job.lab.c_str()}) {
    arguments.push_back((kit.build / "runner" / (part + ".o")).string());
  }
  arguments.insert(arguments.end(), kit.link_flags.begin(), kit.link_flags.end());
  if (job.leg == Leg::kSanitizers) arguments.emplace_back("-fsanitize=address,undefined");
  arguments.insert(arguments.end(), {"-o", "child"});
  return run(compiler(kit, job, arguments));
}

}  // namespace

fs::path source_name(const std::string& lab) {
  return fs::path("labs") / lab / (base_name(lab) + ".cpp");
}

fs::path published_solution(const Kit& kit, const std::string& lab) {
  const fs::path file = kit.source / "solutions" / lab / (base_name(lab) + ".cpp");
  return fs::exists(file) ? file : fs::path();
}

Built compile_child(const Kit& kit, const Job& job) {
  Built built;
  const fs::path child = job.work / "child";
  fs::create_directories(job.work);
  fs::remove(child);
  write_source(job.work / source_name(job.lab), job.source);

  const auto keep = [&](const Finished& step) {
    built.diagnostics += report::harmless(step.err + step.out);
    built.timed_out = built.timed_out || step.timed_out;
    built.cancelled = built.cancelled || step.cancelled;
    return step.ok();
  };
  const Finished compiled = compile(kit, job);
  built.compile_seconds = compiled.seconds;
  if (!keep(compiled)) return built;
  built.foreign_file = foreign_include(kit, job);
  if (!built.foreign_file.empty()) {
    built.diagnostics += report::harmless("error: includes " + built.foreign_file +
                                          ", which is no part of this lab\n");
    return built;
  }
  built.odd_imports = odd_imports(job.work / "learner.o");
  const Finished linked = link(kit, job);
  built.link_seconds = linked.seconds;
  if (!keep(linked)) return built;
  built.ok = true;
  built.executable = child;
  return built;
}

}  // namespace nibble::build
