// What the checked build sees of a statement with half, bf16 or fp8 in it: this program answers the
// calls that the compiler put into seen.cpp, as the engine does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "seen.hpp"

namespace {

struct {
  const char* begin = nullptr;
  const char* end = nullptr;
  std::vector<std::string> accesses;
} arrays;

void note(char kind, const void* address, std::size_t size) {
  const char* at = static_cast<const char*>(address);
  if (arrays.begin <= at && at < arrays.end) {
    arrays.accesses.push_back(kind + std::to_string(size));
  }
}

}  // namespace

extern "C" {
void __tsan_init() {}
void __sanitizer_cov_trace_pc() {}
void __tsan_read1(void* p) { note('r', p, 1); }
void __tsan_read2(void* p) { note('r', p, 2); }
void __tsan_read4(void* p) { note('r', p, 4); }
void __tsan_read8(void* p) { note('r', p, 8); }
void __tsan_read16(void* p) { note('r', p, 16); }
void __tsan_write1(void* p) { note('w', p, 1); }
void __tsan_write2(void* p) { note('w', p, 2); }
void __tsan_write4(void* p) { note('w', p, 4); }
void __tsan_write8(void* p) { note('w', p, 8); }
void __tsan_write16(void* p) { note('w', p, 16); }
void* nibble_simt_memcpy(void* to, const void* from, std::size_t size) {
  note('r', from, size);
  note('w', to, size);
  return std::memcpy(to, from, size);
}
void* nibble_simt_memset(void* to, int value, std::size_t size) {
  note('w', to, size);
  return std::memset(to, value, size);
}
}

// Not what this file is about.
int __dp4a(int a, int, int) noexcept { return a; }
unsigned __dp4a(unsigned a, unsigned, unsigned) noexcept { return a; }

namespace nibble::simt {
namespace {

TEST(Seen, EveryAccessOnceAndWhole) {
  static Arrays a;
  arrays.begin = reinterpret_cast<const char*>(&a);
  arrays.end = arrays.begin + sizeof a;
  ASSERT_GT(statements().size(), 30u);
  for (const Statement& statement : statements()) {
    std::memset(&a, 0, sizeof a);
    arrays.accesses.clear();
    statement.run(a);
    // Reads in any order, then writes: operands are evaluated as the compiler likes.
    std::sort(arrays.accesses.begin(), arrays.accesses.end());
    std::string seen;
    for (const std::string& access : arrays.accesses) {
      seen += (seen.empty() ? "" : " ") + access;
    }
    EXPECT_EQ(seen, statement.accesses) << statement.text;
  }
}

}  // namespace
}  // namespace nibble::simt
