// judge: reads Terms on stdin, runs the checks of one lab against one child executable, and writes
// the verdict, as JSON, to stdout. Exit 0: there is a verdict, whatever it is. 2: nothing is called
// what was asked for. 6: a fault of the kit's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <utility>

#ifdef __linux__
#include <sys/prctl.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "judge/budget.hpp"
#include "judge/ceiling.hpp"
#include "judge/count_book.hpp"
#include "judge/kit_error.hpp"
#include "judge/marks.hpp"
#include "judge/picture.hpp"
#include "judge/record.hpp"
#include "judge/run.hpp"
#include "judge/submission.hpp"
#include "judge/verdict.hpp"
#include "protocol/terms.hpp"
#include "record/codec.hpp"

namespace nibble::judge {
namespace {

using protocol::Leg;
using protocol::Terms;

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
    if (test.result()->Skipped()) return;  // the judge is brief, and a check has failed
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
  for (const record::Row& row : all_rows()) {
    rows.push_back(row.name());
    points += row.max_points;
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
  for (const record::Row& row : all_rows()) {
    if (row.hidden && row.of_speed) throw KitError(row.id + " is a hidden check of speed");
  }
  // A handout holds no hidden checks, whose rows stand below theirs.
  constexpr int kPublic = 75;
  const bool has_hidden = std::ranges::any_of(all_rows(), &record::Row::hidden);
  if (points != 100 && (has_hidden || points != kPublic))
    throw KitError("the mark scheme adds up to " + std::to_string(points));
}

/// The checks to run, as GoogleTest writes a choice.
std::string choose(const Terms& terms) {
  const bool speed = terms.leg == Leg::kSpeed;
  std::string filter;
  for (const record::Row& row : all_rows()) {
    if (row.of_speed != speed) continue;
    if (speed && row.max_points == 0 && !terms.unpaid) continue;
    if (row.hidden != terms.hidden) continue;
    if (!terms.exercise.empty() && terms.exercise != row.exercise) continue;
    if (!terms.check.empty() && terms.check != row.id) continue;
    filter += row.name() + ":";
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

Limits limits_of(const Terms& terms) {
  Limits limits;
  if (terms.cpu_limit.count() > 0) limits.cpu = terms.cpu_limit;
  if (terms.wall_limit.count() > 0) limits.wall = terms.wall_limit;
  if (terms.check_limit.count() > 0) limits.check = terms.check_limit;
  return limits;
}

void set_up_run(const Terms& terms) {
  Run& run = this_run();
  run.seed = terms.seed.empty() ? draw() : std::stoull(terms.seed, nullptr, 16);
  run.hidden_key = terms.salt.empty() ? draw_key() : derive_key(terms.salt, lab_name());
  run.only_case = terms.only_case;
  run.show = terms.show;
  Submission::Options own;
  own.limits = limits_of(terms);
  own.level = terms.level;
  own.groups = terms.groups;
  // The poison follows from what the child cannot know, so that a repetition says the same.
  own.poison_seed = poison_seed(run, terms.hidden);
  Submission::Options published = own;
  own.path = terms.child;
  run.sanitized = terms.leg == Leg::kSanitizers || terms.leg == Leg::kGpuSanitizer;
  own.sanitized = run.sanitized;
  own.on_gpu = terms.leg == Leg::kGpu || terms.leg == Leg::kGpuSanitizer;
  own.watched = terms.watched;
  own.counted = terms.counted;
  set_submission(std::move(own));
  published.path = terms.published;
  published.counted = terms.published_counted;
  const bool is_here = !published.path.empty() || !published.counted.empty();
  if (is_here) set_published_solution(std::move(published));
  if (!terms.count_book.empty()) read_count_book(terms.count_book);
  if (terms.task == Terms::Task::kCountBook) begin_count_book();
}

int usage(const std::string& message) {
  std::cerr << message << '\n';
  return 2;
}

int run_checks(const Terms& terms) {
  const std::string filter = choose(terms);
  if (filter.empty()) return usage("no check of " + lab_name() + " is called that");
  set_up_run(terms);
  begin_budget({terms.budget, terms.budget_left});
  testing::GTEST_FLAG(filter) = filter;
  testing::GTEST_FLAG(catch_exceptions) = false;  // a KitError ends the judge
  testing::GTEST_FLAG(fail_fast) = terms.brief;
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  auto* const collect = new Collect;
  listeners.Append(collect);
  [[maybe_unused]] const int code = RUN_ALL_TESTS();  // points decide, not the exit code
  if (terms.task == Terms::Task::kCountBook) {
    std::cout << count_book_text();
    return 0;
  }
  if (collect->outcomes.empty()) return usage("no case is called " + this_run().only_case);
  std::cout << verdict_text(collect->outcomes, terms.leg) << '\n';
  return 0;
}

int draw_picture(const Terms& terms) {
  set_up_run(terms);
  begin_budget({terms.budget, terms.budget_left});
  std::cout << record::text_of(picture_of(terms.exercise)) << '\n';
  return 0;
}

/// Memory that was given back is kept for what comes: the long lists of a case are made anew for
/// every smaller one, and fresh pages cost more than the numbers in them.
void keep_memory() {
#ifdef __GLIBC__
  constexpr int kMost = 256 << 20;  // bytes
  mallopt(M_MMAP_THRESHOLD, kMost / 8);
  mallopt(M_TRIM_THRESHOLD, kMost);
#endif
}

/// All of stdin, which nobody else can read afterwards: the children that follow are handed none.
std::string read_order() {
  return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

/// Asked for nothing, a judge looks whether its mark scheme fits its checks.
int judge(const std::string& order) {
  if (order.empty()) {
    validate_marks();
    return 0;
  }
  const Terms terms = protocol::read_terms(order);
  if (terms.lab != lab_name())
    throw KitError("the judge of " + lab_name() + " is asked for " + terms.lab);
  if (terms.task == Terms::Task::kCeilings) {
    std::cout << ceilings_text() << '\n';
    return 0;
  }
  validate_marks();
  return terms.task == Terms::Task::kPicture ? draw_picture(terms) : run_checks(terms);
}

}  // namespace
}  // namespace nibble::judge

int main(int, char** argv) {
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0);  // no other process of this user may look inside
#endif
  nibble::judge::keep_memory();
  int no_flags = 1;
  testing::InitGoogleTest(&no_flags, argv);
  try {
    return nibble::judge::judge(nibble::judge::read_order());
  } catch (const std::exception& error) {
    std::cerr << "nibble: a fault of the kit, not of the submission: " << error.what() << '\n';
    return 6;
  }
}
