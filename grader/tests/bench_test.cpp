// The ladder and the roofline: from the judge's figures to screen, JSON and drawing, then `nibble
// bench` with a judge whose figures are known beforehand; and what doctor says of speed.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/trouble.hpp"
#include "learners_project.hpp"
#include "process/usage.hpp"
#include "record/codec.hpp"
#include "report/ladder.hpp"
#include "report/roofline.hpp"
#include "report/svg.hpp"
#include "report/units.hpp"

namespace nibble::report {
namespace {

constexpr const char* kCeilings =
    R"({"peaks": {"avx512_vnni": 1000.0, "avx2": 250.0}, "assumed": [],
        "read_gbytes": {"16384": 250.0, "524288": 100.0, "8388608": 25.0, "67108864": 12.5}})";

record::Row row(const std::string& exercise, bool hidden = false) {
  return {{"Speed", exercise, "fast", hidden, record::Detail::kFull, 0}, true, "N-SLOW"};
}

/// What the judge says of a row that it measured: 2e6 operations on 2e4 bytes.
Check measured(const std::string& exercise, double ns, double published_ns) {
  Check check{row(exercise)};
  check.status = CheckStatus::kPass;
  record::Speed& speed = check.speed.emplace();
  speed.ratio = published_ns / ns;
  speed.margin = 0.02;
  speed.pairs = 75;
  speed.ns = ns;
  speed.published_ns = published_ns;
  speed.operations = 2e6;
  speed.bytes = 2e4;
  speed.isa = "avx2";
  speed.peak_gops = speed.read_gbytes = 250.0;
  return check;
}

Check failed(const std::string& exercise, const std::string& code, const std::string& message) {
  Check check{row(exercise)};
  check.status = CheckStatus::kFail;
  check.diagnosis = code;
  check.message = message;
  return check;
}

/// Naive at 2 GOPS, rows at 20 of 40, tiled not written at 100, packed a wrong answer at 200.
Ladder example() {
  Ladder ladder;
  ladder.lab = "14_cpu_int8_gemm";
  ladder.title = "one product";
  ladder.started = "2026-10-01T14:02:11Z";
  ladder.compiler = "g++ 12.2.0 -O3";
  ladder.machine = {"x86-64, 2 cores", {"avx2"}, {}, 0, 7.1};
  ladder.ceilings = read_ceilings(Json::parse(kCeilings));
  const Check naive = measured("multiply_naive", 1e6, 1e6);
  const Check rows = measured("multiply_rows", 1e5, 5e4);
  const Check tiled = failed("multiply_tiled", "N-STUB", "not written");
  const Check published_tiled = measured("multiply_tiled", 2e4, 2e4);
  const Check packed = failed("multiply_packed", "N-WRONG", "another answer");
  const Check published_packed = measured("multiply_packed", 1e4, 1e4);
  ladder.rungs = {rung_of(row("multiply_naive"), &naive, nullptr),
                  rung_of(row("multiply_rows"), &rows, nullptr),
                  rung_of(row("multiply_tiled"), &tiled, &published_tiled),
                  rung_of(row("multiply_packed"), &packed, &published_packed)};
  for (std::size_t i = 0; i < ladder.rungs.size(); ++i) {
    ladder.rungs[i].letter = static_cast<char>('A' + i);
  }
  return ladder;
}

std::string line_with(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos) return "";
  const std::size_t begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

// --- Figures -------------------------------------------------------------------------------------

TEST(Ladder, ReadsWhatTheJudgeMeasured) {
  const Ladder ladder = example();
  ASSERT_NE(ladder.slowest(), nullptr);
  EXPECT_EQ(ladder.slowest()->exercise, "multiply_naive");
  EXPECT_DOUBLE_EQ(ladder.rungs[1].yours(), 20.0);
  EXPECT_DOUBLE_EQ(ladder.rungs[1].published(), 40.0);
  EXPECT_DOUBLE_EQ(ladder.rungs[1].intensity(), 100.0);
  EXPECT_EQ(ladder.rungs[2].state, Rung::State::kNotWritten);
  EXPECT_DOUBLE_EQ(ladder.rungs[2].yours(), 0.0);
  EXPECT_DOUBLE_EQ(ladder.rungs[2].published(), 100.0);
  EXPECT_EQ(ladder.rungs[3].state, Rung::State::kWrong);
  EXPECT_EQ(ladder.rungs[3].message, "another answer");
  const Rung nothing = rung_of(row("f"), nullptr, nullptr);
  EXPECT_EQ(nothing.state, Rung::State::kNotHere);
  EXPECT_EQ(nothing.published(), 0.0);
}

TEST(Ladder, CeilingsAreSorted) {
  const Ceilings ceilings = read_ceilings(Json::parse(kCeilings));
  EXPECT_EQ(ceilings.peaks.front().isa, "avx2");
  EXPECT_EQ(ceilings.best_gops(), 1000.0);
  EXPECT_EQ(ceilings.reads.front().bytes, 16384u);
  EXPECT_EQ(size_text(ceilings.reads.front().bytes), "16 KiB");
  EXPECT_EQ(size_text(std::size_t{8} << 20), "8 MiB");
}

TEST(Ladder, TheLowerRoofCounts) {
  Rung rung = example().rungs[1];
  EXPECT_DOUBLE_EQ(rung.roof(), 250.0);  // 100 operations a byte: the instructions
  rung.bytes = 4e6;                      // half an operation a byte: memory
  EXPECT_TRUE(rung.memory_is_the_roof());
  EXPECT_DOUBLE_EQ(rung.roof(), 125.0);
  rung.operations = 0;  // it moves, and does not compute
  EXPECT_STREQ(rung.unit(), "GB/s");
  EXPECT_DOUBLE_EQ(rung.yours(), 40.0);
  EXPECT_DOUBLE_EQ(rung.roof(), 250.0);
}

TEST(Ladder, HiddenRowsAndOtherLegsAreNoRungs) {
  record::Row values = row("a");
  values.of_speed = false;
  const record::Scheme scheme{"14_cpu_int8_gemm", {}, {row("a"), values, row("b", true), row("c")}};
  EXPECT_EQ(ladder_rows(scheme).size(), 2u);
  EXPECT_EQ(ladder_rows(scheme, "c").size(), 1u);
  EXPECT_TRUE(ladder_rows(scheme, "b").empty());
}

// --- On the screen -------------------------------------------------------------------------------

TEST(LadderScreen, ARungIsALine) {
  const std::string text = ladder_text(example(), Paint{});
  EXPECT_EQ(line_with(text, "A multiply_naive"),
            "A multiply_naive           2.0     1.0x     2.0     1.0x   1.00 ±0.02 under 1 %  |");
  EXPECT_EQ(
      line_with(text, "B multiply_rows"),
      "B multiply_rows           20.0    10.0x    40.0    20.0x   0.50 ±0.02       8 %  |##.");
  EXPECT_EQ(line_with(text, "C multiply_tiled"),
            "C multiply_tiled        not written yet     100    50.0x                   40 %"
            "  |........");
  EXPECT_HOLDS(line_with(text, "D multiply_packed"), "  not right yet     200");
  EXPECT_HOLDS(text, "x naive");
  EXPECT_HOLDS(text, "note       multiply_packed: another answer\n");
  EXPECT_HOLDS(text, "times      multiply_naive, the slowest rung as published\n");
  EXPECT_HOLDS(text, "from 75 pairs of calls or more, in turn; CPU time was");
  EXPECT_HOLDS(text, "(load 7.1, x86-64, 2 cores)");
  EXPECT_HOLDS(text, "at most avx2 250, avx512_vnni 1000 GOPS;");
  EXPECT_HOLDS_NO(text, "\033");
  EXPECT_HOLDS(ladder_text(example(), Paint{true}), "\033");
}

TEST(LadderScreen, WithoutThePublishedSolutionYoursStandAlone) {
  Ladder ladder = example();
  ladder.has_published = false;
  const std::string text = ladder_text(ladder, Paint{});
  EXPECT_HOLDS(text, "the published solution is not in this copy of the kit: yours alone\n");
  EXPECT_HOLDS(line_with(text, "B multiply_rows"), "20.0    10.0x       8 %  |");
  EXPECT_HOLDS_NO(line_with(text, "B multiply_rows"), "40.0");
  EXPECT_FALSE(ladder_json(ladder, "1")["rungs"][1].contains("published"));
}

TEST(LadderScreen, ALadderWithoutNaiveNamesItsSlowestRung) {
  Ladder ladder = example();
  ladder.rungs.erase(ladder.rungs.begin());
  const std::string text = ladder_text(ladder, Paint{});
  EXPECT_HOLDS_NO(text, "x naive");
  EXPECT_HOLDS(text, "times      multiply_rows, the slowest rung as published\n");
  ladder.rungs.clear();  // nothing was measured
  EXPECT_HOLDS(ladder_text(ladder, Paint{}), "at most avx2 250");
}

// --- For programs --------------------------------------------------------------------------------

TEST(LadderJson, HasEveryFigure) {
  const Json json = ladder_json(example(), "1.0.0");
  EXPECT_EQ(json["nibble"], "1.0.0");
  EXPECT_EQ(json["bench"], 1);
  EXPECT_EQ(json["slowest"], "multiply_naive");
  EXPECT_EQ(json["ceilings"]["peaks"]["avx512_vnni"], 1000.0);
  EXPECT_EQ(json["ceilings"]["read_gbytes"]["524288"], 100.0);
  EXPECT_EQ(json["env"]["load"], 7.1);
  ASSERT_EQ(json["rungs"].size(), 4u);
  const Json& rows = json["rungs"][1];
  EXPECT_EQ(rows["state"], "measured");
  EXPECT_EQ(rows["yours"]["gops"], 20.0);
  EXPECT_EQ(rows["yours"]["times_slowest"], 10.0);
  EXPECT_EQ(rows["published"]["of_ceiling"], 0.16);
  EXPECT_EQ(rows["ceiling"]["of"], "avx2");
  EXPECT_EQ(rows["ratio"], 0.5);
  EXPECT_EQ(rows["pairs"], 75);
  const Json& tiled = json["rungs"][2];
  EXPECT_EQ(tiled["state"], "not_written");
  EXPECT_TRUE(tiled["yours"].is_null());
  EXPECT_EQ(tiled["published"]["gops"], 100.0);
  EXPECT_FALSE(tiled.contains("ratio"));
}

// --- The roofline --------------------------------------------------------------------------------

TEST(Roofline, TheRangeHoldsEveryRungAndBend) {
  const Ladder ladder = example();
  const RooflineRange range = range_of(ladder);
  EXPECT_LT(range.least_x, 1000.0 / 250.0);
  EXPECT_GT(range.most_x, 100.0);
  EXPECT_LT(range.least_y, 2.0);
  EXPECT_GT(range.most_y, 1000.0);
  EXPECT_TRUE(has_roofline(ladder));
  EXPECT_FALSE(has_roofline(Ladder{}));
}

TEST(Roofline, IsDrawnInCharacters) {
  const std::string text = roofline_text(example());
  EXPECT_HOLDS(text, "GOPS\n");
  EXPECT_HOLDS(text, "- avx512_vnni 1000\n");
  EXPECT_HOLDS(text, "- avx2 250\n");
  EXPECT_HOLDS(text, "operations for each byte moved\n");
  EXPECT_HOLDS(text, "capital: yours, small: published");
  EXPECT_HOLDS(text, "1 from 16 KiB at 250 GB/s, 2 from 512 KiB at 100 GB/s");
  EXPECT_HOLDS(line_with(text, "A"), "Aa");  // one place: side by side
  EXPECT_HOLDS(text, "B");
  EXPECT_HOLDS(text, "b");
  EXPECT_HOLDS_NO(text, "C");  // not written: as published only
  EXPECT_HOLDS(text, "c");
  EXPECT_LT(text.find('d'), text.find('c'));  // the faster stands higher
  EXPECT_HOLDS(text, "   100 |");
}

TEST(Roofline, IsDrawnInAFile) {
  Ladder ladder = example();
  ladder.title = "a < b & c";
  ladder.ceilings.peaks.push_back({"amx_int8", 8000.0, true});
  const std::string svg = roofline_svg(ladder);
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_HOLDS(svg, "fill=\"#ffffff\"/>");
  EXPECT_HOLDS(svg, "<title>Roofline of 14_cpu_int8_gemm</title>");
  EXPECT_HOLDS(svg, "a &lt; b &amp; c");
  EXPECT_HOLDS(svg, "operations for each byte moved (operations / byte)");
  EXPECT_HOLDS(svg, "10^9 operations a second (GOPS)");
  EXPECT_HOLDS(svg, "x86-64, 2 cores · g++ 12.2.0 -O3 · 2026-10-01T14:02:11Z");
  EXPECT_HOLDS(svg, "16 KiB: 250 GB/s");
  EXPECT_HOLDS(svg, "amx_int8 8000, assumed");
  EXPECT_HOLDS(svg, "stroke-dasharray");
  EXPECT_HOLDS(svg, "C  multiply_tiled");
  EXPECT_HOLDS(svg, "not written yet; published 100 GOPS");
  EXPECT_HOLDS_NO(svg, "nan");
  EXPECT_HOLDS_NO(svg, "inf");
}

TEST(Roofline, AMachineWithoutMeasurementsIsDrawnToo) {
  Ladder ladder = example();
  ladder.ceilings = {};
  EXPECT_HOLDS_NO(roofline_svg(ladder), "nan");
  EXPECT_HOLDS(roofline_text(ladder), "operations for each byte moved");
}

// --- What doctor says of speed -------------------------------------------------------------------

TEST(Units, SayWhatIsHereAndWhatThatMeans) {
  VectorUnits units{{Isa::kAvx2, Isa::kAvxVnni, Isa::kAvx512Vnni}, false, false};
  EXPECT_EQ(units_text(units),
            "avx2 avx_vnni avx512_vnni · no amx_int8: lab 17 runs on the model of its tiles");
  EXPECT_EQ(units.best(), "avx512_vnni");
  units.here.push_back(Isa::kAmxInt8);
  EXPECT_EQ(units_text(units),
            "avx2 avx_vnni avx512_vnni amx_int8 (permission refused: lab 17 runs on the model of"
            " its tiles)");
  EXPECT_EQ(units.best(), "avx512_vnni");
  units.tiles_permitted = true;
  EXPECT_EQ(units_text(units), "avx2 avx_vnni avx512_vnni amx_int8 (permission granted)");
  EXPECT_EQ(units.best(), "amx_int8");
}

TEST(Units, OfOtherMachines) {
  EXPECT_EQ(units_text({{Isa::kNeonDot}, false, true}),
            "neon_dot · lab 17 runs on the model of its tiles");
  EXPECT_EQ(units_text({{}, false, false}),
            "no vector unit that the labs know · no avx2, no avx_vnni, no avx512_vnni, no amx_int8:"
            " lab 17 runs on the model of its tiles");
  EXPECT_EQ(VectorUnits{}.best(), "");
  EXPECT_FALSE(VectorUnits{}.wide());
}

TEST(Units, OfThisMachine) {
  for (const Isa isa : this_machines_units().here) EXPECT_TRUE(cpu_has(isa));
#ifdef __linux__
  EXPECT_TRUE(process::cpu_clocks_can_be_read());
#endif
}

}  // namespace
}  // namespace nibble::report

// --- The command ---------------------------------------------------------------------------------

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A kit of one lab, 03, whose judge is a script: it says what it would say, had it measured.
class BenchCommand : public LearnersProject {
 protected:
  BenchCommand() {
    fs::create_directories(build_ / "bin");
    for (const char* const same : {"runner", "pch", "contracts"}) {
      fs::create_symlink(kit_.build / same, build_ / same);
    }
    json description = json::parse(files::read_file(kit_.build / "kit.json"));
    description["labs"] = json::object({{kLab, "ordinary"}});
    files::write_atomically(build_ / "kit.json", description.dump());
    record::Scheme scheme = record::read_scheme(files::read_file(kit_.scheme(kLab)));
    for (const char* const exercise : {"quantize_symmetric", "dequantize_symmetric"}) {
      scheme.checks.push_back(report::row(exercise));
    }
    files::write_atomically(build_ / "marks" / (std::string(kLab) + ".json"),
                            record::text_of(scheme));
    answers("quantize_symmetric", report::measured("quantize_symmetric", 1e5, 5e4));
    answers("dequantize_symmetric", report::measured("dequantize_symmetric", 2e6, 2e6));
    files::write_atomically(build_ / "ceilings", report::kCeilings);
    const fs::path judge = build_ / "bin" / (std::string("judge.") + kLab);
    files::write_atomically(judge, "#!/bin/sh\nhere=" + build_.string() + R"sh(
order=$(cat)
case "$order" in
  *'"task":"ceilings"'*) cat $here/ceilings; exit ;;
  *'"leg":"speed"'*'"unpaid":true'*) ;;
  *) echo "not asked for speed: $order" >&2; exit 6 ;;
esac
value() { echo "$order" | sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }
case "$order" in
  *'"dequantize_symmetric"'*)
    [ "$(value child)" = "$(value published)" ] && [ -e $here/published ] && exec cat $here/published
    cat $here/dequantize_symmetric ;;
  *'"quantize_symmetric"'*) cat $here/quantize_symmetric ;;
esac
)sh");
    fs::permissions(judge, fs::perms::owner_all);
    fs::create_symlink(kit_.build / "bin" / "nibble-look", build_ / "bin" / "nibble-look");
  }

  void answers(const std::string& file, const record::Check& check) const {
    record::Verdict verdict;
    verdict.lab = kLab;
    verdict.checks = {check};
    files::write_atomically(build_ / file, record::text_of(verdict));
  }

  process::Finished bench(std::vector<std::string> words) const {
    words.insert(words.begin(), "bench");
    return nibble(words, {"NIBBLE_BUILD=" + build_.string()});
  }

  static constexpr const char* kLab = "03_symmetric";
  const fs::path build_ = root_ / "build";
};

TEST_F(BenchCommand, ShowsTheLadderAndDrawsTheRoofline) {
  save_solution();
  const process::Finished run = bench({"03", "--json", "bench.json"});
  EXPECT_EQ(run.exit_status, kPassed) << run.err;
  EXPECT_HOLDS(run.err, "measuring  what this machine can do\n");
  EXPECT_HOLDS(run.err, "measuring  dequantize_symmetric, 2 of 2\n");
  EXPECT_HOLDS(run.out, "03_symmetric · symmetric");
  EXPECT_HOLDS(run.out, "A quantize_symmetric      20.0    20.0x    40.0    40.0x   0.50 ±0.02");
  EXPECT_HOLDS(run.out, "B dequantize_symmetric     1.0     1.0x");
  EXPECT_HOLDS(run.out, "drawing    .nibble/out/03_symmetric/roofline.svg\n");
  EXPECT_HOLDS_NO(run.out, "\033");
  EXPECT_HOLDS(files::read_file(root_ / ".nibble" / "out" / kLab / "roofline.svg"), "</svg>");
  const json figures = json::parse(files::read_file(root_ / "bench.json"));
  EXPECT_EQ(figures["lab"], kLab);
  EXPECT_EQ(figures["rungs"].size(), 2u);

  const process::Finished one = bench({"03.quantize_symmetric", "--svg", "here.svg"});
  EXPECT_EQ(one.exit_status, kPassed) << one.err;
  EXPECT_HOLDS_NO(one.out, "dequantize_symmetric");
  EXPECT_HOLDS(one.out, "drawing    here.svg\n");
  EXPECT_HOLDS(files::read_file(root_ / "here.svg"), "</svg>");
}

TEST_F(BenchCommand, WhatIsNotWrittenShowsThePublishedFigure) {
  answers("dequantize_symmetric",
          report::failed("dequantize_symmetric", "N-STUB", "not written yet"));
  answers("published", report::measured("dequantize_symmetric", 1e6, 1e6));
  const process::Finished run = bench({"03"});
  EXPECT_EQ(run.exit_status, kPassed) << run.err;
  EXPECT_HOLDS(run.out, "B dequantize_symmetric  not written yet     2.0     1.0x");
}

TEST_F(BenchCommand, AWrongAnswerIsNoSpeed) {
  answers("dequantize_symmetric",
          report::failed("dequantize_symmetric", "N-WRONG", "a timed call gave another answer"));
  answers("published", report::measured("dequantize_symmetric", 1e6, 1e6));
  const process::Finished run = bench({"03"});
  EXPECT_EQ(run.exit_status, kFailed) << run.err;
  EXPECT_HOLDS(run.out, "not right yet");
  EXPECT_HOLDS(run.out, "note       dequantize_symmetric: a timed call gave another answer\n");
}

/// As in a handout: the learner's code is timed against itself.
TEST_F(BenchCommand, WithoutThePublishedSolutionYoursIsMeasuredAlone) {
  save_solution();
  for (const char* const same : {"labs", "common", "docs"}) {
    fs::create_directories(root_ / "source");
    fs::create_symlink(kit_.source / same, root_ / "source" / same);
  }
  json kit = json::parse(files::read_file(build_ / "kit.json"));
  kit["source"] = (root_ / "source").string();
  fs::remove(build_ / "kit.json");
  files::write_atomically(build_ / "kit.json", kit.dump());
  const process::Finished run = bench({"03"});
  EXPECT_EQ(run.exit_status, kPassed) << run.err;
  EXPECT_HOLDS(run.out, "the published solution is not in this copy of the kit: yours alone\n");
  EXPECT_HOLDS(run.out, "A quantize_symmetric      20.0");
  EXPECT_HOLDS_NO(run.out, "small: published");
  const process::Finished diff =
      nibble({"asm", "03", "--diff"}, {"NIBBLE_BUILD=" + build_.string()});
  EXPECT_EQ(diff.exit_status, kUsage);
  EXPECT_HOLDS(diff.err, "the solutions are not in this copy of the kit");
}

TEST_F(BenchCommand, AFaultOfTheJudgeIsOurs) {
  files::write_atomically(build_ / "ceilings", "no figures");
  EXPECT_EQ(bench({"03"}).exit_status, kKitFault);
}

TEST_F(BenchCommand, RefusesWhatHasNoLadder) {
  const process::Finished nothing = bench({});
  EXPECT_EQ(nothing.exit_status, kUsage);
  EXPECT_HOLDS(nothing.err, "./nibble bench LAB; labs with a ladder: 03_symmetric");
  const process::Finished ordinary = nibble({"bench", "03"});
  EXPECT_EQ(ordinary.exit_status, kUsage);
  EXPECT_HOLDS(ordinary.err, "03_symmetric has no ladder, because nothing in it is timed");
  EXPECT_HOLDS(ordinary.err, kit_.labs.back().name > "14" ? "ladder" : "no lab of this kit");
  files::write_atomically(root_ / "labs" / kLab / "symmetric.cpp", "int x = ;\n");
  EXPECT_EQ(bench({"03"}).exit_status, kNoCompile);
}

/// A kit of lab 35, whose format-times is a script that knows its answers.
class BenchFormats : public LearnersProject {
 protected:
  BenchFormats() {
    fs::create_directories(build_ / "bin");
    json description = json::parse(files::read_file(kit_.build / "kit.json"));
    description["labs"] = json::object({{kLab, "ordinary"}});
    files::write_atomically(build_ / "kit.json", description.dump());
    files::write_atomically(build_ / "marks" / (std::string(kLab) + ".json"),
                            record::text_of(record::Scheme{kLab, {"attainable"}, {}}));
    answers(R"({"n": 1024, "k": 1024, "isa": "avx2", "compiler": "g++", "rounds": 21,
      "ceilings": {"fp32_gops": 80.0, "int8_gops": 150.0, "read_gbytes": 20.0},
      "formats": [{"format": "fp32", "arithmetic": "float32", "emulated": false,
        "weight_bytes": 4194304, "batches": [{"batch": 1, "operations": 2e6, "bytes": 4e6,
        "seconds": [3e-4, 4e-4, 5e-4], "ratio": [1, 1, 1], "sqnr_db": 136.4}]}]})");
    fs::create_symlink(kit_.build / "bin" / "nibble-look", build_ / "bin" / "nibble-look");
  }

  void answers(const std::string& times) const {
    files::write_atomically(build_ / "times", times);
    const fs::path program = build_ / "bin" / "format-times";
    files::write_atomically(program, "#!/bin/sh\ncase $1 in\n  times) cat " + build_.string() +
                                         R"sh(/times ;;
  net) echo '{"seeds": [1], "images": 5000, "accuracy": {"fp32": [0.95]}}' ;;
  memory) echo '{"resident_bytes": 4214784}' ;;
esac
)sh");
    fs::permissions(program, fs::perms::owner_all);
  }

  process::Finished bench(std::vector<std::string> words) const {
    words.insert(words.begin(), {"bench", "35"});
    return nibble(words, {"NIBBLE_BUILD=" + build_.string()});
  }

  static constexpr const char* kLab = "35_roofline";
  const fs::path build_ = root_ / "build";
};

TEST_F(BenchFormats, ShowsTheTableAndDrawsIt) {
  const process::Finished run = bench({"--json", "formats.json"});
  EXPECT_EQ(run.exit_status, kPassed) << run.err;
  EXPECT_HOLDS(run.err, "measuring  one product in six formats");
  EXPECT_HOLDS(run.err, "measuring  memory, in a process for each format\n");
  EXPECT_HOLDS(run.out, "  fp32       400 us");
  EXPECT_HOLDS(run.out, "95.0 % [95.0-95.0]");
  EXPECT_HOLDS(run.out, "drawing    .nibble/out/35_roofline/formats.svg\n");
  EXPECT_HOLDS(files::read_file(root_ / ".nibble" / "out" / kLab / "formats.svg"), "</svg>");
  const json figures = json::parse(files::read_file(root_ / "formats.json"));
  EXPECT_EQ(figures["lab"], kLab);
  EXPECT_EQ(figures["memory"]["int4"], 4214784);
  EXPECT_TRUE(figures["env"].contains("load"));
  EXPECT_FALSE(figures["nibble"].get<std::string>().empty());
}

TEST_F(BenchFormats, NonsenseIsAFaultOfTheKit) {
  answers("no figures");
  EXPECT_EQ(bench({}).exit_status, kKitFault);
  answers("{}");
  EXPECT_EQ(bench({}).exit_status, kKitFault);
}

class Judge : public LearnersProject {};

TEST_F(Judge, MeasuresTheCeilingsOfThisMachine) {
  process::Command command;
  command.words = {kit_.judge("03_symmetric").string()};
  command.input =
      text_of(protocol::Terms{.task = protocol::Terms::Task::kCeilings, .lab = "03_symmetric"});
  const process::Finished run = process::run(command);
  ASSERT_TRUE(run.ok()) << run.err;
  const auto ceilings = report::read_ceilings(json::parse(run.out));
  EXPECT_FALSE(ceilings.peaks.empty());
  ASSERT_EQ(ceilings.reads.size(), 4u);
  for (const auto& peak : ceilings.peaks) EXPECT_GT(peak.gops, 0.1) << peak.isa;
  for (const auto& read : ceilings.reads) EXPECT_GT(read.gbytes, 0.01) << read.bytes;
}

class Doctor : public LearnersProject {};

TEST_F(Doctor, NamesTheUnitsAndTheClock) {
  const process::Finished run = nibble({"doctor"});
  EXPECT_EQ(run.exit_status, kPassed) << run.out;
  const auto units = report::this_machines_units();
  EXPECT_HOLDS(run.out, "vector        " + report::units_text(units) + "\n");
  EXPECT_HOLDS(run.out, "speed         load ");
#ifdef __linux__
  EXPECT_HOLDS(run.out, ": CPU time is compared, not the clock\n");
#endif
  EXPECT_HOLDS(nibble({}).out, units.best().empty() ? "doctor  " : " · " + units.best() + " · ");
}

}  // namespace
}  // namespace nibble::cli
