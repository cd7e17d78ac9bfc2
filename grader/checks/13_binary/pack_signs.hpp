// Lab 13, pack_signs: what is right, and what people write instead.
#pragma once

#include "binary.hpp"

#include "checks/13_binary/words_and_bits.hpp"
#include "judge/bits.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_13_binary {

using Packing = Exercise<&pack_signs>;

inline void suspect_signs(Expect& expect, const Matrix& in, const Words&) {
  const auto& [x, rows, cols] = in;
  const auto suspect = [&](const char* code, const char* words, const auto& is_minus,
                           int tail = 0) {
    expect.suspect(code, "bits", bits_where(in, is_minus, tail), words);
  };
  suspect("N-NAN", "as if NaN were below 0", [](float value) { return !(value >= 0.0f); });
  suspect("N-SIGN0", "as if 0 were below 0", [](float value) { return value <= 0.0f; });
  suspect("N-SIGN0", "as if all were below 0 that is not above it",
          [](float value) { return !(value > 0.0f); });
  suspect("N-SIGN0", "as if the sign bit were asked, which -0.0 has",
          [](float value) { return std::signbit(value); });
  suspect("N-FORMULA", "as if the bit 1 stood for plus", [](float value) { return value >= 0.0f; });
  suspect("N-FORMULA", "as if the bit 1 stood for plus", [](float value) { return value > 0.0f; });
  suspect("N-FORMULA", "as if a subnormal number were not below 0",
          [](float value) { return value <= -FLT_MIN; });
  suspect("N-NAN", "x / |x| has the sign, but that of infinity is NaN: signs need no division",
          [](float value) { return value / std::fabs(value) < 0.0f; });
  suspect("N-TAIL", "as if the tail were ones", is_below_zero, 1);

  const Bits right = bits_where(in, is_below_zero);
  Bits short_of_words = right;
  for (std::size_t i = 0; i < short_of_words.size(); ++i) {
    const int column = int(i % (32 * words_of(cols)));
    if (column >= cols / 32 * 32) short_of_words[i] = 0;
  }
  Bits in_one_row = bits_where({x, 1, int(x.size())}, is_below_zero);
  in_one_row.resize(right.size());
  expect.suspect("N-LAYOUT", "bits", turned_words(right), "as if column 0 were the highest bit");
  expect.suspect("N-LAYOUT", "bits", in_one_row,
                 "as if a row went on in the word of the row before");
  Bits whole = in_one_row;
  whole.resize((x.size() + 31) / 32 * 32);
  expect.suspect("N-LAYOUT", "bits", whole, "as if a row went on in the word of the row before");
  expect.suspect("N-TAIL", "bits", short_of_words, "as if the last, short word were left out");
}

inline const Packing packing{{"x", "rows", "cols"}, {"bits"}, suspect_signs};

inline void same_bits(Expect& expect, const Matrix& in, const Words& got, const Words& want) {
  const auto& [x, rows, cols] = in;
  expect.equal("bits", bits_of(got), bits_of(want), {std::size_t(rows), 32 * words_of(cols)});
}

/// One less than, as many as and one more than a word, and two of them; a prime; and one more.
inline std::vector<std::pair<int, int>> shapes(int longest) {
  return {{1, 1},  {2, 5},   {3, 31},  {3, 32},  {3, 33},     {2, 63},
          {2, 64}, {33, 65}, {5, 127}, {64, 96}, {1, longest}};
}

inline std::vector<Packing::Input> random_rows(Seed seed_of, int longest) {
  std::vector<Packing::Input> inputs;
  for (const auto& [rows, cols] : shapes(longest)) {
    const Matrix in{random_floats(rows, cols, seed_of(std::uint64_t(cols))), rows, cols};
    Expect::healthy(cols < longest || distinct(bits_where(in, is_below_zero)) == 2,
                    "signs all alike");
    inputs.push_back({name_of(rows, cols), in});
  }
  return inputs;
}

}  // namespace nibble::judge::lab_13_binary
