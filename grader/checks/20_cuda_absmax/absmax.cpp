// Lab 20: largest magnitudes: the checks.
#include "checks/20_cuda_absmax/absmax.hpp"

#include "judge/tensors.hpp"

namespace nibble::judge::lab_20_cuda_absmax {
namespace {

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
                                        repeated("Infinity", {1.0f, -kInfinity, FLT_MAX / 2})};

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

/// The last chunks of more than an index of 32 bits counts.
protocol::Far last_chunks(const Tensor&) {
  return more_columns({/*x=*/kChunk, /*partial=*/1, /*n=*/kChunk});
}

TEST(absmax_block, Magnitudes) { in_block.is_right(kHandCases); }
TEST(absmax_block, EveryPlace) { in_block.is_right(every_place()); }
TEST(absmax_block, EveryTail) { in_block.is_right(tails(kTails)); }
TEST(absmax_block, KeepsNaN) { in_block.is_right(with_nans()); }
TEST(absmax_block, RunsClean) {
  in_block.runs_clean(tails({2500, 4, 36, 1024}));
  in_block.runs_far(tails({2500}), last_chunks);
}
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
TEST(absmax_warp, RunsClean) {
  in_warp.runs_clean(tails({2500, 4, 36, 1024}));
  in_warp.runs_far(tails({2500}), last_chunks);
}
TEST(absmax_warp, OneBarrier) { in_warp.at_most(kBarriers, 1, counted(kCountedChunks)); }
TEST(absmax_warp, FewRequests) { in_warp.at_most(kSharedRequests, 1.1, counted(kCountedChunks)); }
TEST(absmax_warp, MovesEachByteOnce) {
  in_warp.at_most(kGlobalBytes, 1.1, counted(kCountedChunks));
}

/// Five blocks, the largest in each of them once: blocks come in any order. Each quarter of a block
/// has a largest element of its own, larger where -9 is: what is found tells who lost which.
std::vector<Tensor> largest_in_each_block() {
  struct Large {
    std::size_t at;
    float value;
  };
  constexpr Large kOfQuarters[] = {{100, 6.5f}, {1304, 6.8f}, {2608, 6.7f}, {3104, 6.6f}};
  std::vector<Tensor> cases;
  for (std::size_t block = 0; block < 5; ++block) {
    cases.push_back(
        {"Block" + std::to_string(block), {normal_tensor(std::size_t{5} * 4096, seed(block))}});
    Reals& x = cases.back().x;
    for (std::size_t b = 0; b < 5; ++b) {
      const float more = float(b) / 100 + (b == block ? 1.0f : 0.0f);
      for (const auto& [at, value] : kOfQuarters) x[b * 4096 + at] = value + more;
    }
    x[block * 4096 + 1000 * block + 7] = -9.0f;
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
TEST(absmax, RunsClean) {
  of_all.runs_clean(tails({4099, 9001, 1, 5}));
  of_all.runs_far(tails({4099}), [](const Tensor&) { return more_columns({/*x=*/1, 0, /*n=*/1}); });
}
TEST(absmax, FewAtomics) { of_all.at_most(kAtomics, 1, counted({4096, 20011})); }
TEST(absmax, LoadsInFours) { of_all.at_most(kGlobalRequests, 1.5, counted({8192, 20011})); }
TEST(absmax, MovesEachByteOnce) { of_all.at_most(kGlobalBytes, 1.1, counted({8192, 20011})); }

}  // namespace
}  // namespace nibble::judge::lab_20_cuda_absmax
