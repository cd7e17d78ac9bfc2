// Lab 35, attainable: the checks.
#include "checks/35_roofline/attainable.hpp"

#include "judge/tensors.hpp"

namespace nibble::judge::lab_35_roofline {
namespace {

/// 1000 operations and 125 bytes a second: the ridge is at 8.
constexpr Machine kEight{1000, 125};

TEST(attainable, LiesBelowTheRoof) {
  roofing.gives({{"Slope", {Cost{250, 125}, kEight}, {2, 8, 250, 1, true}},
                 {"Flat", {Cost{2000, 125}, kEight}, {16, 8, 1000, 2, false}},
                 {"NoInteger", {Cost{500, 1000}, kEight}, {0.5, 8, 62.5, 8, true}},
                 {"LittleMemory", {Cost{500, 1000}, {100, 400}}, {0.5, 0.25, 100, 5, false}},
                 {"Large",
                  {Cost{std::int64_t{1} << 61, 1}, {1e12, 1e11}},
                  {0x1p61, 10, 1e12, 0x1p61 / 1e12, false}},
                 {"ManyBytes",
                  {Cost{1, (std::int64_t{1} << 61) + 3}, {1e12, 1e11}},
                  {0x1p-61, 10, 0x1p-61 * 1e11, 0x1p61 / 1e11, true},
                  "counts have 64 bits, and a tiny intensity is none of 0"}});
}

TEST(attainable, NamesTheBound) {
  const std::string same =
      "intensity and ridge are the same number: compare these two, for products and times are "
      "rounded once more";
  roofing.gives(
      {{"AtTheRidge",
        {Cost{1000, 125}, kEight},
        {8, 8, 1000, 1, false},
        "what lies at the ridge does not wait for memory"},
       {"Left", {Cost{999, 125}, kEight}, {7.992, 8, 999, 1, true}},
       {"Right", {Cost{1001, 125}, kEight}, {8.008, 8, 1000, 1.001, false}},
       {"RidgeOfOne49th", {Cost{1, 49}, {1, 49}}, {1 / 49.0, 1 / 49.0, 1, 1, false}, same},
       {"RidgeOf7By25", {Cost{7, 25}, {7, 25}}, {0.28, 0.28, 7, 1, false}, same},
       {"LongerToMove", {Cost{30, 42}, {1, 1.4}}, {30 / 42.0, 1 / 1.4, 1, 30, false}, same}},
      roofing.only({"memory_bound"}));
}

TEST(attainable, NothingToMoveOrCompute) {
  roofing.gives({{"NoBytes",
                  {Cost{2000, 0}, kEight},
                  {double{kInfinity}, 8, 1000, 2, false},
                  "without bytes the intensity is +infinity, and the rate is peak"},
                 {"NoOperations",
                  {Cost{0, 250}, kEight},
                  {0, 8, 0, 2, true},
                  "without operations intensity and rate are 0, and bytes take their time"}});
}

TEST(attainable, RefusesWhatHasNoRoof) {
  const std::string any_count =
      "any count from 0 on is one, whose sum with the other may be more than 64 bits hold";
  roofing.gives(
      {{"MostOperations", {Cost{INT64_MAX, 1}, {1, 1}}, {0x1p63, 1, 1, 0x1p63, false}, any_count},
       {"MostBytes",
        {Cost{1, INT64_MAX}, {1, 1}},
        {0x1p-63, 1, 0x1p-63, 0x1p63, true},
        any_count}});
  roofing.refuses({{"Slope", {Cost{250, 125}, kEight}, {2, 8, 250, 1, true}},
                   {"NoBytes", {Cost{2000, 0}, kEight}, {double{kInfinity}, 8, 1000, 2, false}},
                   {"NoOperations", {Cost{0, 250}, kEight}, {0, 8, 0, 2, true}}},
                  {{"", {Cost{-1, 125}, kEight}},
                   {"", {Cost{250, -1}, kEight}},
                   {"N-DIV0", {Cost{0, 0}, kEight}},
                   {"", {Cost{250, 125}, {0, 125}}},
                   {"", {Cost{250, 125}, {1000, -1}}},
                   {"N-NAN", {Cost{250, 125}, {double{kNan}, 125}}},
                   {"N-NAN", {Cost{250, 125}, {1000, double{kInfinity}}}}});
}

}  // namespace
}  // namespace nibble::judge::lab_35_roofline
