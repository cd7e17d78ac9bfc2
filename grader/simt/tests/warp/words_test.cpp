// What words.cu says, and what it is to mean.
#include <cmath>

#include "run.hpp"

namespace nibble::simt::tests {
namespace {

extern "C" {
void hinted(const float4* x, float4* y, char4* q);
void braced(const float4* x, float4* y);
void fast_mathematics(float* out);
void piped(const float* x, float* y);
void copied_by_a_block(const float* x, const signed char* q, float* y);
void read_before_its_wait(const float* x, float* y);
void groups_of_any_size(float* out);
void lambdas(int* out);
void indices_by_name(int* out);
void device_branch(int* out);
void shared_of_the_file(int* out);
}

std::vector<float> ramp(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; i++) values[i] = static_cast<float>(i) + 0.5f;
  return values;
}

TEST(Words, HoldForLoadsAndStoresWithAHint) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    const std::vector<float> x = ramp(128);
    float* const from = device.give(x, "x");
    float* const to = device.room<float>(128, "y");
    signed char* const codes = device.room<signed char>(128, "q");
    device.launch(hinted, 32, reinterpret_cast<const float4*>(from), reinterpret_cast<float4*>(to),
                  reinterpret_cast<char4*>(codes));
    EXPECT_EQ(device.take(to, 128), x);
    EXPECT_EQ(device.take(codes, 4), (std::vector<signed char>{1, 2, 3, 4}));
    ASSERT_TRUE(is_clean(device.end()));
  });
}

TEST(Words, AskForMemoryOnceWithAHint) {
  SessionOptions options;
  options.counters = true;
  Device device(options);
  float* const from = device.give(ramp(128), "x");
  float* const to = device.room<float>(128, "y");
  signed char* const codes = device.room<signed char>(128, "q");
  device.launch(hinted, 32, reinterpret_cast<const float4*>(from), reinterpret_cast<float4*>(to),
                reinterpret_cast<char4*>(codes));
  const Report& report = device.end();
  EXPECT_EQ(
      asked_at(report, "words.cu", "loads with a hint", Space::kGlobal, Use::kLoad, 16).requests,
      1u);
  EXPECT_EQ(
      asked_at(report, "words.cu", "stores with a hint", Space::kGlobal, Use::kStore, 16).sectors,
      16u);
}

TEST(Words, MakeOneStoreOfAVectorInBraces) {
  SessionOptions options;
  options.counters = true;
  Device device(options);
  float* const from = device.give(ramp(128), "x");
  float* const to = device.room<float>(128, "y");
  device.launch(braced, 32, reinterpret_cast<const float4*>(from), reinterpret_cast<float4*>(to));
  EXPECT_EQ(device.take(to, 4), (std::vector<float>{3.5f, 2.5f, 1.5f, 0.5f}));
  const Asked asked =
      asked_at(device.end(), "words.cu", "a store of braces", Space::kGlobal, Use::kStore, 16);
  EXPECT_EQ(asked.requests, 1u);
  EXPECT_EQ(asked.sectors, 16u);
}

TEST(Words, HoldForFastMathematics) {
  Device device;
  float* const out = device.room<float>(15, "out");
  device.launch(fast_mathematics, 1, out);
  const std::vector<float> got = device.take(out, 15);
  ASSERT_TRUE(is_clean(device.end()));
  const std::vector<double> wanted{std::exp(1.0), std::log(2.0), 3,    2,       std::sin(0.5),
                                   std::cos(0.5), std::tan(0.5), 8,    100,     std::sin(0.5),
                                   std::cos(0.5), 0.75,          M_PI, M_SQRT2, 1};
  for (std::size_t i = 0; i < 15; i++) EXPECT_NEAR(got[i], wanted[i], 1e-5 * wanted[i]) << i;
}

TEST(Words, HoldForCopiesUnderTheToolkitsNames) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    const std::vector<float> x = ramp(70);
    const std::vector<signed char> q{1, 2, 3, 4, 5, 6, 7};
    float* const from = device.give(x, "x");
    signed char* const codes = device.give(q, "q");
    float* const piped_to = device.room<float>(32, "piped");
    float* const copied_to = device.room<float>(70, "copied");
    device.launch(piped, 32, from, piped_to);
    device.launch(copied_by_a_block, 70, from, codes, copied_to);
    const std::vector<float> a = device.take(piped_to, 32), b = device.take(copied_to, 70);
    ASSERT_TRUE(is_clean(device.end()));
    for (std::size_t i = 0; i < 32; i++) EXPECT_EQ(a[i], x[31 - i]);
    for (std::size_t i = 0; i < 70; i++) EXPECT_EQ(b[i], x[i] + static_cast<float>(q[i % 7]));
  });
}

TEST(Words, ACopyOfABlockIsThereAfterItsWait) {
  Device device;
  float* const from = device.give(ramp(32), "x");
  device.launch(read_before_its_wait, 32, from, device.room<float>(32, "y"));
  EXPECT_TRUE(has(device.end(), Kind::kMissingWait, "words.cu", "finding: too early"));
}

TEST(Words, HoldForGroupsOfAnySize) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    float* const out = device.room<float>(std::size_t{64} * 6, "out");
    device.launch(groups_of_any_size, 64, out);
    const std::vector<float> got = device.take(out, std::size_t{64} * 6);
    ASSERT_TRUE(is_clean(device.end()));
    for (unsigned t = 0; t < 64; t++) {
      const unsigned four = t / 4 * 4;
      unsigned product = four % 97;
      for (unsigned i = 1; i < 4; i++) product = product * (four + i) % 97;
      const unsigned wanted[] = {t % 8 + 800, t + 6400,         t / 16 * 16 + 15,
                                 product,     t / 32 * 32 + 31, 4};
      for (std::size_t i = 0; i < 6; i++) {
        EXPECT_EQ(got[std::size_t{t} * 6 + i], static_cast<float>(wanted[i])) << t << " " << i;
      }
    }
  });
}

TEST(Words, HoldForLambdasAroundSharedMemory) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    int* const out = device.room<int>(32, "out");
    device.launch(lambdas, 32, out);
    const std::vector<int> got = device.take(out, 32);
    ASSERT_TRUE(is_clean(device.end()));
    for (int t = 0; t < 32; t++) EXPECT_EQ(got[static_cast<std::size_t>(t)], 3 * (31 - t));
  });
}

TEST(Words, HoldForIndicesByNameAndForRecursion) {
  Device device;
  int* const out = device.room<int>(32, "out");
  device.launch(indices_by_name, dim3(8, 2, 2), out);
  const std::vector<int> got = device.take(out, 32);
  ASSERT_TRUE(is_clean(device.end()));
  const int wanted[] = {1, 1, 2, 6};
  for (std::size_t i = 0; i < 32; i++) EXPECT_EQ(got[i], wanted[i % 4]);
}

TEST(Words, HoldForSharedMemoryOfTheFile) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    int* const out = device.room<int>(64, "out");
    device.launch_over(dim3(2), dim3(32), shared_of_the_file, out);
    const std::vector<int> got = device.take(out, 64);
    ASSERT_TRUE(is_clean(device.end()));
    for (int t = 0; t < 64; t++) {
      EXPECT_EQ(got[static_cast<std::size_t>(t)], t / 32 * 100 + 31 - t % 32);
    }
  });
}

TEST(Words, HoldForTheCompilersOwnName) {
  Device device;
  int* const out = device.room<int>(32, "out");
  device.launch(device_branch, 32, out);
  EXPECT_EQ(device.take(out, 32), std::vector<int>(32, 1));
  ASSERT_TRUE(is_clean(device.end()));
}

}  // namespace
}  // namespace nibble::simt::tests
