// Lab 23: values.
#pragma once

#include "cuda_int4.hpp"

#include "checks/23_cuda_int4/answers.hpp"
#include "checks/23_cuda_int4/weights.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/tensors.hpp"
#include "judge/wrong_products.hpp"

namespace nibble::judge::lab_23_cuda_int4 {

// All bytes in order, and in another, so that each is in every place of a word and beside others.
inline void check_every_byte() {
  std::vector<Int4Case> cases;
  for (const int step : {1, 37}) {
    Int4Case c = random_case({1, 1, 512, 64}, seed(0), true, false);
    c.name = step == 1 ? "AllBytes" : "AllBytesShuffled";
    c = misread(c, [&](std::size_t at) {
      const int byte = int(at) / 2 * step % 256;
      return std::int8_t((at % 2 == 0 ? byte << 4 : byte) & 0xf0) >> 4;
    });
    cases.push_back(c);
  }
  asking<Unpack>.is_right(cases);
}

// By hand, with scales that are powers of two: a word; one product; rows of two groups, all of
// whose scales differ; two groups; two rows whose pitch k does not explain; products of the largest
// codes, whose sum passes int16.
struct HandCase {
  Int4Case input;
  Reals w_hat, y, c;  ///< w_hat without padding
};

/// So many times `first`, then `last`.
template <class T>
std::vector<T> many_and_one(std::size_t many, T first, T last) {
  std::vector<T> all(many + 1, first);
  all.back() = last;
  return all;
}
template <class T>
std::vector<T> two_groups(T first, T last) {
  return many_and_one(64, first, last);
}

template <class T>
std::vector<T> joined(std::vector<T> first, const std::vector<T>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// clang-format off
inline std::vector<HandCase> hand_cases() {
  const Codes word = {1, -2, 3, -4, 5, -6, 7, -8}, lows(100, -8), most(100, -128);
  return {
      {{"OneWord", 1, {1, 8, 16, 64}, word, {1.0f}, {1, 10, 2, 20, 3, 30, 4, 40}, {1.0f},
        {1, 2, 4, 8, 16, 32, 64, 128}}, Reals(word.begin(), word.end()), {-711.0f}, {-550.0f}},
      {{"OneProduct", 1, {1, 1, 16, 64}, {-3}, {0.5f}, {7}, {2.0f}, {4.0f}}, {-1.5f}, {-6.0f}, {-21.0f}},
      {{"TwoRowsOfTwoGroups", 1, {2, 65, 48, 64},
        joined(two_groups<std::int8_t>(1, 2), two_groups<std::int8_t>(-1, 3)), {1, 2, 4, 8},
        Codes(65, 1), {1.0f}, Reals(65, 1)},
       joined(two_groups(1.0f, 4.0f), two_groups(-4.0f, 24.0f)), {68, -232}, {68, -232}},
      {{"TwoGroups", 1, {1, 65, 48, 64}, two_groups<std::int8_t>(-1, 7), {0.5f, 2.0f},
        two_groups<std::int8_t>(3, -128), {1.0f}, two_groups(1.0f, 0.5f)},
       two_groups(-0.5f, 14.0f), {-25.0f}, {-1888.0f}},
      {{"TwoRows", 2, {2, 3, 32, 64}, {1, 2, 3, -4, -5, -6}, {1.0f, 2.0f}, {1, 1, 1, 2, 0, -1},
        {2.0f, 0.5f}, {1, 10, 100}}, {1, 2, 3, -8, -10, -12}, {321, -1308}, {12, -60, -0.5f, -2}},
      {{"Extremes", 1, {1, 100, 64, 128}, lows, {1.0f}, most, {1.0f}, Reals(100, 1.0f)},
       Reals(100, -8.0f), {-800}, {102400}}};
}
// clang-format on

/// Where scales alone are asked for: one that is no power of two, and groups that are none.
template <class Exercise>
void check_formula(const Reals HandCase::*member) {
  std::vector<HandCase> cases = hand_cases();
  if (std::is_same_v<Exercise, Dequantize>) {
    cases.push_back(
        {{"AnyScale", 1, {1, 1, 16, 64}, {-7}, {0.1f}, {1}, {1.0f}, {1.0f}}, {-7 * 0.1f}, {}, {}});
    cases.push_back({{"GroupOf192",
                      1,
                      {1, 193, 112, 192},
                      many_and_one<std::int8_t>(192, 1, 2),
                      {1.0f, 4.0f},
                      Codes(193, 1),
                      {1.0f},
                      Reals(193, 1.0f)},
                     many_and_one(192, 1.0f, 8.0f),
                     {},
                     {}});
  }
  std::vector<typename decltype(asking<Exercise>)::Row> rows;
  for (const HandCase& hand : cases) {
    const Int4Case& c = hand.input;
    Reals want = hand.*member;
    if constexpr (std::is_same_v<Exercise, Dequantize>) {
      want = padded<float>(c, [&](auto i, auto p) { return hand.w_hat[i * c.shape.k + p]; });
    }
    rows.push_back({c, want});
  }
  asking<Exercise>.gives(rows);
}

// One; one less than, as many as and one more than a word, a vector of 32 codes, a group, a warp's
// 256; odd k and primes; tall and flat; nothing to sum, with room for it and without.
inline const std::vector<Sizes> kSizes = {
    {1, 1, 1, 64},     {2, 3, 0, 64},     {2, 3, 0, 64, 16},   {3, 2, 7, 64},
    {2, 1, 8, 64},     {2, 3, 9, 64},     {1, 17, 31, 64, 32}, {9, 7, 32, 64},
    {7, 33, 33, 64},   {33, 8, 63, 64},   {31, 70, 64, 64},    {2, 5, 65, 64},
    {65, 3, 127, 64},  {3, 129, 66, 64},  {4, 6, 128, 128},    {5, 2, 129, 128},
    {64, 64, 192, 64}, {6, 31, 255, 192}, {2, 3, 256, 128},    {2, 2, 257, 256},
    {65, 67, 79, 64},  {3, 9, 511, 64},   {1, 2, 777, 64, 48}, {2, 3, 2048, 512},
    {2, 3, 70, 65536}};

/// Two halves of a group that nearly cancel, under scales that are no powers of two: whoever makes
/// floats of them one by one, or multiplies both scales first, has rounded something else.
inline void check_roundings_of_a_group() {
  constexpr int kHalf = 64;
  Int4Case c{"OneRounding", 1, {1, 2 * kHalf, kHalf, 2 * kHalf}, {}, {}, {}, {}, {}};
  c.a = Codes(std::size_t{2} * kHalf, 127);
  c.a.back() = 1;
  c.w = Codes(kHalf, 7);
  c.w.insert(c.w.end(), kHalf, -7);
  c.scales = {0.1f};
  c.a_scales = {0.3f};
  once([&](Expect& expect) {
    const std::int32_t sum = (127 - 1) * 7;
    expect.equal("c", asking<Matmul>(c), Reals{0.3f * (static_cast<float>(sum) * 0.1f)});
    expect.recall("a group becomes a float once, when it is whole; the scale of a comes last");
    expect.otherwise("N-FORMULA");
  });
}

/// A group's sum that passes what a float counts, of words that are odd, and then comes back: a
/// float has lost some of it on the way, however many it adds at once.
inline void check_long_group() {
  constexpr int kUp = 20000, kDown = 3200, kMost = 65536;
  Int4Case c{"LongGroup", 1, {1, kUp + kDown, least_pitch(kUp + kDown), kMost}, {}, {}, {}, {}, {}};
  for (int p = 0; p < kUp + kDown; ++p) c.a.push_back(p < kUp && p % 8 == 0 ? 126 : 127);
  c.w = Codes(kUp, 7);
  c.w.insert(c.w.end(), kDown, -7);
  c.scales = c.a_scales = {1};
  once([&](Expect& expect) {
    expect.that(asking<Matmul>(c) == wanted<Matmul>(c),
                "a group's sum of 23,200 products is not exact", "N-OVERFLOW");
  });
}

template <class Exercise>
void check_shapes() {
  asking<Exercise>.is_right(random_cases(kSizes, seed));
}

// Every length of a last word. And a pitch that is more than it has to be.
inline const std::vector<Sizes> kPadded = {{1, 1, 1, 64},      {2, 3, 2, 64},  {3, 2, 3, 64},
                                           {2, 2, 4, 64},      {2, 3, 5, 64},  {2, 2, 14, 64},
                                           {3, 3, 23, 64, 16}, {2, 9, 97, 64}, {2, 3, 0, 64, 16}};

template <class Exercise>
void check_padding() {
  asking<Exercise>.is_right(random_cases(kPadded, seed, true, true));
}

template <class Exercise>
void check_any_scale() {
  asking<Exercise>.is_right(
      random_cases({{3, 5, 3, 64}, {4, 9, 24, 64}, {5, 7, 70, 64}, {3, 6, 200, 64}}, seed, false));
}

}  // namespace nibble::judge::lab_23_cuda_int4
