// Grades right submissions of every lab, as an instructor would, beside busy neighbours: a grade
// must not depend on the weather. Prints each that lost a point, which should be none, and how long
// a grading took.
//
//     steadiness [--runs N] [--neighbours K] [LAB…]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "compile/compile.hpp"
#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "lab/kit.hpp"
#include "process/command.hpp"
#include "process/neighbours.hpp"
#include "record/codec.hpp"

namespace {

namespace fs = std::filesystem;
using namespace nibble;

/// No two submissions alike: nothing can be reused.
void hand_in(const lab::Kit& kit, const std::vector<std::string>& labs,
             const fs::path& submission) {
  for (const lab::Lab& lab : kit.choose(labs)) {
    files::write_atomically(submission / lab.file_name(),
                            files::read_file(compile::published_solution(kit, lab)) +
                                fmt::format("// by {}\n", submission.filename().string()));
  }
}

/// Hidden checks, sanitizers and speed among them, in the best box that is here.
void grade(const lab::Kit& kit, const fs::path& submissions, const fs::path& grades) {
  const process::Finished done = process::run(
      {.words = {(kit.build / "bin" / "nibble-teach").string(), "grade", submissions.string(),
                 "--hidden", "--draw-salt", "-o", grades.string()}});
  if (!done.ok()) std::cout << done.out << done.err;
}

/// Its seconds, of a grading that lost nothing; otherwise it is told: the seed, and the checks that
/// failed.
bool is_full(const fs::path& result, std::vector<double>& seconds) {
  if (!fs::exists(result)) {
    std::cout << result.string() << " is missing\n";
    return false;
  }
  const record::Result told = record::read_result(files::read_file(result));
  seconds.push_back(told.seconds);
  if (told.points == told.max_points) return true;
  std::cout << fmt::format("{}: {} points, seed {}", result.string(), told.points, told.seed);
  for (const record::Check& check : told.checks) {
    if (!is_good(check.status)) std::cout << ' ' << check.exercise << '.' << check.id;
  }
  std::cout << '\n';
  return false;
}

int steadiness(int argc, char** argv) {
  CLI::App app{"Grades the solutions beside busy neighbours."};
  int runs = 11, neighbours = 3;
  const lab::Kit kit = lab::this_kit();
  std::vector<std::string> labs;
  app.add_option("--runs", runs)->check(CLI::Range(1, 100000));
  app.add_option("--neighbours", neighbours)->check(CLI::Range(0, 1000));
  app.add_option("labs", labs);
  CLI11_PARSE(app, argc, argv);
  if (labs.empty()) labs = names_of(kit.labs);

  const files::ScratchFolder scratch(fs::temp_directory_path());
  const fs::path submissions = scratch.path() / "class", grades = scratch.path() / "grades";
  for (int run = 0; run < runs; ++run) {
    hand_in(kit, labs, submissions / fmt::format("run_{:03}", run));
  }
  const process::Neighbours busy(neighbours);
  grade(kit, submissions, grades);

  int lost = 0;
  std::string table =
      "| lab | runs | lost a point | median of a run | slowest |\n"
      "| --- | --: | --: | --: | --: |\n";
  for (const std::string& lab : labs) {
    std::vector<double> seconds;
    int lost_here = 0;
    for (int run = 0; run < runs; ++run) {
      const fs::path result = grades / fmt::format("run_{:03}", run) / (lab + ".json");
      lost_here += is_full(result, seconds) ? 0 : 1;
    }
    std::ranges::sort(seconds);
    table += seconds.empty() ? fmt::format("| {} | {} | {} | | |\n", lab, runs, lost_here)
                             : fmt::format("| {} | {} | {} | {:.1f} s | {:.1f} s |\n", lab, runs,
                                           lost_here, seconds[seconds.size() / 2], seconds.back());
    lost += lost_here;
  }
  std::cout << table << fmt::format("{} of {} gradings lost a point\n", lost, runs * labs.size());
  return lost == 0 ? 0 : 1;
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
