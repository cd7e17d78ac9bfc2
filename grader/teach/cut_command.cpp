#include "teach/cut_command.hpp"

#include <fmt/format.h>

#include "files/files.hpp"
#include "lab/cut.hpp"
#include "lab/lab_files.hpp"
#include "process/command.hpp"

namespace nibble::teach {
namespace {

namespace fs = std::filesystem;

/// True when the file, as it is now, is what the last commit holds: nothing can be lost.
bool is_committed(const fs::path& file) {
  const auto git = [&](std::vector<std::string> words) {
    process::Command command;
    command.words = {"git", "-C", file.parent_path().string()};
    command.words.insert(command.words.end(), words.begin(), words.end());
    try {
      return process::run(command).ok();
    } catch (const std::system_error&) {
      return false;  // no git here
    }
  };
  const std::string name = file.filename().string();
  return git({"ls-files", "--error-unmatch", name}) && git({"diff", "--quiet", "HEAD", "--", name});
}

/// Copies the file to the first free .bak-N beside it.
fs::path keep_aside(const fs::path& file) {
  for (int n = 1;; ++n) {
    const fs::path backup = file.string() + ".bak-" + std::to_string(n);
    if (fs::exists(backup)) continue;
    fs::copy_file(file, backup);
    return backup;
  }
}

enum class Freshness { kSame, kChanged };

Freshness cut_lab(const lab::LabFiles& files, bool only_look) {
  const std::string fresh = lab::cut_starter(files::read_file(files.solution));
  const bool there = fs::exists(files.starter);
  if (there && files::read_file(files.starter) == fresh) {
    fmt::print("  same     {}\n", files.lab.name);
    return Freshness::kSame;
  }
  if (only_look) {
    fmt::print("  stale    {}\n", files.lab.name);
    return Freshness::kChanged;
  }
  std::string kept;
  if (there && !is_committed(files.starter)) {
    kept = "  the old one is " + keep_aside(files.starter).filename().string();
  }
  files::write_atomically(files.starter, fresh);
  fmt::print("  {}  {}{}\n", there ? "changed" : "written", files.lab.name, kept);
  return Freshness::kChanged;
}

}  // namespace

int cut_labs(const lab::Kit& kit, const Cut& what) {
  bool good = true;
  for (const lab::Lab& lab : lab::labs_with_solution(kit, what.labs)) {
    try {
      const Freshness found = cut_lab(lab::files_of(kit.source, lab), what.only_look);
      good = good && !(what.only_look && found == Freshness::kChanged);
    } catch (const std::exception& error) {
      fmt::print("  FAIL     {}: {}\n", lab.name, error.what());
      good = false;
    }
  }
  return good ? 0 : 1;
}

}  // namespace nibble::teach
