// What is made of a sanitizer's report, and of a list of vector units.
#include "a_verdict.hpp"

#include "report/machine.hpp"
#include "report/sanitizer.hpp"

namespace nibble::report {
namespace {

TEST(Sanitizer, TheLearnersLineIsTheFirstOfAnyLab) {
  const auto place = learners_line(
      "#0 0x4 in f /usr/include/c++/12/span:278\n"
      "#1 0x5 in f /kit/.nibble/work/x/labs/03_symmetric/symmetric.cpp:44\n"
      "#2 0x6 in main labs/03_symmetric/symmetric.cpp:99\n");
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->file, "labs/03_symmetric/symmetric.cpp");
  EXPECT_EQ(place->line, 44);
  EXPECT_FALSE(learners_line("nothing here").has_value());
  EXPECT_EQ(learners_line("labs/21_cuda/x.cu:0")->line, 1);
}

TEST(Sanitizer, ReportsBecomeSentences) {
  EXPECT_EQ(
      summary(
          "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\nREAD of size 4 at"),
      "heap-buffer-overflow: a read of 4 bytes outside a vector or an allocated block");
  EXPECT_EQ(summary("AddressSanitizer: stack-use-after-scope on\nWRITE of size 1 at"),
            "stack-use-after-scope: a write of 1 byte of a variable that no longer exists");
  EXPECT_EQ(summary("AddressSanitizer: SEGV on unknown"),
            "SEGV: an access at an address that is not the program's");
  EXPECT_EQ(summary("AddressSanitizer: alloc-dealloc-mismatch (x)"), "alloc-dealloc-mismatch");
  EXPECT_EQ(summary("a.cpp:3:4: runtime error: signed integer overflow: 1 + 2\n"),
            "undefined behaviour: signed integer overflow: 1 + 2");
  EXPECT_EQ(summary("Assertion '__n < this->size()' failed."),
            "a check of the standard library failed: __n < this->size()");
  EXPECT_EQ(summary("hello"), "");
}

TEST(Sanitizer, AddressesDoNotTellTwoRunsApart) {
  EXPECT_EQ(without_addresses("==123==ERROR at 0x7ffd00001234, seed 0x71"),
            "====ERROR at 0x..., seed 0x71");
}

TEST(Machine, VectorUnitsAreReadFromTheKernelsList) {
  EXPECT_EQ(
      vector_units(
          "model name : x\nflags\t\t: fpu avx2 sse amx_int8 avx512_vnni\nbugs : y\nflags : f16c\n"),
      (std::vector<std::string>{"amx_int8", "avx2", "avx512_vnni"}));
  EXPECT_EQ(vector_units("a : b\nFeatures\t: fp asimd i8mm\n"),
            (std::vector<std::string>{"asimd", "i8mm"}));
  EXPECT_TRUE(vector_units("").empty());
}

TEST(Machine, ThisOneHasAProcessor) {
  const Machine machine = this_machine();
  EXPECT_HOLDS(machine.cpu, " core");
  EXPECT_GE(machine.load, 0.0);
  EXPECT_TRUE(
      std::regex_match(utc_now(), std::regex("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ")));
}

}  // namespace
}  // namespace nibble::report
