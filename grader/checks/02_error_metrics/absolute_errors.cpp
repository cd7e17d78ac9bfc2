// Lab 02, absolute_errors: the checks.
#include "checks/02_error_metrics/absolute_errors.hpp"

namespace nibble::judge::lab_02_error_metrics {
namespace {

const std::vector<Magnitudes::Row> kMagnitudes = {
    {"BothSigns", {{1, 2, 3, 4}, {1, 0, 4, 4}}, {0.75, 2}},
    {"Below", {{-0.5f, -0.25f, 3}, {0, 0, 3}}, {0.25, 0.5}},
    {"AcrossZero", {{3, 2}, {-1, 2}}, {2, 4}},
    {"Positive", {{4, 2, 1}, {1, 3, 1}}, {4.0 / 3, 3}},
    {"Negative", {{1, 3, 1}, {4, 2, 1}}, {4.0 / 3, 3}},
    {"NonePositive", {{2, 3, 1}, {5, 4, 1}}, {4.0 / 3, 3}},
    {"Equal", {{3, -4}, {3, -4}}, {0, 0}}};

TEST(absolute_errors, AveragesTheMagnitudes) {
  magnitudes.gives(kMagnitudes, magnitudes.only({"mae"}));
}

TEST(absolute_errors, TakesTheLargestMagnitude) {
  magnitudes.gives(kMagnitudes, magnitudes.only({"max_error"}));
}

TEST(absolute_errors, SumsInDouble) {
  magnitudes.gives({{"LongTail",
                     long_tail(16777216, 1),
                     {(16777216.0 + 65535.0) / 65536.0, 16777216},
                     "a float32 sum of 65,536 values drops the small ones: the sum is a double"}},
                   magnitudes.only({"mae"}));
  magnitudes.gives({{"AcrossTheFloats",
                     {{FLT_MAX, 1}, {-FLT_MAX, 1}},
                     {FLT_MAX, 2.0 * FLT_MAX},
                     "x - x_hat is beyond FLT_MAX here: it is a double, and so is the largest"}});
}

TEST(absolute_errors, CountsEveryElement) {
  magnitudes.gives(every_length<Magnitudes>([](double n) { return AbsoluteErrors{4.0 / n, 4.0}; }));
}

TEST(absolute_errors, RefusesWhatHasNoError) {
  magnitudes.refuses({{"Fine", {{2, 1}, {4, 1}}, {1, 2}}}, without_an_error<Magnitudes>(),
                     magnitudes.only({"mae"}));
}

}  // namespace
}  // namespace nibble::judge::lab_02_error_metrics
