// nibble pack: what it puts in, what it leaves out, and that the intake takes all of it.
#include <fstream>

#include "cli/trouble.hpp"
#include "cli/ustar.hpp"
#include "intake/take.hpp"
#include "learners_project.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;

class Pack : public LearnersProject {
 protected:
  void save(const std::string& lab, const std::string& text) const {
    std::ofstream(root_ / kit_.lab(lab).file()) << text;
  }
  fs::path tar() const { return root_ / "submission.tar"; }
  bool reads_archives() const { return fs::exists(kit_.build / "bin" / "nibble-unpack"); }
};

TEST_F(Pack, HoldsTheBegunLabsAndSaysSo) {
  save_solution();
  std::ofstream(root_ / "labs" / "03_symmetric" / "notes.txt") << "private";
  const process::Finished packed = nibble({"pack"});
  ASSERT_EQ(packed.exit_status, kPassed) << packed.err;
  EXPECT_HOLDS(packed.out, "packed  submission.tar   1 of ");
  EXPECT_HOLDS(packed.out, "in    03_symmetric/symmetric.cpp");
  EXPECT_HOLDS(packed.out, "out   the starters still: 01 ");
  const std::string archive = files::read_file(tar());
  EXPECT_HOLDS_NO(archive, "private");
  EXPECT_HOLDS_NO(archive, "grid.cpp");
}

TEST_F(Pack, TheIntakeTakesWhatWasPacked) {
  if (!reads_archives()) GTEST_SKIP() << "built without libarchive";
  save_solution();
  ASSERT_EQ(nibble({"pack"}).exit_status, kPassed);
  const intake::Taken taken = intake::take(kit_, tar(), kit_.choose({"01", "03"}), root_ / "clean");
  ASSERT_EQ(taken.files.size(), 1u);
  EXPECT_EQ(files::read_file(taken.files[0].path), files::read_file(root_ / kit_.lab("03").file()));
  ASSERT_EQ(taken.refusals.size(), 1u);
  EXPECT_EQ(taken.refusals[0].why, "there is no grid.cpp");
}

/// Of the day there is one line in it.
TEST_F(Pack, TheSameFilesGiveTheSameBytesButForTheTime) {
  save_solution();
  ASSERT_EQ(nibble({"pack", "03", "-o", "a.tar"}).exit_status, kPassed);
  fs::last_write_time(root_ / kit_.lab("03").file(), fs::file_time_type{});
  fs::permissions(root_ / kit_.lab("03").file(), fs::perms::owner_all);
  ASSERT_EQ(nibble({"pack", "symmetric", "-o", "b.tar"}).exit_status, kPassed);
  const auto without_time = [&](const char* file) {
    std::string bytes = files::read_file(root_ / file);
    const std::size_t at = bytes.find("packed 20");
    EXPECT_NE(at, bytes.npos);
    return bytes.replace(at, std::string("packed 2026-10-12T21:59:00Z").size(), "");
  };
  EXPECT_EQ(without_time("a.tar"), without_time("b.tar"));
}

TEST_F(Pack, TheManifestSaysWhenAndIsBelievedForItsOwnTextAlone) {
  if (!reads_archives()) GTEST_SKIP() << "built without libarchive";
  save_solution();
  ASSERT_EQ(nibble({"pack", "03"}).exit_status, kPassed);
  const auto taken = [&](const fs::path& archive, const char* to) {
    return intake::take(kit_, archive, kit_.choose({"03"}), root_ / to).files.at(0).handed_in;
  };
  const record::HandIn packed = taken(tar(), "clean");
  ASSERT_TRUE(packed.at);
  EXPECT_EQ(packed.source, record::TimeSource::kManifest);
  const auto now = std::chrono::system_clock::now();
  EXPECT_LT(now - *packed.at, std::chrono::minutes(10));
  std::string other = files::read_file(tar());
  other[other.find("int8") + 3] = '9';  // of the text, behind the manifest's back
  files::write_atomically(root_ / "other.tar", other);
  EXPECT_FALSE(taken(root_ / "other.tar", "clean2").at);
}

TEST_F(Pack, WhatDoesNotCompileIsPackedOnlyByForce) {
  save("03_symmetric", "int broken(\n");
  const process::Finished refused = nibble({"pack"});
  EXPECT_EQ(refused.exit_status, kNoCompile);
  EXPECT_HOLDS(refused.err, "./nibble run 03 says why, --force packs");
  EXPECT_FALSE(fs::exists(tar()));
  EXPECT_EQ(nibble({"pack", "--force"}).exit_status, kPassed);
  EXPECT_TRUE(fs::exists(tar()));
}

TEST_F(Pack, RefusesInOneLine) {
  const auto line = [&](const std::vector<std::string>& words) { return nibble(words).err; };
  EXPECT_HOLDS(line({"pack"}), "there is nothing to hand in yet: every lab is a starter still");
  EXPECT_HOLDS(line({"pack", "03"}), "symmetric.cpp is the starter still");
  EXPECT_HOLDS(line({"pack", "03.quantize_symmetric"}), "./nibble pack 03");
  EXPECT_EQ(nibble({"pack", "no_such_lab"}).exit_status, kUsage);
  save("03_symmetric", std::string(300'000, '/'));
  EXPECT_HOLDS(line({"pack", "03"}), "has 300000 bytes; the limit is 256 KiB");
  fs::remove(root_ / kit_.lab("03").file());
  EXPECT_HOLDS(line({"pack", "03"}), "symmetric.cpp is not there");
  save_solution();
  EXPECT_EQ(nibble({"pack", "-o", "no/such/folder.tar"}).exit_status, kPassed);  // folders are made
  EXPECT_EQ(nibble({"pack", "-o", "/proc/submission.tar"}).exit_status, kUsage);
}

TEST(Ustar, IsWhatEveryTarReads) {
  Ustar archive;
  archive.add("a/b.cpp", "text");
  archive.add("c.cpp", std::string(513, 'x'));
  const std::string bytes = archive.bytes();
  EXPECT_EQ(bytes.size(), 512u * (1 + 1 + 1 + 2 + 2));
  EXPECT_EQ(bytes.substr(257, 8), std::string("ustar\00000", 8));
  EXPECT_EQ(bytes.substr(124, 12), std::string("00000000004\0", 12));
  EXPECT_THROW(archive.add(std::string(101, 'n'), ""), std::length_error);
}

}  // namespace
}  // namespace nibble::cli
