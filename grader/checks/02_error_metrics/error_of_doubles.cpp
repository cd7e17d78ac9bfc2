// Lab 02, error_of_doubles: the checks.
#include "checks/02_error_metrics/error_of_doubles.hpp"

#include "checks/02_error_metrics/pairs.hpp"
#include "checks/02_error_metrics/quantization_error.hpp"
#include "checks/02_error_metrics/signal_to_noise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_02_error_metrics {
namespace {

TEST(error_of_doubles, KeepsTheDoubles) {
  const auto [snr_db, sqnr_db] = ratios(0x1p61, 0x5p61);
  in_double.gives(
      {{"Tenths",
        {{1, 2, 3}, {1.1, 2, 2.9}},
        {0.02 / 3, 0.2 / 3, 0.1, 0.01, 20, 10 * std::log10(700.0), 13.8 / std::sqrt(14 * 13.62)}},
       {"Close",
        {{1 + 0x1p-30, 3}, {1, 3}},
        {0x1p-61, 0x1p-31, 0x1p-30, 0x1p-61, snr_db, sqnr_db, 1},
        "1 + 2^-30 is 1 as a float, and no error is left"}});
  auto far_off = worked_by_hand<InDouble>({{"Tiny", 0x1p-300}, {"Huge", 0x1p300}});
  for (InDouble::Row& row : far_off) {
    row.rule = "no float is this; its square fits a double, and a product of two squares does not";
  }
  in_double.gives(far_off);
  stays_a_cosine(in_double);
}

TEST(error_of_doubles, DividesByZeroAsBefore) {
  const double minus_six = decibels(4 / 16.0);
  in_double.gives(
      {{"NoError", {{2, 2}, {2, 2}}, {0, 0, 0, 0, kInfinity, kInfinity, 1}, kExact},
       {"NoSignal", {{2, 2}, {6, 6}}, {16, 4, 4, kInfinity, -kInfinity, minus_six, 1}, kNoSignal},
       {"BothAreZero",
        {{0, 0}, {0, 0}},
        {0, 0, 0, 0, kInfinity, kInfinity, 1},
        "both are all zero: there is no error, and the cosine is 1"},
       {"XIsZero", {{0, 0}, {1, 1}}, {1, 1, 1, kInfinity, -kInfinity, -kInfinity, 0}}});
}

TEST(error_of_doubles, SubtractsTheMeanFirst) {
  in_double.gives(
      {{"Mean2^30", large_mean<InDouble::Arguments>(1000, 30), {0, 0, 0, 0.5, 0, 0, 0}, kCancels}},
      in_double.only({"relative_error"}));
}

TEST(error_of_doubles, RefusesWhatHasNoError) {
  in_double.refuses(worked_by_hand<InDouble>({{"Fine", 1.0}}), without_an_error<InDouble>());
}

}  // namespace
}  // namespace nibble::judge::lab_02_error_metrics
