// Archives that people hand in: every honest one is read, and of each hostile one nothing is. The
// process that reads them is the real one, behind its limits.
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <functional>

#include "archive_maker.hpp"
#include "intake/archive.hpp"
#include "intake/source_text.hpp"
#include "intake_project.hpp"

namespace nibble::intake {
namespace {

namespace fs = std::filesystem;

constexpr Format kEvery[] = {Format::kZip, Format::kTar, Format::kTarGz};

class IntakeArchive : public IntakeProject {
 protected:
  fs::path save(const std::string& bytes, const std::string& name = "alice.zip") {
    write(root_ / name, bytes);
    return root_ / name;
  }
  void holds(const std::string& line, const std::string& part, const std::string& what) {
    EXPECT_NE(line.find(part), std::string::npos) << what << ": " << line;
  }
};

TEST_F(IntakeArchive, EveryHonestShapeIsTaken) {
  for (const Format format : kEvery) {
    for (const char* const place :
         {"symmetric.cpp", "./symmetric.cpp", "03_symmetric/symmetric.cpp",
          "labs/03_symmetric/symmetric.cpp", "alice/symmetric.cpp",
          "my-project-main/labs/03_symmetric/symmetric.cpp"}) {
      const std::string bytes = make_archive(
          format, {{place, kGood}, {"__MACOSX/._symmetric.cpp", "x"}, {".DS_Store", "x"}});
      EXPECT_TRUE(takes_the_good_one(save(bytes))) << place << int(format);
    }
  }
}

TEST_F(IntakeArchive, ItsNameMayEndInFourWays) {
  EXPECT_TRUE(takes_the_good_one(
      save(make_archive(Format::kTarGz, {{"symmetric.cpp", kGood}}), "a.tar.gz")));
  EXPECT_TRUE(
      takes_the_good_one(save(make_archive(Format::kTarGz, {{"symmetric.cpp", kGood}}), "b.tgz")));
  EXPECT_TRUE(
      takes_the_good_one(save(make_archive(Format::kTar, {{"symmetric.cpp", kGood}}), "c.tar")));
}

TEST_F(IntakeArchive, WhatStandsBesideItIsReadOver) {
  for (const Format format : kEvery) {
    EXPECT_TRUE(takes_the_good_one(save(make_archive(
        format, {{"a/CMakeLists.txt", std::string(300'000, '#')},
                 {"a/labs/03_symmetric/symmetric.hpp", "theirs"},
                 {"a/build", "", AE_IFDIR},
                 {"a/everything", "", AE_IFLNK, "/"},
                 {"a/labs/03_symmetric/symmetric.cpp", kGood},
                 {"a/grader/starters/03_symmetric/symmetric.cpp", "another file of that name"}}))));
  }
}

TEST_F(IntakeArchive, NothingThatPointsElsewhereIsTaken) {
  for (const Format format : {Format::kTar, Format::kTarGz, Format::kZip}) {
    const auto line = [&](const std::vector<Entry>& entries) {
      return refusal(save(make_archive(format, entries)));
    };
    const Entry good{"symmetric.cpp", kGood};
    holds(line({good, {"../../symmetric.cpp", "x"}}), "leads out of it", "slip");
    holds(line({good, {"a/../../b", "x"}}), "leads out of it", "slip inside");
    holds(line({good, {"/etc/cron.d/nibble", "x"}}), "leads out of it", "absolute");
    holds(line({good, {"C:\\nibble", "x"}}), "leads out of it", "drive");
    holds(line({{"symmetric.cpp", "", AE_IFLNK, "/etc/passwd"}}), "is a link", "link");
    holds(line({good, good}), "stands in the archive twice", "twice");
    holds(line({good, {"./symmetric.cpp", "x"}}), "stands in the archive twice", "twice");
    holds(line({good, {"03_symmetric/symmetric.cpp", kGood}}), "both there: leave one", "two");
    holds(line({{"b/symmetric.cpp", kGood}, {"a/symmetric.cpp", kGood}}),
          "symmetric.cpp stands at a/symmetric.cpp and at b/symmetric.cpp: put the one that counts",
          "two people");
    holds(line({{"hw/a/symmetric.cpp", kGood}}), "stands at hw/a/symmetric.cpp: put", "deep");
    holds(line({{"symmetric.cpp", "", AE_IFDIR}}), "there is no", "folder");
    holds(line({{"symmetric\x1b[2J.cpp", "x"}}), "is symmetric?[2J.cpp meant?", "escapes");
    holds(line({{"../\x1b[2J", "x"}}), "leads out of it: ../?[2J", "escapes in a slip");
  }
  const auto tar = [&](const Entry& entry) {
    return refusal(save(make_archive(Format::kTar, {{"a.cpp", "x"}, entry})));
  };
  holds(tar({"symmetric.cpp", "", AE_IFIFO}), "is a pipe or a device", "pipe");
  holds(tar({"symmetric.cpp", "", AE_IFCHR}), "is a pipe or a device", "device");
  holds(tar({"symmetric.cpp", "", AE_IFREG, "", "a.cpp"}), "is a link", "hard link");
}

TEST_F(IntakeArchive, WhatIsNoTextIsNotTaken) {
  for (const Format format : kEvery) {
    const auto line = [&](const std::string& text) {
      return refusal(save(make_archive(format, {{"symmetric.cpp", text}})));
    };
    holds(line(""), "symmetric.cpp is empty", "empty");
    holds(line(std::string("a\0b", 3)), "a zero byte on line 1", "zero");
    holds(line("// gr\xFC\xDF dich\n"), "is not UTF-8", "Latin-1");
    holds(line(std::string(kLargestSource + 1, 'x')), "is larger than 256 KiB", "large");
    EXPECT_TRUE(
        take(save(make_archive(format, {{"symmetric.cpp", std::string(kLargestSource, 'x')}})))
            .refusals.empty());
  }
}

TEST_F(IntakeArchive, ABombIsReadNoFurtherThanItMayGo) {
  constexpr std::size_t kTooMuch = kMostUnpacked + (std::size_t{8} << 20);
  for (const Format format : {Format::kZip, Format::kTarGz}) {
    ArchiveMaker beside(format), in_place(format);
    beside.add_zeros("zeros", kTooMuch).add({"symmetric.cpp", kGood});
    holds(refusal(save(beside.finish())), "unpacks to more than 256 MiB", "beside");
    in_place.add_zeros("symmetric.cpp", kTooMuch);
    const std::string why = refusal(save(in_place.finish()));
    EXPECT_TRUE(why.find("larger than 256 KiB") != why.npos || why.find("256 MiB") != why.npos);
  }
}

TEST_F(IntakeArchive, TenThousandEntriesAreEnough) {
  for (const Format format : kEvery) {
    ArchiveMaker maker(format);
    maker.add({"symmetric.cpp", kGood});
    for (int i = 0; i < kMostEntries; ++i) maker.add({"f" + std::to_string(i), ""});
    holds(refusal(save(maker.finish())), "more than 10000 entries", "entries");
  }
}

TEST_F(IntakeArchive, ManyFilesOfTheNameFillNoMemory) {
  ArchiveMaker maker(Format::kTarGz);
  const std::string large(kLargestSource, 'x');
  for (int i = 0; i < 80; ++i) maker.add({std::to_string(i) + "/symmetric.cpp", large});
  holds(refusal(save(maker.finish())), "the same few names too often", "names");
}

TEST_F(IntakeArchive, WhatIsDamagedIsNotTaken) {
  for (const Format format : kEvery) {
    const std::string whole =
        make_archive(format, {{"readme", std::string(5000, 'r')}, {"symmetric.cpp", kGood}});
    for (const std::size_t part : {whole.size() / 4, whole.size() / 2, whole.size() - 40}) {
      const Taken taken = take(save(whole.substr(0, part)));
      for (const File& file : taken.files) EXPECT_EQ(files::read_file(file.path), kGood);
      EXPECT_EQ(taken.files.size() + taken.refusals.size(), 1u);
    }
  }
  holds(refusal(save("no archive at all")), "is no .zip, .tar or .tar.gz", "text");
  EXPECT_EQ(refusal(save("")), "alice.zip is empty");
  std::string text;  // that deflate cannot shorten much
  for (unsigned i = 0; i < 3000; ++i) text += static_cast<char>('!' + i * i * 2654435761u % 90);
  std::string wrong = make_archive(Format::kZip, {{"symmetric.cpp", text}});
  wrong[wrong.size() / 3] = static_cast<char>(wrong[wrong.size() / 3] ^ 1);
  holds(refusal(save(wrong)), "the archive is damaged", "one bit");
}

/// A header of a tar that says its file has a terabyte.
TEST_F(IntakeArchive, ATerabyteThatIsNotThereIsNotWaitedFor) {
  std::string tar = make_archive(Format::kTar, {{"symmetric.cpp", kGood}});
  constexpr std::size_t kSizeAt = 124, kSumAt = 148;
  tar.replace(kSizeAt, 12, std::string("\x80\0\0\0\0\0\x01\0\0\0\0\0", 12));
  unsigned sum = 8 * ' ';
  for (std::size_t i = 0; i < 512; ++i) {
    if (i < kSumAt || i >= kSumAt + 8) sum += static_cast<unsigned char>(tar[i]);
  }
  char digits[9];
  std::snprintf(digits, sizeof digits, "%06o", sum);
  tar.replace(kSumAt, 8, std::string(digits, 6) + std::string("\0 ", 2));
  EXPECT_FALSE(refusal(save(tar)).empty());
}

TEST_F(IntakeArchive, APasswordIsNotGuessed) {
  const std::string bytes = make_archive(Format::kEncryptedZip, {{"symmetric.cpp", kGood}});
  holds(refusal(save(bytes)), "is encrypted", "encrypted");
}

TEST_F(IntakeArchive, AnArchiveInAnArchiveStaysOne) {
  const std::string inner = make_archive(Format::kZip, {{"symmetric.cpp", kGood}});
  EXPECT_EQ(refusal(save(make_archive(Format::kZip, {{"submission.zip", inner}}))),
            "there is no symmetric.cpp");
}

TEST_F(IntakeArchive, TheArchiveItselfMustBeAFile) {
  ASSERT_EQ(mkfifo((root_ / "pipe.zip").c_str(), 0644), 0);
  fs::create_symlink(save(make_archive(Format::kZip, {{"symmetric.cpp", kGood}}), "real.zip"),
                     root_ / "link.zip");
  EXPECT_EQ(refusal(root_ / "pipe.zip"), "pipe.zip is no file");
  EXPECT_EQ(refusal(root_ / "link.zip"), "link.zip is a link: name what it leads to");
  save("", "huge.zip");
  ASSERT_EQ(truncate((root_ / "huge.zip").c_str(), static_cast<off_t>(kLargestArchive) + 1), 0);
  EXPECT_EQ(refusal(root_ / "huge.zip"),
            "huge.zip is larger than 64 MiB: hand in the sources alone");
}

}  // namespace
}  // namespace nibble::intake
