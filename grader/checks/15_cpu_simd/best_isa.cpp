// Lab 15, best_isa: the checks.
#include "checks/15_cpu_simd/best_isa.hpp"

#include "judge/code_rows.hpp"

namespace nibble::judge::lab_15_cpu_simd {
namespace {

// Every set that has a kernel, with and without scalar: 2^6 of them, less two.
TEST(best_isa, TakesTheFastest) {
  std::array<std::uint32_t, 64> sets;
  std::iota(sets.begin(), sets.end(), 0u);
  sets[0] = bit_of(Isa::kScalar) | bit_of(Isa::kNeonDot);  // no set without a kernel
  choosing.gives(choices(sets, std::array{Isa::kAmxInt8}));
}

// Numbers do not tell the order: neon_dot has the largest, and is the second slowest.
TEST(best_isa, StopsAtTheCap) {
  choosing.gives(choices(std::array{63u, 47u, 31u, 15u, 11u, 9u, 33u, 41u, 1u, 17u}, kKernelIsas));
}

TEST(best_isa, RefusesWhatItMust) {
  const std::uint32_t scalar = bit_of(Isa::kScalar), tiles = bit_of(Isa::kAmxInt8);
  choosing.refuses(
      {{"Avx2", {3, Isa::kAvx512Vnni}, Isa::kAvx2}},
      {{"", {0, Isa::kAmxInt8}},
       {"", {tiles, Isa::kAmxInt8}},
       {"", {bit_of(Isa::kAvx512Vnni) | bit_of(Isa::kAvxVnni), Isa::kAvx2}},  // beyond the cap
       {"", {bit_of(Isa::kAvx2), Isa::kScalar}},
       {"", {1u << 6 | scalar, Isa::kAmxInt8}},  // bits that stand for nothing
       {"", {1u << 31 | scalar, Isa::kAmxInt8}},
       {"", {scalar, static_cast<Isa>(6)}},
       {"", {scalar, static_cast<Isa>(-1)}}});
}

}  // namespace
}  // namespace nibble::judge::lab_15_cpu_simd
