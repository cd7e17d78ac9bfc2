// Objects as the compilers here make them, each with one thing that should not be there; and
// damaged ones.
#include "simt/rewriter/object_check.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "compilers.hpp"

namespace nibble::simt {
namespace {

std::vector<std::byte> bytes_of(const std::string& text) {
  std::vector<std::byte> bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

const std::vector<std::string> kEngine = {"_ZN6nibble4simt11shared_slotEPNS0_10SharedDeclE",
                                          "_ZN6nibble4simt6finishEv",
                                          "_Z6__dp4aiii",
                                          "_Z6__popcj",
                                          "threadIdx",
                                          "__syncthreads",
                                          "cudaMalloc",
                                          "_Z8cudaFreePv",
                                          "_ZN6nibble4simt13launch_queuedEv",
                                          "__tsan_write4"};
const std::vector<std::string> kKernels = {"kernel"};

ObjectRules rules() { return rules_for_kernels(kEngine, kKernels); }

struct Compiled {
  std::vector<std::byte> object;
  std::vector<std::string> complaints;
};

Compiled compile(const Compiler& compiler, const std::string& source, const std::string& flags) {
  const Scratch scratch;
  const std::string file = scratch.write("learner.cpp", source), object = scratch.path("learner.o");
  const Outcome outcome = run(compiler.path + flags + " -w -c " + file + " -o " + object);
  EXPECT_EQ(outcome.status, 0) << outcome.said;
  Compiled result{bytes_of(read(object)), {}};
  result.complaints = check_object(result.object, rules());
  return result;
}

constexpr const char* kClean = R"(
#include <cmath>
#include <cstdint>
#include "nibble/simt.hpp"
namespace { __device__ int counter; NIBBLE_SIMT_VARIABLE(counter);
__constant__ float table[2] = {1, 2}; NIBBLE_SIMT_CONSTANT(table); }
struct Launch { unsigned a; };
extern "C" { extern const Launch nibble_launch_kernel; constexpr Launch nibble_launch_kernel{3}; }
template <class T> T twice(T a) { static const int k = 2; return a * k; }
struct S { int a[20]; };
extern "C" __global__ void kernel(const float* x, std::int8_t* q, int n) {
  S s{}, t = s;
  if (n > 0) q[threadIdx.x % 3] = std::int8_t(std::rint(std::fmin(x[0], table[1]))) + twice(n) + t.a[n];
  counter = __dp4a(n, n, n) + __popc(unsigned(n));
  __syncthreads();
}
)";

TEST(Object, OfAnHonestKernelIsClean) {
  for (const Compiler& compiler : compilers()) {
    for (const std::string& flags : {compiler.check_flags, std::string(kLanguage) + " -O2"}) {
      const Scratch scratch;
      const std::string file = scratch.write("learner.cpp", kClean), object = scratch.path("a.o");
      const Outcome outcome = run(compiler.path + flags + " -c " + file + " -o " + object +
                                  " && objcopy --redefine-sym memcpy=nibble_simt_memcpy "
                                  "--redefine-sym memset=nibble_simt_memset " +
                                  object);
      ASSERT_EQ(outcome.status, 0) << outcome.said;
      for (const std::string& complaint : check_object(bytes_of(read(object)), rules())) {
        ADD_FAILURE() << compiler.path << ": " << complaint;
      }
    }
  }
}

struct Dirty {
  const char* what;
  const char* source;
  const char* said;
};

void PrintTo(const Dirty& c, std::ostream* out) { *out << c.what; }

// clang-format off
const Dirty kDirty[] = {
    {"CallsTheSystem", "extern \"C\" int system(const char*); extern \"C\" void kernel() { system(\"ls\"); }", "`system` is used"},
    {"Allocates", "extern \"C\" void kernel(int** p) { *p = new int; }", "`operator new(unsigned long)` is used"},
    {"Throws", "extern \"C\" void kernel() { throw 1; }", "`__cxa_throw` is used"},
    {"RunsTheSession", "namespace nibble::simt { void finish(); } extern \"C\" void kernel() { nibble::simt::finish(); }", "`nibble::simt::finish()` is used"},
    {"CallsTheHostApi", "extern \"C\" int cudaMalloc(void**, unsigned long); extern \"C\" void kernel() { cudaMalloc(0, 1); }", "`cudaMalloc` is used"},
    {"CallsTheEnginesRuntime", "void cudaFree(void*); extern \"C\" void kernel() { cudaFree(0); }", "`cudaFree(void*)` is used"},
    {"Launches", "namespace nibble::simt { void launch_queued(); } extern \"C\" void kernel() { nibble::simt::launch_queued(); }", "launch_queued()` is used"},
    {"CopiesUnseen", "extern \"C\" void* memmove(void*, const void*, unsigned long); extern \"C\" void kernel(int* p, long n) { memmove(p, p + 1, n); }", "`memmove` is used"},
    {"AnswersForMemcpy", "extern \"C\" void* memcpy(void* a, const void*, unsigned long) { return a; }", "`memcpy` is defined here"},
    {"AnswersWeaklyForMalloc", "extern \"C\" __attribute__((weak)) void* malloc(unsigned long) { return 0; }", "`malloc` is defined here"},
    {"AnswersForMain", "extern \"C\" int __libc_start_main() { return 0; }", "`__libc_start_main` is defined here"},
    {"AnswersForAHook", "extern \"C\" void __tsan_write4(void*) {}", "`__tsan_write4` is defined here"},
    {"AnswersForTheEngine", "namespace nibble::simt { int finish() { return 0; } }", "`nibble::simt::finish()` is defined here"},
    {"AddsToTheEngine", "namespace nibble::simt { int anything() { return 0; } }", "`nibble::simt::anything()` is defined here"},
    {"AnswersForNew", "void* operator new(unsigned long) { return 0; }", "`operator new(unsigned long)` is defined here"},
    {"SpecializesTheLibrary", "#include <algorithm>\ntemplate <> const int& std::min<int>(const int& a, const int&) { return a; }", "std::min<int>"},
    {"IsAnotherKernel", "extern \"C\" void other() {}", "`other` is defined here, and is no kernel"},
    {"InitializesAtRunTime", "int f(); static int n = f(); extern \"C\" int kernel() { return n; }", "before main (.init_array"},
    {"HasAConstructor", "__attribute__((constructor)) static void f() {}", "before main (.init_array"},
    {"HasAnEarlyConstructor", "__attribute__((constructor(101))) static void f() {}", "before main (.init_array"},
    {"HasADestructor", "__attribute__((destructor)) static void f() {}", "before main (.fini_array"},
    {"NamesAnInitSection", "__attribute__((section(\".init\"))) void f() {}", "before main (.init)"},
    {"NamesACtorsSection", "__attribute__((section(\".ctors\"), used)) static void* p = nullptr;", "before main (.ctors)"},
    {"NamesAPreinitSection", "void f(); __attribute__((section(\".preinit_array\"), used)) static void (*p)() = f;", "before main (.preinit_array)"},
    {"HasCodeElsewhere", "__attribute__((section(\"elsewhere\"))) void f() {}", "section of its own, elsewhere"},
    {"HasWritableCode", "asm(\".section wx, \\\"awx\\\"\\n.byte 195\\n.text\");", "section of its own, wx"},
    {"WantsAnExecutableStack", "asm(\".section .note.GNU-stack,\\\"x\\\",@progbits\\n.text\");", "a stack that runs code"},
    {"ChoosesAtLoadTime", "extern \"C\" void* choose() { return 0; } __attribute__((ifunc(\"choose\"))) void f();", "chosen while the program is loaded"},
    {"HasThreadLocals", "thread_local int n; extern \"C\" int* kernel() { return &n; }", "thread_local"},
    {"GuardsAStatic", "int f(); extern \"C\" int kernel() { static int n = f(); return n; }", "is used"},
    {"NamesAnAddress", "asm(\".globl fixed\\n.set fixed, 4096\");", "`fixed` is an address"},
};
// clang-format on

class Dirt : public testing::TestWithParam<Dirty> {};

TEST_P(Dirt, IsSeen) {
  for (const Compiler& compiler : compilers()) {
    if (compiler.is_clang && GetParam().what == std::string("WantsAnExecutableStack")) continue;
    const Compiled compiled = compile(compiler, GetParam().source, compiler.check_flags);
    std::string said;
    for (const std::string& complaint : compiled.complaints) said += complaint + "\n";
    EXPECT_NE(said.find(GetParam().said), std::string::npos) << compiler.path << " got:\n" << said;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Dirt, testing::ValuesIn(kDirty),
                         [](const auto& info) { return std::string(info.param.what); });

// ---- host code

std::vector<std::string> complaints_about_host_code(const Compiler& compiler,
                                                    const std::string& source) {
  const Scratch scratch;
  const std::string file = scratch.write("learner.cpp", source), object = scratch.path("learner.o");
  const std::vector<std::string> functions{"_ZN6nibble4workE*"};
  const Outcome outcome =
      run(compiler.path + compiler.check_flags + " -w -c " + file + " -o " + object);
  EXPECT_EQ(outcome.status, 0) << outcome.said;
  return check_object(bytes_of(read(object)), rules_for_host_code(kEngine, functions));
}

TEST(HostObject, MayUseTheRuntimeAndTheLibrary) {
  for (const Compiler& compiler : compilers()) {
    const auto complaints = complaints_about_host_code(compiler, R"(
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
void cudaFree(void*);
namespace nibble::simt { void launch_queued(); }
namespace nibble {
int work(const std::vector<float>& x) {
  if (x.empty()) throw std::invalid_argument("expected values, got " + std::to_string(x.size()));
  const std::unique_ptr<float, void (*)(void*)> held(new float, cudaFree);
  std::vector<float> y(x.size());
  std::copy(x.begin(), x.end(), y.begin());
  simt::launch_queued();
  return int(y.size());
}
})");
    for (const std::string& complaint : complaints) ADD_FAILURE() << compiler.path << complaint;
  }
}

TEST(HostObject, MayUseNothingElse) {
  const Dirty kHostDirt[] = {
      {"", "extern \"C\" int system(const char*); int f() { return system(\"ls\"); }",
       "`system` is used, which no lab needs"},
      {"", "namespace nibble::simt { void finish(); } void f() { nibble::simt::finish(); }",
       "`nibble::simt::finish()` is used"},
      {"", "#include <iostream>\nvoid f() { std::cout << 1; }", "before main"},
      {"", "void cudaFree(void*) {}", "belongs to somebody else"},
  };
  for (const Compiler& compiler : compilers()) {
    for (const Dirty& dirty : kHostDirt) {
      std::string said;
      for (const std::string& complaint : complaints_about_host_code(compiler, dirty.source)) {
        said += complaint + "\n";
      }
      EXPECT_NE(said.find(dirty.said), std::string::npos) << compiler.path << " got:\n" << said;
    }
  }
}

TEST(Symbols, AreThoseOthersCanSee) {
  const Compiled compiled = compile(compilers().front(),
                                    "int a; static int b; extern int c; void f() { c = b; } "
                                    "extern \"C\" void g() { f(); }",
                                    " -O0");
  EXPECT_EQ(defined_symbols(compiled.object), (std::vector<std::string>{"_Z1fv", "a", "g"}));
}

TEST(Bytes, ThatAreNoObjectAreRefused) {
  for (const std::string text : {"", "x",
                                 "\x7f"
                                 "ELF",
                                 "int a;"}) {
    EXPECT_EQ(check_object(bytes_of(text), rules()).size(), 1u);
    EXPECT_TRUE(defined_symbols(bytes_of(text)).empty());
  }
}

TEST(Bytes, CutOffOrChangedDoNoHarm) {
  const std::vector<std::byte> whole =
      compile(compilers().front(), kClean, compilers().front().check_flags).object;
  ASSERT_GT(whole.size(), 1000u);
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    check_object(std::span(whole).first(size), rules());
  }
  std::mt19937 dice(1);
  const std::size_t tables = whole.size() - whole.size() / 3;
  for (int round = 0; round < 4000; round++) {
    std::vector<std::byte> changed = whole;
    for (unsigned i = 1 + dice() % 8; i > 0; i--) {
      // The header and the section table at the end decide most.
      const std::size_t at = round % 3 == 0   ? dice() % 64
                             : round % 3 == 1 ? tables + dice() % (whole.size() - tables)
                                              : dice() % whole.size();
      changed[at] = static_cast<std::byte>(dice() % 2 == 0 ? 0xFF : dice());
    }
    check_object(changed, rules());
    defined_symbols(changed);
  }
}

}  // namespace
}  // namespace nibble::simt
