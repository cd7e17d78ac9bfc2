// A kit that is not built or is broken, and a machine that lacks something: each has its own exit
// status and one line with a remedy, and nobody loses a point.
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <system_error>

#include "end_to_end.hpp"

namespace nibble::cli {
namespace {

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

}  // namespace
}  // namespace nibble::cli
