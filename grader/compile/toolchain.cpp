// Compiles what is known to be right when a file fails without a line of its own, and remembers for
// which state of the compiler it did.
#include "compile/toolchain.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <string_view>

#include "compile/key.hpp"
#include "files/files.hpp"
#include "files/sha256.hpp"

namespace nibble::compile {
namespace {

namespace fs = std::filesystem;

/// A toolchain may break and heal while one file is compiled, and break again. What nobody explains
/// must be said so often in the same words, with what is right compiled in between; or so often in
/// any: a file can have the words change each time, and that is no way out of its own zero.
constexpr int kSameWords = 4, kMostRounds = 8;

/// A round in which one of the tools was exchanged says nothing, and is not counted; so many of
/// them are a toolchain at work on itself.
constexpr int kMostChanges = 12;

/// Changes with whatever is done to what a compiler is, and reads besides the learner's file.
std::string state_of(const lab::Kit& kit, const Job& job) {
  std::string text = job.lab.name + name_of(job.leg) +
                     std::string(sandbox::name_of(job.boxes.run)) +
                     std::string(sandbox::name_of(job.boxes.compile));
  for (const std::string& flag : kit.flags(job.lab.kind, job.leg)) text += "\n" + flag;
  for (const std::string& flag : kit.link_flags) text += "\n" + flag;
  for (const fs::path& part : kit.compiler_parts) text += "\n" + file_state(part);
  for (const fs::path& header : headers_for(kit, job.lab, job.leg)) {
    text += "\n" + file_state(header);
  }
  return files::sha256(text);
}

/// States in which what is known to be right was compiled by this process.
class ProvenStates {
 public:
  bool has(const std::string& state) const {
    const std::lock_guard lock(mutex_);
    return states_.contains(state);
  }
  void add(const std::string& state) {
    const std::lock_guard lock(mutex_);
    states_.insert(state);
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::string> states_;
};

ProvenStates& proven() {
  static ProvenStates states;
  return states;
}

std::string first_lines(const std::string& text, int lines) {
  std::size_t end = 0;
  for (; lines > 0 && end < text.size(); --lines)
    end = std::min(text.size(), text.find('\n', end)) + 1;
  return text.substr(0, end);
}

/// Where a learner's own runs remember it; a note that cannot be kept is no harm.
fs::path note_of(const lab::Kit& kit, const Job& job, const std::string& state) {
  if (job.is_kept || job.boxes.compile != sandbox::Level::kLimits) return {};
  return kit.notes() / "known_good" / state.substr(state.find(':') + 1);
}

bool is_proven(const lab::Kit& kit, const Job& job, const std::string& state) {
  const fs::path note = note_of(kit, job, state);
  return proven().has(state) || (!note.empty() && fs::exists(note));
}

void remember(const lab::Kit& kit, const Job& job, const std::string& state) {
  proven().add(state);
  const fs::path note = note_of(kit, job, state);
  if (note.empty()) return;
  std::error_code ignored;
  fs::remove_all(note.parent_path(), ignored);  // of states that are gone
  fs::create_directories(note.parent_path(), ignored);
  std::ofstream(note).flush();
}

/// Compiles what is known to be right, in the same box with the same flags; what the submission
/// left is gone before that, or a full folder of its own would speak for it. True:
/// it was cancelled.
bool must_compile_what_is_right(const lab::Kit& kit, Job job) {
  std::error_code ignored;
  fs::remove_all(job.work, ignored);
  const std::string state_now = state_of(kit, job);
  job.source = known_good(kit, job.lab);
  if (job.source.empty()) return false;
  job.more_flags.clear();
  job.budget = nullptr;
  job.work += ".known_good";
  const Built built = compile_once(kit, job);
  fs::remove_all(job.work, ignored);
  if (built.cancelled) return true;
  if (!built.ok) {
    throw ToolchainBroke(
        "the compiler or one of its tools is broken here, not this file: " + job.lab.file_name() +
        " as published does not compile either: " + first_lines(built.diagnostics, 3));
  }
  if (state_now == state_of(kit, job)) remember(kit, job, state_now);
  return false;
}

/// True when the first error of that spelling is told at a line of the lab's own file.
bool names_own_line(const std::string& diagnostics, std::string_view word, const lab::Lab& lab) {
  const std::size_t error = diagnostics.find(word);
  if (error == std::string::npos) return false;
  const std::size_t newline = diagnostics.rfind('\n', error);
  const std::size_t begin = newline == std::string::npos ? 0 : newline + 1;
  const std::string_view place(diagnostics.data() + begin, error - begin);
  const std::string name = lab.file().string() + ":";
  return place.starts_with(name) &&
         place.find_first_not_of("0123456789: ", name.size()) == std::string_view::npos;
}

constexpr const char* kAtWorkOnItself =
    "the compiler or one of its tools is being exchanged again and again: grade when that has "
    "ended";

Built cancelled() {
  Built built;
  built.cancelled = true;
  return built;
}

}  // namespace

std::string known_good(const lab::Kit& kit, const lab::Lab& lab) {
  for (const char* const place : {"solutions", "grader/starters"}) {
    const fs::path known = kit.source / place / lab.name / lab.file_name();
    if (fs::exists(known)) return files::read_file(known);
  }
  return "";
}

BuildFailure explained_by(const std::string& diagnostics, const lab::Lab& lab) {
  constexpr std::array kOfALinker = {"undefined symbol", "undefined reference", "duplicate symbol",
                                     "multiple definition"};
  if (names_own_line(diagnostics, "error: ", lab)) return BuildFailure::kDiagnosed;
  if (names_own_line(diagnostics, "Error: ", lab)) return BuildFailure::kNamed;
  const bool by_linker = std::ranges::any_of(kOfALinker, [&](const char* const words) {
    return diagnostics.find(words) != std::string::npos;
  });
  return by_linker ? BuildFailure::kNamed : BuildFailure::kOther;
}

Built compile_child(const lab::Kit& kit, const Job& job) {
  std::string said;
  int times = 0, rounds = 0, changes = 0;
  for (;;) {
    const std::string state = state_of(kit, job);
    Built built = compile_once(kit, job);
    if (built.ok || built.cancelled || built.failure == BuildFailure::kRule) return built;
    const bool diagnosed = built.failure == BuildFailure::kDiagnosed && state_of(kit, job) == state;
    if (diagnosed && is_proven(kit, job, state)) return built;
    if (must_compile_what_is_right(kit, job)) return cancelled();
    const bool explained = diagnosed || built.failure == BuildFailure::kNamed;
    if (explained || built.failure == BuildFailure::kLimit || !job.is_kept) return built;
    if (state_of(kit, job) != state) {
      if (++changes == kMostChanges) throw ToolchainBroke(kAtWorkOnItself);
      continue;
    }
    times = built.diagnostics == said ? times + 1 : 1;
    said = built.diagnostics;
    if (times == kSameWords || ++rounds == kMostRounds) return built;
  }
}

}  // namespace nibble::compile
