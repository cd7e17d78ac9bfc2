// Verdicts that the tests of what is read of them share: a failure, a pass, a crash.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "files/files.hpp"
#include "record/codec.hpp"
#include "report/diagnoses.hpp"
#include "report/results.hpp"
#include "report/screen.hpp"
#include "tests/holds.hpp"

namespace nibble::report {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A lab of two exercises: one check passes, one fails with everything there is to say, one fails
/// by the way, and one waits.
inline Result a_failure() {
  return record::read_result(R"json({
    "nibble": "1.0.0", "schema": 1, "lab": "05_per_channel", "verdict": "fail", "exit": 1,
    "points": 15, "max_points": 75, "not_counted": 0, "hidden": {"run": false, "max_points": 25},
    "legs": {"plain": "ran", "sanitizers": "not_run", "speed": "none", "simt": "none", "gpu": "none"},
    "seed": "0x71c3", "started": "2026-10-01T14:02:11Z", "seconds": 0.74,
    "env": {"cxx": "g++ 12.2.0", "flags": "-O2", "cpu": "x86-64, 2 cores", "isa": [], "gpu": null,
            "sandbox": 0, "load": 0.4},
    "manifest": {"source": {"per_channel.cpp": "sha256:9f2c"}, "kit": "sha256:4f1c", "checks": "sha256:77aa"},
    "needs_look": [],
    "checks": [
      {"id": "ScalesOverRows", "exercise": "quantize_per_channel", "title": "one scale per row",
       "visibility": "public", "detail": "full", "status": "pass", "points": 15, "max_points": 15,
       "leg": "plain", "seconds": 0.004},
      {"id": "ScalesOverColumns", "exercise": "quantize_per_channel", "title": "one scale per column",
       "visibility": "public", "detail": "full", "status": "fail", "points": 0, "max_points": 20,
       "leg": "plain", "seconds": 0.004, "diagnosis": "N-AXIS", "sure": false,
       "message": "want 8 scales, got 4 <of \"axis 0\">",
       "first": {"case": "4x8", "shrunk": "1x2", "steps": 6, "input": "x = [-0.978, 4]",
                 "index": [0, 3], "got": "-31", "want": "-127"},
       "tolerance": "1/2 + 2 * qmax * eps",
       "replay": "nibble run 05.quantize_per_channel --check ScalesOverColumns --case 4x8 --seed 0x71c3"},
      {"id": "TiesGoToEven", "exercise": "quantize_per_channel", "title": "ties go to the even neighbour",
       "visibility": "public", "detail": "full", "status": "fail", "points": 0, "max_points": 25,
       "leg": "plain", "seconds": 0.001, "diagnosis": "N-ROUND", "message": "3 of 40 codes differ",
       "first": {"case": "ties"}, "replay": "nibble run 05"},
      {"id": "Multiplies", "exercise": "dequantize_per_channel", "title": "real = scale * q",
       "visibility": "public", "detail": "full", "status": "fail", "points": 0, "max_points": 10,
       "leg": "plain", "seconds": 0.0, "diagnosis": "N-STUB", "message": "this function is not written yet",
       "first": {"case": "Whole"}, "replay": "nibble run 05"},
      {"id": "EveryShape", "exercise": "dequantize_per_channel", "title": "any shape",
       "visibility": "public", "detail": "full", "status": "fail", "points": 0, "max_points": 5,
       "leg": "plain", "seconds": 0.0, "diagnosis": "N-STUB",
       "message": "not run: it builds on a function that is not written yet", "first": {"case": ""},
       "replay": "nibble run 05"}]})json");
}

inline Result a_pass() {
  Result results = a_failure();
  results.end = record::End::kPass;
  results.points = results.max_points = 15;
  results.checks.resize(1);
  return results;
}

inline Result a_crash() {
  Result results = a_failure();
  results.end = record::End::kStopped;
  Check check = results.checks[1];
  check.status = CheckStatus::kCrash;
  check.diagnosis = "N-OOB";
  check.sure = true;
  check.message = "read element 32 of argument 1, which has 32 elements";
  check.location = {"labs/05_per_channel/per_channel.cpp", 27};
  check.first.emplace();
  check.first->name = "32";
  check.tolerance.clear();
  check.output = "one\ntwo\n";
  results.checks = {check};
  return results;
}

inline Diagnoses some_pages() {
  return Diagnoses::parse(
      "# Title\n\nIntroduction.\n\n## N-AXIS: rows taken for columns\n\nA page.\n\nMore.\n\n"
      "## Not a code\n\n## N-OOB: outside\nText\n");
}

inline View plain_view() {
  View view;
  view.subject = "05_per_channel";
  view.compile_seconds = 0.31;
  view.link_seconds = 0.07;
  view.run_seconds = 0.03;
  return view;
}

}  // namespace nibble::report
