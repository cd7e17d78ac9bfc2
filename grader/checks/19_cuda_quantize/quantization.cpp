// Lab 19: quantization: checks that three kernels share: the checks.
#include "checks/19_cuda_quantize/quantization.hpp"

#include "cuda_quantize.hpp"

namespace nibble::judge::lab_19_cuda_quantize {
namespace {

struct HandCase {
  std::string name;
  Reals x;
  float scale;
  Codes want;
};

/// Every list as it stands, shorter than most vectors; then behind zeros, so that each number takes
/// other places in its vector.
std::vector<HandCase> spread(const std::vector<HandCase>& cases) {
  std::vector<HandCase> all;
  for (const std::size_t zeros : {0, 3, 13}) {
    for (HandCase c : cases) {
      if (zeros > 0) c.name += "Behind" + std::to_string(zeros);
      c.x.insert(c.x.begin(), zeros, 0.0f);
      c.want.insert(c.want.begin(), zeros, 0);
      all.push_back(c);
    }
  }
  return all;
}

template <auto F>
void gives_by_hand(const std::vector<HandCase>& cases) {
  std::vector<typename decltype(quantizing<F>)::Row> rows;
  for (const HandCase& c : spread(cases)) {
    rows.push_back({{c.name, input<F>(c.x), c.scale}, c.want});
  }
  quantizing<F>.gives(rows);
}

// clang-format off
const std::vector<HandCase> kFormula = {
    {"One", {3.0f}, 1.0f, {3}},
    {"Ties", {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 126.5f, -127.5f}, 1.0f, {0, 2, 2, 0, -2, -2, 126, -128}},
    {"BesideTies", {1.75f, -1.75f, 2.25f, -2.25f}, 1.0f, {2, -2, 2, -2}},
    {"AQuarter", {1.0f, -2.0f, 0.125f, 0.375f, -31.75f, -32.0f}, 0.25f, {4, -8, 0, 2, -127, -128}},
    {"Four", {6.0f, 10.0f, -6.0f, 508.0f}, 4.0f, {2, 2, -2, 127}},
};
const std::vector<HandCase> kSaturates = {
    {"LastCodes", {127.0f, -128.0f, 127.5f, -128.5f}, 1.0f, {127, -128, 127, -128}},
    {"OneMore", {128.0f, -129.0f, 255.0f, -256.0f, 300.0f, -300.0f}, 1.0f, {127, -128, 127, -128, 127, -128}},
    // int32 does not hold the quotient, then float32 does not.
    {"PastInt32", {4e9f, -4e9f, 3e38f, -3e38f}, 1.0f, {127, -128, 127, -128}},
    {"PastFloat32", {3e38f, -3e38f}, 0.0625f, {127, -128}},
    {"Infinity", {kInfinity, -kInfinity, 1.0f, kInfinity, -kInfinity}, 1.0f, {127, -128, 1, 127, -128}},
};
const std::vector<HandCase> kNans = {
    {"Nan", {kNan, 5.0f, kNan, -5.0f}, 1.0f, {0, 5, 0, -5}},
    {"MinusNan", {-kNan, 7.0f}, 1.0f, {0, 7}},
};
// clang-format on

// 7/16: every half-way value is a float (and a half), so every quotient is a tie, and not every
// product with 1 / (7/16) is. 0.1: some quotients are ties only once they are rounded to float32.
// 0.3 is no half. With the last scale, what a rounded quotient leaves of x is too small for
// a float.
template <auto F>
void check_division() {
  Cases<F> cases = {{"SevenSixteenths", input<F>(half_way(0.4375f)), 0.4375f}};
  if constexpr (kTakesHalves<F>) {
    cases.push_back({"ThreeTenths", random_input<F>(3000, seed(1)), 0.3f});
  } else {
    cases.push_back({"ATenth", around_half_way(0.1f), 0.1f});
    cases.push_back({"ThreeTenths", around_half_way(0.3f), 0.3f});
    cases.push_back({"Tiny", around_half_way(1.5e-38f), 1.5e-38f});
  }
  quantizing<F>.is_right(cases);
}

// Nothing; every rest of a vector; one less than, as many as, one more than a warp, a block, a tile
// of 1024 or of 2048; primes.
const std::vector<std::size_t> kLengths = {0,   1,   2,   3,    4,    5,    6,    7,    8,
                                           9,   15,  31,  32,   33,   127,  128,  129,  255,
                                           256, 257, 997, 1023, 1024, 1025, 2047, 2049, 5003};
// Watching is slow: a few of them, and each rest of four and of eight.
const std::vector<std::size_t> kWatchedLengths = {1, 30, 33, 255, 260, 1025, 2051};

template <auto F>
void check_lengths() {
  const Cases<F> cases = random_cases<F>(kLengths, seed);
  const Codes longest = by_definition(cases.back().x, kScale);
  Expect::healthy(distinct(longest) > 20, "few different codes");
  quantizing<F>.is_right(cases);
}

// The end of a tensor of so many elements that an index passes 2^32, too.
template <auto F>
void check_clean() {
  quantizing<F>.is_right(random_cases<F>(kWatchedLengths, seed));
  quantizing<F>.runs_clean(random_cases<F>(kWatchedLengths, seed));
  quantizing<F>.runs_far(random_cases<F>({2051}, seed), [](const QuantizeCase<Element<F>>&) {
    return more_columns({/*x=*/1, /*q=*/1, 0, /*n=*/1});
  });
}

TEST(quantize, FollowsTheFormula) { gives_by_hand<&quantize>(kFormula); }
TEST(quantize, Saturates) { gives_by_hand<&quantize>(kSaturates); }
TEST(quantize, NanIsZero) { gives_by_hand<&quantize>(kNans); }
TEST(quantize, DividesExactly) { check_division<&quantize>(); }
TEST(quantize, EveryLength) { check_lengths<&quantize>(); }
TEST(quantize, RunsClean) { check_clean<&quantize>(); }
TEST(quantize, MovesAtMostTwice) { check_counts<&quantize>({{kGlobalBytes, 2.0}}); }
TEST(quantize, MovesNoMore) {
  check_counts<&quantize>({{kGlobalBytes, 1.1}, {kGlobalRequests, 1.1}, {kThreads, 2.0}});
}

TEST(quantize_vectorized, FollowsTheFormula) { gives_by_hand<&quantize_vectorized>(kFormula); }
TEST(quantize_vectorized, Saturates) { gives_by_hand<&quantize_vectorized>(kSaturates); }
TEST(quantize_vectorized, NanIsZero) { gives_by_hand<&quantize_vectorized>(kNans); }
TEST(quantize_vectorized, DividesExactly) { check_division<&quantize_vectorized>(); }
TEST(quantize_vectorized, EveryLength) { check_lengths<&quantize_vectorized>(); }
TEST(quantize_vectorized, RunsClean) { check_clean<&quantize_vectorized>(); }
TEST(quantize_vectorized, AtMostTwiceTheRequests) {
  check_counts<&quantize_vectorized>({{kGlobalRequests, 2.0}});
}
TEST(quantize_vectorized, AQuarterOfTheRequests) {
  check_counts<&quantize_vectorized>({{kGlobalRequests, 1.1}, {kThreads, 2.0}});
}
TEST(quantize_vectorized, MovesNoMore) {
  check_counts<&quantize_vectorized>({{kGlobalBytes, 1.1}});
}

TEST(quantize_half, FollowsTheFormula) { gives_by_hand<&quantize_half>(kFormula); }
TEST(quantize_half, DividesInFloat32) { check_division<&quantize_half>(); }

// The first scale spreads the codes over the normal numbers; with the second, the subnormal ones
// are the codes; the third is less than any half, the fourth more.
TEST(quantize_half, EveryHalf) {
  Cases<&quantize_half> cases;
  for (const float scale : {0.3f, 0x1p-24f, 1e-9f, 1e5f}) {
    cases.push_back({"scale=" + show_value(scale), every_half(), scale});
  }
  quantizing<&quantize_half>.is_right(cases);
}

TEST(quantize_half, EveryLength) { check_lengths<&quantize_half>(); }
TEST(quantize_half, RunsClean) { check_clean<&quantize_half>(); }
TEST(quantize_half, AtMostTwiceTheRequests) {
  check_counts<&quantize_half>({{kGlobalRequests, 2.0}});
}
TEST(quantize_half, NoMoreRequests) {
  check_counts<&quantize_half>({{kGlobalRequests, 1.1}, {kThreads, 2.0}});
}
TEST(quantize_half, MovesNoMore) { check_counts<&quantize_half>({{kGlobalBytes, 1.1}}); }

}  // namespace
}  // namespace nibble::judge::lab_19_cuda_quantize
