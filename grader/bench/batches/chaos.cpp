// Grades one class again and again and compares what must not differ: here, here in another order,
// on a cluster of two nodes that it starts for itself; and once more on each while it kills
// whatever works for it, at random moments, with somebody reading all the time. Prints tables,
// and JSON on request.
//
//     chaos [--gradings N] [--kills N] [--seed N] [-j N] [--work FOLDER] [--json FILE] [LAB…]
//
// The results stay in FOLDER until the next run. The time limits of a submission are the batch's
// own.
#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "batch/compare.hpp"
#include "bench/batches/a_class.hpp"
#include "bench/batches/reader.hpp"
#include "bench/batches/started.hpp"
#include "bench/batches/victims.hpp"
#include "files/files.hpp"
#include "lab/kit.hpp"
#include "tests/cluster.hpp"

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using namespace nibble;
using Json = nlohmann::ordered_json;
using std::chrono::steady_clock;

struct Ordeal {
  std::vector<std::string> labs;
  int gradings = 40;
  int kills = 20;
  std::uint64_t seed = 1;
  unsigned workers = std::max(1u, std::thread::hardware_concurrency());
  fs::path work = fs::temp_directory_path() / "nibble-chaos";
};

/// One way to grade the class, and what came of it.
struct ClassRun {
  std::string name;
  std::string engine;
  fs::path grades;
  double seconds = 0.0;
  int starts = 0;     ///< of the batch
  long peak_kib = 0;  ///< of its resident memory
  std::size_t missing = 0, changed = 0;
  std::map<std::string, int> kills{};
  std::size_t reads = 0, unreadable = 0;
};

class Chaos {
 public:
  /// `told` is called after each run.
  Chaos(const lab::Kit& kit, Ordeal ordeal, std::function<void(const Chaos&)> told)
      : kit_(kit), ordeal_(std::move(ordeal)), told_(std::move(told)), random_(ordeal_.seed) {
    fs::remove_all(ordeal_.work);
    kinds_ =
        bench::hand_in(kit_, ordeal_.labs, ordeal_.gradings, ordeal_.seed, ordeal_.work / "class");
    for (const auto& person : fs::directory_iterator(ordeal_.work / "class")) {
      people_.push_back(person.path().string());
    }
    std::ranges::sort(people_);
  }

  void carry_out() {
    in_peace("here", "local");
    in_another_order();
    under_fire("here, under fire", "local", {"judge", "runner", "compiler", "batch"});
    if (const std::string why = batch::Cluster::why_not(); !why.empty()) {
      std::cout << "no cluster: " << why << '\n';
      return;
    }
    fs::permissions(ordeal_.work, fs::perms::owner_all | fs::perms::others_exec);
    cluster_.emplace(ordeal_.work / "cluster");
    if (!cluster_->is_up()) throw std::runtime_error("the cluster does not come up");
    in_peace("on a cluster", "slurm");
    under_fire("on a cluster, under fire", "slurm",
               {"slurmctld", "slurmd", "chunk", "judge", "runner", "batch"});
    cluster_.reset();
  }

  const std::vector<ClassRun>& runs() const { return runs_; }
  const std::map<std::string, int>& kinds() const { return kinds_; }

 private:
  std::vector<std::string> words(const ClassRun& run, std::vector<std::string> more) const {
    std::vector<std::string> words = {(kit_.build / "bin" / "nibble-teach").string(), "grade"};
    words.insert(words.end(), {"-o", run.grades.string(), "--without-sanitizers", "--engine",
                               run.engine, "-j", std::to_string(ordeal_.workers)});
    for (const std::string& lab : ordeal_.labs) words.insert(words.end(), {"--lab", lab});
    if (run.engine == "slurm") words.insert(words.end(), {"--chunk", "10"});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  /// What is wanted is another seed for each class, and the same for all runs.
  std::vector<std::string> from_the_start() const {
    return {"--seed", fmt::format("{:#x}", ordeal_.seed), (ordeal_.work / "class").string()};
  }

  fs::path log() const { return ordeal_.work / "log"; }

  ClassRun begin(const std::string& name, const std::string& engine) const {
    return {name, engine, ordeal_.work / fmt::format("grades-{}", runs_.size()), 0.0, 0, 0, 0, 0};
  }

  void end(ClassRun run, steady_clock::time_point start) {
    run.seconds = std::chrono::duration<double>(steady_clock::now() - start).count();
    const fs::path first = runs_.empty() ? run.grades : runs_.front().grades;
    for (const batch::Difference& one : batch::compare(first, run.grades)) {
      ++(one.what == "only in " + first.string() ? run.missing : run.changed);
      std::cerr << one.id << ' ' << one.lab << ' ' << one.what << '\n';
    }
    runs_.push_back(std::move(run));
    told_(*this);
  }

  /// To the end of one batch; its exit status. `meanwhile` is called with its process id.
  int watch(ClassRun& run, const std::vector<std::string>& words, const auto& meanwhile) {
    ++run.starts;
    bench::Started batch(words, log());
    while (!batch.has_ended()) {
      meanwhile();
      std::this_thread::sleep_for(20ms);
    }
    run.peak_kib = std::max(run.peak_kib, batch.peak_kib());
    return batch.exit_status();
  }

  void must_be_graded(const ClassRun& run, int exit_status) const {
    if (exit_status == 0) return;
    throw std::runtime_error(
        fmt::format("{}: exit status {}; see {}", run.name, exit_status, log().string()));
  }

  void in_peace(const std::string& name, const std::string& engine) {
    ClassRun run = begin(name, engine);
    const auto start = steady_clock::now();
    must_be_graded(run, watch(run, words(run, from_the_start()), [] {}));
    end(std::move(run), start);
  }

  /// The class comes in four groups, drawn by lot: a batch grades in the order of names.
  void in_another_order() {
    ClassRun run = begin("here, in four groups drawn by lot", "local");
    const auto start = steady_clock::now();
    std::vector<std::string> order = people_;
    std::ranges::shuffle(order, random_);
    for (std::size_t group = 0; group < 4; ++group) {
      std::vector<std::string> more = {"--seed", fmt::format("{:#x}", ordeal_.seed), "--resume"};
      for (std::size_t i = group; i < order.size(); i += 4) more.push_back(order[i]);
      must_be_graded(run, watch(run, words(run, more), [] {}));
    }
    end(std::move(run), start);
  }

  void under_fire(const std::string& name, const std::string& engine,
                  const std::vector<std::string>& kinds) {
    constexpr int kMostStarts = 200;
    ClassRun run = begin(name, engine);
    std::vector<std::string> targets;  // half of all kills, each kind in its turn, in any order
    for (int i = 0; i < ordeal_.kills / 2; ++i) {
      targets.push_back(kinds[static_cast<std::size_t>(i) % kinds.size()]);
    }
    std::ranges::shuffle(targets, random_);
    const double pause = runs_.back().seconds / (ordeal_.kills / 2.0 + 1);  // as long as peace took
    const auto start = steady_clock::now();
    auto next = start;
    const auto wait = [&] {
      const double share = 0.2 + static_cast<double>(random_() % 1600) / 1000;
      next =
          steady_clock::now() + std::chrono::milliseconds(static_cast<long>(1e3 * share * pause));
    };
    wait();
    bench::BusyReader reader(run.grades);
    for (int graded = -1; graded != 0;) {
      if (run.starts == kMostStarts)
        throw std::runtime_error(run.name + " does not come to an end");
      if (run.starts > 0 && engine == "slurm") std::this_thread::sleep_for(1s);
      std::vector<std::string> more = from_the_start();
      more.emplace_back("--resume");
      graded = watch(run, words(run, more), [&] {
        if (targets.empty() || steady_clock::now() < next) return;
        if (!strike(targets.back(), run)) return;
        ++run.kills[targets.back()];
        targets.pop_back();
        wait();
      });
    }
    run.reads = reader.reads();
    run.unreadable = reader.unreadable();
    end(std::move(run), start);
  }

  /// False when there is none at this moment.
  bool strike(const std::string& kind, const ClassRun& run) {
    if (kind == "slurmctld" || kind == "slurmd") return strike_daemon(kind);
    const std::vector<pid_t> found = bench::victims(kind, run.grades);
    return !found.empty() && kill(found[random_() % found.size()], SIGKILL) == 0;
  }

  /// An administrator starts it again a second later, and takes nodes back that failed meanwhile.
  bool strike_daemon(const std::string& kind) {
    const int node = static_cast<int>(1 + random_() % 2);
    if (kind == "slurmd") {
      cluster_->kill_node(node);
    } else {
      cluster_->kill_controller();
    }
    std::this_thread::sleep_for(1s);
    if (kind == "slurmd") {
      cluster_->start_node(node);
    } else {
      cluster_->start_controller();
    }
    std::this_thread::sleep_for(1s);
    batch::Cluster::resume_nodes();
    return true;
  }

  const lab::Kit& kit_;
  Ordeal ordeal_;
  std::function<void(const Chaos&)> told_;
  std::mt19937_64 random_;
  std::map<std::string, int> kinds_;
  std::vector<std::string> people_;
  std::optional<batch::Cluster> cluster_;
  std::vector<ClassRun> runs_;
};

int sum(const std::map<std::string, int>& counts) {
  int all = 0;
  for (const auto& [what, count] : counts) all += count;
  return all;
}

std::string listed(const std::map<std::string, int>& counts) {
  std::string text;
  for (const auto& [what, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, count);
  }
  return text.empty() ? "none" : text;
}

void print_last(const Ordeal& ordeal, const Chaos& chaos) {
  if (chaos.runs().size() == 1) {
    std::cout << fmt::format("{} gradings, seed {}: {}\n\n", sum(chaos.kinds()), ordeal.seed,
                             listed(chaos.kinds()))
              << "| | kills | starts | missing | changed | unreadable | s | peak MiB |\n"
                 "| --- | --- | --: | --: | --: | --: | --: | --: |\n";
  }
  const ClassRun& run = chaos.runs().back();
  std::cout << fmt::format("| {} | {} | {} | {} | {} | {} | {:.0f} | {:.1f} |\n", run.name,
                           listed(run.kills), run.starts, run.missing, run.changed,
                           run.reads == 0 ? "" : fmt::format("{} of {}", run.unreadable, run.reads),
                           run.seconds, static_cast<double>(run.peak_kib) / 1024)
            << std::flush;
}

Json as_json(const lab::Kit& kit, const Ordeal& ordeal, const Chaos& chaos) {
  Json runs = Json::array();
  for (const ClassRun& run : chaos.runs()) {
    runs.push_back({{"run", run.name},
                    {"engine", run.engine},
                    {"seconds", run.seconds},
                    {"starts", run.starts},
                    {"kills", run.kills},
                    {"missing", run.missing},
                    {"changed", run.changed},
                    {"reads", run.reads},
                    {"unreadable", run.unreadable},
                    {"peak_kib", run.peak_kib}});
  }
  return {{"compiler", kit.cxx_name},
          {"labs", ordeal.labs},
          {"gradings", sum(chaos.kinds())},
          {"seed", ordeal.seed},
          {"kinds", chaos.kinds()},
          {"workers", ordeal.workers},
          {"runs", runs}};
}

int run(int argc, char** argv) {
  CLI::App app{"Grades a class in every way, and kills what grades it."};
  Ordeal ordeal;
  std::string json_file;
  app.add_option("--gradings", ordeal.gradings)->check(CLI::Range(1, 1000000));
  app.add_option("--kills", ordeal.kills, "half of them here, half on the cluster");
  app.add_option("--seed", ordeal.seed);
  app.add_option("-j", ordeal.workers)->check(CLI::Range(1, 1024));
  app.add_option("--work", ordeal.work);
  app.add_option("--json", json_file);
  app.add_option("labs", ordeal.labs);
  CLI11_PARSE(app, argc, argv);
  const lab::Kit kit = lab::this_kit();
  if (ordeal.labs.empty()) {
    for (const std::string& lab : names_of(kit.labs)) {
      if (lab < "07" || lab.starts_with("19")) ordeal.labs.push_back(lab);
    }
  }
  ordeal.work = fs::absolute(ordeal.work);
  Chaos(kit, ordeal, [&](const Chaos& chaos) {
    print_last(ordeal, chaos);
    if (json_file.empty()) return;
    files::write_atomically(json_file, as_json(kit, ordeal, chaos).dump(1) + "\n");
  }).carry_out();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "chaos: " << error.what() << '\n';
    return 1;
  }
}
