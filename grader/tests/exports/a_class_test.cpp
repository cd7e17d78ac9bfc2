// A folder of results, read as a class: what is a grade and what is none, sources for a comparison,
// and the command that exports it.
#include <stdlib.h>

#include <functional>
#include <stdexcept>

#include "export/plagiarism.hpp"
#include "process/command.hpp"
#include "samples.hpp"
#include "text/json_text.hpp"

namespace nibble::gradebook {
namespace {

/// Every result is a grade by our own rule, before anything is made of it.
TEST(Samples, AreGrades) {
  for (const Result& r : {results(), speed_results(), no_compile(), hostile(), with_points(3)}) {
    EXPECT_EQ(why_no_grade(r), "");
  }
}

TEST(WhyNoGrade, NamesWhatIsWrong) {
  const auto why = [](const std::function<void(Result&)>& spoil) {
    Result r = results();
    spoil(r);
    return why_no_grade(r);
  };
  EXPECT_HOLDS(why([](Result& r) { r.points = 73; }), "add up");
  EXPECT_HOLDS(why([](Result& r) { r.checks[0].points = 11; }), "too many");
  EXPECT_HOLDS(why([](Result& r) { r.checks[0].status = CheckStatus::kError; }), "grader itself");
  EXPECT_HOLDS(why([](Result& r) { r.end = record::End::kKitError; }), "grader itself");
  EXPECT_HOLDS(why([](Result& r) {
                 r.legs.speed = record::LegState::kNotRun;
                 r.end = record::End::kPass;
               }),
               "speed");
}

TEST(Class, PublicAndFullGradesDoNotMix) {
  Result public_only = with_points(50);
  public_only.hidden.run = false;
  Class all;
  all.graded = {graded("a", with_points(50)), graded("b", public_only)};
  EXPECT_THROW(points_possible(all, "05_per_channel"), std::invalid_argument);
  all.graded = {graded("a", with_points(50)), graded("b", no_compile())};
  EXPECT_EQ(points_possible(all, "05_per_channel"), 100);
}

class ResultsFolder : public testing::Test {
 protected:
  ResultsFolder() {
    std::string pattern = (fs::temp_directory_path() / "nibble-export-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~ResultsFolder() override { fs::remove_all(root_); }

  void save(const std::string& place, const Json& r) const {
    files::write_atomically(root_ / place, text::file_text(r));
  }
  void save(const std::string& place, const Result& r) const {
    files::write_atomically(root_ / place, record::text_of(r));
  }

  fs::path root_;
};

TEST_F(ResultsFolder, ReadsWhatGradeWrote) {
  save("s1001/05_per_channel.json", results());
  save("s1002/results.json", with_points(100));
  save("s1002/notes.json", Json{{"not", "ours"}});
  files::write_atomically(root_ / "s1003/05_per_channel.json", "{\"nibble\": \"1.0");
  Result broken = results();
  broken.needs_look = {"kit_error"};
  save("s1004/05_per_channel.json", broken);
  const Class all = read_class(root_);
  EXPECT_EQ(all.graded.size(), 2u);
  ASSERT_EQ(all.ungraded.size(), 2u);
  EXPECT_EQ(all.ungraded[0].submission, "s1003");
  EXPECT_HOLDS(all.ungraded[0].why, "cut off");
  EXPECT_EQ(all.ungraded[1].why, "the grader itself failed");
  EXPECT_EQ(choose_lab(all, ""), "05_per_channel");
  EXPECT_EQ(choose_lab(all, "per_channel"), "05_per_channel");
  EXPECT_THROW(choose_lab(all, "06"), std::invalid_argument);
}

TEST_F(ResultsFolder, FaultsAndRefusalsAreNoZeros) {
  save("s1001/05_per_channel.json", results());
  save("s1001/05_per_channel.fault.json",
       Json{{"lab", "05_per_channel"}, {"message", "disk full"}});
  save("s1002/intake.json",
       Json{{"files", 0},
            {"refusals",
             {{{"lab", "05_per_channel"}, {"why", "is not UTF-8"}, {"missing", false}},
              {{"lab", "03_symmetric"}, {"why", "is not there"}, {"missing", true}}}}});
  save(".batch/work/05_per_channel.json", results());
  files::write_atomically(root_ / "s1003/submitted/05_per_channel/per_channel.cpp", "");
  const Class all = read_class(root_);
  EXPECT_TRUE(all.graded.empty());
  ASSERT_EQ(all.ungraded.size(), 3u);
  EXPECT_HOLDS(all.ungraded[2].why, "not graded yet");
  EXPECT_EQ(all.ungraded[0].why, "the grader itself failed: disk full");
  EXPECT_EQ(all.ungraded[1].why, "refused: is not UTF-8");
  EXPECT_TRUE(all.ungraded[1].refused);
}

TEST_F(ResultsFolder, RefusesTwoResultsOfOneStudent) {
  save("a/05_per_channel.json", results());
  save("b/05_per_channel.json", results());  // both say s1001
  EXPECT_THROW(read_class(root_), std::invalid_argument);
}

TEST_F(ResultsFolder, RefusesAFolderThatIsNotThere) {
  EXPECT_TRUE(read_class(root_).graded.empty());
  EXPECT_THROW(read_class(root_ / "nowhere"), std::invalid_argument);
}

TEST_F(ResultsFolder, SourcesForAComparison) {
  files::write_atomically(root_ / "in/s1001/per_channel.cpp", "int one;\n");
  files::write_atomically(root_ / "in/s1002/submitted/05_per_channel/per_channel.cpp",
                          "int two;\n");
  files::write_atomically(root_ / "in/s1003/other.cpp", "int three;\n");
  fs::create_directories(root_ / "in/s1004");
  fs::create_symlink("/etc/passwd", root_ / "in/s1004/per_channel.cpp");
  Strings without;
  const auto sources = read_sources(root_ / "in", {"05_per_channel"}, without);
  ASSERT_EQ(sources.size(), 2u);
  EXPECT_EQ(sources[1].text, "int two;\n");
  EXPECT_EQ(without, (Strings{"s1003", "s1004"}));
  for (const char* const tool : {"jplag", "dolos", "moss"}) {
    const fs::path out = root_ / tool;
    write_plagiarism(out, tool, "per_channel.cpp", sources, "// starter\n");
    EXPECT_EQ(files::read_file(out / "submissions/s1001/per_channel.cpp"), "int one;\n");
    EXPECT_EQ(files::read_file(out / "base/per_channel.cpp"), "// starter\n");
    EXPECT_HOLDS(files::read_file(out / "COMMAND.txt"), "base");
    EXPECT_THROW(write_plagiarism(out, tool, "per_channel.cpp", sources, ""),
                 std::invalid_argument);
  }
}

class ExportCommand : public ResultsFolder {
 protected:
  static process::Finished run_export(Strings words) {
    words.insert(words.begin(), {std::string(NIBBLE_TEST_BUILD) + "/bin/nibble-teach", "export"});
    process::Command command;
    command.words = std::move(words);
    command.wall_limit = std::chrono::seconds{60};
    return process::run(command);
  }
  std::string path(const std::string& name) const { return (root_ / name).string(); }
};

TEST_F(ExportCommand, FillsACanvasFile) {
  save("r/s1001/05_per_channel.json", results());
  Result other = with_points(100);
  save("r/s1002/05_per_channel.json", other);
  files::write_atomically(root_ / "canvas.csv", sample("canvas.template.csv"));
  const auto done = run_export({"canvas", path("r"), "--template", path("canvas.csv"), "--column",
                                kColumn, "-o", path("out.csv")});
  EXPECT_EQ(done.exit_status, 0) << done.err;
  EXPECT_HOLDS(done.err, "2 grades");
  EXPECT_EQ(files::read_file(root_ / "out.csv"), sample("canvas.csv"));
}

TEST_F(ExportCommand, OneFileGoesToTheStandardOutput) {
  save("s1001/05_per_channel.json", results());
  const auto done = run_export({"autolab", path("s1001/05_per_channel.json")});
  EXPECT_EQ(done.exit_status, 0) << done.err;
  EXPECT_EQ(done.out, sample("autolab.stdout"));
}

TEST_F(ExportCommand, AFolderBecomesAFolder) {
  save("r/s1001/05_per_channel.json", results());
  EXPECT_EQ(run_export({"gradescope", path("r")}).exit_status, 2);
  const auto done = run_export({"gradescope", path("r"), "-o", path("out")});
  EXPECT_EQ(done.exit_status, 0) << done.err;
  EXPECT_EQ(files::read_file(root_ / "out/s1001/05_per_channel/results.json"),
            gradescope(results()));
}

TEST_F(ExportCommand, AKitErrorIsSaidAloud) {
  Result broken = results();
  broken.end = record::End::kKitError;
  save("r/s1001/05_per_channel.json", broken);
  save("r/s1002/05_per_channel.json", with_points(7));
  const auto done = run_export({"csv", path("r")});
  EXPECT_EQ(done.exit_status, 6);
  EXPECT_HOLDS(done.err, "needs a look: s1001 on 05_per_channel has no grade");
  EXPECT_HOLDS(done.out, "kit_error");
}

TEST_F(ExportCommand, SaysWhatIsMissing) {
  const auto done = run_export({"csv", path("nowhere")});
  EXPECT_EQ(done.exit_status, 2);
  EXPECT_HOLDS(done.err, "is not there");
  EXPECT_HOLDS(done.err, "teach grade");
  EXPECT_EQ(run_export({"gradescope", "--placeholder"}).exit_status, 0);
  files::write_atomically(root_ / "kim/intake.json",
                          R"({"files":0,"refusals":[{"lab":"05_per_channel","missing":true,)"
                          R"("why":"there is no per_channel.cpp"}]})");
  const auto refused = run_export({"gradescope", (root_ / "kim/05_per_channel.json").string()});
  EXPECT_EQ(refused.exit_status, 0) << "a student's slip is no failure of the grader";
  EXPECT_HOLDS(refused.out, "there is no per_channel.cpp. Mend that, and hand in again");
}

}  // namespace
}  // namespace nibble::gradebook
