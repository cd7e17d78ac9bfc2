// Lab 20: the checks.
#include "cuda_absmax.hpp"

#include "checks/marks/20_cuda_absmax.hpp"
#include "judge/cases.hpp"
#include "judge/kernels.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Floats = std::vector<float>;
using Codes = std::vector<std::int8_t>;

// --- Largest magnitudes --------------------------------------------------------------------------

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

struct Tensor {
  std::string name;
  Floats x;
};

std::string show(const Tensor& c) { return "x = " + show_values(c.x); }

/// The halves, and all but the last.
std::vector<Tensor> smaller(const Tensor& c) {
  const auto middle = c.x.begin() + static_cast<std::ptrdiff_t>(c.x.size() / 2);
  std::vector<Tensor> all;
  for (const Floats& x : {Floats(c.x.begin(), middle), Floats(middle, c.x.end()),
                          Floats(c.x.begin(), c.x.end() - 1)}) {
    if (!x.empty()) all.push_back({std::to_string(x.size()), x});
  }
  return all;
}

/// NaN where one of x is: std::fmax would drop it.
float magnitude_of(std::span<const float> x) {
  float largest = 0.0f;
  for (const float value : x) {
    if (std::isnan(value)) return kNan;
    largest = std::max(largest, std::fabs(value));
  }
  return largest;
}

bool same_or_both_nan(float got, float want) {
  return std::isnan(want) ? std::isnan(got) : got == want;
}

/// What F answers for x: a number for each of `chunk` elements.
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
template <auto F>
constexpr std::size_t kJoined = kChunk;
template <>
constexpr std::size_t kJoined<&absmax> = kAll;

template <auto F>
Floats by_definition(const Floats& x) {
  Floats want;
  for (std::size_t first = 0; first < x.size(); first += std::min(kJoined<F>, x.size())) {
    const auto rest = std::span(x).subspan(first);
    want.push_back(magnitude_of(rest.first(std::min(kJoined<F>, rest.size()))));
  }
  return want;
}

template <auto F>
void are_the_largest(const Floats& got, const Floats& want, Expect& expect) {
  expect.every(kJoined<F> == kAll ? "amax" : "partial", got, want,
               [&](std::size_t i) { return same_or_both_nan(got[i], want[i]); });
}

/// `suspect`: names what a known mistake would have answered.
template <auto F>
void finds(const std::vector<Tensor>& cases, void (*suspect)(const Tensor&, Expect&) = nullptr) {
  each_case(cases, [&](const Tensor& c, Expect& expect) {
    if (suspect != nullptr) suspect(c, expect);
    const Floats want = by_definition<F>(c.x);
    are_the_largest<F>(call<F>(c.x, out(want.size())), want, expect);
  });
}

template <auto F>
void finds_cleanly(const std::vector<Tensor>& cases) {
  each_case(cases, [](const Tensor& c, Expect& expect) {
    const Floats want = by_definition<F>(c.x);
    are_the_largest<F>(watched<F>(c.x, out(want.size())), want, expect);
  });
}

/// Nothing smaller() is tried of it: counts of a few elements tell little.
struct Size {
  std::string name;
  std::size_t n;
};

template <auto F>
void needs_at_most(const Measure& measure, double factor, const std::vector<std::size_t>& sizes) {
  std::vector<Size> cases;
  for (const std::size_t n : sizes) cases.push_back({std::to_string(n), n});
  each_case(cases, [&](const Size& c, Expect& expect) {
    const Floats x = normal_tensor(c.n, seed(c.n));
    at_most(expect, measure, factor, counted<F>(x, out(by_definition<F>(x).size())));
  });
}

/// The same few numbers again and again, up to a whole tile: what the end does is another question.
Tensor repeated(const std::string& name, const Floats& few) {
  Tensor c{name, Floats(4096)};
  for (std::size_t i = 0; i < c.x.size(); ++i) c.x[i] = few[i % few.size()];
  return c;
}

// Each is wrong for somebody: who forgets the sign, begins at the smallest normal number, or has
// the sign of a zero in the way.
const std::vector<Tensor> kHandCases = {repeated("Threes", {3.0f}),
                                        repeated("Negative", {-5.0f, 2.0f, 1.0f}),
                                        repeated("AllNegative", {-1.0f, -2.0f, -3.0f}),
                                        repeated("Zeros", {0.0f}),
                                        repeated("MinusZeros", {-0.0f}),
                                        repeated("Subnormal", {1e-40f, -3e-40f, 0.0f}),
                                        repeated("Largest", {FLT_MAX, -1.0f, -FLT_MAX}),
                                        repeated("Infinity", {1.0f, -kInf, FLT_MAX})};

/// Ones, the last of them -9: only who loses the end loses anything.
Tensor largest_last(std::size_t n) {
  Tensor c{std::to_string(n), Floats(n, 1.0f)};
  c.x.back() = -9.0f;
  return c;
}

std::vector<Tensor> tails(const std::vector<std::size_t>& sizes) {
  std::vector<Tensor> cases;
  for (const std::size_t n : sizes) cases.push_back(largest_last(n));
  return cases;
}

/// A NaN as the first, a middle and the last element; negative ones; one beside infinities.
std::vector<Tensor> with_nans() {
  std::vector<Tensor> cases = {repeated("Negative", {-kNan, 1.0f}),
                               repeated("Infinity", {kInf, kNan, -kInf})};
  for (const std::size_t at : {0, 6000, 8191}) {
    cases.push_back({"At" + std::to_string(at), Floats(8192, 1.0f)});
    cases.back().x[at] = kNan;
  }
  return cases;
}

// One less than, as many as, one more than a warp, a block of threads and a chunk; a prime.
const std::vector<std::size_t> kTails = {1,   31,   32,   33,   255,  256, 257,
                                         999, 1023, 1024, 1025, 2049, 5003};

/// In chunk b the largest element is that of thread b, in one of its four turns.
std::vector<Tensor> every_place() {
  Tensor c{"256Chunks", normal_tensor(256 * kChunk, seed(0))};
  for (std::size_t b = 0; b < 256; ++b)
    c.x[b * kChunk + b % 4 * 256 + b] = b % 2 == 0 ? 9.0f : -9.0f;
  return {c};
}

TEST(absmax_block, Magnitudes) { finds<&absmax_block>(kHandCases); }
TEST(absmax_block, EveryPlace) { finds<&absmax_block>(every_place()); }
TEST(absmax_block, EveryTail) { finds<&absmax_block>(tails(kTails)); }
TEST(absmax_block, KeepsNaN) { finds<&absmax_block>(with_nans()); }
TEST(absmax_block, RunsClean) { finds_cleanly<&absmax_block>(tails({2500, 4, 36, 1024})); }
TEST(absmax_block, NoBankConflicts) {
  needs_at_most<&absmax_block>(kBankConflicts, 1, {4096, 5003});
}
TEST(absmax_block, FewRequests) { needs_at_most<&absmax_block>(kSharedRequests, 2, {4096, 5003}); }
TEST(absmax_block, MovesEachByteOnce) {
  needs_at_most<&absmax_block>(kGlobalBytes, 1.1, {4096, 5003});
}

TEST(absmax_warp, Magnitudes) { finds<&absmax_warp>(kHandCases); }
TEST(absmax_warp, EveryPlace) { finds<&absmax_warp>(every_place()); }
TEST(absmax_warp, EveryTail) { finds<&absmax_warp>(tails(kTails)); }
TEST(absmax_warp, KeepsNaN) { finds<&absmax_warp>(with_nans()); }
TEST(absmax_warp, RunsClean) { finds_cleanly<&absmax_warp>(tails({2500, 4, 36, 1024})); }
TEST(absmax_warp, OneBarrier) { needs_at_most<&absmax_warp>(kBarriers, 1, {4096, 5003}); }
TEST(absmax_warp, FewRequests) { needs_at_most<&absmax_warp>(kSharedRequests, 1.1, {4096, 5003}); }
TEST(absmax_warp, MovesEachByteOnce) {
  needs_at_most<&absmax_warp>(kGlobalBytes, 1.1, {4096, 5003});
}

/// Five blocks, the largest in each of them once: blocks come in any order.
std::vector<Tensor> largest_in_each_block() {
  std::vector<Tensor> cases;
  for (std::size_t block = 0; block < 5; ++block) {
    cases.push_back(
        {"Block" + std::to_string(block), normal_tensor(std::size_t{5} * 4096, seed(block))});
    cases.back().x[block * 4096 + 1000 * block + 7] = -9.0f;
  }
  return cases;
}

/// amax[0] was 0 before the launch: among nothing but threes, that is what was there before.
void suspect_no_answer(const Tensor& c, Expect& expect) {
  if (c.x.front() == 3.0f) expect.suspect("N-UNWRITTEN", "amax", Floats{0.0f});
}

TEST(absmax, Magnitudes) { finds<&absmax>(kHandCases, suspect_no_answer); }
TEST(absmax, EveryBlock) { finds<&absmax>(largest_in_each_block()); }
// A rest of 1, 2 and 3 after the last four; one less and one more than a block's 4096.
TEST(absmax, EveryTail) {
  finds<&absmax>(
      tails({1, 2, 3, 4, 5, 31, 33, 257, 1023, 1030, 4095, 4096, 4097, 4098, 4099, 20011}));
}
TEST(absmax, KeepsNaN) { finds<&absmax>(with_nans()); }
TEST(absmax, RunsClean) { finds_cleanly<&absmax>(tails({4099, 9001, 1, 5})); }
TEST(absmax, FewAtomics) { needs_at_most<&absmax>(kAtomics, 1, {4096, 20011}); }
TEST(absmax, LoadsInFours) { needs_at_most<&absmax>(kGlobalRequests, 1.5, {8192, 20011}); }
TEST(absmax, MovesEachByteOnce) { needs_at_most<&absmax>(kGlobalBytes, 1.1, {8192, 20011}); }

// --- Rows ----------------------------------------------------------------------------------------

struct Rows {
  std::string name;
  int cols;
  Floats x;

  std::size_t rows() const { return x.size() / cols; }
  Shape shape() const { return {rows(), static_cast<std::size_t>(cols)}; }
};

std::string show(const Rows& c) {
  return "rows x cols = " + std::to_string(c.rows()) + "x" + std::to_string(c.cols) +
         ", x = " + show_values(c.x);
}

/// The first `rows` rows from row `first` on, cut to `cols` columns.
Rows cut(const Rows& c, std::size_t first, std::size_t rows, int cols) {
  Rows small{std::to_string(rows) + "x" + std::to_string(cols), cols, {}};
  for (std::size_t r = first; r < first + rows; ++r) {
    const auto row = c.x.begin() + static_cast<std::ptrdiff_t>(r * c.cols);
    small.x.insert(small.x.end(), row, row + cols);
  }
  return small;
}

std::vector<Rows> smaller(const Rows& c) {
  std::vector<Rows> all;
  const std::size_t half = c.rows() / 2;
  if (half > 0) all = {cut(c, 0, half, c.cols), cut(c, half, c.rows() - half, c.cols)};
  for (const int cols : {c.cols / 2, c.cols - 1}) {
    if (cols > 0) all.push_back(cut(c, 0, c.rows(), cols));
  }
  return all;
}

struct Quantized {
  Codes q;
  Floats scale;
};

void quantize_by_definition(std::span<const float> row, Quantized& into) {
  const float amax = magnitude_of(row);
  const float scale = !std::isfinite(amax) ? kNan
                      : amax == 0.0f       ? 1.0f
                                           : std::max(amax / 127.0f, FLT_MIN);
  into.scale.push_back(scale);
  for (const float x : row) {
    into.q.push_back(std::isnan(scale) ? std::int8_t{0}
                                       : static_cast<std::int8_t>(std::nearbyint(x / scale)));
  }
}

Quantized by_definition(const Rows& c) {
  Quantized all;
  for (std::size_t r = 0; r < c.rows(); ++r) {
    quantize_by_definition(std::span(c.x).subspan(r * c.cols, c.cols), all);
  }
  return all;
}

template <class Answer>
void is_quantized(const Rows& c, const Answer& answer, Expect& expect) {
  const Quantized want = by_definition(c);
  const auto& [q, scale] = answer;
  expect.every("scale", scale, want.scale, [&scale = scale, &want](std::size_t r) {
    return same_or_both_nan(scale[r], want.scale[r]);
  });
  expect.equal("q", q, want.q, c.shape());
}

/// `suspect`: names what a known mistake would have answered.
void quantizes(const std::vector<Rows>& cases, void (*suspect)(const Rows&, Expect&) = nullptr) {
  each_case(cases, [&](const Rows& c, Expect& expect) {
    if (suspect != nullptr) suspect(c, expect);
    is_quantized(c, call<&quantize_rows>(c.x, out(c.x.size()), out(c.rows()), c.cols), expect);
  });
}

void quantizes_cleanly(const std::vector<Rows>& cases) {
  each_case(cases, [](const Rows& c, Expect& expect) {
    is_quantized(c, watched<&quantize_rows>(c.x, out(c.x.size()), out(c.rows()), c.cols), expect);
  });
}

/// Rows of very different sizes, so that no row's scale serves another.
Rows random_rows(std::size_t rows, int cols, std::uint64_t its_seed) {
  Rows c{std::to_string(rows) + "x" + std::to_string(cols), cols,
         normal_tensor(rows * cols, its_seed)};
  for (std::size_t i = 0; i < c.x.size(); ++i)
    c.x[i] *= std::ldexp(1.0f, static_cast<int>(i / cols % 5) * 3 - 6);
  if (c.x.size() > 400) Expect::healthy(distinct(by_definition(c).q) > 100, "few different codes");
  return c;
}

/// What a scale that is wrong in a known way would be.
void suspect_scales(const Rows& c, Expect& expect) {
  const auto from = [&](const char* code, const auto& scale_of) {
    Floats scales;
    for (std::size_t r = 0; r < c.rows(); ++r) {
      scales.push_back(scale_of(std::span(c.x).subspan(r * c.cols, c.cols)));
    }
    expect.suspect(code, "scale", scales);
  };
  from("N-RANGE", [](auto row) { return magnitude_of(row) / 128.0f; });
  from("N-RANGE", [](auto row) { return std::ranges::max(row) / 127.0f; });
  from("N-SCALE", [](auto row) { return 127.0f / magnitude_of(row); });
}

// Rows of 4 and 8, and nothing to round: only scales and places matter here.
TEST(quantize_rows, ScaleOfEachRow) {
  quantizes({{"FourRows", 8, {1, 2,   3,  4,  127, -127,  0,     2,  4,  8,   -508,
                              0, -64, 32, 16, 12,  63.5f, -1.5f, 12, 48, -60, 3.5f,
                              4, -8,  8,  16, -24, 1016,  -800,  0,  80, -8}},
             {"OneRow", 4, {-127, 0, 63, 127}},
             {"TwoRows", 4, {127, -64, 1, 32, -31.75f, 15.5f, 0, 8}},
             {"AllNegative", 4, {-1, -2, -3, -127, -254, -4, -8, -128}}},
            suspect_scales);
}

void suspect_truncation(const Rows& c, Expect& expect) {
  const Quantized right = by_definition(c);
  Codes q;
  for (const float x : c.x)
    q.push_back(static_cast<std::int8_t>(x / right.scale[q.size() / c.cols]));
  expect.suspect("N-TRUNC", "q", q);
}

// Scales 1, 1/2 and 4: every tie is exact, up to the last.
TEST(quantize_rows, TiesGoToEven) {
  quantizes({{"Positive",
              8,
              {127, 0.5f, 1.5f, 2.5f, 3.5f, 125.5f, 126.5f, 0, 63.5f, 0.25f, 0.75f, 1.25f, 1.75f,
               62.75f, 63.25f, 0}},
             {"Negative",
              8,
              {-508, -2, -6, -10, -14, -502, -506, 0, -127, -0.5f, -1.5f, -2.5f, -3.5f, -125.5f,
               -126.5f, 0}}},
            suspect_truncation);
}

// 9 / 127 is another float than 9 * (1 / 127), and the second element lies so near a tie that
// a product with the reciprocal, of whatever kind, crosses it.
TEST(quantize_rows, Divides) {
  quantizes({{"NextToATie", 4, {9.0f, 0x1.fbf7fp-3f, 1.0f, -2.0f, 18.0f, 0x1.fbf7fp-2f, -2.0f, 0}},
             {"AndAnother", 4, {26.0f, 0x1.54a954p+0f, 4.0f, 0, -13.0f, 0x1.54a954p-1f, 0, 1.0f}}});
}

TEST(quantize_rows, ZeroRows) {
  quantizes({{"Zeros", 4, {0, 0, 0, 0}},
             {"MinusZeros", 4, {-0.0f, -0.0f, -0.0f, -0.0f}},
             {"Between", 4, {127, 1, 2, 3, 0, -0.0f, 0, 0, 4, 254, -2, 2}}});
}

// amax / 127 is 0, subnormal, and the smallest normal number.
TEST(quantize_rows, TinyRows) {
  quantizes({{"Smallest", 4, {0x1p-149f, -0x1p-149f, 0, 0}},
             {"Subnormal", 4, {1e-40f, -1e-40f, 0, 0}},
             {"JustNormal", 4, {100 * FLT_MIN, -99.25f * FLT_MIN, FLT_MIN, FLT_MIN / 4}},
             {"Floor", 4, {127 * FLT_MIN, -2 * FLT_MIN, 0, 0}}});
}

TEST(quantize_rows, RowsWithoutARange) {
  quantizes({{"NaN", 4, {1, kNan, 2, 3}},
             {"Infinity", 4, {1, kInf, -kInf, 3}},
             {"Both", 4, {-kInf, -kNan, 0, 1}},
             {"Between", 4, {127, 1, 2, 3, kNan,  3, 4,   5, 127, 5,
                             -6,  7, 7, 8, -kInf, 0, 127, 9, 10,  11}}});
}

// One less than, as many as, one more than a four, a warp, a block of threads, and the longest row;
// rows that begin at every offset from 16 bytes.
TEST(quantize_rows, EveryShape) {
  std::vector<Rows> cases;
  for (const int cols : {1,   2,   3,    4,    5,    31,   32,   33,   127,  255,
                         256, 257, 1000, 1022, 1023, 1024, 1025, 4093, 4095, 4096}) {
    cases.push_back(random_rows(5, cols, seed(cols)));
  }
  cases.push_back(random_rows(301, 7, seed(7)));
  quantizes(cases);
}

TEST(quantize_rows, RunsClean) {
  quantizes_cleanly({random_rows(3, 5, seed(0)), random_rows(2, 256, seed(1)),
                     random_rows(3, 300, seed(2)), random_rows(2, 501, seed(3))});
}

struct RowSizes {
  std::string name;
  std::size_t rows;
  int cols;
};

// Rows that begin at any byte, and rows of whole sectors.
const std::vector<RowSizes> kCountedRows = {{"4x333", 4, 333}, {"3x1024", 3, 1024}};

Counted count_rows(const RowSizes& c) {
  const Floats x = random_rows(c.rows, c.cols, seed(c.cols)).x;
  return counted<&quantize_rows>(x, out(x.size()), out(c.rows), c.cols);
}

// Far too much is sectors of which little is used; twice as much is every element once again.
TEST(quantize_rows, ReadsOnce) {
  const Measure loads{"bytes of x read", "N-LOADS", kGlobalLoadBytes.of_traffic, nullptr};
  each_case(kCountedRows, [&](const RowSizes& c, Expect& expect) {
    const Counted both = count_rows(c);
    at_most(expect, kGlobalLoadBytes, 2.5, both);
    at_most(expect, loads, 1.1, both);
  });
}

TEST(quantize_rows, StoresNeighbours) {
  each_case(kCountedRows, [](const RowSizes& c, Expect& expect) {
    at_most(expect, kGlobalStoreBytes, 1.1, count_rows(c));
  });
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout: other sizes, other data, from the course's secret salt.

/// A size below `most`, and where its largest element is, as the secret wants it.
std::vector<Tensor> hidden_tensors(std::size_t most) {
  std::vector<Tensor> cases;
  for (std::uint64_t i = 0; i < 12; ++i) {
    const std::size_t n = 1 + hidden_seed(2 * i) % (most >> (i % 4 * 3));
    cases.push_back({std::to_string(n), normal_tensor(n, hidden_seed(2 * i + 1))});
    cases.back().x[hidden_seed(100 + i) % n] = i % 2 == 0 ? -7.5f : 0x1p30f;
  }
  return cases;
}

TEST(absmax_block, EqualsTheDefinition) { finds<&absmax_block>(hidden_tensors(30000)); }
TEST(absmax_warp, EqualsTheDefinition) { finds<&absmax_warp>(hidden_tensors(30000)); }
TEST(absmax, EqualsTheDefinition) { finds<&absmax>(hidden_tensors(60000)); }

TEST(quantize_rows, EqualsTheDefinition) {
  std::vector<Rows> cases;
  for (std::uint64_t i = 0; i < 12; ++i) {
    const int cols = 1 + static_cast<int>(hidden_seed(2 * i) % (kMostColumns >> (i % 4 * 2)));
    cases.push_back(random_rows(1 + i, cols, hidden_seed(2 * i + 1)));
    if (i % 3 == 0) cases.back().x[hidden_seed(100 + i) % cases.back().x.size()] = 1000.0f;
  }
  quantizes(cases);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
