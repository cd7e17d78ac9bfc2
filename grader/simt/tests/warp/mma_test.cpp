// mma.sync and ldmatrix: registers packed and unpacked here as the PTX manual says.
#include <array>
#include <bit>
#include <cmath>

#include "run.hpp"
// After the others: their macros are CUDA's words.
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_fp8.h"

namespace nibble::simt::tests {
namespace {

extern "C" {
void run_mma_m16n8k16(const unsigned* a, const unsigned* b, const int* c, int* d);
void run_mma_m16n8k32(const unsigned* a, const unsigned* b, const int* c, int* d);
void run_mma_m16n8k16_f16(const unsigned* a, const unsigned* b, const float* c, float* d);
void run_mma_m16n8k16_bf16(const unsigned* a, const unsigned* b, const float* c, float* d);
void run_mma_m16n8k32_e4m3(const unsigned* a, const unsigned* b, const float* c, float* d);
void run_mma_m16n8k32_e4m3_by_halves(const unsigned* a, const unsigned* b, const float* c,
                                     float* d);
void run_mma_m16n8k256_and_popc(const unsigned* a, const unsigned* b, const int* c, int* d);
void load_blocks_1(const unsigned short* x, unsigned* out, int stride, bool transposed);
void load_blocks_2(const unsigned short* x, unsigned* out, int stride, bool transposed);
void load_blocks_4(const unsigned short* x, unsigned* out, int stride, bool transposed);
void ldmatrix_misaligned(unsigned* out);
void ldmatrix_from_global(const unsigned* x, unsigned* out);
void mma_in_a_branch(int* out);
void mma_in_part_of_a_warp(int* out);
}

/// How wide an element is, and how many of them a row of a has.
struct Shape {
  std::size_t bits, k;
  std::size_t per_register() const { return 32 / bits; }
  std::size_t a_registers() const { return 16 * k / per_register() / 32; }
  std::size_t b_registers() const { return a_registers() / 2; }
};

/// Codes of a [16, k] and b [k, 8] (here by columns), and what the lanes hold of them.
struct Operands {
  Shape shape;
  std::vector<std::uint32_t> a, b;

  std::uint32_t at_a(std::size_t row, std::size_t k) const { return a[row * shape.k + k]; }
  std::uint32_t at_b(std::size_t k, std::size_t column) const { return b[column * shape.k + k]; }

  /// The PTX manual: row = groupID, + 8 for the odd registers; k = per * threadID_in_group + i,
  /// plus half a row for the registers from the third on. Of b every register goes half a row on.
  std::vector<unsigned> a_registers() const {
    const std::size_t per = shape.per_register();
    std::vector<unsigned> registers(32 * shape.a_registers());
    for (std::size_t n = 0; n < registers.size(); n++) {
      const std::size_t lane = n / shape.a_registers(), r = n % shape.a_registers();
      for (std::size_t i = 0; i < per; i++) {
        registers[n] |= at_a(lane / 4 + r % 2 * 8, per * (lane % 4) + i + r / 2 * 4 * per)
                        << i * shape.bits;
      }
    }
    return registers;
  }
  std::vector<unsigned> b_registers() const {
    const std::size_t per = shape.per_register();
    std::vector<unsigned> registers(32 * shape.b_registers());
    for (std::size_t n = 0; n < registers.size(); n++) {
      const std::size_t lane = n / shape.b_registers(), r = n % shape.b_registers();
      for (std::size_t i = 0; i < per; i++) {
        registers[n] |= at_b(per * (lane % 4) + i + r * 4 * per, lane / 4) << i * shape.bits;
      }
    }
    return registers;
  }
};

Operands some_operands(Shape shape, const std::function<std::uint32_t(int)>& code) {
  Operands operands{shape, {}, {}};
  for (const int x : some_numbers(16 * shape.k, 4)) operands.a.push_back(code(x));
  for (const int x : some_numbers(8 * shape.k, 5)) operands.b.push_back(code(x));
  return operands;
}

template <class Number, class Product>
void expect_mma(void (*kernel)(const unsigned*, const unsigned*, const Number*, Number*),
                const Operands& operands, const Product& product) {
  under_every_schedule([&](const SessionOptions& options) {
    Device device(options);
    std::vector<Number> c;
    for (const int x : some_numbers(128, 6)) c.push_back(static_cast<Number>(x));
    Number* const d = device.room<Number>(128, "d");
    device.launch(kernel, 32, device.give(operands.a_registers(), "a"),
                  device.give(operands.b_registers(), "b"), device.give(c, "c"), d);
    const std::vector<Number> got = device.take(d, 128);
    const Report& report = device.end();
    ASSERT_TRUE(is_clean(report));
    expect_total(report.totals.mma, 1u);
    expect_total(report.totals.warp_collectives, 0u);
    for (std::size_t n = 0; n < 128; n++) {
      const std::size_t lane = n / 4, i = n % 4;
      const std::size_t row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
      double sum = static_cast<double>(c[n]);
      for (std::size_t k = 0; k < operands.shape.k; k++) {
        sum += product(operands.at_a(row, k), operands.at_b(k, column));
      }
      ASSERT_EQ(static_cast<double>(got[n]), sum) << "row " << row << ", column " << column;
    }
  });
}

double product_of_bytes(std::uint32_t a, std::uint32_t b) {
  return double(static_cast<std::int8_t>(a)) * double(static_cast<std::int8_t>(b));
}
std::uint32_t byte_code(int x) { return static_cast<std::uint8_t>(x); }

TEST(MmaSync, MultipliesSixteenBytesOfARow) {
  expect_mma<int>(run_mma_m16n8k16, some_operands({8, 16}, byte_code), product_of_bytes);
}
TEST(MmaSync, MultipliesThirtyTwoBytesOfARow) {
  expect_mma<int>(run_mma_m16n8k32, some_operands({8, 32}, byte_code), product_of_bytes);
}
TEST(MmaSync, MultipliesHalves) {
  const auto value = [](std::uint32_t code) {
    return double(__half2float(__ushort_as_half(static_cast<unsigned short>(code))));
  };
  expect_mma<float>(
      run_mma_m16n8k16_f16,
      some_operands(
          {16, 16},
          [](int x) { return std::uint32_t{__half_as_ushort(__float2half(float(x) / 8))}; }),
      [&](std::uint32_t a, std::uint32_t b) { return value(a) * value(b); });
}
TEST(MmaSync, MultipliesBfloat16) {
  const auto value = [](std::uint32_t code) { return double(std::bit_cast<float>(code << 16)); };
  expect_mma<float>(
      run_mma_m16n8k16_bf16,
      some_operands({16, 16},
                    [](int x) { return std::bit_cast<std::uint32_t>(float(x) / 8) >> 16; }),
      [&](std::uint32_t a, std::uint32_t b) { return value(a) * value(b); });
}
double value_of_e4m3(std::uint32_t code) { return double(decode<E4m3Format>(code)); }

// Sixteenths, whose sums have 13 bits or fewer: then the layout alone decides.
TEST(MmaSync, MultipliesE4m3) {
  expect_mma<float>(
      run_mma_m16n8k32_e4m3,
      some_operands({8, 32}, [](int x) { return encode<E4m3Format>(double(x % 8) / 4); }),
      [](std::uint32_t a, std::uint32_t b) { return value_of_e4m3(a) * value_of_e4m3(b); });
}

// What GPUs before sm_89 do: the same registers, two instructions.
TEST(MmaSync, MultipliesE4m3ByHalves) {
  Operands operands =
      some_operands({8, 32}, [](int x) { return encode<E4m3Format>(double(x % 8) / 4); });
  const std::vector<float> c(128, 0.5f);
  std::vector<float> got[2];
  for (int by_halves = 0; by_halves < 2; by_halves++) {
    Device device;
    float* const d = device.room<float>(128, "d");
    device.launch(by_halves ? run_mma_m16n8k32_e4m3_by_halves : run_mma_m16n8k32_e4m3, 32,
                  device.give(operands.a_registers(), "a"),
                  device.give(operands.b_registers(), "b"), device.give(c, "c"), d);
    got[by_halves] = device.take(d, 128);
    const Report& report = device.end();
    EXPECT_TRUE(is_clean(report));
    expect_total(report.totals.mma, by_halves ? 2u : 1u);
  }
  EXPECT_EQ(got[0], got[1]);
}

/// d of one row of a by one column of b, everywhere else zeros.
float e4m3_sum(const std::vector<double>& a, const std::vector<double>& b, float start) {
  Operands operands{{8, 32}, std::vector<std::uint32_t>(512), std::vector<std::uint32_t>(256)};
  for (std::size_t k = 0; k < a.size(); k++) {
    operands.a[k] = encode<E4m3Format>(a[k]);
    operands.b[k] = encode<E4m3Format>(b[k]);
  }
  Device device;
  float* const d = device.room<float>(128, "d");
  std::vector<float> c(128);
  c[0] = start;
  device.launch(run_mma_m16n8k32_e4m3, 32, device.give(operands.a_registers(), "a"),
                device.give(operands.b_registers(), "b"), device.give(c, "c"), d);
  const float sum = device.take(d, 128)[0];
  EXPECT_TRUE(is_clean(device.end()));
  return sum;
}

/// One tile of products: codes from `first` on down the rows, from `second` on along the columns.
std::vector<float> e4m3_products(Device& device, std::uint32_t first, std::uint32_t second) {
  Operands operands{{8, 32}, std::vector<std::uint32_t>(512), std::vector<std::uint32_t>(256)};
  for (std::size_t i = 0; i < 16; i++) operands.a[i * 32 + 5] = first + std::uint32_t(i);
  for (std::size_t j = 0; j < 8; j++) operands.b[j * 32 + 5] = second + std::uint32_t(j);
  float* const d = device.room<float>(128, "d");
  device.launch(run_mma_m16n8k32_e4m3, 32, device.give(operands.a_registers(), "a"),
                device.give(operands.b_registers(), "b"), device.give(std::vector<float>(128), "c"),
                d);
  return device.take(d, 128);
}

// All 65,536 products of two codes; each is exact: 8 bits or fewer. NaN where a code is.
TEST(MmaSync, MultipliesEveryPairOfE4m3Codes) {
  Device device;
  for (std::uint32_t first = 0; first < 256; first += 16) {
    for (std::uint32_t second = 0; second < 256; second += 8) {
      const std::vector<float> got = e4m3_products(device, first, second);
      for (std::size_t n = 0; n < 128; n++) {
        const auto row = std::uint32_t(n / 16 + n % 4 / 2 * 8);
        const auto column = std::uint32_t(n / 4 % 4 * 2 + n % 2);
        const double want = value_of_e4m3(first + row) * value_of_e4m3(second + column);
        ASSERT_EQ(std::isnan(got[n]), std::isnan(want));
        if (!std::isnan(want)) {
          ASSERT_EQ(double(got[n]), want) << first + row << " by " << second + column;
        }
      }
    }
  }
  EXPECT_TRUE(is_clean(device.end()));
}

// 13 bits behind the leading one of the largest addend, whichever it is; then of the sum.
TEST(MmaSync, CutsSumsOfE4m3Short) {
  EXPECT_EQ(e4m3_sum({1}, {1}, 8192), 8193.0f);
  EXPECT_EQ(e4m3_sum({1}, {1}, 16384), 16384.0f);
  EXPECT_EQ(e4m3_sum({1}, {-1}, 16384), 16384.0f);  // towards zero, and not the sum
  EXPECT_EQ(e4m3_sum({1, 1}, {1, 1}, 16384), 16384.0f);
  EXPECT_EQ(e4m3_sum({2, 1}, {1, 1}, 16384), 16386.0f);
  EXPECT_EQ(e4m3_sum({1}, {1}, 16383), 16384.0f);
  EXPECT_EQ(e4m3_sum({2, 1}, {1, 1}, 16383), 16386.0f);
  EXPECT_EQ(e4m3_sum({128, 0.125}, {128, 0.125}, 1), 16384.0f);
  EXPECT_EQ(e4m3_sum({128, 128}, {128, -128}, 0.5f), 0.0f);
  EXPECT_EQ(e4m3_sum({}, {}, 1.0f + 0x1p-13f + 0x1p-14f), 1.0f + 0x1p-13f);
  EXPECT_EQ(e4m3_sum({}, {}, -0x1p-140f), -0x1p-140f);
}

TEST(MmaSync, CountsCommonBits) {
  expect_mma<int>(run_mma_m16n8k256_and_popc,
                  some_operands({1, 256}, [](int x) { return std::uint32_t(x >> 3 & 1); }),
                  [](std::uint32_t a, std::uint32_t b) { return double(a & b); });
}

// A sum is rounded once: 2^24 + 1 + 1 is no float on the way, and one at the end.
TEST(MmaSync, RoundsAFloatSumOnce) {
  Operands operands{{16, 16}, {}, {}};
  const auto half = [](float x) { return std::uint32_t{__half_as_ushort(__float2half(x))}; };
  for (std::size_t i = 0; i < 256; i++) operands.a.push_back(half(i % 16 == 0 ? 4096 : 1));
  for (std::size_t i = 0; i < 128; i++) {
    operands.b.push_back(half(i % 16 == 0 ? 4096 : i % 16 < 3 ? 1 : 0));
  }
  Device device;
  float* const d = device.room<float>(128, "d");
  device.launch(run_mma_m16n8k16_f16, 32, device.give(operands.a_registers(), "a"),
                device.give(operands.b_registers(), "b"), device.give(std::vector<float>(128), "c"),
                d);
  for (const float x : device.take(d, 128)) ASSERT_EQ(x, 16777218.0f);
  EXPECT_TRUE(is_clean(device.end()));
}

TEST(MmaSync, NeedsTheWholeWarp) {
  Device branch;
  branch.launch(mma_in_a_branch, 32, branch.room<int>(32, "out"));
  const EngineFinding* finding =
      only_finding(branch.end(), Kind::kWarpDeadlock, "mma.cu", "finding: in a branch");
  ASSERT_NE(finding, nullptr);
  EXPECT_STREQ(finding->detail,
               "mma_m16n8k32 needs all 32 lanes, and lanes 0xffff0000 do not come");

  Device part;
  part.launch(mma_in_part_of_a_warp, 24, part.room<int>(32, "out"));
  finding = only_finding(part.end(), Kind::kBadMask, "mma.cu", "finding: part of a warp");
  ASSERT_NE(finding, nullptr);
  EXPECT_STREQ(finding->detail,
               "mma_m16n8k32 needs all 32 lanes of the warp, and this warp has 24");
}

// ---- ldmatrix

using LoadBlocks = void (*)(const unsigned short*, unsigned*, int, bool);

/// Loads blocks whose rows are `stride` halves apart and gives the passes over the banks.
std::uint64_t expect_blocks(LoadBlocks kernel, std::size_t blocks, std::size_t stride,
                            bool transposed, const SessionOptions& options) {
  std::vector<unsigned short> x(32 * stride);
  for (std::size_t i = 0; i < x.size(); i++) x[i] = static_cast<unsigned short>(i);
  Device device(options);
  unsigned* const out = device.room<unsigned>(32 * blocks, "out");
  device.launch(kernel, 32, device.give(x, "x"), out, stride, transposed);
  const std::vector<unsigned> got = device.take(out, 32 * blocks);
  const Report& report = device.end();
  EXPECT_TRUE(is_clean(report));
  for (std::size_t n = 0; n < got.size(); n++) {
    const std::size_t lane = n / blocks, i = n % blocks, g = lane / 4, t = lane % 4;
    const auto element = [&](std::size_t row, std::size_t column) {
      return unsigned{x[(8 * i + row) * stride + column]};
    };
    const unsigned low = transposed ? element(2 * t, g) : element(g, 2 * t);
    const unsigned high = transposed ? element(2 * t + 1, g) : element(g, 2 * t + 1);
    EXPECT_EQ(got[n], low | high << 16) << "lane " << lane << ", block " << i;
  }
  const Asked asked = asked_at(report, "mma.cu", "traffic: blocks", Space::kShared, Use::kLoad, 16);
  EXPECT_EQ(asked.lanes, transposed || !options.counters ? 0 : 8 * blocks);
  return asked.wavefronts;
}

TEST(Ldmatrix, GivesEveryLaneItsPart) {
  for (const bool transposed : {false, true}) {
    expect_blocks(load_blocks_1, 1, 8, transposed, {});
    expect_blocks(load_blocks_2, 2, 24, transposed, {});
    expect_blocks(load_blocks_4, 4, 40, transposed, {});
  }
}

// Rows that follow one another, or 16 bytes more apart than a multiple of 128, meet no bank twice;
// rows 128 bytes apart all meet in the same four banks.
TEST(Ldmatrix, CountsAPassForEveryBlock) {
  under_every_schedule([](const SessionOptions& options) {
    EXPECT_EQ(expect_blocks(load_blocks_1, 1, 8, false, options), 1u);
    EXPECT_EQ(expect_blocks(load_blocks_2, 2, 8, false, options), 2u);
    EXPECT_EQ(expect_blocks(load_blocks_4, 4, 8, false, options), 4u);
    EXPECT_EQ(expect_blocks(load_blocks_4, 4, 40, false, options), 4u);
    EXPECT_EQ(expect_blocks(load_blocks_4, 4, 16, false, options), 8u);
    EXPECT_EQ(expect_blocks(load_blocks_4, 4, 64, false, options), 32u);
  });
}

TEST(Ldmatrix, WantsAlignedRowsInSharedMemory) {
  Device misaligned;
  misaligned.launch(ldmatrix_misaligned, 32, misaligned.room<unsigned>(32, "out"));
  const EngineFinding* finding =
      only_finding(misaligned.end(), Kind::kMisaligned, "mma.cu", "finding: misaligned row");
  ASSERT_NE(finding, nullptr);
  EXPECT_STREQ(finding->detail, "ldmatrix: a row starts at a multiple of 16 bytes");

  Device global;
  global.launch(ldmatrix_from_global, 32, global.give(std::vector<unsigned>(128), "x"),
                global.room<unsigned>(32, "out"));
  finding = only_finding(global.end(), Kind::kSharedOob, "mma.cu", "finding: not shared");
  ASSERT_NE(finding, nullptr);
  EXPECT_STREQ(finding->detail, "ldmatrix reads shared memory only");
}

}  // namespace
}  // namespace nibble::simt::tests
