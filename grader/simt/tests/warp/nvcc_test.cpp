// nvcc takes the kernels of these tests as they are, and makes the instructions that the wrappers
// promise. Skipped where there is no nvcc.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

std::string nvcc() {
  std::vector<std::string> folders{"/usr/local/cuda/bin"};
  for (const char* name : {"CUDA_PATH", "CUDA_HOME"})
    if (const char* home = std::getenv(name)) folders.push_back(std::string(home) + "/bin");
  if (const char* path = std::getenv("PATH")) {
    const std::string all = path;
    for (std::size_t begin = 0; begin < all.size();) {
      const std::size_t end = std::min(all.find(':', begin), all.size());
      folders.push_back(all.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  for (const std::string& folder : folders)
    if (std::filesystem::exists(folder + "/nvcc")) return folder + "/nvcc";
  return "";
}

/// What nvcc says when it makes PTX of a kernel file, and the PTX.
struct Made {
  int status;
  std::string says, ptx;
};

Made make_ptx(const std::string& kernels, const std::string& architecture) {
  const std::string out = ::testing::TempDir() + "/" + kernels + "." + std::to_string(getpid());
  const std::string command = "'" + nvcc() + "' -std=c++20 -ptx -arch=" + architecture +
                              " -I'" NIBBLE_COMMON "' -I'" NIBBLE_COMMON "/simt/include' '" +
                              std::string(NIBBLE_WARP_KERNELS) + "/" + kernels + "' -o '" + out +
                              "' 2>&1";
  Made made{1, "", ""};
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return made;
  std::array<char, 256> part{};
  while (fgets(part.data(), part.size(), pipe) != nullptr) made.says += part.data();
  made.status = pclose(pipe);
  std::ifstream file(out);
  made.ptx.assign(std::istreambuf_iterator<char>(file), {});
  std::filesystem::remove(out);
  return made;
}

class Nvcc : public ::testing::Test {
 protected:
  void SetUp() override {
    if (nvcc().empty()) GTEST_SKIP() << "no nvcc here";
  }
};

void expect_instructions(const std::string& kernels, const std::vector<std::string>& instructions,
                         const std::string& architecture = "sm_80") {
  const Made made = make_ptx(kernels, architecture);
  ASSERT_EQ(made.status, 0) << made.says;
  EXPECT_EQ(made.says, "");
  for (const std::string& instruction : instructions)
    EXPECT_NE(made.ptx.find(instruction), std::string::npos) << instruction;
}

TEST_F(Nvcc, MakesTheTensorCoresInstructions) {
  expect_instructions(
      "mma.cu",
      {"mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32",
       "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
       "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
       "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
       "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc",
       "ldmatrix.sync.aligned.m8n8.x1.shared.b16", "ldmatrix.sync.aligned.m8n8.x2.shared.b16",
       "ldmatrix.sync.aligned.m8n8.x4.shared.b16", "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16",
       "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16",
       "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"});
}
TEST_F(Nvcc, MakesProductsOfE4m3WhereTheyExist) {
  const std::string instruction = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
  for (const char* const architecture : {"sm_89", "sm_90"})
    expect_instructions("mma.cu", {instruction}, architecture);
  EXPECT_EQ(make_ptx("mma.cu", "sm_80").ptx.find(instruction), std::string::npos);
}
TEST_F(Nvcc, MakesAsynchronousCopies) {
  expect_instructions("cp_async.cu",
                      {"cp.async.cg.shared.global", "cp.async.ca.shared.global",
                       "cp.async.commit_group", "cp.async.wait_group 0", "cp.async.wait_group 1"});
}
TEST_F(Nvcc, TakesTheWmmaKernels) {
  expect_instructions("wmma.cu", {"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32",
                                  "wmma.mma.sync.aligned.row.row.m32n8k16.f32.bf16.bf16.f32"});
}
TEST_F(Nvcc, TakesWholeProducts) {
  expect_instructions("matmul.cu", {"wmma.store.d.sync.aligned.row.m16n16k16.global.s32",
                                    "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"});
}
TEST_F(Nvcc, TakesTheWordsOfCodeInTheWild) {
  expect_instructions("words.cu",
                      {"ld.global.cs.v4.f32", "st.global.cs.v4.f32", "cp.async.cg.shared.global"});
}
TEST_F(Nvcc, TakesTheLibrary) {
  expect_instructions("library.cu", {"cp.async.cg.shared.global", "popc.b32", "shfl.sync"});
}
TEST_F(Nvcc, TakesInlinePtx) {
  expect_instructions("ptx.cu", {"mov.u32 ", "redux.sync.max.u32", "lop3.b32", "bar.sync 0"});
}
TEST_F(Nvcc, TakesTheWarpsFunctions) {
  expect_instructions("warp.cu", {"redux.sync.add.s32", "match.any.sync.b32", "activemask.b32"});
}

}  // namespace
