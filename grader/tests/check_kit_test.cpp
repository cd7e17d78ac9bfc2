// check-kit on a copy of lab 03, with one thing planted at a time: each must be reported.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "files/files.hpp"
#include "files/sha256.hpp"
#include "lab/kit.hpp"
#include "proofs/check_kit.hpp"
#include "proofs/mistake_program.hpp"
#include "proofs/mistakes.hpp"
#include "proofs/proofs.hpp"
#include "proofs/verdicts.hpp"
#include "teach/cut_command.hpp"
#include "teach/grade.hpp"
#include "text/format_error.hpp"
#include "text/lines.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;
using lab::Kit;

constexpr const char* kLab = "03_symmetric";

/// Copies keep their time: a judge must not look older than what it was built from.
void keep_copy(const fs::path& from, const fs::path& to) {
  fs::create_directories(to.parent_path());
  fs::copy_file(from, to);
  fs::last_write_time(to, fs::last_write_time(from));
}

void copy_tree(const fs::path& from, const fs::path& to) {
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    if (entry.is_regular_file()) keep_copy(entry.path(), to / fs::relative(entry.path(), from));
  }
}

class CheckKitTest : public testing::Test {
 protected:
  void SetUp() override {
    real_ = lab::this_kit();
    kit_ = real_;
    kit_.source = kit_.root =
        fs::temp_directory_path() / ("nibble-kit-" + std::to_string(getpid()));
    for (const fs::path& folder :
         {fs::path("common"), fs::path("labs") / kLab, fs::path("solutions") / kLab,
          fs::path("grader/alternatives") / kLab, fs::path("grader/checks") / kLab,
          fs::path("grader/judge"), fs::path("grader/protocol")}) {
      copy_tree(real_.source / folder, kit_.source / folder);
    }
    const lab::LabFiles from = lab::files_of(real_.source, real_.lab(kLab)), to = files();
    keep_copy(from.mistakes, to.mistakes);
    keep_copy(real_.source / "grader/layers.txt", kit_.source / "grader/layers.txt");
  }
  void TearDown() override { fs::remove_all(kit_.source); }

  lab::LabFiles files() const { return lab::files_of(kit_.source, kit_.lab(kLab)); }
  std::vector<ProvenLab> labs() const { return {open_lab(kit_, kit_.lab(kLab))}; }

  /// Adds text to a file that is not compiled into the judge, or is made to look so.
  void plant(const fs::path& file, const std::string& text, const std::string& before = "") {
    const auto time = fs::last_write_time(file);
    files::write_atomically(file, before + files::read_file(file) + text);
    fs::last_write_time(file, time);
  }

  Kit real_, kit_;
};

std::string all_failures(const Proof& proof) {
  std::string text;
  for (const std::string& failure : proof.failures) text += failure + '\n';
  return text;
}

#define EXPECT_REPORTED(proof, part)                                             \
  do {                                                                           \
    EXPECT_FALSE((proof).holds());                                               \
    EXPECT_NE(all_failures(proof).find(part), std::string::npos) << show(proof); \
  } while (false)

TEST_F(CheckKitTest, AMistakeThatSurvivesIsReported) {
  files::write_atomically(files().mistakes,
                          "[quantize_symmetric]\n"
                          "includes_too_much: N-RANGE nothing is wrong with this one\n<<<\n"
                          "#include \"symmetric.hpp\"\n===\n"
                          "#include \"symmetric.hpp\"\n#include <deque>\n>>>\n");
  Workbench bench(kit_, {.workers = 2, .quick = true});
  std::vector<TriedMistake> all_tried;
  const auto all = labs();
  const Proof proof = prove_mistakes(bench, all, all_tried);
  EXPECT_EQ(proof.counted, 1);
  EXPECT_REPORTED(proof, "includes_too_much survives");
  EXPECT_REPORTED(prove_enough_mistakes(all, all_tried), "quantize_symmetric has 1");
  EXPECT_REPORTED(prove_checks_needed(all, all_tried, Loneliness::kUnknown), "caught no mistake");
}

TEST_F(CheckKitTest, AMistakeWithAnotherDiagnosisIsReported) {
  files::write_atomically(files().mistakes,
                          "[dequantize_symmetric]\n"
                          "throws_always: N-AXIS refuses everything\n<<<\n"
                          "#include \"symmetric.hpp\"\n===\n"
                          "#include \"symmetric.hpp\"\n"
                          "#define NIBBLE_PLANTED\n"
                          "#undef NIBBLE_EXPECTS\n"
                          "#define NIBBLE_EXPECTS(...) throw std::invalid_argument(\"no\")\n>>>\n");
  Workbench bench(kit_, {.workers = 2, .quick = true});
  std::vector<TriedMistake> all_tried;
  const auto all = labs();
  EXPECT_REPORTED(prove_mistakes(bench, all, all_tried), "want N-AXIS");
}

TEST_F(CheckKitTest, AMistakeWhoseLineIsNotToldIsReported) {
  files::write_atomically(files().mistakes,
                          "[symmetric_scale]\n"
                          "ignores_sign: N-RANGE a value is wrong, and no line is told\n<<<\n"
                          "std::max(amax, std::fabs(value))\n===\n"
                          "std::max(amax, value)  // <- here\n>>>\n");
  Workbench bench(kit_, {.workers = 2, .quick = true});
  std::vector<TriedMistake> all_tried;
  const auto all = labs();
  EXPECT_REPORTED(prove_mistakes(bench, all, all_tried), " at no line, want it at line ");
}

TEST(Mistakes, AMarkThatIsMisspeltIsNone) {
  const auto read_with = [](const std::string& end_of_line) {
    return parse_mistakes("[f]\nname: N-RANGE why\n<<<\none;\n===\ntwo;" + end_of_line + "\n>>>\n");
  };
  EXPECT_EQ(read_with("  // <- here").size(), 1u);
  EXPECT_EQ(read_with("  // where it was").size(), 1u);
  for (const char* const wrong : {"  // <-here", "  // here", "  //<- here", "  // <- hier"}) {
    EXPECT_THROW(read_with(wrong), text::FormatError) << wrong;
  }
}

TEST_F(CheckKitTest, AMistakeThatDoesNotApplyIsReported) {
  files::write_atomically(files().mistakes,
                          "[quantize_symmetric]\nold: N-RANGE of another solution\n<<<\n"
                          "this text stands nowhere\n===\n>>>\n");
  Workbench bench(kit_, {.workers = 2, .quick = true});
  std::vector<TriedMistake> all_tried;
  const auto all = labs();
  EXPECT_REPORTED(prove_mistakes(bench, all, all_tried), "applies 0 times");
}

/// Public and hidden checks that fail, with what they say.
std::string verdict_of(Workbench& bench, const Implementation& what, const BuiltChild& child,
                       const std::string& exercise = "") {
  const Judgement judged = bench.judge(what, child, exercise);
  std::string text = judged.kit_error;
  if (!judged.ok()) return text;
  for (const record::Check& check : failed_checks(judged.verdict)) {
    text += check.name() + " " + check.diagnosis + " " + check.message + '\n';
  }
  return text;
}

TEST_F(CheckKitTest, MistakesCompiledTogetherAreWhatTheyAreAlone) {
  Workbench bench(kit_, {.workers = 2, .quick = true, .terms = {.seed = "0x17", .salt = "a salt"}});
  const ProvenLab lab = labs().front();
  std::vector<Mistaken> mistaken{{lab.scheme.exercises.front(), lab.solution}};
  for (const Mistake& mistake : parse_mistakes(files::read_file(files().mistakes))) {
    const bool is_next = mistake.exercise != mistaken.back().exercise || mistaken.size() == 1;
    if (is_next) mistaken.push_back({mistake.exercise, apply_mistake(mistake, lab.solution)});
  }
  ASSERT_EQ(mistaken.size(), lab.scheme.exercises.size() + 1);
  const auto children = bench.build_together({kit_, lab}, mistaken);
  ASSERT_EQ(children.size(), mistaken.size());
  std::set<std::string> verdicts;
  for (std::size_t i = 0; i < mistaken.size(); ++i) {
    const auto& [exercise, source] = mistaken[i];
    ASSERT_TRUE(children[i].ok) << source;
    const Implementation what{kLab, source};
    const std::string alone = verdict_of(bench, what, bench.build(what), exercise);
    EXPECT_EQ(verdict_of(bench, what, children[i], exercise), alone);
    EXPECT_EQ(alone.empty(), i == 0);
    verdicts.insert(alone);
  }
  EXPECT_GT(verdicts.size(), 2U);
}

TEST_F(CheckKitTest, WhatAMistakeCompiledTogetherDoesNotShowIsTheSolutions) {
  Workbench bench(kit_, {.workers = 2, .quick = true, .terms = {.seed = "0x17", .salt = "a salt"}});
  const ProvenLab lab = labs().front();
  const Mistake mistake = parse_mistakes(files::read_file(files().mistakes)).front();
  const std::string source = apply_mistake(mistake, lab.solution);
  const auto children = bench.build_together(
      {kit_, lab}, {{mistake.exercise, source}, {"dequantize_symmetric", source}});
  ASSERT_TRUE(children[0].ok && children[1].ok);
  EXPECT_NE(verdict_of(bench, {kLab, source}, children[0]), "");
  if (kit_.cxx_name.starts_with("g++")) {
    EXPECT_EQ(verdict_of(bench, {kLab, source}, children[1]), "");
  }
}

TEST_F(CheckKitTest, AMistakeThatMustNotStandBesideOthersIsCompiledAlone) {
  Workbench bench(kit_, {.workers = 2, .quick = true, .terms = {.seed = "0x17", .salt = "a salt"}});
  const ProvenLab lab = labs().front();
  const std::string includes = "#include \"symmetric.hpp\"\n";
  const auto with = [&](const std::string& text) {
    return Mistaken{lab.scheme.exercises.front(),
                    text::replaced(lab.solution, includes, includes + text + "\n")};
  };
  // They are tried in halves, so that the first four are left over from what the others spoil.
  const std::vector<Mistaken> mistaken{with(""),
                                       with("// 1"),
                                       with("// 2"),
                                       with("// 3"),
                                       with("this is no C++"),
                                       with("// 4"),
                                       with("[[gnu::externally_visible]] int for_everybody = 1;"),
                                       with("// 5"),
                                       with("#define NIBBLE_PLANTED"),
                                       with("#include <deque>")};
  const std::vector<BuiltChild> children = bench.build_together({kit_, lab}, mistaken);
  std::string built;
  for (const BuiltChild& child : children) built += child.ok ? '1' : '0';
  EXPECT_EQ(built, "1111000000");
  EXPECT_EQ(verdict_of(bench, {kLab, mistaken[3].source}, children[3]), "");
}

TEST_F(CheckKitTest, AStaleStarterIsReported) {
  plant(files().starter, "// an edit\n");
  Workbench bench(kit_, {.workers = 2, .quick = true});
  EXPECT_REPORTED(prove_starters(bench, labs()), "is not what is cut from the solution");
}

TEST_F(CheckKitTest, AStarterThatIsSolvedIsReported) {
  files::write_atomically(files().starter, files::read_file(files().solution));
  Workbench bench(kit_, {.workers = 2, .quick = true});
  const Proof proof = prove_starters(bench, labs());
  EXPECT_EQ(proof.passed, 0);
  EXPECT_REPORTED(proof, "the untouched starter passes");
}

TEST_F(CheckKitTest, ACheckThatPaysForARefusalIsReported) {
  Workbench bench(kit_, {.workers = 2, .quick = true});
  const Proof honest = prove_refusals(bench, labs());
  EXPECT_EQ(honest.passed, 1);
  std::vector<ProvenLab> all =
      labs();  // as if the last exercise were paid for nothing but throwing
  const std::string stub = "NIBBLE_TODO(\"undo quantize_symmetric\");";
  const std::size_t at = all[0].solution.find(stub);
  ASSERT_NE(at, std::string::npos);
  all[0].solution.replace(at, stub.size(),
                          "std::vector<float> real; for (const std::int8_t q : tensor.q) "
                          "real.push_back(tensor.scale * static_cast<float>(q)); return real;");
  EXPECT_REPORTED(prove_refusals(bench, all), "refusing everything earns ");
}

TEST_F(CheckKitTest, RightCodeIsJudgedOnAsManySeedsAsAskedFor) {
  using protocol::Leg;
  for (const auto& [options, runs] :
       {std::pair(Workbench::Options{.workers = 2, .seeds = 5, .legs = {Leg::kPlain}}, 5),
        std::pair(
            Workbench::Options{
                .workers = 2, .seeds = 5, .terms = {.seed = "0x17"}, .legs = {Leg::kPlain}},
            1)}) {
    Workbench bench(kit_, options);
    EXPECT_TRUE(prove_solutions(bench, labs()).holds());
    EXPECT_EQ(bench.health().at(kLab).runs, runs);
  }
}

TEST_F(CheckKitTest, AWrongAlternativeIsReported) {
  const fs::path wrong = kit_.source / "grader/alternatives" / kLab / "wrong.cpp";
  files::write_atomically(wrong, files::read_file(files().starter));
  Workbench bench(kit_, {.workers = 2, .quick = true});
  EXPECT_REPORTED(prove_alternatives(bench, labs()), "wrong.cpp (plain): 0 of 100 points");
}

TEST_F(CheckKitTest, AHintThatHoldsASolutionLineIsReported) {
  const auto all = labs();
  std::string secret;
  for (const std::string& line : all[0].regions.back().lines) {
    if (line.size() > secret.size() && line.find("//") == line.npos) secret = line;
  }
  plant(files().hints, "\n   " + secret + "\n");
  EXPECT_REPORTED(prove_hints(all), "is a line of the solution");
}

TEST_F(CheckKitTest, AForbiddenIncludeIsReported) {
  plant(files().starter, "", "#include <Eigen/Core>\n");
  plant(kit_.source / "common/nibble/int_range.hpp", "#include \"judge/call.hpp\"\n");
  plant(kit_.source / "grader/checks/03_symmetric/symmetric_scale.cpp",
        "#include \"../../solutions/03_symmetric/symmetric.cpp\"\n");
  files::write_atomically(kit_.source / "grader/checks/05_per_channel/values.hpp", "");
  plant(kit_.source / "grader/checks/03_symmetric/values.hpp",
        "#include \"checks/05_per_channel/values.hpp\"\n");
  const Proof proof = prove_layers(
      kit_.source,
      {"labs/03_symmetric/symmetric.cpp", "common/nibble/int_range.hpp", "common/nibble/check.hpp",
       "grader/checks/03_symmetric/symmetric_scale.cpp", "grader/checks/03_symmetric/values.hpp"});
  EXPECT_EQ(proof.passed, 1) << show(proof);
  EXPECT_REPORTED(proof, "may not include checks/05_per_channel/values.hpp (another lab's checks)");
  EXPECT_REPORTED(proof, "labs may not include Eigen/Core (eigen)");
  EXPECT_REPORTED(proof, "common may not include judge/call.hpp (grader/judge)");
  EXPECT_REPORTED(proof, "grader/checks may not include");
}

TEST_F(CheckKitTest, AMissingFileIsReported) {
  fs::remove(files().hints);
  std::vector<ProvenLab> labs;
  EXPECT_REPORTED(prove_complete(kit_, {kit_.lab(kLab)}, labs), "hints.md is missing");
}

TEST_F(CheckKitTest, AHiddenCheckThatAHandoutWouldHoldIsReported) {
  const auto time = fs::last_write_time(files().hidden);
  const std::string test = "TEST(quantize_symmetric, KeepsItsSymmetries)";
  std::string text = files::read_file(files().hidden);
  ASSERT_NE(text.find(test), std::string::npos);
  text.replace(text.find(test), test.size(), "TEST(quantize_symmetric, FollowsTheFormula)");
  files::write_atomically(files().hidden, text);
  fs::last_write_time(files().hidden, time);
  std::vector<ProvenLab> labs;
  const Proof proof = prove_complete(kit_, {kit_.lab(kLab)}, labs);
  EXPECT_REPORTED(proof, "KeepsItsSymmetries is hidden, and not in hidden.cpp");
  EXPECT_REPORTED(proof, "FollowsTheFormula is public, and in hidden.cpp");
}

TEST_F(CheckKitTest, AnOldJudgeIsReported) {
  files::write_atomically(files().hidden, files::read_file(files().hidden) + "\n");
  std::vector<ProvenLab> labs;
  EXPECT_REPORTED(prove_complete(kit_, {kit_.lab(kLab)}, labs), "the judge is older");
}

TEST_F(CheckKitTest, AStaleListingIsReported) {
  const fs::path page = kit_.source / "docs/book/page.md";
  files::write_atomically(kit_.source / "docs/examples/a.cpp",
                          "#include <cstdio>\nint main() {\n  // [say]\n  std::puts(\"2\");\n"
                          "  // [/say]\n}\n");
  const std::string listing =
      "<!-- listing: examples/a.cpp say -->\n```cpp\nstd::puts(\"2\");\n```\n";
  const std::string output = "<!-- output: examples/a.cpp -->\n```\n2\n```\n";
  Workbench bench(kit_, {.workers = 2, .quick = true});
  files::write_atomically(page, listing + output);
  EXPECT_TRUE(prove_listings(bench, {page}).holds());
  files::write_atomically(page,
                          "<!-- listing: examples/a.cpp say -->\n```cpp\nold\n```\n" + output);
  EXPECT_REPORTED(prove_listings(bench, {page}), "page.md:1: is not [say]");
  files::write_atomically(page, "<!-- output: examples/a.cpp -->\n```\n3\n```\n");
  EXPECT_REPORTED(prove_listings(bench, {page}), "does not print this");
}

TEST_F(CheckKitTest, EverySubmissionGetsAVerdict) {
  const fs::path here = kit_.source / "submissions", file = "symmetric.cpp";
  const std::string solution = files::read_file(files().solution);
  files::write_atomically(here / "right" / file, solution);
  files::write_atomically(here / "untouched" / file, files::read_file(files().starter));
  files::write_atomically(here / "broken" / file, "int main( {\n");
  teach::Grade what{
      .paths = {here}, .labs = {"03"}, .legs = {.hidden = true}, .out = kit_.source / "out"};
  what.terms.salt = "a salt for this test";
  EXPECT_EQ(teach::grade(kit_, what), 0);
  const auto results = [&](const char* id) {
    return nlohmann::json::parse(files::read_file(what.out / id / "03_symmetric.json"));
  };
  EXPECT_EQ(results("right").at("points"), 100);
  EXPECT_EQ(results("right").at("verdict"), "pass");
  EXPECT_EQ(results("right").at("manifest").at("source").at("symmetric.cpp"),
            files::sha256(solution));
  EXPECT_EQ(results("untouched").at("points"), 0);
  EXPECT_EQ(results("untouched").at("verdict"), "fail");
  EXPECT_EQ(results("broken").at("verdict"), "no_compile");
  for (const char* const id : {"right", "untouched", "broken"}) {
    EXPECT_EQ(files::read_file(what.out / id / "03_symmetric.json").find(what.terms.salt),
              std::string::npos);
    EXPECT_FALSE(fs::exists(what.out / ".batch" / "compiled"));
  }
}

TEST_F(CheckKitTest, AJudgeAtFaultGivesNoGrade) {
  kit_.build = kit_.source / "no-such-build";
  const fs::path here = kit_.source / "submissions";
  files::write_atomically(here / "s1" / "symmetric.cpp", files::read_file(files().solution));
  EXPECT_ANY_THROW(
      teach::grade(kit_, {.paths = {here / "s1"}, .labs = {"03"}, .out = here / "out"}));
  EXPECT_FALSE(fs::exists(here / "out" / "s1" / "03_symmetric.json"));
}

TEST_F(CheckKitTest, CutWritesWhatIsStaleAndLosesNothing) {
  const std::string fresh = files::read_file(files().starter), edited = fresh + "// mine\n";
  EXPECT_EQ(teach::cut_labs(kit_, {{"03"}, true}), 0);
  files::write_atomically(files().starter, edited);
  EXPECT_EQ(teach::cut_labs(kit_, {{"03"}, true}), 1);
  EXPECT_EQ(files::read_file(files().starter), edited);
  EXPECT_EQ(teach::cut_labs(kit_, {{"03"}, false}), 0);
  EXPECT_EQ(files::read_file(files().starter), fresh);
  EXPECT_EQ(files::read_file(files().starter.string() + ".bak-1"), edited);
}

/// The whole of check-kit, on the kit itself.
TEST_F(CheckKitTest, LabThreeHolds) {
  CheckKit what;
  what.labs = {"03"};
  what.bench.workers = 2;
  what.bench.quick = true;
  EXPECT_EQ(check_kit(real_, what), 0);
}

TEST_F(CheckKitTest, ALabThatThereIsNotIsAWrongWord) {
  CheckKit what;
  what.labs = {"no_such_lab"};
  EXPECT_THROW(check_kit(real_, what), std::invalid_argument);
}

}  // namespace
}  // namespace nibble::proofs
