// Lab 20: the checks.
#include "cuda_absmax.hpp"

#include <cmath>
#include <string_view>

#include "checks/marks/20_cuda_absmax.hpp"
#include "judge/kernel_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/rows.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

// --- Largest magnitudes --------------------------------------------------------------------------

struct Values {
  Reals x;
  static constexpr std::array names{"x"};
};
using Tensor = Named<Values>;

/// NaN where one of x is: std::fmax would drop it.
float magnitude_of(std::span<const float> x) {
  float largest = 0.0f;
  for (const float value : x) {
    if (std::isnan(value)) return kNan;
    largest = std::max(largest, std::fabs(value));
  }
  return largest;
}

/// F answers a number for so many elements each.
template <auto F>
constexpr std::size_t kJoined = kChunk;
template <>
constexpr std::size_t kJoined<&absmax> = std::numeric_limits<std::size_t>::max();

template <auto F>
Reals by_definition(const Tensor& c) {
  Reals want;
  for (std::span<const float> rest(c.x); !rest.empty();) {
    const std::size_t joined = std::min(kJoined<F>, rest.size());
    want.push_back(magnitude_of(rest.first(joined)));
    rest = rest.subspan(joined);
  }
  return want;
}

template <auto F>
const auto finding = kernel_exercise<F>(
    [](const Tensor& c) {
      if (c.x.empty()) throw std::invalid_argument("no case is made smaller than one value");
      return std::tuple(c.x, out(by_definition<F>(c).size()));
    },
    by_definition<F>,
    [](Expect& expect, const Tensor& c, const Reals& got, const Reals& right) {
      // amax[0] was 0 before the launch: among nothing but threes, that is what was there before.
      if (c.x.front() == 3.0f) expect.suspect("N-UNWRITTEN", "amax", 0.0f);
      const char* const what = kJoined<F> == kChunk ? "partial" : "amax";
      expect_same(expect, what, got, right);
      const bool lost_nan = std::ranges::equal(
          got, right, [](float g, float r) { return std::isnan(r) ? g > 0.0f : g == r; });
      if (lost_nan && got != right) expect.recall("a NaN is dropped, as fmaxf does");
    });
const auto& in_block = finding<&absmax_block>;
const auto& in_warp = finding<&absmax_warp>;
const auto& of_all = finding<&absmax>;

// Whole chunks, and a prime.
const std::vector<std::size_t> kCountedChunks = {4096, 5003};

std::vector<Tensor> counted(const std::vector<std::size_t>& sizes) {
  return each_of(sizes, [](std::size_t n) -> Tensor {
    return {std::to_string(n), {normal_tensor(n, counted_seed(n))}};
  });
}

/// The same few numbers again and again, up to a whole tile: what the end does is another question.
Tensor repeated(const std::string& name, const Reals& few) {
  Tensor c{name, {Reals(4096)}};
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
                                        repeated("Infinity", {1.0f, -kInfinity, FLT_MAX})};

/// Ones, the last of them -9: only who loses the end loses anything.
Tensor largest_last(std::size_t n) {
  Tensor c{std::to_string(n), {Reals(n, 1.0f)}};
  c.x.back() = -9.0f;
  return c;
}

std::vector<Tensor> tails(const std::vector<std::size_t>& sizes) {
  return each_of(sizes, largest_last);
}

/// A NaN as the first, a middle and the last element; negative ones; one beside infinities.
std::vector<Tensor> with_nans() {
  std::vector<Tensor> cases = {repeated("Negative", {-kNan, 1.0f}),
                               repeated("Infinity", {kInfinity, kNan, -kInfinity})};
  for (const std::size_t at : {0, 6000, 8191}) {
    cases.push_back({"At" + std::to_string(at), {Reals(8192, 1.0f)}});
    cases.back().x[at] = kNan;
  }
  return cases;
}

// One less than, as many as, one more than a warp, a block of threads and a chunk; a prime.
const std::vector<std::size_t> kTails = {1,   31,   32,   33,   255,  256, 257,
                                         999, 1023, 1024, 1025, 2049, 5003};

/// In chunk b the largest element is that of thread b, in one of its four turns.
std::vector<Tensor> every_place() {
  Tensor c{"256Chunks", {normal_tensor(256 * kChunk, seed(0))}};
  for (std::size_t b = 0; b < 256; ++b)
    c.x[b * kChunk + b % 4 * 256 + b] = b % 2 == 0 ? 9.0f : -9.0f;
  return {c};
}

TEST(absmax_block, Magnitudes) { in_block.is_right(kHandCases); }
TEST(absmax_block, EveryPlace) { in_block.is_right(every_place()); }
TEST(absmax_block, EveryTail) { in_block.is_right(tails(kTails)); }
TEST(absmax_block, KeepsNaN) { in_block.is_right(with_nans()); }
TEST(absmax_block, RunsClean) { in_block.runs_clean(tails({2500, 4, 36, 1024})); }
TEST(absmax_block, NoBankConflicts) {
  in_block.at_most(kBankConflicts, 1, counted(kCountedChunks));
}
TEST(absmax_block, FewRequests) { in_block.at_most(kSharedRequests, 2, counted(kCountedChunks)); }
TEST(absmax_block, MovesEachByteOnce) {
  in_block.at_most(kGlobalBytes, 1.1, counted(kCountedChunks));
}

TEST(absmax_warp, Magnitudes) { in_warp.is_right(kHandCases); }
TEST(absmax_warp, EveryPlace) { in_warp.is_right(every_place()); }
TEST(absmax_warp, EveryTail) { in_warp.is_right(tails(kTails)); }
TEST(absmax_warp, KeepsNaN) { in_warp.is_right(with_nans()); }
TEST(absmax_warp, RunsClean) { in_warp.runs_clean(tails({2500, 4, 36, 1024})); }
TEST(absmax_warp, OneBarrier) { in_warp.at_most(kBarriers, 1, counted(kCountedChunks)); }
TEST(absmax_warp, FewRequests) { in_warp.at_most(kSharedRequests, 1.1, counted(kCountedChunks)); }
TEST(absmax_warp, MovesEachByteOnce) {
  in_warp.at_most(kGlobalBytes, 1.1, counted(kCountedChunks));
}

/// Five blocks, the largest in each of them once: blocks come in any order.
std::vector<Tensor> largest_in_each_block() {
  std::vector<Tensor> cases;
  for (std::size_t block = 0; block < 5; ++block) {
    cases.push_back(
        {"Block" + std::to_string(block), {normal_tensor(std::size_t{5} * 4096, seed(block))}});
    cases.back().x[block * 4096 + 1000 * block + 7] = -9.0f;
  }
  return cases;
}

TEST(absmax, Magnitudes) { of_all.is_right(kHandCases); }
TEST(absmax, EveryBlock) { of_all.is_right(largest_in_each_block()); }
// A rest of 1, 2 and 3 after the last four; one less and one more than a block's 4096.
TEST(absmax, EveryTail) {
  of_all.is_right(
      tails({1, 2, 3, 4, 5, 31, 33, 257, 1023, 1030, 4095, 4096, 4097, 4098, 4099, 20011}));
}
TEST(absmax, KeepsNaN) { of_all.is_right(with_nans()); }
TEST(absmax, RunsClean) { of_all.runs_clean(tails({4099, 9001, 1, 5})); }
TEST(absmax, FewAtomics) { of_all.at_most(kAtomics, 1, counted({4096, 20011})); }
TEST(absmax, LoadsInFours) { of_all.at_most(kGlobalRequests, 1.5, counted({8192, 20011})); }
TEST(absmax, MovesEachByteOnce) { of_all.at_most(kGlobalBytes, 1.1, counted({8192, 20011})); }

// --- Rows ----------------------------------------------------------------------------------------

struct Quantized {
  Codes q;
  Reals scale;
};

template <class ScaleOf>
Reals scales(const Rows& c, const ScaleOf& scale_of) {
  Reals all;
  for (std::size_t r = 0; r < c.rows(); ++r) all.push_back(scale_of(c.row(r)));
  return all;
}

float scale_by_definition(std::span<const float> row) {
  const float amax = magnitude_of(row);
  if (!std::isfinite(amax)) return kNan;
  return amax == 0.0f ? 1.0f : std::max(amax / 127.0f, FLT_MIN);
}

template <class Round>
Codes codes(const Rows& c, const Reals& scale, const Round& round) {
  Codes q;
  for (const float x : c.x) {
    const float own = scale[q.size() / c.cols];
    q.push_back(std::isnan(own) ? std::int8_t{0} : static_cast<std::int8_t>(round(x / own)));
  }
  return q;
}

Quantized by_definition(const Rows& c) {
  const Reals scale = scales(c, scale_by_definition);
  return {codes(c, scale, [](float steps) { return std::nearbyint(steps); }), scale};
}

/// What a wrong formula makes of zeros, of infinity, or of what is raised, others answer as well.
bool has_ranges(const Rows& c) {
  return std::ranges::all_of(scales(c, magnitude_of), [](float amax) {
    return amax / 255.0f >= FLT_MIN && std::isfinite(amax);
  });
}

const auto quantizing = kernel_exercise<&quantize_rows>(
    [](const Rows& c) { return std::tuple(c.x, out(c.x.size()), out(c.rows()), c.cols); },
    [](const Rows& c) { return by_definition(c); },
    [](Expect& expect, const Rows& c, const std::tuple<Codes, Reals>& got, const Quantized& right) {
      const auto suspect = [&](const char* code, std::string_view words, const auto& scale_of) {
        if (has_ranges(c)) expect.suspect(code, "scale", scales(c, scale_of), words);
      };
      suspect("N-RANGE", "the scale is amax / 128, and should be amax / 127",
              [](auto row) { return magnitude_of(row) / 128.0f; });
      suspect("N-RANGE",
              "the scale is made of the largest number, and not of the largest magnitude",
              [](auto row) { return std::ranges::max(row) / 127.0f; });
      suspect("N-SCALE", "the scale is 127 / amax, and should be amax / 127",
              [](auto row) { return 127.0f / magnitude_of(row); });
      suspect("N-SCALE", "the scale is amax * (1 / 127): divide",
              [](auto row) { return magnitude_of(row) * (1.0f / 127.0f); });
      suspect("N-AXIS", "the scale is that of all rows, and each has its own",
              [&](auto) { return magnitude_of(c.x) / 127.0f; });
      suspect("N-AXIS", "the scale is that of row 0, and each row has its own",
              [&](auto) { return magnitude_of(c.row(0)) / 127.0f; });
      suspect("N-SCALE", "the scale is amax, and should be amax / 127",
              [](auto row) { return magnitude_of(row); });
      expect.suspect("N-TRUNC", "q",
                     codes(c, right.scale, [](float steps) { return std::trunc(steps); }),
                     "x / scale is cut off, and has to be rounded");
      const auto of_scales = [&](const char* code, std::string_view words, const Reals& scale) {
        expect.suspect(
            code, "q",
            codes(c, scale,
                  [](float steps) { return std::clamp(std::nearbyint(steps), -128.0f, 127.0f); }),
            words);
      };
      of_scales("N-SCALE", "x is multiplied by its scale, and should be divided",
                each_of(right.scale, [](float scale) { return 1 / scale; }));
      of_scales("N-AXIS", "codes of all rows come from the scale of row 0",
                Reals(c.rows(), right.scale.front()));
      const auto& [q, scale] = got;
      expect_same(expect, "scale", scale, right.scale);
      expect.equal("q", q, right.q, c.shape());
    });

/// Rows of very different sizes, so that no row's scale serves another.
Rows random_rows(std::size_t rows, int cols, std::uint64_t its_seed) {
  Rows c{size_text(rows, cols), cols, normal_tensor(rows * cols, its_seed)};
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    c.x[i] *= std::ldexp(1.0f, static_cast<int>(i / cols % 5) * 3 - 6);
  }
  if (c.x.size() > 400) Expect::healthy(distinct(by_definition(c).q) > 100, "few different codes");
  return c;
}

// Rows of 4 and 8, and nothing to round: only scales and places matter here.
TEST(quantize_rows, ScaleOfEachRow) {
  quantizing.is_right({{"FourRows", 8, {1, 2,   3,  4,  127, -127,  0,     2,  4,  8,   -508,
                                        0, -64, 32, 16, 12,  63.5f, -1.5f, 12, 48, -60, 3.5f,
                                        4, -8,  8,  16, -24, 1016,  -800,  0,  80, -8}},
                       {"OneRow", 4, {-127, 0, 63, 127}},
                       {"TwoRows", 4, {127, -64, 1, 32, -31.75f, 15.5f, 0, 8}},
                       {"AllNegative", 4, {-1, -2, -3, -127, -254, -4, -8, -128}}});
}

// Scales 1, 1/2 and 4: every tie is exact, up to the last.
TEST(quantize_rows, TiesGoToEven) {
  quantizing.is_right({{"Positive",
                        8,
                        {127, 0.5f, 1.5f, 2.5f, 3.5f, 125.5f, 126.5f, 0, 63.5f, 0.25f, 0.75f, 1.25f,
                         1.75f, 62.75f, 63.25f, 0}},
                       {"Negative",
                        8,
                        {-508, -2, -6, -10, -14, -502, -506, 0, -127, -0.5f, -1.5f, -2.5f, -3.5f,
                         -125.5f, -126.5f, 0}}});
}

// 9 / 127 is another float than 9 * (1 / 127), and the second element lies so near a tie that
// a product with the reciprocal, of whatever kind, crosses it.
TEST(quantize_rows, Divides) {
  quantizing.is_right(
      {{"NextToATie", 4, {9.0f, 0x1.fbf7fp-3f, 1.0f, -2.0f, 18.0f, 0x1.fbf7fp-2f, -2.0f, 0}},
       {"AndAnother", 4, {26.0f, 0x1.54a954p+0f, 4.0f, 0, -13.0f, 0x1.54a954p-1f, 0, 1.0f}}});
}

TEST(quantize_rows, ZeroRows) {
  quantizing.is_right({{"Zeros", 4, {0, 0, 0, 0}},
                       {"MinusZeros", 4, {-0.0f, -0.0f, -0.0f, -0.0f}},
                       {"Between", 4, {127, 1, 2, 3, 0, -0.0f, 0, 0, 4, 254, -2, 2}}});
}

// amax / 127 is 0, subnormal, and the smallest normal number.
TEST(quantize_rows, TinyRows) {
  quantizing.is_right({{"Smallest", 4, {0x1p-149f, -0x1p-149f, 0, 0}},
                       {"Subnormal", 4, {1e-40f, -1e-40f, 0, 0}},
                       {"JustNormal", 4, {100 * FLT_MIN, -99.25f * FLT_MIN, FLT_MIN, FLT_MIN / 4}},
                       {"Floor", 4, {127 * FLT_MIN, -2 * FLT_MIN, 0, 0}}});
}

TEST(quantize_rows, RowsWithoutARange) {
  quantizing.is_right({{"NaN", 4, {1, kNan, 2, 3}},
                       {"Infinity", 4, {1, kInfinity, -kInfinity, 3}},
                       {"Both", 4, {-kInfinity, -kNan, 0, 1}},
                       {"Between", 4, {127, 1, 2, 3, kNan,       3, 4,   5, 127, 5,
                                       -6,  7, 7, 8, -kInfinity, 0, 127, 9, 10,  11}}});
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
  quantizing.is_right(cases);
}

TEST(quantize_rows, RunsClean) {
  quantizing.runs_clean({random_rows(3, 5, seed(0)), random_rows(2, 256, seed(1)),
                         random_rows(3, 300, seed(2)), random_rows(2, 501, seed(3)),
                         random_rows(1, kMostColumns, seed(4))});
}

// Rows that begin at any byte, the longest, and rows of whole sectors.
std::vector<Rows> counted_rows() {
  return {random_rows(4, 333, counted_seed(333)),
          random_rows(1, kMostColumns, counted_seed(kMostColumns)),
          random_rows(3, 1024, counted_seed(1024))};
}

// Far too much is sectors of which little is used; twice as much is every element once again.
TEST(quantize_rows, ReadsOnce) {
  const Measure loads{"bytes of x read", "N-LOADS", kGlobalLoadBytes.of_traffic, nullptr};
  quantizing.at_most(kGlobalLoadBytes, 2.5, counted_rows());
  quantizing.at_most(loads, 1.1, counted_rows());
}

TEST(quantize_rows, StoresNeighbours) {
  quantizing.at_most(kGlobalStoreBytes, 1.1, counted_rows());
}

// --- Rows with a zero point ----------------------------------------------------------------------

struct Shifted {
  Codes q;
  Reals scale;
  Sums zero_point;
};

/// `round`: half to even. `widened`: lo and hi hold 0; where not, that is a mistake.
Shifted shifted_by_definition(const Rows& c, float (*round)(float), bool widened = true) {
  Shifted all;
  for (std::size_t r = 0; r < c.rows(); ++r) {
    const auto row = c.row(r);
    const bool finite = std::isfinite(magnitude_of(row));
    const float lo = widened ? std::min(0.0f, std::ranges::min(row)) : std::ranges::min(row),
                hi = widened ? std::max(0.0f, std::ranges::max(row)) : std::ranges::max(row);
    const bool has_range = finite && hi - lo <= FLT_MAX;
    const float scale = !has_range ? kNan : lo == hi ? 1.0f : std::max((hi - lo) / 255.0f, FLT_MIN);
    const int zero_point = has_range ? -128 - static_cast<int>(round(lo / scale)) : 0;
    all.scale.push_back(scale);
    all.zero_point.push_back(zero_point);
    for (const float x : row) {
      const int code = has_range ? static_cast<int>(round(x / scale)) + zero_point : 0;
      all.q.push_back(static_cast<std::int8_t>(std::clamp(code, -128, 127)));
    }
  }
  return all;
}

float to_even(float steps) { return std::nearbyint(steps); }
float cut(float steps) { return std::trunc(steps); }

const auto shifting = kernel_exercise<&quantize_rows_asymmetric>(
    [](const Rows& c) {
      return std::tuple(c.x, out(c.x.size()), out(c.rows()), out(c.rows()), c.cols);
    },
    [](const Rows& c) { return shifted_by_definition(c, to_even); },
    [](Expect& expect, const Rows& c, const std::tuple<Codes, Reals, Sums>& got,
       const Shifted& right) {
      const auto& [q, scale, zero_point] = got;
      if (has_ranges(c)) {
        const auto widths = [&](std::string_view words, float steps) {
          expect.suspect("N-RANGE", "scale",
                         each_of(right.scale, [=](float s) { return s * 255 / steps; }), words);
        };
        expect.suspect("N-RANGE", "scale", scales(c, scale_by_definition),
                       "the scale is that of quantize_rows: amax / 127");
        widths("hi - lo is divided by 256: 256 codes are 255 steps", 256);
        widths("hi - lo is divided by 254: 256 codes are 255 steps", 254);
        widths("hi - lo is divided by 127: 256 codes are 255 steps", 127);
        expect.suspect("N-ZERO", "scale", shifted_by_definition(c, to_even, false).scale,
                       "lo and hi are those of the row alone: 0 has to lie between them");
      }
      const auto zeros = [&](const char* code, std::string_view words, const auto& zero) {
        Sums all;
        for (std::size_t r = 0; r < c.rows(); ++r) {
          const float lo = std::min(0.0f, std::ranges::min(c.row(r)));
          all.push_back(std::isnan(right.scale[r]) ? 0 : int(zero(lo / right.scale[r])));
        }
        expect.suspect(code, "zero_point", all, words);
      };
      constexpr const char* kSign = "zero_point has the wrong sign: -128 - round(lo / scale)";
      zeros("N-ZP-SIGN", kSign, [](float lo) { return 128 + to_even(lo); });
      zeros("N-ZP-SIGN", kSign, [](float lo) { return -128 + to_even(lo); });
      zeros("N-ZERO", "zero_point is -round(lo / scale), and begins at -128",
            [](float lo) { return -to_even(lo); });
      zeros("N-ROUND", "-128 - lo / scale is rounded, and lo / scale has to be",
            [](float lo) { return to_even(-128 - lo); });
      const auto shifted = [&](const char* code, std::string_view words, const auto& of) {
        Codes q;
        for (const float x : c.x) {
          const std::size_t r = q.size() / std::size_t(c.cols);
          const float steps = x / right.scale[r];
          const bool has_range = !std::isnan(right.scale[r]);
          q.push_back(
              static_cast<std::int8_t>(has_range ? int(of(steps, right.zero_point[r])) : 0));
        }
        expect.suspect(code, "q", q, words);
      };
      const auto clamp = [](float code) { return std::clamp(code, -128.0f, 127.0f); };
      expect.suspect("N-TRUNC", "q", shifted_by_definition(c, cut).q,
                     "x / scale is cut off, and has to be rounded");
      shifted("N-ROUND", "the zero point is added before the rounding",
              [&](float steps, int zero) { return clamp(to_even(steps + float(zero))); });
      shifted("N-ROUND", "ties are rounded away from 0",
              [&](float steps, int zero) { return clamp(std::round(steps) + float(zero)); });
      shifted("N-CLAMP", "the code is not clamped, and wraps around",
              [](float steps, int zero) { return to_even(steps) + float(zero); });
      shifted("N-ZP-SIGN", "the zero point is taken away, and should be added",
              [&](float steps, int zero) { return clamp(to_even(steps) - float(zero)); });
      shifted("N-ZERO", "the zero point is not added",
              [&](float steps, int) { return clamp(to_even(steps)); });
      expect_same(expect, "scale", scale, right.scale);
      for (std::size_t r = 0; r < c.rows(); ++r) {
        const bool is_too_wide =
            std::isnan(right.scale[r]) && std::isfinite(magnitude_of(c.row(r)));
        if (!is_too_wide || std::isnan(scale[r])) continue;
        return expect.recall("hi - lo may be infinite where hi and lo are not");
      }
      expect.equal("zero_point", zero_point, right.zero_point);
      expect.equal("q", q, right.q, c.shape());
    });

TEST(quantize_rows_asymmetric, RangeHoldsZero) {
  shifting.is_right({{"BothSides", 4, {-100, 155, 0, 1, -51, 204, 3, -4, 0, 255, 6, 7}},
                     {"Positive", 4, {10, 10.25f, 11, 255, 510, 256, 300, 400}},
                     {"Negative", 4, {-10, -10.25f, -11, -255, -1020, -256, -300, -400}},
                     {"OneValue", 1, {510, -1020, 127.5f}}});
}

// Scales 1 and 2, and zero points that are odd: there half to even is another code behind the sum.
TEST(quantize_rows_asymmetric, RoundsThenAdds) {
  shifting.is_right({{"OddZeroPoint", 8, {-101, 154, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f}},
                     {"Even", 8, {-100, 155, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 3.75f}},
                     {"ScaleTwo", 8, {-202, 308, 1, 3, 5, -1, -3, 7.5f}}});
}

// Both ends are half a step off, and rounded outwards: 256 steps.
TEST(quantize_rows_asymmetric, Saturates) {
  shifting.is_right({{"Above", 4, {-101.5f, 153.5f, 0, 1}}, {"Scaled", 4, {-203, 307, 0, 2}}});
}

TEST(quantize_rows_asymmetric, ZeroAndTinyRows) {
  shifting.is_right({{"Zeros", 4, {0, 0, 0, 0}},
                     {"MinusZeros", 4, {-0.0f, -0.0f, 0, -0.0f, 0, 255, 1, 2}},
                     {"Subnormal", 4, {1e-40f, -1e-40f, 0, 0}},
                     {"Floor", 4, {100 * FLT_MIN, -20 * FLT_MIN, FLT_MIN, 0}}});
}

TEST(quantize_rows_asymmetric, RowsWithoutARange) {
  shifting.is_right({{"NaN", 4, {1, kNan, 2, 3}},
                     {"MinusNaN", 4, {-1, -2, -kNan, -3}},
                     {"Infinity", 4, {1, kInfinity, 2, 3}},
                     {"MinusInfinity", 4, {-kInfinity, 0, -1, -3}},
                     {"TooWide", 4, {-FLT_MAX, FLT_MAX, 0, 1, 0, 255, 1, 2}}});
}

TEST(quantize_rows_asymmetric, EveryShape) {
  std::vector<Rows> cases;
  for (const int cols : {1, 3, 4, 31, 33, 255, 256, 257, 1000, 1023, 1025, 4095, 4096}) {
    cases.push_back(random_rows(3, cols, seed(cols)));
    for (float& x : cases.back().x) x = cols % 2 == 0 ? std::fabs(x) : x + 0.5f;
  }
  cases.push_back(random_rows(301, 7, seed(7)));
  shifting.is_right(cases);
}

TEST(quantize_rows_asymmetric, RunsClean) {
  shifting.runs_clean({random_rows(3, 5, seed(0)), random_rows(2, 256, seed(1)),
                       random_rows(2, 501, seed(3)), random_rows(1, kMostColumns, seed(4))});
}

TEST(quantize_rows_asymmetric, ReadsOnce) {
  const Measure loads{"bytes of x read", "N-LOADS", kGlobalLoadBytes.of_traffic, nullptr};
  shifting.at_most(loads, 1.25, counted_rows());
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout: other sizes, other data, from the course's secret salt.

/// A size below `most`, and where its largest element is, as the secret wants it.
std::vector<Tensor> hidden_tensors(std::size_t most) {
  std::vector<Tensor> cases;
  for (std::uint64_t i = 0; i < 12; ++i) {
    const std::size_t n = 1 + hidden_seed(2 * i) % (most >> (i % 4 * 3));
    cases.push_back({std::to_string(n), {normal_tensor(n, hidden_seed(2 * i + 1))}});
    cases.back().x[hidden_seed(100 + i) % n] = i % 2 == 0 ? -7.5f : 0x1p30f;
  }
  return cases;
}

TEST(absmax_block, EqualsTheDefinition) { in_block.is_right(hidden_tensors(30000)); }
TEST(absmax_warp, EqualsTheDefinition) { in_warp.is_right(hidden_tensors(30000)); }
TEST(absmax, EqualsTheDefinition) { of_all.is_right(hidden_tensors(60000)); }

std::vector<Rows> hidden_rows() {
  std::vector<Rows> cases;
  for (std::uint64_t i = 0; i < 12; ++i) {
    const int cols = 1 + static_cast<int>(hidden_seed(2 * i) % (kMostColumns >> (i % 4 * 2)));
    cases.push_back(random_rows(1 + i, cols, hidden_seed(2 * i + 1)));
    if (i % 3 == 0) cases.back().x[hidden_seed(100 + i) % cases.back().x.size()] = 1000.0f;
  }
  return cases;
}

TEST(quantize_rows, EqualsTheDefinition) { quantizing.is_right(hidden_rows()); }

TEST(quantize_rows_asymmetric, EqualsTheDefinition) { shifting.is_right(hidden_rows()); }
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
