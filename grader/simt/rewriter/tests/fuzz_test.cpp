// Whatever the bytes: an answer, and every line in its place.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

#include "simt/rewriter/object_check.hpp"
#include "simt/rewriter/rewrite.hpp"
#include "simt/rewriter/tests/pieces.hpp"

namespace nibble::simt {
namespace {

std::size_t count_lines(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

void look_at(const std::string& source) {
  for (const Dialect dialect : kDialects) {
    const Rewritten result = rewrite(source, "a.cu", dialect);
    const std::size_t first_line = result.text.find('\n', result.text.find("#line 1 ")) + 1;
    ASSERT_EQ(count_lines(result.text.substr(first_line)), count_lines(source)) << source;
    const int lines = static_cast<int>(count_lines(source)) + 1;
    for (const Complaint& complaint : result.complaints) {
      ASSERT_GE(complaint.line, 1);
      ASSERT_LE(complaint.line, lines) << source;
      ASSERT_GE(complaint.column, 1);
      ASSERT_FALSE(complaint.message.empty());
    }
  }
}

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return engine_() % n; }

 private:
  std::mt19937 engine_;
};

TEST(Fuzz, AnyPiecesInAnyOrder) {
  Dice dice(1);
  for (int round = 0; round < 6000; round++) {
    std::string source;
    for (std::size_t i = 1 + dice.below(60); i > 0; i--) {
      source += kPieces[dice.below(kPieces.size())];
      if (dice.below(2) == 0) source += ' ';
    }
    look_at(source);
    if (HasFatalFailure()) return;
  }
}

constexpr std::string_view kProgram = R"cuda(#include <cuda_runtime.h>
#define LAUNCH(k, n) k<<<(n + 255) / 256, 256>>>(n)
namespace a { template <int N, class T> __global__ void k(T* p, int n) {
  __shared__ alignas(16) T s[N][N + 1], t[N];  // "quoted
  extern __shared__ float4 dynamic[];
  s[threadIdx.x][0] = T(n) >> 3; __syncthreads();
} }
__device__ int counter = 3, table[] = {1, 2, 3};
__constant__ float c[4]; /* a comment */
const char* text = R"(k<<<1,2>>>(x))";
__device__ int f(int a, unsigned at) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %1, 0;\n\t@!p dp4a.s32.s32 %0, %1, 0x7, %0; }"
               : "+r"(a) : "r"(a[at]), "n"(16) : "memory");
  asm("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1 + 16];" : "=r"(a) : "r"(at));
  return a;
}
struct S { int a; __device__ S() : a{1} {} };
int main() { a::k<4, int><<<dim3(1), dim3{32}, 64>>>(p, n >> 1); LAUNCH(k, 3); return '\''; }
)cuda";

TEST(Fuzz, AProgramWithBytesChanged) {
  Dice dice(2);
  for (int round = 0; round < 6000; round++) {
    std::string source(kProgram);
    for (std::size_t i = 1 + dice.below(6); i > 0; i--) {
      const std::size_t at = dice.below(source.size());
      switch (dice.below(4)) {
        case 0:
          source.erase(at, 1 + dice.below(9));
          break;
        case 1:
          source[at] = static_cast<char>(dice.below(256));
          break;
        case 2:
          source.insert(at, kPieces[dice.below(kPieces.size())]);
          break;
        default:
          source.insert(at, source.substr(dice.below(source.size()), dice.below(40)));
      }
    }
    look_at(source);
    if (HasFatalFailure()) return;
  }
}

TEST(Fuzz, AProgramCutOffAnywhere) {
  for (std::size_t size = 0; size <= kProgram.size(); size++)
    look_at(std::string(kProgram, 0, size));
}

}  // namespace
}  // namespace nibble::simt
