// Lab 32, inverse_cholesky: the checks.
#include "checks/32_gptq/inverse_cholesky.hpp"

namespace nibble::judge::lab_32_gptq {
namespace {

const Factoring factoring{{"h", "inputs"}, {"u"}};

TEST(inverse_cholesky, FactorsTheInverse) {
  factoring.gives({{"Two", {{25, 3, 3, 1}, 2}, {0.25, -0.75, 0, 1}},
                   {"One", {{4}, 1}, {0.5}},
                   {"Diagonal", {{4, 0, 0, 16}, 2}, {0.5, 0, 0, 0.25}},
                   {"Small",
                    {{0x1p-66, 0, 0, 0x1p-68}, 2},
                    {0x1p33, 0, 0, 0x1p34},
                    "what is above 0 is positive, however small"},
                   {"Three", {{14, 14, 3, 14, 17, 4, 3, 4, 1}, 3}, {1, -2, 5, 0, 1, -4, 0, 0, 1}}},
                  look_at_factor);
}

TEST(inverse_cholesky, AnySize) {
  shrinking.agrees_with([](const auto& in) { return factor_by_definition(in.a, in.b); },
                        matrices(seed, {1, 2, 5, 16, 17, 40}), look_at_factor);
}

TEST(inverse_cholesky, RefusesWhatIsNotPositive) {
  factoring.refuses({{"Fine", {{4}, 1}, {0.5}}},
                    {{"", {{0}, 1}},
                     {"", {{-1}, 1}},
                     {"", {{1, 2, 2, 1}, 2}},
                     {"", {{1, 1, 1, 1}, 2}},
                     {"", {{-1, 0, 0, 0, 1, 0, 0, 0, 1}, 3}},
                     {"", {{1, 0, 0, 0, 1, 0, 0, 0, -1}, 3}},
                     {"", {{1, 0, 0, double{kNan}}, 2}},
                     {"", {{double{kInfinity}, 0, 0, 1}, 2}},
                     {"", {{1, 0, double{kInfinity}, 1}, 2}},
                     {"", {{1, double{kInfinity}, 0, 1}, 2}},
                     {"N-SIZE", {{1, 0, 0, 1, 0, 0}, 2}},
                     {"N-SIZE", {Doubles{}, 0}}},
                    look_at_factor);
}

}  // namespace
}  // namespace nibble::judge::lab_32_gptq
