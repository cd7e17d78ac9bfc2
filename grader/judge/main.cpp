// judge: runs the checks of one lab against one child executable and writes the verdict, as JSON,
// to stdout. Exit 0: there is a verdict, whatever it is. 2: usage. 6: a fault of the kit's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <string>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "judge/budget.hpp"
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
  std::string child,      ///< the executable that holds the implementation
      watched,            ///< the same kernels, every access checked
      counted,            ///< the same kernels, every access counted
      published,          ///< the executable to be timed against
      published_counted,  ///< the published solution's kernels, counted
      count_book,         ///< what they count, where they are not
      groups,             ///< where a control group can be made for it
      exercise, check,    ///< only these; empty: all
      seed,               ///< repeats a run: 0x…
      legs = "public";    ///< or "hidden": never both in one process
  sandbox::Level level = sandbox::Level::kLimits;
  bool sanitized = false, on_gpu = false, validate = false, speed = false, bench = false,
       ceilings = false, write_count_book = false;
  Limits limits{};
  Budget budget{};
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
  // What a process does on a clock, it chooses: no figure of a hidden check may be one.
  for (const Row& row : all_rows()) {
    if (row.hidden && row.mark.when == When::kSpeed)
      throw KitError(std::string(row.mark.check) + " is a hidden check of speed");
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
    if (row.hidden != (options.legs == "hidden")) continue;
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

/// Of a run without a course's secret: nobody repeats it.
Key draw_key() {
  std::random_device entropy;
  Key key;
  std::ranges::generate(key, [&] { return static_cast<unsigned char>(entropy()); });
  return key;
}

void set_up_run(const Options& options) {
  Run& run = this_run();
  run.seed = options.seed.empty() ? draw() : std::stoull(options.seed, nullptr, 16);
  const char* const secret = std::getenv("NIBBLE_SALT");
  run.hidden_key =
      secret != nullptr && *secret != '\0' ? derive_key(secret, lab_name()) : draw_key();
  // The poison follows from what the child cannot know, so that a repetition says the same.
  const std::uint64_t poison = poison_seed(run, options.legs == "hidden");
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
  begin_budget(options.budget);
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
  std::cout << verdict_text(collect->outcomes, leg) << '\n';
  return 0;
}

/// An order that makes no sense.
struct Misread : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::chrono::milliseconds milliseconds_in(const std::string& text) {
  long count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count <= 0)
    throw Misread("milliseconds are a number above 0, got " + text);
  return std::chrono::milliseconds(count);
}

/// What another program of the kit types; nobody else does.
Options read(const std::vector<std::string>& words) {
  Options options;
  std::string box;
  Run& run = this_run();
  const std::map<std::string, std::string*> texts = {
      {"--child", &options.child},
      {"--watched", &options.watched},
      {"--counted", &options.counted},
      {"--published-counted", &options.published_counted},
      {"--published", &options.published},
      {"--count-book", &options.count_book},
      {"--groups", &options.groups},
      {"--exercise", &options.exercise},
      {"--check", &options.check},
      {"--case", &run.only_case},
      {"--seed", &options.seed},
      {"--legs", &options.legs},
      {"--box", &box}};
  const std::map<std::string, std::chrono::milliseconds*> limits = {
      {"--cpu-limit-ms", &options.limits.cpu},      // CPU time of one call
      {"--wall-limit-ms", &options.limits.wall},    // wall clock of one call
      {"--check-limit-ms", &options.limits.check},  // wall clock of all calls of a check
      {"--budget-ms", &options.budget.whole},       // what the submission has as a whole
      {"--budget-left-ms", &options.budget.left}};
  const std::map<std::string, bool*> flags = {
      {"--sanitized", &options.sanitized},                // it was built with sanitizers
      {"--gpu", &options.on_gpu},                         // its kernels run on a GPU: values alone
      {"--speed", &options.speed},                        // only the checks of speed
      {"--bench", &options.bench},                        // with --speed: rows that pay nothing too
      {"--show", &run.show},                              // describe every case
      {"--write-count-book", &options.write_count_book},  // what the published solution counts
      {"--validate", &options.validate},   // see whether the mark scheme fits the checks, and stop
      {"--ceilings", &options.ceilings}};  // print what one core can do at most, and stop
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (const auto flag = flags.find(word); flag != flags.end()) {
      *flag->second = true;
      continue;
    }
    const auto text = texts.find(word);
    const auto limit = limits.find(word);
    if (text == texts.end() && limit == limits.end()) throw Misread("no option is called " + word);
    if (++i == words.size()) throw Misread(word + " has no value");
    if (text != texts.end()) {
      *text->second = words[i];
    } else {
      *limit->second = milliseconds_in(words[i]);
    }
  }
  if (options.legs != "public" && options.legs != "hidden")
    throw Misread("--legs is public or hidden, not " + options.legs);
  if (!box.empty()) {
    const std::optional<sandbox::Level> level = sandbox::level_from(box);
    if (!level) throw Misread("there are boxes L0, L1, LS and L3, not " + box);
    options.level = *level;
  }
  return options;
}

int judge(const Options& options) {
  if (options.ceilings) {
    std::cout << ceilings_text() << '\n';
    return 0;
  }
  validate_marks();
  return options.validate ? 0 : run_checks(options);
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
    return nibble::judge::judge(nibble::judge::read({argv + 1, argv + argc}));
  } catch (const nibble::judge::Misread& error) {
    return nibble::judge::usage(error.what());
  } catch (const std::exception& error) {
    std::cerr << "nibble: a fault of the kit, not of the submission: " << error.what() << '\n';
    return 6;
  }
}
