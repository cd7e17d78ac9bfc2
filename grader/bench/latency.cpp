// From a save to a verdict on values: how long it takes for each lab, and how long the same checks
// take built the ordinary way, as one GoogleTest executable per submission, where there is that
// way: not for checks that time a process or look into a kernel. Prints a table,
// and JSON on request.
//
//     latency [--saves N] [--json FILE] [LAB…]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/ordinary_parts.hpp"
#include "compile/compile.hpp"
#include "files/files.hpp"
#include "lab/kit.hpp"
#include "process/command.hpp"
#include "run/judging.hpp"

namespace {

namespace fs = std::filesystem;
using namespace nibble;
using Samples = std::vector<double>;

double quantile(Samples samples, double share) {
  std::ranges::sort(samples);
  const auto last = static_cast<double>(samples.size() - 1);
  return samples.at(static_cast<std::size_t>(std::lround(share * last)));
}

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

/// Every save is another text, so that nothing can be reused.
std::string saved(const std::string& source, int save) {
  return source + "// save " + std::to_string(save) + "\n";
}

struct Saved : lab::Lab {
  std::string source;
  fs::path work;
};

double save_to_verdict(const lab::Kit& kit, const Saved& lab, int save) {
  return seconds_of([&] {
    const compile::Built built = compile::compile_child(
        kit, {lab, saved(lab.source, save), protocol::Leg::kPlain, lab.work});
    require(built.ok, lab.name + " does not compile:\n" + built.diagnostics);
    const run::Judged judged = run::judge(kit, {{.lab = lab.name, .child = built.executable}});
    require(judged.has_verdict() && judged.verdict.passes(),
            lab.name + " does not pass " + judged.message);
  });
}

double save_to_compile_error(const lab::Kit& kit, const Saved& lab, int save) {
  return seconds_of([&] {
    const std::string source = lab.source + "constexpr int kBroken = undeclared;\n";
    const compile::Built built =
        compile::compile_child(kit, {lab, saved(source, save), protocol::Leg::kPlain, lab.work});
    require(!built.ok, "a syntax error compiles");
  });
}

/// One executable: GoogleTest, the checks and the submission, compiled for each submission.
double ordinary_way(const lab::Kit& kit, const Saved& lab, int save) {
  const fs::path folder = lab.work / "ordinary";
  fs::create_directories(folder);
  std::ofstream(folder / "submission.cpp") << saved(lab.source, save);
  std::ofstream(folder / "checks.cpp") << bench::ordinary_checks(kit, lab);
  std::vector<std::string> words{kit.cxx,
                                 "-std=c++20",
                                 "-O2",
                                 "-ffp-contract=off",
                                 "-DNIBBLE_ORDINARY",
                                 "-I" + (kit.source / "grader" / "bench" / "ordinary").string(),
                                 "-I" + (kit.source / "grader").string(),
                                 "-I" + (kit.source / "common").string(),
                                 "-I" + (kit.source / "common/simt/include").string(),
                                 "-I" + kit.contract(lab.name).string(),
                                 "submission.cpp",
                                 "checks.cpp",
                                 "-o",
                                 "test"};
  const std::vector<std::string> parts = bench::ordinary_parts(kit);
  words.insert(words.end(), parts.begin(), parts.end());
  return seconds_of([&] {
    const process::Finished compiled = process::run({.words = words, .directory = folder});
    require(compiled.ok(), "the ordinary way does not build:\n" + compiled.err);
    const process::Finished tested =
        process::run({.words = {(folder / "test").string()}, .directory = folder});
    require(tested.ok(), "the ordinary way does not pass:\n" + tested.out);
  });
}

nlohmann::ordered_json measure(const lab::Kit& kit, const Saved& lab, int saves) {
  Samples verdict, error, ordinary;
  const int few = lab.kind == lab::LabKind::kOrdinary ? (saves + 2) / 3 : 0;
  for (int save = 0; save < saves; ++save) {
    verdict.push_back(save_to_verdict(kit, lab, save));
    error.push_back(save_to_compile_error(kit, lab, save));
    if (save < few) ordinary.push_back(ordinary_way(kit, lab, save));
    std::cerr << fmt::format("\r{}  {}/{} ", lab.name, save + 1, saves) << std::flush;
  }
  std::cerr << '\r';
  return {{"lab", lab.name},
          {"verdict_s", verdict},
          {"compile_error_s", error},
          {"ordinary_s", ordinary}};
}

/// A row of the table.
std::string shown(const nlohmann::ordered_json& row) {
  const auto at = [&](const char* column, double share) {
    return quantile(row[column].get<Samples>(), share);
  };
  const std::string ordinary = row["ordinary_s"].empty()
                                   ? "\u2013 | \u2013"
                                   : fmt::format("{:.2f} s | {:.1f}", at("ordinary_s", 0.5),
                                                 at("ordinary_s", 0.5) / at("verdict_s", 0.5));
  return fmt::format("| {} | {:.2f} s | {:.2f} s | {:.2f} s | {} |\n",
                     row["lab"].get<std::string>(), at("verdict_s", 0.5), at("verdict_s", 0.9),
                     at("compile_error_s", 0.5), ordinary);
}

/// Whole after each lab: a later one may fail.
void write_samples(const fs::path& file, const lab::Kit& kit, int saves,
                   const nlohmann::ordered_json& rows) {
  const nlohmann::ordered_json all = {
      {"kit", kit.version},
      {"compiler", kit.cxx_name},
      {"flags", kit.flags(lab::LabKind::kOrdinary, protocol::Leg::kPlain)},
      {"saves", saves},
      {"labs", rows}};
  files::write_atomically(file, all.dump(1) + "\n");
}

int latency(int argc, char** argv) {
  CLI::App app{"Measures save to verdict."};
  int saves = 15;
  std::string json_file;
  const lab::Kit kit = lab::this_kit();
  std::vector<std::string> labs;
  app.add_option("--saves", saves)->check(CLI::Range(1, 1000));
  app.add_option("--json", json_file);
  app.add_option("labs", labs);
  CLI11_PARSE(app, argc, argv);

  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::cout << "| lab | save to verdict: median | 90th percentile | compile error | ordinary way | "
               "times faster |\n| --- | --: | --: | --: | --: | --: |\n";
  for (const lab::Lab& one : kit.choose(labs)) {
    const Saved lab{one, files::read_file(compile::published_solution(kit, one)),
                    kit.root / ".nibble" / "latency" / one.name};
    rows.push_back(measure(kit, lab, saves));
    std::cout << shown(rows.back()) << std::flush;
    if (!json_file.empty()) write_samples(json_file, kit, saves, rows);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return latency(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "latency: " << error.what() << '\n';
    return 1;
  }
}
