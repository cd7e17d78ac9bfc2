// Inline PTX: what becomes of it, what is said about the rest, and that none of it is left.
#include <gtest/gtest.h>

#include <string>

#include "simt/rewriter/rewrite.hpp"

namespace nibble::simt {
namespace {

struct Case {
  const char* statement;
  const char* wanted;  ///< in the result, or in the sentence
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.statement; }

Rewritten rewritten(const std::string& statement) {
  return rewrite("__device__ void f() { " + statement + " }\n", "a.cu", Dialect::kKernels);
}

bool has_asm(const std::string& text) { return text.find("asm") != std::string::npos; }

// clang-format off
#define CALL "::nibble::simt::ptx::"
const Case kUnderstood[] = {
    {R"(asm volatile("bar.sync 0;" ::: "memory");)", "{ " CALL "bar_sync(0u); }"},
    {R"(asm("mov.u32 %0, %%laneid;" : "=r"(lane));)", "nibble_simt_0 = " CALL "laneid();"},
    {R"(asm("mov.u32 %0, %%tid.x;" : "=r"(x));)", CALL "tid_x();"},
    {R"(__asm__ __volatile__("activemask.b32 %0;\n\t" : "=r"(x));)", CALL "activemask_b32();"},
    {R"(asm("dp4a.s32.u32 %0, %1, -1, %0;" : "+r"(x) : "r"(a[i++])); )", CALL "dp4a_s32_u32(nibble_simt_1, 4294967295u, nibble_simt_0);"},
    {R"(asm("add.u32 %0, %1, 0x10; " "mul.lo.u32 %0, %0, 010;" : "=r"(x) : "r"(f(a, b)));)", CALL "mul_lo_u32(nibble_simt_0, 8u);"},
    {R"(asm("fma.rn.f32 %0, %1, 0f3F800000, %0;" : "+f"(x) : "f"(y));)", CALL "fma_rn_f32(nibble_simt_1, " CALL "number(1065353216u), nibble_simt_0);"},
    {R"(asm("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;" :: "r"(a), "l"(b), "n"(16));)", CALL "cp_async_cg_shared_global<nibble_simt_2>(nibble_simt_0, nibble_simt_1);"},
    {R"(asm("cp.async.wait_group 1;");)", CALL "cp_async_wait_group<1ull>();"},
    {R"(asm("ld.global.nc.L1::no_allocate.v2.f32 {%0, %1}, [%2+8];" : "=f"(x), "=f"(y) : "l"(p));)", CALL "ld_global_v2_f32(nibble_simt_to_0, nibble_simt_to_1, nibble_simt_2 + 8ull);"},
    {R"(asm("st.shared::cta.u8 [%0], %1;" :: "r"(a), "h"(b));)", CALL "st_shared_u8(nibble_simt_0, static_cast<unsigned>(nibble_simt_1));"},
    {R"(asm("{ .reg .pred p; setp.lt.s32 p, %1, 3; @!p mov.b32 %0, %1; }" : "+r"(x) : "r"(y));)", "if (!nibble_simt_local_0) { nibble_simt_0 ="},
    {R"(asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(x) : "l"(p));)", CALL "cvt_u32_u64(nibble_simt_local_0);"},
    {R"(asm("mov.b32 {%0, %1}, %2;" : "=h"(x), "=h"(y) : "r"(z));)", CALL "mov_b32(nibble_simt_to_0, nibble_simt_to_1, nibble_simt_2);"},
    {R"(asm("lop3.b32 %0, %1, %1, %1, 0x3c;" : "=r"(x) : "r"(y));)", CALL "lop3_b32<60ull>("},
    {"if (a) asm(\"bar.sync 0;\"); else b();", "if (a) { " CALL "bar_sync(0u); } else b();"},
};

const Case kRefused[] = {
    {R"(asm("wgmma.mma_async.sync;");)", "`wgmma.mma_async.sync` of inline PTX does not run here: the tensor cores here have mma.sync"},
    {R"(asm("atom.global.add.u32 %0, [%1], 1;" : "=r"(x) : "l"(p));)", "atomicAdd() and its kin"},
    {R"(asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0}, {%0}, {%0}, {%0};" : "+f"(x));)", "mma.sync runs with m16n8k16"},
    {R"(asm("mov.u32 %0, %%smid;" : "=r"(x));)", "`%smid` of inline PTX does not run here"},
    {R"(asm("mov.u32 %0, %laneid;" : "=r"(x));)", "have two, like %%laneid"},
    {R"(asm("frobnicate.b32;");)", "use the CUDA function of the same effect"},
    {R"(asm("add.u32 %0, %1, %2;" : "=r"(x) : "r"(y));)", "%2 is no operand of this inline PTX: it has 2"},
    {R"(asm("add.u32 %0, %1, 1;" : "=r"(x) : "f"(y));)", "argument 2 of `add.u32` in inline PTX has to be an integer of 32 bits, \"r\""},
    {R"(asm("add.u32 %0, %0, 1;" : "=r"(x));)", "%0 of this inline PTX is read before it is written"},
    {R"(asm("add.u32 %1, %0, 1;" : "=r"(x) : "r"(y));)", "%0 of this inline PTX is read before"},
    {R"(asm("add.u32 %1, %1, 1;" : "=r"(x) : "r"(y));)", "writes to %1, which is an input"},
    {R"(asm("add.u32 %0, %1;" : "=r"(x) : "r"(y));)", "does not have 2 arguments here"},
    {R"(asm("bar.sync 0" ::: "memory");)", "ends in `;`"},
    {R"(asm("bar.sync 0; // all" ::: "memory");)", "cannot be read at `// all`"},
    {R"(asm("ld.shared.u32 %0, %1;" : "=r"(x) : "r"(y));)", "argument 2 of `ld.shared.u32` in inline PTX has to be an address of shared memory"},
    {R"(asm("ld.global.u32 %0, [%1];" : "=r"(x) : "r"(y));)", "an address of global memory in brackets, [%0] of \"l\""},
    {R"(asm("cp.async.ca.shared.global [%0], [%1], %2;" :: "r"(a), "l"(b), "r"(c));)", "a constant, written out or \"n\""},
    {R"(asm("bar.sync 0;" : "r"(x));)", "an output of inline PTX says"},
    {R"(asm("bar.sync 0;" :: "=r"(x));)", "an input of inline PTX has no"},
    {R"(asm("bar.sync 0;" :: "m"(x));)", "not \"m\""},
    {R"(asm("bar.sync 0;" :: "0"(x));)", "not \"0\""},
    {R"(asm("bar.sync 0;" ::: "rax");)", "\"memory\" alone"},
    {R"(asm("bar.sync 0;" : : : : "x");)", "cannot be read: write asm"},
    {R"(asm(TEXT : "=r"(x));)", "cannot be read: write asm"},
    {R"(asm(u8"bar.sync 0;");)", "cannot be read: write asm"},
    {R"(asm goto("bar.sync 0;");)", "cannot be read: write asm"},
    {R"(asm("bar.sync\x20 0;");)", "\\n and \\t"},
    {R"(asm("{ bar.sync 0;");)", "is not closed"},
    {R"(asm("} bar.sync 0;");)", "closes nothing"},
    {R"(asm("@p bar.sync 0;");)", "`p` is no register of this inline PTX"},
    {R"(asm(".reg .f16 a;");)", "not .f16"},
    {R"(asm("mov.u32 %0, 99999999999999999999;" : "=r"(x));)", "cannot be read at"},
    {"asm;", "inline PTX"},
    {"asm", "inline PTX"},
};

// Another edit takes these words along as they are, or they stand where no statement does.
const Case kKept[] = {
    {R"(__shared__ int a[([] { asm("bar.sync 0;"); return 4; })()];)", "inline PTX"},
    {"\n#define A asm\n", "inline PTX"},
    {"\n#define A(X) asm(X)\n", "inline PTX"},
};
// clang-format on

class Understood : public testing::TestWithParam<Case> {};

TEST_P(Understood, BecomesACall) {
  const Rewritten result = rewritten(GetParam().statement);
  EXPECT_TRUE(result.complaints.empty()) << result.complaints.front().message;
  EXPECT_NE(result.text.find(GetParam().wanted), std::string::npos) << result.text;
  EXPECT_FALSE(has_asm(result.text)) << result.text;
}

INSTANTIATE_TEST_SUITE_P(All, Understood, testing::ValuesIn(kUnderstood));

class RefusedPtx : public testing::TestWithParam<Case> {};

TEST_P(RefusedPtx, SaysWhy) {
  const Rewritten result = rewritten(GetParam().statement);
  ASSERT_FALSE(result.complaints.empty()) << result.text;
  const std::string& message = result.complaints.front().message;
  EXPECT_NE(message.find(GetParam().wanted), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(All, RefusedPtx, testing::ValuesIn(kRefused));
INSTANTIATE_TEST_SUITE_P(Kept, RefusedPtx, testing::ValuesIn(kKept));

TEST(Ptx, KeepsOperandsAndTheirRules) {
  const Rewritten result =
      rewritten(R"(asm("bar.sync %0;" :: "r"([](float4 v) { return 0; }(v)));)");
  EXPECT_TRUE(result.complaints.empty());
  EXPECT_NE(result.text.find("NIBBLE_SIMT_LAMBDA_FIRST"), std::string::npos) << result.text;
  EXPECT_EQ(rewritten(R"(asm("bar.sync %0;" :: "r"(nibble::simt::finish()));)").complaints.size(),
            1u);
  const Rewritten nested =
      rewritten(R"(asm("bar.sync %0;" :: "r"([] { asm("bar.sync 0;"); return 0; }()));)");
  EXPECT_TRUE(nested.complaints.empty());
  EXPECT_FALSE(has_asm(nested.text)) << nested.text;
}

TEST(Ptx, IsUnderstoodInMacros) {
  const Rewritten result = rewrite(
      "#define WAIT(N) \\\n  asm volatile(\"cp.async.wait_group %0;\" \\\n    :: \"n\"(N))\n",
      "a.cu", Dialect::kKernels);
  EXPECT_TRUE(result.complaints.empty());
  EXPECT_NE(result.text.find("} while (false)"), std::string::npos) << result.text;
  EXPECT_FALSE(has_asm(result.text)) << result.text;
}

TEST(Ptx, OfAWholeProgramIsLeftToTheCompilerBetweenConditions) {
  const Rewritten result =
      rewrite("#ifdef __CUDA_ARCH__\nvoid f() { asm(\"x;\"); asm(\"bar.sync 0;\"); }\n#endif\n",
              "a.cu", Dialect::kHostAndKernels);
  EXPECT_TRUE(result.complaints.empty());
  EXPECT_NE(result.text.find("NIBBLE_SIMT_CANNOT_RUN_INLINE_PTX(\"x;\")"), std::string::npos);
  EXPECT_NE(result.text.find("bar_sync(0u)"), std::string::npos) << result.text;
}

}  // namespace
}  // namespace nibble::simt
