// Lab 07, minmax_observe: the checks.
#include "checks/07_calibration/minmax_observe.hpp"

namespace nibble::judge::lab_07_calibration {
namespace {

TEST(minmax_observe, KeepsTheExtremes) {
  minmax.gives({{"Wider", {seen(-1, 2), {0, -3, 5, 1}}, seen(-3, 5)},
                {"Narrower", {seen(-4, 8), {1, -1, 2, 0}}, seen(-4, 8)},
                {"OneSide", {seen(-4, 8), {-2, 9, 1}}, seen(-4, 9)},
                {"TheOtherSide", {seen(-4, 8), {1, -6, 2}}, seen(-6, 8)},
                {"AboveZero", {seen(1, 2), {3, 4, 3.5f}}, seen(1, 4)},
                {"BelowZero", {seen(-8, -6), {-5, -4, -4.5f}}, seen(-8, -4)},
                {"TheLastValue", {seen(0, 1), {0.5f, 0.25f, -7}}, seen(-7, 1)},
                {"Huge", {seen(-FLT_MAX, 0), {FLT_MAX}}, seen(-FLT_MAX, FLT_MAX)}});
}

TEST(minmax_observe, FirstBatchInitialises) { minmax.gives(first_batches<&minmax_observe>()); }

// An observer that never learns would pass all of it but the first row.
TEST(minmax_observe, FrozenStaysAsItIs) {
  auto rows = frozen_ones<&minmax_observe>();
  rows.insert(rows.begin(), {"NotFrozen", {seen(-1, 2), {-3, 5}}, seen(-3, 5)});
  minmax.gives(rows, /*if_refused=*/"N-OBSERVER");
}

TEST(minmax_observe, RefusesWhatHasNoRange) {
  minmax.refuses({{"Point", {seen(1, 1), {2}}, seen(1, 2)}}, no_ranges<&minmax_observe>());
}

}  // namespace
}  // namespace nibble::judge::lab_07_calibration
