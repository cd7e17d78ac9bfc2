#include "bench/batches/victims.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "files/files.hpp"

namespace nibble::bench {
namespace {

namespace fs = std::filesystem;

struct Process {
  pid_t parent = 0;
  std::string name, words;
};

/// "7 (child) R 6 …": the name may hold anything, the last parenthesis closes it.
Process parsed(const std::string& stat) {
  const std::size_t open = stat.find('('), close = stat.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close + 4 > stat.size()) return {};
  Process process;
  process.name = stat.substr(open + 1, close - open - 1);
  std::from_chars(stat.data() + close + 4, stat.data() + stat.size(), process.parent);
  return process;
}

std::map<pid_t, Process> all_processes() {
  std::map<pid_t, Process> all;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    pid_t pid = 0;
    std::from_chars(name.data(), name.data() + name.size(), pid);
    if (pid <= 0) continue;
    try {
      Process process = parsed(files::read_file(entry.path() / "stat"));
      process.words = files::read_file(entry.path() / "cmdline");
      std::ranges::replace(process.words, '\0', ' ');
      all[pid] = process;
    } catch (const fs::filesystem_error&) {  // it ended meanwhile
    }
  }
  return all;
}

bool is_a(const std::string& kind, const Process& process) {
  if (kind == "batch") return process.words.find("nibble-teach grade ") != std::string::npos;
  if (kind == "chunk") return process.words.find("nibble-teach grade-chunk ") != std::string::npos;
  if (kind == "judge") return process.name.starts_with("judge.");
  if (kind == "runner") return process.name == "child";
  return process.name == "cc1plus" || process.name.starts_with("clang");
}

/// True when it was told the folder, or what started it was.
bool works_for(const std::map<pid_t, Process>& all, pid_t pid, const std::string& grades) {
  constexpr int kDeepest = 8;
  for (int steps = 0; steps < kDeepest; ++steps) {
    const auto found = all.find(pid);
    if (found == all.end()) return false;
    if (found->second.words.find(grades) != std::string::npos) return true;
    pid = found->second.parent;
  }
  return false;
}

}  // namespace

std::vector<pid_t> victims(const std::string& kind, const fs::path& grades) {
  const std::map<pid_t, Process> all = all_processes();
  std::vector<pid_t> found;
  for (const auto& [pid, process] : all) {
    if (is_a(kind, process) && works_for(all, pid, grades.string())) found.push_back(pid);
  }
  return found;
}

}  // namespace nibble::bench
