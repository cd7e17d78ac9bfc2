// Lab 02, quantization_error: the checks.
#include "checks/02_error_metrics/quantization_error.hpp"

#include "judge/tensors.hpp"

namespace nibble::judge::lab_02_error_metrics {
namespace {

// Two of the units have no square in float32.
const auto kByHand = worked_by_hand<Measuring>(
    {{"Whole", 1.0}, {"Eighths", 0.125}, {"Tiny", 0x1p-80}, {"Huge", 0x1p80}});

TEST(quantization_error, ErrorsAreInTheirPlaces) {
  measuring.gives(kByHand, measuring.only({"mse", "mae", "max_error"}));
}

TEST(quantization_error, RelativeToTheVariance) {
  measuring.gives(kByHand, measuring.only({"relative_error"}));
}

TEST(quantization_error, RatiosAreInDecibels) {
  measuring.gives(kByHand, measuring.only({"snr_db", "sqnr_db"}));
}

TEST(quantization_error, CosineIsTheLast) {
  measuring.gives(kByHand, measuring.only({"cosine"}));
  stays_a_cosine(measuring);
}

TEST(quantization_error, NoErrorIsExact) {
  const QuantizationError exact{0, 0, 0, 0, kInfinity, kInfinity, 1};
  measuring.gives({{"Varied", {{3, 5}, {3, 5}}, exact, kExact},
                   {"Constant", {{2, 2}, {2, 2}}, exact, kExact},
                   {"Zero", {{0}, {0}}, exact}});
}

TEST(quantization_error, NoSignalIsInfinitelyWrong) {
  measuring.gives({{"Constant",
                    {{2, 2}, {6, 6}},
                    {16, 4, 4, kInfinity, -kInfinity, decibels(4 / 16.0), 1},
                    kNoSignal},
                   {"Zero", {{0, 0}, {1, 1}}, {1, 1, 1, kInfinity, -kInfinity, -kInfinity, 0}}});
}

TEST(quantization_error, SubtractsTheMeanFirst) {
  measuring.gives({{"Mean2^23", large_mean(1000, 23), {0, 0, 0, 0.125 / 0.25, 0, 0, 0}, kCancels}},
                  measuring.only({"relative_error"}));
}

TEST(quantization_error, RefusesWhatHasNoError) {
  measuring.refuses({kByHand.front()}, without_an_error<Measuring>());
}

}  // namespace
}  // namespace nibble::judge::lab_02_error_metrics
