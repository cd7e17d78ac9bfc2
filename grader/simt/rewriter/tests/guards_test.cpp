// Where guards are put: in what the compilers here make of a kernel, and in assembly written by
// hand, where each line says what must not be taken for spoken for.
#include "simt/rewriter/guards.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compilers.hpp"
#include "simt/rewriter/rewrite.hpp"

namespace nibble::simt {
namespace {

/// Of which the second half of a line stands in a kernel: `p` and `q` point to device memory.
struct Case {
  const char* what;
  const char* outside;
  const char* inside;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.what; }

constexpr const char* kStructs = R"(
#include <algorithm>
#include <array>
#include <cmath>
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cstdint>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>
struct One { float value; };
struct Many { int a[10]; };
#define READ(T) (*reinterpret_cast<const T*>(p + i))
#define PUT(T) (*reinterpret_cast<T*>(q + i))
)";

std::string kernel(const Case& c) {
  return std::string(kStructs) + c.outside +
         "\n__global__ void kernel(const float* p, float* q, int i) {\n" + c.inside + "\n}\n";
}

/// With guards, and assembled.
Guarded guard(const Compiler& compiler, const Case& c) {
  const Rewritten rewritten = rewrite(kernel(c), "learner.cu", Dialect::kKernels);
  for (const Complaint& complaint : rewritten.complaints) ADD_FAILURE() << complaint.message;
  const Scratch scratch;
  const std::string file = scratch.write("learner.cpp", rewritten.text);
  const std::string assembly = scratch.path("learner.s");
  const Outcome compiled =
      run(compiler.path + compiler.check_flags +
          " -mno-red-zone -fstack-clash-protection -fno-stack-protector -w -S " + file + " -o " +
          assembly);
  EXPECT_EQ(compiled.status, 0) << compiled.said;
  Guarded guarded = with_guards(read(assembly));
  const Outcome assembled = run(compiler.path + " -c " + scratch.write("g.s", guarded.text) +
                                " -o " + scratch.path("g.o"));
  EXPECT_EQ(assembled.status, 0) << assembled.said;
  return guarded;
}

// clang-format off
const Case kHidden[] = {
    {"argument of a function that is called by a pointer", "__device__ float f(One a) { return a.value; }",
     "float (*volatile take)(One) = f; q[i] = take(READ(One));"},
    {"result of a function that is called by a pointer", "__device__ One f() { return {1}; }",
     "One (*volatile make)() = f; PUT(One) = make();"},
    {"argument of a function that is not inlined", "__noinline__ float f(One a); __noinline__ __device__ float f(One a) { return a.value; }",
     "float (*volatile take)(One) = f; q[i] = take(READ(One));"},
    {"argument of an operator of the kernel's own class", "",
     "struct Reader { float operator()(One a) const { return a.value; } }; q[i] = Reader{}(READ(One));"},
    {"argument from one of two places", "",
     "struct Reader { float f(One a) const { return a.value; } }; q[i] = Reader{}.f(i > 2 ? READ(One) : *reinterpret_cast<const One*>(p));"},
};
const Case kHiddenByClang[] = {
    {"long double", "", "PUT(long double) = READ(long double);"},
};
const Case kRight[] = {
    {"vectors", "", "float4 v = READ(float4); v.x += 1; PUT(float4) = v; PUT(float4) = make_float4(1, 2, 3, 4); PUT(float4) = float4{1, 2, 3, 4}; PUT(float4) = {v.x, 2, 3, 4}; const float4& r = READ(float4); q[0] = r.y + (i ? v : r).x;"},
    {"lambda that takes and returns a vector", "", "auto f = [](float4 v) { return v.x; }; auto g = [=](float4 v) mutable noexcept { v.x += i; return v; }; q[i] = f(READ(float4)); PUT(float4) = g(READ(float4));"},
    {"lambdas of other shapes", "", "auto f = [&](int k) { q[k] = p[k]; }; auto g = [&] { return p[i]; }; auto h = []<class T>(T a, T b) -> T { return a < b ? a : b; }; f(i); q[1] = g() + h(p[0], p[1]);"},
    {"lambda in a function of a template", "template <class F> __device__ void each(int n, F f) { for (int k = 0; k < n; ++k) f(k); }", "each(4, [&, sum = 0.0f](auto k) mutable { sum += p[k]; q[k] = sum; });"},
    {"constexpr functions", "constexpr float f(One a) { return a.value; } template <class T> constexpr T twice(T a) { return a + a; } struct C { float x; constexpr C operator+(C o) const { return {x + o.x}; } };", "q[i] = f(READ(One)) + twice(p[i]); PUT(C) = READ(C) + READ(C);"},
    {"functions and operators with __device__", "__device__ float4 operator*(float4 a, float s) { return make_float4(a.x * s, a.y * s, a.z * s, a.w * s); } __device__ float4& operator+=(float4& a, float4 b) { a.x += b.x; return a; }", "PUT(float4) = READ(float4) * 2.0f; PUT(float4) += READ(float4);"},
    {"a struct of one's own", "struct V { float v[4]; __device__ float& operator[](int k) { return v[k]; } __device__ V operator+(const V& o) const { V r; for (int k = 0; k < 4; ++k) r.v[k] = v[k] + o.v[k]; return r; } };", "V a = READ(V); a[i % 4] = 3; PUT(V) = a + READ(V); PUT(Many) = READ(Many);"},
    {"tables", "constexpr float table[4] = {1, 2, 3, 4}; __constant__ float weights[4] = {1, 2, 3, 4}; __device__ const int steps[2] = {1, 2};", "q[i] = table[i % 4] + weights[i % 4] + steps[i % 2];"},
    {"arrays of its own", "", "float a[4] = {}; One b[4] = {}; std::array<float, 4> c{}; a[i % 4] = p[i]; b[i % 4].value = a[1]; c[i % 4] += b[i % 3].value; for (float& x : c) x += 1; q[i] = a[i % 2] + c[1];"},
    {"unions and bit-fields", "union U { float f; unsigned u; uchar4 c; }; struct B { unsigned lo : 4, hi : 12, rest : 16; };", "U u; u.f = p[i]; q[i] = u.c.y + u.u; PUT(U) = u; PUT(B).hi = READ(B).lo; ++PUT(B).rest;"},
    {"halves", "", "const __half2 h = READ(__half2); PUT(__half2) = __hadd2(h, __hmul2(READ(__half2), h)); const uint4 raw = READ(uint4); const __half* k = reinterpret_cast<const __half*>(&raw); q[i] = __half2float(k[i % 8]);"},
    {"the standard library", "__device__ std::pair<float, int> best(float v, int k) { return {v, k}; }", "auto [v, k] = best(p[i], i); std::pair<float, int> m{p[i], 1}; m = best(p[0], 4); std::tuple<float, int> t{p[i], 1}; std::optional<float> o; o = p[i]; std::copy(p, p + 4, q); std::swap(q[0], q[1]); q[i] = v + k + m.first + std::get<0>(t) + *o + std::max(p[0], p[1]);"},
    {"copies of bytes", "", "float x; std::memcpy(&x, p + i, 4); std::memcpy(q + i, &x, 4); One one; std::memcpy(&one, p, sizeof one); q[1] = one.value;"},
    {"mathematics", "", "float whole, s, c; int e; q[i] = modff(p[i], &whole) + frexpf(p[0], &e); sincosf(p[i], &s, &c); q[0] = whole + s + c + e;"},
    {"groups and shuffles", "namespace cg = cooperative_groups;", "auto warp = cg::tiled_partition<32>(cg::this_thread_block()); float s = p[i]; for (int d = 16; d > 0; d /= 2) s += warp.shfl_down(s, d); q[i] = s + __shfl_xor_sync(~0u, s, 1) + __ldg(p + i);"},
    {"branches", "", "switch (i % 5) { case 0: q[i] = p[0]; break; case 1: q[i] += 1; break; case 2: q[i]++; break; case 3: q[i] = -p[i]; break; default: q[i] = i > 7 ? p[1] : p[2]; } float a = 0; for (int k = 0; k < i && p[k] > 0; ++k) a += p[k]; q[i] = a;"},
};
// clang-format on

class Hidden : public testing::TestWithParam<Case> {};
class HiddenByClang : public testing::TestWithParam<Case> {};
class Right : public testing::TestWithParam<Case> {};

TEST_P(Hidden, IsGuarded) {
  for (const Compiler& compiler : compilers()) {
    if (compiler.is_clang) continue;  // it puts a hook there
    EXPECT_GT(guard(compiler, GetParam()).guards, 0) << compiler.path;
  }
}

TEST_P(HiddenByClang, IsGuarded) {
  for (const Compiler& compiler : compilers()) {
    if (!compiler.is_clang) continue;
    EXPECT_GT(guard(compiler, GetParam()).guards, 0) << compiler.path;
  }
}

TEST_P(Right, HasNothingThatCannotBeGuarded) {
  for (const Compiler& compiler : compilers()) {
    for (const std::string& instruction : guard(compiler, GetParam()).unknown) {
      ADD_FAILURE() << compiler.path << ": " << instruction;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Hidden, testing::ValuesIn(kHidden));
INSTANTIATE_TEST_SUITE_P(All, HiddenByClang, testing::ValuesIn(kHiddenByClang));
INSTANTIATE_TEST_SUITE_P(All, Right, testing::ValuesIn(kRight));

// ---- assembly

/// Of a function with 64 bytes of frame, 16 of them pushed.
struct Snippet {
  const char* what;
  const char* text;
  int guards;
};

void PrintTo(const Snippet& s, std::ostream* out) { *out << s.what; }

int guards_of(const std::string& text) {
  const std::string function =
      "f:\n\tpushq\t%rbp\n\tmovq\t%rsp, %rbp\n\tpushq\t%rbx\n\tpushq\t%r12\n\tsubq\t$48, %rsp\n";
  return with_guards(function + text + "\n").guards;
}

// clang-format off
const Snippet kSnippets[] = {
    {"hook of the same register", "movq %rbx, %rdi\n call __tsan_read4@PLT\n movss (%rbx), %xmm0", 0},
    {"hook of the same sum", "leaq 8(%rbx,%r12,4), %rdi\n call __tsan_write4\n movl %eax, 8(%rbx,%r12,4)", 0},
    {"pointer kept in the frame", "movq -24(%rbp), %rdi\n call __tsan_read8\n movq -24(%rbp), %rax\n movq (%rax), %rax", 0},
    {"half of what was told", "movq %rbx, %rdi\n call __tsan_read16\n movq 8(%rbx), %rax", 0},
    {"range of a known size", "movl $24, %esi\n movq %rbx, %rdi\n call __tsan_read_range\n movq 16(%rbx), %rax", 0},
    {"the frame", "movl -64(%rbp), %eax\n movq %rax, -24(%rbp)\n movl 4(%rbp,%rbx,4), %eax", 1},
    {"a literal", "movss .LC0(%rip), %xmm0", 0},
    {"the index of a thread", "movl threadIdx(%rip), %eax\n movl 8+blockIdx(%rip), %eax\n movq blockDim@GOTPCREL(%rip), %rcx\n movl 4(%rcx), %eax", 0},
    {"no hook", "movss (%rbx), %xmm0", 1},
    {"another pointer", "movq %r12, %rdi\n call __tsan_read4\n movss (%rbx), %xmm0", 1},
    {"more than was told", "movq %rbx, %rdi\n call __tsan_read4\n movq (%rbx), %rax", 1},
    {"behind what was told", "movq %rbx, %rdi\n call __tsan_read4\n movl 4(%rbx), %eax", 1},
    {"before what was told", "movq %rbx, %rdi\n call __tsan_read4\n movl -4(%rbx), %eax", 1},
    {"a store where a load was told", "movq %rbx, %rdi\n call __tsan_read4\n movl %eax, (%rbx)", 1},
    {"a pointer that has moved on", "movq %rbx, %rdi\n call __tsan_read4\n addq $4, %rbx\n movl (%rbx), %eax", 1},
    {"a pointer of which a part was written", "movq %rbx, %rdi\n call __tsan_read4\n movb $1, %bl\n movl (%rbx), %eax", 1},
    {"a pointer in a register that calls change", "movq %rcx, %rdi\n call __tsan_read4\n movl (%rcx), %eax", 1},
    {"a pointer exchanged", "movq %rbx, %rdi\n call __tsan_read4\n xchgq %rbx, %r12\n movl (%rbx), %eax", 1},
    {"a pointer in a slot that was written", "movq -24(%rbp), %rdi\n call __tsan_read4\n movl $1, -20(%rbp)\n movq -24(%rbp), %rax\n movl (%rax), %eax", 1},
    {"a pointer in a slot, and a store that may lead there", "movq %r12, %rdi\n call __tsan_write4\n movq -24(%rbp), %rdi\n call __tsan_read4\n movl $1, (%r12)\n movq -24(%rbp), %rax\n movl (%rax), %eax", 1},
    {"behind a label that is jumped to", "jne .L2\n movq %rbx, %rdi\n call __tsan_read4\n.L2:\n movl (%rbx), %eax", 1},
    {"behind a label in a table", "movq %rbx, %rdi\n call __tsan_read4\n.L2:\n movl (%rbx), %eax\n .section .rodata\n .long .L2-.L4", 1},
    {"behind a label for a debugger", "movq %rbx, %rdi\n call __tsan_read4\n.LVL2:\n movl (%rbx), %eax\n .section .debug_loc\n .quad .LVL2", 0},
    {"behind a label in a table of a function with a name like that", "movq %rbx, %rdi\n call __tsan_read4\n.L2:\n movl (%rbx), %eax\n .section .rodata._Z5debugv\n .long .L2-.L4", 1},
    {"behind a jump that is always taken", "movq %rbx, %rdi\n call __tsan_read4\n jmp .L9\n.L2:\n movl (%rbx), %eax", 1},
    {"a pointer in a slot, and a copy that may lead there", "movq -24(%rbp), %rdi\n call __tsan_read4\n leaq -24(%rbp), %rdi\n movq %rbx, %rsi\n movl $8, %edx\n call __tsan_memcpy\n movq -24(%rbp), %rax\n movl (%rax), %eax", 1},
    {"a pointer in a slot, and an exchange that may lead there", "movq -24(%rbp), %rdi\n call __tsan_read4\n leaq -24(%rbp), %rdi\n movq %rbx, %rsi\n call __tsan_atomic64_exchange\n movq -24(%rbp), %rax\n movl (%rax), %eax", 1},
    {"behind the next block's beginning", "movq %rbx, %rdi\n call __tsan_read4\n call __sanitizer_cov_trace_pc\n movl (%rbx), %eax", 1},
    {"behind another call", "movq %rbx, %rdi\n call __tsan_read4\n call g\n movl (%rbx), %eax", 1},
    {"beyond the frame", "movq -72(%rbp), %rax\n movq 8(%rbp), %rcx\n movq -4(%rbp), %rcx", 3},
    {"the frame where rbp was written", "movq %rbx, %rbp\n movq -8(%rbp), %rax", 1},
    {"beyond a literal", "movss .LC0+16(%rip), %xmm0\n movss .LC0(%rbx), %xmm0\n movl %eax, .LC0(%rip)", 3},
    {"beyond the index of a thread", "movl threadIdx+12(%rip), %eax\n movl %eax, threadIdx(%rip)", 2},
    {"a variable", "movl table(%rip), %eax\n movl %eax, table(%rip)", 2},
    {"memory at a fixed address", "movl table, %eax", 1},
    {"a function in memory", "call *8(%rbx)\n jmp *.L4(,%rax,8)", 2},
    {"read and written at once", "addl $1, (%rbx)", 2},
    {"a stack that has moved", "leaq 8(%rsp), %rdi\n call __tsan_read4\n subq $16, %rsp\n movl 8(%rsp), %eax", 1},
    {"strings", "rep stosq\n rep movsq\n movsb\n rep;stosq %rax, %es:(%rdi)", 6},
    {"a string in the frame", "leaq -64(%rbp), %rdi\n movl $6, %ecx\n rep stosq", 0},
    {"a string that leaves the frame", "leaq -64(%rbp), %rdi\n movl $9, %ecx\n rep stosq", 1},
};
// clang-format on

class Assembly : public testing::TestWithParam<Snippet> {};

TEST_P(Assembly, HasSoManyGuards) { EXPECT_EQ(guards_of(GetParam().text), GetParam().guards); }

INSTANTIATE_TEST_SUITE_P(All, Assembly, testing::ValuesIn(kSnippets));

TEST(Guards, StandBeforeTheInstructionAndKnowThatTheyHavePushed) {
  EXPECT_EQ(with_guards("f:\n\tmovq\t-8(%rsp), %rax\n").text,
            "f:\n\tpushq\t%rax\n\tleaq\t8+-8(%rsp), %rax\n\tcall\tnibble_simt_guard_read8\n"
            "\tpopq\t%rax\n\tmovq\t-8(%rsp), %rax\n");
}

TEST(Guards, SayWhatTheyCannotGuard) {
  for (const char* const line : {"movl %fs:40(%rax), %eax", "frobnicate (%rax)",
                                 "vmovups (%rax), %ymm0", "movl a-b(%rax), %eax"}) {
    EXPECT_EQ(with_guards(std::string("f:\n\t") + line + "\n").unknown,
              std::vector<std::string>{line});
  }
}

TEST(Guards, AreNotPutWhereTheEngineReadsTheArgumentsOfALaunch) {
  const std::string text =
      ".file 7 \"common/simt/include/nibble/simt/launch.hpp\"\nf:\n.loc 7 3 1\n movl (%rbx), "
      "%eax\n";
  EXPECT_EQ(with_guards(text).guards, 0);
  EXPECT_EQ(with_guards(text + ".loc 1 3 1\n movl (%rbx), %eax\n").guards, 1);
  const std::string of_a_learner =
      ".file 7 \"common/simt/include/nibble/simt/launch.hpp\"\nf:\n.loc 1 3 1\n"
      ".loc 7 9 1\n movl (%rbx), %eax\n";
  EXPECT_EQ(with_guards(of_a_learner).guards, 1);
}

TEST(Guards, TakeAnyBytesForAssembly) {
  const std::string text =
      "f:\n\tmovq\t(%rax\n\t(,\n \"\n\tcall\n\trep\n\tleaq ,,\n\t$\n.loc\n.file 9\n";
  for (std::size_t size = 0; size <= text.size(); ++size) with_guards(text.substr(0, size));
}

}  // namespace
}  // namespace nibble::simt
