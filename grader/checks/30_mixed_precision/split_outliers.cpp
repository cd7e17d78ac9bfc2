// Lab 30, split_outliers: the checks.
#include "checks/30_mixed_precision/split_outliers.hpp"

namespace nibble::judge::lab_30_mixed_precision {
namespace {

TEST(split_outliers, FindsColumns) {
  const std::string any_row = "one row is enough, and it may be any of them";
  splitting.gives({{"Negative", {{1, -7, 2}, 3, 6}, {1}, "-7 is as far from 0 as 7: |x| counts"},
                   {"FirstRow", {{9, 1, 1, 1, 1, 1}, 2, 6}, {0}, any_row},
                   {"LastRow", {{1, 1, 1, 1, 8, 1}, 2, 6}, {0}, any_row},
                   {"Two", {{1, 9, 2, 1, 1, -7}, 3, 6}, {1, 2}, "in ascending order"},
                   {"None", {{1, 2, 3}, 3, 6}, {}},
                   {"All", {{7, -8}, 2, 6}, {0, 1}},
                   {"NeverAny", {{1e300, 2}, 2, double{kInfinity}}, {}}},
                  kSameColumns);
}

TEST(split_outliers, TheThresholdCounts) {
  splitting.gives({{"At", {{6, 5.75, -6}, 3, 6}, {0, 2}}, {"Half", {{0.5, 0.25}, 2, 0.5}, {0}}},
                  kSameColumns);
}

TEST(split_outliers, RefusesWhatIsNoThreshold) {
  splitting.refuses({{"Fine", {{7, 1}, 2, 6}, {0}}}, {{"", {{7, 1}, 2, 0}},
                                                      {"", {{7, 1}, 2, -6}},
                                                      {"", {{7, 1}, 0, 6}},
                                                      {"N-NAN", {{7, 1}, 2, double{kNan}}},
                                                      {"N-NAN", {{7, double{kNan}}, 2, 6}},
                                                      {"N-SIZE", {{7, 1, 2}, 2, 6}},
                                                      {"N-SIZE", {Doubles{}, 2, 6}}});
}

}  // namespace
}  // namespace nibble::judge::lab_30_mixed_precision
