// Where there is a GPU, nibble goes on as nibble-gpu, and says so where that is not built. The GPU
// is a driver of the tests' own; nibble-gpu is a script that says what it was asked.
#include <nlohmann/json.hpp>

#include "compile/compile.hpp"
#include "learners_project.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class GpuLegsTest : public LearnersProject {
 protected:
  GpuLegsTest() {
    fs::create_directories(build_ / "bin");
    for (const char* const same : {"runner", "pch", "contracts", "marks", "simt"}) {
      fs::create_symlink(kit_.build / same, build_ / same);
    }
    fs::create_symlink(kit_.judge("19_cuda_quantize"), build_ / "bin" / "judge.19_cuda_quantize");
    fs::create_symlink(kit_.build / "bin" / "nibble-simt-rewrite",
                       build_ / "bin" / "nibble-simt-rewrite");
    json description = json::parse(files::read_file(kit_.build / "kit.json"));
    description["nvcc"] = "/no/such/nvcc";
    files::write_atomically(build_ / "kit.json", description.dump());
    fs::create_symlink(NIBBLE_FAKE_DRIVER, root_ / "libcuda.so.1");
  }

  void build_nibble_gpu() const {
    const fs::path program = build_ / "bin" / "nibble-gpu";
    files::write_atomically(program, "#!/bin/sh\necho \"nibble-gpu $*\"\n");
    fs::permissions(program, fs::perms::owner_all);
  }

  std::string said(const std::vector<std::string>& words) const {
    const process::Finished run =
        nibble(words, {"NIBBLE_BUILD=" + build_.string(), "LD_LIBRARY_PATH=" + root_.string()});
    return run.out + run.err;
  }

  const fs::path build_ = root_ / "build";
};

TEST_F(GpuLegsTest, AreFetchedForKernelsBeforeTheFirstWord) {
  build_nibble_gpu();
  EXPECT_EQ(said({"run", "19.quantize"}), "nibble-gpu run 19.quantize\n");
  EXPECT_EQ(said({"watch"}), "nibble-gpu watch\n");
  EXPECT_HOLDS(said({"run", "19", "--help"}), "judge a lab");
}

TEST_F(GpuLegsTest, AreToldOfWhereTheyAreNotBuilt) {
  const lab::Lab& lab = kit_.lab("19");
  files::write_atomically(root_ / lab.file(),
                          files::read_file(compile::published_solution(kit_, lab)));
  EXPECT_HOLDS(said({"run", "19.quantize"}), "gpu not run: nibble-gpu is not built");
}

}  // namespace
}  // namespace nibble::cli
