// Whatever the bytes: an answer, soon, and every line in its place.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <random>
#include <string>
#include <string_view>

#include "rewriter/object_check.hpp"
#include "rewriter/rewrite.hpp"

namespace nibble::simt {
namespace {

constexpr std::array kDialects = {Dialect::kKernels, Dialect::kHostAndKernels};

// clang-format off
constexpr auto kPieces = std::to_array<std::string_view>({
    "__shared__", "extern", "static", "__device__", "__constant__", "__global__", "int", "float*", "a",
    "b", "k", "template", "<", ">", ">>", ">>>", "<<<", "(", ")", "[", "]", "{", "}", ";", ",", "=", ":",
    "::", "#", "\n#define X ", "\n#if A\n", "\n#else\n", "\n#endif\n", "\n#include <a>\n", "\n", "\\\n",
    "\\", "\"", "'", "R\"(", ")\"", "//", "/*", "*/", "1", "1.5e+3", "1'0", "struct", "enum", "class",
    "namespace", "operator", "using", "alignas", "(16)", "[[", "]]", "const", "*", "&&", "->", ".",
    "%:", "<:", "__align__", "\xC3\xA4", "\t", "\r\n", "\f", "asm", "return", "##", "goto", "decltype"});
// clang-format on

std::size_t count_lines(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

void look_at(const std::string& source) {
  for (const Dialect dialect : kDialects) {
    const Rewritten result = rewrite(source, "a.cu", dialect);
    ASSERT_EQ(count_lines(result.text), count_lines(source) + 2) << source;
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

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void expect_quick(const std::string& unit, std::size_t bytes) {
  std::string source;
  while (source.size() < bytes) source += unit + " ";
  for (const Dialect dialect : kDialects) {
    const double begin = cpu_seconds();
    rewrite(source, "a.cu", dialect);
    EXPECT_LT(cpu_seconds() - begin, SIMT_SLOWEST_SECONDS) << unit;
  }
}

TEST(Time, OfOnePieceAgainAndAgain) {
  for (const std::string_view piece : kPieces) expect_quick(std::string(piece), 250'000);
}

/// A megabyte of what is looked for far ahead or far behind.
TEST(Time, GrowsWithTheFileAndNotWithItsSquare) {
  for (const char* pair : {"k<<<",
                           "k<<<1,2>>>(a);",
                           "__shared__ int ",
                           "__shared__ int a[3];",
                           "> <<<",
                           "(a><<<) ",
                           "template <",
                           "a<a",
                           "a<a>",
                           "[[gnu",
                           "{ <<<",
                           "__device__ int a, ",
                           "__shared__ a<",
                           "R\"(a",
                           "\n#if A\n{",
                           "\n#if A\n{\n#else\n{\n#endif\n",
                           "static ",
                           "struct {",
                           "void f() { ",
                           "a(",
                           "\n#define A __device__ A\n",
                           "__device__ int x = F<",
                           "operator<",
                           "k<(",
                           "a::",
                           "/*a",
                           "void f() { static",
                           "__device__ int a; ",
                           "enum {",
                           "= {",
                           "const int a = ",
                           "alignas(",
                           "namespace a {",
                           "a.b[",
                           "(k<<<1,2>>>",
                           "template <class T> struct S<",
                           "\n#define A(B) B<<<"}) {
    expect_quick(pair, 1'000'000);
  }
}

}  // namespace
}  // namespace nibble::simt
