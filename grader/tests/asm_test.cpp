// What `nibble asm` reads out of machine code: on recorded listings, then the command itself.
#include <gtest/gtest.h>

#include <fstream>

#include "cli/trouble.hpp"
#include "learners_project.hpp"
#include "report/asm_screen.hpp"

namespace nibble::report {
namespace {

// --- Recorded listings: g++ 12.2, objdump 2.40 ---------------------------------------------------

/// Three dot products at once; one operand of the last is a number for all lanes.
constexpr const char* kAvx512 = R"(
k.o:     file format elf64-x86-64


Disassembly of section .text:

0000000000000000 <nibble::zmm(unsigned char const*, signed char const*, int*, int)>:
   0:	test   ecx,ecx
   2:	jle    98 <nibble::zmm(unsigned char const*, signed char const*, int*, int)+0x98>
   8:	mov    r8d,ecx
   b:	vpxor  xmm5,xmm5,xmm5
  21:	movsxd r8,r8d
  24:	lea    r9,[rsi+r8*1]
  2b:	nop    DWORD PTR [rax+rax*1+0x0]
  30:	vmovdqu32 zmm7,ZMMWORD PTR [rdi+rax*1]
  37:	vpbroadcastd zmm6,DWORD PTR [r8+rax*1]
  50:	vpdpbusd zmm0,zmm7,ZMMWORD PTR [rsi+rax*1]
  57:	vpdpbusd zmm2,zmm7,ZMMWORD PTR [r9+rax*1]
  5e:	add    rax,0x40
  62:	vpdpbusd zmm1,zmm7,zmm6
  7a:	cmp    ecx,eax
  7c:	jg     30 <nibble::zmm(unsigned char const*, signed char const*, int*, int)+0x30>
  7e:	vpaddd zmm0,zmm0,zmm2
  8a:	vmovdqu64 ZMMWORD PTR [rdx],zmm0
  90:	vzeroupper
  93:	ret
)";

/// Two loops around one of scalar code; the exercise calls it, and jumps to a rare part.
constexpr const char* kScalar = R"(
child:     file format elf64-x86-64

Disassembly of section .text:

0000000000001100 <nibble::(anonymous namespace)::rare(int) [clone .cold]>:
    1100:	lea    rsi,[rip+0x2f]        # 4000 <typeinfo for std::invalid_argument>
    1107:	call   1020 <__cxa_throw@plt>
    110c:	jmp    1100 <nibble::(anonymous namespace)::rare(int) [clone .cold]>

0000000000001130 <nibble::(anonymous namespace)::product<signed char>(signed char const*, int) [clone .isra.0]>:
    1130:	xor    r9d,r9d
    1133:	xor    eax,eax
    1135:	movsx  edx,BYTE PTR [rdi+rax*1]
    1139:	movsx  r8d,BYTE PTR [rsi+rax*1]
    113e:	mov    r10,QWORD PTR [rsp+0x8]
    1143:	imul   edx,r8d
    1147:	add    ecx,edx
    1149:	add    rax,0x1
    114d:	cmp    rbx,rax
    1150:	jne    1135 <nibble::(anonymous namespace)::product<signed char>(signed char const*, int) [clone .isra.0]+0x5>
    1152:	add    r9d,0x1
    1156:	cmp    r9d,r11d
    1159:	jne    1133 <nibble::(anonymous namespace)::product<signed char>(signed char const*, int) [clone .isra.0]+0x3>
    115b:	ret

0000000000001160 <nibble::multiply(std::span<signed char const, 18446744073709551615ul>, int)>:
    1160:	push   rbp
    1161:	test   rdi,rdi
    1164:	je     1100 <nibble::(anonymous namespace)::rare(int) [clone .cold]>
    116a:	bnd call 1130 <nibble::(anonymous namespace)::product<signed char>(signed char const*, int) [clone .isra.0]>
    116f:	ret

0000000000001170 <nibble::not_yet(int)>:
    1170:	lea    rdx,[rip+0x2e89]        # 4010 <typeinfo for nibble::NotImplemented>
    1175:	call   1020 <__cxa_throw@plt>
    1177:	call   1030 <std::string::_M_dispose()@plt>
    1179:	call   1040 <_Unwind_Resume@plt>
    117b:	mov    rbx,rax
    117d:	jmp    1177 <nibble::not_yet(int)+0x7>

0000000000001180 <nibble::chosen(int)>:
    1180:	mov    rax,QWORD PTR [rdi]
    1183:	call   QWORD PTR [rax+0x10]
    1186:	lea    rsi,[rip+0x3]        # 1190 <nibble::by_address(int)>
    118d:	ret

0000000000001190 <nibble::by_address(int)>:
    1190:	{vex} vpdpbusd ymm1,ymm0,YMMWORD PTR [rdi]
    1197:	vmovdqa YMMWORD PTR [rbp-0x30],ymm1
    119d:	call   1020 <memcpy@plt>
    11a2:	dec    rcx
    11a5:	jne    1190 <nibble::by_address(int)>
    11a7:	ret
)";

constexpr const char* kArm = R"(
n.o:     file format elf64-littleaarch64


Disassembly of section .text:

0000000000000000 <nibble::dot(signed char const*, signed char const*, int)>:
   0:	cmp	w2, #0x0
   4:	b.le	54 <nibble::dot(signed char const*, signed char const*, int)+0x54>
   8:	movi	v0.4s, #0x0
  14:	mov	x3, #0x0                   	// #0
  20:	ldr	q2, [x0, x3]
  24:	ldr	q3, [x1, x3]
  28:	sdot	v1.4s, v2.16b, v3.16b
  2c:	ldr	q2, [x5, x3]
  30:	ldr	q3, [sp, #32]
  34:	sdot	v0.4s, v2.16b, v3.16b
  38:	add	x3, x3, #0x20
  3c:	cmp	w2, w3
  40:	b.ne	20 <nibble::dot(signed char const*, signed char const*, int)+0x20>  // b.any
  44:	add	v0.4s, v0.4s, v1.4s
  50:	ret
)";

HotLoop hot_loop(const Disassembly& listing, const std::string& name) {
  const auto roots = functions_called(listing, name);
  EXPECT_EQ(roots.size(), 1u) << name;
  return find_hot_loop(listing, roots);
}

std::string shown(const char* text, const std::string& name, bool whole = false) {
  const Disassembly listing = read_disassembly(text);
  return hot_loop_text(listing, hot_loop(listing, name), "14." + name, whole, Paint{});
}

// --- Reading -------------------------------------------------------------------------------------

TEST(Disassembly, IsReadLineByLine) {
  const Disassembly listing = read_disassembly(kScalar);
  EXPECT_EQ(listing.processor, Processor::kX86);
  ASSERT_EQ(listing.functions.size(), 6u);
  const Function& multiply = listing.functions[2];
  ASSERT_EQ(multiply.code.size(), 5u);
  const Instruction& call = multiply.code[3];
  EXPECT_EQ(call.address, 0x116au);
  EXPECT_EQ(call.mnemonic, "call");  // the prefix is no part of it
  EXPECT_EQ(call.operands, "");
  EXPECT_TRUE(call.refers);
  EXPECT_EQ(call.place, 0x1130u);
  EXPECT_EQ(short_name(call.place_name), "product<signed char>");
  const Instruction& address = listing.functions[0].code[0];
  EXPECT_EQ(address.operands, "rsi,[rip+0x2f]");
  EXPECT_EQ(address.place, 0x4000u);
  EXPECT_EQ(listing.at(0x1143), &listing.functions[1]);
  EXPECT_EQ(listing.at(0x9999), nullptr);
  EXPECT_EQ(read_disassembly(kArm).processor, Processor::kArm);
}

TEST(Disassembly, WhatIsNoListingIsEmpty) {
  EXPECT_TRUE(read_disassembly("").functions.empty());
  EXPECT_TRUE(read_disassembly("objdump: file format not recognized\n").functions.empty());
  EXPECT_TRUE(read_disassembly("   0:\tret\n").functions.empty());          // of no function
  EXPECT_TRUE(read_disassembly("0000 <f()>:\n\t...\n").functions.empty());  // without code
}

TEST(Disassembly, LlvmWritesTheSameOtherwise) {
  const Disassembly listing = read_disassembly(
      "k.o:\tfile format elf64-x86-64\n0000000000000000 <f(int)>:\n"
      "      30:      \tvmovdqu32\tzmm7, zmmword ptr [rdi + rax]\n"
      "      7c:      \tjg\t0x30 <f(int)>\n");
  ASSERT_EQ(listing.functions.size(), 1u);
  EXPECT_EQ(listing.functions[0].code[1].place, 0x30u);
  EXPECT_TRUE(kind_of(listing.functions[0].code[0], Processor::kX86, false).loads);
}

TEST(Names, AreShortenedToWhatALearnerWrote) {
  EXPECT_EQ(short_name("nibble::dot(signed char const*, int)"), "dot");
  EXPECT_EQ(short_name("nibble::(anonymous namespace)::dot(int) [clone .isra.0]"), "dot");
  EXPECT_EQ(short_name("nibble::Tile nibble::(anonymous namespace)::tile<short>(short const*)"),
            "tile<short>");
  EXPECT_EQ(short_name("void nibble::run<nibble::f(int)::{lambda(int)#1}>(int)"),
            "run<f(int)::{lambda(int)#1}>");
  EXPECT_EQ(short_name("nibble::f(int)::{lambda(int)#1}::operator()(int) const"),
            "f::{lambda(int)#1}::operator()");
  EXPECT_EQ(short_name("memcpy@plt"), "memcpy@plt");
}

// --- Single instructions -------------------------------------------------------------------------

InstructionKind kind(const char* mnemonic, const char* operands, bool frame_pointer = false) {
  return kind_of({0, mnemonic, operands, false, 0, ""}, Processor::kX86, frame_pointer);
}
InstructionKind arm(const char* mnemonic, const char* operands) {
  return kind_of({0, mnemonic, operands, false, 0, ""}, Processor::kArm, false);
}

TEST(Instructions, SayHowMuchTheyMultiply) {
  EXPECT_EQ(kind("vpdpbusd", "zmm0,zmm1,zmm2").multiplications, 64);
  EXPECT_EQ(kind("vpdpbusd", "ymm0,ymm1,ymm2").multiplications, 32);
  EXPECT_EQ(kind("vpmaddwd", "ymm0,ymm1,ymm2").multiplications, 16);
  EXPECT_EQ(kind("vpmaddubsw", "ymm0,ymm1,ymm2").multiplications, 32);
  EXPECT_EQ(kind("pmaddwd", "xmm0,xmm1").multiplications, 8);
  EXPECT_EQ(kind("vpmulld", "ymm0,ymm1,ymm2").multiplications, 8);
  EXPECT_EQ(kind("vfmadd231ps", "zmm0,zmm1,zmm2").multiplications, 16);
  EXPECT_EQ(kind("vmulpd", "ymm0,ymm1,ymm2").multiplications, 4);
  EXPECT_EQ(kind("tdpbssd", "tmm0,tmm1,tmm2").multiplications, kMostOfATile);
  EXPECT_EQ(kind("imul", "edx,r8d").multiplications, 1);
  EXPECT_FALSE(kind("imul", "edx,r8d").vector_multiplication());
  EXPECT_FALSE(kind("vfmadd231ss", "xmm0,xmm1,xmm2").vector_multiplication());
  EXPECT_FALSE(kind("vpaddd", "ymm0,ymm1,ymm2").multiplies);
  EXPECT_EQ(arm("sdot", "v0.4s, v2.16b, v3.4b[1]").multiplications, 16);
  EXPECT_EQ(arm("smlal2", "v0.4s, v2.8h, v3.8h").multiplications, 4);
  EXPECT_EQ(arm("madd", "w0, w1, w2, w3").multiplications, 1);
}

TEST(Instructions, HaveAWordInTheMargin) {
  EXPECT_EQ(kind("vpdpbusd", "ymm0,ymm1,ymm2").mark, "vnni");
  EXPECT_EQ(kind("tdpbusd", "tmm0,tmm1,tmm2").mark, "amx");
  EXPECT_EQ(kind("tileloadd", "tmm0,[rax+rcx*1]").mark, "amx");
  EXPECT_EQ(kind("vfmadd231ps", "ymm0,ymm1,ymm2").mark, "fma");
  EXPECT_EQ(kind("vpmaddwd", "ymm0,ymm1,ymm2").mark, "mul");
  EXPECT_EQ(kind("vpabsd", "xmm0,xmm1").mark, "vec");
  EXPECT_EQ(kind("vpmaxsd", "ymm0,ymm1,ymm2").mark, "vec");
  EXPECT_EQ(kind("vaddss", "xmm0,xmm1,xmm2").mark, "");
  EXPECT_EQ(kind("vcvtsi2ss", "xmm0,xmm0,eax").mark, "");
  EXPECT_EQ(kind("vmovd", "xmm0,eax").mark, "");
  EXPECT_EQ(kind("call", "").mark, "call");
  EXPECT_EQ(arm("udot", "v0.4s, v1.16b, v2.16b").mark, "dot");
  EXPECT_EQ(arm("ldr", "q2, [x0, x3]").mark, "neon");
  EXPECT_EQ(arm("mla", "v0.4s, v1.4s, v2.4s").mark, "mul");
  EXPECT_EQ(arm("add", "x3, x3, #0x20").mark, "");
  EXPECT_EQ(arm("bl", "").mark, "call");
}

TEST(Instructions, TouchMemoryOrTheStack) {
  EXPECT_TRUE(kind("vmovdqu", "ymm0,YMMWORD PTR [rdi]").loads);
  EXPECT_TRUE(kind("vmovdqu", "YMMWORD PTR [rdi],ymm0").stores);
  EXPECT_TRUE(kind("cmp", "DWORD PTR [rdi],eax").loads);
  EXPECT_FALSE(kind("lea", "r9,[rsi+r8*1]").loads);
  EXPECT_FALSE(kind("nop", "DWORD PTR [rax+rax*1+0x0]").loads);
  EXPECT_TRUE(kind("vmovdqa", "YMMWORD PTR [rsp+0x20],ymm0").on_stack);
  EXPECT_FALSE(kind("mov", "rax,QWORD PTR [rbp-0x8]").on_stack);  // a register like any other
  EXPECT_TRUE(kind("mov", "rax,QWORD PTR [rbp-0x8]", /*frame_pointer=*/true).on_stack);
  EXPECT_TRUE(arm("stp", "q0, q1, [sp, #32]").on_stack);
  EXPECT_FALSE(arm("sdot", "v0.4s, v2.16b, v3.4b[1]").loads);
}

// --- Loops ---------------------------------------------------------------------------------------

TEST(HotLoop, OfAvx512) {
  const Disassembly listing = read_disassembly(kAvx512);
  const HotLoop hot = hot_loop(listing, "zmm");
  ASSERT_EQ(hot.loops.size(), 1u);
  const LoopCounts& counts = hot.loops[0].counts;
  EXPECT_EQ(counts.instructions, 8);
  EXPECT_EQ(counts.vector_multiplications, 3);
  EXPECT_EQ(counts.products, 192);
  EXPECT_EQ(counts.loads, 4);
  EXPECT_EQ(counts.stores, 0);
  EXPECT_EQ(counts.stack, 0);
  EXPECT_EQ(counts_text(counts),
            "3 vpdpbusd (zmm), 4 loads, 0 stores, 0 stack accesses; 8 instructions a round for 192"
            " multiplications: 24.0 an instruction");
  EXPECT_EQ(remark(counts), "");
}

TEST(HotLoop, OfScalarCodeInAFunctionThatIsCalled) {
  const Disassembly listing = read_disassembly(kScalar);
  const HotLoop hot = hot_loop(listing, "multiply");
  ASSERT_EQ(hot.loops.size(), 1u);  // the inner one alone; what is rare is no loop
  EXPECT_EQ(short_name(hot.loops[0].function->name), "product<signed char>");
  const LoopCounts& counts = hot.loops[0].counts;
  EXPECT_EQ(counts.instructions, 8);
  EXPECT_EQ(counts.scalar_multiplications, 1);
  EXPECT_EQ(counts.loads, 2);
  EXPECT_EQ(counts.stack, 1);
  EXPECT_EQ(remark(counts), "no vector multiplication: the compiler left this loop scalar");
  EXPECT_EQ(functions_called(listing, "product").size(), 1u);  // without its arguments, too
  EXPECT_FALSE(hot.not_written);
}

/// A kernel is chosen from a table: objects and pointers of data come before the code.
TEST(HotLoop, FollowsATable) {
  const Disassembly listing = read_disassembly(
      "SYMBOL TABLE:\n"
      "0000000000004000 l     O .data.rel.ro\t0000000000000010              nibble::kTable\n"
      "0000000000004010 l     O .data.rel.ro\t0000000000000008              nibble::kOther\n"
      "0000000000001200 l     F .text\t0000000000000010              nibble::kernel()\n"
      "DYNAMIC RELOCATION RECORDS\nOFFSET           TYPE              VALUE\n"
      "0000000000004008 R_X86_64_RELATIVE  *ABS*+0x0000000000001200\n"
      "0000000000004010 R_X86_64_RELATIVE  *ABS*+0x0000000000001300\n"
      "0000000000001100 <nibble::chooses(int)>:\n"
      "    1100:\tvmovdqa xmm0,XMMWORD PTR [rip+0x9]        # 4000 <nibble::kTable>\n"
      "    1108:\tcall   rax\n"
      "0000000000001200 <nibble::kernel()>:\n"
      "    1200:\tvpmaddwd ymm0,ymm1,ymm2\n"
      "    1204:\tjne    1200 <nibble::kernel()>\n"
      "0000000000001300 <nibble::other()>:\n"
      "    1300:\tjne    1300 <nibble::other()>\n");
  const HotLoop hot = hot_loop(listing, "chooses");
  ASSERT_EQ(hot.functions.size(), 2u);
  EXPECT_EQ(short_name(hot.functions[1]->name), "kernel");
  ASSERT_EQ(hot.loops.size(), 1u);
  EXPECT_EQ(hot.loops[0].counts.products, 16);
}

/// One exercise, three kernels: the widest that runs here is the one to look at.
TEST(HotLoop, TheWidestKernelThatRuns) {
  const Disassembly listing = read_disassembly(
      "0000000000001000 <nibble::multiply(int)>:\n"
      "    1000:\tvpmaddubsw ymm0,ymm1,ymm2\n    1004:\tvpmaddubsw ymm0,ymm1,ymm2\n"
      "    1008:\tvpmaddubsw ymm0,ymm1,ymm2\n    100c:\tjne    1000 <nibble::multiply(int)>\n"
      "    1010:\tvpdpbusd zmm0,zmm1,zmm2\n    1016:\tjne    1010 <nibble::multiply(int)+0x10>\n"
      "    1020:\tvpmaddwd xmm0,xmm1,xmm2\n    1026:\tjne    1020 <nibble::multiply(int)+0x20>\n");
  const auto roots = functions_called(listing, "multiply");
  EXPECT_EQ(find_hot_loop(listing, roots).loops[0].counts.widest, "zmm");
  const HotLoop narrow = find_hot_loop(listing, roots, /*zmm_runs=*/false);
  ASSERT_EQ(narrow.loops.size(), 3u);
  EXPECT_EQ(narrow.loops[0].counts.products, 96);
  EXPECT_EQ(narrow.loops[1].counts.widest, "xmm");
}

TEST(HotLoop, OfArm) {
  const Disassembly listing = read_disassembly(kArm);
  const HotLoop hot = hot_loop(listing, "dot");
  ASSERT_EQ(hot.loops.size(), 1u);
  const LoopCounts& counts = hot.loops[0].counts;
  EXPECT_EQ(counts.instructions, 9);
  EXPECT_EQ(counts.multipliers.at("sdot"), 2);
  EXPECT_EQ(counts.products, 32);
  EXPECT_EQ(counts.loads, 3);
  EXPECT_EQ(counts.stack, 1);
  EXPECT_NE(remark(counts).find("the stack in the loop"), std::string::npos);
}

TEST(HotLoop, FollowsAnAddressAndFindsACall) {
  const Disassembly listing = read_disassembly(kScalar);
  const HotLoop hot = hot_loop(listing, "chosen");
  EXPECT_TRUE(hot.through_pointer);
  ASSERT_EQ(hot.loops.size(), 1u);
  EXPECT_EQ(hot.loops[0].counts.multipliers.at("vpdpbusd (ymm)"), 1);
  EXPECT_EQ(hot.loops[0].counts.calls, 1);
  EXPECT_EQ(hot.loops[0].counts.stack, 0);  // rbp is no frame pointer here
  EXPECT_NE(remark(hot.loops[0].counts).find("a call in the loop"), std::string::npos);
}

/// Its jump back is no loop: it leads to the clean-up after an exception.
TEST(HotLoop, OfAStarterIsNotWritten) {
  EXPECT_EQ(shown(kScalar, "not_yet"), "14.not_yet   not written yet\n");
}

// --- On the screen -------------------------------------------------------------------------------

TEST(AsmScreen, MarksTheLoopInPlainWords) {
  const std::string text = shown(kAvx512, "zmm");
  EXPECT_HOLDS(text, "14.zmm   the loop at 30 in zmm, 8 of its 19 instructions\n");
  EXPECT_HOLDS(text, "  vnni           50  vpdpbusd     zmm0,zmm7,ZMMWORD PTR [rsi+rax*1]\n");
  EXPECT_HOLDS(text, "  vec            30  vmovdqu32    zmm7");
  EXPECT_HOLDS(text, "                 7c  jg           30\n");
  EXPECT_HOLDS(text, "marks   vnni: multiplies and adds bytes by fours · vec: vector registers\n");
  EXPECT_HOLDS(text, "sum     3 vpdpbusd (zmm), 4 loads");
  EXPECT_HOLDS_NO(text, "vzeroupper");
  EXPECT_HOLDS_NO(text, "\033");
}

TEST(AsmScreen, AllIsTheWholeFunction) {
  const std::string text = shown(kAvx512, "zmm", /*whole=*/true);
  EXPECT_HOLDS(text, "vzeroupper");
  EXPECT_HOLDS(text, "| ");
  EXPECT_HOLDS(shown(kScalar, "multiply"), "spill");
  EXPECT_HOLDS(shown(kScalar, "multiply"), "note    no vector multiplication");
}

TEST(AsmScreen, ComparesCountsAndNothingElse) {
  const Disassembly listing = read_disassembly(kAvx512);
  const LoopCounts fast = hot_loop(listing, "zmm").loops[0].counts;
  const std::string text = comparison_text({{"multiply", LoopCounts{}, fast}});
  EXPECT_HOLDS(text, "multiply                 yours");
  EXPECT_HOLDS(text, "published");
  EXPECT_HOLDS(text, "192");
  EXPECT_HOLDS_NO(text, "vpdpbusd");
}

}  // namespace
}  // namespace nibble::report

// --- The command ---------------------------------------------------------------------------------

namespace nibble::cli {
namespace {

class AsmCommand : public LearnersProject {};

TEST_F(AsmCommand, ShowsTheLoopOfAnExercise) {
  save_solution();
  const process::Finished one = nibble({"asm", "03.quantize_symmetric"});
  EXPECT_EQ(one.exit_status, kPassed) << one.err;
  EXPECT_HOLDS(one.out, "03.quantize_symmetric   the loop at ");
  EXPECT_HOLDS(one.out, "sum     ");
  EXPECT_HOLDS_NO(one.out, "\033");
  const process::Finished all = nibble({"asm", "03"});
  EXPECT_EQ(all.exit_status, kPassed) << all.err;
  EXPECT_HOLDS(all.out, "03_symmetric   the innermost loop of each exercise");
  EXPECT_HOLDS(all.out, "  dequantize_symmetric ");
  EXPECT_EQ(nibble({"asm", "03", "--fn", "quantize_symmetric"}).out, one.out);
  const process::Finished whole = nibble({"asm", "03.quantize_symmetric", "--all"});
  EXPECT_GT(whole.out.size(), one.out.size());
}

TEST_F(AsmCommand, StartersAreNotWrittenYet) {
  const process::Finished starter = nibble({"asm", "03"});
  EXPECT_EQ(starter.exit_status, kPassed) << starter.err;
  EXPECT_HOLDS(starter.out, "not written yet");
  EXPECT_HOLDS_NO(starter.out, "sum     ");
}

TEST_F(AsmCommand, ComparesWhatIsPassed) {
  save_solution();
  const process::Finished early = nibble({"asm", "03", "--diff"});
  EXPECT_EQ(early.exit_status, kFailed) << early.err;
  EXPECT_HOLDS(early.out, "compared when they are passed: ");
  files::write_atomically(root_ / ".nibble" / "progress.txt",
                          "# nibble progress 1\n"
                          "03.quantize_symmetric passed 2026-01-01T00:00:00Z\n");
  const process::Finished passed = nibble({"asm", "03.quantize_symmetric", "--diff"});
  EXPECT_EQ(passed.exit_status, kPassed) << passed.err;
  EXPECT_HOLDS(passed.out, "quantize_symmetric       yours");
  EXPECT_HOLDS(passed.out, "published");
}

TEST_F(AsmCommand, RefusesClearly) {
  const process::Finished unknown = nibble({"asm", "03", "--fn", "nothing_of_that_name"});
  EXPECT_EQ(unknown.exit_status, kUsage);
  EXPECT_HOLDS(unknown.err, "no function of 03_symmetric is called nothing_of_that_name");
  EXPECT_HOLDS(unknown.err, "quantize_symmetric");
  std::ofstream(root_ / "labs" / "03_symmetric" / "symmetric.cpp") << "int x = ;\n";
  const process::Finished broken = nibble({"asm", "03"});
  EXPECT_EQ(broken.exit_status, kNoCompile);
  EXPECT_HOLDS(broken.err, "error:");
  const process::Finished bare = nibble({"asm", "03"}, {"PATH=" + root_.string()});
  EXPECT_EQ(bare.exit_status, kNotHere);
  EXPECT_HOLDS(bare.err, "install the package binutils");
}

}  // namespace
}  // namespace nibble::cli
