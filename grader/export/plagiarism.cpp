#include "export/plagiarism.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "files/files.hpp"
#include "text/harmless.hpp"

namespace nibble::gradebook {
namespace {

namespace fs = std::filesystem;

/// Far more than a lab needs; the tools take a minute over a megabyte.
constexpr std::uintmax_t kMostBytes = std::uintmax_t{256} << 10;

bool is_source(const fs::path& file) {
  std::error_code none;
  return fs::is_regular_file(fs::symlink_status(file, none)) &&
         fs::file_size(file, none) <= kMostBytes;
}

/// Where the lab's file may stand in a submission; empty: nowhere.
fs::path source_in(const fs::path& folder, const lab::Lab& lab) {
  const std::string name = lab.file_name();
  for (const fs::path& place : {folder / name, folder / lab.name / name, folder / lab.file(),
                                folder / "submitted" / lab.name / name}) {
    if (is_source(place)) return place;
  }
  return {};
}

std::string command_for(const std::string& tool, const std::string& file) {
  const bool cuda = file.ends_with(".cu");
  if (tool == "jplag") {
    return fmt::format("java -jar jplag.jar -l cpp -p {} submissions -bc base\n",
                       cuda ? ".cu" : ".cpp");
  }
  if (tool == "dolos") {
    return fmt::format("dolos run -l cpp -i base/{0} submissions/*/{0}\n", file);
  }
  return fmt::format("./moss -l cc -d -b base/{0} submissions/*/{0}\n", file);
}

}  // namespace

std::vector<Source> read_sources(const fs::path& submissions, const lab::Lab& lab,
                                 std::vector<std::string>& without) {
  if (!fs::is_directory(submissions)) {
    throw std::invalid_argument(text::harmless(submissions.string()) +
                                " is not there: name the folder that holds one folder for each "
                                "submission");
  }
  std::vector<Source> sources;
  for (const auto& entry : fs::directory_iterator(submissions)) {
    if (!fs::is_directory(entry.symlink_status())) continue;
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.')) continue;  // what the grader keeps for itself
    const fs::path file = source_in(entry.path(), lab);
    if (file.empty()) {
      without.push_back(name);
    } else {
      sources.push_back({name, files::read_file(file)});
    }
  }
  std::ranges::sort(sources, {}, &Source::submission);
  std::ranges::sort(without);
  return sources;
}

void write_plagiarism(const fs::path& out, const std::string& tool, const std::string& file,
                      const std::vector<Source>& sources, const std::string& starter) {
  if (fs::exists(out) && !fs::is_empty(out)) {
    throw std::invalid_argument(text::harmless(out.string()) +
                                " is not empty: what is left there would be compared too");
  }
  files::write_atomically(out / "base" / file, starter);
  for (const Source& source : sources) {
    files::write_atomically(out / "submissions" / source.submission / file, source.text);
  }
  files::write_atomically(out / "COMMAND.txt", command_for(tool, file));
}

}  // namespace nibble::gradebook
