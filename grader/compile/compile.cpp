// The steps from a text to an executable: rewrite, compile, guard, look at the object, close it,
// link; each of them in a box.
#include "compile/compile.hpp"

#include <signal.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "compile/compile_words.hpp"
#include "compile/imports.hpp"
#include "compile/includes.hpp"
#include "compile/link_words.hpp"
#include "compile/toolchain.hpp"
#include "files/files.hpp"
#include "process/command.hpp"
#include "process/ending.hpp"
#include "simt/rewriter/complaint.hpp"
#include "simt/rewriter/object_check.hpp"
#include "text/harmless.hpp"
#include "text/pattern.hpp"

namespace nibble::compile {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

using sandbox::Level;

/// The compiler's box: its own folders, the contract, what is linked. Nothing of the solutions, by
/// construction.
sandbox::ToolBox box_of(const lab::Kit& kit, const Job& job) {
  sandbox::ToolBox box{job.boxes.compile, job.boxes.tools, {}, {job.work}, false, job.boxes.groups};
  if (box.level == Level::kLimits) return box;
  for (const auto& entry : fs::directory_iterator(kit.contract(job.lab.name))) {
    if (entry.path().extension() == ".hpp") box.readable.push_back(entry.path());
  }
  box.readable.insert(box.readable.end(),
                      {kit.headers / "common", kit.compiled_ahead(job.lab.kind, job.leg)});
  for (const fs::path& object : runner_objects(kit, job.lab)) box.readable.push_back(object);
  for (const fs::path& folder : kit.compiler_folders) box.readable.push_back(folder);
  return box;
}

bool has_no_time(const Job& job) {
  return job.budget != nullptr && job.budget->left().count() == 0;
}

/// clang++ takes four times as long for its sanitizers as g++:
/// a right solution of lab 15 took 21 s.
std::chrono::seconds cpu_limit(const Job& job) {
  const bool slow = job.leg == protocol::Leg::kSanitizers && !job.lab.is_cuda();
  return slow ? 3 * job.cpu_limit : job.cpu_limit;
}

std::chrono::seconds wall_limit(const Job& job) {
  const auto usual = std::max<std::chrono::seconds>(3 * cpu_limit(job), 45s);  // a core may be far
  if (job.budget == nullptr) return usual;
  return std::clamp(std::chrono::ceil<std::chrono::seconds>(job.budget->left()), 1s, usual);
}

/// Compiling is running: a template can compute for ever, an array can fill a disk.
process::Command compiler(const lab::Kit& kit, const Job& job, std::vector<std::string> arguments) {
  process::Command command;
  command.words = {kit.cxx};
  command.words.insert(command.words.end(), arguments.begin(), arguments.end());
  command.directory = job.work;
  command.environment = {"LC_ALL=C.UTF-8"};
  command.cpu_limit = cpu_limit(job);
  command.wall_limit = wall_limit(job);
  command.memory_bytes = std::size_t{4} << 30;
  command.file_bytes = std::size_t{64} << 20;
  command.cancelled = job.cancelled;
  command.box = box_of(kit, job);
  return command;
}

/// True when it was ended from outside. A driver does not hand on how its compiler ended; what it
/// says of that decides nothing but whether to try again.
bool was_killed(const process::Finished& step) {
  if (step.ok() || step.timed_out || step.cancelled || step.out_of_memory) return false;
  return process::is_from_outside(step.signal) || step.err.find("Killed") != std::string::npos ||
         step.err.find("Terminated") != std::string::npos;
}

process::Finished start(const process::Command& command) {
  try {
    return process::run(command);
  } catch (const fs::filesystem_error&) {
    throw;
  } catch (const std::system_error& error) {
    throw CannotStart("the compiler cannot be started (" + std::string(error.what()) + ")");
  }
}

/// What is killed is tried once more: that was not the submission's doing.
process::Finished carry_out(const Job& job, process::Command command) {
  const process::Finished step = start(command);
  if (!was_killed(step) || has_no_time(job)) return step;
  command.wall_limit = wall_limit(job);
  return start(command);
}

void write_source(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.flush();
  if (!out) throw fs::filesystem_error("writing", file, std::make_error_code(std::errc::io_error));
}

/// Every access of a kernel is told to the engine: by the compiler's hooks,
/// and by guards where it puts none.
bool is_guarded(const Job& job) {
#ifdef __x86_64__
  return job.lab.kind == lab::LabKind::kDevice && job.leg != protocol::Leg::kPlain;
#else
  return false;
#endif
}

/// The program that makes C++ of CUDA and puts guards into assembly. It reads what a learner wrote:
/// in the compiler's box.
process::Finished rewrite(const lab::Kit& kit, const Job& job, std::vector<std::string> words) {
  process::Command command = compiler(kit, job, {});
  const fs::path program = kit.build / "bin" / "nibble-simt-rewrite";
  command.words = {program.string()};
  command.words.insert(command.words.end(), words.begin(), words.end());
  command.box.readable.push_back(program);
#ifdef __SANITIZE_ADDRESS__  // which maps terabytes
  command.memory_bytes = 0;
#endif
  return carry_out(job, command);
}

/// Puts the guards into what the compiler wrote, and assembles it.
process::Finished assemble_with_guards(const lab::Kit& kit, const Job& job) {
  const process::Finished guarded = rewrite(kit, job, {"--guards", "learner.s", "guarded.s"});
  if (!guarded.ok()) return guarded;
  return carry_out(job, compiler(kit, job, {"-c", "guarded.s", "-o", "learner.o"}));
}

process::Finished compile(const lab::Kit& kit, const Job& job) {
  std::vector<std::string> arguments = kit.flags(job.lab.kind, job.leg);
  const std::vector<std::string>& prelude = kit.recipe(job.lab.kind).prelude;
  arguments.insert(arguments.end(), prelude.begin(), prelude.end());
  arguments.insert(arguments.end(), job.more_flags.begin(), job.more_flags.end());
  for (const fs::path& place : {job.work, kit.build, kit.source}) {
    arguments.push_back("-ffile-prefix-map=" + place.string() + "/=");  // __FILE__, and lines
  }
  arguments.push_back("-I" + kit.compiled_ahead(job.lab.kind, job.leg).string());
  for (const fs::path& folder : kit.folders(job.lab)) arguments.push_back("-I" + folder.string());
  const bool guarded = is_guarded(job);
  arguments.insert(arguments.end(),
                   {"-MD", "-MF", "learner.d", "-MT", "learner.o", guarded ? "-S" : "-c",
                    job.lab.compiled_file().string(), "-o", guarded ? "learner.s" : "learner.o"});
  return carry_out(job, compiler(kit, job, arguments));
}

/// The learner's object comes first: of two copies of an inline function, the sanitized one is
/// kept.
process::Finished link(const lab::Kit& kit, const Job& job, const fs::path& object,
                       const std::string& name, const std::vector<std::string>& words) {
  std::vector<std::string> arguments{object.filename().string()};
  for (const fs::path& part : runner_objects(kit, job.lab)) arguments.push_back(part.string());
  const std::vector<std::string>& linker =
      job.boxes.compile == Level::kLimits ? kit.link_flags : job.boxes.link_flags;
  arguments.insert(arguments.end(), linker.begin(), linker.end());
  if (job.leg == protocol::Leg::kSanitizers && !job.lab.is_cuda())
    arguments.emplace_back("-fsanitize=address,undefined");
  if (job.boxes.run == Level::kStatic) arguments.emplace_back("-static");
  arguments.insert(arguments.end(), words.begin(), words.end());
  arguments.insert(arguments.end(), {"-o", name});
  return carry_out(job, compiler(kit, job, arguments));
}

}  // namespace

std::vector<fs::path> runner_objects(const lab::Kit& kit, const lab::Lab& lab) {
  std::vector<std::string> parts{"main", "loop", "crash_note", lab.name};
  if (lab.is_cuda()) parts.emplace_back("device_engine");
  std::vector<fs::path> objects;
  for (const std::string& part : parts) objects.push_back(kit.build / "runner" / (part + ".o"));
  if (lab.is_cuda()) objects.push_back(kit.build / "simt" / "engine.o");
  return objects;
}

fs::path published_solution(const lab::Kit& kit, const lab::Lab& lab) {
  const fs::path file = kit.source / "solutions" / lab.name / lab.file_name();
  return fs::exists(file) ? file : fs::path();
}

namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

/// "copy", "count" of the list that closes a contract.
std::vector<std::string> functions_of(const std::string& contract) {
  static const text::Pattern list(R"(NIBBLE_EXERCISES\(([^)]*)\);)"), word(R"(\w+)");
  const auto exercises = list.search(contract);
  std::vector<std::string> names;
  if (!exercises) return names;
  for (const text::Found& name : word.all((*exercises)[1])) names.push_back(name[0]);
  return names;
}

std::string contract_of(const lab::Kit& kit, const lab::Lab& lab) {
  return files::read_file(kit.contract(lab.name) / lab.contract_name());
}

/// The names a learner's file may define for others: what its contract declares. nibble::copy(...)
/// is _ZN6nibble4copyE... What is ready has many copies, each in a namespace: n00001, n00002.
std::vector<std::string> exports_of(const lab::Kit& kit, const Job& job) {
  static const text::Pattern kernel(R"(NIBBLE_KERNEL\s+void\s+(\w+))");
  const std::string contract = contract_of(kit, job.lab);
  if (job.lab.has_host_code()) {
    if (!job.ready.empty()) return {"_ZN6n0*"};
    std::vector<std::string> mangled;
    for (const std::string& name : functions_of(contract)) {
      mangled.push_back("_ZN6nibble" + std::to_string(name.size()) + name + "E*");
    }
    return mangled;
  }
  std::vector<std::string> names{"nibble_launch_*"};
  for (const text::Found& found : kernel.all(contract)) names.push_back(found[1]);
  return names;
}

/// What the object does that nothing in this lab may, a line each:
/// it shares a process with the engine.
std::string broken_rules(const lab::Kit& kit, const Job& job) {
  const std::string engine = files::read_file(kit.build / "simt" / "engine.o");
  const std::string object = files::read_file(job.work / "learner.o");
  const auto rules_for =
      job.lab.has_host_code() ? simt::rules_for_host_code : simt::rules_for_kernels;
  simt::ObjectRules rules =
      rules_for(simt::defined_symbols(bytes_of(engine)), exports_of(kit, job));
  // What an optimizer makes of a loop that copies, and clang++ of a struct that is copied or
  // cleared. In the watched builds they become the engine's own.
  rules.imports.insert(rules.imports.end(), {"memcpy", "memmove", "memset"});
  std::string lines;
  for (const std::string& sentence : simt::check_object(bytes_of(object), rules)) {
    lines += job.lab.file().string() + ": error: " + sentence + "\n";
  }
  return text::harmless(lines);
}

/// Leaves nothing of the object to be seen but what the contract asks for: a function of the
/// learner's that is called like one of the runner's would stand in for it. And the engine stands
/// in for what stores and copies without a hook: a struct that is copied whole, printf, modf.
process::Finished close_object(const lab::Kit& kit, const Job& job) {
  process::Command command = compiler(kit, job, {});
  command.words = {"ld", "-r", "--force-group-allocation", "learner.o", "-o", "closed.o"};
  process::Finished joined = carry_out(job, command);
  if (!joined.ok()) return joined;
  command.words = {"objcopy", "--wildcard"};
  for (const std::string& name : exports_of(kit, job)) {
    command.words.push_back("--keep-global-symbol=" + name);
  }
  for (const std::string_view name : simt::functions_of_engine(job.leg != protocol::Leg::kPlain)) {
    std::string renaming(name);
    renaming.append("=nibble_simt_").append(name);
    command.words.insert(command.words.end(), {"--redefine-sym", std::move(renaming)});
  }
  command.words.emplace_back("closed.o");
  return carry_out(job, command);
}

/// Files by the names that the learner knows: the copy of a contract lies in labs/, and where the
/// grader keeps its things is nobody's business.
std::string with_known_names(std::string text, const lab::Kit& kit, const Job& job) {
  const std::array<std::pair<fs::path, std::string_view>, 4> names = {
      {{kit.build / "contracts", "labs/"}, {job.work, ""}, {kit.build, ""}, {kit.source, ""}}};
  for (const auto& [place, name] : names) {
    const std::string folder = (place / "").string();
    for (std::size_t at = 0; (at = text.find(folder, at)) != text.npos;) {
      text.replace(at, folder.size(), name);
    }
  }
  return text;
}

/// Of a tool that ended without a word.
std::string died(const process::Finished& step, const std::string& tool) {
  return "error: " + tool +
         (step.signal != 0 ? " was ended by signal " + std::to_string(step.signal)
                           : " ended with exit status " + std::to_string(step.exit_status)) +
         " and said nothing\n";
}

BuildFailure why_failed(const process::Finished& step, const std::string& said,
                        const lab::Lab& lab) {
  if (step.timed_out || step.out_of_memory) return BuildFailure::kLimit;
  return step.signal == 0 ? explained_by(said, lab) : BuildFailure::kOther;
}

/// Keeps what a tool said. True when it did its work, and left nothing but plain files.
bool keep(const lab::Kit& kit, const Job& job, const process::Finished& step, const char* tool,
          Built& built) {
  const std::string words = compile_words(text::harmless(step.err + step.out));
  const std::string said = with_known_names(words, kit, job);
  built.diagnostics += said;
  if (!step.ok() && said.empty()) built.diagnostics += died(step, tool);
  if (!step.ok()) built.failure = why_failed(step, said, job.lab);
  if (step.out_of_memory) built.diagnostics += "error: the compiler ran out of memory: 4 GiB\n";
  if (step.timed_out && has_no_time(job)) {
    built.diagnostics += "error: the compiler was stopped: the " +
                         std::to_string(job.budget->whole().count() / 1000) +
                         " s that a submission has for all its compilations and runs are used up\n";
  } else if (step.timed_out) {
    built.diagnostics += "error: the compiler was stopped: this file takes more than " +
                         std::to_string(cpu_limit(job).count()) + " s of CPU time to compile\n";
  }
  built.cancelled = built.cancelled || step.cancelled;
  if (!step.ok()) return false;
  const bool plain = files::are_plain_files(
      job.work, {"learner.s", "learner.o", "learner.d", "closed.o", "child"});
  if (!plain) {
    built.diagnostics += "error: the compiler left something that is no plain file\n";
    built.failure = BuildFailure::kOther;
  }
  return plain;
}

/// Writes what the compiler will read. The words that only CUDA has become C++; line numbers stay.
/// False when there is something in the file that no kernel may hold.
bool write_what_is_compiled(const lab::Kit& kit, const Job& job, Built& built) {
  if (!job.ready.empty()) {
    write_source(job.work / job.lab.compiled_file(), job.ready);
    return true;
  }
  write_source(job.work / job.lab.file(), job.source);
  if (!job.lab.is_cuda()) return true;
  std::vector<std::string> words{job.lab.file().string(), job.lab.compiled_file().string()};
  if (job.lab.has_host_code()) words.insert(words.begin(), "--host");
  const process::Finished step = rewrite(kit, job, words);
  if (keep(kit, job, step, "nibble-simt-rewrite", built)) return true;
  if (step.exit_status == simt::kRefusedExit) built.failure = BuildFailure::kRule;
  return false;
}

}  // namespace

Built compile_object(const lab::Kit& kit, const Job& job) {
  Built built;
  fs::create_directories(job.work);
  fs::remove(job.work / "child");
  built.failure = BuildFailure::kRule;  // unless a tool fails
  if (!write_what_is_compiled(kit, job, built)) return built;

  const process::Finished compiled = compile(kit, job);
  built.compile_seconds = compiled.seconds;
  if (!keep(kit, job, compiled, "the compiler", built)) return built;
  built.foreign_file = foreign_include(kit, job);
  if (!built.foreign_file.empty()) {
    built.diagnostics += text::harmless("error: includes " + built.foreign_file +
                                        ", which is no part of this lab\n");
    return built;
  }
  if (is_guarded(job) && !keep(kit, job, assemble_with_guards(kit, job), "the assembler", built)) {
    return built;
  }
  if (job.lab.is_cuda()) {
    const std::string broken = broken_rules(kit, job);
    built.diagnostics += broken;
    if (!broken.empty()) return built;
    if (!keep(kit, job, close_object(kit, job), "ld or objcopy", built)) return built;
    built.executable = job.work / "closed.o";
  } else {
    Imports imports = imports_of(job.work / "learner.o", box_of(kit, job));
    built.odd_imports = std::move(imports.odd);
    built.prints = std::move(imports.printing);
    built.executable = job.work / "learner.o";
  }
  built.ok = true;
  return built;
}

Built link_object(const lab::Kit& kit, const Job& job, Built built, const std::string& name,
                  const std::vector<std::string>& words) {
  built.ok = false;
  const process::Finished linked = link(kit, job, std::exchange(built.executable, {}), name, words);
  built.link_seconds = linked.seconds;
  if (!linked.ok()) {
    built.diagnostics += text::harmless(link_words(
        linked.err + linked.out, functions_of(contract_of(kit, job.lab)), job.lab.file().string()));
  }
  if (!keep(kit, job, linked, "the linker", built)) return built;
  built.ok = true;
  built.failure = BuildFailure::kNone;
  built.executable = job.work / name;
  return built;
}

namespace {

/// One executable of one object, in a folder of its own.
Built compile_one(const lab::Kit& kit, const Job& job) {
  Built object = compile_object(kit, job);
  return object.ok ? link_object(kit, job, std::move(object), "child") : object;
}

/// The same kernels three times, side by side: to be run, to be watched, to be counted. Where there
/// is host code nothing is counted, and they are compiled twice.
Built compile_kernels(const lab::Kit& kit, const Job& job) {
  const auto in_folder = [&](protocol::Leg leg) {
    Job other = job;
    other.leg = leg;
    other.work = job.work / name_of(leg);
    return std::async(std::launch::async, [&kit, other] { return compile_one(kit, other); });
  };
  std::vector<std::future<Built>> others;
  others.push_back(in_folder(protocol::Leg::kSanitizers));
  if (!job.lab.has_host_code()) others.push_back(in_folder(protocol::Leg::kCounters));
  Built built = compile_one(kit, job);
  for (std::size_t i = 0; i < others.size(); ++i) {
    Built other = others[i].get();
    if (!built.ok) continue;
    if (!other.ok) {
      other.builds_differ = true;
      return other;
    }
    fs::rename(other.executable, companions(built.executable)[i]);
    built.compile_seconds = std::max(built.compile_seconds, other.compile_seconds);
    built.link_seconds = std::max(built.link_seconds, other.link_seconds);
  }
  return built;
}

}  // namespace

Built compile_once(const lab::Kit& kit, const Job& job) {
  const Budget::Spending spending(job.budget);
  const bool three = job.lab.is_cuda() && job.leg == protocol::Leg::kPlain;
  return three ? compile_kernels(kit, job) : compile_one(kit, job);
}

std::array<fs::path, 2> companions(const fs::path& executable) {
  return {executable.string() + ".watched", executable.string() + ".counted"};
}

}  // namespace nibble::compile
