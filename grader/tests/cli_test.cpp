// The learner's command: its readers and writers one by one, then the real binary, end to end, in a
// project of its own.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>

#include "cli/file_events.hpp"
#include "cli/hint_choice.hpp"
#include "cli/labs.hpp"
#include "cli/learner.hpp"
#include "cli/progress.hpp"
#include "cli/record.hpp"
#include "cli/solution_text.hpp"
#include "cli/trouble.hpp"
#include "files/files.hpp"
#include "lab/kit.hpp"
#include "process/command.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using nlohmann::json;

/// A folder that is gone afterwards.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "nibble-cli-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write(const fs::path& file, const std::string& text) { files::write_atomically(file, text); }

// --- Progress -----------------------------------------------------------------------------------

constexpr const char* kThreeLines =
    "# nibble progress 1\n"
    "01.saturate_to_int8  passed  2026-10-01T14:02:55Z  tries=4 hints=1 seconds=610 "
    "source=sha256:9f2c\n"
    "04.quantize_asymmetric  open  2026-10-01T14:20:10Z  tries=2 hints=0 seconds=212\n"
    "05.quantize_per_channel  skipped-by-test  2026-10-02T09:00:01Z\n";

TEST(Progress, IsReadAsItIsWritten) {
  const Parsed parsed = parse_progress(kThreeLines);
  EXPECT_TRUE(parsed.bad_lines.empty());
  ASSERT_EQ(parsed.progress.entries.size(), 3u);
  const Entry& first = *parsed.progress.find("01.saturate_to_int8");
  EXPECT_EQ(first.state, "passed");
  EXPECT_EQ(first.tries, 4);
  EXPECT_EQ(first.hints, 1);
  EXPECT_EQ(first.seconds, 610);
  EXPECT_EQ(first.notes.at("source"), "sha256:9f2c");
  EXPECT_TRUE(parsed.progress.done("05.quantize_per_channel"));
  EXPECT_FALSE(parsed.progress.done("04.quantize_asymmetric"));
  EXPECT_FALSE(parsed.progress.done("99.nothing"));
  const std::string text = progress_text(parsed.progress);
  EXPECT_EQ(progress_text(parse_progress(text).progress), text);
}

TEST(Progress, NewestDateWinsWhicheverWayItIsMerged) {
  const Progress older = parse_progress("03.f open 2026-01-01T00:00:00Z tries=9\n").progress;
  const Progress newer = parse_progress("03.f passed 2026-01-02T00:00:00Z tries=1\n").progress;
  Progress one = older, other = newer;
  one.merge(newer);
  other.merge(older);
  EXPECT_EQ(progress_text(one), progress_text(other));
  EXPECT_TRUE(one.done("03.f"));
  // `sort -u` of two files leaves both lines: the reader chooses, in any order.
  EXPECT_TRUE(parse_progress("03.f passed 2026-01-02T00:00:00Z\n03.f open 2026-01-01T00:00:00Z\n")
                  .progress.done("03.f"));
}

TEST(Progress, BadLinesAreCountedAndNeverTaken) {
  for (const char* const line :
       {"garbage", "03.f", "03.f passed", "03.f done 2026-01-01T00:00:00Z", "03.f open yesterday",
        "f open 2026-01-01T00:00:00Z", "03.f open 2026-01-01T00:00:00Z tries=many",
        "03.f open 2026-01-01T00:00:00Z tries=-1", "03.f open 2026-01-01T00:00:00Z loose"}) {
    const Parsed parsed = parse_progress(std::string("\r\n") + line + "\n");
    EXPECT_EQ(parsed.bad_lines, std::vector<int>{2}) << line;
    EXPECT_TRUE(parsed.progress.entries.empty()) << line;
  }
}

TEST(Progress, DamagedFileIsSetAside) {
  const Scratch scratch;
  const Notebook notebook(scratch.path());
  write(notebook.file(), std::string(kThreeLines) + "\x01\x02 what is this\n");
  write(notebook.file().string() + ".bad-1", "an older one");
  std::string complaint;
  EXPECT_EQ(notebook.load(complaint).entries.size(), 3u);
  EXPECT_NE(complaint.find("line 5"), complaint.npos);
  EXPECT_NE(complaint.find("progress.txt.bad-2"), complaint.npos);
  EXPECT_TRUE(fs::exists(notebook.file().string() + ".bad-2"));
  complaint.clear();
  EXPECT_EQ(notebook.load(complaint).entries.size(), 3u);
  EXPECT_EQ(complaint, "");
}

TEST(Progress, LongPausesAreNoWork) {
  EXPECT_EQ(seconds_of_work("", "2026-01-01T00:00:00Z"), 0);
  EXPECT_EQ(seconds_of_work("2026-01-01T00:00:00Z", "2026-01-01T00:01:30Z"), 90);
  EXPECT_EQ(seconds_of_work("2026-01-01T00:00:00Z", "2026-01-01T08:00:00Z"), 0);
  EXPECT_EQ(seconds_of_work("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z"), 0);
}

// --- Names --------------------------------------------------------------------------------------

std::vector<MarkedLab> two_labs() {
  MarkedLab first{{"03_symmetric"},
                  "symmetric",
                  {{"quantize_symmetric", 60, 6}, {"dequantize_symmetric", 15, 1}},
                  75,
                  25,
                  {}};
  MarkedLab second{{"31_qat"}, "training", {{"fake_quantize", 75, 3}}, 75, 0, {}};
  return {first, second};
}

TEST(Names, AllTheUsualOnesAreUnderstood) {
  const std::vector<MarkedLab> labs = two_labs();
  for (const char* const word : {"03_symmetric", "03", "3", "symmetric"}) {
    EXPECT_EQ(find_target(labs, word).subject(), "03_symmetric") << word;
  }
  for (const char* const word : {"03.dequantize_symmetric", "symmetric.dequantize_symmetric",
                                 "03_symmetric.dequantize_symmetric", "dequantize_symmetric"}) {
    EXPECT_EQ(find_target(labs, word).subject(), "03.dequantize_symmetric") << word;
  }
  EXPECT_EQ(find_exercise(labs, "31").subject(), "31.fake_quantize");
  for (const char* const path :
       {"labs/03_symmetric/symmetric.cpp", "symmetric.cpp", "./03_symmetric/",
        "/home/kim/kit/labs/03_symmetric/symmetric.hpp"}) {
    EXPECT_EQ(find_target(labs, path).subject(), "03_symmetric") << path;
  }
}

std::string trouble_with(const std::vector<MarkedLab>& labs, const std::string& word) {
  try {
    find_exercise(labs, word);
  } catch (const Trouble& trouble) {
    EXPECT_EQ(trouble.exit_code, kUsage);
    return trouble.what();
  }
  return "";
}

TEST(Names, TheNearestIsSuggested) {
  const std::vector<MarkedLab> labs = two_labs();
  EXPECT_NE(trouble_with(labs, "symetric").find("did you mean symmetric?"), std::string::npos);
  EXPECT_NE(trouble_with(labs, "03.quantise_symmetric").find("did you mean quantize_symmetric?"),
            std::string::npos);
  EXPECT_EQ(trouble_with(labs, "something_else_entirely").find("did you mean"), std::string::npos);
  EXPECT_NE(trouble_with(labs, "99.f").find("no lab is called 99"), std::string::npos);
  EXPECT_NE(trouble_with(labs, "03").find("which exercise"), std::string::npos);
}

TEST(Names, EditsAreCounted) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Names, EveryLabHasAPart) {
  for (const auto& [number, part] :
       std::vector<std::pair<std::string, std::string>>{{"01", "A Foundations"},
                                                        {"07", "B Schemes"},
                                                        {"13", "C Formats"},
                                                        {"14", "D CPU kernels"},
                                                        {"28", "E CUDA kernels"},
                                                        {"35", "F Models"},
                                                        {"77", "More"}}) {
    EXPECT_EQ(lab::Lab{number + "_x"}.part(), part);
  }
}

// --- The learner's file -------------------------------------------------------------------------

TEST(LearnersFile, DefinitionsAreFound) {
  const std::string source =
      "// f(x)\n\nint g(int x) {\n  return f(x);\n}\nfloat f(int x) { return x; }\n";
  EXPECT_EQ(line_of(source, "f"), 6);
  EXPECT_EQ(line_of(source, "g"), 3);
  EXPECT_EQ(line_of(source, "h"), 0);
}

// --- Solutions and hints ------------------------------------------------------------------------

TEST(Solution, ShowsTheFunctionAndTheHelpersItCalls) {
  const std::string solution =
      "// NIBBLE-BEGIN-SOLUTION\n// About the file.\n// NIBBLE-END\n"
      "namespace nibble {\n"
      "// NIBBLE-BEGIN-SOLUTION\nstatic int inner(int x) { return x; }\n// NIBBLE-END\n"
      "// NIBBLE-BEGIN-SOLUTION\nstatic int helper(int x) { return inner(x); }\n// NIBBLE-END\n"
      "// NIBBLE-BEGIN-SOLUTION\nstatic int unused(int x) { return x; }\n// NIBBLE-END\n"
      "int f(int x) {\n  // NIBBLE-BEGIN-SOLUTION\n  return helper(x);\n"
      "  // NIBBLE-STUB: NIBBLE_TODO(\"f\");\n  // NIBBLE-END\n}\n"
      "int g(int x) {\n  // NIBBLE-BEGIN-SOLUTION\n  return x;\n  // NIBBLE-END\n}\n}\n";
  EXPECT_EQ(
      solution_of(solution, "f"),
      "static int inner(int x) { return x; }\n\nstatic int helper(int x) { return inner(x); }\n"
      "\nint f(int x) {\n  return helper(x);\n}\n");
  EXPECT_EQ(solution_of(solution, "g"), "int g(int x) {\n  return x;\n}\n");
  EXPECT_EQ(solution_of(solution, "h"), "");
}

TEST(Hints, TheLastDiagnosisChoosesTheFirst) {
  const std::vector<lab::Hint> hints = {{"f", 1, "N-ROUND", "round", 1},
                                        {"f", 1, "N-DIV0", "zero", 2},
                                        {"f", 2, "", "idea", 3},
                                        {"f", 3, "", "code", 4}};
  const auto text = [&](const std::string& diagnosis, const std::set<std::string>& shown,
                        int level = 0) {
    const lab::Hint* const hint = choose_hint(hints, diagnosis, shown, level);
    return hint == nullptr ? "" : hint->text;
  };
  EXPECT_EQ(text("N-DIV0", {}), "zero");
  EXPECT_EQ(text("N-DIV0", {"1:N-DIV0"}), "idea");
  EXPECT_EQ(text("N-ROUND", {"1:N-DIV0", "2"}), "round");
  EXPECT_EQ(text("N-DIV0", {"1:N-DIV0", "2"}), "code");
  EXPECT_EQ(text("N-DIV0", {"1:N-DIV0", "2", "3"}), "");
  EXPECT_EQ(text("", {}), "round");
  EXPECT_EQ(text("N-AXIS", {}), "idea");
  EXPECT_EQ(text("N-AXIS", {}, 1), "round");
  EXPECT_EQ(text("N-DIV0", {"1:N-DIV0"}, 1), "zero");
  EXPECT_EQ(text("", {}, 3), "code");
  EXPECT_EQ(text("", {}, 9), "");
}

// --- Trouble ------------------------------------------------------------------------------------

TEST(Trouble, FilesThatCannotBeUsedHaveARemedy) {
  const auto words = [](std::errc code) {
    return std::string(
        file_trouble(fs::filesystem_error("x", "/here", std::make_error_code(code))).what());
  };
  EXPECT_NE(words(std::errc::no_space_on_device).find("the disk is full"), std::string::npos);
  EXPECT_NE(words(std::errc::permission_denied).find("chmod"), std::string::npos);
  EXPECT_NE(words(std::errc::read_only_file_system).find("copy the project"), std::string::npos);
  EXPECT_NE(words(std::errc::not_a_directory).find("move it away"), std::string::npos);
  EXPECT_NE(words(std::errc::no_such_file_or_directory).find("is not there"), std::string::npos);
  EXPECT_NE(words(std::errc::io_error).find("/here"), std::string::npos);
}

// --- Saves --------------------------------------------------------------------------------------

class Saves : public testing::TestWithParam<bool> {};

bool is_told_of(FileEvents& events, const fs::path& file) {
  for (int i = 0; i < 100; ++i) {
    for (const fs::path& saved : events.saved()) {
      if (saved == file) return true;
    }
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

TEST_P(Saves, AreSeenHoweverTheyAreMade) {
  const Scratch scratch;
  const fs::path file = scratch.path() / "a.cpp", other = scratch.path() / "b.cpp";
  std::ofstream(file) << "one";
  const auto events = watch_files({file}, GetParam());
  EXPECT_TRUE(events->saved().empty());
  std::ofstream(other) << "not watched";
  std::ofstream(file) << "two, in place";
  EXPECT_TRUE(is_told_of(*events, file));
  write(file, "three, by a new file and a rename");
  EXPECT_TRUE(is_told_of(*events, file));
  fs::remove(file);
  std::this_thread::sleep_for(20ms);
  EXPECT_TRUE(events->saved().empty());
  EXPECT_EQ(events->descriptor() < 0, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Both, Saves, testing::Bool());

// --- End to end ---------------------------------------------------------------------------------

constexpr const char* kLab = "03_symmetric";

class EndToEnd : public testing::Test {
 protected:
  void SetUp() override {
    fs::copy(kit_.source / "labs", root_.path() / "labs", fs::copy_options::recursive);
    solution_ = files::read_file(kit_.source / "solutions" / kLab / "symmetric.cpp");
    const auto scheme = json::parse(files::read_file(kit_.scheme(kLab)));
    first_ = scheme["exercises"][0];
    last_ = scheme["exercises"].back();
  }

  std::string starter() const {
    return files::read_file(kit_.source / "labs" / kLab / "symmetric.cpp");
  }
  fs::path file() const { return root_.path() / "labs" / kLab / "symmetric.cpp"; }
  void save(const std::string& text) const { std::ofstream(file(), std::ios::binary) << text; }

  /// Folders of what was compiled.
  std::vector<fs::path> children() const {
    return {fs::directory_iterator(root_.path() / ".nibble" / "work" / kLab / "children"), {}};
  }

  /// The solution with one edit; `helper` goes in front of it.
  std::string variant(const std::string& old, const std::string& changed,
                      const std::string& helper = "") const {
    std::string text = solution_;
    const std::size_t at = text.find(old);
    EXPECT_NE(at, text.npos) << old;
    text.replace(at, old.size(), changed);
    const std::string name = "namespace nibble {\n";
    return text.insert(text.find(name) + name.size(), helper);
  }
  std::string rounds_away() const {
    return variant("std::nearbyint(x[i] / scale)", "std::round(x[i] / scale)");
  }

  process::Command command(const std::vector<std::string>& words,
                           const std::vector<std::string>& environment = {}) const {
    process::Command command;
    command.words = {(kit_.build / "bin" / "nibble").string()};
    command.words.insert(command.words.end(), words.begin(), words.end());
    command.directory = root_.path();
    command.environment = {"NIBBLE_ROOT=" + root_.path().string(),
                           "NIBBLE_BUILD=" + kit_.build.string()};
    // Of two variables of one name the first counts.
    command.environment.insert(command.environment.begin(), environment.begin(), environment.end());
    command.wall_limit = 120s;
    return command;
  }

  process::Finished nibble(const std::vector<std::string>& words,
                           const std::vector<std::string>& environment = {}) const {
    return process::run(command(words, environment));
  }

  json results() const {
    return json::parse(files::read_file(root_.path() / ".nibble" / "out" / kLab / "results.json"));
  }
  std::string progress() const {
    const fs::path file = root_.path() / ".nibble" / "progress.txt";
    return fs::exists(file) ? files::read_file(file) : "";
  }

  const lab::Kit kit_ = lab::open_kit(NIBBLE_TEST_BUILD);
  const Scratch root_;
  std::string solution_, first_, last_;
};

#define EXPECT_HOLDS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(EndToEnd, TheFirstMinute) {
  const process::Finished first = nibble({});
  EXPECT_EQ(first.exit_status, kFailed) << first.err;
  EXPECT_HOLDS(first.out, "Nibble 1.0.0 · ");
  EXPECT_HOLDS(first.out, "doctor  ");
  EXPECT_HOLDS(first.out, "edit  labs/");
  EXPECT_HOLDS(first.out, "N-STUB");
  EXPECT_HOLDS(first.out, "this function is not written yet");
  EXPECT_HOLDS(first.out, "not run: ");
  EXPECT_HOLDS(first.out, "replay  ./nibble run ");
  EXPECT_HOLDS(first.out, "public checks only: hidden checks are worth 25 more points");
  EXPECT_EQ(first.out.find('\033'), std::string::npos);
}

TEST_F(EndToEnd, RightIsRightAndOnlyItsFirstRunCompiles) {
  save(solution_);
  const process::Finished right =
      nibble({"run", "03", "--json", "copy.json", "--junit", "copy.xml"});
  EXPECT_EQ(right.exit_status, kPassed) << right.out << right.err;
  EXPECT_HOLDS(right.out, "PASS  03_symmetric");
  EXPECT_HOLDS(right.out, "75 of 75 public points");
  EXPECT_HOLDS(right.out, "sanitizers  found nothing");
  EXPECT_HOLDS(progress(), "03." + first_);
  EXPECT_EQ(results()["verdict"], "pass");
  EXPECT_EQ(results()["legs"]["sanitizers"], "ran");
  EXPECT_EQ(json::parse(files::read_file(root_.path() / "copy.json")), results());
  EXPECT_HOLDS(files::read_file(root_.path() / "copy.xml"), "<testsuite name=\"03_symmetric\"");

  const process::Finished again = nibble({"run", "03", "--leg", "plain"});
  EXPECT_HOLDS(again.out, "compiled before");
  EXPECT_EQ(results()["legs"]["sanitizers"], "not_run");

  // A child that is not there, or is another one, is never trusted.
  for (const fs::path& child : children()) std::ofstream(child / "child") << "#!/bin/sh\n";
  EXPECT_HOLDS(nibble({"run", "03", "--leg", "plain"}).out, "(compile ");
  for (const fs::path& child : children()) fs::remove(child / "child");
  EXPECT_HOLDS(nibble({"run", "03", "--leg", "plain"}).out, "(compile ");

  EXPECT_HOLDS(nibble({"list"}).out, " 03_symmetric");
  const json list = json::parse(nibble({"list", "--json"}).out);
  for (const json& lab : list["labs"]) {
    if (lab["lab"] == kLab) {
      EXPECT_EQ(lab["points"], 75);
    }
  }
  const process::Finished shown = nibble({"solution", "03." + first_});
  EXPECT_EQ(shown.exit_status, kPassed);
  EXPECT_HOLDS(shown.out, first_ + "(");
  EXPECT_EQ(shown.out.find("NIBBLE-"), std::string::npos);
  EXPECT_EQ(progress().find("gave-up"), std::string::npos);
}

TEST_F(EndToEnd, WrongIsToldAndReplayed) {
  save(rounds_away());
  const process::Finished wrong = nibble({"run", "03"});
  EXPECT_EQ(wrong.exit_status, kFailed);
  EXPECT_HOLDS(wrong.out, "FAIL  03_symmetric");
  EXPECT_HOLDS(wrong.out, "N-ROUND: wrong half-way rule");
  EXPECT_HOLDS(wrong.out, "the contract says: ");
  EXPECT_HOLDS(wrong.out, "next    ./nibble explain N-ROUND     or     ./nibble hint");
  EXPECT_HOLDS(progress(), " open ");
  EXPECT_EQ(nibble({"run", "03", "--exit-zero"}).exit_status, kPassed);

  const std::string key = "replay  ./nibble ";
  const std::size_t begin = wrong.out.find(key) + key.size();
  std::istringstream line(wrong.out.substr(begin, wrong.out.find('\n', begin) - begin));
  std::vector<std::string> words;
  for (std::string word; line >> word;) words.push_back(word);
  const process::Finished replayed = nibble(words);
  EXPECT_EQ(replayed.exit_status, kFailed) << replayed.err;
  EXPECT_HOLDS(replayed.out, "0 of 1 check ");
  EXPECT_HOLDS(replayed.out, "N-ROUND");

  const process::Finished shown = nibble({"show", words.at(1), "--check", words.at(3)});
  EXPECT_EQ(shown.exit_status, kPassed) << shown.err;
  EXPECT_HOLDS(shown.out, "input  ");
  EXPECT_HOLDS(shown.out, "want   ");
  EXPECT_HOLDS(nibble({"show", words.at(1)}).out, "the contract says: ");
}

TEST_F(EndToEnd, SameSeedSameBytes) {
  save(rounds_away());
  const auto run = [&] {
    nibble({"run", "03", "--seed", "0x71c3"});
    json all = results();
    all["started"] = all["seconds"] = all["env"]["load"] = 0;
    for (json& check : all["checks"]) check["seconds"] = 0;
    return all.dump();
  };
  const std::string once = run();
  EXPECT_EQ(run(), once);
  EXPECT_HOLDS(once, "\"seed\":\"0x71c3\"");
}

TEST_F(EndToEnd, HiddenChecksOnRequest) {
  save(solution_);
  const process::Finished all = nibble({"run", "03", "--hidden", "--leg", "plain"});
  EXPECT_EQ(all.exit_status, kPassed) << all.out << all.err;
  EXPECT_HOLDS(all.out, "100 of 100 points");
  EXPECT_EQ(all.out.find("public checks only"), std::string::npos);
  nibble({"run", "03", "--hidden", "--leg", "plain"}, {"NIBBLE_SALT=secret"});
  EXPECT_HOLDS(results()["manifest"]["salt"].get<std::string>(), "sha256:");
}

TEST_F(EndToEnd, ACrashNamesTheLine) {
  save(variant("x[i] / scale", "x[i + 100000] / scale"));
  const process::Finished crash = nibble({"run", "03"});
  EXPECT_EQ(crash.exit_status, kStopped);
  EXPECT_HOLDS(crash.out, "STOP  03_symmetric");
  EXPECT_HOLDS(crash.out, "a check of the standard library failed");
  EXPECT_HOLDS(crash.out, "labs/03_symmetric/symmetric.cpp:");
  EXPECT_EQ(results()["verdict"], "stopped");
  EXPECT_GT(results()["finding"]["location"]["line"], 1);
}

TEST_F(EndToEnd, SanitizersKeepAGreenExerciseOpen) {
  const std::string helper =
      "static float beyond(float v) {\n  std::vector<float> a(3);\n"
      "  volatile float* p = a.data();\n  p[3] = v;\n  return v;\n}\n";
  save(variant("x[i] / scale", "beyond(x[i]) / scale", helper));
  const process::Finished found = nibble({"run", "03"});
  EXPECT_EQ(found.exit_status, kStopped);
  EXPECT_HOLDS(found.out, "PASS  03_symmetric");
  EXPECT_HOLDS(found.out, "heap-buffer-overflow");
  EXPECT_HOLDS(found.out, "it costs no points");
  EXPECT_HOLDS(found.out, "--leg sanitizers");
  EXPECT_EQ(results()["points"], 75);
  EXPECT_EQ(results()["exit"], 4);
  EXPECT_HOLDS(progress(), " open ");
  const process::Finished alone = nibble({"run", "03", "--leg", "sanitizers"});
  EXPECT_EQ(alone.exit_status, kStopped);
  EXPECT_EQ(results()["legs"]["plain"], "not_run");
}

TEST_F(EndToEnd, CompileErrorsComeFirst) {
  save("#include \"symmetric.hpp\"\nint x = ;\n");
  const process::Finished broken = nibble({"run", "03"});
  EXPECT_EQ(broken.exit_status, kNoCompile);
  EXPECT_HOLDS(broken.out, "STOP  03_symmetric   does not compile");
  EXPECT_HOLDS(broken.out, "labs/03_symmetric/symmetric.cpp:2:9: error:");
  EXPECT_EQ(results()["verdict"], "no_compile");
  EXPECT_EQ(results()["points"], 0);
  EXPECT_EQ(nibble({"show", "03." + first_}).exit_status, kNoCompile);
}

TEST_F(EndToEnd, ACallNobodyNeedsIsALook) {
  save("#include <unistd.h>\n" + variant("x[i] / scale", "odd(x[i]) / scale",
                                         "static float odd(float v) {\n"
                                         "  if (v == 12345.0f) getppid();\n  return v;\n}\n"));
  const process::Finished run = nibble({"run", "03", "--leg", "plain"});
  EXPECT_HOLDS(run.out, "RULE  calls getppid, which no lab needs");
  EXPECT_EQ(results()["needs_look"], json::array({"rule"}));
  EXPECT_EQ(results()["points"], 75);
}

TEST_F(EndToEnd, FilesThatAreNoSource) {
  const auto words = [&](const std::string& text, int code) {
    save(text);
    const process::Finished run = nibble({"run", "03"});
    EXPECT_EQ(run.exit_status, code);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(files::read_file(file()), text);  // never touched
    return run.err;
  };
  EXPECT_HOLDS(words("", kNoCompile), "is empty");
  EXPECT_HOLDS(words(std::string("\x7f"
                                 "ELF\0\0",
                                 6),
                     kNoCompile),
               "is no text");
  EXPECT_HOLDS(words("// caf\xE9\n", kNoCompile), "not UTF-8");
  EXPECT_HOLDS(words(std::string(2 << 20, ' '), kNoCompile), "the limit is 256 KiB");
  fs::remove(file());
  const process::Finished missing = nibble({"run", "03"});
  EXPECT_EQ(missing.exit_status, kUsage);
  EXPECT_HOLDS(missing.err, "./nibble reset 03");
}

TEST_F(EndToEnd, ResetKeepsWhatWasThere) {
  save("mine");
  const process::Finished reset = nibble({"reset", "03." + last_});
  EXPECT_EQ(reset.exit_status, kPassed) << reset.err;
  EXPECT_HOLDS(reset.out, "symmetric.cpp.bak-1");
  EXPECT_HOLDS(reset.out, "the whole file");
  EXPECT_EQ(files::read_file(file()), starter());
  EXPECT_EQ(files::read_file(file().string() + ".bak-1"), "mine");
  EXPECT_HOLDS(nibble({"reset", "03"}).out, "is the starter already");
  save("mine again");
  nibble({"reset", "03"});
  EXPECT_EQ(files::read_file(file().string() + ".bak-2"), "mine again");
}

TEST_F(EndToEnd, AMissingFunctionIsNamed) {
  save(variant("std::vector<float> dequantize_symmetric(", "std::vector<float> other_name("));
  const std::string missing = nibble({"run", "03"}).out;
  EXPECT_HOLDS(missing,
               "  labs/03_symmetric/symmetric.cpp: error: dequantize_symmetric of the contract is");
  save(solution_ + "int main() { return 0; }\n");
  EXPECT_HOLDS(nibble({"run", "03"}).out,
               "error: there is a main() here: the grader brings its own");
}

TEST_F(EndToEnd, ASecondLookIsAnnounced) {
  save(variant("x[i] / scale", "huge(x[i]) / scale",
               "static float huge(float v) {\n  volatile std::size_t n = std::size_t{1} << 50;\n"
               "  try { std::vector<char> a(n); return a[5]; } catch (...) { return v; }\n}\n"));
  const process::Finished run = nibble({"run", "03"});
  EXPECT_HOLDS(run.out, "the sanitizers look next, and may stop it");
  EXPECT_HOLDS(run.out, "asks for 1125899906842624 bytes at once, more than there can be");
}

TEST_F(EndToEnd, ResetIsRemembered) {
  save(solution_);
  ASSERT_EQ(nibble({"run", "03", "--leg", "plain"}).exit_status, kPassed);
  const auto points = [&] {
    const json list = json::parse(nibble({"list", "--json"}).out);
    for (const json& lab : list["labs"]) {
      if (lab["lab"] == kLab) return lab["points"].get<int>();
    }
    return -1;
  };
  EXPECT_EQ(points(), 75);
  const process::Finished reset = nibble({"reset", "03"});
  EXPECT_EQ(points(), 0);
  const std::string key = "back   cp ";
  EXPECT_HOLDS(reset.out, key + "labs/03_symmetric/symmetric.cpp.bak-1 labs/03_symmetric/");
  fs::copy_file(file().string() + ".bak-1", file(), fs::copy_options::overwrite_existing);
  ASSERT_EQ(nibble({"run", "03", "--leg", "plain"}).exit_status, kPassed);
  EXPECT_EQ(points(), 75);
}

TEST_F(EndToEnd, HintsGoOnAndAreCounted) {
  const process::Finished one = nibble({"hint", "03." + last_});
  ASSERT_EQ(one.exit_status, kPassed) << one.err;
  EXPECT_HOLDS(one.out, "hint of level 1 of 3");
  EXPECT_EQ(one.out.find("left"), std::string::npos) << "only a course says how many";
  EXPECT_HOLDS(progress(), "hints=1");
  EXPECT_NE(nibble({"hint"}).out, one.out);
  nibble({"hint", "03." + last_, "--level", "1"});
  EXPECT_HOLDS(progress(), "hints=2");  // one that was shown before is free
  for (int i = 0; i < 9; ++i) nibble({"hint", "03." + last_});
  EXPECT_HOLDS(nibble({"hint", "03." + last_}).out, "that was the last hint");
  EXPECT_EQ(nibble({"hint", "03." + last_, "--level", "4"}).exit_status, kUsage);
}

TEST_F(EndToEnd, SolutionsWaitForAPassOrAWord) {
  const process::Finished refused = nibble({"solution", "03." + last_});
  EXPECT_EQ(refused.exit_status, kFailed);
  EXPECT_HOLDS(refused.out, "is not passed yet");
  const process::Finished given = nibble({"solution", "03." + last_, "--give-up"});
  EXPECT_EQ(given.exit_status, kPassed);
  EXPECT_HOLDS(given.out, last_ + "(");
  EXPECT_HOLDS(progress(), "gave-up=");
}

TEST_F(EndToEnd, ProgressMoves) {
  EXPECT_HOLDS(nibble({"progress"}).out, "nothing yet");
  write(root_.path() / "other.txt", kThreeLines);
  EXPECT_EQ(nibble({"progress", "import", "other.txt"}).exit_status, kPassed);
  EXPECT_HOLDS(nibble({"progress"}).out, "04.quantize_asymmetric");
  EXPECT_HOLDS(nibble({"progress"}).out, "minutes");
  EXPECT_EQ(nibble({"progress", "export", "out.txt"}).exit_status, kPassed);
  EXPECT_EQ(files::read_file(root_.path() / "out.txt"), progress());
  write(root_.path() / "bad.txt", "no\n");
  EXPECT_EQ(nibble({"progress", "import", "bad.txt"}).exit_status, kUsage);
  EXPECT_EQ(nibble({"progress", "import", "none.txt"}).exit_status, kUsage);
}

TEST_F(EndToEnd, DamagedNotesAreOneClearLine) {
  write(root_.path() / ".nibble" / "progress.txt", "not a line\n");
  write(root_.path() / ".nibble" / "out" / kLab / "results.json", "{");
  const process::Finished list = nibble({"list"});
  EXPECT_EQ(list.exit_status, kPassed);
  EXPECT_HOLDS(list.err, "progress.txt.bad-1");
  EXPECT_EQ(nibble({"list"}).err, "");
}

TEST_F(EndToEnd, NotesAndResultsOfOtherTypesAreNone) {
  save(solution_);
  EXPECT_EQ(nibble({"run", "03"}).exit_status, kPassed);
  const json right = results();
  for (const char* const name : {"verdict", "points", "legs", "checks", "started"}) {
    json damaged = right;
    damaged[name] = {{"a", 1}};
    write(root_.path() / ".nibble" / "out" / kLab / "results.json", damaged.dump());
    EXPECT_EQ(nibble({"report"}).exit_status, kPassed) << name;
    EXPECT_EQ(nibble({"list"}).exit_status, kPassed) << name;
  }
  for (const fs::path& child : children()) {
    json damaged = json::parse(files::read_file(child / "note.json"));
    damaged["prints"] = 7;
    write(child / "note.json", damaged.dump());
  }
  EXPECT_EQ(nibble({"run", "03"}).exit_status, kPassed);
}

TEST_F(EndToEnd, Placement) {
  save(solution_);
  write(root_.path() / ".nibble" / "progress.txt", "# nibble progress 1\n");
  std::string others;  // labs before this one are done already
  for (const std::string& lab : names_of(kit_.labs)) {
    if (lab == kLab) break;
    const json scheme = json::parse(files::read_file(kit_.scheme(lab)));
    for (const json& name : scheme["exercises"]) {
      others += lab.substr(0, 2) + "." + name.get<std::string>() + " passed 2026-01-01T00:00:00Z\n";
    }
  }
  write(root_.path() / ".nibble" / "progress.txt", others);
  const process::Finished placed = nibble({"next", "--placement"});
  EXPECT_EQ(placed.exit_status, kPassed) << placed.out << placed.err;
  EXPECT_HOLDS(placed.out, "placed  03_symmetric");
  EXPECT_HOLDS(progress(), "skipped-by-test");
}

TEST_F(EndToEnd, WordsThatAreWrong) {
  const auto err = [&](const std::vector<std::string>& words) {
    const process::Finished run = nibble(words);
    EXPECT_EQ(run.exit_status, kUsage) << run.out;
    EXPECT_LE(std::count(run.err.begin(), run.err.end(), '\n'), 70);
    return run.err;
  };
  EXPECT_HOLDS(err({"run", "symetric"}), "did you mean symmetric?");
  EXPECT_HOLDS(err({"03"}), "03 is no command; to judge 03_symmetric: ./nibble run 03");
  EXPECT_HOLDS(err({"wacth"}), "no command is called wacth: did you mean watch?");
  EXPECT_HOLDS(err({"run", "03", "--check", "Nothing"}), "no check of 03_symmetric");
  EXPECT_HOLDS(err({"run", "03", "--seed", "zz"}), "a seed is written as");
  EXPECT_HOLDS(err({"run", "03", "--case", "Nothing"}), "no case");
  EXPECT_HOLDS(err({"explain", "N-NOTHING"}), "./nibble explain lists them");
  err({"run"});
  err({"frobnicate"});
  err({"run", "03", "--leg", "telepathy"});
  EXPECT_EQ(nibble({"--help"}).exit_status, kPassed);
  EXPECT_HOLDS(nibble({"--version"}).out, "1.0.0");
  const std::string page = nibble({"explain", "axis"}).out;
  EXPECT_HOLDS(page, "N-AXIS: rows taken for columns");
  EXPECT_EQ(page.find_first_of("*`"), std::string::npos) << page;
  EXPECT_HOLDS(nibble({"explain"}).out, "N-ROUND       wrong half-way rule");
}

TEST_F(EndToEnd, AKitThatIsNotBuilt) {
  const process::Finished none = nibble({"list"}, {"NIBBLE_BUILD=/nonexistent"});
  EXPECT_EQ(none.exit_status, kUsage);
  EXPECT_HOLDS(none.err, "the kit is not built");
}

/// A kit like ours but for what `change` does to its description.
fs::path changed_kit(const lab::Kit& kit, const fs::path& folder,
                     const std::function<void(json&)>& change) {
  fs::create_directories(folder);
  for (const auto& entry : fs::directory_iterator(kit.build)) {
    const std::string name = entry.path().filename().string();
    if (name == "kit.json" || name == "not_built") continue;
    fs::create_symlink(entry.path(), folder / name);
  }
  json description = json::parse(files::read_file(kit.build / "kit.json"));
  change(description);
  write(folder / "kit.json", description.dump());
  return folder;
}

/// As ./nibble writes it down.
TEST_F(EndToEnd, ALabThatDidNotBuildStopsNothingElse) {
  const fs::path build = changed_kit(kit_, root_.path() / "kit", [](json&) {});
  write(build / "not_built" / "03_symmetric.txt",
        "In file included from x:\n" +
            (kit_.source / "grader/checks/03_symmetric/symmetric_scale.cpp").string() +
            ":12:3: error: planted\n  12 | int\n");
  const std::string other = "NIBBLE_BUILD=" + build.string();
  EXPECT_EQ(nibble({"list"}, {other}).exit_status, kPassed);
  EXPECT_EQ(nibble({"hint", "03.symmetric_scale"}, {other}).exit_status, kPassed);
  EXPECT_EQ(nibble({"run", "01"}, {other}).exit_status, kFailed);
  EXPECT_EQ(nibble({}, {other}).exit_status, kFailed);  // the next one, which is another
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", "03"}, {"asm", "03"}, {"show", "03"}}) {
    const process::Finished asked = nibble(words, {other});
    EXPECT_EQ(asked.exit_status, kKitFault) << words[0];
    EXPECT_HOLDS(asked.err,
                 "lab 03's checks do not build: "
                 "grader/checks/03_symmetric/symmetric_scale.cpp:12:3: error: planted");
  }
}

/// A kit whose ./nibble writes down what it is asked for, and ends as it is told.
TEST_F(EndToEnd, ALabIsBuiltWhenItIsFirstAskedFor) {
  const fs::path source = root_.path() / "source", asked = root_.path() / "asked";
  fs::create_directories(source);
  for (const auto& entry : fs::directory_iterator(kit_.source)) {
    const std::string name = entry.path().filename().string();
    if (name != "nibble") fs::create_symlink(entry.path(), source / name);
  }
  const auto stand_in = [&](int status) {
    write(source / "nibble",
          "#!/bin/sh\necho \"$*\" >>" + asked.string() + "\nexit " + std::to_string(status) + "\n");
    fs::permissions(source / "nibble", fs::perms::owner_all);
    write(asked, "");
  };
  const fs::path build = changed_kit(kit_, root_.path() / "kit", [&](json& description) {
    description["source"] = source.string();
  });
  const std::string kit = "NIBBLE_BUILD=" + build.string();
  const auto run = [&](const std::string& fresh) {
    return nibble({"run", "03"}, {kit, "NIBBLE_FRESH=" + fresh});
  };
  stand_in(0);
  EXPECT_EQ(run("03_symmetric").exit_status, kFailed);
  EXPECT_EQ(nibble({"list"}, {kit, "NIBBLE_FRESH="}).exit_status, kPassed);
  EXPECT_EQ(nibble({"run", "03"}, {kit}).exit_status, kFailed);  // nobody's script started it
  EXPECT_EQ(files::read_file(asked), "");
  EXPECT_EQ(run("01_grid").exit_status, kFailed);
  EXPECT_EQ(files::read_file(asked), "build 03_symmetric\n");
  stand_in(6);
  const process::Finished broken = run("");
  EXPECT_EQ(broken.exit_status, kKitFault);
  EXPECT_HOLDS(broken.err, "lab 03 is not built: the lines above say why");
}

TEST_F(EndToEnd, ACompilerThatIsGone) {
  const fs::path folder = changed_kit(kit_, root_.path() / "kit", [](json& description) {
    description["cxx"] = "/nonexistent/c++";
  });
  const std::string variable = "NIBBLE_BUILD=" + folder.string();
  const process::Finished run = nibble({"run", "03"}, {variable});
  EXPECT_EQ(run.exit_status, kNotHere);
  EXPECT_HOLDS(run.err, "the compiler cannot be started");
  const process::Finished doctor = nibble({"doctor"}, {variable});
  EXPECT_EQ(doctor.exit_status, kNotHere);
  EXPECT_HOLDS(doctor.out, "fail  compiler");
}

TEST_F(EndToEnd, SanitizersThatAreNotHere) {
  const fs::path folder = changed_kit(kit_, root_.path() / "kit", [](json& description) {
    description["kinds"]["ordinary"]["sanitizer_flags"].push_back("-fno-such-flag-at-all");
  });
  save(solution_);
  const process::Finished run = nibble({"run", "03"}, {"NIBBLE_BUILD=" + folder.string()});
  EXPECT_EQ(run.exit_status, kPassed) << run.out;
  EXPECT_HOLDS(run.out, "sanitizers  cannot be built on this machine");
  EXPECT_EQ(results()["legs"]["sanitizers"], "not_here");
}

TEST_F(EndToEnd, AJudgeThatFailsIsNobodysZero) {
  const fs::path folder = changed_kit(kit_, root_.path() / "kit", [](json&) {});
  fs::remove(folder / "bin");
  fs::create_directories(folder / "bin");
  fs::create_symlink("/bin/false", folder / "bin" / ("judge." + std::string(kLab)));
  const process::Finished run = nibble({"run", "03"}, {"NIBBLE_BUILD=" + folder.string()});
  EXPECT_EQ(run.exit_status, kKitFault);
  EXPECT_HOLDS(run.err, "a fault of the kit, not of your code");
  EXPECT_FALSE(fs::exists(root_.path() / ".nibble" / "out"));
  EXPECT_EQ(progress(), "");
}

TEST_F(EndToEnd, Doctor) {
  const process::Finished doctor = nibble({"doctor"});
  EXPECT_EQ(doctor.exit_status, kPassed) << doctor.out;
  for (const char* const word : {"compiler", "linker", "sanitizers", "vector", "gpu", "sandbox",
                                 "speed", "disk", "notes", "file events"}) {
    EXPECT_HOLDS(doctor.out, word);
  }
  EXPECT_HOLDS(doctor.out, "address, undefined") << "the other tests have just used them";
}

TEST_F(EndToEnd, AFolderThatCannotBeWritten) {
  std::ofstream(root_.path() / ".nibble") << "in the way";
  const process::Finished run = nibble({"run", "03"});
  EXPECT_EQ(run.exit_status, kUsage);
  EXPECT_HOLDS(run.err, "move it away");
  EXPECT_EQ(files::read_file(file()), starter());
  fs::remove(root_.path() / ".nibble");
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  chmod(root_.path().c_str(), 0555);
  const process::Finished denied = nibble({"run", "03"});
  chmod(root_.path().c_str(), 0755);
  EXPECT_EQ(denied.exit_status, kUsage);
  EXPECT_HOLDS(denied.err, "not allowed");
}

// --- Watch --------------------------------------------------------------------------------------

/// A watch in another thread; it ends when told to, or after two minutes.
class Watching {
 public:
  explicit Watching(process::Command command) {
    command.cancelled = [this] { return stop_.load(); };
    thread_ = std::thread([this, command] { finished_ = process::run(command); });
  }
  ~Watching() { end(); }

  process::Finished end() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    return finished_;
  }

 private:
  std::atomic<bool> stop_ = false;
  process::Finished finished_;
  std::thread thread_;
};

template <class Condition>
bool comes_true(const Condition& condition) {
  for (int i = 0; i < 600; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(50ms);
  }
  return false;
}

class WatchEndToEnd : public EndToEnd, public testing::WithParamInterface<const char*> {};

TEST_P(WatchEndToEnd, ASaveIsJudged) {
  Watching watching(command({"watch", "03"}, {GetParam()}));
  std::this_thread::sleep_for(1s);
  const auto is = [&](const char* verdict) {
    return comes_true([&] {
      const fs::path file = root_.path() / ".nibble" / "out" / kLab / "results.json";
      return fs::exists(file) && results()["verdict"] == verdict;
    });
  };
  save("this is no C++\n");
  EXPECT_TRUE(is("no_compile"));
  save("");  // an editor that is half done, or a mistake: watch goes on
  std::this_thread::sleep_for(700ms);
  save(rounds_away());
  EXPECT_TRUE(is("fail"));
  save(solution_);
  EXPECT_TRUE(is("pass"));
  std::this_thread::sleep_for(300ms);
  const std::string out = watching.end().out;
  EXPECT_HOLDS(out, "watching labs/03_symmetric (");
  EXPECT_HOLDS(out, "save  symmetric.cpp   STOP does not compile");
  EXPECT_HOLDS(out, "is empty");
  EXPECT_HOLDS(out, "FAIL ");
  EXPECT_HOLDS(out, "N-ROUND");
  EXPECT_HOLDS(out, "PASS ");
  EXPECT_HOLDS(out, " points");
}

INSTANTIATE_TEST_SUITE_P(Both, WatchEndToEnd, testing::Values("NIBBLE_POLL=0", "NIBBLE_POLL=1"));

}  // namespace
}  // namespace nibble::cli
