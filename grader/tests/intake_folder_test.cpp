// Folders that people hand in: every honest shape is taken, and of each hostile one nothing is.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>

#include "intake/folder.hpp"
#include "intake/source_text.hpp"
#include "intake_project.hpp"

namespace nibble::intake {
namespace {

namespace fs = std::filesystem;

using IntakeFolder = IntakeProject;

TEST_F(IntakeFolder, EveryHonestShapeIsTaken) {
  for (const char* const place :
       {"symmetric.cpp", "03_symmetric/symmetric.cpp", "labs/03_symmetric/symmetric.cpp",
        "homework/symmetric.cpp", "my-project-main/labs/03_symmetric/symmetric.cpp"}) {
    fs::remove_all(alice_);
    write(alice_ / place, kGood);
    write(alice_ / ".git" / "config", "");
    EXPECT_TRUE(takes_the_good_one(alice_)) << place;
  }
  EXPECT_TRUE(takes_the_good_one(alice_ / "my-project-main/labs/03_symmetric/symmetric.cpp"));
}

TEST_F(IntakeFolder, NothingElseIsTaken) {
  write(alice_ / "03_symmetric" / "symmetric.cpp", kGood);
  for (const char* const theirs :
       {"CMakeLists.txt", "03_symmetric/symmetric.hpp", "03_symmetric/nibble/lab.hpp", "nibble",
        "build.sh", "grader/checks/03_symmetric/symmetric_scale.cpp"}) {
    write(alice_ / theirs, "theirs");
  }
  ASSERT_TRUE(takes_the_good_one(alice_));
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(clean_))
    files += entry.is_regular_file();
  EXPECT_EQ(files, 1);
}

TEST_F(IntakeFolder, SeveralLabsAreTakenOneByOne) {
  write(alice_ / "03_symmetric" / "symmetric.cpp", kGood);
  write(alice_ / "19_cuda_quantize" / "cuda_quantize.cu", "");
  const Taken taken = take(alice_, {"01_grid", "03_symmetric", "19_cuda_quantize"});
  ASSERT_EQ(taken.files.size(), 1u);
  EXPECT_EQ(taken.files[0].lab, "03_symmetric");
  ASSERT_EQ(taken.refusals.size(), 2u);
  EXPECT_EQ(taken.refusals[0].why, "there is no grid.cpp");
  EXPECT_TRUE(taken.refusals[0].missing);
  EXPECT_EQ(taken.refusals[1].why, "19_cuda_quantize/cuda_quantize.cu is empty");
  EXPECT_FALSE(taken.refusals[1].missing);
}

/// Something to find in a folder, and a part of the line that says so.
struct Hostile {
  const char* name;
  std::function<bool(const fs::path& folder)> make;  ///< false: cannot be made here
  const char* says;
};

bool make_socket(const fs::path& file) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  file.string().copy(address.sun_path, sizeof address.sun_path - 1);
  const Descriptor made(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return bind(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

/// The name of the file, with that text in it.
auto with_text(const std::string& text, const std::string& name = "symmetric.cpp") {
  return [text, name](const fs::path& folder) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return true;
  };
}

auto with_link(const std::string& name, const std::string& target) {
  return [name, target](const fs::path& folder) {
    fs::create_symlink(target, folder / name);
    return true;
  };
}

std::vector<Hostile> hostile_folders() {
  std::vector<Hostile> all{
      {"link", with_link("symmetric.cpp", "../secret/symmetric.cpp"), "is a link"},
      {"dangling link", with_link("symmetric.cpp", "nowhere"), "is a link"},
      {"link to itself", with_link("symmetric.cpp", "symmetric.cpp"), "is a link"},
      {"link into /proc", with_link("symmetric.cpp", "/proc/self/environ"), "is a link"},
      {"link to a descriptor", with_link("symmetric.cpp", "/proc/self/fd/0"), "is a link"},
      {"link to the lab's folder", with_link("03_symmetric", "../secret/03_symmetric"),
       "is a link"},
      {"link to all labs", with_link("labs", "../secret"), "is a link"},
      {"link to everything", with_link("project", "../secret"), "there is no symmetric.cpp"},
      {"empty file", with_text(""), "is empty"},
      {"blanks", with_text(" \n\t\r\n"), "is empty"},
      {"zero byte", with_text(std::string("int a;\nint b;\0", 14)), "a zero byte on line 2"},
      {"UTF-16", with_text("\xFF\xFEi\0n\0t\0"), "is UTF-16"},
      {"Latin-1", with_text("int a;\n// gr\xFC\xDF dich\n"), "is not UTF-8, on line 2"},
      {"overlong UTF-8", with_text("// \xC0\xAF\n"), "is not UTF-8"},
      {"half a surrogate", with_text("// \xED\xA0\x80\n"), "is not UTF-8"},
      {"broken off", with_text("// \xE2\x82"), "is not UTF-8"},
      {"too large", with_text(std::string(kLargestSource + 1, 'x')), "the limit is 256 KiB"},
      {"two places", with_text(kGood), "are both there: leave one"},
      {"misspelt", with_text(kGood, "symetric.cpp"), "is symetric.cpp meant? Rename it"},
      {"capital", with_text(kGood, "Symmetric.CPP"), "is Symmetric.CPP meant? Rename it"},
      {"browser's copy", with_text(kGood, "symmetric (1).cpp"), "is symmetric (1).cpp meant?"},
      {"text file", with_text(kGood, "symmetric.cpp.txt"), "is symmetric.cpp.txt meant?"},
      {"escapes in a name", with_text(kGood, "symmetric\x1b[2J\n.cpp"), "is symmetric?[2J?.cpp"},
      {"nothing", with_text(kGood, "readme.txt"), "there is no symmetric.cpp"},
  };
  const auto add = [&](const char* name, const char* says, auto make) {
    all.push_back({name, [make](const fs::path& folder) { return make(folder); }, says});
  };
  add("two folders", "stands at new/symmetric.cpp and at old/symmetric.cpp: put the one",
      [](const fs::path& folder) {
        for (const char* const name : {"new", "old"}) {
          fs::create_directory(folder / name);
          with_text(kGood)(folder / name);
        }
        return true;
      });
  add("pipe", "is a pipe",
      [](const fs::path& folder) { return mkfifo((folder / "symmetric.cpp").c_str(), 0644) == 0; });
  add("socket", "is a socket or a device",
      [](const fs::path& folder) { return make_socket(folder / "symmetric.cpp"); });
  add("device", "is a socket or a device", [](const fs::path& folder) {
    const dev_t zero = makedev(1, 5);
    return mknod((folder / "symmetric.cpp").c_str(), S_IFCHR | 0666, zero) == 0;
  });
  add("hard link", "has 2 names", [](const fs::path& folder) {
    fs::create_hard_link(folder / "../secret/symmetric.cpp", folder / "symmetric.cpp");
    return true;
  });
  add("a terabyte", "has 1099511627776 bytes", [](const fs::path& folder) {
    std::ofstream(folder / "symmetric.cpp").close();
    return truncate((folder / "symmetric.cpp").c_str(), off_t{1} << 40) == 0;
  });
  add("folder", "is a folder",
      [](const fs::path& folder) { return fs::create_directory(folder / "symmetric.cpp"); });
  add("not readable", "may not be read", [](const fs::path& folder) {
    with_text(kGood)(folder);
    return chmod((folder / "symmetric.cpp").c_str(), 0) == 0 && geteuid() != 0;
  });
  return all;
}

class IntakeHostileFolder : public IntakeProject, public testing::WithParamInterface<Way> {};

TEST_P(IntakeHostileFolder, NothingOfItIsTaken) {
  if (GetParam() == Way::kOneStep && !one_step_works()) GTEST_SKIP() << "no openat2 here";
  const std::vector<Wanted> wanted{{"03_symmetric", "symmetric.cpp"}};
  int refused = 0;
  for (const Hostile& hostile : hostile_folders()) {
    fs::remove_all(alice_);
    fs::create_directories(alice_);
    if (!hostile.make(alice_)) {
      std::printf("not run here: %s\n", hostile.name);
      continue;
    }
    if (hostile.name == std::string("two places")) {
      write(alice_ / "03_symmetric/symmetric.cpp", kGood);
    }
    const std::string why = refusal(alice_);
    EXPECT_NE(why.find(hostile.says), std::string::npos) << hostile.name << ": " << why;
    // What take() saw through one way of opening, the other sees too.
    for (const FoundFile& found : read_folder(alice_, wanted, GetParam()).found) {
      EXPECT_EQ(found.text.find("the solution"), std::string::npos) << hostile.name;
      const bool bad = !found.refusal.empty() || !why_not_source_text(found.text).empty();
      EXPECT_TRUE(bad || hostile.name == std::string("two places")) << hostile.name;
    }
    ++refused;
  }
  EXPECT_GE(refused, 28);
}
INSTANTIATE_TEST_SUITE_P(EachWay, IntakeHostileFolder,
                         testing::Values(Way::kOneStep, Way::kFolderByFolder),
                         [](const auto& info) {
                           return info.param == Way::kOneStep ? "OneStep" : "FolderByFolder";
                         });

TEST_F(IntakeFolder, TheSubmissionItselfMustBeOne) {
  fs::create_symlink(root_ / "secret", root_ / "bob");
  write(root_ / "carol.rar", "Rar!");
  write(root_ / "carol.txt", kGood);
  EXPECT_EQ(refusal(root_ / "bob"), "bob is a link: name what it leads to");
  EXPECT_EQ(refusal(root_ / "dave"), "dave is not there");
  for (const char* const name : {"carol.rar", "carol.txt"}) {
    EXPECT_EQ(refusal(root_ / name),
              std::string(name) + " is neither a folder nor a .zip, .tar, .tar.gz or .tgz");
  }
}

TEST_F(IntakeFolder, OddNeighboursAreNoReasonToRefuse) {
  write(alice_ / "symmetric.cpp", kGood);
  write(alice_ / "labs", "a file where a folder could be");
  fs::create_symlink("/", alice_ / "everything");
  for (int i = 0; i < 300; ++i) {
    write(alice_ / ("\x1b[31m $(reboot) \xFF" + std::to_string(i)), "");
  }
  EXPECT_TRUE(takes_the_good_one(alice_));
}

/// Swaps the file for a link to the secret and back until it is destroyed.
class Swapper {
 public:
  explicit Swapper(const fs::path& folder) : thread_([this, folder] { swap(folder); }) {}
  ~Swapper() {
    stop_ = true;
    thread_.join();
  }

 private:
  void swap(const fs::path& folder) {
    const fs::path file = folder / "symmetric.cpp", other = folder / "other";
    std::error_code ignored;
    while (!stop_) {
      fs::create_symlink("../secret/symmetric.cpp", other, ignored);
      fs::rename(other, file, ignored);
      std::ofstream(other) << kGood;
      fs::rename(other, file, ignored);
    }
  }
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

TEST_P(IntakeHostileFolder, SwappingTheFileForALinkGainsNothing) {
  if (GetParam() == Way::kOneStep && !one_step_works()) GTEST_SKIP() << "no openat2 here";
  write(alice_ / "symmetric.cpp", kGood);
  const Swapper swapper(alice_);
  int good = 0, refused = 0;
  for (int round = 0; round < 2000; ++round) {
    const Contents contents = read_folder(alice_, {{"03_symmetric", "symmetric.cpp"}}, GetParam());
    for (const FoundFile& found : contents.found) {
      ASSERT_EQ(found.text.find("the solution"), std::string::npos);
      found.refusal.empty() ? ++good : ++refused;
    }
  }
  EXPECT_EQ(files::read_file(root_ / "secret/symmetric.cpp"), "the solution\n");
  std::printf("read %d times, refused %d times\n", good, refused);
}

TEST_F(IntakeFolder, PeopleAreKnownByTheirFolder) {
  const std::vector<lab::Lab> labs{{"03_symmetric"}};
  for (const char* const path :
       {"in/alice", "in/alice/", "in/alice.zip", "in/alice.tar.gz", "in/alice.tgz", "in/alice.cpp",
        "in/alice/symmetric.cpp", "in/alice/labs/03_symmetric/symmetric.cpp"}) {
    EXPECT_EQ(person_of(path, labs), "alice") << path;
  }
}

TEST_F(IntakeFolder, AFileByItselfIsOfTheLabThatItIsCalledAfter) {
  for (const char* const name :
       {"kim.cpp", "kim_12_34_symmetric.cpp", "symmetric-1.cpp", "symmetric (2).cpp"}) {
    write(root_ / name, kGood);
    EXPECT_TRUE(takes_the_good_one(root_ / name)) << name;
  }
  write(root_ / "kim_12_34_grid-1.cpp", kGood);
  EXPECT_NE(refusal(root_ / "kim_12_34_grid-1.cpp").find("01_grid"), std::string::npos);
  EXPECT_EQ(take(root_ / "kim_12_34_grid-1.cpp", {"01", "03"}).files.size(), 1u);
  EXPECT_TRUE(take(root_ / "kim.cpp", {"01", "03"}).files.empty());
}

TEST_F(IntakeFolder, AFileThatIsThereIsNotOverwritten) {
  write(alice_ / "symmetric.cpp", kGood);
  take(alice_);
  EXPECT_THROW(intake::take(kit_, alice_, {kit_.lab("03")}, clean_), fs::filesystem_error);
}

TEST(IntakePlaces, PathsHaveOnePlainForm) {
  EXPECT_EQ(plain_path("./labs//03_symmetric/./symmetric.cpp"), "labs/03_symmetric/symmetric.cpp");
  EXPECT_EQ(plain_path("..symmetric.cpp"), "..symmetric.cpp");
  for (const char* const bad : {"../a", "a/../b", "/a", "\\a", "C:\\a", "c:a", "a/.."}) {
    EXPECT_EQ(plain_path(bad), std::nullopt) << bad;
  }
}

TEST(IntakePlaces, TheNearestNameIsNear) {
  EXPECT_EQ(nearest("grid.cpp", {"asymmetric.cpp", "grd.cpp", "grid.txt"}), "grd.cpp");
  EXPECT_EQ(nearest("grid.cpp", {"matmul.cpp", "README.md"}), "");
}

TEST(IntakeContents, ReadsBackWhatItWrites) {
  const Contents contents{"", {{"03_symmetric", "a/symmetric.cpp", kGood, ""}}, {"b", ""}};
  const std::string bytes = to_bytes(contents);
  const std::optional<Contents> back = from_bytes(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(to_bytes(*back), bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(from_bytes(bytes.substr(0, size))) << size;
  }
  EXPECT_FALSE(from_bytes(bytes + "x"));
  EXPECT_FALSE(from_bytes("\xFF\xFF\xFF\xFF" + bytes));
}

}  // namespace
}  // namespace nibble::intake
