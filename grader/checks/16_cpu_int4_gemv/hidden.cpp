// Lab 16: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "cpu_int4_gemv.hpp"

#include "checks/16_cpu_int4_gemv/dequantize_code_book.hpp"
#include "checks/16_cpu_int4_gemv/gemm_int4.hpp"
#include "checks/16_cpu_int4_gemv/gemv_int4.hpp"
#include "checks/16_cpu_int4_gemv/gemv_int8.hpp"
#include "checks/16_cpu_int4_gemv/int4_products.hpp"
#include "checks/16_cpu_int4_gemv/pack_int4.hpp"
#include "checks/16_cpu_int4_gemv/unpack_int4.hpp"
#include "checks/16_cpu_int4_gemv/values.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/named_case.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {
namespace {

TEST(unpack_int4, MatchesReference) {
  unpacking.is_right(random_nibbles({5, 14, 77, 1001, 4099}, hidden_seed));
}

TEST(gemv_int8, MatchesReference) {
  const std::vector<std::array<std::size_t, 2>> sizes = {
      {1, 5}, {6, 59}, {3, 333}, {11, 1024}, {2, 40001}};
  multiplying_int8.is_right(
      each_of(sizes, [](auto size) { return random_int8(size[0], size[1], hidden_seed); }));
}

const std::vector<Int4Shape> kHiddenShapes = {{6, 32, 32},    {19, 160, 32},  {16, 192, 64},
                                              {47, 384, 128}, {9, 2240, 224}, {64, 512, 512}};

TEST(pack_int4, MatchesReference) {
  const auto bytes = [](Expect& expect, const Named<Weights>&, const Bytes& got,
                        const Bytes& right) { expect.equal("packed", got, right); };
  packing(bytes).is_right(random_weights(kHiddenShapes, hidden_seed));
}

/// Batches of `first` rows, and of as many more as `step` says with each shape.
std::vector<Named<Batch>> hidden_batches(std::size_t first, std::size_t step) {
  return each_of(kHiddenShapes, [&](Int4Shape shape, std::size_t at) {
    return random_batch(first + step * at, shape, hidden_seed);
  });
}

TEST(gemv_int4, MatchesReference) { multiplying.is_right(hidden_batches(1, 0)); }

TEST(gemm_int4, MatchesReference) { multiplying_batches.is_right(hidden_batches(2, 3)); }

TEST(dequantize_code_book, MatchesReference) {
  std::vector<Named<Looked>> cases;
  for (const std::size_t count : {3, 50, 321, 1000, 4097}) {
    cases.push_back(random_book(count, 64, hidden_seed));
  }
  looking_up.is_right(cases);
}

}  // namespace
}  // namespace nibble::judge::lab_16_cpu_int4_gemv
