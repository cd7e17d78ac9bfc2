// Where nvcc is found and no GPU is, a file that the engine runs is shown to nvcc after its
// verdict.
#include "compile/compile.hpp"
#include "learners_project.hpp"

namespace nibble::cli {
namespace {

class NvccWord : public LearnersProject {
 protected:
  void SetUp() override {
    if (kit_.nvcc.empty()) GTEST_SKIP() << "nvcc is not found on this machine";
  }

  /// What `nibble run 19.quantize` says of the published solution with a change.
  std::string said_of(const std::string& old_text, const std::string& new_text,
                      const std::vector<std::string>& more = {}) const {
    const lab::Lab& lab = kit_.lab("19");
    std::string text = files::read_file(compile::published_solution(kit_, lab));
    text.replace(text.find(old_text), old_text.size(), new_text);
    files::write_atomically(root_ / lab.file(), text);
    std::vector<std::string> words{"run", "19.quantize"};
    words.insert(words.end(), more.begin(), more.end());
    const process::Finished run = nibble(words);
    return run.out + run.err;
  }
};

TEST_F(NvccWord, IsShownWhereNvccRefusesWhatTheEngineRuns) {
  const std::string said = said_of("max(-128, min(127,", "std::max(-128, std::min(127,");
  EXPECT_HOLDS(said, "PASS");
  if (said.find("gpu not run") == std::string::npos) GTEST_SKIP() << "there is a GPU";
  EXPECT_HOLDS(said, "nvcc refuses this file");
  EXPECT_HOLDS(said, "cuda_quantize.cu(10): error: calling a constexpr __host__ function");
}

TEST_F(NvccWord, IsSilentWhereNvccTakesTheFile) {
  EXPECT_HOLDS_NO(said_of("max(-128,", "max( -128,"), "nvcc refuses");
}

TEST_F(NvccWord, IsNotWaitedForByWhoAsksForALeg) {
  const std::string said =
      said_of("max(-128, min(127,", "std::max(-128, std::min(127,", {"--leg", "plain"});
  EXPECT_HOLDS(said, "PASS");
  EXPECT_HOLDS_NO(said, "nvcc refuses");
}

}  // namespace
}  // namespace nibble::cli
