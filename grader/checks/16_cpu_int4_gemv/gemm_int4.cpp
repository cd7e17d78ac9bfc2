// Lab 16, gemm_int4: the checks.
#include "checks/16_cpu_int4_gemv/gemm_int4.hpp"

#include "checks/16_cpu_int4_gemv/gemv_int4.hpp"
#include "checks/16_cpu_int4_gemv/values.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {
namespace {

// By hand: rows of activations 1, 10, 100 times the first weights, and a power of two for each row.
TEST(gemm_int4, EachRowHasItsScale) {
  const auto rows = [](const std::vector<int>& firsts) {
    Codes a(32 * firsts.size());
    for (std::size_t i = 0; i < firsts.size(); ++i) a[32 * i] = static_cast<std::int8_t>(firsts[i]);
    return a;
  };
  const Weights one{{1, 32, 32}, sparse(32, {{0, 3}}), {1}};
  const Weights two{{2, 32, 32}, sparse(64, {{0, 3}, {32, -5}}), {1, 0.5f}};
  multiplying_batches.is_right({{"OneRow", {rows({10}), {2}, one}},
                                {"TwoRows", {rows({1, 10}), {1, 1}, two}},
                                {"TwoScales", {rows({1, 10}), {4, 0.5f}, one}},
                                {"ThreeByTwo", {rows({1, 10, 100}), {1, 2, 4}, two}}});
}

// No row; every size of a batch up to 17, so that blocks of 2, 4, 8 and 16 rows all leave a rest;
// with one panel short of a row, and with two panels.
TEST(gemm_int4, EveryBatch) {
  std::vector<Named<Batch>> cases{{"NoRows", {{}, {}, random_weights({3, 64, 32}, seed)}},
                                  {"NoInputs", {{}, {1, 2}, {{3, 0, 32}, {}, {}}}}};
  for (std::size_t m = 1; m <= 17; ++m) {
    cases.push_back(
        random_batch(m, m % 2 == 0 ? Int4Shape{15, 128, 64} : Int4Shape{18, 96, 32}, seed));
  }
  cases.push_back(random_batch(33, {5, 64, 64}, seed));
  multiplying_batches.is_right(cases);
}

TEST(gemm_int4, RefusesBadInput) {
  multiplying_batches.refuses(
      {random_batch(3, {2, 64, 32}, seed)},
      bad_products(multiplying_batches, 3, [](const Codes& a, float scale, auto... others) {
        return std::tuple(Isa::kScalar, a, Reals{1.0f, 1.0f, scale}, others...);
      }));
}

TEST(gemm_int4, RefusesOtherIsas) {
  refuses_other_isas(multiplying_batches, kNoResults, random_batch(2, {2, 64, 32}, seed));
}

}  // namespace
}  // namespace nibble::judge::lab_16_cpu_int4_gemv
