// Lab 13: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "binary.hpp"

#include "checks/13_binary/binarize_weights.hpp"
#include "checks/13_binary/binary_matmul.hpp"
#include "checks/13_binary/pack_signs.hpp"
#include "checks/13_binary/pack_ternary.hpp"
#include "checks/13_binary/ternarize.hpp"
#include "checks/13_binary/unpack_ternary.hpp"
#include "checks/13_binary/weights.hpp"
#include "judge/bits.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_13_binary {
namespace {

TEST(pack_signs, EqualsTheReference) {
  packing.agrees_with(packing.reference, random_rows(hidden_seed, 5003), same_bits);
}

TEST(binary_matmul, EqualsTheReference) {
  const std::vector<MatmulShape> shapes{{1, 1, 7},    {3, 5, 40},   {7, 2, 64},
                                        {17, 13, 99}, {2, 66, 320}, {2, 1, 80003}};
  for (const bool noise : {false, true}) {
    multiplying.agrees_with(multiplying.reference, products(shapes, hidden_seed, noise), same_sums);
  }
}

TEST(binarize_weights, EqualsTheReference) {
  binarizing.agrees_with(binarizing.reference, random_weights<&binarize_weights>(hidden_seed, 5003),
                         same_weights);
}

TEST(ternarize, EqualsTheReference) {
  ternarizing.agrees_with(ternarizing.reference, random_weights<&ternarize>(hidden_seed, 5003),
                          [](Expect& expect, const auto& in, const auto& got, const auto& want) {
                            same_trits(expect, in, got, want);
                            same_alphas(expect, in, got, want);
                          });
}

TEST(pack_ternary, EqualsTheReference) {
  std::vector<PackingTrits::Input> inputs;
  for (const int count : {5, 10, 65, 3005}) {
    inputs.push_back({std::to_string(count) + " trits",
                      {code_tensor<std::int8_t>(std::size_t(count), hidden_seed(count), -1, 1)}});
  }
  packing_trits.agrees_with(packing_trits.reference, inputs);
}

TEST(unpack_ternary, EqualsTheReference) {
  std::vector<Unpacking::Input> inputs;
  for (const int count : {1, 5, 13, 64, 3001}) inputs.push_back(packed_trits(count, hidden_seed));
  unpacking.agrees_with(unpacking.reference, inputs);
}

}  // namespace
}  // namespace nibble::judge::lab_13_binary
