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

extern "C" {
#define PRODUCT(NAME, T, SUM)                                                               \
  void NAME##_16x16(const T* a, const T* b, const SUM* c, SUM* d, int orders, bool shared); \
  void NAME##_32x8(const T* a, const T* b, const SUM* c, SUM* d, int orders, bool shared);  \
  void NAME##_8x32(const T* a, const T* b, const SUM* c, SUM* d, int orders, bool shared);
PRODUCT(product_s8, signed char, int)
PRODUCT(product_u8, unsigned char, int)
PRODUCT(product_half_float, __half, float)
PRODUCT(product_half_half, __half, __half)
PRODUCT(product_bf16, __nv_bfloat16, float)
#undef PRODUCT
#define HOLD(NAME, T)                          \
  void NAME##_16x16(const T* matrix, T* held); \
  void NAME##_32x8(const T* matrix, T* held);  \
  void NAME##_8x32(const T* matrix, T* held);
HOLD(hold_s8_a, signed char)
HOLD(hold_s8_b, signed char)
HOLD(hold_half_a, __half)
HOLD(hold_half_b, __half)
HOLD(hold_sum, int)
#undef HOLD
void wmma_traffic(const signed char* a, const signed char* b, int* c);
void wmma_saturates(const signed char* a, const int* c, int* d, bool stop);
void wmma_misaligned(const signed char* a, int* c, int offset, int ldm);
void wmma_out_of_bounds(const signed char* a, int* c, int ldm);
void wmma_store_then_read(int* out, bool sync);
void wmma_in_a_branch(int* out);
}

template <class T>
T number(int x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(x);
  else
    return T(static_cast<float>(x) / 16);  // exact, and so are all sums of products
}
template <class T>
double value(T x) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(x);
  else
    return static_cast<double>(static_cast<float>(x));
}

/// Lines of eight have room for sixteen: so much alignment WMMA asks for.
int room(int line) { return std::max(line, 16); }

/// Where element (row, column) of a rows x columns matrix lies. There are 512 places for each.
std::size_t at(int row, int column, int rows, int columns, bool by_rows) {
  return static_cast<std::size_t>(by_rows ? row * room(columns) + column
                                          : column * room(rows) + row);
}
constexpr std::size_t kPlaces = 512;

template <class T, class Sum>
using ProductKernel = void (*)(const T*, const T*, const Sum*, Sum*, int, bool);

template <class T, class Sum>
void expect_product(ProductKernel<T, Sum> kernel, int m, int n, int range) {
  constexpr int k = 16;
  std::vector<T> a, b;
  std::vector<Sum> c;
  for (const int x : some_numbers(kPlaces, 1)) a.push_back(number<T>(x % range));
  for (const int x : some_numbers(kPlaces, 2)) b.push_back(number<T>(x % range));
  for (const int x : some_numbers(kPlaces, 3)) c.push_back(number<Sum>(x));
  for (int orders = 0; orders < 8; orders++)
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
      for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
          double sum = value(c[at(i, j, m, n, c_rows)]);
          for (int x = 0; x < k; x++)
            sum += value(a[at(i, x, m, k, a_rows)]) * value(b[at(x, j, k, n, b_rows)]);
          if constexpr (sizeof(Sum) == 2) sum = value(Sum(sum));
          ASSERT_EQ(value(got[at(i, j, m, n, c_rows)]), sum) << "row " << i << ", column " << j;
        }
    }
}

#define EXPECT_PRODUCTS(NAME, T, SUM, RANGE)           \
  expect_product<T, SUM>(NAME##_16x16, 16, 16, RANGE); \
  expect_product<T, SUM>(NAME##_32x8, 32, 8, RANGE);   \
  expect_product<T, SUM>(NAME##_8x32, 8, 32, RANGE)
TEST(Wmma, MultipliesSignedBytes) { EXPECT_PRODUCTS(product_s8, signed char, int, 128); }
TEST(Wmma, MultipliesUnsignedBytes) { EXPECT_PRODUCTS(product_u8, unsigned char, int, 128); }
TEST(Wmma, MultipliesHalfIntoFloat) { EXPECT_PRODUCTS(product_half_float, __half, float, 128); }
TEST(Wmma, MultipliesHalfIntoHalf) { EXPECT_PRODUCTS(product_half_half, __half, __half, 16); }
TEST(Wmma, MultipliesBfloat16IntoFloat) {
  EXPECT_PRODUCTS(product_bf16, __nv_bfloat16, float, 128);
}

// ---- what a lane holds

struct Element2 {
  int row, column;
};

/// Every element's own number, as far as 8 bits tell them apart.
template <class T>
std::vector<T> numbered(std::size_t count) {
  std::vector<T> matrix;
  for (std::size_t i = 0; i < count; i++)
    if constexpr (sizeof(T) == 1)
      matrix.push_back(static_cast<T>(i % 251));
    else
      matrix.push_back(T(static_cast<float>(i)));
  return matrix;
}

template <class T, class Where>
void expect_held(void (*kernel)(const T*, T*), int columns, int elements, const Where& where) {
  const std::vector<T> matrix = numbered<T>(kPlaces);
  Device device;
  T* const held = device.room<T>(32 * std::size_t(elements), "held");
  device.launch(kernel, 32, device.give(matrix, "matrix"), held);
  const std::vector<T> got = device.take(held, 32 * std::size_t(elements));
  ASSERT_TRUE(is_clean(device.end()));
  for (int lane = 0; lane < 32; lane++)
    for (int e = 0; e < elements; e++) {
      const Element2 at = where(lane / 4, lane % 4, e);
      ASSERT_EQ(value(got[std::size_t(lane * elements + e)]),
                value(matrix[std::size_t(at.row * room(columns) + at.column)]))
          << "lane " << lane << ", element " << e;
    }
}

// Four bytes of a row of a, or of a column of b, every eight lines.
TEST(Wmma, HoldsBytesAsTheGpuDoes) {
  const auto a = [](int g, int t, int e) { return Element2{g + e / 4 * 8, 4 * t + e % 4}; };
  const auto b = [](int g, int t, int e) { return Element2{4 * t + e % 4, g + e / 4 * 8}; };
  expect_held<signed char>(hold_s8_a_16x16, 16, 8, a);
  expect_held<signed char>(hold_s8_a_32x8, 16, 16, a);
  expect_held<signed char>(hold_s8_a_8x32, 16, 4, a);
  expect_held<signed char>(hold_s8_b_16x16, 16, 8, b);
  expect_held<signed char>(hold_s8_b_32x8, 8, 4, b);
  expect_held<signed char>(hold_s8_b_8x32, 32, 16, b);
}

// Sixteen in every shape: what does not exist is a repetition.
TEST(Wmma, HoldsHalvesAsTheGpuDoes) {
  const auto first = [](int g, int t, int e) {
    return Element2{g + e / 2 % 2 * 8 + e / 8 * 16, 2 * t + e % 2 + e / 4 % 2 * 8};
  };
  const auto second = [](int g, int t, int e) {
    return Element2{g + e / 4 * 8, 2 * t + e % 2 + e / 2 % 2 * 8};
  };
  const auto turned = [](const auto& of) {
    return [of](int g, int t, int e) {
      const Element2 at = of(g, t, e);
      return Element2{at.column, at.row};
    };
  };
  const auto repeats = [](const auto& of, int period) {
    return [of, period](int g, int t, int e) { return of(g, t, e % period); };
  };
  expect_held<__half>(hold_half_a_16x16, 16, 16, repeats(first, 8));
  expect_held<__half>(hold_half_a_32x8, 16, 16, first);
  expect_held<__half>(hold_half_a_8x32, 16, 16, repeats(second, 4));
  expect_held<__half>(hold_half_b_16x16, 16, 16, turned(repeats(second, 8)));
  expect_held<__half>(hold_half_b_32x8, 8, 16, turned(repeats(second, 4)));
  expect_held<__half>(hold_half_b_8x32, 32, 16, turned(first));
}

TEST(Wmma, HoldsSumsAsTheGpuDoes) {
  expect_held<int>(hold_sum_16x16, 16, 8, [](int g, int t, int e) {
    return Element2{g + e / 2 % 2 * 8, 2 * t + e % 2 + e / 4 * 8};
  });
  expect_held<int>(hold_sum_32x8, 8, 8, [](int g, int t, int e) {
    return Element2{g + e / 2 * 8, 2 * t + e % 2};
  });
  expect_held<int>(hold_sum_8x32, 32, 8, [](int g, int t, int e) {
    return Element2{2 * t + e % 2, g + e / 2 * 8};
  });
}

// ---- traffic

// A 16 x 16 tile of bytes out of rows of 64: eight rows of 16 bytes are eight sectors a request.
TEST(Wmma, AsksForMemoryAsTheGpuDoes) {
  under_every_schedule([](const Options& options) {
    Device device(options);
    const std::vector<signed char> bytes(16 * 64, 1);
    device.launch(wmma_traffic, 32, device.give(bytes, "a"), device.give(bytes, "b"),
                  device.room<int>(16 * 64, "c"));
    const Report& report = device.end();
    ASSERT_TRUE(is_clean(report));
    EXPECT_EQ(report.totals.mma, 2u);
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
    const Finding* const finding =
        only_finding(device.end(), Kind::kMisaligned, "wmma.cu", "finding: misaligned");
    ASSERT_NE(finding, nullptr);
    EXPECT_STREQ(finding->detail, detail);
  }
  Device device;  // a step along k of 16 bytes is no mistake
  device.launch(wmma_misaligned, 32, device.give(a, "a"), device.room<int>(256, "c"), 16, 32);
  EXPECT_TRUE(is_clean(device.end()));
}

TEST(Wmma, FindsTilesThatLeaveTheirMatrix) {
  under_every_schedule([](const Options& options) {
    Device device(options);
    const std::vector<signed char> a(16 * 64 - 48, 1);  // the last line of 16 is whole
    device.launch(wmma_out_of_bounds, 32, device.give(a, "a"), device.room<int>(256, "c"), 80);
    only_finding(device.end(), Kind::kGlobalOob, "wmma.cu", "finding: out of bounds");
  });
}

TEST(Wmma, AStoreIsSeenAfterASyncwarp) {
  under_every_schedule([](const Options& options) {
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
  const Finding* finding =
      only_finding(device.end(), Kind::kWarpDeadlock, "wmma.cu", "finding: in a branch");
  ASSERT_NE(finding, nullptr);
  EXPECT_STREQ(finding->detail,
               "wmma::store_matrix_sync needs all 32 lanes, and lanes 0xffff0000 do not come");
}

}  // namespace
}  // namespace nibble::simt::tests
