// Lab 33, hadamard_transform: the checks.
#include "checks/33_smoothquant_awq/hadamard_transform.hpp"

namespace nibble::judge::lab_33_smoothquant_awq {
namespace {

TEST(hadamard_transform, FollowsTheFormula) {
  transforming.gives(
      {{"One", {{7}}, {7}},
       {"Eight",
        {{1, 2, 3, 6, 0, -4, 8, 5}},
        each_of(Doubles{21, 3, -23, 3, 3, -11, 11, 1}, [](double v) { return v / std::sqrt(8); })},
       {"Outlier", {{8, 0, 0, 0}}, {4, 4, 4, 4}},
       {"Second", {{0, 8, 0, 0}}, {4, -4, 4, -4}},
       {"Third", {{0, 0, 8, 0}}, {4, 4, -4, -4}},
       {"Last",
        {{0, 0, 0, 8}},
        {4, -4, -4, 4},
        "3 & 3 has two ones, which is an even number, and a plus"},
       {"Four", {{1, 2, 3, 6}}, {6, -2, -3, 1}}},
      kSameTransform);
}

TEST(hadamard_transform, AnyPowerOfTwo) {
  std::vector<Transforming::Input> inputs;
  for (const std::size_t n : {2, 8, 64, 1024, 1 << 14, 1 << 18}) {
    inputs.push_back({std::to_string(n), {sparse(n, seed(n))}});
  }
  transforming.agrees_with([](const auto& in) { return transform_by_definition(in.a); }, inputs,
                           kSameTransform);
}

TEST(hadamard_transform, IsItsOwnInverse) {
  std::vector<Transforming::Input> inputs;
  for (const std::size_t n : {4, 32, 512}) {
    inputs.push_back({std::to_string(n), {normals(n, seed(n))}});
  }
  transforming.on_each(inputs, [](Expect& expect, const Transforming::Arguments& in) {
    const Doubles once = transforming(in);
    expect_reals(expect, "y", once, transform_by_definition(in.a));
    if (!expect.failure()) expect_reals(expect, "y of y", transforming({once}), in.a);
  });
}

TEST(hadamard_transform, RefusesOtherSizes) {
  transforming.refuses({{"Fine", {{8, 0, 0, 0}}, {4, 4, 4, 4}}},
                       {{"", {Doubles{}}},
                        {"", {{1, 2, 3}}},
                        {"", {{1, 2, 3, 4, 5, 6}}},
                        {"N-NAN", {{1, double{kNan}}}},
                        {"N-NAN", {{double{kInfinity}, 1}}}},
                       kSameTransform);
}

}  // namespace
}  // namespace nibble::judge::lab_33_smoothquant_awq
