// What an editor is told of the project: how a lab's file is compiled, what to run, and how to read
// what that says.
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "learners_project.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Editor : public LearnersProject {
 protected:
  json read_json(const fs::path& file) const {
    return json::parse(files::read_file(kit_.source / file));
  }

  std::string command_for(const lab::Lab& lab) const {
    const fs::path source = kit_.source / lab.file();
    for (const json& entry : json::parse(files::read_file(kit_.build / "compile_commands.json"))) {
      if (entry.at("file") == source.string()) return entry.at("command");
    }
    return "";
  }

  /// "FILE:LINE" as VS Code finds it in what the default task says.
  std::vector<std::string> places_in(const std::string& said) const {
    std::vector<std::string> places;
    const json task = read_json(".vscode/tasks.json").at("tasks").at(0);
    for (const json& matcher : task.at("problemMatcher")) {
      const json& pattern = matcher.at("pattern");
      const std::regex regexp(pattern.at("regexp").get<std::string>());
      std::istringstream lines(said);
      for (std::string line; std::getline(lines, line);) {
        std::smatch found;
        if (!std::regex_match(line, found, regexp)) continue;
        places.push_back(found[pattern.at("file")].str() + ":" + found[pattern.at("line")].str());
      }
    }
    return places;
  }

  void save(const std::string& lab, const std::string& was, const std::string& is) const {
    const fs::path name = kit_.lab(lab).file();
    std::string text = files::read_file(kit_.source / "solutions" / lab / name.filename());
    ASSERT_NE(text.find(was), text.npos);
    files::write_atomically(root_ / name, text.replace(text.find(was), was.size(), is));
  }
};

TEST_F(Editor, KnowsTheFlagsThatJudge) {
  ASSERT_FALSE(kit_.labs.empty());
  for (const lab::Lab& lab : kit_.labs) {
    const std::string command = command_for(lab) + " ";
    std::vector<std::string> words = kit_.flags(lab.kind, protocol::Leg::kPlain);
    for (const std::string& word : kit_.recipe(lab.kind).prelude) words.push_back(word);
    words.push_back("-I" + (kit_.source / "labs" / lab.name).string());
    words.push_back("-I" + (kit_.source / "common").string());
    std::erase(words, "-fno-canonical-system-headers");  // clangd does not know it
    for (const std::string& word : words) EXPECT_HOLDS(command, " " + word + " ") << lab.name;
  }
}

TEST_F(Editor, RunsCommandsThatAreThere) {
  const json tasks = read_json(".vscode/tasks.json");
  for (const json& task : tasks.at("tasks")) {
    EXPECT_EQ(task.at("command"), "${workspaceFolder}/nibble");
    const std::string word = task.at("args").at(0);
    EXPECT_EQ(nibble({word, "--help"}).exit_status, 0) << word;
  }
  EXPECT_TRUE(read_json(".vscode/settings.json").is_object());
  EXPECT_TRUE(read_json(".vscode/extensions.json").contains("recommendations"));
  const json container = read_json(".devcontainer/devcontainer.json");
  const std::string recipe = container.at("build").at("dockerfile");
  EXPECT_TRUE(fs::exists(kit_.source / ".devcontainer" / recipe));
  const std::string readme = files::read_file(kit_.source / "README.md");
  for (const char* const command : {"./nibble", "./nibble test"}) {
    EXPECT_HOLDS(container.at("postCreateCommand").get<std::string>(), command);
    EXPECT_HOLDS(readme, "$ " + std::string(command) + "\n");
  }
}

TEST_F(Editor, FindsTheLineOfACompilersError) {
  save("03_symmetric", "", "int planted = nothing;\n");
  const auto places = places_in(nibble({"run", "03_symmetric"}).out);
  EXPECT_EQ(places, std::vector<std::string>{"labs/03_symmetric/symmetric.cpp:1"});
}

TEST_F(Editor, FindsTheLineOfUndefinedBehaviour) {
  save("03_symmetric", "i < x.size()", "i <= x.size()");
  const auto places = places_in(nibble({"run", "03_symmetric"}).out);
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places[0].find("labs/03_symmetric/symmetric.cpp:"), 0u) << places[0];
}

TEST_F(Editor, FindsTheLineOfAKernelsFinding) {
  save("19_cuda_quantize", "if (i < n) q[i] =", "q[i] =");
  const auto places = places_in(nibble({"run", "19_cuda_quantize"}).out);
  ASSERT_FALSE(places.empty());
  EXPECT_EQ(places[0].find("cuda_quantize.cu:"), 0u) << places[0];
}

}  // namespace
}  // namespace nibble::cli
