// What a file of kernels may not hold: where it is told and in which words; and that what looks
// alike is let through.
#include <gtest/gtest.h>

#include <string>

#include "simt/rewriter/rewrite.hpp"

namespace nibble::simt {
namespace {

struct Refusal {
  const char* source;
  int line, column;
  const char* said;
};

void PrintTo(const Refusal& c, std::ostream* out) { *out << c.source; }

// clang-format off
const Refusal kSpeaksForTheEngine[] = {
    {"namespace s = nibble::simt;", 1, 23, "checks your kernels"},
    {"__device__ void f() { simt::finish(); }", 1, 23, "checks your kernels"},
    {"NIBBLE_KERNEL void nibble_simt_touch() {}", 1, 20, "checks your kernels"},
    {"__device__ void f() { simt_decl_a.offset = 1; }", 1, 23, "checks your kernels"},
    {"__device__ void __tsan_write4(void*) {}", 1, 17, "checks your kernels"},
    {"__device__ void __ubsan_handle_x() {}", 1, 17, "checks your kernels"},
    {"__device__ int __sanitizer_cov_trace_pc;", 1, 16, "checks your kernels"},
    {"__device__ int __asan_x;", 1, 16, "checks your kernels"},
    {"NIBBLE_SIMT_VARIABLE(x);", 1, 1, "only NIBBLE_LAUNCH"},
    {"#ifdef NIBBLE_SIMT\n#endif", 1, 8, "only NIBBLE_LAUNCH"},
    {"NIBBLE_PRAGMA(GCC optimize 3)", 1, 1, "only NIBBLE_LAUNCH"},
    {"__device__ void f() { NIBBLE_EXPECTS(a, b); }", 1, 23, "only NIBBLE_LAUNCH"},
};

const Refusal kTakesHooksAway[] = {
    {"__device__ void f(signed char* p) { printf(\"%*s%hhn\", 3, \"\", p); }", 1, 44, "%n makes printf write"},
    {"__device__ void f(int* p) { printf(\"%d%%%n\", 3, p); }", 1, 36, "%n makes printf write"},
    {"__device__ void f(int* p) { printf(\"%2$-08lln\", 3, p); }", 1, 36, "%n makes printf write"},
    {"__device__ void f() { asm(\"nop\"); }", 1, 23, "inline PTX"},
    {"__device__ void f() { asm volatile(\"nop\"); }", 1, 23, "inline PTX"},
    {"__device__ void f() { __asm__ __volatile__(\"nop\"); }", 1, 23, "inline PTX"},
    {"#define A asm\n", 1, 11, "inline PTX"},
    {"#if 0\nasm\n#endif\n", 2, 1, "inline PTX"},
    {"__attribute__((no_sanitize(\"thread\"))) __device__ void f() {}", 1, 1, "attributes"},
    {"__attribute__((aligned(16), no_sanitize(\"thread\"))) int a;", 1, 1, "attributes"},
    {"__attribute__((aligned(16)) naked) int a;", 1, 1, "attributes"},
    {"__attribute__((optimize(3))) __device__ void f() {}", 1, 1, "attributes"},
    {"__attribute((x)) __device__ void f() {}", 1, 1, "attributes"},
    {"__declspec(x) __device__ void f() {}", 1, 1, "attributes"},
    {"[[gnu::no_sanitize(\"thread\")]] __device__ void f() {}", 1, 1, "standard attributes"},
    {"[ [gnu::naked] ] __device__ void f() {}", 1, 1, "standard attributes"},
    {"[[clang::xray_never_instrument]] __device__ void f() {}", 1, 1, "standard attributes"},
    {"[[using gnu: naked]] __device__ void f() {}", 1, 1, "standard attributes"},
    {"[[nodiscard, gnu::naked]] __device__ int f() {}", 1, 1, "standard attributes"},
    {"[[no_sanitize]] __device__ void f() {}", 1, 1, "standard attributes"},
    {"#define B [\nB B gnu::naked ]] __device__ void f() {}", 2, 5, "one compiler"},
    {"#define A(X) [X]\nA([clang::optnone]) __device__ void f() {}", 2, 4, "one compiler"},
    {"#pragma GCC optimize(3)\n", 1, 1, "#pragma unroll"},
    {"# /* a */ pragma clang attribute push\n", 1, 1, "#pragma unroll"},
    {"#pragma omp parallel\n", 1, 1, "#pragma unroll"},
    {"#pragma\n", 1, 1, "#pragma unroll"},
    {"#pra\\\ngma GCC optimize(3)\n", 1, 2, "backslash"},
    {"__device__ void f() { _Pragma(\"GCC optimize 3\") }", 1, 23, "_Pragma(\"unroll\")"},
    {"__device__ void f() { _Pragma(u8\"unroll\") }", 1, 23, "_Pragma(\"unroll\")"},
    {"__device__ void f() { __builtin_memcpy(a, b, 8); }", 1, 23, "one compiler"},
    {"__device__ void f() { goto *(p + 5); }", 1, 23, "label"},
    {"__device__ void f() { void* p = &&there; }", 1, 33, "address of a label"},
    {"__device__ int __REDIRECT(f, (void), g);", 1, 16, "not a CUDA name"},
    {"__device__ void f() { __CONCAT(a, sm); }", 1, 23, "not a CUDA name"},
    {"_Float16 x;", 1, 1, "not a CUDA name"},
};

const Refusal kHides[] = {
    {"#define G(A, B) A##B\n", 1, 18, "glues"},
    {"#define G(A, B) A%:%:B\n", 1, 18, "no sign"},
    {"__device__ void f() { as\\\nm(\"nop\"); }", 1, 23, "backslash"},
    {"__device__ void f() { as\\ \t\nm(\"nop\"); }", 1, 23, "backslash"},
    {"/\\\n/ comment \\\nasm\nasm", 4, 1, "inline PTX"},
    {"/* *\\\n/ asm /* */", 2, 3, "inline PTX"},
    {"// ends here\nasm", 2, 1, "inline PTX"},
    {"const char* s = \"/*\"; asm", 1, 23, "inline PTX"},
    {"int x = 1'000; asm /* ' */", 1, 16, "inline PTX"},
    {"const char c = '\"'; asm // \"", 1, 21, "inline PTX"},
    {"const char* s = \"\\\\\"; asm // \"", 1, 23, "inline PTX"},
    {"#define S R\"(a)\"\n", 1, 11, "raw string"},
    {"#define S u8R\"x(a\n)x\"\nasm", 1, 11, "raw string"},
    {"__device__ auto s = R\"(a)\"; asm", 1, 29, "inline PTX"},
    {"__device__ auto s = u8R\"x(\\\n)\")x\"; asm", 2, 8, "inline PTX"},
    {"__device__ auto s = R\"(%n)\";", 1, 21, "%n makes printf write"},
    {"__device__ auto s = fooR\"(a)\"; asm //)\"", 1, 32, "inline PTX"},
    {"#include <cmath> // \"\nasm", 2, 1, "inline PTX"},
    {"#include \"a\\\"\nasm", 1, 10, "may include"},
    {"int a<:3:>;", 1, 6, "no sign"},
    {"__device__ void f() <% %>", 1, 21, "no sign"},
    {"%: define X\n", 1, 1, "no sign"},
    {"a ?\?( b", 1, 3, "no sign"},
    {"int \\u0061sm;", 1, 5, "no sign"},
    {"__device__ const char* s = \"open;\n", 1, 28, "closing quote"},
    {"int a;\x01", 1, 7, "no text"},
};

const Refusal kDirectives[] = {
    {"#include <iostream>\n", 1, 10, "may include"},
    {"#include \"nibble/simt.hpp\"\n", 1, 10, "may include"},
    {"#include \"nibble/simt/session.hpp\"\n", 1, 10, "may include"},
    {"#include \"../x.hpp\"\n", 1, 10, "may include"},
    {"#include \"nibble/../../x.hpp\"\n", 1, 10, "may include"},
    {"#include \"/etc/passwd\"\n", 1, 10, "may include"},
    {"#include <linux/bpf.h>\n", 1, 10, "may include"},
    {"#include <atomic>\n", 1, 10, "may include"},
    {"#include WHAT\n", 1, 1, "name of a header"},
    {"#include\n", 1, 1, "name of a header"},
    {"#include <cmath\n", 1, 1, "name of a header"},
    {"#define N 3\n#include <cmath>\n", 2, 1, "top of the file"},
    {"namespace a {\n#include <cmath>\n}\n", 2, 1, "top of the file"},
    {"#include_next <cmath>\n", 1, 1, "no place"},
    {"#import <cmath>\n", 1, 1, "no place"},
    {"#line 7 \"x\"\n", 1, 1, "no place"},
    {"# 7 \"x\" 3\n", 1, 1, "no place"},
    {"#embed \"x\"\n", 1, 1, "no place"},
    {"#if __has_include(\"/etc/passwd\")\n#endif\n", 1, 5, "not a CUDA name"},
    {"#define __syncthreads()\n", 1, 9, "in capitals"},
    {"#define threadIdx x\n", 1, 9, "in capitals"},
    {"#define int long\n", 1, 9, "in capitals"},
    {"#define std x\n", 1, 9, "keeps its name"},
    {"#undef isnan\n", 1, 8, "in capitals"},
    {"#define NIBBLE_LAUNCH(...)\n", 1, 9, "in capitals"},
    {"#undef __global__\n", 1, 8, "in capitals"},
};

const Refusal kHostCode[] = {
    {"__device__ void f() { k<<<1, 2>>>(a); }", 1, 24, "NIBBLE_LAUNCH"},
    {"int main() {}", 1, 5, "no main"},
    {"__device__ void f() { cudaMalloc(&p, 4); }", 1, 23, "for the host"},
    {"__device__ cudaStream_t s;", 1, 12, "for the host"},
    {"float f(float x) { return x; }", 1, 7, "needs __device__"},
    {"template <class T> T f(T x) { return x; }", 1, 22, "needs __device__"},
    {"namespace a { static inline int f() { return 1; } }", 1, 33, "needs __device__"},
    {"struct S { int f() { return 1; } };", 1, 16, "needs __device__"},
    {"__host__ int f() { return 1; }", 1, 14, "needs __device__"},
    {"int n;", 1, 5, "lives on the host"},
    {"static float table[4] = {1, 2};", 1, 14, "lives on the host"},
    {"const float x = f();", 1, 13, "lives on the host"},
    {"namespace a { S s{1}; }", 1, 17, "lives on the host"},
    {"__device__ void f() { static int n = 0; }", 1, 23, "live on between launches"},
    {"namespace s = std;", 1, 15, "keeps its name"},
    {"namespace std { __device__ int f() { return 1; } }", 1, 1, "cannot be added to"},
    {"template <> __device__ inline int std::min<int>(int a) { return a; }", 1, 40, "cannot be added to"},
    {"__device__ int std::abs(int a) { return a; }", 1, 21, "cannot be added to"},
    {"thread_local int n;", 1, 1, "no `thread_local`"},
    {"__device__ void f() { throw 1; }", 1, 23, "no `throw`"},
    {"__device__ void f() { try {} catch (...) {} }", 1, 23, "no `try`"},
    {"struct S { virtual void f(); };", 1, 12, "`virtual` cannot be checked"},
    {"__device__ void f() { int* p = new int; }", 1, 32, "is not for kernels here"},
    {"__device__ void f(int* p) { delete p; }", 1, 29, "memory from the kit"},
    {"__device__ void f() { malloc(3); }", 1, 23, "memory from the kit"},
    {"extern \"C\" __device__ int puts(const char*) { return 0; }", 1, 1, "nothing outside"},
    {"extern int n;", 1, 1, "nothing outside"},
    {"__device__ void f() { std::vector<int> v; }", 1, 28, "for the host"},
    {"__device__ void f() { long long t = clock64(); }", 1, 37, "no time passes"},
    {"__device__ void f() { std::cout << 1; }", 1, 28, "for the host"},
};

const char* const kAccepted[] = {
    "#pragma once\n#include \"cuda_quantize.hpp\"\n#include <cmath>\n#include <cuda_fp16.h>\n#include \"nibble/launch.hpp\"\n",
    "#include <math_constants.h>\n#include <vector_types.h>\n#include <vector_functions.h>\n#include <cuda_pipeline.h>\n#include <device_launch_parameters.h>\n#include <cooperative_groups/memcpy_async.h>\n",
    "__device__ void f() { __builtin_assume(n > 0); __assume(p); if (__builtin_expect(a, 1)) __builtin_unreachable(); g(__builtin_assume_aligned(p, 16)); }\nstruct __builtin_align__(16) Four { int x[4]; };\n",
    "__device__ void f() { __pipeline_commit(); __stcs(p, __ldcs(q)); __trap(); }\n",
    "#if __CUDA_ARCH__ >= 800\n#else\n#error \"no\"\n#endif\n",
    "#define TILE 16\n#define AT(I, J) tile[(I) * TILE + (J)]\n#undef TILE\n",
    "#define DEVICE __device__ __forceinline__\nDEVICE int f() { return 1; }\n",
    "NIBBLE_LAUNCH(k, .block_x = 256, .tile_n = 256);\nNIBBLE_KERNEL void k(int* p) { p[threadIdx.x] = 1; }\n",
    "NIBBLE_LAUNCH(k, .block_x = 256)\nNIBBLE_KERNEL void k(int* p) { p[threadIdx.x] = 1; }\n",
    "namespace nibble {\nnamespace {\n__device__ int f() { return 1; }\n}  // namespace\n}\n",
    "template <int N>\n__device__ __forceinline__ int f(const int (&a)[N]) { return a[N - 1]; }\n",
    "#define UNROLL _Pragma(\"unroll\")\n__device__ void f() { _Pragma(\"unroll 8\") for (;;) {} }\n",
    "extern __shared__ float space[];\n__device__ float f(int i) { return space[i]; }\n",
    "#include <cuda.h>\n#include <device_types.h>\n",
    "namespace a { __shared__ int n; }\n__shared__ float tile[4];\n",
    "template <class T> struct S { __device__ operator T*() { extern __shared__ int __smem[]; return (T*)__smem; } };\n",
    "#include <cuda/std/array>\n#include <cuda/atomic>\n#include <cuda/pipeline>\n#include <cooperative_groups/scan.h>\n",
    "struct __attribute__((aligned(16))) S { float v[4]; };\n__attribute__((noinline, unused)) __device__ int f() { return 1; }\n",
    "__device__ const char* f() { return R\"x(asm __global__ <<<1, 2>>> \\ ## \n\")x\"; }\n",
    "constexpr int gr\xC3\xB6\xC3\x9Fter = 127;\n",
    "__device__ int f(float x) { return __builtin_bit_cast(int, x) + __builtin_ctz(3u) + __isShared(p); }\n",
    "__device__ void f() {\n#pragma unroll\n  for (int i = 0; i < 4; i++) {}\n#pragma unroll 4\n}\n",
    "[[nodiscard]] __device__ int f([[maybe_unused]] int a) { return 1; }\n",
    "__device__ int f(int a) { switch (a) { case 1: [[fallthrough]]; default: return 2; } }\n",
    "[[deprecated(\"old\"), nodiscard]] __device__ int f() { return 1; }\n",
    "constexpr int kTile = 16;\nconst int kOther = 3;\ninline constexpr float kScale[2] = {1, 2};\n",
    "static constexpr int kTile = 16;\n__constant__ float table[2] = {1, 2};\n__device__ int counter;\n",
    "struct S { int a; __device__ S() : a(1) {} __device__ int f() const { return a; } S(const S&) = default; };\n",
    "struct S { static constexpr int n = 3; int a[2]; float b = 1.0f; };\n",
    "enum Mode { kA, kB };\nenum class Other : int { kC };\nstruct Forward;\nusing T = int;\ntypedef int U;\n",
    "union Bits { float f; unsigned u; };\ntemplate <class T> struct Of { T v; };\nstatic_assert(sizeof(int) == 4);\n",
    "constexpr __host__ __device__ int ceil_div(int a, int b) { return (a + b - 1) / b; }\n",
    "constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }\n",
    "__device__ void f() { extern __shared__ __align__(16) char s[]; }\n",
    "__global__ void __launch_bounds__(256, 2) k(const float* __restrict__ x) { __shared__ float s[4]; }\n",
    "__device__ void f(float* x) { goto end; end: x[0] = __int_as_float(1) + __shfl_xor_sync(~0u, 1.f, 1); }\n",
    "__device__ int f(int a) { return __dp4a(a, a, __vadd4(a, a)) + __float2int_rn(1.5f) + __popc(a); }\n",
    "__device__ void f(__half* h, __nv_bfloat16 b) { *h = __hadd(*h, __float2half_rn(1.0f)); __hfma2(a, b, c); }\n",
    "__device__ unsigned char f(float x) { return __nv_fp8_e4m3(x).__x; }\n",
    "__device__ void f(int&& a) { auto&& b = a; if (a && b || (b && a)) return; }\n",
    "__device__ void f() { const char* s = \"it's __tsan_write4 asm ## <<<\"; printf(\"%d\\n\", 1); }\n",
    "// asm, __attribute__, nibble::simt, #pragma GCC, it's all right here \\\n and here\n/* ## <<< */\n",
    "__device__ void f() { int a = n \\\n + 1; }\n",
    "#define LONG(X) \\\n  do { \\\n    X = 1; \\\n  } while (false)\n",
    "__device__ auto g = 3; __device__ void f() { auto h = [=](int i) { return i; }; a[b[0]] = h(1); }\n",
    "__device__ void f() { static constexpr int t[2] = {1, 2}; static const int u = 3; }\n",
    "template <class T, class = int> concept Number = sizeof(T) == 4;\ntemplate <Number T> __device__ T f(T a) { return a; }\n",
    "__device__ bool operator<(S a, S b) { return a.x < b.x; }\n__device__ S operator+(S a, S b) { return a; }\n",
    "template <> __device__ int f<3>() { return 3; }\ntemplate __device__ int f<4>();\n",
    "using namespace std;\n__device__ std::pair<int, int> f(std::array<int, 2> a) { return {1, 2}; }\n",
    "namespace wmma = nvcuda::wmma;\nusing namespace nvcuda;\nusing std::int8_t;\n",
    "struct S { __device__ int operator()(int a) const { return a; } __device__ explicit operator bool() const { return true; } };\n",
};
// clang-format on

class Kernels : public testing::TestWithParam<Refusal> {};

TEST_P(Kernels, AreRefusedWithAReason) {
  const Refusal& c = GetParam();
  const Rewritten result = rewrite(c.source, "a.cu", Dialect::kKernels);
  for (const Complaint& complaint : result.complaints) {
    const bool is_it = complaint.line == c.line && complaint.column == c.column;
    if (is_it && complaint.message.find(c.said) != std::string::npos) return;
  }
  std::string said;
  for (const Complaint& complaint : result.complaints) {
    said += std::to_string(complaint.line) + ":" + std::to_string(complaint.column) + ": " +
            complaint.message + "\n";
  }
  ADD_FAILURE() << "expected " << c.line << ":" << c.column << ": " << c.said << ", got\n" << said;
}

INSTANTIATE_TEST_SUITE_P(Engine, Kernels, testing::ValuesIn(kSpeaksForTheEngine));
INSTANTIATE_TEST_SUITE_P(Hooks, Kernels, testing::ValuesIn(kTakesHooksAway));
INSTANTIATE_TEST_SUITE_P(Hiding, Kernels, testing::ValuesIn(kHides));
INSTANTIATE_TEST_SUITE_P(Directives, Kernels, testing::ValuesIn(kDirectives));
INSTANTIATE_TEST_SUITE_P(HostCode, Kernels, testing::ValuesIn(kHostCode));

class Programs : public testing::TestWithParam<Refusal> {};

TEST_P(Programs, AreToldWhatToWriteInstead) {
  const Refusal& c = GetParam();
  const Rewritten result = rewrite(c.source, "a.cu", Dialect::kHostAndKernels);
  ASSERT_EQ(result.complaints.size(), 1u);
  EXPECT_EQ(result.complaints.front().line, c.line);
  EXPECT_EQ(result.complaints.front().column, c.column);
  EXPECT_NE(result.complaints.front().message.find(c.said), std::string::npos)
      << result.complaints.front().message;
}

const Refusal kHostCalls[] = {
    {"void f(cudaStream_t s) { cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); }", 1, 26,
     "`cudaStreamBeginCapture` is not known here: order the work in streams"},
    {"#include <cstdio>\n#include <iostream>\n", 2, 10, "`<iostream>` is not known here: print"},
    {"#include <thrust/device_vector.h>\n", 1, 10, "a kernel of your own"},
    {"void f() {\n  cudaLaunchKernelExC(c, k, a);\n}\n", 2, 3, "launch with <<< >>>"},
};
INSTANTIATE_TEST_SUITE_P(HostCalls, Programs, testing::ValuesIn(kHostCalls));

class Accepted : public testing::TestWithParam<const char*> {};

TEST_P(Accepted, AsItIs) {
  const Rewritten result = rewrite(GetParam(), "a.cu", Dialect::kKernels);
  for (const Complaint& complaint : result.complaints) {
    ADD_FAILURE() << complaint.line << ":" << complaint.column << ": " << complaint.message;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Accepted, testing::ValuesIn(kAccepted));

TEST(Complaints, ComeInOrderAndNotByTheThousand) {
  std::string source;
  for (int i = 0; i < 1000; i++) source += "asm\n";
  const Rewritten result = rewrite(source, "a.cu", Dialect::kKernels);
  ASSERT_EQ(result.complaints.size(), 50u);
  EXPECT_EQ(result.complaints[7].line, 8);
}

}  // namespace
}  // namespace nibble::simt
