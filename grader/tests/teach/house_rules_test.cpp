// The rules that every source of the kit is held against: who includes whom, one class of a name,
// words and lines that are banned.
#include <set>

#include "complaint.hpp"
#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "proofs/includes.hpp"
#include "proofs/lints.hpp"
#include "proofs/nouns.hpp"
#include "proofs/proof.hpp"
#include "proofs/proofs.hpp"

namespace nibble::proofs {
namespace {

TEST(Includes, AreReadFromCodeOnly) {
  const auto all = includes_of(
      "#include <vector>\n// #include <a>\n/* #include <b>\n*/\n#  include \"c.hpp\"  // why\n"
      "const char* s = \"#include <d>\";\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].target, "vector");
  EXPECT_FALSE(all[0].quoted);
  EXPECT_EQ(all[1].target, "c.hpp");
  EXPECT_TRUE(all[1].quoted);
  EXPECT_EQ(all[1].line, 5);
  expect_contains(format_error([] { includes_of("\n#include HEADER\n"); }), "line 2");
}

TEST(Layers, MalformedTablesAreErrorsWithLines) {
  const auto error = [](const char* text) { return format_error([&] { parse_layers(text); }); };
  EXPECT_EQ(error("# c\ncommon std common\nlabs common  # and no more\n"), "");
  expect_contains(error("# nothing\n"), "no row");
  expect_contains(error("common std\ncommon std\n"), "line 2: common has two rows");
  expect_contains(error("common std\nlabs comon\n"), "line 2: no row is called comon");
}

TEST(Layers, PlacesFollowFromPaths) {
  EXPECT_EQ(place_of("common/nibble/lab.hpp"), "common");
  EXPECT_EQ(place_of("labs/03_symmetric/symmetric.cpp"), "labs");
  EXPECT_EQ(place_of("solutions/03_symmetric/symmetric.cpp"), "solutions");
  EXPECT_EQ(place_of("grader/alternatives/03_symmetric/with_eigen.cpp"), "grader/alternatives");
  EXPECT_EQ(place_of("grader/judge/main.cpp"), "grader/judge");
  EXPECT_EQ(place_of("docs/examples/03_steps.cpp"), "docs/examples");
}

TEST(Nouns, AreClassesThatStandInNoOther) {
  EXPECT_EQ(classes_in("struct Row {\n  enum class Kind { kA };\n};\n"),
            std::set<std::string>{"Row"});
  EXPECT_EQ(classes_in("class Wide : public First,\n             public Second {\n"),
            std::set<std::string>{"Wide"});
  EXPECT_EQ(classes_in("struct A final : B {};\nenum class C : int { kA };\nunion D { int a; };\n"),
            (std::set<std::string>{"A", "C", "D"}));
  EXPECT_TRUE(
      classes_in("class A;\nenum class B : int;\nstruct C<int> {\n// struct D {\n").empty());
}

TEST(Nouns, AreLookedForInTheKitItself) {
  EXPECT_TRUE(has_nouns("grader/judge/marks.hpp"));
  EXPECT_TRUE(has_nouns("common/nibble/launch.hpp"));
  EXPECT_FALSE(has_nouns("grader/tests/trial.hpp"));
  EXPECT_FALSE(has_nouns("grader/checks/03_symmetric/symmetric_scale.cpp"));
  EXPECT_FALSE(has_nouns("grader/bench/ordinary/judge/call.hpp"));
  EXPECT_FALSE(has_nouns("labs/03_symmetric/symmetric.hpp"));
}

TEST(Nouns, ASecondClassOfANameIsAFault) {
  const files::ScratchFolder top(fs::temp_directory_path());
  files::write_atomically(top.path() / "grader/one.hpp", "struct Row {};\n");
  files::write_atomically(top.path() / "grader/other.cpp", "class Row {\n};\nstruct Mark {\n};\n");
  const Proof proof = prove_nouns(top.path(), {"grader/one.hpp", "grader/other.cpp"});
  EXPECT_EQ(proof.failures, Strings{"grader/other.cpp: Row is a class of grader/one.hpp already"});
  EXPECT_EQ(proof.passed, 2);
}

TEST(Lints, BansAreFoundWhereTheyHold) {
  const std::string fast =
                        "-ffast"
                        "-math",
                    task =
                        "TO"
                        "DO",
                    skip =
                        "GTEST_"
                        "SKIP()";
  const fs::path check = "grader/checks/03_symmetric/symmetric_scale.cpp",
                 judge = "grader/judge/run.cpp";
  EXPECT_EQ(
      lint("grader/CMakeLists.txt", "a\nadd(" + fast + ")\n"),
      Strings{"grader/CMakeLists.txt:2: " + fast + ": with fast-math a comparison accepts NaN"});
  EXPECT_EQ(lint(judge, "// " + task + ": later\n").size(), 1u);
  EXPECT_EQ(lint("labs/03_symmetric/symmetric.hpp", "// " + task + "\n").size(), 1u);
  EXPECT_TRUE(lint("labs/03_symmetric/symmetric.cpp", "// " + task + "(lab03)\n").empty());
  EXPECT_TRUE(lint(judge, "NIBBLE_" + task + "(\"x\");\n").empty());
  EXPECT_EQ(lint(check, "near(a, b, 1e-6f);\n").size(), 1u);
  EXPECT_EQ(lint(check, "near(a, b, .5E-3);\n").size(), 1u);
  EXPECT_TRUE(lint(check, "x = 1e30f - 3; y = 0x1p-20f; // 1e-6\n").empty());
  EXPECT_EQ(lint(check, "if (std::fabs(a - b) < 0.001f) return;\n").size(), 1u);
  EXPECT_TRUE(lint(check, "if (x < 10.0f || scale <= 0.0f) return;\n").empty());
  EXPECT_TRUE(lint(check, "Expect::healthy(0.01 < share, \"share\");\n").empty());
  EXPECT_TRUE(lint(check, "const Case c{\"Small\", 1e-30f, 0.05f};\n").empty());
  EXPECT_TRUE(lint(check, "near(1e-3f, x);  // lint-ok: an input, not a tolerance\n").empty());
  EXPECT_EQ(lint(check, "near(1e-3f, x);  // lint-ok:\n").size(), 1u);
  EXPECT_TRUE(lint(judge, "x = 1e-6;\n").empty());
  EXPECT_EQ(lint(judge, "std::normal_distribution<float> d;\n").size(), 1u);
  EXPECT_EQ(lint(judge, "std::cout << verdict.dump();\n").size(), 1u);
  EXPECT_TRUE(lint("grader/tests/a_test.cpp", "verdict.dump();\n").empty());
  EXPECT_EQ(lint("grader/tests/a_test.cpp", skip + ";\n").size(), 1u);
  EXPECT_TRUE(lint("grader/tests/a_test.cpp", skip + " << \"no compiler\";\n").empty());
  EXPECT_EQ(lint("grader/tests/a_test.cpp", "TEST(A, DISABLED_B)\n").size(), 1u);
}

TEST(Lints, CommentsKeepToAHundredColumns) {
  const fs::path source = "grader/judge/run.cpp", build = "grader/CMakeLists.txt";
  const std::string wide(97, 'x'), umlauts = "ää" + std::string(95, 'x');
  const auto count = [](const fs::path& file, const std::string& text) {
    return lint(file, text).size();
  };
  EXPECT_EQ(count(source, "// " + wide + "\n"), 0u);
  EXPECT_EQ(count(source, "// " + umlauts + "\n"), 0u) << "columns, not bytes";
  EXPECT_EQ(lint(source, "\n  // " + wide + "\n"),
            Strings{"grader/judge/run.cpp:2: a comment beyond column 100"});
  EXPECT_EQ(count(source, "/* \n " + wide + " a word\n*/\n"), 1u);
  EXPECT_EQ(count(source, "// https://a.place/" + wide + "\n"), 0u) << "it cannot be broken";
  EXPECT_EQ(count(source, "// row    " + wide + "\n"), 0u) << "a drawing";
  EXPECT_EQ(count("solutions/03_symmetric/symmetric.cpp", "// NIBBLE-STUB: // " + wide + "\n"), 0u);
  EXPECT_EQ(count(source, "f(\"" + wide + "\");\n"), 0u) << "code is clang-format's";
  EXPECT_EQ(count(source, "f(R\"(\n  // " + wide + "\n)\");\n"), 0u) << "a string";
  EXPECT_EQ(count(build, "  # " + wide + "\n"), 1u);
  EXPECT_EQ(count(build, "set(a " + wide + ")\n"), 0u);
  EXPECT_EQ(count("nibble", "  # " + wide + "\n"), 1u);
}

TEST(Lints, ALongFileOpensWithASentence) {
  std::string code;
  for (int i = 0; i < 100; ++i) code += "int a;\n";
  EXPECT_TRUE(lint("grader/judge/run.cpp", code).empty()) << "it is not long";
  EXPECT_EQ(lint("grader/judge/run.cpp", code + "\n").size(), 1u);
  EXPECT_TRUE(lint("grader/judge/run.cpp", "// What it holds.\n" + code).empty());
  EXPECT_TRUE(lint("solutions/03_symmetric/symmetric.cpp", code + "\n").empty());
  EXPECT_TRUE(lint("grader/CMakeLists.txt", code + "\n").empty());
}

}  // namespace
}  // namespace nibble::proofs
