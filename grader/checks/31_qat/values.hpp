// Lab 31: what more than one of its exercises needs.
#pragma once

#include "qat.hpp"

#include "judge/exercise.hpp"
#include "judge/reals.hpp"
#include "nibble/net/glyphs.hpp"
#include "nibble/net/train.hpp"

namespace nibble::judge::lab_31_qat {

/// Of 3 bits and 2: weights are codes from -4 to 3, inputs from 0 to 3.
inline QatLayer layer_of(Doubles weight, Doubles bias, LayerScales scales = {1, 1},
                         int weight_bits = 3, int input_bits = 2) {
  return {std::move(weight), std::move(bias), scales, weight_bits, input_bits};
}

/// The slips that have a name.
enum class Slip {
  kNone,
  kAway,
  kCut,
  kUnclamped,
  kNoSlope,
  kNoMask,
  kEarlyMask,
  kEarlyEnds,
  kHalf,
  kNoRoot,
  kNoQmax,
  kOneRow,
  kSignedQmax,
  kReciprocal,
  kSignedInputs,
  kTransposed,
  kRealWeights,
  kRealInputs,
  kInSteps,
  kOtherScales,
  kNoLowest,
  kNoBias,
  kMeanOfRows,
  kClampedTeachNothing,
  kStopsAtTheEnds,
  kStopped,
  kMinus,
  kDifference,
  kSymmetric,
  kNoRootOfIt,
  kOtherCount
};
struct NamedSlip {
  Slip slip;
  const char *code, *words;
};

/// What a number becomes, and its slopes: by itself, and by the scale.
struct Stair {
  double hat, by_value, by_scale;
};

inline Stair stair(double value, double scale, const IntRange& range, Slip slip) {
  const double v = slip == Slip::kReciprocal ? value * (1 / scale) : value / scale;
  const double rounded = slip == Slip::kAway  ? std::round(v)
                         : slip == Slip::kCut ? std::trunc(v)
                                              : std::nearbyint(v);
  const double code = std::clamp<double>(rounded, range.qmin, range.qmax);
  const bool inside = slip == Slip::kEarlyMask        ? range.qmin <= v && v <= range.qmax
                      : slip == Slip::kEarlyEnds      ? range.qmin < v && v < range.qmax
                      : slip == Slip::kStopsAtTheEnds ? range.qmin < rounded && rounded < range.qmax
                                                      : code == rounded;
  const bool passes = slip != Slip::kNoSlope && (inside || slip == Slip::kNoMask);
  const double move = slip == Slip::kHalf    ? rounded
                      : slip == Slip::kMinus ? v - rounded
                                             : rounded - v;
  const double clamped = slip == Slip::kStopped      ? 0
                         : slip == Slip::kDifference ? code - v
                         : slip == Slip::kSymmetric  ? std::max<double>(code, -range.qmax)
                                                     : code;
  return {(slip == Slip::kInSteps ? 1 : scale) * (slip == Slip::kUnclamped ? rounded : code),
          passes ? 1.0 : 0.0, inside || slip == Slip::kNoMask ? move : clamped};
}

inline std::vector<Stair> stairs(const Doubles& values, double scale, const IntRange& range,
                                 Slip slip) {
  return each_of(values, [&](double value) { return stair(value, scale, range, slip); });
}

/// Everything that the contract says of a layer.
struct Worked {
  Doubles y;
  QatGradient gradient;
  LayerScales by_scales{0, 0};
};

/// `upstream` may be empty: the way forward alone.
inline Worked worked(const Doubles& x, const Doubles& upstream, const QatLayer& layer,
                     Slip slip = Slip::kNone) {
  const std::size_t outputs = layer.bias.size();
  if (outputs == 0 || layer.weight.empty() || layer.weight.size() % outputs != 0) {
    throw std::invalid_argument("no layer");
  }
  const auto inputs = layer.weight.size() / outputs, rows = x.size() / inputs;
  if (rows == 0 || x.size() != rows * inputs) throw std::invalid_argument("no rows");
  if (!upstream.empty() && upstream.size() != rows * outputs) throw std::invalid_argument("sizes");

  const auto [w_scale, x_scale] = slip == Slip::kOtherScales
                                      ? LayerScales{layer.scales.input, layer.scales.weight}
                                      : layer.scales;
  IntRange of_weights = weight_range(layer);
  if (slip == Slip::kNoLowest) of_weights.qmin = -of_weights.qmax;
  auto w = stairs(layer.weight, w_scale, of_weights, slip);
  auto in = stairs(
      x, x_scale, slip == Slip::kSignedInputs ? signed_range(layer.input_bits) : input_range(layer),
      slip);
  for (std::size_t i = 0; slip == Slip::kRealWeights && i < w.size(); ++i)
    w[i].hat = layer.weight[i];
  for (std::size_t i = 0; slip == Slip::kRealInputs && i < in.size(); ++i) in[i].hat = x[i];
  Worked all{{}, {Doubles(x.size()), Doubles(w.size()), Doubles(outputs)}};
  for (std::size_t at = 0; at < rows * outputs; ++at) {
    const Stair* const row = in.data() + at / outputs * inputs;
    const Stair* const weights = w.data() + at % outputs * inputs;
    double sum = slip == Slip::kNoBias ? 0 : layer.bias[at % outputs];
    for (std::size_t i = 0; i < inputs; ++i) {
      const bool is_turned = slip == Slip::kTransposed;  // as if it were [inputs, outputs]
      sum += row[i].hat * (is_turned ? w[i * outputs + at % outputs] : weights[i]).hat;
    }
    all.y.push_back(sum);
    if (upstream.empty()) continue;
    const double by = upstream[at] / (slip == Slip::kMeanOfRows ? static_cast<double>(rows) : 1);
    all.gradient.bias[at % outputs] += by;
    for (std::size_t i = 0; i < inputs; ++i) {
      const bool teaches = slip != Slip::kClampedTeachNothing || row[i].by_value != 0;
      all.gradient.weight[at % outputs * inputs + i] += teaches ? by * row[i].hat : 0;
      all.gradient.input[at / outputs * inputs + i] += by * weights[i].hat;
    }
  }
  const auto go_through = [&](Doubles& by_hat, const std::vector<Stair>& all_stairs,
                              const IntRange& range) {
    double sum = 0;
    for (std::size_t i = 0; i < by_hat.size(); ++i) {
      sum += by_hat[i] * all_stairs[i].by_scale;
      by_hat[i] *= all_stairs[i].by_value;
    }
    const bool of_inputs = range.qmin == 0;
    const double one_row = slip == Slip::kOneRow && of_inputs ? static_cast<double>(rows) : 1;
    const std::size_t size = slip != Slip::kOtherCount ? by_hat.size()
                             : of_inputs               ? w.size()
                                                       : x.size();
    const auto count = static_cast<double>(size) / one_row;
    const int qmax = slip == Slip::kSignedQmax && of_inputs ? range.qmax / 2 : range.qmax;
    if (slip == Slip::kNoRoot) return sum;
    if (slip == Slip::kNoRootOfIt) return sum / (count * qmax);
    return sum / std::sqrt(slip == Slip::kNoQmax ? count : count * qmax);
  };
  all.by_scales = {go_through(all.gradient.weight, w, weight_range(layer)),
                   go_through(all.gradient.input, in, input_range(layer))};
  return all;
}

inline constexpr const char* kLayerNames[] = {"weight",       "bias",        "scales.weight",
                                              "scales.input", "weight_bits", "input_bits"};

/// A layer and rows for it, normal numbers of which some are clamped.
struct Drawn {
  std::string name;
  Doubles x, upstream;
  QatLayer layer;
};

inline std::vector<Drawn> layers(Seed seed_of,
                                 const std::vector<std::array<std::size_t, 3>>& shapes) {
  std::vector<Drawn> all;
  for (const auto& [rows, inputs, outputs] : shapes) {
    for (const auto& [weight_bits, input_bits] : {std::pair{2, 2}, {2, 8}, {5, 3}, {8, 8}}) {
      const std::size_t first =
          8 * static_cast<std::size_t>(weight_bits) + 100 * (inputs + outputs);
      const auto drawn = [&](std::size_t count, std::size_t k) {
        return normals(count, seed_of(first + k));
      };
      const std::string name = std::to_string(rows) + " rows, " + std::to_string(inputs) + " to " +
                               std::to_string(outputs) + ", W" + std::to_string(weight_bits) + "A" +
                               std::to_string(input_bits);
      all.push_back({name,
                     drawn(rows * inputs, 1),
                     drawn(rows * outputs, 2),
                     {drawn(inputs * outputs, 3),
                      drawn(outputs, 4),
                      {1.7 / signed_range(weight_bits).qmax, 1.3 / unsigned_range(input_bits).qmax},
                      weight_bits,
                      input_bits}});
    }
  }
  return all;
}

}  // namespace nibble::judge::lab_31_qat
