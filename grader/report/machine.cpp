#include "report/machine.hpp"

#include <stdlib.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace nibble::report {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string architecture() {
  utsname names{};
  uname(&names);
  const std::string machine = names.machine;
  return machine == "x86_64" ? "x86-64" : machine;
}

/// As the driver tells it; asking its tool would cost a second.
std::optional<std::string> first_gpu() {
  std::error_code none;
  for (const auto& device : fs::directory_iterator("/proc/driver/nvidia/gpus", none)) {
    std::istringstream lines(text_of(device.path() / "information"));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("Model:")) continue;
      const std::size_t begin = line.find_first_not_of(" \t", 6);
      return begin == std::string::npos ? "NVIDIA" : line.substr(begin);
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> vector_units(std::string_view cpuinfo) {
  constexpr std::array<std::string_view, 13> kWanted = {
      "amx_bf16", "amx_int8", "asimd", "asimddp", "avx2", "avx512_bf16", "avx512_vnni",
      "avx512f",  "avx_vnni", "f16c",  "i8mm",    "sve",  "sve2"};
  std::size_t begin = cpuinfo.find("\nflags");
  if (begin == std::string_view::npos) begin = cpuinfo.find("\nFeatures");
  if (begin == std::string_view::npos) return {};
  const std::string_view line = cpuinfo.substr(begin + 1, cpuinfo.find('\n', begin + 1) - begin);
  std::vector<std::string> units;
  std::istringstream words{std::string(line)};
  for (std::string word; words >> word;) {
    if (std::ranges::count(kWanted, std::string_view(word)) > 0) units.push_back(word);
  }
  std::ranges::sort(units);
  return units;
}

Machine this_machine() {
  Machine machine;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  machine.cpu = architecture() + ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
  machine.isa = vector_units(text_of("/proc/cpuinfo"));
  machine.gpu = first_gpu();
  double load = 0.0;
  if (getloadavg(&load, 1) == 1) machine.load = std::round(load * 10) / 10;
  return machine;
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

}  // namespace nibble::report
