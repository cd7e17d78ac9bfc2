// Home equals instructor: what `nibble run` says in a handout is what `nibble teach grade` says
// of what `nibble pack` made of it, field by field, however odd the project is.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "files/files.hpp"
#include "lab/kit.hpp"
#include "process/command.hpp"

namespace nibble {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kLab = "03_symmetric";
constexpr const char* kSeed = "0x71c3";

void write(const fs::path& file, const std::string& text) { files::write_atomically(file, text); }

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, text.npos) << old;
  return at == text.npos ? text : text.replace(at, old.size(), by);
}

/// What a handout is to a learner: a project whose labs and common headers are theirs to spoil,
/// with the headers as they were handed out beside the grader.
/// Judges and runners are those of the kit.
class Project {
 public:
  Project(const lab::Kit& kit, const fs::path& root) : root_(root) {
    const fs::path headers = root / "grader" / "headers";
    fs::create_directories(headers);
    for (const char* const folder : {"labs", "common"}) {
      fs::copy(kit.source / folder, root / folder, fs::copy_options::recursive);
      fs::copy(kit.source / folder, headers / folder, fs::copy_options::recursive);
    }
    write(root / "docs" / "diagnoses.md", files::read_file(kit.source / "docs" / "diagnoses.md"));
    write(root / "grader" / "starters" / kLab / "symmetric.cpp", files::read_file(file()));
    for (const auto& entry : fs::directory_iterator(kit.build)) {
      const std::string name = entry.path().filename().string();
      if (name == "kit.json") continue;
      fs::create_directories(root / "build");
      fs::create_symlink(entry.path(), root / "build" / name);
    }
    json description = json::parse(files::read_file(kit.build / "kit.json"));
    description["source"] = root.string();
    description["headers"] = headers.string();
    write(root / "build" / "kit.json", description.dump());
  }

  fs::path lab() const { return root_ / "labs" / kLab; }
  fs::path file() const { return lab() / "symmetric.cpp"; }
  fs::path contract() const { return lab() / "symmetric.hpp"; }
  fs::path archive() const { return root_ / "submission.tar"; }
  const fs::path& root() const { return root_; }

  process::Finished nibble(const std::vector<std::string>& words) const {
    process::Command command;
    command.words = {"env", "-u", "NIBBLE_ROOT", "NIBBLE_BUILD=" + (root_ / "build").string(),
                     (root_ / "build" / "bin" / "nibble").string()};
    command.words.insert(command.words.end(), words.begin(), words.end());
    command.directory = root_;
    command.wall_limit = std::chrono::seconds{120};
    return process::run(command);
  }

 private:
  fs::path root_;
};

/// What is compared: verdict, public points, and of each check its status, points and diagnosis.
std::string told(const json& results) {
  std::string text = results.at("verdict").get<std::string>() + " " +
                     std::to_string(results.at("points").get<int>()) + " of " +
                     std::to_string(results.at("max_points").get<int>());
  for (const json& check : results.at("checks")) {
    text += "\n" + check.at("exercise").get<std::string>() + "." +
            check.at("id").get<std::string>() + " " + check.at("status").get<std::string>() + " " +
            std::to_string(check.at("points").get<int>()) + " " + check.value("diagnosis", "");
  }
  return text;
}

constexpr const char* kNotTaken = "not taken: nothing is judged";

std::string told_by(const fs::path& results) {
  return fs::exists(results) ? told(json::parse(files::read_file(results))) : kNotTaken;
}

struct Odd {
  std::string name;
  std::string verdict;  ///< of both
  std::function<void(const Project&, const std::string& solution)> make;
};

const std::string kBegin = "namespace nibble {\n";

/// The solution, whose rounding is done by a function `helper` that stands somewhere else.
std::string calls_helper(const std::string& solution, const std::string& include = "") {
  return include + replaced(solution, "std::nearbyint(x[i] / scale)", "helper(x[i] / scale)");
}

const std::string kHelper =
    "#pragma once\n#include <cmath>\nnamespace nibble {\n"
    "inline float helper(float v) { return std::nearbyint(v); }\n}\n";

const std::vector<Odd>& odd_projects() {
  static const std::vector<Odd> all = {
      {"right", "pass", [](const Project& p, const std::string& s) { write(p.file(), s); }},
      {"wrong", "fail",
       [](const Project& p, const std::string& s) {
         write(p.file(), replaced(s, "std::nearbyint(x[i]", "std::round(x[i]"));
       }},
      {"header_beside", "no_compile",
       [](const Project& p, const std::string& s) {
         write(p.lab() / "helper.hpp", kHelper);
         write(p.file(), calls_helper(s, "#include \"helper.hpp\"\n"));
       }},
      {"header_asked_for", "pass",  // and no reason to think that it is there
       [](const Project& p, const std::string& s) {
         write(p.lab() / "helper.hpp", kHelper);
         write(p.file(), "#if __has_include(\"helper.hpp\")\n#error \"here\"\n#endif\n" + s);
       }},
      {"function_in_the_contract", "no_compile",
       [](const Project& p, const std::string& s) {
         const std::string helper = "inline float helper(float v) { return std::nearbyint(v); }\n";
         write(p.contract(), replaced(files::read_file(p.contract()), kBegin, kBegin + helper));
         write(p.file(), calls_helper(s));
       }},
      {"default_in_the_contract", "fail",  // 3 bits at home would pass what counts on it
       [](const Project& p, const std::string& s) {
         write(p.contract(), replaced(files::read_file(p.contract()), "int num_bits = 8);",
                                      "int num_bits = 3);"));
         write(p.file(), replaced(s, "symmetric_scale(x, num_bits)", "symmetric_scale(x)"));
       }},
      {"helper_in_common", "no_compile",
       [](const Project& p, const std::string& s) {
         write(p.root() / "common" / "nibble" / "helper.hpp", kHelper);
         write(p.file(), calls_helper(s, "#include \"nibble/helper.hpp\"\n"));
       }},
      {"changed_common", "no_compile",
       [](const Project& p, const std::string& s) {
         const fs::path header = p.root() / "common" / "nibble" / "int_range.hpp";
         write(header, files::read_file(header) + kHelper);
         write(p.file(), calls_helper(s));
       }},
      {"another_labs_header", "no_compile",
       [](const Project& p, const std::string& s) {
         write(p.file(), "#include \"../01_grid/grid.hpp\"\n" + s);
       }},
      {"another_labs_source", "no_compile",
       [](const Project& p, const std::string& s) {
         write(p.root() / "labs" / "01_grid" / "grid.cpp", "#pragma once\n");
         write(p.file(), "#include \"../01_grid/grid.cpp\"\n" + s);
       }},
      {"itself_by_its_folder", "pass",
       [](const Project& p, const std::string& s) {
         write(p.file(), "#pragma once\n#include \"../03_symmetric/symmetric.cpp\"\n" + s);
       }},
      {"by_the_whole_path", "no_compile",
       [](const Project& p, const std::string& s) {
         write(p.lab() / "helper.hpp", kHelper);
         write(p.file(),
               calls_helper(s, "#include \"" + (p.lab() / "helper.hpp").string() + "\"\n"));
       }},
      {"prelude_alone", "no_compile",
       [](const Project& p, const std::string& s) {
         write(p.file(), replaced(s, "#include \"symmetric.hpp\"\n", ""));
       }},
      {"two_translation_units", "no_compile",
       [](const Project& p, const std::string& s) {
         write(p.lab() / "helper.cpp", kHelper.substr(kHelper.find('\n')));
         write(p.file(), replaced(calls_helper(s), kBegin, kBegin + "float helper(float v);\n"));
       }},
      {"own_main", "no_compile",
       [](const Project& p, const std::string& s) {
         write(p.file(), s + "int main() { return 0; }\n");
       }},
      {"function_missing", "no_compile",
       [](const Project& p, const std::string& s) {
         write(p.file(), s.substr(0, s.rfind("std::vector<float> dequantize_symmetric")) + "\n}\n");
       }},
      {"line_ends_of_windows", "pass",
       [](const Project& p, const std::string& s) {
         std::string text;
         for (const char c : s) text += c == '\n' ? "\r\n" : std::string(1, c);
         write(p.file(), text);
       }},
      {"byte_order_mark", "pass",
       [](const Project& p, const std::string& s) { write(p.file(), "\xEF\xBB\xBF" + s); }},
      {"no_line_end_at_the_end", "pass",
       [](const Project& p, const std::string& s) {
         write(p.file(), s.substr(0, s.find_last_not_of('\n') + 1));
       }},
      {"a_link", "pass",
       [](const Project& p, const std::string& s) {
         write(p.root() / "elsewhere.cpp", s);
         fs::remove(p.file());
         fs::create_symlink(p.root() / "elsewhere.cpp", p.file());
       }},
      {"direction_marks", "pass",  // invisible, and nobody's mistake
       [](const Project& p, const std::string& s) { write(p.file(), s + "// \u200f\u00ad\n"); }},
      {"latin_1", "not taken",
       [](const Project& p, const std::string& s) { write(p.file(), s + "// na\xEFve\n"); }},
      {"almost_too_large", "pass",
       [](const Project& p, const std::string& s) {
         write(p.file(), s + "//" + std::string((256u << 10) - s.size() - 2, '.'));
       }},
      {"too_large", "not taken",
       [](const Project& p, const std::string& s) {
         write(p.file(), s + "//" + std::string((256u << 10) - s.size() - 1, '.'));
       }},
      {"name_in_capitals", "not taken",
       [](const Project& p, const std::string& s) {
         fs::remove(p.file());
         write(p.lab() / "Symmetric.cpp", s);
       }},
  };
  return all;
}

/// All of them are judged at home, packed, and graded together: once, for one test.
class Home : public testing::Test {
 protected:
  void SetUp() override {
    const lab::Kit kit = lab::open_kit(NIBBLE_TEST_BUILD);
    const std::string solution =
        files::read_file(kit.source / "solutions" / kLab / "symmetric.cpp");
    process::Command grade;
    grade.words = {(kit.build / "bin" / "nibble-teach").string(),
                   "grade",
                   "--lab",
                   kLab,
                   "--without-sanitizers",
                   "--seed",
                   kSeed,
                   "-o",
                   (folder_ / "grades").string()};
    if (const char* const level = std::getenv("NIBBLE_TEST_LEVEL")) {
      grade.words.insert(grade.words.end(), {"--require-level", level});
    }
    for (const Odd& odd : odd_projects()) {
      const Project project(kit, folder_ / "home" / odd.name);
      odd.make(project, solution);
      project.nibble({"run", "03", "--leg", "plain", "--seed", kSeed, "--exit-zero", "--json",
                      (folder_ / (odd.name + ".json")).string()});
      packed_[odd.name] = project.nibble({"pack", "03"}).exit_status == 0;
      const fs::path handed_in = folder_ / "in" / odd.name;
      fs::create_directories(handed_in);
      if (packed_[odd.name] || project.nibble({"pack", "03", "--force"}).exit_status == 0) {
        fs::copy_file(project.archive(), handed_in.string() + ".tar");
        fs::remove(handed_in);
        grade.words.push_back(handed_in.string() + ".tar");
      } else {  // some hand in what pack refuses
        fs::copy(project.lab(), handed_in / kLab, fs::copy_options::recursive);
        grade.words.push_back(handed_in.string());
      }
    }
    grade.wall_limit = std::chrono::minutes{10};
    const process::Finished graded = process::run(grade);
    EXPECT_EQ(graded.exit_status, 0) << graded.out << graded.err;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string pattern_ = (fs::temp_directory_path() / "nibble-home-XXXXXX").string();
  const fs::path folder_ = mkdtemp(pattern_.data());
  std::map<std::string, bool> packed_;
};

TEST_F(Home, SaysWhatTheInstructorSaysAndPacksWhatCompiles) {
  for (const Odd& odd : odd_projects()) {
    const std::string home = told_by(folder_ / (odd.name + ".json"));
    const std::string grader =
        told_by(folder_ / "grades" / odd.name / (std::string(kLab) + ".json"));
    EXPECT_EQ(home, grader) << odd.name;
    EXPECT_EQ(home.find(odd.verdict), 0u) << odd.name << ": " << home;
    const bool compiles = odd.verdict == "pass" || odd.verdict == "fail";
    EXPECT_EQ(packed_[odd.name], compiles) << odd.name;
  }
}

TEST(AtHome, AChangedContractIsToldAndComesBack) {
  std::string pattern = (fs::temp_directory_path() / "nibble-home-XXXXXX").string();
  const fs::path root = mkdtemp(pattern.data());
  const lab::Kit kit = lab::open_kit(NIBBLE_TEST_BUILD);
  const Project project(kit, root);
  const std::string contract = files::read_file(project.contract());
  write(project.contract(),
        replaced(contract, "SymmetricTensor {\n", "SymmetricTensor {  // mine\n"));
  write(project.file(), files::read_file(kit.source / "solutions" / kLab / "symmetric.cpp"));
  const process::Finished run = project.nibble({"run", "03", "--leg", "plain"});
  EXPECT_EQ(run.exit_status, 0) << run.out;
  for (const char* const part :
       {"note    labs/03_symmetric/symmetric.hpp:10 is not what was handed out",
        "yours       struct SymmetricTensor {  // mine\n", "handed out  struct SymmetricTensor {\n",
        "./nibble reset 03 --contract   brings it back", "75 of 75 public points"}) {
    EXPECT_NE(run.out.find(part), std::string::npos) << part << "\n" << run.out;
  }
  EXPECT_EQ(project.nibble({"reset", "03", "--contract"}).exit_status, 0);
  EXPECT_EQ(files::read_file(project.contract()), contract);
  EXPECT_TRUE(fs::exists(project.contract().string() + ".bak-1"));
  EXPECT_EQ(project.nibble({"run", "03", "--leg", "plain"}).out.find("note "), std::string::npos);

  write(project.lab() / "helper.hpp", kHelper);
  write(project.file(), "#include \"helper.hpp\"\n");
  const std::string words = project.nibble({"run", "03"}).out;
  EXPECT_NE(
      words.find("helper.hpp lies beside symmetric.cpp, but symmetric.cpp alone is handed in"),
      std::string::npos)
      << words;
  fs::remove_all(root);
}

}  // namespace
}  // namespace nibble
