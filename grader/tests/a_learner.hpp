// A learner between labs: one begun with two failures, one measured, one not begun.
#pragma once

#include <filesystem>
#include <string>

#include "files/files.hpp"
#include "record/codec.hpp"
#include "report/learner_page.hpp"

namespace nibble::test {

/// With one of each kind.
inline record::Picture a_picture() {
  return {record::Clips{6.0, {8, 1, 0}, {{"max |x|", 6.0}, {"99 %", 2.0}}},
          {{"by x", 0.0, 1.0, 1, {0.0, 1.0}}},
          {{"E2M1", "|---|", ".01.", 0.5, 6.0, 2}},
          std::vector<int>(18, 0x3C),
          {"entropy: this function is not written yet"}};
}

/// `samples`: the folder that holds nibble.results.json.
inline report::LearnerReport a_learner(const std::filesystem::path& samples) {
  report::LearnerReport learner{"1.0.0", "2026-10-03T00:00:00Z", {}};
  const record::Result results =
      record::read_result(files::read_file(samples / "nibble.results.json"));
  record::Result failed = results;
  failed.checks[4].first->compared = {{2, 4},
                                      {"0", "1", "2", "3", "-2", "-1", "5", "7"},
                                      {"0", "1", "2", "2", "-2", "-1", "4", "7"},
                                      {3, 6}};
  record::Result speed = results;
  record::Speed& measured = speed.checks[0].speed.emplace();
  measured.ratio = 0.6;
  measured.margin = 0.01;
  measured.zero_at = 0.5;
  measured.full_at = 0.75;
  learner.labs = {{"03_symmetric", "symmetric", {{"scale", 22, "done", 2, 1, 130, 22}}, {}, ""},
                  {"05_per_channel",
                   "per channel",
                   {{"quantize_per_channel", 60, "open", 4, 0, 3700, 0},
                    {"dequantize", 15, "untouched", 0, 0, 0, 0}},
                   failed,
                   "",
                   {},
                   a_picture()},
                  {"14_cpu_int8_gemm",
                   "int8 products",
                   {{"gemm", 75, "done", 9, 2, 0, 75}},
                   speed,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>",
                   {13, 9}}};
  return learner;
}

}  // namespace nibble::test
