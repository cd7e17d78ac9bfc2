// A learner's file, judged: right, wrong, stopped, or no source at all; what is said, and kept.
#include <sstream>

#include "end_to_end.hpp"

namespace nibble::cli {
namespace {

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

}  // namespace
}  // namespace nibble::cli
