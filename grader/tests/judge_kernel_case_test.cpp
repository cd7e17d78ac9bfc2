// Cases of kernels: what their members and instruction sets make of their text and smaller ones,
// and which calls have to be refused.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "nibble/cpu.hpp"
#include "nibble/exercises.hpp"

namespace nibble {

void negate(Isa isa, std::span<const std::int8_t> q, std::int8_t zero, std::span<std::int8_t> out);
NIBBLE_EXERCISES(negate);

}  // namespace nibble

#include "judge/expect.hpp"  // behind the contract
#include "judge/isas.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/named_case.hpp"

namespace nibble::judge {
namespace {

struct Quantized {
  std::vector<std::int8_t> q;
  std::int8_t zero;
  static constexpr std::array names{"q", "zero"};
};

const Named<Quantized> kCase{"Few", {{1, 2, 3, 4}, 5}};

const auto negating = kernel_exercise<&negate>(
    [](const OnIsa<Named<Quantized>>& c) {
      return std::tuple(c.isa, c.q, c.zero, out(c.q.size()));
    },
    [](const Quantized& c) { return c.q; },
    [](Expect&, const Quantized&, const std::vector<std::int8_t>&,
       const std::vector<std::int8_t>&) {});

TEST(NamedCase, IsShownMemberByMember) { EXPECT_EQ(show(kCase), "q = [1, 2, 3, 4], zero = 5"); }

TEST(NamedCase, ShrinksItsLists) {
  const auto all = smaller(kCase);
  ASSERT_GE(all.size(), 2u);
  EXPECT_EQ(all[0].name, "2 values");
  EXPECT_EQ(show(all[0]), "q = [1, 2], zero = 5");
  EXPECT_EQ(show(all[1]), "q = [3, 4], zero = 5");
}

TEST(OnIsa, TellsAndKeepsTheIsa) {
  const OnIsa<Named<Quantized>> c{Isa::kAvx2, kCase};
  EXPECT_EQ(c.name, "avx2_Few");
  EXPECT_EQ(show(c), "avx2, q = [1, 2, 3, 4], zero = 5");
  EXPECT_EQ(smaller(c)[0].isa, Isa::kAvx2);
  EXPECT_EQ(smaller(c)[0].name, "avx2_2 values");
}

TEST(OnIsa, IsEachOneThatIsHere) {
  const auto all = on_every_isa(std::vector{kCase});
  ASSERT_EQ(all.size(), isas_to_check().size());
  EXPECT_EQ(all[0].isa, Isa::kScalar);
  for (const auto& c : all) EXPECT_TRUE(cpu_has(c.isa));
}

TEST(Isas, AreCheckedOrRefused) {
  std::vector<Isa> all = isas_to_refuse();
  all.insert(all.end(), isas_to_check().begin(), isas_to_check().end());
  EXPECT_EQ(all.size(), kEveryIsa.size() + 2);
  EXPECT_EQ(show(Isa::kAvx2), "avx2");
  EXPECT_EQ(show(static_cast<Isa>(-1)), "isa number -1");
}

TEST(KernelExercise, AsksForEveryIsaThatItRefuses) {
  const auto rows = refused_isas(negating, kCase);
  ASSERT_EQ(rows.size(), isas_to_refuse().size());
  EXPECT_EQ(std::get<0>(rows[0].arguments), isas_to_refuse()[0]);
  EXPECT_EQ(std::get<1>(rows[0].arguments), kCase.q);
}

TEST(KernelExercise, RefusesToRefuseEverything) {
  EXPECT_THROW(negating.refuses({}, refused_isas(negating, kCase)), KitError);
}

TEST(Expect, NamesTheValuesOfAnEnum) {
  Expect expect;
  EXPECT_TRUE(expect.equal("isa", Isa::kAvx2, Isa::kAvx2));
  EXPECT_FALSE(expect.equal("isa", Isa::kAvx2, Isa::kScalar));
  ASSERT_TRUE(expect.failure());
  EXPECT_EQ(expect.failure()->got, "avx2");
  EXPECT_EQ(expect.failure()->want, "scalar");
}

}  // namespace
}  // namespace nibble::judge
