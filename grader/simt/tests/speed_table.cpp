// simt-speed: what the checks cost, as a table. CPU time of the launch alone, the best of ten
// rounds in which every build has its turn, and the ratio to the build without checks.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>

#include "run_program.hpp"

namespace {

constexpr int kRounds = 10;

double milliseconds(const std::string& build, const std::string& arguments) {
  const auto outcome =
      nibble::simt::run_program(std::string(SIMT_PROGRAMS) + "/speed." + build, arguments);
  const std::size_t at = outcome.all.find("kernel ");
  return at == std::string::npos ? INFINITY : std::atof(outcome.all.c_str() + at + 7);
}

struct Row {
  const char *title, *build, *options;
};
const Row kRows[] = {
    {"no checks", "fast", ""},
    {"bounds", "profile", "races=0 uninitialised=0"},
    {"bounds, uninitialised, races", "profile", ""},
    {"the same, with numbers", "check", ""},
    {"races and counters", "profile", "counters=1"},
    {"races and counters in lock-step", "profile", "counters=1 lockstep=1"},
    {"counters in lock-step alone", "profile", "counters=1 lockstep=1 races=0 uninitialised=0"},
};

void print_table(const std::string& kernel, const std::string& compiler) {
  std::array<double, std::size(kRows)> best;
  best.fill(INFINITY);
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < best.size(); ++i) {
      const auto& [title, build, options] = kRows[i];
      const std::string arguments = kernel + " budget=0 " + options;
      best[i] = std::min(best[i], milliseconds(build + ("." + compiler), arguments));
    }
  }
  std::printf("%s, %s\n", kernel.c_str(), compiler.c_str());
  for (std::size_t i = 0; i < best.size(); ++i) {
    std::printf("  %-34s %8.1f ms  %5.1fx\n", kRows[i].title, best[i], best[i] / best[0]);
  }
}

}  // namespace

int main() {
  for (const char* kernel : {"tiled-256", "quantize-1048576", "absmax-1048576"}) {
    print_table(kernel, "gcc");
#ifdef SIMT_CLANG
    print_table(kernel, "clang");
#endif
  }
  return 0;
}
