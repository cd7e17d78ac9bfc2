// What a learner has done: its file, line by line, and the commands that read it and write it.
#include "cli/progress.hpp"
#include "cli/record.hpp"
#include "end_to_end.hpp"

namespace nibble::cli {
namespace {

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

}  // namespace
}  // namespace nibble::cli
