// Judges every solution again and again beside busy neighbours: a verdict must not depend on the
// weather. Prints what went wrong, which should be nothing, and how long a run took.
//
//     steadiness [--runs N] [--neighbours K] [LAB…]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "build/compile.hpp"
#include "build/files.hpp"
#include "build/judging.hpp"
#include "build/kit.hpp"

namespace {

using namespace nibble::build;

/// Threads that do nothing useful, as fast as they can.
class Neighbours {
 public:
  explicit Neighbours(int count) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([](const std::stop_token& stop) {
        for (volatile unsigned spin = 0; !stop.stop_requested();) spin = spin + 1;
      });
    }
  }

 private:
  std::vector<std::jthread> threads_;
};

/// One line for a verdict that should not be: the seed, and the checks that failed.
void tell(const std::string& lab, int run, const Judged& judged) {
  std::cout << fmt::format("{} run {}: {}", lab, run, judged.message);
  if (judged.outcome == Judged::Outcome::kVerdict) {
    std::cout << "seed " << judged.verdict["seed"];
    for (const auto& check : judged.verdict["checks"]) {
      if (check["status"] != "pass") std::cout << ' ' << check["exercise"] << '.' << check["id"];
    }
  }
  std::cout << '\n';
}

/// How many of `runs` verdicts were not full marks.
int false_failures(const Kit& kit, const std::string& lab, int runs, std::vector<double>& seconds) {
  const auto source = kit.source / "solutions" / lab / (base_name(lab) + ".cpp");
  const Built built = compile_child(
      kit, {lab, read_file(source), Leg::kPlain, kit.root / ".nibble" / "steadiness" / lab});
  if (!built.ok) throw std::runtime_error(lab + " does not compile:\n" + built.diagnostics);
  int failures = 0;
  for (int run = 0; run < runs; ++run) {
    const Judged judged = judge_everything(kit, {{.lab = lab, .child = built.executable}});
    seconds.push_back(judged.seconds);
    const bool full =
        judged.outcome == Judged::Outcome::kVerdict && judged.verdict["points"] == 100;
    if (full) continue;
    ++failures;
    tell(lab, run, judged);
  }
  return failures;
}

int steadiness(int argc, char** argv) {
  CLI::App app{"Judges the solutions beside busy neighbours."};
  int runs = 200, neighbours = 4;
  std::vector<std::string> labs;
  app.add_option("--runs", runs)->check(CLI::Range(1, 100000));
  app.add_option("--neighbours", neighbours)->check(CLI::Range(0, 1000));
  app.add_option("labs", labs);
  CLI11_PARSE(app, argc, argv);
  const Kit kit = this_kit();
  if (labs.empty()) labs = kit.labs;

  const Neighbours busy(neighbours);
  int failures = 0;
  std::cout << "| lab | runs | not full marks | median of a run | slowest |\n"
               "| --- | --: | --: | --: | --: |\n";
  for (const std::string& lab : labs) {
    std::vector<double> seconds;
    const int failed = false_failures(kit, lab, runs, seconds);
    std::ranges::sort(seconds);
    std::cout << fmt::format("| {} | {} | {} | {:.2f} s | {:.2f} s |\n", lab, runs, failed,
                             seconds.at(seconds.size() / 2), seconds.back())
              << std::flush;
    failures += failed;
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return steadiness(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "steadiness: " << error.what() << '\n';
    return 1;
  }
}
