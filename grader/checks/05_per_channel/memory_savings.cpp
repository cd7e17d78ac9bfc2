// Lab 05, memory_savings: the checks.
#include "checks/05_per_channel/memory_savings.hpp"

namespace nibble::judge::lab_05_per_channel {
namespace {

Saving::Row costs(std::string name, const Saving::Arguments& in, std::int64_t total_bits,
                  std::string rule = "") {
  const double bits = static_cast<double>(total_bits) / static_cast<double>(in.a);
  return {std::move(name), in, {total_bits, bits, bits / 32}, std::move(rule)};
}

TEST(memory_savings, CountsCodesAndScales) {
  saving.gives({costs("Int2Group64Fp16", {256, 2, 64, 16, 0}, 512 + 4 * 16),
                costs("Int4Group128Fp16", {4096, 4, 128, 16, 0}, 16384 + 32 * 16),
                costs("Int8PerElement", {256, 8, 1, 32, 0}, 10240),
                costs("Int8PerTensor", {65536, 8, 65536, 32, 0}, 524288 + 32),
                costs("Int4Blocks32Fp8", {1024, 4, 32, 8, 0}, 4096 + 32 * 8),
                costs("NoWholeBytes", {3, 3, 3, 32, 0}, 9 + 32, "nothing is rounded up to bytes")},
               saving.only({"total_bits"}));
}

TEST(memory_savings, CountsZeroPoints) {
  saving.gives({costs("Int4ZeroPoints", {4096, 4, 128, 32, 4}, 16384 + 32 * 36,
                      "each scale has a zero point beside it"),
                costs("Int8ZeroPoint", {100, 8, 100, 32, 8}, 800 + 40)},
               saving.only({"total_bits"}));
}

TEST(memory_savings, RoundsScalesUp) {
  saving.gives({costs("OneLeft", {129, 4, 128, 32, 0}, 516 + 2 * 32,
                      "elements that are left over have a scale, too"),
                costs("OneMissing", {255, 4, 128, 32, 0}, 1020 + 2 * 32),
                costs("LessThanOneGroup", {3, 4, 128, 32, 0}, 12 + 32)},
               saving.only({"total_bits"}));
}

TEST(memory_savings, ComparesWithFp32) {
  saving.gives({costs("Int4Group128Fp16", {4096, 4, 128, 16, 0}, 16896),
                costs("Int8PerElement", {256, 8, 1, 32, 0}, 10240)},
               saving.only({"bits_per_element", "share_of_fp32"}));
}

// A model of 70 billion weights has more bits than an int32 can count, and more than a float can.
TEST(memory_savings, CountsPastTwoBillion) {
  saving.gives(
      {costs("70Billion", {70'000'000'000, 4, 128, 32, 0}, 280'000'000'000 + 546'875'000LL * 32,
             "more bits than an int32 or a float32 counts")},
      saving.only({"total_bits"}));
}

TEST(memory_savings, RefusesWhatIsNoCount) {
  constexpr std::int64_t most = std::int64_t{1} << 48;
  saving.refuses({costs("One", {1, 1, 1, 0, 0}, 1),
                  costs("OneScale", {most, 32, most, 64, 64}, most * 32 + 128),
                  costs("AllScales", {most, 32, 1, 64, 64}, most * 160)},
                 {{"", {0, 8, 1, 32, 0}},
                  {"", {8, 8, 0, 32, 0}},
                  {"", {8, 8, -1, 32, 0}},
                  {"N-RANGE", {most + 1, 8, 1, 32, 0}},
                  {"N-RANGE", {8, 8, most + 1, 32, 0}},
                  {"N-RANGE", {8, 0, 1, 32, 0}},
                  {"N-RANGE", {8, 33, 1, 32, 0}},
                  {"N-RANGE", {8, 8, 1, -1, 0}},
                  {"N-RANGE", {8, 8, 1, 65, 0}},
                  {"N-RANGE", {8, 8, 1, 32, -1}},
                  {"N-RANGE", {8, 8, 1, 32, 65}}},
                 saving.only({"total_bits"}));
}

}  // namespace
}  // namespace nibble::judge::lab_05_per_channel
