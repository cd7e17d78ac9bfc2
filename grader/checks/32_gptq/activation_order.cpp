// Lab 32, activation_order: the checks.
#include "checks/32_gptq/activation_order.hpp"

namespace nibble::judge::lab_32_gptq {
namespace {

TEST(activation_order, LargestFirst) {
  ordering.gives({{"Five", {with_diagonal({2, 8, 1, 4, 0.5}), 5}, {1, 3, 0, 2, 4}},
                  {"Three", {with_diagonal({1, 3, 2}), 3}, {1, 2, 0}},
                  {"Negative",
                   {with_diagonal({1, 0, -2}), 3},
                   {0, 1, 2},
                   "the largest, not that of the largest magnitude"},
                  {"One", {{5}, 1}, {0}}});
}

TEST(activation_order, EqualOnesStay) {
  std::vector<std::int32_t> as_they_stand(20);
  std::iota(as_they_stand.begin(), as_they_stand.end(), 0);
  ordering.gives({{"Twice", {with_diagonal({2, 5, 3, 5}), 4}, {1, 3, 2, 0}},
                  {"All", {with_diagonal({4, 4, 4}), 3}, {0, 1, 2}},
                  {"Many",
                   {with_diagonal(Doubles(20, 4)), 20},
                   as_they_stand,
                   "of equal ones the lower index is first, however many they are"}});
}

TEST(activation_order, RefusesWhatIsNoSquare) {
  ordering.refuses({{"Fine", {{5, 0, 0, 6}, 2}, {1, 0}}},
                   {{"", {{1, 2, 3, 4, 5, 6}, 2}},
                    {"", {Doubles{}, 0}},
                    {"N-NAN", {{double{kNan}, 0, 0, 1}, 2}}});
}

}  // namespace
}  // namespace nibble::judge::lab_32_gptq
