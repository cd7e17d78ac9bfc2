#include "compile/includes.hpp"

#include <algorithm>
#include <filesystem>

#include "files/files.hpp"

namespace nibble::compile {
namespace {

namespace fs = std::filesystem;

bool lies_in(const fs::path& file, const fs::path& folder) {
  const auto [of_folder, of_file] = std::ranges::mismatch(folder, file);
  return of_folder == folder.end() || of_folder->empty();  // a final slash is an empty part
}

/// Found through a folder of the system's, whose links are its own: Debian 13 keeps the kernel's
/// headers elsewhere. A name with ".." could leave by such a link.
bool is_of_the_system(const lab::Kit& kit, const fs::path& name) {
  return std::ranges::find(name, fs::path("..")) == name.end() &&
         std::ranges::any_of(kit.system_includes,
                             [&](const auto& folder) { return lies_in(name, folder); });
}

}  // namespace

std::vector<std::string> prerequisites(std::string_view rule) {
  std::vector<std::string> files;
  std::string word;
  const auto take = [&] {
    if (!word.empty()) files.push_back(std::move(word));
    word.clear();
  };
  const std::size_t colon = rule.find(": ");
  rule.remove_prefix(colon == std::string_view::npos ? rule.size() : colon + 1);
  for (std::size_t i = 0; i < rule.size(); ++i) {
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (rule[i] == '\\' && next == '\n') {
      ++i;  // the rule goes on in the next line
      take();
    } else if ((rule[i] == '\\' && (next == ' ' || next == '#' || next == '\\')) ||
               (rule[i] == '$' && next == '$')) {
      word += rule[++i];
    } else if (rule[i] == ' ' || rule[i] == '\n') {
      take();
    } else {
      word += rule[i];
    }
  }
  take();
  return files;
}

std::string foreign_include(const lab::Kit& kit, const Job& job) {
  std::vector<fs::path> allowed = kit.system_includes;
  allowed.insert(allowed.end(), {kit.contract(job.lab.name), kit.headers / "common",
                                 kit.build / "pch", job.work / job.lab.compiled_file()});
  if (!job.more_flags.empty()) return "";  // the kit's own source
  for (fs::path& folder : allowed) folder = fs::weakly_canonical(folder);
  for (const std::string& name : prerequisites(files::read_file(job.work / "learner.d"))) {
    if (is_of_the_system(kit, name)) continue;
    std::error_code error;  // what has no place is nowhere that is allowed: a name that is too long
    const fs::path file = fs::weakly_canonical(job.work / name, error);
    if (error ||
        std::ranges::none_of(allowed, [&](const auto& folder) { return lies_in(file, folder); })) {
      return name;
    }
  }
  return "";
}

}  // namespace nibble::compile
