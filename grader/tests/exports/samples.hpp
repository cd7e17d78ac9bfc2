// The samples beside this, which are one story (student s1001, lab 05, 47 of 75 public points and
// 25 of 25 hidden ones), results of other kinds, and a class of two.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "export/class.hpp"
#include "export/formats.hpp"
#include "files/files.hpp"
#include "record/codec.hpp"
#include "tests/holds.hpp"

namespace nibble::gradebook {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

inline std::string sample(const std::string& name) {
  return files::read_file(fs::path(EXPORT_SAMPLES) / name);
}
inline Json parsed(const std::string& text) { return Json::parse(text); }
inline Result results() { return record::read_result(sample("nibble.results.json")); }

/// A lab of three checks: one passes, one has points for speed in part, one was not run here.
inline Result speed_results() {
  Result r = results();
  r.lab = "14_cpu_int8_gemm";
  const auto check = [](const char* id, CheckStatus status, int points, int most) {
    Check made{{id, "gemm", "", false, record::Detail::kFull, most}};
    made.status = status;
    made.points = points;
    made.seconds = 0.1;
    return made;
  };
  r.checks = {check("ExactSmall", CheckStatus::kPass, 75, 75),
              check("Speed", CheckStatus::kPart, 22, 25),
              check("Native", CheckStatus::kSkip, 0, 0)};
  r.checks[1].speed.emplace();
  r.checks[1].speed->ratio = 2.4123;
  r.checks[1].speed->zero_at = 1.0;
  r.checks[1].speed->full_at = 2.6;
  r.checks[2].message = "no CUDA device here";
  r.points = 97;
  return r;
}

inline Result no_compile() {
  Result r = results();
  r.end = record::End::kNoCompile;
  r.points = 0;
  r.max_points = 75;
  r.hidden = {false, 25};
  r.checks.clear();
  r.compile_message = "per_channel.cpp:31:18: error: 'amax' was not declared in this scope";
  return r;
}

/// All that a submission may put into results, and a hidden check that says too much.
inline Result hostile() {
  Result r = results();
  Check& check = r.checks[2];
  check.message = std::string("\x1b[2J]]>&<\"\xff\xfe\xef\xbf\xbe '=1\r\n") + "\xe2\x80\xae";
  check.output = std::string(100'000, '\x80') + "<script>";
  Check& hidden = r.checks[5];
  hidden.status = CheckStatus::kFail;
  hidden.points = 0;
  hidden.message = "SECRET x = [1, 2]";
  hidden.output = "SECRET";
  hidden.diagnosis = "N-TAIL";
  hidden.replay = "SECRET";
  hidden.first.emplace();
  hidden.first->name = hidden.first->got = hidden.first->want = "SECRET";
  r.points = 57;
  return r;
}

inline int total(const Json& tests, const char* key) {
  int sum = 0;
  for (const Json& test : tests) sum += test.at(key).get<int>();
  return sum;
}

inline Result with_points(int points) {
  Result r = results();
  r.checks.resize(1);
  r.checks[0].points = points;
  r.checks[0].max_points = 100;
  r.checks[0].status = points == 100 ? CheckStatus::kPass : CheckStatus::kFail;
  r.points = points;
  r.student.reset();
  return r;
}

inline Graded graded(const std::string& student, Result r) {
  return {student, student, std::move(r)};
}

inline constexpr const char* kColumn = "Lab 05: per-channel (4711)";

inline Class two_students() {
  Class all;
  all.graded = {{"s1001", "s1001", results()}, graded("s1002", with_points(100))};
  return all;
}

}  // namespace nibble::gradebook
