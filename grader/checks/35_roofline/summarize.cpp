// Lab 35, summarize: the checks.
#include "checks/35_roofline/summarize.hpp"

namespace nibble::judge::lab_35_roofline {
namespace {

TEST(summarize, TakesTheMiddle) {
  summing.gives(
      {{"Odd", {{3, 20, 1}, 0}, {3, 1, 20, 19.0 / 3}, "t holds the times in ascending order"},
       {"Even",
        {{1, 5, 8, 2}, 0},
        {3.5, 1, 5, 4 / 3.5},
        "of an even number the median is the mean of both middles"},
       {"One", {{0.25}, 0}, {0.25, 0.25, 0.25, 0}, "one time is enough"},
       {"Two", {{3, 1}, 0}, {2, 1, 3, 1}}},
      summing.only({"median"}));
}

TEST(summarize, CutsTheWarmUp) {
  summing.gives({{"Cold", {{90, 70, 2, 8, 1, 2, 3}, 2}, {2, 2, 3, 0.5}},
                 {"AllButOne", {{90, 70, 2}, 2}, {2, 2, 2, 0}, "one run that is left is enough"},
                 {"FastFirst", {{1, 2, 9, 8, 7}, 2}, {8, 7, 9, 0.25}},
                 {"SlowLast", {{5, 1, 2, 3, 90}, 1}, {2.5, 1, 3, 0.8}}},
                summing.only({"median"}));
}

TEST(summarize, TakesQuarters) {
  const auto ranks = summing.only({"low", "high"});
  summing.gives({{"Four", {{4, 3, 2, 1}, 0}, {2.5, 1, 3, 0.8}},
                 {"Five",
                  {{5, 1, 2, 4, 3}, 0},
                  {3, 2, 4, 2.0 / 3},
                  "5 / 4 and 15 / 4 are rounded up: low is t[2], high is t[4]"},
                 {"Six", {{6, 5, 1, 2, 4, 3}, 0}, {3.5, 2, 5, 3 / 3.5}},
                 {"Seven", {{7, 6, 5, 1, 2, 4, 3}, 0}, {4, 2, 6, 1}},
                 {"Eight", {{8, 7, 6, 5, 1, 2, 4, 3}, 0}, {4.5, 2, 6, 4 / 4.5}},
                 {"One", {{0.25}, 0}, {0.25, 0.25, 0.25, 0}},
                 {"Equal", {{3, 3, 3}, 1}, {3, 3, 3, 0}}},
                ranks);
  summing.gives({{"OfLowAndHigh",
                  {{8, 6, 4, 2}, 0},
                  {5, 2, 6, 0.8},
                  "spread is high - low by median, not the least and the greatest time"},
                 {"OfTheMedian",
                  {{2, 4, 6, 180}, 0},
                  {5, 2, 6, 0.8},
                  "spread is by the median, not by the mean"}},
                summing.only({"spread"}));
  summing.agrees_with(summary_by_definition, runs(seed, 202));
}

TEST(summarize, RefusesWhatIsNoTime) {
  summing.refuses({{"Fine", {{2, 1}, 1}, {1, 1, 1, 0}}}, {{"", {{2, 1}, 2}},
                                                          {"", {{2, 1}, 3}},
                                                          {"", {{2, 1}, -1}},
                                                          {"N-SIZE", {Times{}, 0}},
                                                          {"", {{2, 0}, 0}},
                                                          {"", {{-2, 1}, 1}},
                                                          {"N-NAN", {{1, double{kNan}}, 0}},
                                                          {"N-NAN", {{double{kInfinity}, 1}, 1}}});
}

}  // namespace
}  // namespace nibble::judge::lab_35_roofline
