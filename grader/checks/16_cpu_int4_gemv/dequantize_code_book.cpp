// Lab 16, dequantize_code_book: the checks.
#include "checks/16_cpu_int4_gemv/dequantize_code_book.hpp"

#include "judge/matmul_cases.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {
namespace {

std::vector<int> counting(std::size_t count, int step) {
  std::vector<int> nibbles;
  for (std::size_t i = 0; i < count; ++i) nibbles.push_back(int(i) * step % 16);
  return nibbles;
}

// The order of a byte, every entry, and a book that is not sorted.
TEST(dequantize_code_book, LooksUp) {
  CodeBook shuffled, with_equals;
  for (std::size_t i = 0; i < 16; ++i) {
    const std::size_t three_alike = i / 3;
    shuffled[i] = float((i * 5 + 3) % 16);
    with_equals[i] = float(three_alike);
  }
  looking_up.is_right({{"OneByte", {{2, 5}, squares(), {1}, 32}},
                       {"HighBit", {{9, 15}, squares(), {1}, 32}},
                       {"EachEntry", {counting(32, 1), squares(), {1}, 32}},
                       {"EachEntryBackwards", {counting(32, 15), squares(), {1}, 32}},
                       {"Shuffled", {counting(64, 7), shuffled, {1}, 64}},
                       {"WithEquals", {counting(32, 1), with_equals, {1}, 32}}});
}

// Powers of two; then scales that round.
TEST(dequantize_code_book, ScalesEachGroup) {
  CodeBook thirds;
  for (std::size_t i = 0; i < 16; ++i) thirds[i] = float(i) / 3.0f - 2.0f;
  looking_up.is_right({{"OneGroup", {counting(32, 1), squares(), {4}, 32}},
                       {"TwoGroups", {counting(64, 3), squares(), {0.5f, 8}, 32}},
                       {"GroupsOf64", {counting(192, 5), squares(), {2, 0.25f, 16}, 64}},
                       {"Rounded", {counting(96, 7), thirds, {0.1f, 0.3f, 0.7f}, 32}}});
}

const Named<Looked> kNoCodes{"None", {{}, squares(), {}, 32}},
    kGoodBook{"Good", {counting(32, 1), squares(), {1}, 32}};

// None; one; one less than, as many as and one more than a vector of 8, 16 and 32; a short last
// group of every kind; the longest group.
TEST(dequantize_code_book, EveryCount) {
  std::vector<Named<Looked>> cases{kNoCodes};
  for (const std::size_t count : {1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 63, 65, 127, 145}) {
    cases.push_back(random_book(count, 32, seed));
  }
  cases.push_back(random_book(200, 96, seed));
  cases.push_back(random_book(257, 1 << 20, seed));
  looking_up.is_right(cases);
}

TEST(dequantize_code_book, RefusesBadInput) {
  decltype(looking_up)::Refusals rows;
  const auto bad = [&](const char* code, const std::string& what, std::size_t bytes, Reals scales,
                       std::size_t count, int group_size, float entry = 1) {
    CodeBook book = squares();
    book[11] = entry;
    const Bytes q4(bytes, 0x21);
    rows.push_back({code, what, {Isa::kScalar, q4, book, scales, out(count), group_size}});
  };
  bad("N-SIZE", "15 bytes for 32 codes", 15, {1}, 32, 32);
  bad("N-SIZE", "17 bytes for 32 codes", 17, {1}, 32, 32);
  bad("N-SIZE", "1 scale for 33 codes in groups of 32", 17, {1}, 33, 32);
  bad("N-SIZE", "2 scales for 32 codes in groups of 32", 16, {1, 1}, 32, 32);
  bad("N-SIZE", "no group_size", 16, {1}, 32, 0);
  bad("N-SIZE", "a negative group_size", 16, {1}, 32, -32);
  bad("N-SIZE", "groups of 16", 16, {1, 1}, 32, 16);
  bad("N-SIZE", "groups that are no multiple of 32", 16, {1}, 32, 48);
  bad("N-SIZE", "a group_size beyond 2^20", 16, {1}, 32, (1 << 20) + 32);
  for (const float entry : {kInfinity, kNan}) {
    bad("N-NAN", "a book with " + show_value(entry), 16, {1}, 32, 32, entry);
  }
  for (const float scale : kUnusableScales) {
    bad("N-DIV0", "a scale of " + show_value(scale), 16, {scale}, 32, 32);
  }
  looking_up.refuses({kGoodBook}, rows);
}

TEST(dequantize_code_book, RefusesOtherIsas) {
  refuses_other_isas(looking_up, kNoCodes, kGoodBook);
}

}  // namespace
}  // namespace nibble::judge::lab_16_cpu_int4_gemv
