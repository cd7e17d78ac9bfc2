// Each CUDA spelling, and what becomes of it. `got` is what stands in the text without blanks, so
// that the table says what matters.
#include "simt/rewriter/rewrite.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace nibble::simt {
namespace {

std::string without_blanks(std::string_view text) {
  std::string kept;
  std::ranges::copy_if(text, std::back_inserter(kept),
                       [](char c) { return c != ' ' && c != '\n'; });
  return kept;
}

struct Case {
  const char* what;
  const char* source;
  const char* wanted;  ///< somewhere in the result
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.what; }

#define LAUNCH "::nibble::simt::launch(::nibble::simt::LaunchConfig("

// clang-format off
const Case kLaunches[] = {
    {"plain", "k<<<1, 32>>>(p);", LAUNCH "1, 32), \"k\", NIBBLE_SIMT_LAUNCHER(k), p);"},
    {"no arguments", "k<<<1, 32>>>();", LAUNCH "1, 32), \"k\", NIBBLE_SIMT_LAUNCHER(k));"},
    {"template", "k<int, 4><<<1, 32>>>(p);", "\"k<int, 4>\", NIBBLE_SIMT_LAUNCHER(k<int, 4>), p);"},
    {"nested templates", "k<V<V<int>>><<<1, 32>>>(p);", "NIBBLE_SIMT_LAUNCHER(k<V<V<int>>>), p);"},
    {"qualified", "a::b::k<T><<<g, b>>>(p);", "NIBBLE_SIMT_LAUNCHER(a::b::k<T>), p);"},
    {"global", "::k<<<g, b>>>(p);", "NIBBLE_SIMT_LAUNCHER(::k), p);"},
    {"of a class template", "S<int>::k<<<g, b>>>(p);", "NIBBLE_SIMT_LAUNCHER(S<int>::k), p);"},
    {"shift inside", "k<<<n >> 9, 32>>>(n);", LAUNCH "n >> 9, 32), \"k\""},
    {"template closed by >>>", "k<<<V<V<V<1>>>::n, 32>>>(n);", LAUNCH "V<V<V<1>>>::n, 32), \"k\""},
    {"template before >>>", "k<<<1, V<V<1>>>>>(n);", LAUNCH "1, V<V<1>>), \"k\""},
    {"braces inside", "k<<<dim3{1, 2}, dim3{32}>>>(n);", LAUNCH "dim3{1, 2}, dim3{32}), \"k\""},
    {"lambda inside", "k<<<[&] { return f(1); }(), 32>>>(n);", LAUNCH "[&] { return f(1); }(), 32)"},
    {"all four", "k<<<1, 32, 64 * sizeof(int), s>>>(n);", LAUNCH "1, 32, 64 * sizeof(int), s)"},
    {"after return", "return k<<<1, 32>>>(n);", "return" LAUNCH "1, 32)"},
    {"by table", "table[i]<<<1, 32>>>(n);", "NIBBLE_SIMT_LAUNCHER(table[i]), n);"},
    {"by pointer", "(*f)<<<1, 32>>>(n);", "NIBBLE_SIMT_LAUNCHER((*f)), n);"},
    {"by member", "object.f<<<1, 32>>>(n);", "NIBBLE_SIMT_LAUNCHER(object.f), n);"},
    {"template keyword", "a::template k<T><<<1, 2>>>(n);", "NIBBLE_SIMT_LAUNCHER(a::template k<T>), n);"},
    {"shift in an argument", "k<8, (n >> 1)><<<1, 2>>>(n);", "NIBBLE_SIMT_LAUNCHER(k<8, (n >> 1)>), n);"},
    {"in a macro", "#define GO(k, n) k<<<1, n>>>(n)\n", LAUNCH "1, n), #k, NIBBLE_SIMT_LAUNCHER(k), n)"},
    {"in a macro, by its own name", "#define GO(n) k<<<1, n>>>(n)\n", "\"k\", NIBBLE_SIMT_LAUNCHER(k), n)"},
    {"quotes in its name", "k<'\"'><<<1, 2>>>(n);", R"("k<'\"'>")"},
    {"two on a line", "k<<<1,2>>>(a); j<<<1,2>>>(b);", "NIBBLE_SIMT_LAUNCHER(j), b);"},
    {"in a comment", "// k<<<1,2>>>(a)\n", "// k<<<1,2>>>(a)\n"},
    {"in a string", "f(\"k<<<1,2>>>(a)\");", "f(\"k<<<1,2>>>(a)\");"},
    {"in a raw string", "f(R\"x(\" k<<<1,2>>>(a))x\");", "f(R\"x(\" k<<<1,2>>>(a))x\");"},
    {"as an editor formats it", "k << <1, 32 >> >(p);", LAUNCH "1, 32 ), \"k\", NIBBLE_SIMT_LAUNCHER(k), p);"},
    {"in pieces", "k<< <n >> 9, 32> >>(p);", LAUNCH "n >> 9, 32), \"k\""},
    {"arguments become parameters", "__global__ void k(int* p) {}\nvoid f() { k<<<1, 2>>>(b); }", "\"k\", &k, b);"},
    {"but not of a template", "template <class T> __global__ void k(T* p) {}\nvoid f() { k<<<1, 2>>>(b); }", "NIBBLE_SIMT_LAUNCHER(k), b);"},
    {"nor of overloads", "__global__ void k(int* p) {}\n__global__ void k(float* p) {}\nvoid f() { k<<<1, 2>>>(b); }", "NIBBLE_SIMT_LAUNCHER(k), b);"},
    {"nor where one has a default", "__global__ void k(int* p, int n = 1) {}\nvoid f() { k<<<1, 2>>>(b); }", "NIBBLE_SIMT_LAUNCHER(k), b);"},
    {"a comment within", "k<<<1, /* >>>( */ 2>>>(a);", LAUNCH "1, /* >>>( */ 2), \"k\""},
};

const Case kShared[] = {
    {"array", "void f() { __shared__ float a[4]; }", "NIBBLE_SIMT_SHARED(a, [(4)], float);"},
    {"scalar", "void f() { __shared__ int n; }", "NIBBLE_SIMT_SHARED(n, , int);"},
    {"two dimensions", "void f() { __shared__ float a[N][N + 1]; }", "NIBBLE_SIMT_SHARED(a, [(N)][(N + 1)], float);"},
    {"several", "void f() { __shared__ float a[4], b, c[2]; }", "NIBBLE_SIMT_SHARED(a, [(4)], float); NIBBLE_SIMT_SHARED(b, , float); NIBBLE_SIMT_SHARED(c, [(2)], float);"},
    {"comma in the type", "void f() { __shared__ Tile<int, 32> t; }", "NIBBLE_SIMT_SHARED(t, , Tile<int, 32>);"},
    {"comma in a dimension", "void f() { __shared__ int t[max_of<1, 2>()]; }", "NIBBLE_SIMT_SHARED(t, [(max_of<1, 2>())], int);"},
    {"qualified type", "void f() { __shared__ std::int8_t t[4]; }", "NIBBLE_SIMT_SHARED(t, [(4)], std::int8_t);"},
    {"two words", "void f() { __shared__ unsigned char t[4]; }", "NIBBLE_SIMT_SHARED(t, [(4)], unsigned char);"},
    {"dependent type", "void f() { __shared__ typename T::value t[4]; }", "NIBBLE_SIMT_SHARED(t, [(4)], typename T::value);"},
    {"alignas behind", "void f() { __shared__ alignas(16) float a[4]; }", "NIBBLE_SIMT_SHARED(a, [(4)], float);"},
    {"alignas in front", "void f() { alignas(16) __shared__ float a[4]; }", "NIBBLE_SIMT_SHARED(a, [(4)], float);"},
    {"__align__", "void f() { __shared__ __align__(16) float a[4]; }", "NIBBLE_SIMT_SHARED(a, [(4)], float);"},
    {"static", "void f() { static __shared__ float a[4]; }", "NIBBLE_SIMT_SHARED(a, [(4)], float);"},
    {"static behind", "void f() { __shared__ static float a[4]; }", "NIBBLE_SIMT_SHARED(a, [(4)], float);"},
    {"volatile in front", "void f() { volatile __shared__ float a[4]; }", "NIBBLE_SIMT_SHARED(a, [(4)], volatile float);"},
    {"type in front", "void f() { float __shared__ a[4]; }", "NIBBLE_SIMT_SHARED(a, [(4)], float);"},
    {"pointer and value", "void f() { __shared__ float *p, v; }", "NIBBLE_SIMT_SHARED(p, , float *); NIBBLE_SIMT_SHARED(v, , float);"},
    {"struct in place", "void f() { __shared__ struct { int a, b; } s[2]; }", "using simt_struct_s = struct { int a, b; }; NIBBLE_SIMT_SHARED(s, [(2)], simt_struct_s);"},
    {"dynamic", "void f() { extern __shared__ float s[]; }", "NIBBLE_SIMT_DYNAMIC_SHARED(s, float);"},
    {"dynamic, aligned", "void f() { extern __shared__ __align__(16) unsigned char s[]; }", "NIBBLE_SIMT_DYNAMIC_SHARED(s, unsigned char);"},
    {"dynamic, aligned in front", "void f() { extern alignas(16) __shared__ float4 s[]; }", "NIBBLE_SIMT_DYNAMIC_SHARED(s, float4);"},
    {"dynamic, of the file", "extern __shared__ float s[];\nvoid f(float* x) { x[0] = s[1]; }", "void f(float* x) { NIBBLE_SIMT_DYNAMIC_SHARED(s, float); x[0] = s[1]; }"},
    {"dynamic, of the file, hidden by a parameter", "extern __shared__ float s[];\nint f(int s) { return s; }", "int f(int s) { return s; }"},
    {"dynamic, of the file, two and twice", "extern __shared__ int a[], b[];\nextern __shared__ int a[];\nvoid f() { a[0] = b[1]; }", "void f() { NIBBLE_SIMT_DYNAMIC_SHARED(a, int); NIBBLE_SIMT_DYNAMIC_SHARED(b, int); a[0]"},
    {"dynamic, of the file, in a lambda", "extern __shared__ float s[];\nvoid f() { auto g = [=](int i) { return s[i]; }; }", "[=, &s](int i)"},
    {"in a macro", "#define TILE(n) __shared__ float n[4]\n", "#define TILE(n) NIBBLE_SIMT_SHARED(n, [(4)], float)\n"},
    {"in a long macro", "#define TILE(n) __shared__ \\\n  float n[4];\n", "#define TILE(n) NIBBLE_SIMT_SHARED(n, [(4)], float); \\\n\n"},
    {"under another name", "#define SHARED __shared__\nvoid f() { SHARED float a[4]; }", "NIBBLE_SIMT_SHARED(a, [(4)], float);"},
    {"dynamic under another name", "#define SMEM __shared__\nvoid f() { extern SMEM float a[]; }", "NIBBLE_SIMT_DYNAMIC_SHARED(a, float);"},
    {"captured by copy", "void f() { { __shared__ int s[4]; auto f = [=](int i) { s[i] = 1; }; } }", "[=, &s](int i)"},
    {"captured by none", "void f() { { __shared__ int s, t; auto f = [] { s = t; }; } }", "[&s, &t] {"},
    {"captured by a list", "void f() { { __shared__ int s; int a; auto f = [a, &b] { s = a; }; } }", "[a, &b, &s] {"},
    {"captured by reference", "void f() { { __shared__ int s; auto f = [&] { s = 1; }; } }", "[&] { s = 1; }"},
    {"captured by lambdas in lambdas", "void f() { { __shared__ int s; auto f = [=] { return [=] { return s; }; }; } }", "[=, &s] { return [=, &s] {"},
    {"hidden by a parameter", "void f() { { __shared__ int s; auto f = [=](int s) { return s; }; } }", "[=](int s)"},
    {"a member of that name", "void f() { { __shared__ int s; auto f = [=] { return p->s + q.s; }; } }", "[=] {"},
    {"out of sight", "void f() { { { __shared__ int s; } auto f = [=] { return s; }; } }", "[=] {"},
    {"behind a label", "void f() { a: __shared__ float s; }", "a: NIBBLE_SIMT_SHARED(s, , float);"},
    {"of the file, in namespaces", "namespace a::b { namespace { extern \"C\" { __shared__ int n; } } }\nvoid f() { n = 1; }", "{ NIBBLE_SIMT_SHARED_OF_FILE(n, , int); } } }\nvoid f() { NIBBLE_SIMT_SHARED_HERE(n); n = 1; }"},
    {"of a function that looks like none", "EACH(1)\nvoid f() { __shared__ int n; n = 1; }", "{ NIBBLE_SIMT_SHARED(n, , int); n = 1; }"},
    {"of the file", "__shared__ S a[4], b;\nvoid f() { a[0] = b; }", "NIBBLE_SIMT_SHARED_OF_FILE(a, [(4)], S); NIBBLE_SIMT_SHARED_OF_FILE(b, , S);\nvoid f() { NIBBLE_SIMT_SHARED_HERE(a); NIBBLE_SIMT_SHARED_HERE(b); a[0] = b; }"},
};

const Case kNames[] = {
    {"a compiler's name", "int n = __builtin_popcount(x) + __builtin_popcountll(y);", "int n = __popc(x) + __popcll(y);"},
    {"a cast kernel", "cudaLaunchKernel((void*)k, g, b, args);", "cudaLaunchKernel(k, g, b, args);"},
    {"its address", "cudaLaunchKernel((const void *)&k, g, b, args);", "cudaLaunchKernel(k, g, b, args);"},
    {"in C++", "cudaLaunchKernel(reinterpret_cast<const void*>(&k), g, b, args);", "cudaLaunchKernel(k, g, b, args);"},
    {"of a template", "cudaLaunchCooperativeKernel(reinterpret_cast<void*>(k<int, 3>), g, b, args);", "cudaLaunchCooperativeKernel(k<int, 3>, g, b, args);"},
    {"another cast", "cudaLaunchKernel((Function)k, g, b, args);", "cudaLaunchKernel((Function)k, g, b, args);"},
};

const Case kVectors[] = {
    {"named members", "return char4{.x = f(a, b), .y = c, .z = 1, .w = 2};", "char4{ f(a, b), c, 1, 2}"},
    {"of a variable", "const float2 v{.x = a, .y = b};", "v{ a, b}"},
    {"of a variable, with =", "float2 v = {.x = a, .y = b};", "v = { a, b}"},
    {"some of them", "float4 v{.x = a};", "v{ a}"},
    {"not from the first on", "float4 v{.y = a};", "v{.y = a}"},
    {"in another order", "float4 v{.y = a, .x = b};", "v{.y = a, .x = b}"},
    {"another type", "Tile v{.x = a};", "v{.x = a}"},
    {"of three", "float3 v{.x = a};", "v{.x = a}"},
};

const Case kVariables[] = {
    {"device", "__device__ int n;", "__device__ int n; NIBBLE_SIMT_VARIABLE(n);"},
    {"constant", "__constant__ float c[4];", "__constant__ float c[4]; NIBBLE_SIMT_CONSTANT(c);"},
    {"managed", "__device__ __managed__ int n = 3;", "NIBBLE_SIMT_VARIABLE(n);"},
    {"static", "static __device__ int n;", "NIBBLE_SIMT_VARIABLE(n);"},
    {"words behind", "int __device__ n;", "NIBBLE_SIMT_VARIABLE(n);"},
    {"initialised", "__device__ int a[] = {1, 2};", "{1, 2}; NIBBLE_SIMT_VARIABLE(a);"},
    {"braces", "__device__ int a{1};", "{1}; NIBBLE_SIMT_VARIABLE(a);"},
    {"several", "__device__ int a[2] = {1, 2}, *b, c = f(1, 2), d;", "NIBBLE_SIMT_VARIABLE(a); NIBBLE_SIMT_VARIABLE(b); NIBBLE_SIMT_VARIABLE(c); NIBBLE_SIMT_VARIABLE(d);"},
    {"comma in the type", "__device__ Tile<int, 3> t;", "NIBBLE_SIMT_VARIABLE(t);"},
    {"comma in the value", "__device__ int t = F<A, 3>::v;", "v; NIBBLE_SIMT_VARIABLE(t);"},
    {"aligned", "__device__ __align__(16) float t[4];", "NIBBLE_SIMT_VARIABLE(t);"},
    {"in a namespace", "namespace a::b { __device__ int n; }", "NIBBLE_SIMT_VARIABLE(n); }"},
    {"in extern C", "extern \"C\" { __device__ int n; }", "NIBBLE_SIMT_VARIABLE(n); }"},
    {"of a class", "__device__ int S::n = 3;", "NIBBLE_SIMT_VARIABLE(S::n);"},
    {"type in place", "__device__ struct S { int a; } s;", "s; NIBBLE_SIMT_VARIABLE(s);"},
    {"of a struct", "__device__ struct S s;", "s; NIBBLE_SIMT_VARIABLE(s);"},
    {"of a qualified type", "__device__ nibble::Launch l = x;", "NIBBLE_SIMT_VARIABLE(l);"},
    {"after a function", "__device__ int f() { return 1; } __device__ int n;", "NIBBLE_SIMT_VARIABLE(n);"},
    {"after a macro", "NIBBLE_LAUNCH(k, .block_x = 1)\n__device__ int n;", "NIBBLE_SIMT_VARIABLE(n);"},
    {"constructed", "__device__ G g(3), h(-1);", "g(3), h(-1); NIBBLE_SIMT_VARIABLE(g); NIBBLE_SIMT_VARIABLE(h);"},
    {"among branches", "#if A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\n__device__ int n;", "NIBBLE_SIMT_VARIABLE(n);"},
};

const Case kNotVariables[] = {
    {"function", "__device__ int f(int a);", "__device__ int f(int a);"},
    {"defined function", "__device__ int f(int a) { int b; return b; }", "return b; }"},
    {"function with default", "__device__ int f(int a = 3);", "f(int a = 3);"},
    {"operator", "__device__ bool operator==(S a, S b) { return true; }", "return true; }"},
    {"extern", "extern __device__ int n;", "extern __device__ int n;"},
    {"member", "struct S { static __device__ int n; };", "int n; };"},
    {"member function", "struct S { __device__ int f() { return 1; } };", "return 1; } };"},
    {"constructor", "struct S { __device__ S() : a(1), b{2} {} int a, b; };", "{} int a, b; };"},
    {"template", "template <class T> __device__ T f(T a) { return a; }", "return a; }"},
    {"lambda", "void f() { g([=] __device__(int i) { return i; }); }", "return i; }); }"},
};

/// In a file of kernels alone: see inlined.hpp.
#define FIRST " NIBBLE_SIMT_LAMBDA_FIRST"
#define LAST " NIBBLE_SIMT_LAMBDA_LAST"
const Case kInlined[] = {
    {"lambda", "auto f = [](float4 v) { return v; };", "[](float4 v)" FIRST LAST " {"},
    {"lambda without parameters", "g([&] { return 1; });", "[&]()" FIRST LAST " {"},
    {"lambda with all words", "auto f = [=](int a) mutable noexcept(true) -> int { return a; };",
     "(int a)" FIRST " mutable noexcept(true)" LAST " -> int"},
    {"lambda of a template", "return []<class T, int (*F)(T)>(T a) { return a; };", "(T a)" FIRST LAST " {"},
    {"lambda in a capture", "auto f = [g = [](int a) { return a; }] { return g(1); };", "(int a)" FIRST LAST " { return a; }]()" FIRST LAST},
    {"an index", "a[i](b); f()[1] = 2; \"ab\"[i](1);", "a[i](b); f()[1] = 2; \"ab\"[i](1);"},
    {"a binding", "auto& [a, b](c); auto [d, e]{c}; const auto&& [f, g]{c};", "auto& [a, b](c); auto [d, e]{c}; const auto&& [f, g]{c};"},
    {"an attribute", "[[nodiscard]] __device__ int f(int a);", "[[nodiscard]] __device__ int f(int a);"},
    {"an array", "int* a[3]{}; int (*b)[3]; T<int[3]> c;", "int* a[3]{}; int (*b)[3]; T<int[3]> c;"},
    {"constexpr function", "constexpr float f(S a) { return a.x; }", "__device__ constexpr float f("},
    {"of a template", "template <class T> constexpr T f(T a) { return a; }", "template <class T> __device__ constexpr T f("},
    {"of a class", "struct S { constexpr S operator+(S o) const { return o; } };", "{ __device__ constexpr S operator+("},
    {"constexpr variable", "constexpr int a = f(1);", "constexpr int a = f(1);"},
    {"who calls itself", "__device__ int f(int n) { return n < 2 ? 1 : n * f(n - 1); }", "NIBBLE_SIMT_RECURSIVE int f("},
    {"an overload that calls another", "__device__ int f(float x) { return 1; }\n__device__ int f(float4 x) { return f(x.x); }", "__device__ int f(float4 x)"},
    {"both words", "__device__ constexpr int f() { return 1; }", "__device__ constexpr int f() { return 1; }"},
};
// clang-format on

class Inlined : public testing::TestWithParam<Case> {};

TEST_P(Inlined, WhereStructsGoByValue) {
  const Case& c = GetParam();
  const std::string text = rewrite(c.source, "a.cu", Dialect::kKernels).text;
  EXPECT_NE(without_blanks(text).find(without_blanks(c.wanted)), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(All, Inlined, testing::ValuesIn(kInlined));

class Spelling : public testing::TestWithParam<Case> {};

TEST_P(Spelling, BecomesCpp) {
  const Case& c = GetParam();
  const Rewritten result = rewrite(c.source, "a.cu", Dialect::kHostAndKernels);
  EXPECT_TRUE(result.complaints.empty()) << result.complaints.front().message;
  EXPECT_NE(without_blanks(result.text).find(without_blanks(c.wanted)), std::string::npos)
      << result.text;
}

INSTANTIATE_TEST_SUITE_P(Launch, Spelling, testing::ValuesIn(kLaunches));
INSTANTIATE_TEST_SUITE_P(Names, Spelling, testing::ValuesIn(kNames));
INSTANTIATE_TEST_SUITE_P(Vectors, Spelling, testing::ValuesIn(kVectors));
INSTANTIATE_TEST_SUITE_P(Shared, Spelling, testing::ValuesIn(kShared));
INSTANTIATE_TEST_SUITE_P(Variable, Spelling, testing::ValuesIn(kVariables));
INSTANTIATE_TEST_SUITE_P(NoVariable, Spelling, testing::ValuesIn(kNotVariables));

class NoVariable : public testing::TestWithParam<Case> {};

TEST_P(NoVariable, IsNotRegistered) {
  const Rewritten result = rewrite(GetParam().source, "a.cu", Dialect::kHostAndKernels);
  EXPECT_EQ(result.text.find("NIBBLE_SIMT_VARIABLE"), std::string::npos) << result.text;
}

INSTANTIATE_TEST_SUITE_P(All, NoVariable, testing::ValuesIn(kNotVariables));

TEST(Prologue, NamesTheFile) {
  const Rewritten result = rewrite("int a;\n", "a \"b\".cu", Dialect::kHostAndKernels);
  EXPECT_EQ(
      result.text,
      "#include \"nibble/simt.hpp\"\n#define __CUDACC__ 1\n#line 1 \"a \\\"b\\\".cu\"\nint a;\n");
}

TEST(Prologue, SaysThatKernelsAreDeviceCode) {
  const Rewritten result = rewrite("int a;\n", "a.cu", Dialect::kKernels);
  EXPECT_NE(result.text.find("#define __CUDA_ARCH__ 800\n"), std::string::npos) << result.text;
}

TEST(Prologue, DropsTheByteOrderMark) {
  const Rewritten result = rewrite("\xEF\xBB\xBFint a;\n", "a.cu", Dialect::kHostAndKernels);
  EXPECT_TRUE(result.text.ends_with("\"\nint a;\n")) << result.text;
}

TEST(Text, StaysAsItIsWithoutCuda) {
  const std::string source =
      "// a comment \\\n goes on\nint a = 1'000; /* <<< */ auto s = R\"(\n__shared__ int a;\n)\";\n"
      "#define X \"__shared__\" \\\n  'a'\nconst char c = '\\'';\n";
  const Rewritten result = rewrite(source, "a.cu", Dialect::kHostAndKernels);
  EXPECT_TRUE(result.text.ends_with("\n" + source)) << result.text;
}

// --- Lines ---------------------------------------------------------------------------------------

TEST(Lines, AreKept) {
  const std::string source =
      "__global__ void k(int* p) {\n  __shared__ alignas(16)\n      float a[4],\n      b;\n"
      "  extern __shared__\n  int s[];\n}\nvoid f() {\n  k\n    <<<1,\n       32>>>\n    (p);\n}\n";
  const Rewritten result = rewrite(source, "a.cu", Dialect::kHostAndKernels);
  ASSERT_TRUE(result.complaints.empty());
  EXPECT_EQ(std::ranges::count(result.text, '\n'), std::ranges::count(source, '\n') + 3)
      << result.text;
}

// --- What cannot be rewritten --------------------------------------------------------------------

struct Wrong {
  const char* source;
  int line, column;
  const char* said;
};

void PrintTo(const Wrong& c, std::ostream* out) { *out << c.source; }

// clang-format off
const Wrong kWrong[] = {
    {"void f() {\n  k<<<1, 32;\n}", 2, 4, "not closed"},
    {"k<<<1, 32>>>;", 1, 2, "not closed"},
    {"k<<<1, <<<2>>>(a)", 1, 2, "not closed"},
    {"(k<<<1, 2) >>>(a)", 1, 3, "not closed"},
    {"<<<1, 32>>>(a);", 1, 1, "name of a kernel"},
    {"= <<<1, 32>>>(a);", 1, 3, "name of a kernel"},
    {"__shared__ int a = 3;", 1, 18, "without a value"},
    {"__shared__ int a{};", 1, 17, "without a value"},
    {"__shared__ int a[2] = {1, 2};", 1, 21, "without a value"},
    {"__shared__ int (*a)[3];", 1, 16, "cannot be read"},
    {"{ __shared__ int a; auto f = [&a] { a = 1; }; }", 1, 30, "without capturing it"},
    {"{ __shared__ int a; auto f = [=, a] { return a; }; }", 1, 30, "without capturing it"},
    {"__shared__ int a", 1, 16, "no end"},
    {"__shared__ int a[2] b;", 1, 21, "no end"},
    {"template <class T> __device__ T zero;", 1, 33, "template"},
    {"struct S {\n  inline static __device__ int n = 1;\n};", 2, 32, "class"},
    {"void f() {\n  asm(\"bar.red.popc.u32 0;\");\n}", 2, 3, "inline PTX"},
    {"int a;\n/* never closed", 2, 1, "never closed"},
    {std::data("int a;\rint b;"), 1, 7, "carriage return"},
};
// clang-format on

class Refused : public testing::TestWithParam<Wrong> {};

TEST_P(Refused, SaysWhereAndWhy) {
  const Wrong& c = GetParam();
  const Rewritten result = rewrite(c.source, "a.cu", Dialect::kHostAndKernels);
  ASSERT_FALSE(result.complaints.empty()) << result.text;
  const Complaint& first = result.complaints.front();
  EXPECT_NE(first.message.find(c.said), std::string::npos) << first.message;
  EXPECT_EQ(first.line, c.line) << first.message;
  EXPECT_EQ(first.column, c.column) << first.message;
}

INSTANTIATE_TEST_SUITE_P(All, Refused, testing::ValuesIn(kWrong));

TEST(Ptx, IsLeftToTheCompilerBetweenConditions) {
  const Rewritten result =
      rewrite("#ifdef __CUDA_ARCH__\nasm(\"x\");\n#endif\n", "a.cu", Dialect::kHostAndKernels);
  EXPECT_TRUE(result.complaints.empty());
}

}  // namespace
}  // namespace nibble::simt
