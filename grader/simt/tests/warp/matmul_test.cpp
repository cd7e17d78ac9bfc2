// Whole int8 products of 64 x 64 x 64 and odd shapes: values, and what they cost.
#include "run.hpp"

namespace nibble::simt::tests {
namespace {

extern "C" {
using Matmul = void(const signed char* a, const signed char* b_t, int* c, int n, int k);
Matmul matmul_by_wmma, matmul_by_mma;
}

struct Shape {
  unsigned m, n, k;
};

std::vector<signed char> codes(std::size_t count, std::uint32_t seed) {
  const std::vector<int> numbers = some_numbers(count, seed);
  return {numbers.begin(), numbers.end()};
}

std::vector<int> by_definition(const std::vector<signed char>& a,
                               const std::vector<signed char>& b_t, const Shape& s) {
  std::vector<int> c(std::size_t{s.m} * s.n);
  for (std::size_t i = 0; i < s.m; i++) {
    for (std::size_t j = 0; j < s.n; j++) {
      for (std::size_t x = 0; x < s.k; x++) c[i * s.n + j] += a[i * s.k + x] * b_t[j * s.k + x];
    }
  }
  return c;
}

/// Runs it on tiles of 16 x `columns` and compares.
const Report& expect_matmul(Matmul* kernel, unsigned columns, const Shape& s,
                            const SessionOptions& options) {
  const std::vector<signed char> a = codes(std::size_t{s.m} * s.k, 1);
  const std::vector<signed char> b_t = codes(std::size_t{s.n} * s.k, 2);
  Device device(options);
  int* const c = device.room<int>(std::size_t{s.m} * s.n, "c");
  device.launch_over(dim3(s.n / columns, s.m / 16), dim3(32), kernel, device.give(a, "a"),
                     device.give(b_t, "b_t"), c, static_cast<int>(s.n), static_cast<int>(s.k));
  EXPECT_EQ(device.take(c, std::size_t{s.m} * s.n), by_definition(a, b_t, s));
  const Report& report = device.end();
  EXPECT_TRUE(is_clean(report));
  return report;
}

std::uint64_t sector_bytes(const Report& report) {
  std::uint64_t sectors = 0;
  for (std::uint32_t i = 0; i < report.traffic; i++) sectors += report.traffics[i].sectors;
  return 32 * sectors;
}

TEST(TensorMatmul, MultipliesByWmma) {
  for (const Shape& s : {Shape{16, 16, 16}, Shape{64, 64, 64}, Shape{16, 80, 48}}) {
    expect_matmul(matmul_by_wmma, 16, s, {});
  }
}
TEST(TensorMatmul, MultipliesByMmaSync) {
  for (const Shape& s : {Shape{16, 8, 32}, Shape{64, 64, 64}, Shape{32, 24, 160}}) {
    expect_matmul(matmul_by_mma, 8, s, {});
  }
}

// 64 products of 16 x 16 x 16, for each 16 rows of 16 bytes from a and from b: half a sector is
// used. What WMMA stores is whole sectors.
TEST(TensorMatmul, CostsOfWmma) {
  under_every_schedule([](const SessionOptions& options) {
    const Report& report = expect_matmul(matmul_by_wmma, 16, {64, 64, 64}, options);
    expect_total(report.totals.mma, 64u);
    EXPECT_EQ(sector_bytes(report), 64u * (16 + 16) * 32 + 64u * 64 * 4);
  });
}

// 64 of 16 x 8 x 32, for each 16 + 8 rows of 32 bytes: whole sectors. Four and two passes a block.
TEST(TensorMatmul, CostsOfMmaSync) {
  under_every_schedule([](const SessionOptions& options) {
    const Report& report = expect_matmul(matmul_by_mma, 8, {64, 64, 64}, options);
    expect_total(report.totals.mma, 64u);
    EXPECT_EQ(sector_bytes(report), 64u * (16 + 8) * 32 + 64u * 64 * 4);
    const auto asked = [&](const char* mark) {
      return asked_at(report, "matmul.cu", mark, Space::kShared, Use::kLoad, 16);
    };
    EXPECT_EQ(asked("traffic: a"), (Asked{64, 2048, 0, 256}));
    EXPECT_EQ(asked("traffic: b"), (Asked{64, 1024, 0, 128}));
  });
}

}  // namespace
}  // namespace nibble::simt::tests
