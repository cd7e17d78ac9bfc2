// Lab 12: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "int4.hpp"

#include "checks/12_int4/blocks.hpp"
#include "checks/12_int4/matmul_int4.hpp"
#include "checks/12_int4/pack_int4.hpp"
#include "checks/12_int4/quantize_q4_0.hpp"
#include "checks/12_int4/quantize_q8_0.hpp"
#include "checks/12_int4/to_excess8.hpp"
#include "checks/12_int4/unpack_int4.hpp"
#include "checks/12_int4/values.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_12_int4 {
namespace {

TEST(pack_int4, EqualsTheReference) {
  packing.agrees_with(packing.reference, codes_of_every_count(hidden_seed, 10'007));
}

TEST(unpack_int4, EqualsTheReference) {
  unpacking.agrees_with(unpacking.reference, bytes_of_every_count(hidden_seed, 10'007));
}

TEST(to_excess8, EqualsTheReference) {
  excess.agrees_with(excess.reference, {{"1", {random_bytes(1, hidden_seed(1))}},
                                        {"33", {random_bytes(33, hidden_seed(33))}},
                                        {"5003", {random_bytes(5003, hidden_seed(5003))}}});
}

TEST(quantize_q4_0, EqualsTheReference) {
  const auto inputs = blocks_of<Quantizing4::Input>(hidden_seed, 256, 8);
  Expect::healthy(distinct(apart(kQ4, quantizing4.reference(inputs[2].in)).codes) == 16,
                  "a code is missing");
  quantizing4.agrees_with(quantizing4.reference, inputs, part_by_part(kQ4));
}

TEST(quantize_q8_0, EqualsTheReference) {
  const auto inputs = blocks_of<Quantizing8::Input>(hidden_seed, 256, 127);
  Expect::healthy(distinct(apart(kQ8, quantizing8.reference(inputs[2].in)).codes) > 200,
                  "few distinct codes");
  quantizing8.agrees_with(quantizing8.reference, inputs, part_by_part(kQ8));
}

TEST(matmul_int4, EqualsTheReference) {
  const auto inputs = every_shape(hidden_seed, {33, 31, 131});
  Expect::healthy(distinct(multiplying.reference(inputs.back().in)) > 100, "few different sums");
  multiplying.agrees_with(multiplying.reference, inputs, same_sums);
}

}  // namespace
}  // namespace nibble::judge::lab_12_int4
