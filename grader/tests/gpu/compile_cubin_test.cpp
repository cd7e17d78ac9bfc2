// What nvcc makes of a learner's file, and what it does not make of it.
// Skipped where nvcc is missing.
#include "gpu/compile_cubin.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "files/files.hpp"
#include "gpu/cubin.hpp"
#include "gpu/gpu.hpp"
#include "gpu/gpu_child.hpp"
#include "gpu/gpu_here.hpp"
#include "run/probe.hpp"
#include "sandbox/opening.hpp"

namespace nibble::gpu {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

const fs::path kKernels = NIBBLE_TEST_KERNELS;

// --- nvcc's words --------------------------------------------------------------------------------

TEST(Diagnostics, KeepWhatALearnerCanMend) {
  EXPECT_EQ(readable_diagnostics(
                "\na.cu(2): error: identifier \"y\" is undefined\n"
                "  __attribute__((global)) void f() { __attribute__((shared)) int s; y; }\n"
                "                                                                    ^\n\n\n"
                "1 error detected in the compilation of \"a.cu\".\n"),
            "a.cu(2): error: identifier \"y\" is undefined\n"
            "  __global__ void f() { __shared__ int s; y; }\n"
            "                                                                    ^\n");
}

TEST(Diagnostics, LeaveOutTheAssemblersReport) {
  EXPECT_EQ(readable_diagnostics("ptxas info    : 0 bytes gmem, 24 bytes cmem[3]\n"
                                 "ptxas info    : Compiling entry function 'f' for 'sm_80'\n"
                                 "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
                                 "loads\n"
                                 "ptxas info    : Used 40 registers\n"),
            "");
}

TEST(Diagnostics, HoldNoControlCharacters) {
  EXPECT_EQ(readable_diagnostics("a\x1b[2J\n"), "a?[2J\n");
}

TEST(Usage, CountsRegistersAndSpillsOfEachKernel) {
  const auto usage = usage_of(
      "ptxas info    : Compiling entry function 'f' for 'sm_80'\n"
      "ptxas info    : Function properties for f\n"
      "    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 255 registers, used 1 barriers, 404 bytes cmem[0]\n"
      "ptxas info    : Compiling entry function 'g' for 'sm_80'\n"
      "ptxas info    : Used 12 registers, used 0 barriers\n");
  ASSERT_EQ(usage.size(), 2u);
  EXPECT_EQ(usage[0].kernel, "f");
  EXPECT_EQ(usage[0].registers, 255);
  EXPECT_EQ(usage[0].spill_bytes, 20);
  EXPECT_EQ(usage[1].registers, 12);
  EXPECT_EQ(usage[1].spill_bytes, 0);
}

TEST(Architecture, IsNamedAsTheCompilerNamesIt) {
  EXPECT_EQ(architecture_of(80), "sm_80");
  EXPECT_EQ(architecture_of(90, true), "sm_90a");
}

TEST(Nvcc, ThatIsNotThereHasNoVersion) { EXPECT_EQ(nvcc_version("/no/such/nvcc"), ""); }

// --- With nvcc -----------------------------------------------------------------------------------

class WithNvcc : public testing::Test {
 protected:
  WithNvcc() {
    std::string pattern = (fs::temp_directory_path() / "nibble-XXXXXX").string();
    work_ = mkdtemp(pattern.data());
  }
  ~WithNvcc() override {
    std::error_code ignored;
    fs::remove_all(work_, ignored);
  }
  void SetUp() override {
    if (std::string(NIBBLE_TEST_NVCC).empty()) GTEST_SKIP() << "nvcc is not found on this machine";
  }

  CubinJob job_for(const std::string& source, const std::string& architecture) const {
    CubinJob job;
    job.nvcc = NIBBLE_TEST_NVCC;
    job.source = source;
    job.name = "labs/98_cuda_trial/cuda_trial.cu";
    job.architecture = architecture;
    job.folders = {kKernels, NIBBLE_TEST_COMMON, NIBBLE_TEST_COMMON "/simt/include"};
    for (std::string folders = NIBBLE_TEST_SYSTEM_INCLUDES; !folders.empty();) {
      const std::size_t end = std::min(folders.find(':'), folders.size());
      job.system_folders.emplace_back(folders.substr(0, end));
      folders.erase(0, end + 1);
    }
    job.work = work_;
    return job;
  }
  BuiltCubin compile_text(const std::string& source,
                          const std::string& architecture = "sm_80") const {
    return compile_cubin(job_for(source, architecture));
  }
  BuiltCubin compile(const std::string& name, const std::string& architecture = "sm_80") {
    return compile_text(files::read_file(kKernels / name), architecture);
  }

  static Cubin read(const BuiltCubin& built) {
    const std::string image = files::read_file(built.cubin);
    return read_cubin(std::as_bytes(std::span(image)));
  }

  fs::path work_;
};

TEST_F(WithNvcc, SubmissionCompilesForEveryArchitecture) {
  for (const auto& [architecture, sm] : {std::pair("sm_80", 80), std::pair("sm_90a", 90)}) {
    const BuiltCubin built = compile("add_to_all.cu", architecture);
    ASSERT_TRUE(built.ok) << built.diagnostics;
    EXPECT_EQ(built.diagnostics, "");
    ASSERT_EQ(built.usage.size(), 1u);
    EXPECT_EQ(built.usage[0].kernel, "add_to_all");
    EXPECT_GT(built.usage[0].registers, 0);
    const Cubin cubin = read(built);
    EXPECT_EQ(cubin.sm, sm);
    ASSERT_EQ(cubin.kernels.size(), 1u);
    ASSERT_TRUE(cubin.kernels[0].launch.has_value());
    EXPECT_EQ(cubin.kernels[0].launch->block_x, 128u);
    EXPECT_EQ(cubin.kernels[0].launch->tile_n, 256u);
    EXPECT_EQ(cubin.kernels[0].launch->shared_bytes, 0u);
  }
}

TEST_F(WithNvcc, HostCodeLeavesNoTrace) {
  const BuiltCubin built = compile("host_code.cu");
  ASSERT_TRUE(built.ok) << built.diagnostics;
  const std::string image = files::read_file(built.cubin);
  EXPECT_EQ(image.find("before main"), std::string::npos);
  EXPECT_EQ(image.find("cudaEventElapsedTime"), std::string::npos);
  EXPECT_NE(image.find("add_to_all"), std::string::npos);  // the search itself finds what is there
}

TEST_F(WithNvcc, ChildLaunchIsRefused) {
  const BuiltCubin built = compile("child_launch.cu", "sm_90a");
  EXPECT_FALSE(built.ok);
  EXPECT_NE(built.diagnostics.find("cuda_trial.cu"), std::string::npos) << built.diagnostics;
}

TEST_F(WithNvcc, OtherParametersAreRefused) {
  const BuiltCubin built = compile("other_parameters.cu");
  EXPECT_FALSE(built.ok);
  EXPECT_NE(built.diagnostics.find("labs/98_cuda_trial/cuda_trial.cu(4): error"), std::string::npos)
      << built.diagnostics;
}

TEST_F(WithNvcc, MissingDescriptorIsSeen) {
  const BuiltCubin built = compile("no_descriptor.cu");
  ASSERT_TRUE(built.ok) << built.diagnostics;
  const Cubin cubin = read(built);
  ASSERT_NE(cubin.find("add_to_all"), nullptr);
  EXPECT_FALSE(cubin.find("add_to_all")->launch.has_value());
}

TEST_F(WithNvcc, WhatOnlyOneChipHasNeedsItsOwnArchitecture) {
  EXPECT_TRUE(compile("hopper_only.cu", "sm_90a").ok);
  const BuiltCubin elsewhere = compile("hopper_only.cu", "sm_80");
  EXPECT_FALSE(elsewhere.ok);
  EXPECT_EQ(elsewhere.diagnostics,
            "the assembler: error: Instruction 'wgmma.fence' not supported on .target 'sm_80'\n");
}

TEST_F(WithNvcc, SyntaxErrorNamesTheLearnersFile) {
  const BuiltCubin built =
      compile_text("#include \"trial_kernel.hpp\"\n__global__ void f() { x; }\n");
  EXPECT_FALSE(built.ok);
  EXPECT_TRUE(built.diagnostics.starts_with("labs/98_cuda_trial/cuda_trial.cu(2): error: "))
      << built.diagnostics;
  EXPECT_NE(built.diagnostics.find("__global__ void f()"), std::string::npos);
  EXPECT_EQ(built.diagnostics.find("detected in the compilation"), std::string::npos);
}

TEST_F(WithNvcc, FileThatIsNoPartOfTheLabIsForeign) {
  const fs::path secret = work_ / "secret.txt";
  std::ofstream(secret) << "// a line that is not the learner's\n";
  const BuiltCubin built = compile_text("#include \"" + secret.string() + "\"\n");
  EXPECT_FALSE(built.ok);
  EXPECT_EQ(built.foreign_file, secret.string()) << built.diagnostics;
}

TEST_F(WithNvcc, HeadersOfTheToolkitAreNotForeign) {
  const BuiltCubin built = compile_text(
      "#include <cuda_fp16.h>\n#include <mma.h>\n#include <cstdint>\n#include "
      "\"trial_kernel.hpp\"\n");
  EXPECT_TRUE(built.ok) << built.diagnostics;
  EXPECT_EQ(built.foreign_file, "");
}

TEST_F(WithNvcc, CompilerBombIsStopped) {
  CubinJob job;
  job.nvcc = NIBBLE_TEST_NVCC;
  job.source =
      "constexpr long long spin(long long n) { long long s = 0; while (true) s += n; return s; }\n"
      "template <int N> struct Deep { static constexpr int v = Deep<N - 1>::v + Deep<N - 2>::v; "
      "};\n"
      "__global__ void f(int* p) { for (int i = 0; ; ++i) p[i] = Deep<1 << 30>::v; }\n";
  job.name = "bomb.cu";
  job.work = work_;
  job.cpu_limit = 5s;
  const BuiltCubin built = compile_cubin(job);
  EXPECT_FALSE(built.ok);
  EXPECT_LT(built.seconds, 20.0);
}

TEST_F(WithNvcc, KitsOwnKernelsCompileForEveryArchitecture) {
  for (const char* const file : {"kit_kernels.cu", "bench/ceilings.cu", "bench/plain.cu"}) {
    for (const char* const architecture : {"sm_75", "sm_90a"}) {
      const fs::path source = fs::path(NIBBLE_TEST_KIT_KERNELS) / file;
      const BuiltCubin built = compile_text(files::read_file(source), architecture);
      ASSERT_TRUE(built.ok) << file << ": " << built.diagnostics;
      EXPECT_EQ(built.diagnostics, "");
      EXPECT_GE(built.usage.size(), 4u);
      for (const Usage& usage : built.usage) EXPECT_EQ(usage.spill_bytes, 0) << usage.kernel;
    }
  }
}

TEST_F(WithNvcc, CompilesInABox) {
  lab::Kit kit;
  kit.build = NIBBLE_TEST_BUILD;
  kit.cxx = NIBBLE_TEST_CXX;
  int levels = 0;
  for (const sandbox::Level level : {sandbox::Level::kNamespaces, sandbox::Level::kLandlock}) {
    CubinJob job = job_for(files::read_file(kKernels / "add_to_all.cu"), "sm_80");
    try {
      job.boxes = run::boxes_for(kit, level);
    } catch (const sandbox::BoxBroke&) {
      continue;
    }
    ++levels;
    const BuiltCubin built = compile_cubin(job);
    EXPECT_TRUE(built.ok) << name_of(level) << ": " << built.diagnostics;
    job.source = "#include \"/etc/passwd\"\n";
    const BuiltCubin thief = compile_cubin(job);
    EXPECT_FALSE(thief.ok);
    EXPECT_EQ(thief.diagnostics.find("root:"), std::string::npos) << thief.diagnostics;
  }
  if (levels == 0) GTEST_SKIP() << "no compiler starts in a box on this machine";
}

// --- The child of the GPU leg --------------------------------------------------------------------

TEST_F(WithNvcc, BadDescriptorIsAnErrorOfTheCompilersKind) {
  const BuiltCubin built = compile_text(
      "#include \"trial_kernel.hpp\"\n"
      "NIBBLE_LAUNCH(add_to_all, .block_x = 2048);\n"
      "NIBBLE_KERNEL void add_to_all(const std::int32_t*, std::int32_t*, std::int32_t, "
      "std::int64_t) "
      "{}\n");
  ASSERT_TRUE(built.ok) << built.diagnostics;
  EXPECT_EQ(descriptor_troubles(built.cubin, 80),
            "error: add_to_all: a block of 2048 x 1 threads; a GPU takes at most 1024\n");
}

TEST_F(WithNvcc, ChildIsBuiltAndSaysWhenThereIsNoGpu) {
  lab::Kit kit;  // as much of it as linking needs
  kit.build = NIBBLE_TEST_BUILD;
  kit.source = fs::path(NIBBLE_TEST_KIT_KERNELS).parent_path().parent_path();
  kit.cxx = NIBBLE_TEST_CXX;
  const GpuChild child = build_gpu_child(
      kit, "98_cuda_trial", job_for(files::read_file(kKernels / "add_to_all.cu"), "sm_80"), 80);
  ASSERT_TRUE(child.ok) << child.diagnostics;
  EXPECT_EQ(child.diagnostics, "");
  const std::string bytes = files::read_file(child.executable);
  EXPECT_NE(bytes.find(files::read_file(child.cubin.cubin)), std::string::npos);
}

TEST(NotRun, SaysWhatIsMissing) {
  EXPECT_EQ(why_not_run(""), "nvcc is not found");
  const FoundGpu found = Gpu::find();
  EXPECT_EQ(why_not_run("/usr/bin/nvcc"), found.gpu != nullptr ? "" : found.why);
}

}  // namespace
}  // namespace nibble::gpu
