// Writes the script that starts the tool, and folds its report into one complaint for each place.
#include "gpu/compute_sanitizer.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "files/files.hpp"
#include "text/pattern.hpp"

namespace nibble::gpu {
namespace {

namespace fs = std::filesystem;
using record::GpuComplaint;

constexpr const char* kName = "compute-sanitizer";
constexpr std::string_view kMark = "=========";

/// For a shell: nothing in it means anything.
std::string quoted(const fs::path& path) {
  std::string text = "'";
  for (const char c : path.string()) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::optional<std::string> said_by_the_tool(const std::string& line) {
  if (!line.starts_with(kMark)) return std::nullopt;
  return line.substr(kMark.size());
}

/// The first line of a complaint stands one space in; what belongs to it stands further in.
bool begins_complaint(const std::string& said) {
  static const text::Pattern kBegins(
      R"( (Invalid|Misaligned|Uninitialized|Barrier error|((Error|Warning): (Race|Potential))).*)");
  return kBegins.match(said).has_value();
}

std::optional<record::Location> location_of(const std::string& file, const std::string& line) {
  const int number = line.empty() ? 0 : std::stoi(line.substr(0, 9));
  if (file.empty() || number == 0) return std::nullopt;
  return record::Location{file, number};
}

/// A race names its first place in its first line: what comes before it is the complaint.
GpuComplaint begun(const std::string& said) {
  static const text::Pattern kWithPlace(
      R"( (.*?) at (?:.*::)?([A-Za-z_]\w*)(?:\(.*\))?\+0x[0-9a-f]+ in (.*):(\d+).*)");
  GpuComplaint complaint;
  if (const auto match = kWithPlace.match(said)) {
    complaint.what = (*match)[1];
    complaint.kernel = (*match)[2];
    complaint.location = location_of((*match)[3], (*match)[4]);
  } else {
    complaint.what = said.substr(1);
  }
  return complaint;
}

void add_detail(GpuComplaint& complaint, const std::string& said) {
  static const text::Pattern kPlace(
      R"(\s+at (?:.*::)?([A-Za-z_]\w*)(?:\(.*\))?\+0x[0-9a-f]+(?: in (.*):(\d+))?)"),
      kThread(R"(\s+by (thread .*))");
  const auto place = kPlace.match(said);
  const auto thread = kThread.match(said);
  if (complaint.kernel.empty() && place) {
    complaint.kernel = (*place)[1];
    complaint.location = location_of((*place)[2], (*place)[3]);
  } else if (complaint.thread.empty() && thread) {
    complaint.thread = (*thread)[1];
  }
}

std::vector<GpuComplaint> folded(const std::vector<GpuComplaint>& all) {
  std::vector<GpuComplaint> kept;
  for (const GpuComplaint& one : all) {
    const auto same = std::ranges::find_if(kept, [&](const GpuComplaint& other) {
      return other.what == one.what && other.location == one.location;
    });
    if (same == kept.end()) {
      kept.push_back(one);
    } else {
      ++same->times;
    }
  }
  return kept;
}

}  // namespace

const char* name_of(Tool tool) {
  constexpr const char* kNames[] = {"memcheck", "racecheck", "initcheck", "synccheck"};
  return kNames[static_cast<std::size_t>(tool)];
}

fs::path find_compute_sanitizer(const fs::path& nvcc) {
  std::vector<fs::path> folders;
  std::istringstream path(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(path, folder, ':');) folders.emplace_back(folder);
  if (!nvcc.empty()) {
    for (const fs::path& found : {nvcc, fs::weakly_canonical(nvcc)}) {
      folders.push_back(found.parent_path());
      folders.push_back(found.parent_path().parent_path() / kName);
    }
  }
  for (const fs::path& folder : folders) {
    std::error_code none;
    if (!folder.empty() && fs::is_regular_file(folder / kName, none)) return folder / kName;
  }
  return {};
}

void write_wrapper(const fs::path& wrapper, const fs::path& sanitizer, const fs::path& child,
                   Tool tool) {
  // A runner has no environment; the tool wants a folder for its own sockets. A call of the driver
  // that does not work is the runner's to judge: only accesses are complained of.
  files::write_atomically(wrapper, "#!/bin/sh\nTMPDIR=/tmp NIBBLE_NO_FENCES=1 exec " +
                                       quoted(sanitizer) + " --tool " + name_of(tool) +
                                       " --print-limit 20 --report-api-errors no -- " +
                                       quoted(child) + "\n");
  // A judge that is root gives its child a user of its own, who has to read this too.
  fs::permissions(wrapper, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                               fs::perms::others_read | fs::perms::others_exec);
}

std::vector<GpuComplaint> complaints_of(const std::string& output) {
  std::vector<GpuComplaint> all;
  bool in_complaint = false;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const std::optional<std::string> said = said_by_the_tool(line);
    if (!said) continue;
    if (begins_complaint(*said)) {
      all.push_back(begun(*said));
      in_complaint = true;
    } else if (said->find_first_not_of(' ') == std::string::npos) {
      in_complaint = false;
    } else if (in_complaint) {
      add_detail(all.back(), *said);
    }
  }
  return folded(all);
}

}  // namespace nibble::gpu
