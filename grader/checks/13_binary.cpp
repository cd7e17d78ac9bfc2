// Lab 13: the checks.
#include "binary.hpp"

#include "checks/marks/13_binary.hpp"
#include "judge/bits.hpp"
#include "judge/exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/mix.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Trits = std::vector<std::int8_t>;

/// Shrinking tries sizes that do not belong together, too: those are no inputs.
void belong_together(bool they_do) {
  if (!they_do) throw std::invalid_argument("sizes");
}

std::string name_of(int rows, int cols) {
  return std::to_string(rows) + "x" + std::to_string(cols);
}

// --- Words and bits ------------------------------------------------------------------------------

/// A matrix [rows,cols] and its sizes, as three of the functions take it.
using Matrix = Exercise<&pack_signs>::Arguments;

/// A bit a column where is_minus(x), and `tail` up to the end of each row's last word.
template <class IsMinus>
Bits bits_where(const Matrix& in, const IsMinus& is_minus, int tail = 0) {
  const auto& [x, rows, cols] = in;
  belong_together(x.size() == std::size_t(rows) * std::size_t(cols));
  Bits bits;
  for (std::size_t row = 0; row < x.size(); row += std::size_t(cols)) {
    for (int c = 0; c < cols; ++c) bits.push_back(is_minus(x[row + std::size_t(c)]) ? 1 : 0);
    while (bits.size() % 32 > 0) bits.push_back(tail);
  }
  return bits;
}

bool is_below_zero(float x) { return x < 0.0f; }

/// Row r of x [rows,cols].
std::span<const float> row_of(const Reals& x, int row, int cols) {
  return std::span(x).subspan(std::size_t(row) * std::size_t(cols), std::size_t(cols));
}

/// Steps of 1/64 up to 8, a zero among 1024.
Reals random_floats(int rows, int cols, std::uint64_t its_seed) {
  Reals x;
  for (const int code : code_tensor<int>(std::size_t(rows) * cols, its_seed, -512, 511)) {
    x.push_back(float(code) / 64.0f);
  }
  return x;
}

// --- pack_signs ----------------------------------------------------------------------------------

using Packing = Exercise<&pack_signs>;

void suspect_signs(Expect& expect, const Matrix& in, const Words&) {
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

const Packing packing{{"x", "rows", "cols"}, {"bits"}, suspect_signs};

void same_bits(Expect& expect, const Matrix& in, const Words& got, const Words& want) {
  const auto& [x, rows, cols] = in;
  expect.equal("bits", bits_of(got), bits_of(want), {std::size_t(rows), 32 * words_of(cols)});
}

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

/// One less than, as many as and one more than a word, and two of them; a prime; and one more.
std::vector<std::pair<int, int>> shapes(int longest) {
  return {{1, 1},  {2, 5},   {3, 31},  {3, 32},  {3, 33},     {2, 63},
          {2, 64}, {33, 65}, {5, 127}, {64, 96}, {1, longest}};
}

std::vector<Packing::Input> random_rows(Seed seed_of, int longest) {
  std::vector<Packing::Input> inputs;
  for (const auto& [rows, cols] : shapes(longest)) {
    const Matrix in{random_floats(rows, cols, seed_of(std::uint64_t(cols))), rows, cols};
    Expect::healthy(cols < longest || distinct(bits_where(in, is_below_zero)) == 2,
                    "signs all alike");
    inputs.push_back({name_of(rows, cols), in});
  }
  return inputs;
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

// --- binary_matmul -------------------------------------------------------------------------------

using Multiplying = Exercise<&binary_matmul>;

/// For each output, how many bits p differ for which counts(p). Word w of row j of b_t is at
/// word_of_b(j, w).
template <class Counts, class WordOfB>
Sums differing(const Multiplying::Arguments& in, const Counts& counts, const WordOfB& word_of_b) {
  const auto& [a, b_t, shape] = in;
  const int words = int(words_of(shape.k));
  belong_together(a.size() == std::size_t(shape.m) * words &&
                  b_t.size() == std::size_t(shape.n) * words);
  Sums all;
  for (int i = 0; i < shape.m; ++i) {
    for (int j = 0; j < shape.n; ++j) {
      int count = 0;
      for (int p = 0; p < 32 * words; ++p) {
        const std::uint32_t x = a[std::size_t(i) * words + p / 32];
        const std::uint32_t y = b_t[std::size_t(word_of_b(j, p / 32))];
        if (counts(p) && (x >> p % 32 & 1) != (y >> p % 32 & 1)) ++count;
      }
      all.push_back(count);
    }
  }
  return all;
}

template <class Counts>
Sums differing(const Multiplying::Arguments& in, const Counts& counts) {
  const int words = int(words_of(in.c.k));
  return differing(in, counts, [words](int j, int word) { return j * words + word; });
}

/// 1 for each product of two signs that agree, -1 for each that differ.
Sums sums_by_definition(const Multiplying::Arguments& in) {
  const int k = in.c.k;
  Sums sums = differing(in, [k](int p) { return p < k; });
  for (std::int32_t& sum : sums) sum = (k - sum) - sum;
  return sums;
}

void suspect_sums(Expect& expect, const Multiplying::Arguments& in, const Sums& right) {
  const auto [m, n, k] = in.c;
  const auto suspect = [&](const char* code, const char* words, Sums differ, auto&& sum_of) {
    for (std::int32_t& value : differ) value = sum_of(value);
    if (differ != right) expect.suspect(code, "c", differ, words);
  };
  const auto sum_of = [k = k](int d) { return k - 2 * d; };
  const int words = int(words_of(k)), rest = k % 32 == 0 ? 32 : k % 32;
  const Sums differ = differing(in, [k = k](int p) { return p < k; });
  const auto all = [](int) { return true; };
  suspect("N-TAIL", "as if the tail counted, too", differing(in, all), sum_of);
  constexpr const char* whole = "as if k were the number of all bits of the words";
  suspect("N-TAIL", whole, differing(in, all), [=](int d) { return 32 * words - 2 * d; });
  suspect("N-TAIL", whole, differ, [=](int d) { return 32 * words - 2 * d; });
  suspect("N-TAIL", "as if bit 31 did not count",
          differing(in, [=, k = k](int p) { return p < k && p % 32 < 31; }), sum_of);
  suspect("N-TAIL", "as if the last word did not count",
          differing(in, [=](int p) { return p < 32 * (words - 1); }), sum_of);
  suspect("N-TAIL", "as if the mask of the last word were that of all words",
          differing(in, [=](int p) { return p % 32 < rest; }), sum_of);
  suspect("N-FORMULA", "as if agreeing and differing were exchanged", differ,
          [k = k](int d) { return 2 * d - k; });
  suspect("N-FORMULA", "as if k - count, and not k - 2 * count", differ,
          [k = k](int d) { return k - d; });
  suspect("N-FORMULA", "as if the count itself were the sum", differ, [](int d) { return d; });
  suspect("N-FORMULA", "as if 2 * count were the sum", differ, [](int d) { return 2 * d; });
  suspect("N-FORMULA", "as if the bits that agree were counted, the tail too", differ,
          [=, k = k](int d) { return k - 2 * (32 * words - d); });
  suspect("N-OVERFLOW", "as if the count were a uint8", differ,
          [=](int d) { return sum_of(std::uint8_t(d)); });
  suspect("N-OVERFLOW", "as if the count were a uint16", differ,
          [=](int d) { return sum_of(std::uint16_t(d)); });
  suspect("N-OVERFLOW", "as if the count were an int16", differ,
          [=](int d) { return sum_of(std::int16_t(d)); });
  suspect("N-OVERFLOW", "as if the sum were an int16", differ,
          [=](int d) { return std::int16_t(sum_of(d)); });
  suspect(
      "N-TRANS", "as if b_t were [words, n]",
      differing(
          in, [k = k](int p) { return p < k; }, [n = n](int j, int word) { return word * n + j; }),
      sum_of);
  Sums both;  // AND in the place of XOR
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      int count = 0;
      for (int p = 0; p < k; ++p) {
        const std::uint32_t x = in.a[std::size_t(i) * words + p / 32];
        count += int((x & in.b[std::size_t(j) * words + p / 32]) >> p % 32 & 1);
      }
      both.push_back(count);
    }
  }
  suspect("N-FORMULA", "as if the bits that are 1 in both were counted", both, sum_of);
  Sums transposed;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) transposed.push_back(right[std::size_t(i) * n + j]);
  }
  expect.suspect("N-LAYOUT", "c", transposed, "as if c were [n,m]");
}

const Multiplying multiplying{{"a", "b_t", "m", "n", "k"}, {"c"}, suspect_sums};

void same_sums(Expect& expect, const Multiplying::Arguments& in, const Sums& got,
               const Sums& want) {
  const MatmulShape shape = in.c;
  expect.equal("c", got, want, {std::size_t(shape.m), std::size_t(shape.n)});
}

// + + + - times + - + - is 2, and so on. A word that is full; all that differs; two words; sums
// beyond 16 bits.
TEST(binary_matmul, FollowsTheFormula) {
  multiplying.gives({{"OfTheContract", {{0b10011010}, {0b11001000}, {1, 1, 8}}, {2}},
                     {"FourSigns", {{0b1000}, {0b1010, 0b0111}, {1, 2, 4}}, {2, -4}},
                     {"FullWord",
                      {{0xF0F0F0F0}, {0xF0F0F0F0, 0x0F0F0F0F, 0xFF00FF00}, {1, 3, 32}},
                      {32, -32, 0},
                      "where 32 divides k, all bits of the last word count"},
                     {"TwoWords",
                      {{0, 0}, {0x80000001, 0x80000000}, {1, 1, 64}},
                      {58},
                      "where 32 divides k, all bits of the last word count"},
                     {"ManyWords", {Words(2188), Words(2188, ~0u), {1, 1, 70016}}, {-70016}},
                     {"AllDifferent",
                      {{0b00000, 0b00111, 0b11111}, {0b00001, 0b10101}, {3, 2, 5}},
                      {3, -1, 1, 1, -3, 1}}},
                    same_sums);
}

// Every row of k signs by every other.
TEST(binary_matmul, EveryPairOfShortRows) {
  std::vector<Multiplying::Input> inputs;
  for (int k = 1; k <= 6; ++k) {
    Words rows(std::size_t{1} << k);
    std::iota(rows.begin(), rows.end(), 0u);
    const MatmulShape shape{1 << k, 1 << k, k};
    inputs.push_back({"k = " + std::to_string(k), {rows, rows, shape}});
  }
  multiplying.agrees_with(sums_by_definition, inputs, same_sums);
}

/// Words of `rows` rows of k signs; the tail is zeros, or noise.
Words random_words(int rows, int k, std::uint64_t its_seed, bool noise) {
  Words words(std::size_t(rows) * words_of(k));
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = std::uint32_t(mix(its_seed, i));
    const bool is_last = (i + 1) % words_of(k) == 0;
    if (is_last && !noise && k % 32 > 0) words[i] &= (1u << k % 32) - 1;
  }
  return words;
}

std::vector<Multiplying::Input> products(const std::vector<MatmulShape>& all, Seed seed_of,
                                         bool noise) {
  std::vector<Multiplying::Input> inputs;
  for (const MatmulShape& s : all) {
    const Words a = random_words(s.m, s.k, seed_of(2 * inputs.size()), noise);
    const Words b_t = random_words(s.n, s.k, seed_of(2 * inputs.size() + 1), noise);
    inputs.push_back({size_text(s), {a, b_t, s}});
    if (s.m * s.n > 100 && s.k > 30) {
      Expect::healthy(distinct(sums_by_definition(inputs.back().in)) > 5, "few sums");
    }
  }
  return inputs;
}

// One; one less than, as many as and one more than a word, and two; tall, flat; sums beyond 255.
TEST(binary_matmul, EveryShape) {
  multiplying.gives({{"TwoWords",
                      {{0, 0}, {0xF0F0F0F0, 1}, {1, 1, 33}},
                      {-1},
                      "of 33 columns all bits of the first word count, and one of the second"}},
                    same_sums);
  const std::vector<MatmulShape> all{{2, 3, 1},    {1, 2, 31},  {2, 1, 32},  {2, 3, 33},
                                     {3, 2, 64},   {5, 7, 65},  {40, 3, 96}, {2, 33, 127},
                                     {4, 5, 1024}, {3, 4, 1037}};
  multiplying.agrees_with(sums_by_definition, products(all, seed, /*noise=*/false), same_sums);
}

// 31 bits of noise, one, and some; behind one word, and behind many.
TEST(binary_matmul, TailCountsForNothing) {
  multiplying.agrees_with(
      sums_by_definition,
      products({{1, 1, 1}, {2, 3, 31}, {3, 2, 33}, {5, 4, 50}, {4, 3, 1025}}, seed, /*noise=*/true),
      same_sums);
}

// Without k, and without rows or columns. And a sum that is not 0: nobody earns this with zeros.
TEST(binary_matmul, EmptySumIsZero) {
  multiplying.gives({{"NoK", {{}, {}, {2, 3, 0}}, {0, 0, 0, 0, 0, 0}},
                     {"NoRows", {{}, {1, 2}, {0, 2, 9}}, {}},
                     {"NoColumns", {{1, 2}, {}, {2, 0, 9}}, {}},
                     {"LongestK", {{}, {}, {0, 0, (1 << 30) - 1}}, {}},
                     {"NotEmpty", {{1}, {3}, {1, 1, 5}}, {3}}},
                    same_sums);
}

TEST(binary_matmul, RefusesWrongSizes) {
  multiplying.refuses({{"Fits", {{1, 0}, {3, 0}, {1, 1, 33}}, {31}}},
                      {{"", {{1}, {3, 0}, {1, 1, 33}}},
                       {"", {{1, 0, 0}, {3, 0}, {1, 1, 33}}},
                       {"", {{1, 0}, {3}, {1, 1, 33}}},
                       {"", {{1, 0}, {3, 0, 0}, {1, 1, 33}}},
                       {"", {{}, {}, {-1, 1, 0}}},
                       {"", {{}, {}, {1, -1, 0}}},
                       {"", {{}, {}, {1, 1, -1}}},
                       {"", {{7}, {}, {2, 3, 0}}},
                       {"", {{}, {}, {0, 2, 9}}},
                       {"N-OVERFLOW", {{}, {}, {0, 0, 1 << 30}}},
                       {"N-OVERFLOW", {{}, {}, {1 << 16, 0, 1 << 21}}},
                       {"N-OVERFLOW", {{}, {}, {0, 1 << 16, 1 << 21}}}});
}

// --- What both weights have in common ------------------------------------------------------------

/// alpha(row) of each row.
template <class Alpha>
Reals of_rows(const Matrix& in, const Alpha& alpha) {
  const auto& [w, rows, cols] = in;
  belong_together(cols >= 1 && w.size() == std::size_t(rows) * std::size_t(cols));
  Reals all;
  for (int r = 0; r < rows; ++r) all.push_back(static_cast<float>(alpha(row_of(w, r, cols))));
  return all;
}

/// The sum of the magnitudes above a threshold, and how many they are.
struct Kept {
  double sum = 0.0, count = 0.0;
  double mean() const { return count > 0.0 ? sum / count : 0.0; }
};
Kept kept_above(std::span<const float> row, double threshold) {
  Kept kept;
  for (const double x : row) {
    if (std::fabs(x) > threshold) kept = {kept.sum + std::fabs(x), kept.count + 1.0};
  }
  return kept;
}

/// The same in float32.
float float_mean(std::span<const float> row, double threshold = -1.0) {
  float sum = 0.0f, count = 0.0f;
  for (const float x : row) {
    if (std::fabs(x) <= threshold) continue;
    sum += std::fabs(x);
    count += 1.0f;
  }
  return sum / count;
}

double sum_of(std::span<const float> row) { return kept_above(row, -1.0).sum; }
double mean_magnitude(std::span<const float> row) { return kept_above(row, -1.0).mean(); }

/// What has no mean, whichever function is asked for one; no data, and the size of 2^32.
template <auto F>
std::vector<typename Exercise<F>::Refused> without_a_mean() {
  return {{"N-NAN", {{1, kNan, 2, 3}, 2, 2}},
          {"N-NAN", {{1, 2, kInfinity, 3}, 2, 2}},
          {"N-NAN", {{1, 2, 3, -kInfinity}, 2, 2}},
          {"N-SIZE", {{}, 2, 0}},
          {"N-SIZE", {{}, 0, 0}},
          {"N-SIZE", {{}, -1, 1}},
          {"N-SIZE", {{}, 0, -1}},
          {"N-SIZE", {{1, 2, 3}, 2, 2}},
          {"N-SIZE", {{1, 2, 3, 4, 5}, 2, 2}},
          {"N-OVERFLOW", {{}, 1 << 16, 1 << 16}}};
}

/// Some weights of each shape, of the same size in all rows, and not.
template <auto F>
std::vector<typename Exercise<F>::Input> random_weights(Seed seed_of, int longest) {
  std::vector<typename Exercise<F>::Input> inputs;
  for (const auto& [rows, cols] : shapes(longest)) {
    Reals w = normal_tensor(std::size_t(rows) * std::size_t(cols), seed_of(std::uint64_t(cols)));
    for (std::size_t i = 0; i < w.size(); ++i) w[i] *= float(1 + i / std::size_t(cols) % 4);
    inputs.push_back({name_of(rows, cols), {std::move(w), rows, cols}});
  }
  return inputs;
}

// --- binarize_weights ----------------------------------------------------------------------------

using Binarizing = Exercise<&binarize_weights>;

void suspect_alphas(Expect& expect, const Matrix& in, const BinaryWeights&) {
  const auto& [w, rows, cols] = in;
  const auto suspect = [&](const char* code, const char* words, const auto& alpha) {
    expect.suspect(code, "alpha", of_rows(in, alpha), words);
  };
  suspect_signs(expect, in, {});
  suspect("N-DIV0", "as if the alpha of zeros were 1",
          [](auto row) { return sum_of(row) == 0.0 ? 1.0 : mean_magnitude(row); });
  suspect("N-FLUSH", "as if a small alpha were 0",
          [](auto row) { return sum_of(row) < FLT_MIN ? 0.0 : mean_magnitude(row); });
  suspect("N-AXIS", "as if alpha were that of all rows",
          [&all = w](auto) { return mean_magnitude(all); });
  suspect("N-FLOAT32", "", [](auto row) { return float_mean(row); });
  suspect("N-FLOAT32", "", [](auto row) { return float(sum_of(row)) / float(row.size()); });
  suspect("N-DENOM", "as if alpha were the sum", sum_of);
  suspect("N-DENOM", "as if it were divided by cols - 1",
          [](auto row) { return sum_of(row) / double(row.size() - 1); });
  suspect("N-DENOM", "as if zeros were not counted",
          [](auto row) { return kept_above(row, 0.0).mean(); });
  suspect("N-DENOM", "as if it were divided by rows",
          [rows = rows](auto row) { return sum_of(row) / rows; });
  suspect("N-TAIL", "as if the last column were left out",
          [](auto row) { return sum_of(row.first(row.size() - 1)) / double(row.size()); });
  const auto signed_mean = [](auto row) {
    return std::reduce(row.begin(), row.end(), 0.0) / double(row.size());
  };
  constexpr const char* with_signs = "as if the weights were added, and not their magnitudes";
  suspect("N-FORMULA", with_signs, signed_mean);
  suspect("N-FORMULA", with_signs, [=](auto row) { return std::fabs(signed_mean(row)); });
  suspect("N-FORMULA", "as if alpha were the largest magnitude",
          [](auto row) { return max_abs(row); });
  suspect("N-FORMULA", "as if alpha were the root of the mean square", [](auto row) {
    double squares = 0.0;
    for (const double x : row) squares += x * x;
    return std::sqrt(squares / double(row.size()));
  });
  Reals of_columns;
  for (int c = 0; c < cols; ++c) {
    double sum = 0.0;
    for (int r = 0; r < rows; ++r) sum += std::fabs(row_of(w, r, cols)[std::size_t(c)]);
    of_columns.push_back(static_cast<float>(sum / rows));
  }
  expect.suspect("N-AXIS", "alpha", of_columns, "as if alpha were that of the columns");
}

const Binarizing binarizing{{"w", "rows", "cols"}, {"bits", "alpha"}, suspect_alphas};

const auto same_alphas = [](Expect& expect, const auto&, const auto& got, const auto& want) {
  expect.near("alpha", got.alpha, want.alpha, one_ulp());
};
const auto exact_alphas = [](Expect& expect, const auto&, const auto& got, const auto& want) {
  expect.equal("alpha", got.alpha, want.alpha);
};
void same_weights(Expect& expect, const Matrix& in, const BinaryWeights& got,
                  const BinaryWeights& want) {
  same_bits(expect, in, got.bits, want.bits);
  same_alphas(expect, in, got, want);
}

BinaryWeights binary_by_definition(const Matrix& in) {
  return {words_from(bits_where(in, is_below_zero)), of_rows(in, mean_magnitude)};
}

// One row: means that are exact.
TEST(binarize_weights, MeanMagnitude) {
  binarizing.gives({{"One", {{-3}, 1, 1}, {{1}, {3}}},
                    {"Positive", {{1, 2, 6}, 1, 3}, {{0}, {3}}},
                    {"BothSigns", {{-1, 1, -4, 2}, 1, 4}, {{5}, {2}}},
                    {"SomeZeros", {{0, -5, 0, 0, 5}, 1, 5}, {{2}, {2}}},
                    {"OneLarge", {{-32, 0.5f, -0.5f, 1}, 1, 4}, {{5}, {8.5f}}}},
                   exact_alphas);
}

TEST(binarize_weights, OneScaleARow) {
  binarizing.gives({{"TwoRows", {{1, -3, 5, 7}, 2, 2}, {{}, {2, 6}}},
                    {"ThreeRows", {{1, -1, -8, 8, 3, 0}, 3, 2}, {{}, {1, 8, 1.5f}}},
                    {"ThreeColumns", {{1, 2, 3, -4, -5, -6}, 2, 3}, {{}, {2, 5}}},
                    {"NoRows", {{}, 0, 3}, {{}, {}}}},
                   exact_alphas);
}

// The mean is not subtracted, and the words are those of pack_signs.
TEST(binarize_weights, SignsAsBits) {
  const auto bits_alone = [](Expect& expect, const auto& in, const auto& got, const auto& want) {
    same_bits(expect, in, got.bits, want.bits);
  };
  binarizing.gives({{"AllAbove", {{1, 2, 3, 10}, 1, 4}, {{0}, {}}},
                    {"AllBelow", {{-1, -2, -3, -10}, 1, 4}, {{15}, {}}},
                    {"Zeros", {{0, -0.0f, -1, 3}, 1, 4}, {{4}, {}}}},
                   bits_alone);
  binarizing.agrees_with(binary_by_definition, random_weights<&binarize_weights>(seed, 1031),
                         bits_alone);
}

// In float32 the sums are 2^24 + 4, infinity and 2^25, and a mean made of them is another float.
// The last mean is half-way between two floats, and 1.0 / 49 times its sum is less.
TEST(binarize_weights, RoundsOnce) {
  Reals many(64, 1.0f), between{1273808768, 83};
  many[0] = 0x1p25f;
  between.resize(49);
  binarizing.gives({{"LargeAndSmall", {{0x1p24f, 5, 0}, 1, 3}, {{}, {5592407}}},
                    {"Overflowing", {{FLT_MAX, -FLT_MAX, FLT_MAX}, 1, 3}, {{}, {FLT_MAX}}},
                    {"ManySmall", {many, 1, 64}, {{}, {524289}}},
                    {"BetweenTwo", {between, 1, 49}, {{}, {25996100}}}},
                   exact_alphas);
  binarizing.agrees_with(binary_by_definition, random_weights<&binarize_weights>(seed, 1031),
                         same_alphas);
}

TEST(binarize_weights, ZerosComeBack) {
  binarizing.gives({{"Zeros", {{0, -0.0f, 0}, 1, 3}, {{}, {0}}},
                    {"Subnormal", {{FLT_TRUE_MIN, -FLT_TRUE_MIN}, 1, 2}, {{}, {FLT_TRUE_MIN}}},
                    {"Small", {{0x1p-140f, 0x1p-140f, 0, 0, 1, 1}, 3, 2}, {{}, {0x1p-140f, 0, 1}}}},
                   exact_alphas);
}

TEST(binarize_weights, RefusesWhatHasNoMean) {
  binarizing.refuses({{"Fits", {{1, -2, 3, 4}, 2, 2}, {{2, 0}, {1.5f, 3.5f}}}},
                     without_a_mean<&binarize_weights>());
}

// --- ternarize -----------------------------------------------------------------------------------

using Ternarizing = Exercise<&ternarize>;

/// What a threshold makes of a row, with 0 where the weight is not above it.
void append_trits(Trits& trits, std::span<const float> row, double threshold) {
  for (const double x : row) trits.push_back(x > threshold ? 1 : -x > threshold ? -1 : 0);
}

Trits trits_by(const Matrix& in, const auto& threshold_of) {
  const auto& [w, rows, cols] = in;
  belong_together(w.size() == std::size_t(rows) * std::size_t(cols));
  Trits trits;
  for (int r = 0; r < rows; ++r) {
    append_trits(trits, row_of(w, r, cols), threshold_of(row_of(w, r, cols)));
  }
  return trits;
}

double threshold_of(std::span<const float> row) { return 0.7 * mean_magnitude(row); }

Kept kept_of(std::span<const float> row) { return kept_above(row, threshold_of(row)); }

void suspect_ternary(Expect& expect, const Matrix& in, const TernaryWeights&) {
  const auto threshold = [&](const char* code, const char* words, const auto& of_row) {
    expect.suspect(code, "trits", trits_by(in, of_row), words);
  };
  const auto alpha = [&](const char* code, const char* words, const auto& of_row) {
    expect.suspect(code, "alpha", of_rows(in, of_row), words);
  };
  const double of_all = threshold_of(in.a);
  threshold("N-FORMULA", "as if 0.7 were multiplied by the sum first",
            [](auto row) { return 0.7 * sum_of(row) / double(row.size()); });
  threshold("N-FLOAT32", "", [](auto row) { return 0.7f * float_mean(row); });
  threshold("N-FLOAT32", "", [](auto row) { return 0.7f * float(mean_magnitude(row)); });
  threshold("N-FLOAT32", "as if 0.7 were a float",
            [](auto row) { return 0.7f * mean_magnitude(row); });
  threshold("N-FLOAT32", "as if the mean were a float",
            [](auto row) { return 0.7 * float(mean_magnitude(row)); });
  threshold("N-FLOAT32", "as if the threshold were a float",
            [](auto row) { return float(threshold_of(row)); });
  threshold("N-FLOAT32", "", [](auto row) {  // a mean that is 0 in float32 alone, and taken for it
    const double mean = mean_magnitude(row);
    return float(mean) == 0 ? mean * double(row.size()) : 0.7 * mean;
  });
  threshold("N-FLUSH", "", [](auto row) { return std::max(threshold_of(row), double{FLT_MIN}); });
  threshold("N-DENOM", "as if zeros were not counted in the mean",
            [](auto row) { return 0.7 * kept_above(row, 0.0).mean(); });
  threshold("N-AXIS", "as if the threshold were that of all rows", [=](auto) { return of_all; });
  const auto times = [&](double factor, const char* words) {
    threshold("N-FORMULA", words, [=](auto row) { return factor * mean_magnitude(row); });
  };
  times(0.75, "as if the threshold were 0.75 times the mean");
  times(0.5, "as if the threshold were half of the mean");
  times(1.0, "as if the threshold were the mean");
  threshold("N-FORMULA", "as if the threshold were 0.7 times the largest magnitude",
            [](auto row) { return 0.7 * max_abs(row); });
  threshold("N-FORMULA", "as if the threshold were 0.05 times the largest magnitude",
            [](auto row) { return max_abs(row) / 20; });
  threshold("N-FORMULA", "as if a weight on the threshold were not 0",
            [](auto row) { return std::nextafter(threshold_of(row), 0.0); });
  const auto right = trits_by(in, threshold_of);
  const auto changed = [&](const char* words, int minus, int plus) {
    expect.suspect("N-SIGN", "trits",
                   each_of(right, [=](int trit) { return trit < 0   ? minus
                                                         : trit > 0 ? plus
                                                                    : 0; }),
                   words);
  };
  changed("as if a trit had no sign", 1, 1);
  changed("as if weights below 0 were all 0", 0, 1);
  changed("as if trits had the other sign", 1, -1);
  alpha("N-DIV0", "as if the alpha of zeros were 1",
        [](auto row) { return sum_of(row) == 0.0 ? 1.0 : kept_of(row).mean(); });
  alpha("N-FLOAT32", "", [](auto row) { return float_mean(row, threshold_of(row)); });
  alpha("N-AXIS", "as if the threshold were that of all rows",
        [=](auto row) { return kept_above(row, of_all).mean(); });
  alpha("N-DENOM", "as if alpha were the mean of all weights", mean_magnitude);
  alpha("N-DENOM", "as if what is kept were divided by cols",
        [](auto row) { return kept_of(row).sum / double(row.size()); });
  alpha("N-DENOM", "as if all were added, and divided by how many are kept",
        [](auto row) { return sum_of(row) / kept_of(row).count; });
  alpha("N-DENOM", "as if alpha were the sum of what is kept",
        [](auto row) { return kept_of(row).sum; });
  alpha("N-FORMULA", "as if alpha were the threshold", threshold_of);
}

const Ternarizing ternarizing{{"w", "rows", "cols"}, {"trits", "alpha"}, suspect_ternary};

TernaryWeights ternary_by_definition(const Matrix& in) {
  return {trits_by(in, threshold_of), of_rows(in, [](auto row) { return kept_of(row).mean(); })};
}

void same_trits(Expect& expect, const Matrix& in, const TernaryWeights& got,
                const TernaryWeights& want) {
  const auto& [w, rows, cols] = in;
  expect.equal("trits", got.trits, want.trits, {std::size_t(rows), std::size_t(cols)});
}

/// 0 / 0 is told as what it is.
void same_of_zeros(Expect& expect, const Matrix& in, const TernaryWeights& got,
                   const TernaryWeights& want) {
  same_trits(expect, in, got, want);
  for (const float alpha : got.alpha) expect.that(!std::isnan(alpha), "alpha is NaN", "N-DIV0");
  exact_alphas(expect, in, got, want);
}

// All rows of five trits are their own: at most 0.7 is the threshold, and 1 is above it.
TEST(ternarize, AboveTheThreshold) {
  Reals w;
  for (int i = 0; i < 243; ++i) {
    for (const int place : {81, 27, 9, 3, 1}) w.push_back(float(i / place % 3 - 1));
  }
  ternarizing.gives(
      {{"One", {{-3}, 1, 1}, {{-1}, {}}},
       {"OfTheReadme", {{0.25f, -1.5f, 0.5f, -0.25f, 1}, 1, 5}, {{0, -1, 1, 0, 1}, {}}},
       {"SomeSmall", {{9, -2, 0, 2, -7}, 1, 5}, {{1, 0, 0, 0, -1}, {}}},
       {"SomeZeros", {{0, 0, 1, 1, -2, 4}, 1, 6}, {{0, 0, 1, 1, -1, 1}, {}}},
       {"OnlyZeros",
        {{0, 0}, 1, 2},
        {{0, 0}, {}},
        "a weight at the threshold is 0: a sign counts above the threshold alone"},
       {"NearIt", {{6.875f, -7.125f, 13, -13}, 1, 4}, {{0, -1, 1, -1}, {}}},
       {"Between", {{4, 3, 2, -2, -3, -4}, 1, 6}, {{1, 1, 0, 0, -1, -1}, {}}},
       {"BehindZeros",
        {{0, 0, 2, -2}, 2, 2},
        {{0, 0, 1, -1}, {}},
        "a row behind a row of zeros has trits of its own"}},
      same_trits);
  ternarizing.agrees_with(ternary_by_definition, {{"every row of 5", {w, 243, 5}}}, same_trits);
}

TEST(ternarize, OneThresholdARow) {
  ternarizing.gives({{"TwoRows", {{1, -3, 50, 70}, 2, 2}, {{0, -1, 1, 1}, {}}},
                     {"ThreeRows", {{1, 0, -8, 1, 0, 64}, 3, 2}, {{1, 0, -1, 0, 0, 1}, {}}},
                     {"NoRows", {{}, 0, 3}, {{}, {}}}},
                    same_trits);
  ternarizing.agrees_with(ternary_by_definition, random_weights<&ternarize>(seed, 1031),
                          same_trits);
}

TEST(ternarize, AlphaOfWhatIsKept) {
  ternarizing.gives({{"One", {{-3}, 1, 1}, {{-1}, {3}}},
                     {"AllKept", {{2, -3, 3, 2}, 1, 4}, {{1, -1, 1, 1}, {2.5f}}},
                     {"SomeKept", {{9, -2, 0, 2, -7}, 1, 5}, {{1, 0, 0, 0, -1}, {8}}},
                     {"TwoRows", {{1, -3, 50, 70}, 2, 2}, {{0, -1, 1, 1}, {3, 60}}}});
}

// Thresholds of 3.5, 7 and 42, each exact: the product of 0.7 and a mean of 5, 10 and 60. And one
// of 7000001.05: times 0.7f it would be less than 7000001.
TEST(ternarize, OnTheThreshold) {
  ternarizing.gives(
      {{"NoFloat32",
        {{7000001, 13000002}, 1, 2},
        {{0, 1}, {13000002}},
        "0.7 is a float64, not 0.7f"},
       {"Seven", {{7, -13, 7000001, 13000002}, 2, 2}, {{0, -1, 0, 1}, {13, 13000002}}},
       {"Both", {{8, -3.5f, 0, 3.5f, -8, 7}, 1, 6}, {{1, 0, 0, 0, -1, 1}, {23 / 3.0f}}},
       {"FortyTwo",
        {{69, 42, -69}, 1, 3},
        {{1, 0, -1}, {69}},
        "the sum is divided by cols, and the mean times 0.7: each is rounded"}});
}

// In float64, 0.7 * 90 is less than 63, and 63 / 90 is 0.7. A weight that is above the threshold,
// and not where that, the mean, or 0.7 is a float32; one that is not; sums beyond float32.
TEST(ternarize, ComputesInDouble) {
  const float close = 0x1.13b13cp-1f, closer = 0x1.8c4ec4p+3f;
  const auto mean_with_1 = static_cast<float>((double{close} + 1) / 2);
  ternarizing.gives(
      {{"Close",
        {{63, -117, 1, close, 23, closer}, 3, 2},
        {{1, -1, 1, 1, 1, 0}, {90, mean_with_1, 23}}},
       {"LargeSum", {{0x1p24f, -0x1p24f - 2, 0x1p24f + 8}, 1, 3}, {{1, -1, 1}, {0x1p24f + 4}}},
       {"Overflowing", {{FLT_MAX, -FLT_MAX, FLT_MAX}, 1, 3}, {{1, -1, 1}, {FLT_MAX}}}});
  ternarizing.agrees_with(ternary_by_definition, random_weights<&ternarize>(seed, 1031),
                          same_alphas);
}

TEST(ternarize, ZerosComeBack) {
  ternarizing.gives({{"Zeros", {{0, -0.0f, 0}, 1, 3}, {{0, 0, 0}, {0}}},
                     {"ARowOfThem", {{0, 0, 2, 2}, 2, 2}, {{0, 0, 1, 1}, {0, 2}}},
                     {"Small", {{0x1p-140f, -0x1p-140f}, 1, 2}, {{1, -1}, {0x1p-140f}}},
                     {"Smallest",
                      {{FLT_TRUE_MIN, 0, 0, 0, 0, -FLT_TRUE_MIN}, 2, 3},
                      {{1, 0, 0, 0, 0, -1}, {FLT_TRUE_MIN, FLT_TRUE_MIN}},
                      "this is no row of zeros: its mean is 0 in float32 alone"}},
                    same_of_zeros);
}

TEST(ternarize, RefusesWhatHasNoMean) {
  ternarizing.refuses({{"Fits", {{1, -3, 5, 5}, 2, 2}, {{0, -1, 1, 1}, {3, 5}}}},
                      without_a_mean<&ternarize>());
}

// --- pack_ternary --------------------------------------------------------------------------------

using PackingTrits = Exercise<&pack_ternary>;

/// Bytes of five digits, worth `places`; `pad` is the digit behind the last trit.
Bytes bytes_by(const Trits& trits, const std::array<int, 5>& places, int pad) {
  Bytes bytes;
  for (std::size_t first = 0; first < trits.size(); first += 5) {
    int byte = 0;
    for (std::size_t t = 0; t < 5; ++t) {
      const int digit = first + t < trits.size() ? trits[first + t] + 1 : pad;
      belong_together(0 <= digit && digit <= 2);
      byte += digit * places[t];
    }
    bytes.push_back(static_cast<std::uint8_t>(byte));
  }
  return bytes;
}

constexpr std::array<int, 5> kLowestFirst{1, 3, 9, 27, 81}, kHighestFirst{81, 27, 9, 3, 1};

Bytes bytes_by_definition(const PackingTrits::Arguments& in) {
  return bytes_by(in.a, kLowestFirst, 1);
}

void suspect_bytes(Expect& expect, const PackingTrits::Arguments& in, const Bytes& right) {
  const Trits& trits = in.a;
  Bytes fractions;
  for (const int byte : right)
    fractions.push_back(static_cast<std::uint8_t>((byte * 256 + 242) / 243));
  expect.suspect("N-LAYOUT", "bytes", bytes_by(trits, kHighestFirst, 1),
                 "as if the first trit were the highest digit");
  expect.suspect("N-TAIL", "bytes", bytes_by(trits, kLowestFirst, 0),
                 "as if a missing trit were the digit 0");
  expect.suspect("N-TAIL", "bytes", bytes_by(trits, kHighestFirst, 0),
                 "as if the first trit were the highest digit, and a missing one the digit 0");
  expect.suspect("N-FORMULA", "bytes", fractions);
  expect.suspect("N-FORMULA", "bytes", bytes_by(trits, {1, 4, 16, 64, 256}, 1),
                 "as if a trit had two bits");
  const auto digits = [&](const char* words, const auto& digit_of) {
    Trits as_digits;  // less 1, which bytes_by adds
    for (const int trit : trits) as_digits.push_back(static_cast<std::int8_t>(digit_of(trit) - 1));
    expect.suspect("N-FORMULA", "bytes", bytes_by(as_digits, kLowestFirst, digit_of(0)), words);
  };
  digits("as if -1 were the digit 2, and 0 and 1 themselves",
         [](int trit) { return trit < 0 ? 2 : trit; });
  digits("as if a digit were 1 - trit", [](int trit) { return 1 - trit; });
}

const PackingTrits packing_trits{{"trits"}, {"bytes"}, suspect_bytes};

TEST(pack_ternary, FirstTritIsLowest) {
  packing_trits.gives({{"OfTheContract", {{-1, 0, 1, 1, -1}}, {75}},
                       {"OnlyTheFirst", {{1, -1, -1, -1, -1}}, {2}},
                       {"OnlyTheLast", {{-1, -1, -1, -1, 0}}, {81}},
                       {"Zeros", {{0, 0, 0, 0, 0}}, {121}},
                       {"TwoBytes", {{1, 1, 1, 1, 1, -1, -1, -1, -1, 1}}, {242, 162}},
                       {"None", {{}}, {}}});
}

/// All 243 rows of five trits, in the order of their bytes.
Trits every_five() {
  Trits trits;
  for (int byte = 0; byte < 243; ++byte) {
    for (int rest = byte, t = 0; t < 5; ++t, rest /= 3) trits.push_back(std::int8_t(rest % 3 - 1));
  }
  return trits;
}

TEST(pack_ternary, EveryByte) {
  packing_trits.agrees_with(bytes_by_definition, {{"every byte", {every_five()}}});
}

// All rows of one to four trits, and behind five others.
TEST(pack_ternary, PadsWithTheTritZero) {
  std::vector<PackingTrits::Input> inputs;
  for (int count = 1, rows = 3; count <= 4; ++count, rows *= 3) {
    for (int row = 0; row < rows; ++row) {
      Trits trits;
      for (int rest = row, t = 0; t < count; ++t, rest /= 3) {
        trits.push_back(std::int8_t(rest % 3 - 1));
      }
      inputs.push_back({std::to_string(count) + " trits", {trits}});
      if (count == 4) continue;
      trits.insert(trits.begin(), {1, -1, 0, 1, 1});
      inputs.push_back({std::to_string(5 + count) + " trits", {trits}});
    }
  }
  packing_trits.agrees_with(bytes_by_definition, inputs);
}

// Every other int8, and in each of the seven places.
TEST(pack_ternary, RefusesWhatIsNoTrit) {
  std::vector<PackingTrits::Refused> refused;
  for (std::size_t place = 0; place < 7; ++place) {
    for (const std::int8_t value : {2, -2}) {
      Trits trits(7, 1);
      trits[place] = value;
      refused.push_back({"", {trits}});
    }
  }
  for (int value = -128; value <= 127; ++value) {
    if (std::abs(value) > 1) refused.push_back({"", {Trits{0, static_cast<std::int8_t>(value)}}});
  }
  packing_trits.refuses({{"Ten", {{1, 1, 1, 1, 1, -1, 0, 0, 0, 0}}, {242, 120}}}, refused);
}

// --- unpack_ternary ------------------------------------------------------------------------------

using Unpacking = Exercise<&unpack_ternary>;

Trits trits_with(const Unpacking::Arguments& in, const std::array<int, 5>& places, int less) {
  const auto& [bytes, count] = in;
  belong_together(count >= 0 && bytes.size() == std::size_t(count + 4) / 5);
  Trits trits;
  for (std::size_t i = 0; i < std::size_t(count); ++i) {
    belong_together(bytes[i / 5] < 243);
    trits.push_back(static_cast<std::int8_t>(bytes[i / 5] / places[i % 5] % 3 - less));
  }
  return trits;
}

Trits trits_by_definition(const Unpacking::Arguments& in) {
  return trits_with(in, kLowestFirst, 1);
}

void suspect_digits(Expect& expect, const Unpacking::Arguments& in, const Trits&) {
  const auto& [bytes, count] = in;
  expect.suspect("N-LAYOUT", "trits", trits_with(in, kHighestFirst, 1));
  expect.suspect("N-FORMULA", "trits", trits_with(in, kLowestFirst, 0));
  Trits of_signed;
  for (std::size_t i = 0; i < std::size_t(count); ++i) {
    const int byte = static_cast<std::int8_t>(bytes[i / 5]);
    of_signed.push_back(static_cast<std::int8_t>(byte / kLowestFirst[i % 5] % 3 - 1));
  }
  expect.suspect("N-SIGN", "trits", of_signed);
}

const Unpacking unpacking{{"bytes", "count"}, {"trits"}, suspect_digits};

TEST(unpack_ternary, FirstTritIsLowest) {
  unpacking.gives({{"OfTheContract", {{75}, 5}, {-1, 0, 1, 1, -1}},
                   {"OnlyTheFirst", {{2}, 5}, {1, -1, -1, -1, -1}},
                   {"OnlyTheLast", {{81}, 5}, {-1, -1, -1, -1, 0}},
                   {"Zeros", {{121}, 5}, {0, 0, 0, 0, 0}},
                   {"TwoBytes", {{242, 162}, 10}, {1, 1, 1, 1, 1, -1, -1, -1, -1, 1}},
                   {"None", {{}, 0}, {}}});
}

/// As many trits, packed.
Unpacking::Input packed_trits(int count, Seed seed_of) {
  const Trits trits = code_tensor<std::int8_t>(std::size_t(count), seed_of(count), -1, 1);
  return {std::to_string(count) + " trits", {bytes_by(trits, kLowestFirst, 1), count}};
}

TEST(unpack_ternary, EveryByte) {
  Bytes bytes(243);
  std::iota(bytes.begin(), bytes.end(), 0);
  std::vector<Unpacking::Input> inputs;
  for (const int count : {1, 4, 6, 9, 11}) inputs.push_back(packed_trits(count, seed));
  inputs.push_back({"every byte", {bytes, 1215}});
  unpacking.agrees_with(trits_by_definition, inputs);
}

// Every byte as the last one, of which one to four trits are wanted.
TEST(unpack_ternary, AnythingBehindTheLast) {
  std::vector<Unpacking::Input> inputs;
  for (int byte = 0; byte < 243; ++byte) {
    const Bytes last{static_cast<std::uint8_t>(byte)};
    inputs.push_back({std::to_string(byte), {last, 1 + byte % 4}});
  }
  unpacking.agrees_with(trits_by_definition, inputs);
}

// Each of the 13: alone, first, in the middle, and last, where one trit of it is wanted.
TEST(unpack_ternary, RefusesWhatIsNoCode) {
  std::vector<Unpacking::Refused> refused;
  for (int byte = 243; byte <= 255; ++byte) {
    const auto code = static_cast<std::uint8_t>(byte);
    refused.push_back({"", {{code}, 5}});
    for (const Bytes& bytes : {Bytes{code, 2, 3}, Bytes{1, code, 3}, Bytes{1, 2, code}}) {
      refused.push_back({"", {bytes, 11}});
    }
  }
  unpacking.refuses({{"Largest", {{242, 120}, 6}, {1, 1, 1, 1, 1, -1}}}, refused);
}

TEST(unpack_ternary, RefusesWrongSizes) {
  const std::vector<Unpacking::Refused> refused{{"", {{121, 121}, 5}}, {"", {{121}, 6}},
                                                {"", {{121}, 0}},      {"", {{}, 1}},
                                                {"", {{}, -1}},        {"", {{121}, -1}}};
  unpacking.refuses({{"Fits", {{242, 120}, 6}, {1, 1, 1, 1, 1, -1}}}, refused);
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt. The longest are longer than any public one.

TEST(pack_signs, EqualsTheReference) {
  packing.agrees_with(packing.reference, random_rows(hidden_seed, 5003), same_bits);
}

TEST(binary_matmul, EqualsTheReference) {
  const std::vector<MatmulShape> shapes{{1, 1, 7},    {3, 5, 40},   {7, 2, 64},
                                        {17, 13, 99}, {2, 66, 320}, {2, 1, 80003}};
  for (const bool noise : {false, true}) {
    multiplying.agrees_with(multiplying.reference, products(shapes, hidden_seed, noise), same_sums);
  }
}

TEST(binarize_weights, EqualsTheReference) {
  binarizing.agrees_with(binarizing.reference, random_weights<&binarize_weights>(hidden_seed, 5003),
                         same_weights);
}

TEST(ternarize, EqualsTheReference) {
  ternarizing.agrees_with(ternarizing.reference, random_weights<&ternarize>(hidden_seed, 5003),
                          [](Expect& expect, const auto& in, const auto& got, const auto& want) {
                            same_trits(expect, in, got, want);
                            same_alphas(expect, in, got, want);
                          });
}

TEST(pack_ternary, EqualsTheReference) {
  std::vector<PackingTrits::Input> inputs;
  for (const int count : {5, 10, 65, 3005}) {
    inputs.push_back({std::to_string(count) + " trits",
                      {code_tensor<std::int8_t>(std::size_t(count), hidden_seed(count), -1, 1)}});
  }
  packing_trits.agrees_with(packing_trits.reference, inputs);
}

TEST(unpack_ternary, EqualsTheReference) {
  std::vector<Unpacking::Input> inputs;
  for (const int count : {1, 5, 13, 64, 3001}) inputs.push_back(packed_trits(count, hidden_seed));
  unpacking.agrees_with(unpacking.reference, inputs);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
