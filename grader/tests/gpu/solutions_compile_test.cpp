// The published solution of every CUDA lab, and every other right one, is device code that nvcc
// takes, with a descriptor for each kernel: what the engine runs here is what a GPU would get.
//
// NIBBLE_ARCHITECTURES="sm_75 sm_80 sm_90a" compiles for all of them; a test run takes one, and for
// lab 26 two more: products of e4m3 are an instruction from sm_89 on, and the halves' before.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "files/files.hpp"
#include "gpu/compile_cubin.hpp"
#include "gpu/cubin.hpp"

namespace nibble::gpu {
namespace {

namespace fs = std::filesystem;

const fs::path kTop = NIBBLE_TEST_TOP;

std::vector<std::string> architectures(const std::string& lab) {
  const char* const asked = std::getenv("NIBBLE_ARCHITECTURES");
  const char* const usual = lab == "26_cuda_half_fp8" ? "sm_80 sm_89 sm_90" : "sm_80";
  std::istringstream words(asked == nullptr ? usual : asked);
  std::vector<std::string> all;
  for (std::string word; words >> word;) all.push_back(word);
  return all;
}

/// Labs whose file is kernels alone, sorted. Lab 18 has host code, and a test of its own.
std::vector<std::string> kernel_labs() {
  std::vector<std::string> labs;
  for (const auto& folder : fs::directory_iterator(kTop / "solutions")) {
    const std::string lab = folder.path().filename();
    if (lab.find("_cuda_") != std::string::npos && !lab.ends_with("_host")) labs.push_back(lab);
  }
  std::ranges::sort(labs);
  return labs;
}

class Solution : public testing::TestWithParam<std::string> {
 protected:
  Solution() {
    std::string pattern = (fs::temp_directory_path() / "nibble-solution-XXXXXX").string();
    work_ = mkdtemp(pattern.data());
  }
  ~Solution() override { fs::remove_all(work_); }

  BuiltCubin compiled(const std::string& architecture) const {
    const std::string lab = GetParam();
    return compiled(architecture,
                    kTop / "solutions" / lab / (lab.substr(lab.find('_') + 1) + ".cu"));
  }
  BuiltCubin compiled(const std::string& architecture, const fs::path& file) const {
    const std::string lab = GetParam();
    CubinJob job;
    job.nvcc = NIBBLE_TEST_NVCC;
    job.name = lab.substr(lab.find('_') + 1) + ".cu";
    job.source = files::read_file(file);
    job.architecture = architecture;
    job.folders = {kTop / "labs" / lab, kTop / "common", kTop / "common/simt/include"};
    job.system_folders = {"/usr"};
    job.work = work_;
    job.cpu_limit = std::chrono::seconds(120);
    return compile_cubin(job);
  }

  fs::path work_;
};

TEST_P(Solution, CompilesToKernelsWithADescriptorEach) {
  if (std::string(NIBBLE_TEST_NVCC).empty()) GTEST_SKIP() << "nvcc is not found";
  for (const std::string& architecture : architectures(GetParam())) {
    SCOPED_TRACE(architecture);
    const bool needs_sm_80 =
        GetParam() == "25_cuda_tensor_core" || GetParam() == "26_cuda_half_fp8";
    if (architecture == "sm_75" && needs_sm_80) continue;  // their contracts say so
    const BuiltCubin built = compiled(architecture);
    ASSERT_TRUE(built.ok) << built.diagnostics;
    EXPECT_EQ(built.diagnostics, "");
    EXPECT_EQ(built.foreign_file, "");
    const std::string image = files::read_file(built.cubin);
    const Cubin cubin = read_cubin(std::as_bytes(std::span(image)));
    EXPECT_FALSE(cubin.kernels.empty());
    for (const CubinKernel& kernel : cubin.kernels) EXPECT_TRUE(kernel.launch) << kernel.name;
    for (const Usage& usage : built.usage) EXPECT_EQ(usage.spill_bytes, 0) << usage.kernel;
  }
}

TEST_P(Solution, AnotherOneIsCudaToo) {
  if (std::string(NIBBLE_TEST_NVCC).empty()) GTEST_SKIP() << "nvcc is not found";
  int compiled_so_far = 0;
  for (const auto& file : fs::directory_iterator(kTop / "grader/alternatives" / GetParam())) {
    if (file.path().extension() != ".cu") continue;
    const BuiltCubin built = compiled("sm_80", file);
    EXPECT_TRUE(built.ok) << file.path() << ": " << built.diagnostics;
    ++compiled_so_far;
  }
  EXPECT_GE(compiled_so_far, 2);
}

INSTANTIATE_TEST_SUITE_P(Cuda, Solution, testing::ValuesIn(kernel_labs()),
                         [](const auto& lab) { return "Lab" + lab.param.substr(0, 2); });

}  // namespace
}  // namespace nibble::gpu
