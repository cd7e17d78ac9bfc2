#include "gpu/compute_sanitizer.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "build/files.hpp"

namespace nibble::gpu {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "compute-sanitizer";
constexpr std::string_view kMark = "=========";

const char* option_of(Tool tool) {
  switch (tool) {
    case Tool::kRacecheck:
      return "racecheck";
    case Tool::kInitcheck:
      return "initcheck";
    case Tool::kSynccheck:
      return "synccheck";
    default:
      return "memcheck";
  }
}

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
  static const std::regex kBegins(
      R"( (Invalid|Misaligned|Uninitialized|Error:|Warning:|Barrier error|Program hit).*)");
  return std::regex_match(said, kBegins);
}

void add_detail(Complaint& complaint, const std::string& said) {
  static const std::regex kPlace(
      R"(\s+at (?:.*::)?([A-Za-z_]\w*)(?:\(.*\))?\+0x[0-9a-f]+(?: in (.*):(\d+))?)"),
      kThread(R"(\s+by (thread .*))");
  std::smatch match;
  if (complaint.kernel.empty() && std::regex_match(said, match, kPlace)) {
    complaint.kernel = match[1];
    complaint.file = match[2];
    if (match[3].matched) complaint.line = std::stoi(match[3].str().substr(0, 9));
  } else if (complaint.thread.empty() && std::regex_match(said, match, kThread)) {
    complaint.thread = match[1];
  }
}

std::vector<Complaint> folded(const std::vector<Complaint>& all) {
  std::vector<Complaint> kept;
  for (const Complaint& one : all) {
    const auto same = std::ranges::find_if(kept, [&](const Complaint& other) {
      return other.what == one.what && other.file == one.file && other.line == one.line;
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
  // A runner has no environment; the tool wants a folder for its own sockets.
  build::write_atomically(wrapper, "#!/bin/sh\nTMPDIR=/tmp NIBBLE_NO_FENCES=1 exec " +
                                       quoted(sanitizer) + " --tool " + option_of(tool) +
                                       " --print-limit 20 -- " + quoted(child) + "\n");
  fs::permissions(wrapper, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add);
}

std::vector<Complaint> complaints_of(const std::string& output) {
  std::vector<Complaint> all;
  bool in_complaint = false;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const std::optional<std::string> said = said_by_the_tool(line);
    if (!said) continue;
    if (begins_complaint(*said)) {
      all.push_back({});
      all.back().what = said->substr(1);
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
