// A measurement from end to end, on a driver whose kernels take as long as the test says: what is
// timed, in which order, on which data, and that a wrong answer is found at every position.
#include "gpu/paired_run.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

#include "fake_driver.hpp"
#include "gpu/kit_kernels.hpp"
#include "made_cubin.hpp"

namespace nibble::gpu {
namespace {

using fake::Ran;
constexpr std::size_t kCount = 512;

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58'476D'1CE4'E5B9;
  return x ^ (x >> 31);
}

/// The kit's own kernels, in C++.
fake::Kernel kit_kernel(const std::string& name, int& stamps) {
  if (name == "nibble_fill") {
    return [](const fake::Launch& launch) {
      auto* const words = launch.pointer<std::uint32_t>(0);
      for (std::uint64_t i = 0; i < launch.argument<std::uint64_t>(1); ++i) {
        words[i] = static_cast<std::uint32_t>(mixed(launch.argument<std::uint64_t>(2) + i) >> 13);
      }
      return Ran{3.0};
    };
  }
  if (name == "nibble_differences") {
    return [](const fake::Launch& launch) {
      const auto count = launch.argument<std::uint64_t>(2);
      const bool same = std::memcmp(launch.pointer<const char>(0), launch.pointer<const char>(1),
                                    static_cast<std::size_t>(count)) == 0;
      *launch.pointer<std::uint64_t>(5) += same ? 0 : 1;
      return Ran{2.0};
    };
  }
  if (name == "nibble_stamp") {
    return [&stamps](const fake::Launch& launch) {
      ++stamps;
      auto* const stamp = launch.pointer<std::uint64_t>(0);
      stamp[0] = static_cast<std::uint64_t>(stamps) * 1'900'000;  // cycles of a millisecond
      stamp[1] = static_cast<std::uint64_t>(stamps) * 1'000'000;
      return Ran{};
    };
  }
  if (name == "nibble_flush") return [](const fake::Launch&) { return Ran{50.0}; };
  return {};
}

class Pairs : public testing::Test {
 protected:
  Pairs() {
    void* const library = dlopen(NIBBLE_FAKE_DRIVER, RTLD_NOW);
    auto* const find = reinterpret_cast<fake::State* (*)()>(dlsym(library, "fake_cuda_state"));
    state_ = find();
    *state_ = {};
    state_->kernel_of = [this](const std::string& name, const void* image) -> fake::Kernel {
      if (image == kit_.data()) return kit_kernel(name, stamps_);
      if (name != "twice") return {};
      const bool is_learner = image == learner_.data();
      return [this, is_learner](const fake::Launch& launch) {
        const auto* const x = launch.pointer<const std::uint32_t>(0);
        auto* const y = launch.pointer<std::uint32_t>(1);
        (is_learner ? learners_data_ : references_data_).push_back(x[0]);
        order_ += is_learner ? 'L' : 'R';
        if (is_learner && cheat_) return cheat_(launch);
        for (std::size_t i = 0; i < kCount; ++i) y[i] = 2 * x[i];
        return Ran{is_learner ? 80.0 : 100.0};
      };
    };
  }

  static KernelProblem a_problem() {
    KernelProblem problem;
    problem.kernel = "twice";
    problem.parameters = {Parameter::input(4 * kCount, Fill::kBytes), Parameter::output(4 * kCount),
                          Parameter::scalar(std::int64_t{kCount})};
    problem.work = {.n = kCount};
    return problem;
  }

  PairedRun run(int pairs = 12) {
    const FoundGpu found = Gpu::find(NIBBLE_FAKE_DRIVER);
    PairedOptions options;
    options.pairs = pairs;
    PairedRun result = run_pairs(*found.gpu, a_problem(), kit_, reference_, learner_, options);
    EXPECT_EQ(result.pairs.size(), static_cast<std::size_t>(pairs));
    return result;
  }

  static std::vector<std::byte> cubin() {
    return MadeCubin({{"twice", true, {.block_x = 64, .tile_n = 64}}}).bytes();
  }

  fake::State* state_;
  const std::vector<std::byte> kit_{std::byte{1}}, reference_ = cubin(), learner_ = cubin();
  std::function<Ran(const fake::Launch&)> cheat_;
  std::vector<std::uint32_t> learners_data_, references_data_;
  std::string order_;
  int stamps_ = 0;
};

TEST_F(Pairs, HoldTheTimesOfTheKernelsAlone) {
  const PairedRun result = run();
  EXPECT_NEAR(result.event_overhead_us, 0.5, 1e-3);
  for (const Pair& pair : result.pairs) {
    EXPECT_NEAR(pair.reference_us, 100.5, 0.01);
    EXPECT_NEAR(pair.learner_us, 80.5, 0.01);
  }
  EXPECT_TRUE(result.wrong_pairs.empty());
  EXPECT_NEAR(result.first_half_mhz, 1900, 1e-6);
  EXPECT_NEAR(result.second_half_mhz, 1900, 1e-6);
}

TEST_F(Pairs, TakeTurns) {
  run(4);
  // Warm-up; then each pair and the reference once more, for the answer.
  EXPECT_EQ(order_,
            "RRRRRRRRL"
            "RLR"
            "LRR"
            "RLR"
            "LRR");
}

TEST_F(Pairs, UseDataOnce) {
  run(20);
  const std::set<std::uint32_t> different(learners_data_.begin(), learners_data_.end());
  EXPECT_EQ(different.size(), learners_data_.size());
}

TEST_F(Pairs, MakeTheAnswerAfterTheLearner) {
  run(6);
  // What the learner is given, the reference has not been given before.
  std::size_t learner = 0, reference = 0;
  std::set<std::uint32_t> seen;
  for (const char who : order_) {
    if (who == 'R') {
      seen.insert(references_data_[reference++]);
    } else {
      EXPECT_FALSE(seen.contains(learners_data_[learner++]));
    }
  }
}

TEST_F(Pairs, WrongAnswerIsFoundAtEveryPosition) {
  for (int wrong = 0; wrong < 12; ++wrong) {
    int call = -2;  // the warm-up is not looked at
    cheat_ = [&](const fake::Launch& launch) {
      ++call;
      const auto* const x = launch.pointer<const std::uint32_t>(0);
      auto* const y = launch.pointer<std::uint32_t>(1);
      for (std::size_t i = 0; i < kCount; ++i) y[i] = 2 * x[i];
      if (call == wrong) y[kCount - 1] ^= 1;
      return Ran{80.0};
    };
    EXPECT_EQ(run().wrong_pairs, std::vector<int>{wrong});
  }
}

TEST_F(Pairs, KernelThatDoesNothingIsWrongEveryTime) {
  cheat_ = [](const fake::Launch&) { return Ran{1.0}; };
  EXPECT_EQ(run().wrong_pairs.size(), 12u);
}

TEST_F(Pairs, AnswerOfTheCallBeforeIsWrong) {
  std::vector<std::uint32_t> kept(kCount);
  cheat_ = [&](const fake::Launch& launch) {
    const auto* const x = launch.pointer<const std::uint32_t>(0);
    auto* const y = launch.pointer<std::uint32_t>(1);
    std::copy(kept.begin(), kept.end(), y);
    for (std::size_t i = 0; i < kCount; ++i) kept[i] = 2 * x[i];
    return Ran{1.0};
  };
  EXPECT_EQ(run().wrong_pairs.size(), 12u);
}

TEST_F(Pairs, OnlyTheFirstTileIsNotEnough) {
  cheat_ = [](const fake::Launch& launch) {
    for (std::size_t i = 0; i < 64; ++i) {
      launch.pointer<std::uint32_t>(1)[i] = 2 * launch.pointer<const std::uint32_t>(0)[i];
    }
    return Ran{10.0};
  };
  EXPECT_EQ(run().wrong_pairs.size(), 12u);
}

TEST_F(Pairs, ModuleOfTheLearnerIsLoadedAnew) {
  run(16);
  EXPECT_EQ(state_->loads, 3 + 2);  // kit, reference, learner; then every eight pairs
}

TEST_F(Pairs, AReferenceNeedsNoCubin) {
  const FoundGpu found = Gpu::find(NIBBLE_FAKE_DRIVER);
  int calls = 0;
  const Start twice = [&](const std::vector<void*>& arguments, const Stream&) {
    const auto* const x = *static_cast<std::uint32_t**>(arguments[0]);
    auto* const y = *static_cast<std::uint32_t**>(arguments[1]);
    for (std::size_t i = 0; i < kCount; ++i) y[i] = 2 * x[i];
    state_->clock_us += 200;
    ++calls;
  };
  PairedOptions options;
  options.pairs = 4;
  const PairedRun result = run_pairs(*found.gpu, a_problem(), kit_, twice, learner_, options);
  EXPECT_TRUE(result.wrong_pairs.empty());
  EXPECT_NEAR(result.pairs[0].reference_us, 200.5, 1e-2);
  EXPECT_GE(calls, 2 * options.pairs);  // in each pair, and once more for the right answer
}

TEST_F(Pairs, AnOutputThatBeginsAtZeroIsNotPoisoned) {
  const FoundGpu found = Gpu::find(NIBBLE_FAKE_DRIVER);
  KernelProblem problem = a_problem();
  problem.parameters[1].from_zero = true;
  cheat_ = [](const fake::Launch& launch) {  // adds to what is there
    for (std::size_t i = 0; i < kCount; ++i) {
      launch.pointer<std::uint32_t>(1)[i] += 2 * launch.pointer<const std::uint32_t>(0)[i];
    }
    return Ran{80.0};
  };
  PairedOptions options;
  options.pairs = 4;
  EXPECT_TRUE(
      run_pairs(*found.gpu, problem, kit_, reference_, learner_, options).wrong_pairs.empty());
  EXPECT_EQ(run(4).wrong_pairs.size(), 4u);  // on poison it is wrong
}

TEST_F(Pairs, ErrorOfAKernelEndsTheMeasurement) {
  cheat_ = [](const fake::Launch&) { return Ran{1.0, 700}; };
  EXPECT_THROW(run(), CudaError);
  state_->sticky = 0;
  EXPECT_EQ(state_->allocations + state_->modules + state_->events + state_->streams, 0);
}

TEST_F(Pairs, CubinThatCannotBeLaunchedIsASentence) {
  const FoundGpu found = Gpu::find(NIBBLE_FAKE_DRIVER);
  KernelProblem problem;
  problem.kernel = "thrice";
  EXPECT_THROW(run_pairs(*found.gpu, problem, kit_, reference_, learner_, {}), std::runtime_error);
}

}  // namespace
}  // namespace nibble::gpu
