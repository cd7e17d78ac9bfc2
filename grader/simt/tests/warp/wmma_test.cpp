// WMMA against plain loops, and against what nvcc's code for sm_80 does with registers and memory.
#include <algorithm>
#include <limits>
#include <tuple>

#include "run.hpp"
// After the others: their macros are CUDA's words.
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nibble::simt::tests {
namespace {

template <class T, class Sum>
using Product = void(const T* a, const T* b, const Sum* c, Sum* d, int orders, bool shared);
template <class T>
using Hold = void(const T* matrix, T* held);

extern "C" {
Product<signed char, int> product_s8_16x16, product_s8_32x8, product_s8_8x32;
Product<unsigned char, int> product_u8_16x16, product_u8_32x8, product_u8_8x32;
Product<__half, float> product_half_float_16x16, product_half_float_32x8, product_half_float_8x32;
Product<__half, __half> product_half_half_16x16, product_half_half_32x8, product_half_half_8x32;
Product<__nv_bfloat16, float> product_bf16_16x16, product_bf16_32x8, product_bf16_8x32;
Hold<signed char> hold_s8_a_16x16, hold_s8_a_32x8, hold_s8_a_8x32;
Hold<signed char> hold_s8_b_16x16, hold_s8_b_32x8, hold_s8_b_8x32;
Hold<__half> hold_half_a_16x16, hold_half_a_32x8, hold_half_a_8x32;
Hold<__half> hold_half_b_16x16, hold_half_b_32x8, hold_half_b_8x32;
Hold<__nv_bfloat16> hold_bf16_a_16x16, hold_bf16_a_32x8, hold_bf16_a_8x32;
Hold<__nv_bfloat16> hold_bf16_b_16x16, hold_bf16_b_32x8, hold_bf16_b_8x32;
Hold<int> hold_sum_16x16, hold_sum_32x8, hold_sum_8x32;
void wmma_traffic(const signed char* a, const signed char* b, int* c);
void wmma_traffic_of_halves(const __half* a, const __nv_bfloat16* b, __half* c);
void wmma_traffic_of_columns(int* c);
void wmma_saturates(const signed char* a, const int* c, int* d, bool stop);
void wmma_misaligned(const signed char* a, int* c, int offset, int ldm);
void wmma_out_of_bounds(const signed char* a, int* c, int ldm);
void wmma_store_then_read(int* out, bool sync);
void wmma_in_a_branch(int* out);
}

template <class T>
T number(int x) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(x);
  } else {
    return T(static_cast<float>(x) / 16);  // exact, and so are all sums of products
  }
}
template <class T>
double value(T x) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(x);
  } else {
    return static_cast<double>(static_cast<float>(x));
  }
}

/// Lines of eight have room for sixteen: so much alignment WMMA asks for.
std::size_t room(std::size_t line) { return std::max<std::size_t>(line, 16); }

/// Where element (row, column) of a rows x columns matrix lies. There are 512 places for each.
std::size_t at(std::size_t row, std::size_t column, std::size_t rows, std::size_t columns,
               bool by_rows) {
  return by_rows ? row * room(columns) + column : column * room(rows) + row;
}
constexpr std::size_t kPlaces = 512;

template <class T, class Sum>
void expect_product(Product<T, Sum>* kernel, std::size_t m, std::size_t n, int range) {
  constexpr std::size_t k = 16;
  std::vector<T> a, b;
  std::vector<Sum> c;
  for (const int x : some_numbers(kPlaces, 1)) a.push_back(number<T>(x % range));
  for (const int x : some_numbers(kPlaces, 2)) b.push_back(number<T>(x % range));
  for (const int x : some_numbers(kPlaces, 3)) c.push_back(number<Sum>(x));
  for (int orders = 0; orders < 8; orders++) {
    for (const bool shared : {false, true}) {
      SCOPED_TRACE(::testing::Message()
                   << m << "x" << n << ", orders " << orders << (shared ? ", shared memory" : ""));
      const bool a_rows = (orders & 1) == 0, b_rows = (orders & 2) == 0, c_rows = (orders & 4) == 0;
      Device device;
      Sum* const d = device.room<Sum>(c.size(), "d");
      device.launch(kernel, 32, device.give(a, "a"), device.give(b, "b"), device.give(c, "c"), d,
                    orders, shared);
      const std::vector<Sum> got = device.take(d, c.size());
      ASSERT_TRUE(is_clean(device.end()));
      for (std::size_t i = 0; i < m; i++) {
        for (std::size_t j = 0; j < n; j++) {
          double sum = value(c[at(i, j, m, n, c_rows)]);
          for (std::size_t x = 0; x < k; x++)
            sum += value(a[at(i, x, m, k, a_rows)]) * value(b[at(x, j, k, n, b_rows)]);
          if constexpr (sizeof(Sum) == 2) sum = value(Sum(sum));
          ASSERT_EQ(value(got[at(i, j, m, n, c_rows)]), sum) << "row " << i << ", column " << j;
        }
      }
    }
  }
}

TEST(Wmma, MultipliesSignedBytes) {
  expect_product(product_s8_16x16, 16, 16, 128);
  expect_product(product_s8_32x8, 32, 8, 128);
  expect_product(product_s8_8x32, 8, 32, 128);
}
TEST(Wmma, MultipliesUnsignedBytes) {
  expect_product(product_u8_16x16, 16, 16, 128);
  expect_product(product_u8_32x8, 32, 8, 128);
  expect_product(product_u8_8x32, 8, 32, 128);
}
TEST(Wmma, MultipliesHalfIntoFloat) {
  expect_product(product_half_float_16x16, 16, 16, 128);
  expect_product(product_half_float_32x8, 32, 8, 128);
  expect_product(product_half_float_8x32, 8, 32, 128);
}
TEST(Wmma, MultipliesHalfIntoHalf) {
  expect_product(product_half_half_16x16, 16, 16, 16);
  expect_product(product_half_half_32x8, 32, 8, 16);
  expect_product(product_half_half_8x32, 8, 32, 16);
}
TEST(Wmma, MultipliesBfloat16IntoFloat) {
  expect_product(product_bf16_16x16, 16, 16, 128);
  expect_product(product_bf16_32x8, 32, 8, 128);
  expect_product(product_bf16_8x32, 8, 32, 128);
}

// ---- what a lane holds

struct Element2 {
  std::size_t row, column;
};

/// Every element's own number, as far as 8 bits tell them apart.
template <class T>
std::vector<T> numbered(std::size_t count) {
  std::vector<T> matrix;
  for (std::size_t i = 0; i < count; i++) {
    if constexpr (sizeof(T) == 1) {
      matrix.push_back(static_cast<T>(i % 251));
    } else {
      matrix.push_back(T(static_cast<float>(i)));
    }
  }
  return matrix;
}

template <class T, class Where>
void expect_held(Hold<T>* kernel, std::size_t columns, std::size_t elements, const Where& where) {
  const std::vector<T> matrix = numbered<T>(kPlaces);
  Device device;
  T* const held = device.room<T>(32 * elements, "held");
  device.launch(kernel, 32, device.give(matrix, "matrix"), held);
  const std::vector<T> got = device.take(held, 32 * elements);
  ASSERT_TRUE(is_clean(device.end()));
  for (std::size_t lane = 0; lane < 32; lane++) {
    for (std::size_t e = 0; e < elements; e++) {
      const Element2 at = where(lane / 4, lane % 4, e);
      ASSERT_EQ(value(got[lane * elements + e]), value(matrix[at.row * room(columns) + at.column]))
          << "lane " << lane << ", element " << e;
    }
  }
}

// Four bytes of a row of a, or of a column of b, every eight lines.
TEST(Wmma, HoldsBytesAsTheGpuDoes) {
  const auto a = [](std::size_t g, std::size_t t, std::size_t e) {
    return Element2{g + e / 4 * 8, 4 * t + e % 4};
  };
  const auto b = [](std::size_t g, std::size_t t, std::size_t e) {
    return Element2{4 * t + e % 4, g + e / 4 * 8};
  };
  expect_held<signed char>(hold_s8_a_16x16, 16, 8, a);
  expect_held<signed char>(hold_s8_a_32x8, 16, 16, a);
  expect_held<signed char>(hold_s8_a_8x32, 16, 4, a);
  expect_held<signed char>(hold_s8_b_16x16, 16, 8, b);
  expect_held<signed char>(hold_s8_b_32x8, 8, 4, b);
  expect_held<signed char>(hold_s8_b_8x32, 32, 16, b);
}

// Elements of 16 bits: in the first operand of the instruction, and in the second.
Element2 first(std::size_t g, std::size_t t, std::size_t e) {
  return {g + e / 2 % 2 * 8 + e / 8 * 16, 2 * t + e % 2 + e / 4 % 2 * 8};
}
Element2 second(std::size_t g, std::size_t t, std::size_t e) {
  return {g + e / 4 * 8, 2 * t + e % 2 + e / 2 % 2 * 8};
}
template <class Of>
auto turned(const Of& of) {
  return [of](std::size_t g, std::size_t t, std::size_t e) {
    const Element2 at = of(g, t, e);
    return Element2{at.column, at.row};
  };
}

// Sixteen in every shape: what does not exist is a repetition.
TEST(Wmma, HoldsHalvesAsTheGpuDoes) {
  const auto repeats = [](const auto& of, std::size_t period) {
    return
        [of, period](std::size_t g, std::size_t t, std::size_t e) { return of(g, t, e % period); };
  };
  expect_held<__half>(hold_half_a_16x16, 16, 16, repeats(first, 8));
  expect_held<__half>(hold_half_a_32x8, 16, 16, first);
  expect_held<__half>(hold_half_a_8x32, 16, 16, repeats(second, 4));
  expect_held<__half>(hold_half_b_16x16, 16, 16, turned(repeats(second, 8)));
  expect_held<__half>(hold_half_b_32x8, 8, 16, turned(repeats(second, 4)));
  expect_held<__half>(hold_half_b_8x32, 32, 16, turned(first));
}

TEST(Wmma, HoldsBfloat16AsTheGpuDoes) {
  expect_held<__nv_bfloat16>(hold_bf16_a_16x16, 16, 8, first);
  expect_held<__nv_bfloat16>(hold_bf16_a_32x8, 16, 16, first);
  expect_held<__nv_bfloat16>(hold_bf16_a_8x32, 16, 4, second);
  expect_held<__nv_bfloat16>(hold_bf16_b_16x16, 16, 8, turned(&second));
  expect_held<__nv_bfloat16>(hold_bf16_b_32x8, 8, 4, turned(&second));
  expect_held<__nv_bfloat16>(hold_bf16_b_8x32, 32, 16, turned(&first));
}

TEST(Wmma, HoldsSumsAsTheGpuDoes) {
  expect_held<int>(hold_sum_16x16, 16, 8, [](std::size_t g, std::size_t t, std::size_t e) {
    return Element2{g + e / 2 % 2 * 8, 2 * t + e % 2 + e / 4 * 8};
  });
  expect_held<int>(hold_sum_32x8, 8, 8, [](std::size_t g, std::size_t t, std::size_t e) {
    return Element2{g + e / 2 * 8, 2 * t + e % 2};
  });
  expect_held<int>(hold_sum_8x32, 32, 8, [](std::size_t g, std::size_t t, std::size_t e) {
    return Element2{2 * t + e % 2, g + e / 2 * 8};
  });
}

// ---- traffic

// A 16 x 16 tile of bytes out of rows of 64: eight rows of 16 bytes are eight sectors a request.
TEST(Wmma, AsksForMemoryAsTheGpuDoes) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    const std::vector<signed char> bytes(1024, 1);
    device.launch(wmma_traffic, 32, device.give(bytes, "a"), device.give(bytes, "b"),
                  device.room<int>(1024, "c"));
    const Report& report = device.end();
    ASSERT_TRUE(is_clean(report));
    expect_total(report.totals.mma, 2u);
    const auto asked = [&](const char* mark, Space space, Use use, unsigned bytes_each) {
      return asked_at(report, "wmma.cu", mark, space, use, bytes_each);
    };
    EXPECT_EQ(asked("traffic: global rows", Space::kGlobal, Use::kLoad, 4), (Asked{2, 64, 16, 0}));
    EXPECT_EQ(asked("traffic: global across", Space::kGlobal, Use::kLoad, 1),
              (Asked{8, 256, 32, 0}));
    EXPECT_EQ(asked("traffic: store rows", Space::kGlobal, Use::kStore, 8), (Asked{4, 128, 32, 0}));
    EXPECT_EQ(asked("traffic: store across", Space::kGlobal, Use::kStore, 4),
              (Asked{8, 256, 32, 0}));
    // ldmatrix of two blocks: a pass each when their rows follow one another, two when they are 32
    // bytes apart.
    EXPECT_EQ(asked("traffic: shared rows", Space::kShared, Use::kLoad, 16), (Asked{1, 16, 0, 2}));
    EXPECT_EQ(asked("traffic: shared wide rows", Space::kShared, Use::kLoad, 16),
              (Asked{1, 16, 0, 4}));
    EXPECT_EQ(asked("traffic: shared across", Space::kShared, Use::kLoad, 1).requests, 8u);
  });
}

// Four bytes a lane in either order, since lanes swap halves among themselves; ldmatrix likewise.
// The rows of 24 halves are 48 bytes apart: no bank twice.
TEST(Wmma, AsksForHalvesAsTheGpuDoes) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    device.launch(wmma_traffic_of_halves, 32, device.give(numbered<__half>(1024), "a"),
                  device.give(numbered<__nv_bfloat16>(1024), "b"), device.room<__half>(1024, "c"));
    const Report& report = device.end();
    ASSERT_TRUE(is_clean(report));
    const auto asked = [&](const char* mark, Space space, Use use, unsigned bytes_each) {
      return asked_at(report, "wmma.cu", mark, space, use, bytes_each);
    };
    for (const char* mark : {"traffic: halves", "traffic: halves across", "traffic: bfloats"}) {
      EXPECT_EQ(asked(mark, Space::kGlobal, Use::kLoad, 4), (Asked{4, 128, 32, 0})) << mark;
    }
    for (const char* mark : {"traffic: store halves", "traffic: store halves across"}) {
      EXPECT_EQ(asked(mark, Space::kGlobal, Use::kStore, 4), (Asked{4, 128, 32, 0})) << mark;
    }
    for (const char* mark : {"traffic: shared halves", "traffic: shared halves across"}) {
      EXPECT_EQ(asked(mark, Space::kShared, Use::kLoad, 16), (Asked{1, 32, 0, 4})) << mark;
    }
    // No ldmatrix: rows of 32 bytes meet two by two in a request of 4 bytes.
    EXPECT_EQ(asked("traffic: shared bfloats", Space::kShared, Use::kLoad, 4),
              (Asked{4, 128, 0, 8}));
  });
}

// Lanes hold neighbours of a column: by rows they are stored one by one.
TEST(Wmma, StoresEightRowsAsTheGpuDoes) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    device.launch(wmma_traffic_of_columns, 32, device.room<int>(512, "c"));
    const Report& report = device.end();
    ASSERT_TRUE(is_clean(report));
    EXPECT_EQ(
        asked_at(report, "wmma.cu", "traffic: columns by rows", Space::kGlobal, Use::kStore, 4),
        (Asked{8, 256, 32, 0}));
    EXPECT_EQ(
        asked_at(report, "wmma.cu", "traffic: columns by columns", Space::kGlobal, Use::kStore, 8),
        (Asked{4, 128, 32, 0}));
  });
}

TEST(Wmma, StopsAtTheEndsOfIntWhenAsked) {
  const std::vector<signed char> a(256, 127);
  const std::vector<int> c(256, std::numeric_limits<int>::max() - 5);
  for (const bool stop : {false, true}) {
    Device device;
    int* const d = device.room<int>(256, "d");
    device.launch(wmma_saturates, 32, device.give(a, "a"), device.give(c, "c"), d, stop);
    const std::uint32_t wrapped =
        std::uint32_t(std::numeric_limits<int>::max()) - 5 + 16 * 127 * 127;
    for (const int x : device.take(d, 256))
      ASSERT_EQ(x, stop ? std::numeric_limits<int>::max() : static_cast<int>(wrapped));
    EXPECT_TRUE(is_clean(device.end()));
  }
}

// ---- mistakes

TEST(Wmma, WantsAlignedAddressesAndLeadingDimensions) {
  const std::vector<signed char> a(1024, 1);
  for (const auto& [offset, ldm, detail] :
       {std::tuple{8, 16, "wmma::load_matrix_sync needs an address that is a multiple of 16 bytes"},
        std::tuple{16, 24, "wmma::load_matrix_sync: ldm is 24, but must be a multiple of 16"}}) {
    Device device;
    device.launch(wmma_misaligned, 32, device.give(a, "a"), device.room<int>(256, "c"), offset,
                  ldm);
    const EngineFinding* const finding =
        only_finding(device.end(), Kind::kMisaligned, "wmma.cu", "finding: misaligned");
    ASSERT_NE(finding, nullptr);
    EXPECT_STREQ(finding->detail, detail);
  }
  Device device;  // a step along k of 16 bytes is no mistake
  device.launch(wmma_misaligned, 32, device.give(a, "a"), device.room<int>(256, "c"), 16, 32);
  EXPECT_TRUE(is_clean(device.end()));
}

TEST(Wmma, FindsTilesThatLeaveTheirMatrix) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    const std::vector<signed char> a(16 * 64 - 48, 1);  // the last line of 16 is whole
    device.launch(wmma_out_of_bounds, 32, device.give(a, "a"), device.room<int>(256, "c"), 80);
    only_finding(device.end(), Kind::kGlobalOob, "wmma.cu", "finding: out of bounds");
  });
}

TEST(Wmma, AStoreIsSeenAfterASyncwarp) {
  under_every_schedule([](const SessionOptions& options) {
    for (const bool sync : {true, false}) {
      Device device(options);
      device.launch(wmma_store_then_read, 32, device.room<int>(32, "out"), sync);
      const Report& report = device.end();
      if (sync) {
        EXPECT_TRUE(is_clean(report));
      } else {
        EXPECT_TRUE(has(report, Kind::kMissingSyncwarp, "wmma.cu", "finding: missing syncwarp"));
      }
    }
  });
}

TEST(Wmma, NeedsTheWholeWarp) {
  Device device;
  device.launch(wmma_in_a_branch, 32, device.room<int>(256, "out"));
  const EngineFinding* finding =
      only_finding(device.end(), Kind::kWarpDeadlock, "wmma.cu", "finding: in a branch");
  ASSERT_NE(finding, nullptr);
  EXPECT_STREQ(finding->detail,
               "wmma::store_matrix_sync needs all 32 lanes, and lanes 0xffff0000 do not come");
}

}  // namespace
}  // namespace nibble::simt::tests
