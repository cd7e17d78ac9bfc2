// Lab 07: calibration. Which range, when the data is not at hand. This header is the contract: read
// it, implement it, leave it be (the grader compiles your calibration.cpp against its own copy).
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

// --- Watching a tensor go by --------------------------------------------------------------------

/// The range of a tensor that is seen in batches. A new one is RangeObserver{}.
struct RangeObserver {
  float lo;      ///< the least value, in real units; means nothing until `started`
  float hi;      ///< the greatest value, in real units; means nothing until `started`
  bool started;  ///< a batch has been folded in
  bool frozen;   ///< calibration is over: the range stays as it is
};

/// Folds a batch into the range of everything seen so far, and returns the observer after it.
///
///     lo' = min(lo, min batch[i])        hi' = max(hi, max batch[i])
///
///     batch 1            |--------|              the first batch initialises: lo' and hi' are its
///     batch 2       |-------|                    own, whatever lo and hi were
///     batch 3                  |-----|
///     the range     |----------------|           nothing seen is ever forgotten
///
/// Afterwards it is started. An empty batch changes nothing, and does not start it. A frozen
/// observer is returned as it is: at inference nothing is learnt, and the batch is not looked at.
/// 0 and -0 are one end.
///
/// Requires, unless frozen: every batch[i] finite; where started, lo and hi finite and lo <= hi,
/// with an empty batch, too. Otherwise throws std::invalid_argument.
RangeObserver minmax_observe(const RangeObserver& observer, std::span<const float> batch);

/// Folds a batch into a moving average of ranges: one wild batch does not stay for ever.
///
///     lo' = lo + 0.01 * (min batch[i] - lo)      hi' = hi + 0.01 * (max batch[i] - hi)
///
/// Arithmetic is float32: one difference, one product, one sum, in this order, with the constant
/// 0.01f (as PyTorch's MovingAverageMinMaxObserver). Where rounding puts lo' above hi', hi' becomes
/// lo'. The first batch, an empty one and a frozen observer are treated as by minmax_observe.
///
/// Requires: what minmax_observe requires; lo' and hi' finite as the formulas give them. Otherwise
/// throws std::invalid_argument.
RangeObserver moving_average_observe(const RangeObserver& observer, std::span<const float> batch);

// --- Choosing where to cut ----------------------------------------------------------------------
//
// A clip is a magnitude: values in [-clip, clip] are quantized, those beyond are saturated. The
// scale of symmetric codes is clip / qmax. The clip of an empty tensor, and of zeros, is 0.
//
//     clip too large: long steps for everybody       clip too small: the rare large values are cut
//      |.....|.....|.....|.....|.....|.....|                  >|.|.|.|.|.|.|<

/// Returns the magnitude that `per_million` millionths of the values do not exceed.
///
///     sorted = the |x[i]| in ascending order              sorted[1] ... sorted[n]
///     rank   = ceil(n * per_million / 10^6)              exact, in integers: 1 ... n
///     clip   = sorted[rank]                               0 where n = 0
///
/// It is one of the magnitudes, never something between two of them. 1'000'000 gives max |x[i]|,
/// 999'900 the 99.99th percentile, 1 the least |x[i]| (up to a million values).
///
/// Requires: every x[i] finite; 1 <= per_million <= 1'000'000. Otherwise throws
/// std::invalid_argument.
float percentile_clip(std::span<const float> x, std::int32_t per_million);

/// Returns the clip with the least squared error, of a hundred.
///
///     clip[k]  = amax * (k / 100)             k = 1 ... 100; float32: a quotient, then a product
///     scale[k] = max(clip[k] / qmax, FLT_MIN)                          qmax = 2^(num_bits-1) - 1
///     q[i]     = clamp(round(x[i] / scale[k]))                         to [-qmax - 1, qmax]
///     error[k] = sum over i of (scale[k] * q[i] - x[i])^2              the sum in double
///
/// amax = max |x[i]|, so that clip[100] is amax itself. Codes and scale[k] * q[i] are float32, as
/// in lab 03 (ties to the even neighbour); the difference and what follows is double. Of equal
/// errors the larger clip wins. Where two are as good as equal, the order of a sum decides, and any
/// order is right.
///
/// Requires: every x[i] finite; 2 <= num_bits <= 8. Otherwise throws std::invalid_argument.
float mse_clip(std::span<const float> x, int num_bits = 8);

/// Returns the clip that loses the least information, found in a histogram of |x|.
///
/// First, count: x comes in batches of batch_size values (the last may be shorter), and all that is
/// kept of them is a histogram. In double, of 2048 bins:
///
///     bin b counts the |x[i]| in (b * width, (b + 1) * width]; zeros are in bin 0
///     width = amax / 2048, amax of the first batch that is not all zeros
///
/// While a batch's amax is above 2048 * width, the histogram grows before the batch is counted:
/// neighbouring bins are joined in pairs, and width is doubled. It is then what counting all
/// over again with that width would give: no value is lost, none moved.
///
///     5 | 3 | 2 | 1    width 1      ->      8 | 3 | 0 | 0    width 2        (here of 4 bins)
///
/// Second, try k = 128, 144, 160, ..., 2048, the number of bins that are kept:
///
///     p[b]  = count[b] for b < k, and all counts from bin k on are added to p[k-1]
///     level = b * 128 / k               integer division: 128 levels, of about k / 128 bins
///     q[b]  = the sum of count over the level of b, shared out equally among those of its bins
///             that have a count; 0 in a bin without one
///
///     count  4 0 2 | 1 1 1 | 7         k = 6 with 2 levels:  p = 4 0 2 1 1 8
///            level 0 level 1 beyond                          q = 3 0 3 1 1 1
///
///     P = p / sum p,  Q = q / sum q
///     divergence[k] = sum over b of P[b] * ln(P[b] / Q[b])
///
/// A bin with p[b] = 0 adds 0. Where p[b] > 0 and q[b] = 0, the divergence is infinite.
///
/// Third, choose the k with the least divergence, of equals the largest:
///
///     clip = min(k * width, amax)                                          amax of all batches
///
/// The answer may be one k off, 16 * width: where the divergences of two neighbours are as good as
/// equal, the order of a sum decides.
///
/// Requires: every x[i] finite; batch_size >= 1. Otherwise throws std::invalid_argument.
float entropy_clip(std::span<const float> x, std::int32_t batch_size);

// --- Not guessing at all ------------------------------------------------------------------------

/// Rows quantized at run time: each token has the scale of its own values.
struct DynamicRows {
  std::vector<std::int8_t> q;  ///< [rows, columns] row-major, each in [-127, 127]
  std::vector<float> scales;   ///< [rows] real units per step; normal and > 0
};

/// Quantizes each row of `x` to 8 bits by itself.
///
///     x [rows, columns] row-major            rows = x.size() / columns, one a token
///
///     amax[r]   = max over j of |x[r,j]|
///     scales[r] = amax[r] / 127              1 where amax[r] is 0, and never below FLT_MIN
///     q[r,j]    = round(x[r,j] / scales[r])
///
///     | 1   -2    4 |   scale 4/127          what one token does changes no other, and what came
///     | 0    0  100 |   scale 100/127        before is not remembered
///
/// Arithmetic is float32: one division for a scale, one for each code, not a multiplication by its
/// inverse. round() sends ties to the even neighbour.
///
/// Requires: columns >= 1, and x.size() a multiple of it; every x[i] finite. Otherwise throws
/// std::invalid_argument.
DynamicRows quantize_dynamic_rows(std::span<const float> x, std::int32_t columns);

NIBBLE_EXERCISES(minmax_observe, moving_average_observe, percentile_clip, mse_clip, entropy_clip,
                 quantize_dynamic_rows);

}  // namespace nibble
