// simt-speed: what the checks cost, as a table. CPU time of the launch alone, the best of five, and
// the ratio to the build without checks, taken in the same run.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "run_program.hpp"

namespace {

double milliseconds(const std::string& build, const std::string& arguments) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto outcome =
        nibble::simt::run_program(std::string(SIMT_PROGRAMS) + "/speed." + build, arguments);
    const std::size_t at = outcome.all.find("kernel ");
    if (at != std::string::npos) best = std::min(best, std::atof(outcome.all.c_str() + at + 7));
  }
  return best;
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
  std::printf("%s, %s\n", kernel.c_str(), compiler.c_str());
  double fast = 0;
  for (const Row& row : kRows) {
    const double ms =
        milliseconds(row.build + ("." + compiler), kernel + " budget=0 " + row.options);
    if (fast == 0) fast = ms;
    std::printf("  %-34s %8.1f ms  %5.1fx\n", row.title, ms, ms / fast);
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
