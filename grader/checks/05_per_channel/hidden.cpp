// Lab 05: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "per_channel.hpp"

#include "checks/05_per_channel/compare_quantization_methods.hpp"
#include "checks/05_per_channel/dequantize_per_channel.hpp"
#include "checks/05_per_channel/dequantize_per_group.hpp"
#include "checks/05_per_channel/memory_savings.hpp"
#include "checks/05_per_channel/quantize_per_channel.hpp"
#include "checks/05_per_channel/quantize_per_group.hpp"
#include "checks/05_per_channel/scale_of_element.hpp"
#include "checks/05_per_channel/values.hpp"
#include "judge/exercise.hpp"
#include "judge/near_ties.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_05_per_channel {
namespace {

/// Scales and codes are the solution's, but for codes next to a tie; then the `rest`.
template <class E>
void equals_the_reference(const E& quantizing, const std::vector<typename E::Input>& inputs,
                          const typename E::Compare& rest) {
  quantizing.agrees_with(
      quantizing.reference, inputs,
      [&](Expect& expect, const auto& in, const auto& got, const auto& want) {
        const auto few = static_cast<std::size_t>(signed_range(in.d).qmax);
        Expect::healthy(want.q.size() < 300 || distinct(want.q) >= few, "few distinct codes");
        const Places places = places_of(in);
        quantizing.only({"scales"})(expect, in, got, want);
        same_codes(expect, "q", got.q, want.q,
                   [&](std::size_t i) { return is_near_tie(in.a[i], want.scales[places.of[i]]); });
        rest(expect, in, got, want);
      });
}

/// Values that share a scale have the codes they would have without the others. `alone(in, x)`: x
/// of `in`, quantized by itself.
template <class E, class Alone>
void slices_stand_alone(const E& quantizing, const std::vector<typename E::Input>& inputs,
                        const Alone& alone) {
  quantizing.on_each(inputs, [&](Expect& expect, const typename E::Arguments& in) {
    const auto got = quantizing(in);
    const Places places = places_of(in);
    if (!expect.equal("the number of codes", got.q.size(), in.a.size())) return;
    if (!expect.equal("the number of scales", got.scales.size(), places.count)) return;
    // A constant stands alone, too. Where every slice is one value, so is the right answer's.
    expect.that(distinct(got.q) > 1 || distinct(quantizing.reference(in).q) == 1,
                "one code for everything");
    for (std::size_t place = 0; place < places.count && !expect.failure(); ++place) {
      Reals x;
      Codes q;
      for (std::size_t i = 0; i < in.a.size(); ++i) {
        if (places.of[i] != place) continue;
        x.push_back(in.a[i]);
        q.push_back(got.q[i]);
      }
      const auto one = quantizing(alone(in, x));
      expect.equal("scales of a slice by itself", one.scales, Reals{got.scales[place]});
      expect.equal("q of a slice by itself", one.q, q);
    }
  });
}

TEST(quantize_per_channel, EqualsTheReference) {
  std::vector<Channels::Input> inputs = every_width_and_length(hidden_seed);
  for (int num_bits = 2; num_bits <= 8; num_bits += 3) {
    std::ranges::move(every_axis(num_bits, hidden_seed), std::back_inserter(inputs));
  }
  equals_the_reference(channels, inputs, channels.only({"zero_points", "shape", "axis"}));
}

TEST(quantize_per_channel, SlicesStandAlone) {
  slices_stand_alone(channels, every_axis(8, hidden_seed), [](auto in, const Reals& x) {
    in.a = x;
    in.b[in.c] = 1;
    return in;
  });
}

TEST(dequantize_per_channel, EqualsTheReference) {
  from_channels.agrees_with(from_channels.reference, every_tensor(hidden_seed));
}

// As above, and: a group one less and one more than the row; one element left, and one missing.
TEST(quantize_per_group, EqualsTheReference) {
  std::vector<RowAndGroup> sizes = kThatFit;
  sizes.insert(sizes.end(), {{8, 7}, {8, 9}, {13, 4}, {15, 4}, {257, 128}});
  equals_the_reference(groups, three_rows(sizes, kWidths, hidden_seed),
                       groups.only({"row_length", "group_size"}));
}

TEST(quantize_per_group, GroupsStandAlone) {
  slices_stand_alone(groups, three_rows({{8, 4}, {13, 4}}, {8}, hidden_seed),
                     [](const auto& in, const Reals& x) {
                       const auto length = static_cast<std::int32_t>(x.size());
                       return Groups::Arguments{x, length, in.c, in.d};
                     });
}

TEST(dequantize_per_group, EqualsTheReference) {
  from_groups.agrees_with(from_groups.reference, every_grouped(hidden_seed));
}

TEST(memory_savings, EqualsTheReference) {
  std::vector<Saving::Input> inputs;
  for (int i = 0; i < 32; ++i) {
    const auto size = [&](int salt, int bits) {
      return static_cast<std::int64_t>(hidden_seed(i * 8 + salt) >> (64 - bits));
    };
    inputs.push_back({"random" + std::to_string(i),
                      {1 + size(0, 40), 1 + static_cast<int>(size(1, 5)), 1 + size(2, 20),
                       static_cast<int>(size(3, 6)), static_cast<int>(size(4, 6))}});
  }
  saving.agrees_with(saving.reference, inputs);
}

// Two dimensions as weights have them, four as a convolution has them, and one.
TEST(compare_quantization_methods, EqualsTheReference) {
  std::vector<Comparing::Input> inputs;
  for (const Sizes& shape : {Sizes{7}, {3, 5}, {16, 33}, {5, 2, 3, 7}}) {
    for (int num_bits = 2; num_bits <= 8; num_bits += 2) {
      const auto [name, in] = random_slices(shape, 0, num_bits, hidden_seed);
      inputs.push_back({name, {in.a, shape, num_bits, 4}});
    }
  }
  comparing.agrees_with(
      comparing.reference, inputs,
      [](Expect& expect, const auto& in, const MethodComparison& got,
         const MethodComparison& want) {
        comparing.only({"mse", "mae", "max_error", "relative_error", "snr_db", "sqnr_db", "cosine",
                        "bits_per_element"})(expect, in, got, want);
        // Sums in another order may turn a tie around: what counts is that none is better.
        const std::array db{want.per_tensor_symmetric.sqnr_db, want.per_tensor_asymmetric.sqnr_db,
                            want.per_channel_symmetric.sqnr_db, want.per_channel_asymmetric.sqnr_db,
                            want.per_group.sqnr_db};
        const auto chosen = static_cast<std::size_t>(got.best);
        if (!expect.that(chosen < db.size(), "best names no method")) return;
        expect.near("sqnr_db of the best", db[chosen], std::ranges::max(db), metric_tolerance());
      });
}

}  // namespace
}  // namespace nibble::judge::lab_05_per_channel
