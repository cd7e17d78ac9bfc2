// Lab 35, product_cost: the checks.
#include "checks/35_roofline/product_cost.hpp"

namespace nibble::judge::lab_35_roofline {
namespace {

TEST(product_cost, CountsTwoAProduct) {
  costing.gives({{"Cube", {{Product{2, 3, 5, 8, 8, 32, false}}}, {60, 49}},
                 {"OneRow", {{Product{1, 4, 16, 8, 8, 32, false}}}, {128, 96}},
                 {"NoSum", {{Product{3, 2, 0, 8, 8, 32, false}}}, {0, 24}},
                 {"NoRows", {{Product{0, 2, 4, 8, 8, 32, false}}}, {0, 8}}},
                costing.only({"operations"}));
}

// In "FiveCodes" a has 20 bits, b 12 and c 32: three bytes, two and four; eight in one piece.
TEST(product_cost, CountsWholeBytes) {
  costing.gives({{"Bytes", {{Product{2, 3, 5, 8, 8, 8, false}}}, {60, 10 + 15 + 6}},
                 {"Int8",
                  {{Product{2, 3, 5, 8, 8, 32, false}}},
                  {60, 10 + 15 + 24},
                  "c has c_bits an element, whatever a and b have"},
                 {"Float", {{Product{2, 3, 5, 32, 32, 32, false}}}, {60, 40 + 60 + 24}},
                 {"Mixed", {{Product{2, 4, 8, 16, 4, 32, false}}}, {128, 32 + 16 + 32}},
                 {"RowsTogether",
                  {{Product{2, 1, 1, 4, 8, 8, false}}},
                  {4, 1 + 1 + 2},
                  "a matrix has whole bytes, its rows need not"},
                 {"FiveCodes",
                  {{Product{1, 1, 5, 4, 3, 32, false}}},
                  {10, 3 + 2 + 4},
                  "each matrix has whole bytes of its own"},
                 {"OneBit", {{Product{3, 3, 3, 1, 1, 1, false}}}, {54, 2 + 2 + 2}},
                 {"NoSum",
                  {{Product{3, 2, 0, 8, 8, 32, false}}},
                  {0, 24},
                  "sums of nothing are zeros, and are written all the same"},
                 {"NoRows",
                  {{Product{0, 2, 4, 8, 8, 32, false}}},
                  {0, 8},
                  "each matrix is counted by its own sizes, whatever is computed"}});
}

TEST(product_cost, LeavesOutWhatIsCached) {
  costing.gives({{"Computed",
                  {{Product{2, 3, 5, 8, 16, 32, true}}},
                  {60, 10 + 24},
                  "what is not fetched is multiplied all the same"}},
                costing.only({"operations"}));
  costing.gives({{"Cached", {{Product{2, 3, 5, 8, 16, 32, true}}}, {60, 10 + 24}},
                 {"Fetched", {{Product{2, 3, 5, 8, 16, 32, false}}}, {60, 10 + 30 + 24}}});
}

TEST(product_cost, HoldsLargeCounts) {
  costing.gives({{"Billions",
                  {{Product{4096, 4096, 4096, 8, 8, 32, false}}},
                  {std::int64_t{1} << 37, std::int64_t{96} << 20}},
                 {"Odd",
                  {{Product{999'983, 999'979, 999'961, 8, 8, 32, false}}},
                  {std::int64_t{2} * 999'983 * 999'979 * 999'961,
                   std::int64_t{999'983} * 999'961 + std::int64_t{999'961} * 999'979 +
                       std::int64_t{4} * 999'983 * 999'979}},
                 {"Most",
                  {{Product{kMost, kMost, kMost, 64, 64, 64, false}}},
                  {std::int64_t{1} << 61, std::int64_t{24} << 40}}});
}

TEST(product_cost, RefusesWhatIsNoProduct) {
  costing.refuses({{"Fits", {{Product{2, 3, 5, 1, 64, 32, false}}}, {60, 2 + 120 + 24}}},
                  {{"", {{Product{-1, 3, 5, 8, 8, 32, false}}}},
                   {"", {{Product{2, kMost + 1, 5, 8, 8, 32, false}}}},
                   {"", {{Product{2, 3, 5, 0, 8, 32, false}}}},
                   {"", {{Product{2, 3, 5, 8, 8, 65, false}}}}});
}

}  // namespace
}  // namespace nibble::judge::lab_35_roofline
