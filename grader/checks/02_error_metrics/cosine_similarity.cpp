// Lab 02, cosine_similarity: the checks.
#include "checks/02_error_metrics/cosine_similarity.hpp"

#include "checks/02_error_metrics/pairs.hpp"

namespace nibble::judge::lab_02_error_metrics {
namespace {

// Each pair ends in zeros, so that a loop that stops early is told apart from wrong arithmetic.
TEST(cosine_similarity, FollowsTheFormula) {
  turning.gives(
      {{"SameLength", {{3, 4, 0}, {4, 3, 0}}, 0.96},
       {"OtherLength",
        {{3, 4, 0}, {8, 6, 0}},
        0.96,
        "the product is divided by both lengths, and a length is the root of the sum of squares"},
       {"Stretched", {{3, 4, 0}, {3072, 4096, 0}}, 1},
       {"Shrunk", {{3, 4, 0}, {0.375f, 0.5f, 0}}, 1},
       {"Small", {{0x3p-17f, 0x4p-17f, 0}, {0x4p-17f, 0x3p-17f, 0}}, 0.96},
       {"Opposite", {{3, 4, 0}, {-3, -4, 0}}, -1},
       {"RightAngle",
        {{3, 4, 0}, {-4, 3, 0}},
        0,
        "the product is 0 here, and both have a direction"},
       {"ThreeNumbers", {{3, 4, 0, 0}, {0, 3, 4, 0}}, 0.48}});
}

TEST(cosine_similarity, ZeroHasNoDirection) {
  turning.gives({{"XHatIsZero", {{3, 4}, {0, 0}}, 0, "one of both is all zero: then it is 0"},
                 {"XIsZero", {{0, 0}, {3, 4}}, 0},
                 {"BothAreZero", {{0, 0}, {0, -0.0f}}, 1, "both are all zero: then it is 1"}});
}

TEST(cosine_similarity, SumsInDouble) {
  turning.gives({{"Tiny",
                  {{0x3p-80f, 0x4p-80f, 0}, {0x4p-80f, 0x3p-80f, 0}},
                  0.96,
                  "the square of 0x3p-80 is 0 in float32, and no 0 in double"},
                 {"Huge", {{0x3p80f, 0x4p80f, 0}, {0x4p80f, 0x3p80f, 0}}, 0.96},
                 {"LongTail",
                  {tensor_of(65536, 4096, 1), tensor_of(65536, 4096, -1)},
                  (16777216.0 - 65535.0) / (16777216.0 + 65535.0)}});
}

// 1, 1, … against 1, 1, …, -1: the product is two less than n.
TEST(cosine_similarity, CountsEveryElement) {
  std::vector<Turning::Row> rows;
  for (const std::size_t size : {7, 8, 9, 33, 4099}) {
    const Reals x(size, 1.0f);
    Reals x_hat = x;
    x_hat.back() = -1.0f;
    rows.push_back({std::to_string(size), {x, x_hat}, 1.0 - 2.0 / static_cast<double>(size)});
  }
  turning.gives(rows);
}

TEST(cosine_similarity, RefusesWhatHasNoError) {
  turning.refuses({{"Fine", {{4, 3, 0}, {3, 4, 0}}, 0.96}}, without_an_error<Turning>());
}

}  // namespace
}  // namespace nibble::judge::lab_02_error_metrics
