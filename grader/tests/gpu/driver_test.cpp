// Finding a GPU, or saying why there is none.
#include "gpu/driver.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "fake_driver.hpp"
#include "gpu/gpu.hpp"
#include "gpu/gpu_here.hpp"

namespace nibble::gpu {
namespace {

class ImaginedGpu : public testing::Test {
 protected:
  ImaginedGpu() {
    void* const library = dlopen(NIBBLE_FAKE_DRIVER, RTLD_NOW);
    auto* const find = reinterpret_cast<fake::State* (*)()>(dlsym(library, "fake_cuda_state"));
    state_ = find();
    *state_ = {};
  }
  fake::State* state_;
};

TEST(Driver, ThatIsNotThereIsSaid) {
  const LoadedDriver loaded = load_driver("libno-such-driver.so.1");
  EXPECT_EQ(loaded.driver, nullptr);
  EXPECT_EQ(loaded.why, "no NVIDIA driver here");
}

TEST(Driver, WithoutItsFunctionsIsTooOld) {
  const LoadedDriver loaded = load_driver("libc.so.6");
  EXPECT_EQ(loaded.driver, nullptr);
  EXPECT_EQ(loaded.why, "the NVIDIA driver here is too old: it has no cuInit");
}

TEST(Driver, HasAllTheNamesThatAreLookedFor) {
  if (std::string(NIBBLE_CUDA_STUB).empty()) GTEST_SKIP() << "the CUDA toolkit is not here";
  EXPECT_NE(load_driver(NIBBLE_CUDA_STUB).driver, nullptr) << load_driver(NIBBLE_CUDA_STUB).why;
}

TEST(Driver, OfThisMachineIsAGpuOrASentence) {
  const FoundGpu found = Gpu::find();
  EXPECT_NE(found.gpu == nullptr, found.why.empty());
  const std::string line = gpu_line("");
  EXPECT_NE(line.find("no nvcc"), std::string::npos) << line;
  if (found.gpu == nullptr) {
    EXPECT_EQ(line, found.why + "; no nvcc: the CUDA labs run on the SIMT engine");
  }
}

TEST_F(ImaginedGpu, TellsWhatItIs) {
  const FoundGpu found = Gpu::find(NIBBLE_FAKE_DRIVER);
  ASSERT_NE(found.gpu, nullptr) << found.why;
  const Facts& facts = found.gpu->facts();
  EXPECT_EQ(facts.name, "Imagined GPU");
  EXPECT_EQ(facts.sm, 90);
  EXPECT_EQ(facts.multiprocessors, 132);
  EXPECT_EQ(facts.sm_mhz, 1980);
  EXPECT_EQ(facts.l2_bytes, std::size_t{50} << 20);
  Facts shown = facts;
  shown.driver = "580.1";
  EXPECT_EQ(describe(shown), "Imagined GPU, sm_90, 132 multiprocessors, 80 GiB; driver 580.1");
}

TEST_F(ImaginedGpu, DriverWithoutADeviceIsSaid) {
  state_->devices = 0;
  EXPECT_EQ(Gpu::find(NIBBLE_FAKE_DRIVER).why, "no GPU in this machine");
}

TEST_F(ImaginedGpu, DriverThatDoesNotStartIsSaid) {
  state_->init_status = 100;
  EXPECT_EQ(Gpu::find(NIBBLE_FAKE_DRIVER).why,
            "the NVIDIA driver does not start: CUDA_ERROR_OF_THE_TEST: as planned");
}

TEST_F(ImaginedGpu, ErrorWithoutANameHasItsNumber) {
  const Driver& driver = *load_driver(NIBBLE_FAKE_DRIVER).driver;
  EXPECT_EQ(error_text(driver, 4242), "CUDA error 4242");
  EXPECT_NO_THROW(check(driver, 0, "doing"));
  try {
    check(driver, 700, "waiting for the GPU");
    FAIL();
  } catch (const CudaError& error) {
    EXPECT_EQ(error.status, 700);
    EXPECT_STREQ(error.what(), "waiting for the GPU: CUDA_ERROR_ILLEGAL_ADDRESS: as planned");
  }
}

TEST_F(ImaginedGpu, EverythingFreesItself) {
  const FoundGpu found = Gpu::find(NIBBLE_FAKE_DRIVER);
  state_->kernel_of = [](const std::string&, const void*) {
    return [](const fake::Launch&) { return fake::Ran{}; };
  };
  {
    const Memory memory(*found.gpu, 100);
    Memory taken(*found.gpu, 0);
    const Memory moved = std::move(taken);
    const std::byte image[1]{};
    const Module module(*found.gpu, image);
    module.function("f");
    const Stream stream(*found.gpu);
    const Event begin(*found.gpu), end(*found.gpu);
    begin.record(stream);
    launch(*found.gpu, module.function("f"), {.shared_bytes = 100000}, nullptr, stream.handle());
    end.record(stream);
    EXPECT_NEAR(end.microseconds_since(begin), 1.5, 1e-3);  // the kernel, and an event's own time
    EXPECT_EQ(state_->allocations, 2);
    EXPECT_EQ(state_->modules + state_->streams + state_->events, 4);
  }
  EXPECT_EQ(state_->allocations + state_->modules + state_->streams + state_->events, 0);
}

}  // namespace
}  // namespace nibble::gpu
