// nibble asm LAB: what the compiler made of the learner's loops.
#include <fmt/format.h>

#include <ostream>
#include <system_error>

#include "cli/children.hpp"
#include "cli/commands.hpp"
#include "cli/find_program.hpp"
#include "cli/interrupt.hpp"
#include "cli/trouble.hpp"
#include "files/file_lock.hpp"
#include "nibble/cpu.hpp"
#include "process/command.hpp"
#include "report/asm_screen.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;
using report::Disassembly;
using report::HotLoop;

std::string find_objdump() {
  for (const char* const name : {"objdump", "llvm-objdump"}) {
    if (const std::string file = find_program(name); !file.empty()) return file;
  }
  throw Trouble(kNotHere,
                "objdump is not here, which reads machine code: install the package binutils"
                " (Debian, Ubuntu: apt-get install binutils)");
}

std::string ask_objdump(std::vector<std::string> words) {
  process::Command command;
  command.words = std::move(words);
  command.wall_limit = std::chrono::seconds{60};
  command.kept_bytes = std::size_t{256} << 20;
  command.cancelled = was_interrupted;
  const process::Finished finished = process::run(command);
  if (!finished.ok() && !finished.cancelled) {
    throw Trouble(kNotHere,
                  command.words.front() + " could not read the program:\n" + finished.err);
  }
  return finished.out;
}

/// Its data first: with the code asked for as well, relocations would be told only where code is.
Disassembly disassemble(const std::string& objdump, const fs::path& program) {
  std::vector<std::string> code{objdump, "--disassemble", "--demangle", "--no-show-raw-insn"};
#if defined(__x86_64__)
  code.insert(code.end(), {"-M", "intel"});
#endif
  code.push_back(program.string());
  const std::string data =
      ask_objdump({objdump, "--syms", "--dynamic-reloc", "--demangle", program.string()});
  return report::read_disassembly(data + ask_objdump(std::move(code)));
}

HotLoop hot_loop_of(const Disassembly& listing, const std::string& function) {
  const auto roots = report::functions_called(listing, function);
  return roots.empty() ? HotLoop{}
                       : report::find_hot_loop(listing, roots, cpu_has(Isa::kAvx512Vnni));
}

/// The function that --fn names, or why it cannot be shown.
HotLoop named_function(const Disassembly& listing, const Target& target, const std::string& name) {
  HotLoop hot = hot_loop_of(listing, name);
  if (!hot.functions.empty()) return hot;
  std::string known;
  for (const MarkedExercise& exercise : target.lab->exercises) known += " " + exercise.name;
  throw usage("no function of " + target.lab->name + " is called " + name +
              ": the compiler may have put it into those that call it; exercises:" + known);
}

/// A line for each exercise, then the loop of the one that is worked on.
void show_lab(Context& context, const Disassembly& listing, const MarkedLab& lab, bool whole) {
  context.out << fmt::format("{}   the innermost loop of each exercise that multiplies most ({})\n",
                             context.paint.loud(lab.name), compiler_text(context, lab));
  const Progress progress = load_progress(context);
  std::string open, written;
  for (const MarkedExercise& exercise : lab.exercises) {
    const HotLoop hot = hot_loop_of(listing, exercise.name);
    context.out << fmt::format("  {:<24} {}\n", exercise.name, report::hot_loop_summary(hot));
    const bool worth_it = !hot.not_written && !hot.loops.empty();
    if (written.empty() && worth_it) written = exercise.name;
    if (open.empty() && worth_it && !progress.done(lab.id_of(exercise.name))) open = exercise.name;
  }
  if (open.empty()) {
    if (!written.empty()) {
      context.out << "one of them   ./nibble asm " << lab.id_of(written) << '\n';
    }
    return;
  }
  context.out << '\n'
              << report::hot_loop_text(listing, hot_loop_of(listing, open), lab.id_of(open), whole,
                                       context.paint);
}

bool is_passed(const Progress& progress, const std::string& id) {
  const Entry* const entry = progress.find(id);
  return entry != nullptr && entry->state == "passed";
}

/// Who has passed an exercise may know how the published loop counts, and no more than that.
int show_comparison(Context& context, const Disassembly& yours, const Target& target,
                    const std::string& objdump) {
  const MarkedLab& lab = *target.lab;
  const fs::path child = published_child(context, lab);
  if (was_interrupted()) return kInterrupted;
  if (child.empty()) throw usage("the solutions are not in this copy of the kit");
  const Progress progress = load_progress(context);
  const Disassembly published = disassemble(objdump, child);
  std::vector<report::ComparedLoops> rows;
  std::string waiting;
  for (const MarkedExercise& exercise : lab.exercises) {
    if (!target.exercise.empty() && exercise.name != target.exercise) continue;
    if (!is_passed(progress, lab.id_of(exercise.name))) {
      waiting += " " + exercise.name;
      continue;
    }
    const HotLoop mine = hot_loop_of(yours, exercise.name);
    const HotLoop theirs = hot_loop_of(published, exercise.name);
    const auto counts = [](const HotLoop& hot) {
      return hot.loops.empty() ? report::LoopCounts{} : hot.loops.front().counts;
    };
    rows.push_back({exercise.name, counts(mine), counts(theirs)});
  }
  if (!rows.empty()) context.out << report::comparison_text(rows);
  if (!waiting.empty()) context.out << "compared when they are passed:" << waiting << '\n';
  return rows.empty() ? kFailed : kPassed;
}

Target target_of(const Context& context, const AsmOptions& options) {
  if (options.target.empty()) return exercise_or_current(context, "");
  return find_target(context.labs, options.target);
}

}  // namespace

int asm_command(Context& context, const AsmOptions& options) {
  Target target = target_of(context, options);
  if (target.lab->find(options.function) != nullptr) target.exercise = options.function;
  const std::string objdump = find_objdump();
  const files::FileLock lock(work_folder(context.kit, *target.lab) / "lock");
  const fs::path child = learners_child(context, *target.lab);
  if (child.empty()) return kInterrupted;
  const Disassembly listing = disassemble(objdump, child);
  if (was_interrupted()) return kInterrupted;
  if (options.diff) return show_comparison(context, listing, target, objdump);
  const std::string name = options.function.empty() ? target.exercise : options.function;
  if (name.empty()) {
    show_lab(context, listing, *target.lab, options.all);
    return kPassed;
  }
  context.out << report::hot_loop_text(listing, named_function(listing, target, name),
                                       target.lab->id_of(name), options.all, context.paint);
  return kPassed;
}

}  // namespace nibble::cli
