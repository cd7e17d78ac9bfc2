// The names of the files in a results folder, and how each is
// written, read, recognised and swept away.
#include "batch/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <stdexcept>

#include "files/files.hpp"
#include "files/submission_folder.hpp"
#include "record/codec.hpp"
#include "report/machine.hpp"
#include "text/harmless.hpp"
#include "text/json_text.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Json = nlohmann::ordered_json;

/// Between a work folder's machine and its process.
constexpr std::string_view kMark = "-by-";

std::string this_host() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// True when the name says that it belongs to a process of this machine, and that process is gone.
bool is_orphan(const std::string& name) {
  const std::size_t mark = name.rfind(kMark);
  if (mark == std::string::npos || !name.substr(0, mark).ends_with(this_host())) return false;
  int pid = 0;
  const char* const end = name.data() + name.size();
  std::from_chars(name.data() + mark + kMark.size(), end, pid);
  return pid > 0 && kill(pid, 0) != 0 && errno == ESRCH;
}

/// "05_per_channel.json.new-…", as files::write_atomically names what it has not renamed yet.
bool is_temporary(const fs::path& file) {
  return file.filename().string().find(".new-") != std::string::npos;
}

void sync_folder(const fs::path& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

}  // namespace

void keep_text(const fs::path& file, std::string_view text) {
  files::write_atomically(file, text);
  sync_folder(file.parent_path());
}

void keep(const fs::path& file, const Json& json) { keep_text(file, text::file_text(json)); }

fs::path folder_in(const fs::path& grades, const std::string& id) {
  return grades / files::submission_folder(id);
}

fs::path result_file(const fs::path& grades, const std::string& id, const std::string& lab) {
  return folder_in(grades, id) / (lab + ".json");
}

fs::path fault_file(const fs::path& grades, const std::string& id, const std::string& lab) {
  return folder_in(grades, id) / (lab + ".fault.json");
}

std::optional<Json> read_json(const fs::path& file) {
  if (!fs::is_regular_file(file)) return std::nullopt;
  Json json = text::json_of(files::read_file(file));
  if (!json.is_object()) return std::nullopt;
  return json;
}

std::optional<record::Result> read_result(const fs::path& file) {
  if (!fs::is_regular_file(file)) return std::nullopt;
  try {
    return record::read_result(files::read_file(file));
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

void keep_result(const fs::path& grades, const std::string& id, const record::Result& result) {
  keep_text(result_file(grades, id, result.lab), record::text_of(result));
  std::error_code ignored;
  fs::remove(fault_file(grades, id, result.lab), ignored);
}

void keep_fault(const fs::path& grades, const std::string& id, const std::string& lab,
                const std::string& message) {
  keep(fault_file(grades, id, lab),
       {{"lab", lab}, {"when", report::utc_now()}, {"message", message}});
}

Workplace::Workplace(const fs::path& grades)
    : folder_(fs::absolute(grades) / ".batch" /
              fmt::format("work-{}{}{}", this_host(), kMark, getpid())) {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) {
    throw std::invalid_argument(
        fmt::format("no folder can be made in {} ({}): name another one with -o",
                    text::harmless(grades.string()), failed.message()));
  }
  fs::permissions(folder_.parent_path(), fs::perms::owner_all);
  for (const auto& entry : fs::directory_iterator(folder_.parent_path())) {
    std::error_code ignored;
    if (is_orphan(entry.path().filename().string())) fs::remove_all(entry.path(), ignored);
  }
}

Workplace::~Workplace() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void sweep(const fs::path& grades) {
  std::error_code ignored;
  const auto long_ago = fs::file_time_type::clock::now() - 1h;
  for (const auto& submission : fs::directory_iterator(grades, ignored)) {
    if (!submission.is_directory() || submission.path().filename() == ".batch") continue;
    for (const auto& file : fs::directory_iterator(submission.path(), ignored)) {
      if (!is_temporary(file.path())) continue;
      if (is_orphan(file.path().filename().string()) || file.last_write_time(ignored) < long_ago) {
        fs::remove(file.path(), ignored);
      }
    }
  }
}

}  // namespace nibble::batch
