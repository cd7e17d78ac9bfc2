// Lab 18: the checks.
//
// What the engine finds, and how many calls it saw, is a claim here: host code shares its process.
// It is worth the points of RunsClean and EveryErrorComesBack, and no values depend on it.
#include "cuda_host.hpp"

#include <cmath>

#include "checks/marks/18_cuda_host.hpp"
#include "judge/host_exercise.hpp"
#include "judge/mix.hpp"
#include "judge/named_case.hpp"
#include "judge/product.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Counts = std::vector<std::int32_t>;
using Sizes = std::vector<std::size_t>;

// --- What is right, for more than one exercise --------------------------------------------------

Codes quantized(const Reals& x, float scale) {
  Codes q;
  for (const float value : x) {
    const float rounded = std::nearbyint(value / scale);
    q.push_back(static_cast<std::int8_t>(std::fmin(127.0f, std::fmax(-128.0f, rounded))));
  }
  return q;
}

/// A grid of 0 blocks is what comes to mind where there is nothing to do.
template <class Answer>
void did_nothing(const Answer& answer, Expect& expect) {
  expect_at(answer.work.launched_at, expect, answer.error == 0 && answer.work.launches == 0,
            "returns " + detail::name_of_error(answer.error) + " after " +
                std::to_string(answer.work.launches) +
                " launches for an empty input: it is to launch nothing, and to return 0",
            "N-LAUNCH");
}

/// Of x, quantized with a given scale.
template <class Case, class Answer>
void look_at_codes(Expect& expect, const Case& c, const Answer& answer) {
  if (c.x.empty()) return did_nothing(answer, expect);
  if (succeeded(answer, 1, expect)) expect.equal("q", answer.output(), quantized(c.x, c.scale));
}

/// Both streams of a right solution are busy; one after the other would be as right,
/// and as slow as one.
template <class Answer>
void uses_both_streams(Expect& expect, const Answer& answer) {
  expect.that(answer.work.streams >= 2,
              "the streams never have work waiting at the same time: one waits for the other",
              "N-SERIAL");
}

/// x of n elements, in parts of `part`.
struct Parts {
  std::size_t n;
  std::int64_t part;
};

template <class Case>
std::vector<Named<Case>> in_parts(const std::vector<Parts>& sizes, std::uint64_t salt) {
  std::vector<Named<Case>> cases;
  for (const auto& [n, part] : sizes) {
    const std::uint64_t own = mix(salt, cases.size());
    const float scale = uniform_tensor(1, own, 0.25f, 1.0f)[0];
    cases.push_back(
        {std::to_string(n) + "by" + std::to_string(part),
         {normal_tensor(n, own, 20.0f), scale, static_cast<decltype(Case::part)>(part)}});
  }
  return cases;
}

struct Values {
  Reals x;
  static constexpr std::array names{"x"};
};

// --- copy_through_device -------------------------------------------------------------------------

const auto copying = host_exercise<&copy_through_device>(
    [](const Named<Values>& c) { return std::tuple(c.x, out(c.x.size())); },
    [](Expect& expect, const Values& c, const auto& answer) {
      if (c.x.empty()) {
        did_nothing(answer, expect);
        expect.that(answer.work.calls == 0, "calls CUDA for an empty x", "N-LAUNCH");
        return;
      }
      if (succeeded(answer, 0, expect)) expect.equal("y", answer.output(), c.x);
    });

std::vector<Named<Values>> copies(const Sizes& sizes, std::uint64_t salt) {
  std::vector<Named<Values>> cases;
  for (const std::size_t n : sizes) {
    cases.push_back({std::to_string(n), {normal_tensor(n, mix(salt, n), 2.0f)}});
  }
  return cases;
}

// Nothing; one; what a fence is long; more than a megabyte.
TEST(copy_through_device, EverySize) {
  copying.is_right(copies({0, 1, 2, 3, 63, 64, 65, 1000, 300007}, seed(0)));
}

TEST(copy_through_device, RunsClean) {
  copying.runs_clean(
      copies({0, 1, 7, 100}, seed(1)), [](Expect& expect, const Values& c, const auto& answer) {
        const unsigned calls = answer.work.calls;
        expect.that(
            c.x.empty() || calls >= 5,
            "makes " + std::to_string(calls) + " CUDA calls: two buffers and three copies are 5",
            "N-ELSEWHERE");
      });
}

TEST(copy_through_device, EveryErrorComesBack) {
  copying.returns_every_error(copies({5}, seed(2)));
}

// --- quantize_on_device --------------------------------------------------------------------------

struct Blocks {
  Reals x;
  float scale;
  int part;
  static constexpr std::array names{"x", "scale", "block_size"};
};

const auto in_blocks = host_exercise<&quantize_on_device>(
    [](const Named<Blocks>& c) { return std::tuple(c.x, out(c.x.size()), c.scale, c.part); },
    [](Expect& expect, const Blocks& c, const auto& answer) {
      look_at_codes(expect, c, answer);
      const auto size = static_cast<std::uint64_t>(c.part), blocks = (c.x.size() + size - 1) / size;
      const auto& work = answer.work;
      expect_at(work.launched_at, expect, work.blocks == blocks && work.threads == blocks * size,
                "launches " + std::to_string(work.threads) + " threads in " +
                    std::to_string(work.blocks) + " blocks: " + std::to_string(blocks) +
                    " of block_size are as many as x needs",
                "N-LAUNCH");
    });

// Nothing; one less than, as many as, one more than a block; blocks of one thread, of no whole
// warp, of the most threads; many blocks.
const std::vector<Parts> kBlocks = {{0, 256},   {1, 256},   {1, 1},    {10, 4},      {255, 256},
                                    {256, 256}, {257, 256}, {100, 33}, {2049, 1024}, {70000, 128}};

TEST(quantize_on_device, EverySize) {
  auto cases = in_parts<Blocks>(kBlocks, seed(0));
  cases.push_back({"Ties", {{0.5f, 1.5f, 2.5f, -1.5f, -2.5f, 300.0f, -300.0f}, 1.0f, 4}});
  in_blocks.is_right(cases);
}

// CUDA's own answer to it: cudaErrorInvalidConfiguration.
TEST(quantize_on_device, RefusedLaunchComesBack) {
  in_blocks.returns_error(9, in_parts<Blocks>({{3000, 1025}, {100, 2048}}, seed(1)));
}

TEST(quantize_on_device, RunsClean) {
  in_blocks.runs_clean(in_parts<Blocks>({{0, 32}, {1, 32}, {100, 32}, {257, 256}}, seed(2)));
}

TEST(quantize_on_device, EveryErrorComesBack) {
  in_blocks.returns_every_error(in_parts<Blocks>({{70, 32}}, seed(3)));
}

// --- count_codes ---------------------------------------------------------------------------------

struct CodeList {
  Codes q;
  static constexpr std::array names{"q"};
};

std::vector<Named<CodeList>> code_lists(const Sizes& sizes, std::uint64_t salt) {
  std::vector<Named<CodeList>> cases;
  for (const std::size_t n : sizes) {
    cases.push_back({std::to_string(n), {code_tensor<std::int8_t>(n, mix(salt, n), -128, 127)}});
  }
  return cases;
}

Counts counted(const Codes& q) {
  Counts counts(256);
  for (const std::int8_t code : q) ++counts[static_cast<std::size_t>(code + 128)];
  return counts;
}

/// Some codes have been counted, none too often, and others not.
bool is_part_of(const Counts& got, const Counts& want) {
  std::int64_t counted = 0, missing = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (got[i] < 0 || got[i] > want[i]) return false;
    counted += got[i];
    missing += want[i] - got[i];
  }
  return counted > 0 && missing > 0;
}

const auto counting = host_exercise<&count_codes>(
    [](const Named<CodeList>& c) { return std::tuple(c.q, out(256)); },
    [](Expect& expect, const CodeList& c, const auto& answer) {
      // Of nothing, the 256 zeros need no device.
      const bool is_done =
          c.q.empty() ? expect.equal("the error", answer.error, 0) : succeeded(answer, 1, expect);
      if (!is_done) return;
      const Counts want = counted(c.q);
      expect.that(!is_part_of(answer.output(), want),
                  "some codes are not counted, and none too often", "N-TAIL");
      expect.equal("counts", answer.output(), want);
    });

// Nothing; one; around the sizes of blocks; enough for every code to occur.
TEST(count_codes, EverySize) {
  counting.is_right(code_lists({0, 1, 31, 255, 256, 257, 1023, 1025, 50021}, seed(0)));
}

TEST(count_codes, RunsClean) { counting.runs_clean(code_lists({0, 1, 300}, seed(1))); }

TEST(count_codes, EveryErrorComesBack) { counting.returns_every_error(code_lists({40}, seed(2))); }

// --- quantize_in_chunks --------------------------------------------------------------------------

struct Chunks {
  Reals x;
  float scale;
  std::int64_t part;
  static constexpr std::array names{"x", "scale", "chunk"};
};

const auto in_chunks = host_exercise<&quantize_in_chunks>(
    [](const Named<Chunks>& c) { return std::tuple(c.x, out(c.x.size()), c.scale, c.part); },
    [](Expect& expect, const Chunks& c, const auto& answer) { look_at_codes(expect, c, answer); });

// Whole chunks: one, one for each stream, the first that comes back to a stream, many.
TEST(quantize_in_chunks, EveryOrderOfStreams) {
  in_chunks.is_right(
      in_parts<Chunks>({{64, 64}, {128, 64}, {192, 64}, {256, 64}, {90, 9}, {4000, 500}}, seed(0)));
}

// Nothing; one; fewer than a chunk, which no memory would hold; a last chunk of one, of all but
// one; chunks of one; chunks larger than a block.
const std::vector<Parts> kChunks = {
    {0, 8},      {1, 8},      {7, 8},       {7, std::int64_t{1} << 40},
    {9, 8},      {15, 8},     {17, 8},      {5, 1},
    {1000, 300}, {1201, 300}, {20000, 7001}};

TEST(quantize_in_chunks, EverySize) { in_chunks.is_right(in_parts<Chunks>(kChunks, seed(1))); }

TEST(quantize_in_chunks, RunsClean) {
  in_chunks.runs_clean(
      in_parts<Chunks>({{0, 8}, {5, 8}, {20, 8}, {90, 9}, {700, 300}}, seed(2)),
      [](Expect& expect, const Chunks& c, const auto& answer) {
        if (std::ssize(c.x) > c.part) uses_both_streams(expect, answer);
        const auto& work = answer.work;
        expect.that(work.unpinned_copies == 0,
                    std::to_string(work.unpinned_copies) +
                        " copies from or to memory that is not pinned: nothing goes on beside them",
                    "N-SERIAL");
        // Twice what two streams need, of 4 bytes and 1 an element, on either side.
        const std::uint64_t enough = 40 * static_cast<std::uint64_t>(c.part);
        expect.that(work.taken_bytes <= enough,
                    "takes " + std::to_string(work.taken_bytes) +
                        " bytes of memory: a chunk for each stream, used again, is enough",
                    "N-MEMORY");
      });
}

TEST(quantize_in_chunks, EveryErrorComesBack) {
  in_chunks.returns_every_error(in_parts<Chunks>({{20, 8}}, seed(3)));
}

// --- quantize_with_own_scale ---------------------------------------------------------------------

/// What the engine leaves in memory that nobody has written has the sign of a negative number, and
/// is above all maxima as a word.
constexpr float kScaleOfUnwrittenMemory = 1.0f;

const auto by_own_scale = host_exercise<&quantize_with_own_scale>(
    [](const Named<Values>& c) {
      if (c.x.size() < 2) throw std::invalid_argument("no case is made smaller than that");
      return std::tuple(c.x, out(c.x.size()), out(1));
    },
    [](Expect& expect, const Values& c, const auto& answer) {
      if (!succeeded(answer, 1, expect)) return;
      const float absmax = max_abs(c.x), quotient = absmax / 127.0f;
      const float scale = absmax > 0.0f ? std::fmax(quotient, FLT_MIN) : 1.0f;
      expect.suspect("N-DIV0", "scale", Reals{0.0f}, "the scale of nothing but zeros is 1");
      expect.suspect("N-UNINIT", "scale", Reals{kScaleOfUnwrittenMemory},
                     "the word of the maximum was not set to 0 before");
      expect.suspect("N-SCALE", "scale", Reals{absmax * (1.0f / 127.0f)},
                     "the scale is amax * (1 / 127): divide");
      expect.suspect("N-RANGE", "scale", Reals{absmax / 128.0f},
                     "the scale is amax / 128, and should be amax / 127");
      expect.suspect("N-SCALE", "scale", Reals{absmax},
                     "the scale is amax, and should be amax / 127");
      const std::size_t half = c.x.size() / 2;
      for (const auto& part : {std::span(c.x).first(half), std::span(c.x).subspan(half)}) {
        expect.suspect("N-WAIT", "scale", Reals{max_abs(part) / 127.0f},
                       "the largest magnitude is that of one half alone");
      }
      expect.suspect("N-DIV0", "scale", Reals{quotient},
                     "the scale is at least FLT_MIN, and 1 for zeros");
      expect.equal("scale", answer.template output<1>(), Reals{scale});
      expect.equal("q", answer.output(), quantized(c.x, scale));
    });

/// Random values alone, and with the largest magnitude in the first half, and in the second: the
/// other half has a much smaller scale of its own.
std::vector<Named<Values>> with_largest_everywhere(const Sizes& sizes, std::uint64_t salt) {
  std::vector<Named<Values>> cases;
  for (const std::size_t n : sizes) {
    const Reals any = uniform_tensor(n, mix(salt, n), -3.0f, 3.0f);
    Reals first = any, second = any;
    first[n / 2 / 2] = -40.0f;
    second[n - 1] = 40.0f;
    cases.push_back({"First" + std::to_string(n), {first}});
    cases.push_back({"Second" + std::to_string(n), {second}});
    cases.push_back({"Any" + std::to_string(n), {any}});
  }
  return cases;
}

// Halves of equal length.
TEST(quantize_with_own_scale, EveryOrderOfStreams) {
  by_own_scale.is_right(with_largest_everywhere({64, 600, 4000}, seed(0)));
}

// One each; halves of unequal length; one more than a block in one of them; nothing but zeros;
// what is so small that its scale would be 0, or subnormal.
TEST(quantize_with_own_scale, EverySize) {
  auto cases = with_largest_everywhere({2, 3, 5, 31, 513, 10007}, seed(1));
  cases.push_back({"Zeros", {Reals(9, 0.0f)}});
  cases.push_back({"Thirteen", {{1.0f, -13.0f}}});  // 13 / 127 is not 13 * (1 / 127)
  cases.push_back({"MinusZeros", {Reals(4, -0.0f)}});
  cases.push_back({"Subnormal", {{0.0f, 0x1p-146f}}});  // its 127th is 0
  cases.push_back({"Tiny", {{-3 * FLT_MIN, FLT_MIN}}});
  by_own_scale.is_right(cases);
}

TEST(quantize_with_own_scale, RunsClean) {
  by_own_scale.runs_clean(
      with_largest_everywhere({2, 7, 600}, seed(2)),
      [](Expect& expect, const Values&, const auto& answer) { uses_both_streams(expect, answer); });
}

TEST(quantize_with_own_scale, EveryErrorComesBack) {
  by_own_scale.returns_every_error(with_largest_everywhere({9}, seed(3)));
}

// --- multiply_on_device --------------------------------------------------------------------------

/// c with rows of others in the place of its own: row i is that of source(i).
template <class Source>
Sums with_rows(const Sums& c, MatmulShape shape, const Source& source) {
  Sums all;
  for (int i = 0; i < shape.m; ++i) {
    const auto row = c.begin() + std::ptrdiff_t{source(i)} * shape.n;
    all.insert(all.end(), row, row + shape.n);
  }
  return all;
}

/// What halves in the wrong places make of c, b that is stored another way, and sums in 16 bits.
void suspect_halves(Expect& expect, const Product& c, const Sums& right) {
  const int m = c.shape.m, first = m / 2;
  expect.suspect("N-ORDER", "c",
                 with_rows(right, c.shape, [=](int i) { return (i + m - first) % m; }),
                 "the halves of c are exchanged");
  expect.suspect("N-LAYOUT", "c",
                 with_rows(right, c.shape, [=](int i) { return i < first ? i : i - first; }),
                 "the second half of c is the first once more");
  Product misread = c;
  misread.b_t = turned(c.b_t, c.shape.n, c.shape.k);
  expect.suspect("N-TRANS", "c", by_definition(misread), "b [k,n] is read as b_t [n,k]");
  expect.suspect("N-OVERFLOW", "c", std::vector<std::int16_t>(right.begin(), right.end()),
                 "the sum is kept in 16 bits");
}

/// Of empty sums, the zeros need no device.
template <class Answer>
bool took_no_terms(const Answer& answer, Expect& expect) {
  return expect.that(answer.error == 0,
                     "returns " + detail::name_of_error(answer.error) +
                         " for k = 0: every sum is empty, and c is zeros",
                     "N-REFUSED");
}

const auto multiplying = host_exercise<&multiply_on_device>(
    [](const Product& c) {
      return std::tuple(c.a, turned(c.b_t, c.shape.n, c.shape.k), out(c.outputs()), c.shape);
    },
    [](Expect& expect, const Product& c, const auto& answer) {
      if (c.outputs() == 0) return did_nothing(answer, expect);
      if (c.shape.k > 0 ? !succeeded(answer, 1, expect) : !took_no_terms(answer, expect)) return;
      const Sums right = by_definition(c);
      if (answer.output() != right) suspect_halves(expect, c, right);
      expect.equal("c", answer.output(), right, {std::size_t(c.shape.m), std::size_t(c.shape.n)});
    });

// Halves of equal size, within a block of any usual shape.
TEST(multiply_on_device, EveryOrderOfStreams) {
  multiplying.is_right(random_products({{2, 3, 4}, {4, 2, 3}, {8, 7, 20}, {8, 5, 600}}, seed));
}

// Of one row; one row more in one of the halves; one less than, as many as, one more than what
// blocks have along either side; tall, flat. And of nothing, at the ends of the codes, of the
// longest sum.
const std::vector<MatmulShape> kShapes = {{1, 1, 1},   {1, 5, 3},    {3, 2, 5},    {5, 7, 3},
                                          {2, 40, 2},  {7, 31, 33},  {15, 32, 8},  {17, 33, 16},
                                          {33, 17, 5}, {70, 65, 20}, {2, 300, 10}, {301, 2, 10}};

TEST(multiply_on_device, EverySize) {
  multiplying.is_right({table_of_products(5, 6)});
  multiplying.is_right(random_products(kShapes, seed));
  multiplying.is_right(empty_products(3));
  multiplying.is_right(extreme_products({3, 2, 5}));
  multiplying.is_right({constant_product("Longest", {2, 1, 131071}, -128, -128)});
}

// Most of their memory is b's: who takes it twice is far beyond what all three matrices have.
const std::vector<MatmulShape> kMostlyB = {{1, 40, 30}, {2, 40, 30}, {5, 33, 50}};

TEST(multiply_on_device, RunsClean) {
  multiplying.runs_clean(empty_products(2));
  multiplying.runs_clean(random_products(kMostlyB, seed), [](Expect& expect, const Product& c,
                                                             const auto& answer) {
    if (c.shape.m > 1) uses_both_streams(expect, answer);
    const std::uint64_t once = c.a.size() + c.b_t.size() + 4 * c.outputs();
    const std::uint64_t taken = answer.work.taken_bytes;
    expect.that(taken <= once + once / 2,
                "takes " + std::to_string(taken) + " bytes of memory: the three matrices have " +
                    std::to_string(once) + ", and one b is enough for both streams",
                "N-MEMORY");
  });
}

TEST(multiply_on_device, EveryErrorComesBack) {
  multiplying.returns_every_error(random_products({{3, 5, 4}}, seed));
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The same definitions, on data and sizes that follow from the course's secret
// salt.

TEST(copy_through_device, EqualsTheDefinition) {
  copying.is_right(copies({4, 91, 5003}, hidden_seed(0)));
}

TEST(quantize_on_device, EqualsTheDefinition) {
  in_blocks.is_right(in_parts<Blocks>({{5, 2}, {99, 64}, {1300, 96}, {9001, 512}}, hidden_seed(1)));
}

TEST(count_codes, EqualsTheDefinition) {
  counting.is_right(code_lists({6, 700, 20011}, hidden_seed(2)));
}

TEST(quantize_in_chunks, EqualsTheDefinition) {
  in_chunks.is_right(in_parts<Chunks>({{30, 10}, {101, 25}, {4099, 513}}, hidden_seed(3)));
}

TEST(quantize_with_own_scale, EqualsTheDefinition) {
  by_own_scale.is_right(with_largest_everywhere({12, 1025, 7001}, hidden_seed(4)));
}

TEST(multiply_on_device, EqualsTheDefinition) {
  multiplying.is_right(random_products({{6, 4, 9}, {19, 70, 31}, {130, 9, 64}}, hidden_seed));
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
