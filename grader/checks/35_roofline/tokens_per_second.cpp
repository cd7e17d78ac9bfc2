// Lab 35, tokens_per_second: the checks.
#include "checks/35_roofline/tokens_per_second.hpp"

#include "judge/tensors.hpp"

namespace nibble::judge::lab_35_roofline {
namespace {

/// So much arithmetic that only memory counts; 1000 bytes a second.
constexpr Machine kSlowMemory{1e15, 1000};
/// So much memory that only arithmetic counts; 1000 operations a second.
constexpr Machine kSlowArithmetic{1000, 1e15};

TEST(tokens_per_second, ReadsAllWeights) {
  writing.gives({{"Int8", {Decoder{100, 8, 0, 0, 1}, kSlowMemory}, 10},
                 {"Half", {Decoder{100, 16, 0, 0, 1}, kSlowMemory}, 5},
                 {"Blocks", {Decoder{400, 4.5, 0, 0, 1}, kSlowMemory}, 1000.0 / 225},
                 {"OnceForAll", {Decoder{100, 8, 0, 0, 4}, kSlowMemory}, 40},
                 {"PartOfAByte",
                  {Decoder{1, 0.5, 0, 0, 1}, kSlowMemory},
                  16'000,
                  "half a bit is a sixteenth of a byte: no bytes are rounded here"},
                 {"OddBytes",
                  {Decoder{101, 4.25, 0, 0, 1}, kSlowMemory},
                  8000 / (101 * 4.25),
                  "no bytes are rounded here"}});
}

TEST(tokens_per_second, EveryTextHasItsCache) {
  writing.gives({{"OneText",
                  {Decoder{100, 8, 2, 50, 1}, kSlowMemory},
                  5,
                  "a text of 50 tokens has 50 times cache_bytes"},
                 {"FourTexts", {Decoder{100, 8, 2, 50, 4}, kSlowMemory}, 8},
                 {"NoContext", {Decoder{100, 8, 2, 0, 4}, kSlowMemory}, 40},
                 {"Long",
                  {Decoder{1, 8, 1 << 30, 1 << 30, 1 << 20}, kSlowMemory},
                  1000 / (0x1p60 + 0x1p-20)}});
}

TEST(tokens_per_second, ComputesForEveryText) {
  writing.gives(
      {{"OneText",
        {Decoder{100, 8, 0, 0, 1}, kSlowArithmetic},
        5,
        "200 operations at 1000 a second: arithmetic may take longer than memory"},
       {"FourTexts", {Decoder{100, 8, 2, 50, 4}, kSlowArithmetic}, 5},
       {"Ridge",
        {Decoder{100, 8, 0, 0, 4}, {8000, 1000}},
        40,
        "memory and arithmetic work at the same time: the longer time counts, not the sum"},
       {"BeyondTheRidge", {Decoder{100, 8, 0, 0, 4}, {4000, 1000}}, 20},
       {"Huge", {Decoder{std::int64_t{1} << 50, 64, 0, 0, 1 << 20}, {1e12, 1e30}}, 1e12 / 0x1p51}});
}

TEST(tokens_per_second, RefusesWhatWritesNothing) {
  writing.refuses({{"Fine", {Decoder{100, 8, 0, 0, 1}, kSlowMemory}, 10}},
                  {{"", {Decoder{0, 8, 0, 0, 1}, kSlowMemory}},
                   {"", {Decoder{100, 0, 0, 0, 1}, kSlowMemory}},
                   {"", {Decoder{100, 8, -1, 0, 1}, kSlowMemory}},
                   {"", {Decoder{100, 8, 0, -1, 1}, kSlowMemory}},
                   {"", {Decoder{100, 8, 0, 0, 0}, kSlowMemory}},
                   {"", {Decoder{100, 8, 0, 0, 1}, {0, 1000}}},
                   {"", {Decoder{100, 8, 0, 0, 1}, {1000, 0}}},
                   {"N-NAN", {Decoder{100, double{kNan}, 0, 0, 1}, kSlowMemory}}});
}

}  // namespace
}  // namespace nibble::judge::lab_35_roofline
