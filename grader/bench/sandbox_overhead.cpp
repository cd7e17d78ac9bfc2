// What a box costs: from the decision to start a submission until its runner answers, and until
// nothing of it is left, at each level that works here. The rounds are interleaved, so that a busy
// moment hits all levels alike.
//
//     sandbox-overhead [--rounds N]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "compile/compile.hpp"
#include "files/files.hpp"
#include "judge/child.hpp"
#include "judge/shared_arena.hpp"
#include "lab/kit.hpp"
#include "protocol/message.hpp"
#include "report/machine.hpp"
#include "run/probe.hpp"

namespace {

namespace fs = std::filesystem;
using namespace nibble;
using sandbox::Level;
using Milliseconds = std::vector<double>;
using std::chrono::steady_clock;

constexpr const char* kLab = "03_symmetric";

double ms_since(steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(steady_clock::now() - start).count();
}

double median(Milliseconds samples) {
  std::ranges::sort(samples);
  return samples[samples.size() / 2];
}

/// The published solution, linked as that level wants it.
fs::path child_for(const lab::Kit& kit, const sandbox::Boxes& boxes, const fs::path& work) {
  compile::Job job;
  job.lab = kit.lab(kLab);
  job.source = files::read_file(compile::published_solution(kit, job.lab));
  job.work = work / sandbox::name_of(boxes.run);
  job.boxes = boxes;
  const compile::Built built = compile_child(kit, job);
  if (!built.ok) throw std::runtime_error(built.diagnostics);
  return built.executable;
}

struct Cost {
  fs::path child;
  Milliseconds start, end;  ///< until it answers; until it is gone
};

void measure_once(Level level, const judge::SharedArena& inputs, const judge::SharedArena& outputs,
                  Cost& cost) {
  judge::Child::Setup setup{cost.child.string(), inputs.fd(), outputs.fd()};
  setup.level = level;
  auto moment = steady_clock::now();
  auto child = std::make_unique<judge::Child>(setup);
  const judge::Patience patience{setup.limits.cpu, setup.limits.wall};
  if (!child->ask(protocol::kAreYouThere, patience).answer)
    throw std::runtime_error("it does not answer");
  cost.start.push_back(ms_since(moment));
  moment = steady_clock::now();
  child.reset();
  cost.end.push_back(ms_since(moment));
}

void print(const std::map<Level, Cost>& costs, int rounds) {
  const report::Machine machine = report::this_machine();
  std::cout << fmt::format("{}, load {:.1f}, {} interleaved rounds; ms\n\n", machine.cpu,
                           machine.load, rounds)
            << "| level | start: least | median | end: least | median |\n"
               "| --- | --: | --: | --: | --: |\n";
  for (const auto& [level, cost] : costs) {
    std::cout << fmt::format("| {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n",
                             sandbox::name_of(level), std::ranges::min(cost.start),
                             median(cost.start), std::ranges::min(cost.end), median(cost.end));
  }
}

int run_rounds(int argc, char** argv) {
  CLI::App app{"Measures what a box costs."};
  int rounds = 200;
  app.add_option("--rounds", rounds)->check(CLI::Range(1, 100'000));
  CLI11_PARSE(app, argc, argv);
  const lab::Kit kit = lab::this_kit();
  const judge::SharedArena inputs(judge::SharedArena::Use::kInputs);
  const judge::SharedArena outputs(judge::SharedArena::Use::kOutputs);
  std::map<Level, Cost> costs;
  for (const run::LevelHere& one : run::probe_all(kit)) {
    if (!one.works()) {
      std::cout << fmt::format("not measured: {}: {}\n", name_of(one.level), one.why_not);
      continue;
    }
    costs[one.level].child = child_for(kit, run::boxes_for(kit, one.level),
                                       kit.root / ".nibble" / "work" / "sandbox-overhead");
  }
  for (int round = 0; round < rounds; ++round) {
    for (auto& [level, cost] : costs) measure_once(level, inputs, outputs, cost);
  }
  print(costs, rounds);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run_rounds(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "sandbox-overhead: " << error.what() << '\n';
    return 1;
  }
}
