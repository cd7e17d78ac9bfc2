// Lab 02, mean_squared_error: the checks.
#include "checks/02_error_metrics/mean_squared_error.hpp"

#include "error_metrics.hpp"

namespace nibble::judge::lab_02_error_metrics {
namespace {

TEST(mean_squared_error, AveragesTheSquares) {
  squaring.gives({{"Four", {{1, 2, 3, 4}, {1, 0, 4, 4}}, 1.25},
                  {"OneSided", {{0.5f, 0.25f, 3}, {0, 0, 3}}, 0.3125 / 3},
                  {"AcrossZero", {{3, 2}, {-1, 2}}, 8},
                  {"Equal", {{3, -4}, {3, -4}}, 0}});
}

TEST(mean_squared_error, SumsInDouble) {
  squaring.gives({{"Tiny",
                   {{0x1p-80f, 0}, {0, 0}},
                   0x1p-161,
                   "the square of 0x1p-80 is 0 in float32, and no 0 in double"},
                  {"Huge", {{0x1p80f, 0}, {0, 0}}, 0x1p159},
                  {"AcrossTheFloats",
                   {{FLT_MAX, 1}, {-FLT_MAX, 1}},
                   2.0 * FLT_MAX * FLT_MAX,
                   "the subtraction is in double, too: x - x_hat is beyond FLT_MAX here"},
                  {"LongTail", long_tail(4096, 1), (16777216.0 + 65535.0) / 65536.0,
                   "a float32 sum of 65,536 values drops the small ones: the sum is a double"}});
}

TEST(mean_squared_error, CountsEveryElement) {
  squaring.gives(every_length<Squaring>([](double n) { return 16.0 / n; }));
}

TEST(mean_squared_error, RefusesWhatHasNoError) {
  squaring.refuses({{"Fine", {{2, 1}, {4, 1}}, 2}}, without_an_error<Squaring>());
}

}  // namespace
}  // namespace nibble::judge::lab_02_error_metrics
