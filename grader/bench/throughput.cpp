// How many gradings a minute: `teach grade` with one worker and with several, and the ordinary way,
// in which each submission is configured, built and run as a GoogleTest executable of its own. All
// in one run, in turns. Prints a table, and JSON on request.
//
//     throughput [--submissions N] [--rounds N] [-j N] [--sanitizers] [--json FILE] [LAB…]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "bench/ordinary_parts.hpp"
#include "compile/compile.hpp"
#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "lab/kit.hpp"
#include "process/command.hpp"

namespace {

namespace fs = std::filesystem;
using namespace nibble;
using Json = nlohmann::ordered_json;

struct Workload {
  std::vector<std::string> labs;
  int submissions = 6;
  int rounds = 3;
  bool sanitizers = false;  ///< both ways, or neither
  unsigned workers = std::max(1u, std::thread::hardware_concurrency());
};

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void require(const process::Finished& finished, const std::string& what) {
  if (!finished.ok()) throw std::runtime_error(what + ":\n" + finished.out + finished.err);
}

/// No two submissions alike, nor any of two rounds: nothing can be reused.
std::string text_of(const lab::Kit& kit, const std::string& lab, int submission, int round) {
  return files::read_file(compile::published_solution(kit, kit.lab(lab))) +
         fmt::format("// {} of round {}\n", submission, round);
}

double graded(const lab::Kit& kit, const Workload& workload, const fs::path& work, int round,
              unsigned workers) {
  const fs::path all = work / "all", grades = work / "grades";
  fs::remove_all(work);
  for (int i = 0; i < workload.submissions; ++i) {
    for (const std::string& lab : workload.labs) {
      files::write_atomically(all / std::to_string(i) / lab / kit.lab(lab).file_name(),
                              text_of(kit, lab, i, round));
    }
  }
  std::vector<std::string> words = {(kit.build / "bin" / "nibble-teach").string(),
                                    "grade",
                                    all.string(),
                                    "-o",
                                    grades.string(),
                                    "-j",
                                    std::to_string(workers)};
  for (const std::string& lab : workload.labs) words.insert(words.end(), {"--lab", lab});
  if (!workload.sanitizers) words.emplace_back("--without-sanitizers");
  return seconds_of([&] { require(process::run({.words = words}), "teach grade"); });
}

/// The executable; with sanitizers, a second one beside it.
std::string cmake_text(const lab::Kit& kit, const std::string& lab, bool sanitizers) {
  return fmt::format(
      "cmake_minimum_required(VERSION 3.22)\nproject(submission LANGUAGES CXX)\n"
      "set(CMAKE_CXX_STANDARD 20)\nset(CMAKE_BUILD_TYPE Release)\nfind_package(GTest REQUIRED)\n"
      "function(submission name)\n"
      "add_executable(${{name}} submission.cpp checks.cpp)\n"
      "target_compile_definitions(${{name}} PRIVATE NIBBLE_ORDINARY)\n"
      "target_compile_options(${{name}} PRIVATE -ffp-contract=off)\n"
      "target_include_directories(${{name}} PRIVATE {0}/grader/bench/ordinary {0}/grader "
      "{0}/common "
      "{0}/common/simt/include {1})\n"
      "target_link_libraries(${{name}} {2})\nendfunction()\nsubmission(plain)\n{3}",
      kit.source.string(), kit.contract(lab).string(), fmt::join(bench::ordinary_parts(kit), " "),
      sanitizers
          ? "submission(sanitized)\n"
            "target_compile_options(sanitized PRIVATE -O1 -g1 -fsanitize=address,undefined)\n"
            "target_link_options(sanitized PRIVATE -fsanitize=address,undefined)\n"
          : "");
}

void ordinary(const lab::Kit& kit, const std::string& lab, int submission, int round,
              bool sanitizers, const fs::path& folder) {
  fs::remove_all(folder);
  files::write_atomically(folder / "submission.cpp", text_of(kit, lab, submission, round));
  files::write_atomically(folder / "checks.cpp", bench::ordinary_checks(kit, kit.lab(lab)));
  files::write_atomically(folder / "CMakeLists.txt", cmake_text(kit, lab, sanitizers));
  const std::string build = (folder / "build").string();
  require(process::run({.words = {"cmake", "-G", "Ninja", "-S", folder.string(), "-B", build}}),
          "configure");
  require(process::run({.words = {"cmake", "--build", build}}), "build");
  require(process::run({.words = {build + "/plain"}}), "run");
  if (sanitizers) require(process::run({.words = {build + "/sanitized"}}), "run with sanitizers");
}

/// As many side by side as there are workers.
double ordinary_all(const lab::Kit& kit, const Workload& workload, const fs::path& work,
                    int round) {
  const int all = workload.submissions * static_cast<int>(workload.labs.size());
  std::atomic<int> next = 0;
  std::atomic<bool> failed = false;
  return seconds_of([&] {
    std::vector<std::jthread> threads;
    for (unsigned worker = 0; worker < workload.workers; ++worker) {
      threads.emplace_back([&, worker] {
        for (int i = next++; i < all && !failed; i = next++) {
          const auto lab = static_cast<std::size_t>(i) % workload.labs.size();
          try {
            ordinary(kit, workload.labs[lab], i, round, workload.sanitizers,
                     work / std::to_string(worker));
          } catch (const std::exception& error) {
            std::cerr << error.what() << '\n';
            failed = true;
          }
        }
      });
    }
    threads.clear();
    if (failed) throw std::runtime_error("the ordinary way fails");
  });
}

double median(std::vector<double> samples) {
  std::ranges::sort(samples);
  return samples[samples.size() / 2];
}

int throughput(int argc, char** argv) {
  CLI::App app{"Measures gradings a minute."};
  Workload workload;
  std::string json_file;
  const lab::Kit kit = lab::this_kit();
  app.add_option("--submissions", workload.submissions)->check(CLI::Range(1, 100000));
  app.add_option("--rounds", workload.rounds)->check(CLI::Range(1, 1000));
  app.add_option("-j", workload.workers)->check(CLI::Range(1, 1024));
  app.add_flag("--sanitizers", workload.sanitizers);
  app.add_option("--json", json_file);
  app.add_option("labs", workload.labs);
  CLI11_PARSE(app, argc, argv);
  if (workload.labs.empty()) {
    for (const std::string& lab : names_of(kit.labs)) {
      if (lab < "07") workload.labs.push_back(lab);
    }
  }
  const files::ScratchFolder scratch(fs::temp_directory_path());
  const fs::path& work = scratch.path();
  const int gradings = workload.submissions * static_cast<int>(workload.labs.size());
  std::vector<double> one, several, ordinarily;
  for (int round = 0; round < workload.rounds; ++round) {
    one.push_back(graded(kit, workload, work / "one", 2 * round, 1));
    several.push_back(graded(kit, workload, work / "several", 2 * round + 1, workload.workers));
    ordinarily.push_back(ordinary_all(kit, workload, work / "ordinary", round));
    std::cerr << fmt::format("round {} of {}\n", round + 1, workload.rounds);
  }
  const auto rate = [&](const std::vector<double>& seconds) {
    return 60.0 * gradings / median(seconds);
  };
  std::cout << fmt::format(
      "| {} gradings ({} labs) | a minute | times the ordinary way |\n| --- | --: | --: |\n"
      "| teach grade -j 1 | {:.0f} | {:.1f} |\n| teach grade -j {} | {:.0f} | {:.1f} |\n"
      "| the ordinary way, {} at a time | {:.0f} | 1 |\n{} workers are {:.2f} times one\n",
      gradings, workload.labs.size(), rate(one), rate(one) / rate(ordinarily), workload.workers,
      rate(several), rate(several) / rate(ordinarily), workload.workers, rate(ordinarily),
      workload.workers, rate(several) / rate(one));
  if (!json_file.empty()) {
    files::write_atomically(json_file, Json{{"compiler", kit.cxx_name},
                                            {"labs", workload.labs},
                                            {"gradings", gradings},
                                            {"workers", workload.workers},
                                            {"sanitizers", workload.sanitizers},
                                            {"one_s", one},
                                            {"several_s", several},
                                            {"ordinary_s", ordinarily}}
                                               .dump(1) +
                                           "\n");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return throughput(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "throughput: " << error.what() << '\n';
    return 1;
  }
}
