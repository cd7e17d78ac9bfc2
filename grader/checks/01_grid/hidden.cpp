// Lab 01: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "grid.hpp"

#include "checks/01_grid/dequantize_from_grid.hpp"
#include "checks/01_grid/fake_quantize.hpp"
#include "checks/01_grid/on_a_grid.hpp"
#include "checks/01_grid/quantize_to_grid.hpp"
#include "checks/01_grid/saturate_to_int8.hpp"
#include "checks/01_grid/values.hpp"
#include "judge/exercise.hpp"
#include "judge/near_ties.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_01_grid {
namespace {

// Numbers of the range and around it; and, on both sides of every tie, the nearest floats: who
// rounds twice, to tenths and then to integers, makes a tie of those.
TEST(saturate_to_int8, EqualsTheReference) {
  Reals numbers = uniform_tensor(300, hidden_seed(1), -150, 150);
  for (const int code : code_tensor<int>(50, hidden_seed(2), -128, 126)) {
    const float tie = static_cast<float>(code) + 0.5f;
    for (const float end : {tie, 200.0f, -200.0f}) numbers.push_back(std::nextafter(tie, end));
  }
  std::vector<Saturating::Input> inputs;
  for (const float x : numbers) inputs.push_back({show_value(x), {x}});
  saturating.agrees_with(saturating.reference, inputs);
}

/// Grids of the salt: any width, any zero point, a scale of any size.
std::vector<NamedGrid> unseen_grids() {
  std::vector<NamedGrid> grids;
  for (int i = 0; i < 6; ++i) {
    const std::uint64_t salt = 100 + 10 * static_cast<std::uint64_t>(i);
    const int qmin = code_tensor<int>(1, hidden_seed(salt), -200, 0)[0];
    const int qmax = code_tensor<int>(1, hidden_seed(salt + 1), 9, 300)[0];
    const int zero_point = code_tensor<int>(1, hidden_seed(salt + 2), qmin, qmax)[0];
    const float mantissa = uniform_tensor(1, hidden_seed(salt + 3), 1.1f, 1.9f)[0];
    grids.push_back(
        {"grid" + std::to_string(i), {std::ldexp(mantissa, 8 * i - 30), zero_point, qmin, qmax}});
  }
  return grids;
}

// A tenth of the data lies outside the grid; a saturated input would hide every rounding.
template <class E>
std::vector<typename E::Input> unseen() {
  const auto inputs = every_length<E>(unseen_grids(), hidden_seed, 1.1f);
  for (const auto& [name, in] : inputs) {
    if (in.a.size() < 1000) continue;
    const Codes q = quantizing.reference(in);
    const double railed = saturated_share(q, in.b.qmin, in.b.qmax);
    Expect::healthy(0.01 < railed && railed < 0.4, "share of codes at the ends");
    Expect::healthy(distinct(q) >= 9, "few distinct codes");
  }
  return inputs;
}

TEST(quantize_to_grid, EqualsTheReference) {
  quantizing.agrees_with(quantizing.reference, unseen<Quantizing>(),
                         [](Expect& expect, const auto& in, const Codes& got, const Codes& want) {
                           same_codes(expect, "q", got, want, in.a, in.b.scale);
                         });
}

TEST(dequantize_from_grid, EqualsTheReference) {
  std::vector<Dequantizing::Input> inputs;
  for (const auto& [name, in] : unseen<Quantizing>()) {
    inputs.push_back({name, {quantizing.reference(in), in.b}});
  }
  dequantizing.agrees_with(dequantizing.reference, inputs);
}

TEST(fake_quantize, EqualsBothSteps) {
  snapping.agrees_with(
      [](const auto& in) {
        return dequantizing.reference({quantizing.reference(in), in.b});
      },
      unseen<Snapping>(),
      [](Expect& expect, const auto& in, const Reals& got, const Reals& want) {
        const Tolerance step{in.b.scale * 1.25, 0.0, "one step, next to a tie"};
        expect.every("x_hat", got, want, [&](std::size_t i) {
          return is_near(got[i], want[i], one_ulp()) ||
                 (is_near(got[i], want[i], step) && is_near_tie(in.a[i], in.b.scale));
        });
      });
}

}  // namespace
}  // namespace nibble::judge::lab_01_grid
