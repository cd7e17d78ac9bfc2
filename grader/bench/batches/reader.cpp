#include "bench/batches/reader.hpp"

#include <chrono>
#include <nlohmann/json.hpp>

#include "files/files.hpp"

namespace nibble::bench {

namespace fs = std::filesystem;

/// Leaves the cores to those who grade.
constexpr auto kBetweenFiles = std::chrono::milliseconds(1);

BusyReader::BusyReader(fs::path grades)
    : grades_(std::move(grades)),
      thread_([this](const std::stop_token& stop) { read_all(stop); }) {}

void BusyReader::read_all(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(kBetweenFiles);
    std::error_code not_yet;
    for (const auto& entry : fs::directory_iterator(grades_, not_yet)) {
      if (entry.path().extension() == ".json") read(entry.path());
      if (entry.path().filename() != ".batch" && entry.is_directory(not_yet)) {
        read_folder(entry.path(), stop);
      }
    }
  }
}

void BusyReader::read_folder(const fs::path& folder, const std::stop_token& stop) {
  std::error_code gone;
  for (const auto& file : fs::directory_iterator(folder, gone)) {
    if (stop.stop_requested()) return;
    if (file.path().extension() != ".json") continue;
    read(file.path());
    std::this_thread::sleep_for(kBetweenFiles);
  }
}

void BusyReader::read(const fs::path& file) {
  ++reads_;
  try {
    if (nlohmann::json::accept(files::read_file(file))) return;
  } catch (const fs::filesystem_error&) {
    if (file.string().ends_with(".fault.json")) return;  // a result has come in its place
  }
  ++unreadable_;
}

}  // namespace nibble::bench
