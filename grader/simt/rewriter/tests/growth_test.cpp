// The work of rewriter and guards grows with the file, not with its square. Work is counted, not
// timed: its sources are compiled a second time, with a call for every basic block.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "simt/rewriter/guards.hpp"
#include "simt/rewriter/rewrite.hpp"
#include "simt/rewriter/tests/pieces.hpp"

namespace {
std::uint64_t blocks_entered = 0;
}  // namespace

extern "C" void __sanitizer_cov_trace_pc() { ++blocks_entered; }

namespace nibble::simt {
namespace {

std::uint64_t blocks_for(std::string_view unit, std::size_t bytes, Dialect dialect) {
  std::string source;
  while (source.size() < bytes) source.append(unit).append(" ");
  blocks_entered = 0;
  rewrite(source, "a.cu", dialect);
  return blocks_entered;
}

/// Four times the file is four times the work, 16 times where it grows with the square. Half as
/// much again is allowed for what is sorted.
void expect_growth_with_size(std::string_view unit) {
  constexpr std::size_t kBytes = 10'000;
  for (const Dialect dialect : kDialects) {
    const std::uint64_t once = blocks_for(unit, kBytes, dialect);
    ASSERT_GT(once, kBytes / 2) << "nothing was counted";
    EXPECT_LT(blocks_for(unit, 4 * kBytes, dialect), 6 * once) << unit;
  }
}

TEST(Growth, OfOnePieceAgainAndAgain) {
  for (const std::string_view piece : kPieces) expect_growth_with_size(piece);
}

/// What is looked for far ahead or far behind.
TEST(Growth, OfWhatIsLeftOpen) {
  // clang-format off
  for (const std::string_view unit : {"k<<<",
    "k<<<1,2>>>(a);",
    "__shared__ int ",
    "__shared__ int a[3];",
    "extern __shared__ int a[]; void f() { a[0] = 1; }",
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
    "asm(\"bar.sync 0;\");",
    "asm(\"x\" : \"=r\"(",
    "asm(\"bar.sync 0;\" :: \"r\"(a), ",
    "asm(\"{ .reg .b32 a;\");",
    "\"bar.sync 0; { .reg .pred p; } \"",
    "template <class T> struct S<",
    "\n#define A(B) B<<<"}) {
    // clang-format on
    expect_growth_with_size(unit);
  }
}

std::uint64_t blocks_for_assembly(std::string_view unit, std::size_t bytes) {
  std::string text = "f:\n\tpushq\t%rbp\n\tmovq\t%rsp, %rbp\n";
  while (text.size() < bytes) text.append(unit).append("\n");
  blocks_entered = 0;
  with_guards(text);
  return blocks_entered;
}

TEST(Growth, OfAssembly) {
  for (const std::string_view unit :
       {"movq (%rbx), %rax", "addq %rcx, %rax\n addq %rdx, %rcx\n addq %rax, %rdx",
        "movzbl %al, %eax\n imull %ecx, %eax", "movq %rax, -8(%rbp)\n movq -16(%rbp), %rbx",
        "movl %eax, -4096(%rbp,%rbx)", "call __tsan_read4", ".L1:\n jmp .L1", ".long .L2-.L3", "g:",
        ".loc 1 2 3", ".file 1 \"a\"", "leaq table(%rip), %rax", "frobnicate (%rax)", "(", "\""}) {
    constexpr std::size_t kBytes = 20'000;
    const std::uint64_t once = blocks_for_assembly(unit, kBytes);
    ASSERT_GT(once, kBytes / 2) << "nothing was counted";
    EXPECT_LT(blocks_for_assembly(unit, 4 * kBytes), 6 * once) << unit;
  }
}

}  // namespace
}  // namespace nibble::simt
