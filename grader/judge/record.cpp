#include "judge/record.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace nibble::judge {
namespace {

std::set<std::string>& stubs() {
  static std::set<std::string> exercises;
  return exercises;
}

/// Of checks that took too long, by exercise.
std::map<std::string, int>& timeouts() {
  static std::map<std::string, int> counts;
  return counts;
}

/// Checks that were watched or counted and did not come to an end, by exercise.
std::map<std::string, std::set<std::string>>& watched_too_long() {
  static std::map<std::string, std::set<std::string>> checks;
  return checks;
}

/// Exercises that did not answer when they were heard.
std::set<std::string>& silent() {
  static std::set<std::string> exercises;
  return exercises;
}

std::string running_exercise() {
  const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
  return test == nullptr ? "" : test->test_suite_name();
}

}  // namespace

Record& this_record() {
  static Record record;
  return record;
}

std::string running_check() {
  const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
  return test == nullptr ? "" : std::string(test->test_suite_name()) + "." + test->name();
}

void note_slow_watching() { watched_too_long()[running_exercise()].insert(running_check()); }
std::size_t slow_watching() { return watched_too_long()[running_exercise()].size(); }

void note_timeout() { ++timeouts()[running_exercise()]; }
bool exercise_times_out() { return timeouts()[running_exercise()] >= 2; }

void note_silence() { silent().insert(running_exercise()); }
bool exercise_is_silent() { return silent().contains(running_exercise()); }

bool exercise_is_stub() { return stubs().contains(running_exercise()); }
void note_stub() { stubs().insert(running_exercise()); }

}  // namespace nibble::judge
