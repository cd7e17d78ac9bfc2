// The runner's side of a GPU, on a driver that has none: what a kernel does to its buffers, to its
// neighbours and to the context is seen and said.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

#include "fake_driver.hpp"
#include "nibble/simt/report.hpp"
#include "protocol/arena.hpp"
#include "protocol/message.hpp"
#include "runner/device.hpp"
#include "runner/kernel_session.hpp"

namespace nibble {
namespace {

using fake::Ran;
constexpr int kOutOfReach = 700;  // CUDA_ERROR_ILLEGAL_ADDRESS

class OnGpu : public testing::Test {
 protected:
  OnGpu() {
    void* const library = dlopen(NIBBLE_CUDA_DRIVER, RTLD_NOW);
    auto* const find = reinterpret_cast<fake::State* (*)()>(dlsym(library, "fake_cuda_state"));
    state_ = find();
    *state_ = {};
    plan([](const fake::Launch& launch) {
      const auto* const x = launch.pointer<const std::int32_t>(0);
      auto* const y = launch.pointer<std::int32_t>(1);
      for (std::int64_t i = 0; i < launch.argument<std::int64_t>(3); ++i) {
        y[i] = x[i] + launch.argument<std::int32_t>(2);
      }
      return Ran{};
    });
    std::iota(x_.begin(), x_.end(), 0);
    runner::begin_kernels({}, outputs_.data());
  }

  void plan(fake::Kernel kernel) {
    state_->kernel_of = [kernel = std::move(kernel)](const std::string& name, const void*) {
      return name == "not_in_the_driver" ? fake::Kernel() : kernel;
    };
  }

  void call(const char* kernel = "add_to_all") {
    using Kernel = void (*)(const std::int32_t*, std::int32_t*, std::int32_t, std::int64_t);
    const std::span<const std::int32_t> x = x_;
    const std::span<std::int32_t> y = y_;
    device::run(kernel, Kernel{nullptr}, nullptr, Work{.n = std::ssize(x)}, "x, y, by, n", x, y,
                std::int32_t{10}, std::ssize(x));
  }

  std::string refusal(const char* kernel = "add_to_all") {
    try {
      call(kernel);
      return "";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }

  const simt::Report& report() const {
    return *reinterpret_cast<const simt::Report*>(outputs_.data() + protocol::kReportOffset);
  }

  fake::State* state_;
  std::vector<std::int32_t> x_ = std::vector<std::int32_t>(1000);
  std::vector<std::int32_t> y_ = std::vector<std::int32_t>(1000, -1);
  alignas(64) std::array<std::byte, protocol::kGuardBytes> outputs_{};
};

// --- Launches ------------------------------------------------------------------------------------

TEST_F(OnGpu, KernelComputes) {
  call();
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(y_[static_cast<std::size_t>(i)], i + 10);
  EXPECT_EQ(report().magic, simt::Report::kMagic);
  EXPECT_EQ(report().findings, 0u);
  EXPECT_EQ(report().totals.launches, 1u);
  EXPECT_EQ(report().totals.blocks, 4u);
  EXPECT_EQ(report().totals.threads, 512u);
}

TEST_F(OnGpu, LaunchFollowsTheDescriptor) {
  fake::Launch seen{};
  plan([&](const fake::Launch& launch) {
    seen = launch;
    return Ran{};
  });
  call();
  EXPECT_EQ(seen.grid_x, 4u);  // 1000 outputs in tiles of 256
  EXPECT_EQ(seen.grid_y, 1u);
  EXPECT_EQ(seen.block_x, 128u);
  EXPECT_EQ(seen.block_y, 1u);
  EXPECT_EQ(seen.shared_bytes, 64u);
}

TEST_F(OnGpu, BuffersAreAlignedTo256Bytes) {
  plan([](const fake::Launch& launch) {
    EXPECT_EQ(launch.argument<std::uint64_t>(0) % 256, 0u);
    EXPECT_EQ(launch.argument<std::uint64_t>(1) % 256, 0u);
    return Ran{};
  });
  call();
}

TEST_F(OnGpu, NothingIsLaunchedForNoOutputs) {
  x_.clear();
  y_.clear();
  call();
  EXPECT_EQ(state_->launches, 0);
}

TEST_F(OnGpu, OutputKeepsThePoisonThatNobodyOverwrote) {
  plan([](const fake::Launch&) { return Ran{}; });
  call();
  EXPECT_EQ(y_, std::vector<std::int32_t>(1000, -1));
}

TEST_F(OnGpu, GlobalVariablesDoNotOutliveACall) {
  call();
  call();
  EXPECT_EQ(state_->loads, 2);
}

TEST_F(OnGpu, NothingIsLeftBehind) {
  call();
  refusal("without_tiles");
  plan([](const fake::Launch&) { return Ran{1.0, kOutOfReach}; });
  refusal();
  EXPECT_EQ(state_->allocations, 0);
  EXPECT_EQ(state_->modules, 0);
}

// --- Refusals ------------------------------------------------------------------------------------

TEST_F(OnGpu, EachRefusalIsASentence) {
  EXPECT_EQ(
      refusal("no_such_kernel"),
      "the file has no kernel no_such_kernel: its name and its parameters are the contract's");
  EXPECT_EQ(refusal("without_descriptor"),
            "no launch descriptor: write NIBBLE_LAUNCH(without_descriptor, .block_x = ...) before "
            "the kernel");
  EXPECT_EQ(refusal("too_many_threads"),
            "too_many_threads: a block of 2048 x 1 threads; a GPU takes at most 1024");
  EXPECT_EQ(refusal("without_tiles"),
            "without_tiles: a tile of 1 x 0 outputs has none: no number of blocks makes them all");
  EXPECT_EQ(
      refusal("too_much_shared"),
      "too_much_shared: 300000 bytes of shared memory; a block of sm_90 takes at most 232448");
  EXPECT_EQ(state_->launches, 0);
}

TEST_F(OnGpu, TooManyRegistersAreASentence) {
  state_->most_threads = 64;
  EXPECT_EQ(refusal(),
            "add_to_all takes 40 registers a thread: a block has room for 64 threads, and 128 are "
            "asked for");
}

TEST_F(OnGpu, KernelThatTheDriverDoesNotFindIsSaid) {
  EXPECT_NE(refusal("not_in_the_driver").find("looking for the kernel not_in_the_driver"),
            std::string::npos);
  call();  // the next call is a new one
}

// --- Damage --------------------------------------------------------------------------------------

TEST_F(OnGpu, WriteBehindABufferIsFound) {
  plan([](const fake::Launch& launch) {
    launch.pointer<std::int32_t>(1)[1000] += 1;
    return Ran{};
  });
  call();
  ASSERT_EQ(report().findings, 1u);
  const simt::EngineFinding& found = report().finding[0];
  EXPECT_EQ(found.kind, simt::Kind::kGlobalOob);
  EXPECT_EQ(found.is_write, 1);
  EXPECT_STREQ(found.subject, "y");
  EXPECT_STREQ(found.kernel, "add_to_all");
  EXPECT_GE(found.offset, 4000);
  EXPECT_LT(found.offset, 4004);
  EXPECT_EQ(found.size, 4000u);
}

TEST_F(OnGpu, OneByteInEitherFenceIsFound) {
  for (const std::int64_t at :
       {std::int64_t{-1}, std::int64_t{-65536}, std::int64_t{4000}, std::int64_t{4000 + 65535}}) {
    runner::begin_kernels({}, outputs_.data());
    plan([at](const fake::Launch& launch) {
      launch.pointer<std::uint8_t>(1)[at] ^= 1;
      return Ran{};
    });
    call();
    ASSERT_EQ(report().findings, 1u) << at;
    EXPECT_EQ(report().finding[0].offset, at);
    EXPECT_EQ(report().finding[0].bytes, 1u);
  }
}

TEST_F(OnGpu, FenceOfAnInputIsAFenceToo) {
  plan([](const fake::Launch& launch) {
    const_cast<std::int32_t*>(launch.pointer<const std::int32_t>(0))[1000] ^= 1;
    return Ran{};
  });
  call();
  ASSERT_EQ(report().findings, 1u);
  EXPECT_STREQ(report().finding[0].subject, "x");
}

TEST_F(OnGpu, LastElementIsNoFence) {
  plan([](const fake::Launch& launch) {
    launch.pointer<std::int32_t>(1)[0] = 7;
    launch.pointer<std::int32_t>(1)[999] = 7;
    return Ran{};
  });
  call();
  EXPECT_EQ(report().findings, 0u);
}

TEST_F(OnGpu, ChangedInputIsRefused) {
  plan([](const fake::Launch& launch) {
    launch.pointer<std::uint8_t>(0)[401] ^= 0x40;
    return Ran{};
  });
  EXPECT_EQ(refusal(), "add_to_all changed its input x, at byte 401");
  EXPECT_EQ(x_[100], 100);  // in the GPU's copy only
}

// --- Kernels that do not end well ----------------------------------------------------------------

TEST_F(OnGpu, KernelThatTheGpuStopsIsAFinding) {
  plan([](const fake::Launch&) { return Ran{1.0, kOutOfReach}; });
  const std::string said = refusal();
  EXPECT_TRUE(said.starts_with("add_to_all read or wrote memory that is not its own: ")) << said;
  EXPECT_NE(said.find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos) << said;
  ASSERT_EQ(report().findings, 1u);
  EXPECT_EQ(report().finding[0].kind, simt::Kind::kGlobalOob);
}

TEST_F(OnGpu, CallAfterABrokenOneHasANewContext) {
  plan([](const fake::Launch&) { return Ran{1.0, 719}; });
  EXPECT_TRUE(refusal().starts_with("add_to_all was stopped: ")) << refusal();
  plan([](const fake::Launch& launch) {
    launch.pointer<std::int32_t>(1)[0] = 42;
    return Ran{};
  });
  call();
  EXPECT_GE(state_->resets, 1);
  EXPECT_EQ(y_[0], 42);
}

TEST_F(OnGpu, ReportHasRoomForSoManyFindings) {
  plan([](const fake::Launch& launch) {
    launch.pointer<std::uint8_t>(1)[4000] ^= 1;
    return Ran{};
  });
  for (int i = 0; i < 20; ++i) call();
  EXPECT_EQ(report().findings, simt::Report::kFindings);
  EXPECT_EQ(report().more_findings, 20 - simt::Report::kFindings);
}

}  // namespace
}  // namespace nibble
