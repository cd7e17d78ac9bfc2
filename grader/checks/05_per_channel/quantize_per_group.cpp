// Lab 05, quantize_per_group: the checks.
#include "checks/05_per_channel/quantize_per_group.hpp"

#include "checks/05_per_channel/slices_and_groups.hpp"

namespace nibble::judge::lab_05_per_channel {
namespace {

void groups_match(const std::vector<Groups::Row>& rows) {
  groups.gives(rows, [](Expect& expect, const auto& in, const auto& got, const auto& want) {
    expect.that(got.scales.size() == want.scales.size(),
                "got " + std::to_string(got.scales.size()) + " scales where there are " +
                    std::to_string(want.scales.size()) + " groups",
                in.c == INT_MAX    ? "N-OVERFLOW"
                : in.b % in.c == 0 ? "N-LAYOUT"
                                   : "N-TAIL");
    groups.only({"scales", "q", "row_length", "group_size"})(expect, in, got, want);
  });
}

Groups::Row rows_of(std::string name, std::int32_t row_length, std::int32_t group_size,
                    int num_bits, const Reals& x, const Reals& scales, const Codes& q) {
  return {
      std::move(name), {x, row_length, group_size, num_bits}, {q, scales, row_length, group_size}};
}

std::vector<Groups::Row> one_group_each(const std::vector<OneScale>& all) {
  std::vector<Groups::Row> rows;
  for (const auto& [name, num_bits, x, scale, q, rule] : all) {
    const auto count = static_cast<std::int32_t>(x.size());
    rows.push_back(rows_of(name, count, count, num_bits, x, {scale}, q));
    rows.back().rule = rule;
  }
  return rows;
}

TEST(quantize_per_group, FollowsTheFormula) { groups_match(one_group_each(kFormula)); }

TEST(quantize_per_group, RoundsToNearest) { groups_match(one_group_each(at_width(4, kNearest))); }

TEST(quantize_per_group, TiesGoToEven) { groups_match(one_group_each(at_width(4, kTies))); }

TEST(quantize_per_group, ScaleIsNeverZero) {
  std::vector<Groups::Row> rows{
      rows_of("OneZeroGroup", 4, 2, 4, {0, -0.0f, 14, 2}, {1, 2}, {0, 0, 7, 1}),
      rows_of("TinyGroup", 4, 2, 4, {3 * FLT_MIN, -FLT_MIN, 7, 1}, {FLT_MIN, 1}, {3, -1, 7, 1}),
      rows_of("Empty", 4, 2, 4, {}, {}, {})};
  rows[0].rule = kNoneIsZero;
  rows[1].rule = kTinyIsRaised;
  groups_match(rows);
}

TEST(quantize_per_group, EveryGroupHasItsScale) {
  groups_match({rows_of("TwoGroups", 4, 2, 4, {7, 1, 3.5f, 1}, {1, 0.5f}, {7, 1, 7, 2}),
                rows_of("TwoRows", 4, 2, 4, {7, 1, 3.5f, 1, 14, 2, -1.75f, 1}, {1, 0.5f, 2, 0.25f},
                        {7, 1, 7, 2, 7, 1, -7, 4}),
                rows_of("OfOneElement", 3, 1, 4, {7, -14, 1.75f}, {1, 2, 0.25f}, {7, -7, 7})});
}

// One row: a group that runs into the next row is a question of its own, asked next.
TEST(quantize_per_group, LastGroupMayBeShort) {
  groups_match({rows_of("TwoAndOne", 3, 2, 4, {7, 1, 3.5f}, {1, 0.5f}, {7, 1, 7}),
                rows_of("LargerThanTheRow", 2, 128, 4, {7, -1}, {1}, {7, -1}),
                {"HugeGroup", {{7, -1}, 2, INT_MAX, 4}, {{7, -1}, {1}, 2, INT_MAX}, kHugeGroup},
                rows_of("FourAndThree", 7, 4, 4, {7, 1, 2, 3, 1, 1.75f, 0.25f}, {1, 0.25f},
                        {7, 1, 2, 3, 4, 7, 1})});
}

TEST(quantize_per_group, GroupsEndWithTheirRow) {
  std::vector<Groups::Row> rows{
      rows_of("TwoRowsOfThree", 3, 2, 4, {7, 1, 3.5f, 14, 2, 1.75f}, {1, 0.5f, 2, 0.25f},
              {7, 1, 7, 7, 1, 7}),
      rows_of("RowsShorterThanAGroup", 1, 2, 4, {7, 3.5f, 1.75f}, {1, 0.5f, 0.25f}, {7, 7, 7})};
  for (Groups::Row& row : rows) {
    row.rule = "the last group of a row ends with it, and has nothing of the next row";
  }
  groups_match(rows);
}

TEST(quantize_per_group, EveryValueWithinHalfAStep) {
  every_value_within_half_a_step(groups, three_rows(kThatFit, kWidths, seed));
}

TEST(quantize_per_group, RefusesWhatItCannotQuantize) {
  const Reals x{1, 2, 3, 4};
  groups.refuses({rows_of("TwoBits", 1, 1, 2, {4}, {4}, {1}),
                  rows_of("EightBits", 1, 1, 8, {4}, {4.0f / 127}, {127})},
                 {{"N-NAN", {{1, kNan, 2, 3}, 4, 2, 4}},
                  {"N-NAN", {{1, 2, 3, kInfinity}, 4, 2, 4}},
                  {"N-RANGE", {x, 4, 2, 1}},
                  {"N-RANGE", {x, 4, 2, 9}},
                  {"N-SIZE", {x, 3, 2, 4}},
                  {"N-SIZE", {x, 0, 2, 4}},
                  {"N-SIZE", {x, 4, 0, 4}}},
                 groups.only({"q"}));
}

}  // namespace
}  // namespace nibble::judge::lab_05_per_channel
