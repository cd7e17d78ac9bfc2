// Lab 35: the roofline, and figures that one may believe. This header is the contract: read it,
// implement it, leave it be (the grader compiles your roofline.cpp against its own copy).
//
// What is no integer is a double, within 1e-6, relative, of the exact value. Times are in seconds.
#pragma once

#include "nibble/lab.hpp"
#include "nibble/net/split_mix.hpp"

namespace nibble {

// --- What has to be done ------------------------------------------------------------------------

/// A product of matrices, c = a * b: a is [m, k], b is [k, n], c is [m, n].
struct Product {
  std::int64_t m, n, k;                 ///< 0 to 2^20 each
  std::int32_t a_bits, b_bits, c_bits;  ///< of one element, 1 to 64
  bool b_cached;                        ///< b lies in the cache, and is not fetched from memory
};

/// Throws std::invalid_argument unless `product` is one. Given: call it first.
inline void expects_product(const Product& product) {
  for (const std::int64_t size : {product.m, product.n, product.k}) {
    NIBBLE_EXPECTS(0 <= size && size <= (1 << 20), size);
  }
  for (const std::int32_t bits : {product.a_bits, product.b_bits, product.c_bits}) {
    NIBBLE_EXPECTS(1 <= bits && bits <= 64, bits);
  }
}

/// What a computation costs, whoever computes it.
struct Cost {
  std::int64_t operations;  ///< additions and multiplications, each counts one; >= 0
  std::int64_t bytes;       ///< to and from memory; >= 0
};

/// Returns what a product costs, when each matrix crosses the memory bus once.
///
///     operations = 2 * m * n * k                             a multiplication and an addition each
///     bytes      = ceil(m * k * a_bits / 8)
///                + ceil(k * n * b_bits / 8)                  0 where b_cached
///                + ceil(m * n * c_bits / 8)
///
///     5 codes of 4 bits    |1 0|3 2|- 4|      3 bytes: each matrix begins with a byte of its own
///
/// Both are exact, and below 2^62.
///
/// Requires: expects_product(product) passes. Otherwise throws std::invalid_argument.
Cost product_cost(const Product& product);

// --- How fast it can be -------------------------------------------------------------------------

/// What a machine can do at best.
struct Machine {
  double peak;       ///< operations a second; from 1 to 1e30
  double bandwidth;  ///< bytes a second, to and from memory; from 1 to 1e30
};

/// Throws std::invalid_argument unless `machine` is one. Given: call it first.
inline void expects_machine(const Machine& machine) {
  NIBBLE_EXPECTS(1 <= machine.peak && machine.peak <= 1e30, machine.peak);
  NIBBLE_EXPECTS(1 <= machine.bandwidth && machine.bandwidth <= 1e30, machine.bandwidth);
}

/// The place of a computation below the roof.
struct Roof {
  double intensity;   ///< operations a byte
  double ridge;       ///< the intensity from which on memory is fast enough
  double rate;        ///< operations a second, at best
  double seconds;     ///< at least
  bool memory_bound;  ///< it waits for memory, not for arithmetic
};

/// Returns how fast `cost` can be on `machine`, when memory and arithmetic work at the same time.
///
///     intensity    = operations / bytes
///     ridge        = peak / bandwidth
///     rate         = min(peak, intensity * bandwidth)
///     seconds      = max(operations / peak, bytes / bandwidth)
///     memory_bound = intensity < ridge
///
///     rate |        ridge
///     peak |          .___________________
///          |        . |
///          |      .   |                        left of the ridge a byte less is time saved,
///          |    .     |                        right of it nothing but an operation less
///          |__.______________________________
///                                   intensity
///
/// Without bytes the intensity is +infinity, the rate peak; without operations both are 0. At the
/// ridge, where both quotients are the same double, a computation is not memory_bound.
///
/// Requires: operations >= 0, bytes >= 0, not both 0; expects_machine(machine) passes. Otherwise
/// throws std::invalid_argument.
///
/// Source: Williams, Waterman, Patterson, "Roofline: an insightful visual performance model for
/// multicore architectures" (2009).
Roof attainable(const Cost& cost, const Machine& machine);

// --- What was measured --------------------------------------------------------------------------

/// Throws std::invalid_argument unless there is a time, and each is one: from 1e-12 to 1e12. Given.
inline void expects_times(std::span<const double> seconds) {
  NIBBLE_EXPECTS(!seconds.empty(), seconds.size());
  for (const double time : seconds) NIBBLE_EXPECTS(1e-12 <= time && time <= 1e12, time);
}

/// What many runs of one thing took.
struct Summary {
  double median;  ///< seconds: half of the runs took no longer
  double low;     ///< seconds: a quarter of the runs took no longer
  double high;    ///< seconds: three quarters of the runs took no longer
  double spread;  ///< (high - low) / median; no unit
};

/// Returns the middle of the times, and how far they are apart, without the first `warm_up` runs.
///
///     t[1] <= t[2] <= ... <= t[n]            the other times, in ascending order
///     median = t[(n + 1) / 2]                the mean of t[n / 2] and t[n / 2 + 1] where n is even
///     low    = t[ceil(n / 4)]
///     high   = t[ceil(3 * n / 4)]
///     spread = (high - low) / median
///
///     runs     9 7 | 2 1 8 2 3               warm_up = 2: caches were cold, clocks were low
///     t        1 2 2 3 8                     median 2, low 2, high 3: the 8 moves none of them
///
/// Requires: expects_times(seconds) passes; 0 <= warm_up < seconds.size(). Otherwise throws
/// std::invalid_argument.
Summary summarize(std::span<const double> seconds, std::int32_t warm_up);

/// How often compare_pairs draws again, and how many of the draws it leaves out at either end.
inline constexpr std::int32_t kResamples = 1000, kLeftOut = 24;

/// What measuring two things in turn tells.
struct Comparison {
  double ratio;          ///< of our time to theirs; below 1 we are faster
  double low;            ///< where the ratio lies, with 95 % confidence: from here
  double high;           ///< to here
  std::int32_t verdict;  ///< -1 we are faster, 1 they are, 0 that much is not known
};

/// Compares times that were measured in pairs: ours[i] and theirs[i] right after each other, so
/// that whatever slowed one of them down has slowed the other, too.
///
///     l[i]    = ln(ours[i] / theirs[i])
///     ratio   = exp(mean of l)                               twice and half average to 1
///
///     SplitMix random(seed);
///     draw[r] = mean of l[random.below(n)], n times          r = 0 .. kResamples - 1, in order
///     low     = exp(the 25th least draw)                     kLeftOut are below it
///     high    = exp(the 25th greatest draw)                  kLeftOut are above it
///
///     verdict = -1 if high < 1,  1 if low > 1,  otherwise 0
///
///     ratio        0.9       1.0       1.1
///        A      |---o---|     |                  -1: faster
///        B           |-----o--|----|              0: holds 1, so that nobody knows
///
/// Requires: expects_times passes for both; as many ours as theirs. Otherwise throws
/// std::invalid_argument.
///
/// Source: Efron, Tibshirani, "An introduction to the bootstrap" (1993): percentile intervals.
Comparison compare_pairs(std::span<const double> ours, std::span<const double> theirs,
                         std::uint64_t seed);

// --- What it means for a language model ---------------------------------------------------------

/// A language model that writes: each step gives one token to each of `batch` texts.
struct Decoder {
  std::int64_t parameters;   ///< weights, all of them read in each step; 1 to 2^50
  double bits_per_weight;    ///< scales included; from 0.5 to 64
  std::int64_t cache_bytes;  ///< of keys and values, for one token of one text; 0 to 2^30
  std::int64_t context;      ///< tokens that a text has so far; 0 to 2^30
  std::int64_t batch;        ///< texts; 1 to 2^20
};

/// Throws std::invalid_argument unless `decoder` is one. Given: call it first.
inline void expects_decoder(const Decoder& decoder) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;
  NIBBLE_EXPECTS(1 <= decoder.parameters && decoder.parameters <= kMost << 20, decoder.parameters);
  NIBBLE_EXPECTS(0.5 <= decoder.bits_per_weight && decoder.bits_per_weight <= 64,
                 decoder.bits_per_weight);
  NIBBLE_EXPECTS(0 <= decoder.cache_bytes && decoder.cache_bytes <= kMost, decoder.cache_bytes);
  NIBBLE_EXPECTS(0 <= decoder.context && decoder.context <= kMost, decoder.context);
  NIBBLE_EXPECTS(1 <= decoder.batch && decoder.batch <= 1 << 20, decoder.batch);
}

/// Returns how many tokens a second all texts get together, at best.
///
///     bytes      = parameters * bits_per_weight / 8  +  batch * context * cache_bytes
///     operations = 2 * parameters * batch
///     seconds    = max(operations / peak, bytes / bandwidth)          of one step
///     tokens     = batch / seconds
///
///     batch   1    weights ==========> token                a byte is read for each token
///     batch   4    weights ==========> token token          and here for four
///                                      token token
///
/// Weights are read once a step, for all texts; the keys and values of a text serve that text
/// alone. What attention computes is left out.
///
/// Requires: expects_decoder(decoder) and expects_machine(machine) pass. Otherwise throws
/// std::invalid_argument.
double tokens_per_second(const Decoder& decoder, const Machine& machine);

NIBBLE_EXERCISES(product_cost, attainable, summarize, compare_pairs, tokens_per_second);

}  // namespace nibble
