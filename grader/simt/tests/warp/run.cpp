// What the tests of warp instructions share: a session under each
// schedule, and the marked lines of the kernels' files.
#include "run.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>

namespace nibble::simt::tests {

namespace {

std::string this_program() {
  std::array<char, 4096> path{};
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size() - 1);
  return {path.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

std::string output_of(const std::string& command) {
  const auto close = [](FILE* f) { pclose(f); };
  const std::unique_ptr<FILE, decltype(close)> pipe(popen(command.c_str(), "r"), close);
  std::string text;
  std::array<char, 256> part{};
  while (pipe != nullptr && fgets(part.data(), part.size(), pipe.get()) != nullptr)
    text += part.data();
  return text;
}

std::string text_of(const EngineFinding& f) {
  return "kind " + std::to_string(int(f.kind)) + " at line " + std::to_string(line_of(f.place)) +
         ", subject \"" + f.subject + "\", detail \"" + f.detail + "\", " +
         std::to_string(f.times) + " times";
}

}  // namespace

int marked_line(const std::string& file, const std::string& mark) {
  std::ifstream source(std::string(NIBBLE_WARP_KERNELS) + "/" + file);
  std::string line;
  const std::string ending = "// " + mark;
  for (int number = 1; std::getline(source, line); number++)
    if (line.size() >= ending.size() && line.ends_with(ending)) return number;
  ADD_FAILURE() << file << " has no line that ends in " << ending;
  return 0;
}

int line_of(const Place& place) {
  if (place.line != 0) return static_cast<int>(place.line);
  static std::map<std::uint64_t, int> known;
  const auto [found, is_new] = known.try_emplace(place.offset, 0);
  if (!is_new) return found->second;
  std::array<char, 32> address{};
  std::snprintf(address.data(), address.size(), "0x%llx",
                static_cast<unsigned long long>(place.offset - 1));
  const std::string text = output_of("addr2line -i -e '" + this_program() + "' " + address.data());
  const std::size_t own = text.find(".cu:");  // the innermost of those that were inlined
  if (own != std::string::npos) found->second = std::atoi(text.c_str() + own + 4);
  return found->second;
}

void under_every_schedule(const std::function<void(const SessionOptions&)>& body) {
  const std::array<std::pair<Schedule, const char*>, 3> schedules{
      {{Schedule::kForward, "forward"},
       {Schedule::kReverse, "reverse"},
       {Schedule::kShuffled, "shuffled"}}};
  for (const auto& [schedule, name] : schedules) {
    for (const bool lockstep : {false, true}) {
      SCOPED_TRACE(std::string(name) + (lockstep ? ", lock-step" : ""));
      SessionOptions options;
      options.schedule = schedule;
      options.counters = true;
      options.lockstep = lockstep;
      options.seed = 7;
      body(options);
    }
  }
}

const EngineFinding* only_finding(const Report& report, Kind kind, const std::string& file,
                                  const std::string& mark) {
  for (std::uint32_t i = 0; i < report.findings; i++) {
    const EngineFinding& f = report.finding[i];
    if (report.findings == 1 && f.kind == kind && line_of(f.place) == marked_line(file, mark))
      return &f;
    ADD_FAILURE() << text_of(f) << "; line " << marked_line(file, mark) << " was expected";
  }
  EXPECT_NE(report.findings, 0u) << "nothing was found at line " << marked_line(file, mark);
  return nullptr;
}

bool has(const Report& report, Kind kind, const std::string& file, const std::string& mark) {
  for (std::uint32_t i = 0; i < report.findings; i++) {
    const EngineFinding& f = report.finding[i];
    if (f.kind == kind && line_of(f.place) == marked_line(file, mark)) return true;
  }
  return false;
}

::testing::AssertionResult is_clean(const Report& report) {
  if (report.findings == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << text_of(report.finding[0]);
}

void expect_total([[maybe_unused]] std::uint64_t total, [[maybe_unused]] std::uint64_t wanted) {
#ifndef NIBBLE_ON_GPU
  EXPECT_EQ(total, wanted);
#endif
}

std::ostream& operator<<(std::ostream& out, const Asked& asked) {
  return out << "{requests " << asked.requests << ", lanes " << asked.lanes << ", sectors "
             << asked.sectors << ", wavefronts " << asked.wavefronts << "}";
}

Asked asked_at(const Report& report, const std::string& file, const std::string& mark, Space space,
               Use use, unsigned bytes) {
  const int line = marked_line(file, mark);
  Asked asked{};
  for (std::uint32_t i = 0; i < report.traffic; i++) {
    const Traffic& t = report.traffics[i];
    if (t.space != space || t.use != use || t.bytes != bytes || line_of(t.place) != line) continue;
    asked.requests += t.requests;
    asked.lanes += t.lanes;
    asked.sectors += t.sectors;
    asked.wavefronts += t.wavefronts;
  }
  return asked;
}

std::vector<int> some_numbers(std::size_t count, std::uint32_t seed) {
  std::vector<int> numbers(count);
  for (int& x : numbers) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<std::int8_t>(seed >> 24);
  }
  return numbers;
}

}  // namespace nibble::simt::tests
