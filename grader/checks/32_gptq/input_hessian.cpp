// Lab 32, input_hessian: the checks.
#include "checks/32_gptq/input_hessian.hpp"

namespace nibble::judge::lab_32_gptq {
namespace {

TEST(input_hessian, AddsUpProducts) {
  Doubles many(70'000, 1);
  many[0] = 4096;
  costing.gives({{"Four", {{1, 2, 3, 0, 4, 1, 2, 2}, 2, 0}, {60, 20, 20, 18}},
                 {"Two", {{1, 2, 3, 4}, 2, 0}, {20, 28, 28, 40}},
                 {"Signs", {{1, -2, -1, 3, 1, 2}, 3, 0}, {20, 2, 10, 2, 10, 8, 10, 8, 10}},
                 {"OneInput", {{3, 1}, 1, 0}, {20}},
                 {"Many", {many, 1, 0}, {2 * (16777216.0 + 69'999)}}},
                kSame);
}

TEST(input_hessian, DampsTheDiagonal) {
  costing.gives({{"Half", {{1, 2, 3, 4}, 2, 0.5}, {35, 28, 28, 55}},
                 {"All", {{1, 2, 1, -1, 0, 1}, 2, 1}, {12, 2, 2, 20}},
                 {"OneInput", {{3}, 1, 0.25}, {22.5}}},
                kSame);
}

TEST(input_hessian, DeadInputs) {
  costing.gives({{"Last", {{1, 0, 3, 0}, 2, 0}, {20, 0, 0, 1}},
                 {"Damped", {{1, 0, 3, 0}, 2, 0.5}, {25.25, 0, 0, 6.25}},
                 {"AliveLater", {{1, 0, 3, 2}, 2, 0}, {20, 12, 12, 8}, kDeadInAll},
                 {"AddsUpToZero", {{1, -1}, 1, 0}, {4}, kDeadIsAllZero},
                 {"Tiny", {{0x1p-400}, 1, 0}, {0x1p-799}, kTinyIsAlive},
                 {"All", {{0, 0}, 2, 0.5}, {1.5, 0, 0, 1.5}}},
                kSame);
}

TEST(input_hessian, RefusesWhatIsNoInput) {
  costing.refuses({{"Fine", {{1, 2}, 1, 1}, {20}}},
                  {{"", {{1, 2}, 1, -0.125}},
                   {"", {{1, 2}, 1, 1.5}},
                   {"N-NAN", {{1, 2}, 1, double{kNan}}},
                   {"N-NAN", {{1, double{kNan}}, 1, 0}},
                   {"N-NAN", {{double{kInfinity}, 2}, 1, 0}},
                   {"N-SIZE", {{1, 2, 3}, 2, 0}},
                   {"N-SIZE", {Doubles{}, 2, 0}},
                   {"", {{1, 2}, 0, 0}}},
                  kSame);
}

}  // namespace
}  // namespace nibble::judge::lab_32_gptq
