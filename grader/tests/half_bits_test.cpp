// The published solution of lab 10 and this machine, bit by bit: the compiler's _Float16 and the
// CPU's own conversions, where there are any.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "nibble/cpu.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// g++ 12 has it in C++ for x86 alone.
#if defined(__FLT16_MANT_DIG__) && (defined(__x86_64__) || defined(__clang__) || __GNUC__ > 12)
#define NIBBLE_HAS_FLOAT16
#endif

namespace nibble {

// As lab 10's contract has them; the kit's tests include no lab. The linker sees that they agree.
std::uint16_t encode_half(float x);
float decode_half(std::uint16_t code);
std::uint16_t encode_bfloat16(float x);
float decode_bfloat16(std::uint16_t code);

namespace {

struct Machine {
  std::string name;
  std::uint16_t (*encode)(float);
  float (*decode)(std::uint16_t);
};

#if defined(NIBBLE_HAS_FLOAT16)
std::uint16_t encode_float16(float x) {
  return std::bit_cast<std::uint16_t>(static_cast<_Float16>(x));
}
float decode_float16(std::uint16_t code) {
  return static_cast<float>(std::bit_cast<_Float16>(code));
}
#endif

#if defined(__x86_64__)
__attribute__((target("f16c"))) std::uint16_t encode_f16c(float x) {
  return static_cast<std::uint16_t>(
      _mm_extract_epi16(_mm_cvtps_ph(_mm_set_ss(x), _MM_FROUND_TO_NEAREST_INT), 0));
}
__attribute__((target("f16c"))) float decode_f16c(std::uint16_t code) {
  return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(code)));
}
__attribute__((target("avx512bf16,avx512vl"))) std::uint16_t encode_avx512(float x) {
  const __m128bh code = _mm_cvtneps_pbh(_mm_set_ss(x));
  return std::bit_cast<std::array<std::uint16_t, 8>>(code)[0];
}

bool cpu_has_f16c() {
  return (detail::saved_state() & 0x6u) == 0x6u && (detail::cpu_id(1, 0).ecx >> 29 & 1u) != 0;
}
bool cpu_has_bf16() {
  return (detail::saved_state() & 0xE6u) == 0xE6u && (detail::cpu_id(7, 1).eax >> 5 & 1u) != 0;
}
#endif

std::vector<Machine> machines_with_half() {
  std::vector<Machine> all;
#if defined(NIBBLE_HAS_FLOAT16)
  all.push_back({"_Float16", encode_float16, decode_float16});
#endif
#if defined(__x86_64__)
  if (cpu_has_f16c()) all.push_back({"F16C", encode_f16c, decode_f16c});
#endif
  return all;
}

std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }

/// Every tie between two neighbours, and the floats on both sides of it. Infinity stands where the
/// next power of two would.
template <auto Decode>
std::vector<float> around_every_tie(std::uint16_t infinity) {
  std::vector<float> all;
  for (std::uint16_t code = 0; code < infinity; ++code) {
    const double below = Decode(code);
    const double step = code + 1 < infinity ? Decode(code + 1) - below : below - Decode(code - 1);
    const auto tie = static_cast<float>(below + step / 2);
    for (const float x : {std::nextafter(tie, 0.0f), tie, std::nextafter(tie, HUGE_VALF)}) {
      all.push_back(x);
      all.push_back(-x);
    }
  }
  return all;
}

/// A NaN for each bit of its fraction, quiet and not, of either sign.
std::vector<float> nans() {
  std::vector<float> all;
  for (const std::uint32_t rest : {0x7F80'0000u, 0x7FC0'0000u, 0xFF80'0000u, 0xFFC0'0000u}) {
    for (int bit = 0; bit < 23; ++bit) all.push_back(std::bit_cast<float>(rest | 1u << bit));
  }
  all.push_back(std::bit_cast<float>(0x7FFF'FFFFu));
  return all;
}

TEST(half_bits, EveryCodeMeansWhatTheMachineSays) {
  const std::vector<Machine> machines = machines_with_half();
  if (machines.empty()) GTEST_SKIP() << "neither the compiler nor the CPU knows half";
  for (const Machine& machine : machines) {
    for (std::uint32_t code = 0; code <= 0xFFFFu; ++code) {
      const auto c = static_cast<std::uint16_t>(code);
      ASSERT_EQ(bits_of(decode_half(c)), bits_of(machine.decode(c))) << machine.name << " " << code;
    }
    std::printf("%-9s 65536 codes\n", machine.name.c_str());
  }
}

TEST(half_bits, EveryTieGoesWhereTheMachineSendsIt) {
  const std::vector<Machine> machines = machines_with_half();
  if (machines.empty()) GTEST_SKIP() << "neither the compiler nor the CPU knows half";
  std::vector<float> floats = around_every_tie<decode_half>(0x7C00);
  ASSERT_EQ(floats.size(), 3u * 2u * 31'744u);
  for (const float nan : nans()) floats.push_back(nan);
  for (const Machine& machine : machines) {
    for (const float x : floats) {
      ASSERT_EQ(encode_half(x), machine.encode(x)) << machine.name << " " << x;
    }
    std::printf("%-9s %zu floats\n", machine.name.c_str(), floats.size());
  }
}

/// One of so many; before a release all of them, which takes half a minute.
std::uint64_t every(std::uint64_t stride) {
  static const bool all = std::getenv("NIBBLE_EVERY_FLOAT") != nullptr;
  return all ? 1 : stride;
}

TEST(half_bits, EveryFloatGoesWhereTheMachineSendsIt) {
  const std::vector<Machine> machines = machines_with_half();
  if (machines.empty()) GTEST_SKIP() << "neither the compiler nor the CPU knows half";
  const Machine& machine = machines.back();
  std::uint64_t count = 0;
  for (std::uint64_t bits = 0; bits >> 32 == 0; bits += every(257), ++count) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    ASSERT_EQ(encode_half(x), machine.encode(x)) << machine.name << " " << bits;
  }
  std::printf("%-9s %llu floats\n", machine.name.c_str(), static_cast<unsigned long long>(count));
}

#if defined(NIBBLE_HAS_FLOAT16)
// What lab 10 says of half(h + p): a float32 sum of two halves, rounded once more, is the half that
// is nearest to the exact sum. A double holds that one. Pairs of one half of 61; at length all.
TEST(half_bits, EverySumOfTwoIsAsGoodAsRoundedOnce) {
  std::vector<float> halves;
  for (int code = 0; code <= 0xFFFF; ++code) {
    const float x = decode_half(static_cast<std::uint16_t>(code));
    if (std::isfinite(x)) halves.push_back(x);
  }
  std::uint64_t pairs = 0, rounded = 0;
  for (std::size_t i = 0; i < halves.size(); i += every(61)) {
    for (std::size_t j = i; j < halves.size(); ++j, ++pairs) {
      const double exact = static_cast<double>(halves[i]) + halves[j];
      const float sum = halves[i] + halves[j];
      if (sum == exact) continue;
      ++rounded;
      const auto once = std::bit_cast<std::uint16_t>(static_cast<_Float16>(exact));
      ASSERT_EQ(encode_half(sum), once) << halves[i] << " + " << halves[j];
    }
  }
  std::printf("%llu pairs, %llu sums that a float32 rounds\n",
              static_cast<unsigned long long>(pairs), static_cast<unsigned long long>(rounded));
}
#endif

// AVX512_BF16 reads a subnormal float as 0, whatever the CPU is told.
TEST(half_bits, EveryTieOfBfloat16GoesWhereTheMachineSendsIt) {
#if defined(__x86_64__)
  if (!cpu_has_bf16()) GTEST_SKIP() << "the CPU has no AVX512_BF16";
  std::vector<float> floats = around_every_tie<decode_bfloat16>(0x7F80);
  ASSERT_EQ(floats.size(), 3u * 2u * 32'640u);
  for (const float nan : nans()) floats.push_back(nan);
  int subnormal = 0, differ = 0;
  for (const float x : floats) {
    if (std::fpclassify(x) != FP_SUBNORMAL) {
      ASSERT_EQ(encode_bfloat16(x), encode_avx512(x)) << x;
      continue;
    }
    ++subnormal;
    differ += encode_bfloat16(x) != encode_avx512(x) ? 1 : 0;
  }
  std::printf("AVX512_BF16 %zu floats; of %d subnormal ones %d differ\n", floats.size(), subnormal,
              differ);
#else
  GTEST_SKIP() << "AVX512_BF16 is x86's";
#endif
}

}  // namespace
}  // namespace nibble
