// What Canvas and Moodle let an instructor download, straight in: everybody's files find their
// owner, and nobody else.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "archive_maker.hpp"
#include "batch/downloads.hpp"
#include "batch/reception.hpp"
#include "export/class.hpp"
#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "holds.hpp"
#include "intake/download.hpp"
#include "intake/take.hpp"
#include "process/command.hpp"
#include "text/moment.hpp"

namespace nibble::batch {
namespace {

namespace fs = std::filesystem;
using intake::download_name;
using intake::Entry;
using intake::Format;
using intake::make_archive;

TEST(DownloadName, SaysWhoseAFileIs) {
  const auto canvas = download_name("lovelaceada_LATE_4711_90210_symmetric-1.cpp");
  ASSERT_TRUE(canvas);
  EXPECT_EQ(canvas->person, "lovelaceada_4711");
  EXPECT_EQ(canvas->user, "canvas 4711");
  EXPECT_EQ(canvas->rest, "symmetric-1.cpp");
  EXPECT_TRUE(canvas->is_called_late);
  const auto moodle = download_name("Ada Lovelace_71_assignsubmission_file/labs/x.cpp");
  ASSERT_TRUE(moodle);
  EXPECT_EQ(moodle->person, "Ada Lovelace_71");
  EXPECT_EQ(moodle->user, "moodle 71");
  EXPECT_EQ(moodle->rest, "labs/x.cpp");
  EXPECT_EQ(download_name("Ada_B_71_assignsubmission_file_/x.cpp")->rest, "x.cpp");
  EXPECT_EQ(download_name("Ada_71_assignsubmission_file_x.cpp")->rest, "x.cpp");
  EXPECT_EQ(download_name("week 3/kim_1_2_x.cpp")->user, "canvas 1") << "one folder around it";
  for (const char* const other :
       {"symmetric.cpp", "kim/symmetric.cpp", "kim_12.zip", "kim_1_symmetric.cpp",
        "a/b/kim_1_2_x.cpp", "../kim_1_2_x.cpp", "/kim_1_2_x.cpp", "k\x1bm_1_2_x.cpp", ""}) {
    EXPECT_FALSE(download_name(other)) << other;
  }
}

class DownloadTest : public testing::Test {
 protected:
  fs::path put(const std::string& file, const std::string& text) const {
    files::write_atomically(here_.path() / file, text);
    return here_.path() / file;
  }
  fs::path zip(const std::string& file, const std::vector<Entry>& entries) const {
    return put(file, make_archive(Format::kZip, entries));
  }
  std::vector<Delivery> found(const fs::path& download) const {
    return find_downloaded(kit_, download, labs_, grades()).value_or(std::vector<Delivery>());
  }
  fs::path grades() const { return here_.path() / "grades"; }
  std::vector<std::string> receive_all(const std::vector<Delivery>& all) const {
    std::vector<std::string> lines;
    make_folders(grades(), all);
    for (const Delivery& one : all) {
      for (std::string& line : receive(kit_, one, labs_, grades(), here_.path() / "work")) {
        lines.push_back(std::move(line));
      }
    }
    return lines;
  }
  /// What was taken of somebody, or "-".
  std::string taken(const std::string& who, const std::string& lab = "03_symmetric") const {
    const fs::path file = grades() / who / "submitted" / lab / kit_.lab(lab).file_name();
    return fs::exists(file) ? files::read_file(file) : "-";
  }
  std::string intake_of(const std::string& who) const {
    return files::read_file(grades() / who / "intake.json");
  }

  const lab::Kit kit_ = lab::open_kit(NIBBLE_TEST_BUILD);
  const std::vector<lab::Lab> labs_ = kit_.choose({"03", "05"});
  const files::ScratchFolder here_{fs::temp_directory_path()};
};

TEST_F(DownloadTest, CanvasAsItComes) {
  const std::string inner = make_archive(
      Format::kZip, {{"homework/03_symmetric/symmetric.cpp", "int zoe;\n"}, {"homework/a.txt"}});
  const fs::path canvas =
      zip("submissions.zip", {{"lovelaceada_1_10_symmetric.cpp", "int one;\n"},
                              {"lovelaceada_1_14_per_channel.cpp", "int two;\n"},
                              {"harakit_LATE_2_11_symmetric-2.cpp", "new;\n"},
                              {"harakit_LATE_2_09_symmetric.cpp", "old;\n"},
                              {"hopperzoe_3_12_homework-1.zip", inner},
                              {"hopperzoe_3_13_notes.pdf", "%PDF"},
                              {"mossbo_4_15_symmetric (1).cpp", "int bo;\n"},
                              {"curieann_5_16_symetric.cpp", "typo\n"},
                              {"fuchs_7_19_homework.rar", "Rar!"},
                              {"noether_6_17_symmetric.cpp", "a\n"},
                              {"noether_6_18_hw.zip", inner}});
  const std::vector<Delivery> all = found(canvas);
  ASSERT_EQ(all.size(), 7u);
  const std::vector<std::string> lines = receive_all(all);
  EXPECT_EQ(taken("lovelaceada_1"), "int one;\n");
  EXPECT_EQ(taken("lovelaceada_1", "05_per_channel"), "int two;\n")
      << "several files of one person";
  EXPECT_EQ(taken("harakit_2"), "new;\n") << "uploaded again";
  EXPECT_EQ(taken("hopperzoe_3"), "int zoe;\n");
  EXPECT_EQ(taken("mossbo_4"), "int bo;\n") << "as browsers count";
  EXPECT_EQ(taken("curieann_5"), "-");
  EXPECT_EQ(taken("noether_6"), "-");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_HOLDS(lines[0], "curieann_5: there is no symmetric.cpp; is symetric.cpp meant?");
  EXPECT_HOLDS(lines[1], "fuchs_7: homework.rar is neither a source nor a .zip");
  EXPECT_HOLDS(lines[2], "noether_6: ");
  EXPECT_HOLDS(lines[2], "are both there: leave one");
  EXPECT_HOLDS(intake_of("harakit_2"), "\"user\": \"canvas 2\"");
  EXPECT_HOLDS(intake_of("harakit_2"), "\"late\": true");
  const gradebook::Class all_read = gradebook::read_class(grades());
  const auto entry = [&](const char* who, const char* lab) {
    const auto place = all_read.entries.find({who, lab});
    return place == all_read.entries.end() ? "" : place->second;
  };
  EXPECT_EQ(entry("lovelaceada_1", "05_per_channel"), "lovelaceada_1_14_per_channel.cpp");
  EXPECT_EQ(entry("harakit_2", "03_symmetric"), "harakit_LATE_2_11_symmetric-2.cpp");
  EXPECT_EQ(entry("hopperzoe_3", "03_symmetric"), "hopperzoe_3_12_homework-1.zip");
  EXPECT_EQ(entry("hopperzoe_3", "05_per_channel"), "") << "nothing came of it";
  EXPECT_EQ(entry("fuchs_7", "03_symmetric"), "fuchs_7_19_homework.rar") << "refused, and theirs";
  EXPECT_EQ(intake_of("lovelaceada_1").find("\"late\""), std::string::npos);
}

TEST_F(DownloadTest, MoodleAsItComesAndUnpacked) {
  const std::string decomposed = "Jose\xcc\x81 Moss_71_assignsubmission_file";
  const std::vector<Entry> entries = {
      {decomposed + "/03_symmetric/symmetric.cpp", "int jose;\n"},
      {"Ada Lovelace_72_assignsubmission_file_/per_channel.cpp", "int ada;\n"},
      {"Ada Lovelace_72_assignsubmission_onlinetext_/onlinetext.html", "<p>"}};
  receive_all(found(zip("moodle.zip", entries)));
  EXPECT_EQ(taken("Jose\xcc\x81 Moss_71"), "int jose;\n");
  EXPECT_EQ(taken("Ada Lovelace_72", "05_per_channel"), "int ada;\n");
  for (const Entry& entry : entries) put("unpacked/" + entry.name, entry.text);
  put("unpacked/kim/symmetric.cpp", "int kim;\n");
  const std::vector<Delivery> all = found(here_.path() / "unpacked");
  ASSERT_EQ(all.size(), 3u) << "who is beside a download is not lost";
  EXPECT_EQ(all[2].id, "kim");
  receive_all(all);
  EXPECT_EQ(taken("kim"), "int kim;\n");
}

TEST_F(DownloadTest, OneFlatFolderIsManyPeople) {
  put("flat/lovelaceada_1_10_symmetric.cpp", "int one;\n");
  put("flat/lovelaceada_1_11_per_channel.cpp", "int two;\n");
  put("flat/harakit_2_12_symmetric.cpp", "int kit;\n");
  const std::vector<Delivery> all = found(here_.path() / "flat");
  ASSERT_EQ(all.size(), 2u);
  receive_all(all);
  EXPECT_EQ(taken("lovelaceada_1", "05_per_channel"), "int two;\n");
  EXPECT_EQ(taken("harakit_2"), "int kit;\n");
}

TEST_F(DownloadTest, WhatNobodyDownloadedIsNoDownload) {
  EXPECT_TRUE(found(zip("kim.zip", {{"symmetric.cpp", "int kim;\n"}})).empty());
  EXPECT_TRUE(found(put("torn.zip", "PK\x03\x04")).empty()) << "said when it is taken in";
  put("class/kim/symmetric.cpp", "int kim;\n");
  EXPECT_TRUE(found(here_.path() / "class").empty());
  EXPECT_FALSE(fs::exists(grades())) << "nothing is written for it";
}

/// Next week's download holds other people at other places; nobody may find another's file.
TEST_F(DownloadTest, NobodyIsTakenForAnotherNextWeek) {
  receive_all(found(zip("week.zip", {{"adler_1_10_symmetric.cpp", "int adler;\n"},
                                     {"brandt_2_11_symmetric.cpp", "int brandt;\n"}})));
  const std::vector<Delivery> before = found(here_.path() / "week.zip");
  std::vector<Delivery> now = found(zip(
      "week.zip", {{"newname_2_20_symmetric.cpp", "int again;\n"}, {"chen_3_21_symmetric.cpp"}}));
  call_as_before(now, before);
  EXPECT_EQ(now[0].user == "canvas 2" ? now[0].id : now[1].id, "brandt_2")
      << "goes by another name";
  receive_all(now);
  receive_all({before[0]});  // as --resume does: adler is in it no more, and keeps what was taken
  EXPECT_EQ(taken("adler_1"), "int adler;\n");
  EXPECT_EQ(taken("brandt_2"), "int again;\n");
}

TEST_F(DownloadTest, AnotherLabsFileIsNotNothing) {
  const fs::path week = zip("week.zip", {{"kim_1_10_grid.cpp", "int kim;\n"}});
  ASSERT_EQ(receive_all(found(week)).size(), 1u);
  EXPECT_EQ(gradebook::read_class(grades()).ungraded.at(0).why,
            "refused: holds no file of these labs");
  put("class/lee/README.md", "to do\n");
  receive_all(find_submissions({here_.path() / "class/lee"}, labs_));
  EXPECT_EQ(gradebook::read_class(grades()).ungraded.size(), 1u) << "lee handed in nothing";
}

/// As --resume meets it where the grades were carried to another machine.
TEST_F(DownloadTest, WhyOneWasRefusedOutlivesTheDownload) {
  const std::vector<Delivery> before =
      found(zip("week.zip", {{"curieann_5_16_symetric.cpp", "typo\n"}}));
  receive_all(before);
  fs::remove_all(grades() / ".batch");
  EXPECT_TRUE(receive_all(before).empty());
  EXPECT_HOLDS(gradebook::why_not_taken(grades() / "curieann_5", "03_symmetric"),
               "is symetric.cpp meant?");
}

TEST_F(DownloadTest, WickedEntriesGainNothing) {
  put("secret.cpp", "the solution\n");
  EXPECT_TRUE(found(zip("out.zip", {{"kim_1_2_x/../../../symmetric.cpp", "x"}})).empty());
  receive_all(found(
      zip("wicked.zip", {{"kim_1_2_symmetric.cpp", "", AE_IFLNK, "../../../secret.cpp"},
                         {"Lee_7_assignsubmission_file/a.zip", "no archive"},
                         {"Lee_7_assignsubmission_file/a.zip/symmetric.cpp", "int lee;\n"}})));
  EXPECT_EQ(taken("kim_1"), "-");
  EXPECT_FALSE(fs::exists(here_.path() / "symmetric.cpp"));
}

/// Feedback goes back to the upload that a course system has now, whatever came before.
TEST_F(DownloadTest, TheLastDownloadSaysWhatAFileIsCalled) {
  const auto entry = [&] {
    const gradebook::Class all = gradebook::read_class(grades());
    return all.entries.at({"adler_1", "03_symmetric"});
  };
  receive_all(found(zip("week.zip", {{"adler_1_10_symmetric.cpp", "int adler;\n"}})));
  EXPECT_EQ(entry(), "adler_1_10_symmetric.cpp");
  receive_all(found(zip("again.zip", {{"adler_1_31_symmetric.cpp", "int adler;\n"}})));
  EXPECT_EQ(entry(), "adler_1_31_symmetric.cpp") << "the same text, uploaded again";
  receive_all(found(zip("other.zip", {{"adler_1_40_per_channel.cpp", "int adler;\n"}})));
  EXPECT_EQ(entry(), "adler_1_31_symmetric.cpp") << "another assignment";
  receive_all(found(zip("m.zip", {{"Ada_71_assignsubmission_file/symmetric.cpp", "x;\n"}})));
  EXPECT_FALSE(gradebook::read_class(grades()).entries.contains({"Ada_71", "03_symmetric"}));
}

/// In by a download, out into the gradebook it came from.
TEST_F(DownloadTest, ItsUsersAreKnownToTheClass) {
  receive_all(found(zip("week.zip", {{"adler_1_10_symmetric.cpp", "int adler;\n"}})));
  const gradebook::Class all = gradebook::read_class(grades());
  ASSERT_EQ(all.ungraded.size(), 1u) << "not graded yet";
  EXPECT_EQ(all.ungraded[0].user, "canvas 1");
}

// --- Attempts and times --------------------------------------------------------------------------

TEST_F(DownloadTest, AnotherFileIsAnotherAttemptAndKeepsItsGrade) {
  const auto hand_in = [&](const std::string& text) {
    put("in/kim/symmetric.cpp", text);
    const Delivery one{"kim", (here_.path() / "in/kim").string(), {"03_symmetric"}};
    receive_all({one});
  };
  hand_in("int first;\n");
  put("grades/kim/03_symmetric.json", "{\"lab\": \"03_symmetric\"}\n");
  hand_in("int first;\n");
  EXPECT_TRUE(fs::exists(grades() / "kim/03_symmetric.json")) << "the same file";
  hand_in("int second;\n");
  EXPECT_FALSE(fs::exists(grades() / "kim/03_symmetric.json")) << "is of another file";
  EXPECT_HOLDS(files::read_file(grades() / "kim/attempts/03_symmetric/001.json"), "\"result\"");
}

TEST_F(DownloadTest, TheTimeInAnArchiveIsKeptAndTheFirstCounts) {
  const auto tar = [&](const char* name, const char* when) {
    const auto at = text::moment_of(when)->time_since_epoch().count();
    return put(name,
               make_archive(Format::kTar, {{"symmetric.cpp", "int x;\n", AE_IFREG, "", "", at}}));
  };
  const Delivery late{"kim", tar("b/kim.tar", "2026-10-13T10:00:00Z").string(), {"03_symmetric"}};
  const Delivery early{"kim", tar("a/kim.tar", "2026-10-12T10:00:00Z").string(), {"03_symmetric"}};
  receive_all({late});
  EXPECT_HOLDS(intake_of("kim"), "\"at\": \"2026-10-13T10:00:00Z\"");
  EXPECT_HOLDS(intake_of("kim"), "\"source\": \"archive\"");
  receive_all({early});
  EXPECT_HOLDS(intake_of("kim"), "\"at\": \"2026-10-12T10:00:00Z\"");
  receive_all({late});
  EXPECT_HOLDS(intake_of("kim"), "\"at\": \"2026-10-12T10:00:00Z\"") << "the same text, once more";
}

/// And nothing that a clone configures is run.
TEST_F(DownloadTest, GitSaysWhenAFileWasCommitted) {
  const fs::path clone = here_.path() / "in/kim";
  put("in/kim/labs/03_symmetric/symmetric.cpp", "int x;\n");
  const auto git = [&](const std::vector<std::string>& words) {
    process::Command command;
    command.words = {"git", "-c", "user.name=kim", "-c", "user.email=kim@example.edu"};
    command.words.insert(command.words.end(), words.begin(), words.end());
    command.directory = clone.string();
    command.environment = {"GIT_COMMITTER_DATE=2026-10-12T10:00:00Z",
                           "GIT_AUTHOR_DATE=2020-01-01T00:00:00Z"};
    return process::run(command).ok();
  };
  if (!git({"init", "-q"})) GTEST_SKIP() << "git is not here";
  ASSERT_TRUE(git({"add", "."}) && git({"commit", "-q", "-m", "done"}));
  const fs::path trap = here_.path() / "ran";
  std::ofstream(clone / ".git/config", std::ios::app)
      << "[core]\n\tfsmonitor = touch " << trap.string() << "\n\tpager = touch " << trap.string()
      << "\n[log]\n\tshowSignature = true\n[gpg]\n\tprogram = touch\n";
  receive_all({{"kim", clone.string(), {"03_symmetric"}}});
  EXPECT_HOLDS(intake_of("kim"), "\"at\": \"2026-10-12T10:00:00Z\"");
  EXPECT_HOLDS(intake_of("kim"), "\"source\": \"git\"");
  EXPECT_FALSE(fs::exists(trap));
  ASSERT_TRUE(git({"pack-refs", "--all"}) && git({"gc", "-q"}));
  fs::remove_all(grades() / "kim");
  receive_all({{"kim", clone.string(), {"03_symmetric"}}});
  EXPECT_HOLDS(intake_of("kim"), "\"source\": \"git\"") << "packed";
}

}  // namespace
}  // namespace nibble::batch
