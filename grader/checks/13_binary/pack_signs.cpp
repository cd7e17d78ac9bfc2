// Lab 13, pack_signs: the checks.
#include "checks/13_binary/pack_signs.hpp"

namespace nibble::judge::lab_13_binary {
namespace {

Words signs_by_definition(const Matrix& in) { return words_from(bits_where(in, is_below_zero)); }

// No word is the same from its other end, so that one order of bits alone is right.
TEST(pack_signs, SignsToBits) {
  Reals full(32, 1.0f), three(96, 1.0f);
  full[0] = full[5] = full[30] = full[31] = -2.0f;
  three[0] = three[33] = three[66] = three[95] = -0.25f;
  packing.gives({{"FiveColumns", {{2, -3, 1, -1, 4}, 1, 5}, {0b01010}},
                 {"OneColumn", {{-1}, 1, 1}, {1}},
                 {"Extremes", {{FLT_MAX, -FLT_MAX, FLT_TRUE_MIN, -FLT_TRUE_MIN}, 1, 4}, {0b1010}},
                 {"FullWord", {full, 1, 32}, {0xC0000021}},
                 {"ThreeWords", {three, 1, 96}, {1, 2, 0x80000004}}},
                same_bits);
}

TEST(pack_signs, RowsBeginNewWords) {
  Reals two_rows(66, 1.0f);
  two_rows[32] = two_rows[33] = -1.0f;  // the last column of the first row, the first of the second
  packing.gives({{"OneColumn", {{1, -1}, 2, 1}, {0, 1}},
                 {"TwoColumns", {{-1, 1, 1, -1, -1, -1}, 3, 2}, {1, 2, 3}},
                 {"TwoWords", {two_rows, 2, 33}, {0, 1, 1, 0}},
                 {"NoRows", {{}, 0, 5}, {}},
                 {"NoColumns", {{}, 3, 0}, {}}},
                same_bits);
}

TEST(pack_signs, ZeroIsPlus) {
  packing.gives(
      {{"Zero", {{0, -1, 1, 0}, 1, 4}, {2}}, {"MinusZero", {{-0.0f, -1, 0, -0.0f}, 1, 4}, {2}}},
      same_bits);
}

TEST(pack_signs, NanIsPlus) {
  const float minus_nan = std::copysign(kNan, -1.0f);
  packing.gives({{"Nan", {{kNan, -1, 1, kNan}, 1, 4}, {2}},
                 {"NanWithASign", {{minus_nan, -1, 1, minus_nan}, 1, 4}, {2}},
                 {"Infinity", {{kInfinity, -kInfinity, -1}, 1, 3}, {6}}},
                same_bits);
}

/// All rows of `cols` signs.
Packing::Input every_row(int cols) {
  Reals x;
  for (int row = 0; row < 1 << cols; ++row) {
    for (int c = 0; c < cols; ++c) x.push_back(float(row >> c & 1 ? -1 - c : c + 1));
  }
  return {"every row of " + std::to_string(cols), {x, 1 << cols, cols}};
}

// All rows of up to ten signs; longer ones; and where all is below 0 the tail is not.
TEST(pack_signs, EveryWidth) {
  std::vector<Packing::Input> inputs;
  for (int cols = 1; cols <= 10; ++cols) inputs.push_back(every_row(cols));
  for (Packing::Input& input : random_rows(seed, 1031)) inputs.push_back(std::move(input));
  for (const int cols : {5, 40}) {
    inputs.push_back({"all below 0", {Reals(3 * std::size_t(cols), -1.0f), 3, cols}});
  }
  packing.agrees_with(signs_by_definition, inputs, same_bits);
}

TEST(pack_signs, RefusesWrongSizes) {
  packing.refuses({{"Fits", {{1, -1, 1, 1, 1, -1}, 2, 3}, {2, 4}}},
                  {{"", {{1, -1, 1, 1, 1}, 2, 3}},
                   {"", {{1, -1, 1, 1, 1, 1, 1}, 2, 3}},
                   {"", {{1}, 0, 3}},
                   {"", {{}, -1, 0}},
                   {"", {{}, 0, -1}},
                   {"", {{1, -1}, -1, -2}},
                   {"N-OVERFLOW", {{}, 1 << 16, 1 << 16}}},
                  same_bits);
}

}  // namespace
}  // namespace nibble::judge::lab_13_binary
