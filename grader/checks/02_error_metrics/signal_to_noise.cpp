// Lab 02, signal_to_noise: the checks.
#include "checks/02_error_metrics/signal_to_noise.hpp"

#include "judge/tensors.hpp"

namespace nibble::judge::lab_02_error_metrics {
namespace {

// Means that are not 0, so that variance and power differ.
const std::vector<Comparing::Row> kRatios = {
    {"Two", {{3, 5}, {3.5f, 4.5f}}, ratios(1 / 0.25, 17 / 0.25)},
    {"Four", {{1, 3, 5, 7}, {2, 2, 6, 6}}, ratios(5 / 1.0, 21 / 1.0)},
    {"MoreNoise", {{-1, -3}, {-5, 1}}, ratios(1 / 16.0, 5 / 16.0)}};

TEST(signal_to_noise, SnrComparesTheVariance) {
  comparing.gives(kRatios, comparing.only({"snr_db"}));
}

TEST(signal_to_noise, SqnrComparesThePower) {
  comparing.gives(kRatios, comparing.only({"sqnr_db"}));
}

TEST(signal_to_noise, NoErrorIsInfinite) {
  const SignalToNoise both{kInfinity, kInfinity};
  comparing.gives({{"Varied", {{3, 5}, {3, 5}}, both, "mse is 0 here: then both are +infinity"},
                   {"Constant",
                    {{2, 2}, {2, 2}},
                    both,
                    "mse is 0 and so is the variance: then the ratio is +infinity, not 0 / 0"},
                   {"Zero", {{0}, {0}}, both},
                   {"Almost",
                    {{1, 3}, {1, 3 - 0x1p-22f}},
                    ratios(0x1p45, 5 * 0x1p45),
                    "mse is tiny here, and not 0"}});
}

// 49 times 1/49 is less than 1, as doubles have it: 49 ones over 49 is 1.
TEST(signal_to_noise, NoSignalIsMinusInfinite) {
  comparing.gives(
      {{"Constant",
        {{2, 2}, {3, 1}},
        ratios(0, 4),
        "the variance is 0 here, and mse is not: then snr_db is -infinity"},
       {"Ones",
        {Reals(49, 1.0f), Reals(49, 3.0f)},
        ratios(0, 0.25),
        "the mean is the sum divided by n: a product with 1 / n leaves a little variance"},
       {"Zero", {{0, 0}, {1, 1}}, ratios(0, 0)}});
}

TEST(signal_to_noise, SumsInDouble) {
  const double mean = 0x1p20 + 0.5;
  comparing.gives(
      {{"Tiny",
        {{0x1p-80f, 0x2p-80f}, {0, 0x3p-80f}},
        ratios(0.25, 2.5),
        "mse is not 0 here: the square of 0x1p-80 is 0 in float32, and no 0 in double"},
       {"Huge", {{0x1p80f, 0x2p80f}, {0, 0x3p80f}}, ratios(0.25, 2.5)},
       {"Mean2^20", large_mean(4096, 20), ratios(0.25 / 0.125, (mean * mean + 0.25) / 0.125),
        "a float32 sum of 4,096 values near 2^20 is rounded again and again: sums are doubles"}});
}

// mean x^2 - mean^2 is 2^46 - 2^46 here, and a double has 53 bits: less than 1/64 cannot be seen.
TEST(signal_to_noise, SubtractsTheMeanFirst) {
  comparing.gives({{"Mean2^23", large_mean(1000, 23), ratios(0.25 / 0.125, 0), kCancels}},
                  comparing.only({"snr_db"}));
}

// Of n values 5, 3, 5, …, an odd n has one 5 more: the variance is 1 - 1/n^2.
TEST(signal_to_noise, CountsEveryElement) {
  const auto want = [](double n) {
    const double variance = std::fmod(n, 2.0) == 0.0 ? 1.0 : 1.0 - 1.0 / (n * n);
    return ratios(variance / (16.0 / n), 0);
  };
  comparing.gives(every_length<Comparing>(want), comparing.only({"snr_db"}));
}

TEST(signal_to_noise, RefusesWhatHasNoError) {
  comparing.refuses({{"Fine", {{3, 5}, {3, 3}}, ratios(1 / 2.0, 17 / 2.0)}},
                    without_an_error<Comparing>(), comparing.only({"snr_db"}));
}

}  // namespace
}  // namespace nibble::judge::lab_02_error_metrics
