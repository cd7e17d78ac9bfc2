// nibble doctor: what this machine has, and what that means for the labs.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <ostream>
#include <thread>

#include "cli/commands.hpp"
#include "cli/file_events.hpp"
#include "cli/find_program.hpp"
#include "cli/trouble.hpp"
#include "files/files.hpp"
#include "gpu/gpu_here.hpp"
#include "process/command.hpp"
#include "process/usage.hpp"
#include "report/machine.hpp"
#include "report/units.hpp"
#include "run/probe.hpp"
#include "sandbox/control_group.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

enum class Severity { kOk, kWarn, kFail };

struct Symptom {
  Severity severity;
  std::string what, text;
};

bool works(std::vector<std::string> words) {
  process::Command command;
  command.words = std::move(words);
  command.wall_limit = 30s;
  try {
    return process::run(command).ok();
  } catch (const std::system_error&) {
    return false;
  }
}

/// clang++ before 16 does not compile the views of g++'s library.
bool compiles_views(const Context& context) {
  const fs::path file = context.kit.root / ".nibble" / "work" / "doctor" / "views.cpp";
  try {
    files::write_atomically(file,
                            "#include <ranges>\n#include <span>\n"
                            "auto twice(std::span<const float> x) {\n"
                            "  return x | std::views::transform([](float v) { return 2 * v; });\n"
                            "}\n");
  } catch (const fs::filesystem_error&) {
    return true;  // others tell that nothing can be written
  }
  return works({context.kit.cxx, "-std=c++20", "-fsyntax-only", file.string()});
}

Symptom compiler(const Context& context) {
  if (!works({context.kit.cxx, "--version"})) {
    return {Severity::kFail, "compiler",
            context.kit.cxx + " cannot be started: install it, or build the kit anew for another"};
  }
  if (!compiles_views(context)) {
    return {Severity::kWarn, "compiler",
            context.kit.cxx_name +
                " does not compile std::views, so right code may not compile: build the kit anew "
                "with g++ 11 or clang++ 16, or a later one"};
  }
  const bool gcc = context.kit.cxx_name.starts_with("g++");
  const std::string other = gcc ? "clang++" : "g++";
  return {Severity::kOk, "compiler",
          context.kit.cxx_name + " (C++20)" +
              (find_program(other).empty() ? "" : "; " + other + " also found")};
}

/// What a box forbids, a linker may need: whoever grades has another one then.
std::string linkers_in_boxes(const lab::Kit& kit) {
  std::string text;
  for (const sandbox::Level level : {sandbox::Level::kNamespaces, sandbox::Level::kLandlock}) {
    const run::Linker linker = run::linker_in_box(kit, level);
    if (!linker.works || linker.refused.empty()) continue;
    text += fmt::format("; in a box of {} {}, since {}", name_of(level),
                        lab::linker_name(linker.flags), linker.refused);
  }
  return text;
}

Symptom linker(const Context& context) {
  const std::string in_boxes = linkers_in_boxes(context.kit);
  const std::string name = lab::linker_name(context.kit.link_flags);
  return context.kit.link_flags.empty()
             ? Symptom{Severity::kWarn, "linker",
                       name + "; mold or lld would save a little on every run" + in_boxes}
             : Symptom{Severity::kOk, "linker", name + in_boxes};
}

/// Building a program of one line tells what no version number does.
Symptom sanitizers(const Context& context) {
  const fs::path folder = context.kit.root / ".nibble" / "work" / "doctor";
  try {
    files::write_atomically(folder / "one.cpp", "int main() {}\n");
  } catch (const fs::filesystem_error& error) {
    return {Severity::kFail, "sanitizers", file_trouble(error).what()};
  }
  std::vector<std::string> words{context.kit.cxx};
  const std::vector<std::string> flags =
      context.kit.flags(lab::LabKind::kOrdinary, protocol::Leg::kSanitizers);
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), {(folder / "one.cpp").string(), "-o", (folder / "one").string()});
  const bool pattern =
      std::ranges::count(flags, std::string("-ftrivial-auto-var-init=pattern")) > 0;
  if (works(words) && works({(folder / "one").string()})) {
    return {Severity::kOk, "sanitizers",
            std::string("address, undefined") + (pattern ? "; uninitialised by pattern" : "")};
  }
  return {Severity::kWarn, "sanitizers",
          "cannot be built here: no file and line for crashes; points are the same"};
}

Symptom vector_units() {
  const report::VectorUnits units = report::this_machines_units();
  return {units.wide() ? Severity::kOk : Severity::kWarn, "vector", report::units_text(units)};
}

Symptom gpu(const Context& context) {
  const bool here = gpu::why_not_run(context.kit.nvcc).empty();
  return {here ? Severity::kOk : Severity::kWarn, "gpu", gpu::gpu_line(context.kit.nvcc)};
}

/// Your own code needs none; whoever grades that of others wants to know what is here.
Symptom sandbox(const Context& context) {
  std::string here, not_here;
  for (const run::LevelHere& one : run::probe_all(context.kit)) {
    if (one.level == sandbox::Level::kLimits) continue;
    if (one.works()) {
      here += fmt::format("{}{} ({})", here.empty() ? "" : ", ", name_of(one.level),
                          made_of(one.level));
    } else {
      not_here += fmt::format("; not {}: {}", name_of(one.level), one.why_not);
    }
  }
  const sandbox::Groups& groups = sandbox::groups_here();
  const std::string limits = groups.folder.empty()
                                 ? "; no limits on groups of processes: " + groups.why_not
                                 : "; limits on groups of processes";
  const std::string own = "your own code runs with limits only (L0); for that of others there ";
  return here.empty() ? Symptom{Severity::kWarn, "sandbox", own + "is no box" + not_here}
                      : Symptom{Severity::kOk, "sandbox", own + "is " + here + limits + not_here};
}

/// Speed is credited by the CPU time of another process, which not every system tells.
Symptom speed(const report::Machine& machine) {
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const std::string load =
      fmt::format("load {:.1f} on {} core{}", machine.load, cores, cores == 1 ? "" : "s");
  if (!process::cpu_clocks_can_be_read()) {
    return {Severity::kWarn, "speed",
            load +
                "; this system does not tell the CPU time of another process: speed is not"
                " measured here, and not counted against you"};
  }
  return {machine.load > cores ? Severity::kWarn : Severity::kOk, "speed",
          load + ": CPU time is compared, not the clock"};
}

Symptom disk(const Context& context) {
  std::error_code error;
  const fs::space_info space = fs::space(context.kit.root, error);
  if (error) return {Severity::kWarn, "disk", error.message()};
  const std::uintmax_t mebibytes = space.available >> 20;
  return {mebibytes < 200 ? Severity::kWarn : Severity::kOk, "disk",
          fmt::format("{} MiB free", mebibytes)};
}

Symptom notes(const Context& context) {
  try {
    const fs::path probe = context.kit.root / ".nibble" / "probe";
    files::write_atomically(probe, "");
    fs::remove(probe);
    return {Severity::kOk, "notes", ".nibble/ can be written"};
  } catch (const fs::filesystem_error& error) {
    return {Severity::kFail, "notes", file_trouble(error).what()};
  }
}

Symptom events(const Context& context) {
  const std::string why = why_polling(context.kit.root);
  return why.empty() ? Symptom{Severity::kOk, "file events", "inotify"}
                     : Symptom{Severity::kWarn, "file events", "polling, because " + why};
}

std::string words_of(Severity severity, const report::Paint& paint) {
  if (severity == Severity::kOk) return paint.good("ok   ");
  return severity == Severity::kWarn ? paint.loud("warn ") : paint.bad("fail ");
}

}  // namespace

int doctor_command(Context& context) {
  const report::Machine machine = report::this_machine();
  const std::array<Symptom, 10> symptoms = {
      compiler(context), linker(context), sanitizers(context), vector_units(), gpu(context),
      sandbox(context),  speed(machine),  disk(context),       notes(context), events(context)};
  bool failed = false;
  for (const Symptom& one : symptoms) {
    context.out << fmt::format("{} {:<12}  {}\n", words_of(one.severity, context.paint), one.what,
                               one.text);
    failed = failed || one.severity == Severity::kFail;
  }
  return failed ? kNotHere : kPassed;
}

std::string doctor_line(const Context& context) {
  const report::Machine machine = report::this_machine();
  const std::string linker_word =
      context.kit.link_flags.empty() ? "" : lab::linker_name(context.kit.link_flags);
  const std::string unit = report::this_machines_units().best();
  return fmt::format("{}{}{} · {} · sandbox level {} of 3", context.kit.cxx_name,
                     linker_word.empty() ? "" : " · " + linker_word,
                     unit.empty() ? "" : " · " + unit,
                     machine.gpu ? *machine.gpu : "no CUDA device: kernels run on the SIMT engine",
                     machine.sandbox);
}

}  // namespace nibble::cli
