// The engine from the side of the process that runs kernels. Nothing here is instrumented: this is
// what the fast build has.
#include "nibble/simt/session.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <set>
#include <vector>

#include "nibble/simt.hpp"

namespace nibble::simt {
namespace {

using Kernel = std::function<void()>;

void run(dim3 grid, dim3 block, Kernel kernel, std::size_t shared = 0) {
  launch_erased(
      LaunchConfig(grid, block, shared), "kernel",
      [](void* closure) { (*static_cast<Kernel*>(closure))(); }, &kernel);
}

template <class T>
T* buffer(const std::vector<T>& values, const char* name = "x") {
  T* const device = static_cast<T*>(allocate(values.size() * sizeof(T), name));
  copy_to_device(device, values.data(), values.size() * sizeof(T));
  return device;
}

template <class T>
std::vector<T> values(const T* device, std::size_t n) {
  std::vector<T> host(n);
  copy_to_host(host.data(), device, n * sizeof(T));
  return host;
}

SessionOptions in_order(Schedule schedule, std::uint64_t seed = 1) {
  SessionOptions options;
  options.schedule = schedule;
  options.seed = seed;
  return options;
}

// ---- the end of a grid

TEST(Launch, BlocksBeforeTheFirstDoNotRun) {
  for (const Schedule schedule : {Schedule::kForward, Schedule::kReverse, Schedule::kShuffled}) {
    start(in_order(schedule));
    std::multiset<std::vector<unsigned>> ran;
    Kernel kernel = [&] { ran.insert({blockIdx.x, blockIdx.y, gridDim.x, gridDim.y}); };
    LaunchConfig config({2'000'000'000, 2}, 1);
    config.first = {1'999'999'998, 1, 0};
    launch_erased(
        config, "kernel", [](void* one) { (*static_cast<Kernel*>(one))(); }, &kernel);
    EXPECT_EQ(finish().totals.blocks, 2u);
    EXPECT_EQ(ran, (std::multiset<std::vector<unsigned>>{{1'999'999'998, 1, 2'000'000'000, 2},
                                                         {1'999'999'999, 1, 2'000'000'000, 2}}));
  }
}

TEST(Launch, WhatIsLeftToOtherBlocksIsNoted) {
  start({});
  char* const whole = static_cast<char*>(allocate(8, "y", std::int64_t{1} << 40));
  const std::vector<char> host(8);
  copy_to_device(whole, host.data(), 8);
  check_written(whole, 8);
  EXPECT_EQ(finish().elsewhere, 0u);
  start({});
  check_written(allocate(8, "y", std::int64_t{1} << 40), 8);
  EXPECT_EQ(finish().elsewhere, 1u);
}

// ---- memory

TEST(DeviceMemory, IsAlignedAndNeverHandedOutTwice) {
  start({});
  std::set<char*> seen;
  for (std::size_t bytes : {0, 1, 3, 256, 257, 4096}) {
    for (int i = 0; i < 3; ++i) {
      char* const p = static_cast<char*>(allocate(bytes, "x"));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 256, 0u);
      EXPECT_TRUE(seen.insert(p).second);
      release(p);
    }
  }
  EXPECT_EQ(finish().findings, 0u);
}

TEST(DeviceMemory, EndsWhereTheOptionsSay) {
  SessionOptions options;
  options.device_bytes = 1 << 20;
  start(options);
  EXPECT_THROW(allocate(2 << 20, "x"), std::bad_alloc);
  EXPECT_NO_THROW(allocate(1 << 19, "x"));
  EXPECT_THROW(allocate(1 << 19, "x"), std::bad_alloc);
  EXPECT_THROW(allocate(SIZE_MAX - 100, "x"), std::bad_alloc);
}

TEST(DeviceMemory, TellsOfAnInputThatAKernelWroteOver) {
  start({});
  const std::vector<int> some{1, 2, 3};
  int* const x = buffer(some);
  run(1, 1, [=] { x[2] = 3; });
  check_input(x, some.data(), 3 * sizeof(int));
  run(1, 1, [=] { x[1] = 7; });
  check_input(x, some.data(), 3 * sizeof(int));
  const Report& report = finish();
  ASSERT_EQ(report.findings, 1u);
  EXPECT_EQ(report.finding[0].kind, Kind::kInputChanged);
  EXPECT_STREQ(report.finding[0].subject, "x[4]");
}

TEST(DeviceMemory, KeepsWhatWasCopiedOrPoisoned) {
  start({});
  const std::vector<int> some{1, 2, 3};
  int* const x = buffer(some);
  EXPECT_EQ(values(x, 3), some);
  poison(x, std::vector<int>{7, 8, 9}.data(), 12);
  EXPECT_EQ(values(x, 3), (std::vector<int>{7, 8, 9}));
  copy_to_device(x, nullptr, 0);
  release(nullptr);
}

/// The one finding, or an empty one.
EngineFinding only_finding() {
  const Report& report = finish();
  EXPECT_EQ(report.findings, 1u);
  return report.findings == 1 ? report.finding[0] : EngineFinding{};
}

TEST(Fence, TellsOfAByteBehind) {
  start({});
  char* const x = buffer(std::vector<char>(100, 0), "weights");
  run(1, 1, [=] { x[100] = 1; });
  const EngineFinding finding = only_finding();
  EXPECT_EQ(finding.kind, Kind::kGlobalOob);
  EXPECT_STREQ(finding.subject, "weights");
  EXPECT_STREQ(finding.detail, "0 bytes behind its end of 100 bytes");
  EXPECT_EQ(finding.offset, 100);
}

TEST(Fence, TellsOfAByteBefore) {
  start({});
  int* const x = buffer(std::vector<int>(8, 0));
  run(1, 1, [=] { x[-1] = 5; });
  EXPECT_EQ(only_finding().offset, -4);
}

TEST(Fence, IsLookedAtWhenMemoryIsFreed) {
  start({});
  char* const x = buffer(std::vector<char>(256, 0));
  run(1, 1, [=] { x[300] = 1; });
  release(x);
  EXPECT_EQ(only_finding().kind, Kind::kGlobalOob);
}

TEST(Fence, StandsBetweenTwoBuffersOfAnySize) {
  for (std::size_t size : {1, 255, 256, 257, 1000}) {
    start({});
    char* const x = buffer(std::vector<char>(size, 0));
    char* const y = buffer(std::vector<char>(size, 0));
    EXPECT_GE(y - x, static_cast<std::ptrdiff_t>(size + 256));
    run(1, 1, [=] { y[-256] = 1; });
    EXPECT_GE(finish().findings, 1u) << size;
  }
}

// ---- the report

TEST(Report, IsWrittenWhereItIsAsked) {
  const auto mine = std::make_unique<Report>();
  SessionOptions options;
  options.report = mine.get();
  start(options);
  EXPECT_EQ(mine->magic, Report::kMagic) << "to be read whatever becomes of the process";
  run(1, 2000, [] {});
  EXPECT_EQ(mine->findings, 1u) << "as it happens";
  EXPECT_EQ(&finish(), mine.get());
}

TEST(Report, BeginsAfresh) {
  start({});
  run(1, 2000, [] {});
  EXPECT_EQ(finish().findings, 1u);
  start({});
  run(2, 3, [] {});
  const Report& report = finish();
  EXPECT_EQ(report.findings, 0u);
  EXPECT_EQ(report.totals.launches, 1u);
  EXPECT_EQ(report.totals.blocks, 2u);
  EXPECT_EQ(report.totals.threads, 6u);
}

TEST(Report, ForgetsNoErrorBeforeTheNextSession) {
  start({});
  run(1, 32, [] {
    if (threadIdx.x == 0) __syncthreads();
  });
  int ran = 0;
  run(1, 1, [&] { ++ran; });
  EXPECT_EQ(ran, 0) << "after a kernel went wrong nothing runs";
  EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  start({});
  run(1, 1, [&] { ++ran; });
  EXPECT_EQ(ran, 1);
}

// ---- threads

TEST(Threads, EachRunOnceWithAnIndexOfTheirOwn) {
  for (const Schedule schedule : {Schedule::kForward, Schedule::kReverse, Schedule::kShuffled}) {
    start(in_order(schedule));
    std::vector<int> count(2 * 3 * 2 * 5 * 4 * 3, 0);
    run(dim3(2, 3, 2), dim3(5, 4, 3), [&] {
      const unsigned thread = threadIdx.x + 5 * (threadIdx.y + 4 * threadIdx.z);
      const unsigned block = blockIdx.x + 2 * (blockIdx.y + 3 * blockIdx.z);
      ++count[block * 60 + thread];
      EXPECT_EQ(blockDim.y, 4u);
      EXPECT_EQ(gridDim.z, 2u);
    });
    EXPECT_TRUE(std::ranges::all_of(count, [](int n) { return n == 1; }));
  }
}

std::vector<unsigned> turns(Schedule schedule, std::uint64_t seed) {
  start(in_order(schedule, seed));
  std::vector<unsigned> order;
  run(4, 64, [&] { order.push_back(blockIdx.x * 64 + threadIdx.x); });
  return order;
}

TEST(Schedule, IsTheSameForTheSameSeedAndAnotherForAnother) {
  const auto forward = turns(Schedule::kForward, 1), reverse = turns(Schedule::kReverse, 1);
  EXPECT_TRUE(std::ranges::is_sorted(forward));
  EXPECT_TRUE(std::ranges::is_sorted(reverse, std::greater<>()));
  const auto one = turns(Schedule::kShuffled, 1);
  EXPECT_EQ(one, turns(Schedule::kShuffled, 1));
  EXPECT_NE(one, turns(Schedule::kShuffled, 2));
  EXPECT_TRUE(std::ranges::is_permutation(one, forward));
}

TEST(Threads, HaveAlignedStacks) {
  start({});
  run(1, 1024, [] {
    alignas(16) char aligned[16];
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(aligned) % 16, 0u);
  });
}

// ---- barriers

TEST(Barrier, OrdersAndCounts) {
  start({});
  std::vector<int> arrived(1, 0);
  run(3, 100, [&] {
    if (threadIdx.x == 0) arrived[0] = 0;
    __syncthreads();
    ++arrived[0];
    __syncthreads();
    EXPECT_EQ(arrived[0], 100);
    EXPECT_EQ(__syncthreads_count(threadIdx.x % 3 == 0), 34);
    EXPECT_EQ(__syncthreads_and(threadIdx.x < 100), 1);
    EXPECT_EQ(__syncthreads_and(threadIdx.x < 99), 0);
    EXPECT_EQ(__syncthreads_or(threadIdx.x == 7), 1);
    EXPECT_EQ(__syncthreads_or(0), 0);
  });
  EXPECT_EQ(finish().totals.barriers, 3u * 7);
}

TEST(Barrier, MayBeMadeTwoOfByTheOptimizer) {
  start({});
  run(1, 64, [] {
    if (threadIdx.x < 32) {
      __syncthreads();
    } else {
      __syncthreads();
    }
  });
  EXPECT_EQ(finish().findings, 0u) << "only code with hooks is code as written";
}

// ---- warps

TEST(Warp, Shuffles) {
  start({});
  run(1, 64, [] {
    const int lane = int(threadIdx.x % 32);
    EXPECT_EQ(__shfl_sync(~0u, lane, 5), 5);
    EXPECT_EQ(__shfl_sync(~0u, lane, 5, 8), lane / 8 * 8 + 5);
    EXPECT_EQ(__shfl_sync(~0u, lane, 37), 5);
    EXPECT_EQ(__shfl_up_sync(~0u, lane, 3), lane < 3 ? lane : lane - 3);
    EXPECT_EQ(__shfl_down_sync(~0u, lane, 3, 16), lane % 16 > 12 ? lane : lane + 3);
    EXPECT_EQ(__shfl_xor_sync(~0u, lane, 1), lane ^ 1);
    // An earlier segment may be read, a later one not.
    EXPECT_EQ(__shfl_xor_sync(~0u, lane, 16, 8), lane < 16 ? lane : lane - 16);
    EXPECT_EQ(__shfl_sync(~0u, 1.5 * lane, 4), 6.0);
  });
  EXPECT_EQ(finish().findings, 0u);
}

TEST(Warp, VotesAmongThoseWhoExist) {
  start({});
  run(1, 40, [] {
    const bool second = threadIdx.x >= 32;
    EXPECT_EQ(__ballot_sync(~0u, threadIdx.x % 2), second ? 0xAAu : 0xAAAAAAAAu);
    EXPECT_EQ(__any_sync(~0u, threadIdx.x == 35), second);
    EXPECT_EQ(__all_sync(~0u, second), second);
  });
  EXPECT_EQ(finish().totals.warp_collectives, 6u);
}

TEST(Warp, DoesNotWaitForLanesThatHaveEnded) {
  start({});
  run(1, 32, [] {
    if (threadIdx.x >= 20) return;
    __syncwarp();
    EXPECT_EQ(__ballot_sync(~0u, 1), 0xFFFFFu);
  });
  EXPECT_EQ(finish().findings, 0u);
}

TEST(Warp, SplitsIntoGroupsThatGoOnAlone) {
  start({});
  run(1, 32, [] {
    const bool low = threadIdx.x < 16;
    const unsigned mask = low ? 0xFFFFu : 0xFFFF0000u;
    int sum = 1;
    for (int i = 0; i < (low ? 4 : 1); ++i) sum += __shfl_xor_sync(mask, sum, 1 << i);
    EXPECT_EQ(sum, low ? 16 : 2);
  });
  EXPECT_EQ(finish().findings, 0u);
}

// ---- shared memory

TEST(SharedMemory, IsFreshInEveryBlockAndSession) {
  for (int session = 0; session < 2; ++session) {
    start({});
    run(3, 32, [] {
      static SharedDecl decl = shared_decl<int[4][8]>("s");
      int(&s)[4][8] = *static_cast<int(*)[4][8]>(shared_slot(&decl));
      int& mine = s[threadIdx.x / 8][threadIdx.x % 8];
      EXPECT_NE(mine, 12345);
      mine = 12345;
      __syncthreads();
      EXPECT_EQ(s[3][7], 12345);
    });
    EXPECT_EQ(finish().findings, 0u);
  }
}

TEST(SharedMemory, DynamicIsAsLargeAsAsked) {
  SessionOptions options;
  options.sm = 90;
  start(options);
  run(
      1, 1,
      [] {
        std::memset(dynamic_shared("s", 1), 1, 227 * 1024);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(dynamic_shared("s", 1)) % 128, 0u);
      },
      227 * 1024);
  run(
      1, 1, [] {}, 227 * 1024 + 1);
  EXPECT_EQ(finish().findings, 1u);
}

TEST(SharedMemory, IsRefusedWhereStaticAndDynamicAreTooMuchTogether) {
  SessionOptions options;
  options.sm = 75;
  start(options);
  run(
      1, 1,
      [] {
        static SharedDecl decl = shared_decl<char[40000]>("s");
        shared_slot(&decl);
        ADD_FAILURE() << "the launch goes on";
      },
      40000);
  EXPECT_STREQ(only_finding().detail,
               "80000 bytes of __shared__ memory in all; sm_75 has at most 65536");
}

// ---- atomics

TEST(Atomics, DoWhatTheirNamesSay) {
  start({});
  int* const i = buffer(std::vector<int>{5, -3, 8, 0});
  unsigned* const u = buffer(std::vector<unsigned>{7, 2, 0xF0, 3});
  double* const d = buffer(std::vector<double>{0.5});
  run(1, 1, [=] {
    EXPECT_EQ(atomicAdd(&i[0], 2), 5);
    EXPECT_EQ(atomicSub(&i[0], 3), 7);
    EXPECT_EQ(atomicMin(&i[1], -7), -3);
    EXPECT_EQ(atomicMax(&i[2], 3), 8);
    EXPECT_EQ(atomicCAS(&i[3], 0, 9), 0);
    EXPECT_EQ(atomicCAS(&i[3], 0, 1), 9);
    EXPECT_EQ(atomicInc(&u[0], 7), 7u);
    EXPECT_EQ(atomicInc(&u[0], 7), 0u);
    EXPECT_EQ(atomicDec(&u[1], 1), 2u);
    EXPECT_EQ(atomicAnd(&u[2], 0x3Cu), 0xF0u);
    EXPECT_EQ(atomicOr(&u[2], 1u), 0x30u);
    EXPECT_EQ(atomicXor(&u[2], 0xFFu), 0x31u);
    EXPECT_EQ(atomicExch(&u[3], 4u), 3u);
    EXPECT_EQ(atomicAdd(d, 0.25), 0.5);
  });
  EXPECT_EQ(values(i, 4), (std::vector<int>{4, -7, 8, 9}));
  EXPECT_EQ(values(u, 4), (std::vector<unsigned>{1, 1, 0xCE, 4}));
  EXPECT_EQ(values(d, 1)[0], 0.75);
  EXPECT_EQ(finish().totals.atomics, 14u);
}

TEST(Atomics, WrapAroundAsTheGpusDo) {
  start({});
  int* const i = buffer(std::vector<int>{0x7fffffff, -0x7fffffff - 1});
  run(1, 1, [=] {
    atomicAdd(&i[0], 1);
    atomicSub(&i[1], 1);
  });
  EXPECT_EQ(values(i, 2), (std::vector<int>{-0x7fffffff - 1, 0x7fffffff}));
}

// ---- the host's calls

TEST(Runtime, RefusesWhatCudaRefuses) {
  start({});
  int* device = nullptr;
  int host[4] = {1, 2, 3, 4};
  ASSERT_EQ(cudaMalloc(&device, sizeof host), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, host, sizeof host + 1, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, host, sizeof host, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(host, 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaFree(device + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress),
               "an illegal memory access was encountered");
  cudaEvent_t event;
  float ms;
  EXPECT_EQ(cudaEventCreate(&event), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, event, event), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
}

// ---- a process with little address space

[[noreturn]] void run_in_half_a_gigabyte() {
  const rlimit half{512 << 20, 512 << 20};
  setrlimit(RLIMIT_AS, &half);
  start({});
  char* const x = buffer(std::vector<char>(32 << 20, 1));
  int sum = 0;
  run(2, 1024, [&] { sum += x[threadIdx.x]; });
  std::exit(sum == 2048 && finish().findings == 0 ? 0 : 1);
}

TEST(AddressSpace, OfAChildIsEnough) {
  EXPECT_EXIT(run_in_half_a_gigabyte(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace nibble::simt
