// judge: runs the checks of one lab against one child executable and writes the verdict, as JSON,
// to stdout. Exit 0: there is a verdict, whatever it is. 2: usage. 6: a fault of the kit's own.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "judge/ceiling.hpp"
#include "judge/count_book.hpp"
#include "judge/kit_error.hpp"
#include "judge/marks.hpp"
#include "judge/record.hpp"
#include "judge/run.hpp"
#include "judge/submission.hpp"
#include "judge/verdict.hpp"

namespace nibble::judge {
namespace {

struct Options {
  std::string child, watched, counted, published, published_counted, count_book, groups, exercise,
      check, seed, legs = "public";
  sandbox::Level level = sandbox::Level::kLimits;
  bool sanitized = false, on_gpu = false, describe = false, speed = false, bench = false,
       ceilings = false, write_count_book = false;
  Limits limits{};
};

/// Collects what each check did.
class Collect : public testing::EmptyTestEventListener {
 public:
  Outcomes outcomes;

 private:
  void OnTestStart(const testing::TestInfo&) override {
    this_record() = {};
    submission().begin_check();
    submission().take_output();
    start_ = std::chrono::steady_clock::now();
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    Outcome outcome{this_record(), submission().take_output(), 0.0, ""};
    outcome.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (test.result()->Failed() && !outcome.record.failed) {
      outcome.unexplained = test.result()->GetTestPartResult(0).message();
    }
    if (outcome.record.cases + outcome.record.cases_passed_over == 0 && !test.result()->Failed()) {
      throw KitError(std::string(test.name()) + " ran no case");
    }
    if (outcome.record.cases == 0 && !test.result()->Failed())
      return;  // --case is in another check
    outcomes[std::string(test.test_suite_name()) + "." + test.name()] = std::move(outcome);
  }
  std::chrono::steady_clock::time_point start_;
};

/// Every row has a check, every check a row, and the rows add up to 100.
void validate_marks() {
  std::vector<std::string> rows, checks;
  int points = 0;
  for (const Row& row : all_rows()) {
    rows.push_back(std::string(row.mark.exercise) + "." + row.mark.check);
    points += row.mark.points;
  }
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  for (int s = 0; s < tests.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *tests.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      checks.push_back(std::string(suite.name()) + "." + suite.GetTestInfo(t)->name());
    }
  }
  std::ranges::sort(rows);
  std::ranges::sort(checks);
  if (rows != checks) {
    std::vector<std::string> odd;
    std::ranges::set_symmetric_difference(rows, checks, std::back_inserter(odd));
    throw KitError("the mark scheme and the checks do not fit: " + odd.front());
  }
  // A handout holds no hidden checks, whose rows stand below theirs.
  constexpr int kPublic = 75;
  const bool has_hidden = std::ranges::any_of(all_rows(), &Row::hidden);
  if (points != 100 && (has_hidden || points != kPublic))
    throw KitError("the mark scheme adds up to " + std::to_string(points));
}

/// The checks to run, as GoogleTest writes a choice.
std::string choose(const Options& options) {
  std::string filter;
  for (const Row& row : all_rows()) {
    if (row.mark.when != (options.speed ? When::kSpeed : When::kValues)) continue;
    if (options.speed && row.mark.points == 0 && !options.bench) continue;
    if (row.hidden && options.legs != "all") continue;
    if (!options.exercise.empty() && options.exercise != row.mark.exercise) continue;
    if (!options.check.empty() && options.check != row.mark.check) continue;
    filter += std::string(row.mark.exercise) + "." + row.mark.check + ":";
  }
  return filter;
}

std::uint64_t draw() {
  std::random_device entropy;
  return (static_cast<std::uint64_t>(entropy()) << 32 | entropy()) >> 16;  // short enough to type
}

void set_up_run(const Options& options) {
  Run& run = this_run();
  run.seed = options.seed.empty() ? draw() : std::stoull(options.seed, nullptr, 16);
  const char* const secret = std::getenv("NIBBLE_SALT");
  run.hidden_salt = secret != nullptr ? derive_salt(secret, lab_name()) : draw();
  // The poison follows from what the child cannot know, so that a repetition says the same. The
  // salt may have been drawn a moment ago: it counts only where hidden checks need it anyway. The
  // child sees the poison, so that no way may lead back from it to the salt.
  const std::uint64_t unknown = options.legs == "all" ? run.hidden_salt : 0;
  const std::uint64_t poison = derive_salt(show_seed(unknown), show_seed(run.seed));
  set_submission({options.child, options.sanitized, poison, options.limits, options.on_gpu,
                  options.watched, options.counted, options.level, options.groups});
  if (options.speed) {
    set_published_solution({options.published, false, poison, options.limits, false, "", "",
                            options.level, options.groups});
  }
  if (!options.count_book.empty()) read_count_book(options.count_book);
  if (options.write_count_book) begin_count_book();
  if (!options.published_counted.empty()) {
    set_published_solution({"", false, poison, options.limits, false, "", options.published_counted,
                            options.level, options.groups});
  }
}

int usage(const std::string& message) {
  std::cerr << message << '\n';
  return 2;
}

int run_checks(const Options& options) {
  const std::string filter = choose(options);
  if (filter.empty()) return usage("no check of " + lab_name() + " is called that");
  set_up_run(options);
  testing::GTEST_FLAG(filter) = filter;
  testing::GTEST_FLAG(catch_exceptions) = false;  // a KitError ends the judge
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  auto* const collect = new Collect;
  listeners.Append(collect);
  [[maybe_unused]] const int code = RUN_ALL_TESTS();  // points decide, not the exit code
  if (options.write_count_book) {
    std::cout << count_book_text();
    return 0;
  }
  if (collect->outcomes.empty()) return usage("no case is called " + this_run().only_case);
  const char* const leg = options.speed              ? "speed"
                          : options.sanitized        ? "sanitizers"
                          : options.on_gpu           ? "gpu"
                          : !options.watched.empty() ? "simt"
                                                     : "plain";
  std::cout << verdict_of(collect->outcomes, leg).dump() << '\n';
  return 0;
}

/// {"peaks": {"avx2": 210.5, …}, "read_gbytes": {"16384": 198.1, …}, "assumed": []}: what one core
/// can do at most; `assumed` names peaks that are bounds and were not measured. The best of a few
/// looks, for a neighbour only slows them down.
nlohmann::ordered_json ceilings() {
  using Json = nlohmann::ordered_json;
  constexpr int kLooks = 5;
  constexpr std::array<std::size_t, 4> kSizes = {std::size_t{16} << 10, std::size_t{512} << 10,
                                                 std::size_t{8} << 20, std::size_t{64} << 20};
  Json peaks = Json::object(), reads = Json::object(), assumed = Json::array();
  for (int look = 0; look < kLooks; ++look) {
    for (const Isa isa : kEveryIsa) {
      if (isa != Isa::kScalar && cpu_has(isa)) peaks[std::string(name_of(isa))] = peak_gops(isa);
    }
    for (const std::size_t size : kSizes) reads[std::to_string(size)] = read_gbytes(size);
  }
  if (peaks.empty()) {
    peaks["scalar"] = peak_gops(Isa::kScalar);
    assumed.push_back("scalar");
  }
  if (cpu_has(Isa::kAmxInt8)) assumed.push_back(name_of(Isa::kAmxInt8));
  return {{"peaks", peaks}, {"read_gbytes", reads}, {"assumed", assumed}};
}

int judge(int argc, char** argv) {
  Options options;
  CLI::App app{"Judges one implementation of one lab."};
  app.add_option("--child", options.child, "the executable that holds the implementation");
  app.add_option("--watched", options.watched, "the same kernels, every access checked");
  app.add_option("--counted", options.counted, "the same kernels, every access counted");
  app.add_option("--published-counted", options.published_counted,
                 "the published solution's kernels, counted");
  app.add_option_function<std::string>(
      "--box",
      [&](const std::string& name) {
        const std::optional<sandbox::Level> level = sandbox::level_from(name);
        if (!level) throw CLI::ValidationError("--box", "there are L0, L1, LS and L3, not " + name);
        options.level = *level;
      },
      "what the implementation is confined to");
  app.add_option("--groups", options.groups, "where a control group can be made for it");
  app.add_option("--count-book", options.count_book, "what they count, where they are not");
  app.add_flag("--write-count-book", options.write_count_book,
               "print what the published solution counts, and no verdict");
  app.add_flag("--sanitized", options.sanitized, "it was built with sanitizers");
  app.add_flag("--gpu", options.on_gpu, "its kernels run on a GPU: values alone");
  app.add_flag("--speed", options.speed, "only the checks of speed");
  app.add_flag("--bench", options.bench, "with --speed: rows that pay nothing too");
  app.add_option("--published", options.published, "the executable to be timed against");
  app.add_option("--exercise", options.exercise, "only the checks of this exercise");
  app.add_option("--check", options.check, "only this check");
  app.add_option("--case", this_run().only_case, "only the case of this name");
  app.add_option("--seed", options.seed, "repeat a run: 0x…");
  app.add_option("--legs", options.legs)->check(CLI::IsMember({"public", "all"}));
  app.add_flag("--show", this_run().show, "describe every case");
  const auto limit = [&](const char* name, std::chrono::milliseconds& value, const char* what) {
    app.add_option_function<int>(
           name, [&value](int ms) { value = std::chrono::milliseconds(ms); }, what)
        ->check(CLI::PositiveNumber);
  };
  limit("--cpu-limit-ms", options.limits.cpu, "CPU time of one call");
  limit("--wall-limit-ms", options.limits.wall, "wall clock of one call");
  limit("--check-limit-ms", options.limits.check, "wall clock of all calls of a check");
  app.add_flag("--describe", options.describe, "print the mark scheme and stop");
  app.add_flag("--ceilings", options.ceilings, "print what one core can do at most, and stop");
  CLI11_PARSE(app, argc, argv);
  if (options.ceilings) {
    std::cout << ceilings().dump(1) << '\n';
    return 0;
  }
  validate_marks();
  if (options.describe) {
    std::cout << describe_lab().dump(1) << '\n';
    return 0;
  }
  return run_checks(options);
}

}  // namespace
}  // namespace nibble::judge

int main(int argc, char** argv) {
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0);  // no other process of this user may look inside
#endif
  int no_flags = 1;
  testing::InitGoogleTest(&no_flags, argv);
  try {
    return nibble::judge::judge(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "nibble: a fault of the kit, not of the submission: " << error.what() << '\n';
    return 6;
  }
}
