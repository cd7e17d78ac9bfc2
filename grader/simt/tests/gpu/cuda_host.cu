// Right host code of lab 18 where it is at home: compiled by nvcc, on the GPU of this machine. What
// the lab's checks ask for is asked here in small, by loops on the CPU. The contract is included by
// the command that compiles this.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

int failures = 0;

void expect(bool good, const char* what, long long size) {
  if (good) return;
  ++failures;
  std::fprintf(stderr, "%s of %lld is wrong\n", what, size);
}

/// Between -4 and 4, the same ones on every machine.
std::vector<float> some_floats(std::size_t count) {
  std::vector<float> x(count);
  std::uint32_t state = 7;
  for (float& each : x) {
    state = state * 1664525u + 1013904223u;
    each = static_cast<float>(state >> 8) * 0x1p-21f - 4;
  }
  return x;
}

std::int8_t code_of(float x, float scale) {
  return static_cast<std::int8_t>(std::fmin(127.0f, std::fmax(-128.0f, std::nearbyint(x / scale))));
}

std::vector<std::int8_t> codes_of(const std::vector<float>& x, float scale) {
  std::vector<std::int8_t> q;
  for (const float each : x) q.push_back(code_of(each, scale));
  return q;
}

void copies(std::size_t n) {
  const std::vector<float> x = some_floats(n);
  std::vector<float> y(n);
  expect(nibble::copy_through_device(x, y) == 0 && x == y, "copy_through_device", n);
}

void quantizes(std::size_t n) {
  const std::vector<float> x = some_floats(n);
  const std::vector<std::int8_t> wanted = codes_of(x, 0.03125f);
  std::vector<std::int8_t> q(n);
  expect(nibble::quantize_on_device(x, q, 0.03125f, 96) == 0 && q == wanted, "quantize_on_device",
         n);
  q.assign(n, 0);
  expect(nibble::quantize_in_chunks(x, q, 0.03125f, 100) == 0 && q == wanted, "quantize_in_chunks",
         n);
  std::vector<std::int32_t> counts(256, -1), counted(256);
  for (const std::int8_t c : wanted) ++counted[static_cast<std::size_t>(c + 128)];
  expect(nibble::count_codes(wanted, counts) == 0 && counts == counted, "count_codes", n);
  if (n > 0) {
    expect(nibble::quantize_on_device(x, q, 0.03125f, 1025) != 0, "a block of 1025 threads", n);
    cudaGetLastError();  // whoever asks for it last would get it once more
  }
}

void quantizes_with_own_scale(std::size_t n) {
  const std::vector<float> x = some_floats(n);
  float largest = 0;
  for (const float each : x) largest = std::fmax(largest, std::fabs(each));
  std::vector<std::int8_t> q(n);
  std::vector<float> scale(1);
  const int error = nibble::quantize_with_own_scale(x, q, scale);
  expect(error == 0 && scale[0] == largest / 127 && q == codes_of(x, largest / 127),
         "quantize_with_own_scale", n);
}

void multiplies(nibble::MatmulShape shape) {
  const auto m = static_cast<std::size_t>(shape.m), n = static_cast<std::size_t>(shape.n),
             k = static_cast<std::size_t>(shape.k);
  const std::vector<std::int8_t> a = codes_of(some_floats(m * k), 0.03125f),
                                 b = codes_of(some_floats(k * n), 0.03f);
  std::vector<std::int32_t> c(m * n, -1), wanted(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t p = 0; p < k; ++p) {
      for (std::size_t j = 0; j < n; ++j) wanted[i * n + j] += a[i * k + p] * b[p * n + j];
    }
  }
  expect(nibble::multiply_on_device(a, b, c, shape) == 0 && c == wanted, "multiply_on_device",
         static_cast<long long>(m * n));
}

}  // namespace

int main() {
  for (const std::size_t n : {0, 1, 2, 255, 256, 257, 1000, 100000}) {
    copies(n);
    quantizes(n);
    if (n >= 2) quantizes_with_own_scale(n);
  }
  for (const nibble::MatmulShape shape : {nibble::MatmulShape{1, 1, 1},
                                          {1, 5, 3},
                                          {2, 3, 4},
                                          {5, 7, 9},
                                          {33, 65, 17},
                                          {128, 96, 64},
                                          {3, 4, 0},
                                          {0, 4, 3},
                                          {4, 0, 3}}) {
    multiplies(shape);
  }
  if (failures == 0) std::printf("right\n");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
