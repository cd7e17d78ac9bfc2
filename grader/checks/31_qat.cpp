// Lab 31: the checks.
#include "qat.hpp"

#include "checks/marks/31_qat.hpp"
#include "judge/exercise.hpp"
#include "judge/reals.hpp"
#include "nibble/net/glyphs.hpp"
#include "nibble/net/train.hpp"

namespace nibble::judge {
namespace {

/// Of 3 bits and 2: weights are codes from -4 to 3, inputs from 0 to 3.
QatLayer layer_of(Doubles weight, Doubles bias, LayerScales scales = {1, 1}, int weight_bits = 3,
                  int input_bits = 2) {
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

Stair stair(double value, double scale, const IntRange& range, Slip slip) {
  const double v = slip == Slip::kReciprocal ? value * (1 / scale) : value / scale;
  const double rounded = slip == Slip::kAway  ? std::round(v)
                         : slip == Slip::kCut ? std::trunc(v)
                                              : std::nearbyint(v);
  const double code = std::clamp<double>(rounded, range.qmin, range.qmax);
  const bool inside = slip == Slip::kEarlyMask        ? range.qmin <= v && v <= range.qmax
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

std::vector<Stair> stairs(const Doubles& values, double scale, const IntRange& range, Slip slip) {
  return each_of(values, [&](double value) { return stair(value, scale, range, slip); });
}

/// Everything that the contract says of a layer.
struct Worked {
  Doubles y;
  QatGradient gradient;
  LayerScales by_scales{0, 0};
};

/// `upstream` may be empty: the way forward alone.
Worked worked(const Doubles& x, const Doubles& upstream, const QatLayer& layer,
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

constexpr const char* kLayerNames[] = {"weight",       "bias",        "scales.weight",
                                       "scales.input", "weight_bits", "input_bits"};

/// A layer and rows for it, normal numbers of which some are clamped.
struct Drawn {
  std::string name;
  Doubles x, upstream;
  QatLayer layer;
};

std::vector<Drawn> layers(Seed seed_of, const std::vector<std::array<std::size_t, 3>>& shapes) {
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

// --- linear_forward_fake ------------------------------------------------------------------------

using Forward = Exercise<&linear_forward_fake>;

Doubles forward_by_definition(const Forward::Arguments& in) { return worked(in.a, {}, in.b).y; }

const Forward forward_fake{
    {"x", "weight", "bias", "scales.weight", "scales.input", "weight_bits", "input_bits"},
    {"y"},
    [](Expect& expect, const Forward::Arguments& in, const Doubles&) {
      constexpr NamedSlip kSlips[] = {
          {Slip::kOtherScales, "N-SCALE", "the scales of weights and inputs are exchanged"},
          {Slip::kAway, "N-ROUND", "ties go away from 0: they go to the even neighbour"},
          {Slip::kCut, "N-TRUNC", "codes are cut: they are rounded"},
          {Slip::kUnclamped, "N-CLAMP", "codes are not clamped"},
          {Slip::kReciprocal, "N-FORMULA",
           "multiplied by 1 / scale, which is rounded: it is one division"},
          {Slip::kSignedInputs, "N-RANGE", "inputs have codes with a sign: theirs are 0 to qmax"},
          {Slip::kTransposed, "N-TRANS", "weights are read as [inputs, outputs]"},
          {Slip::kRealWeights, "N-FORMULA", "the weights are not rounded: y is of w_hat"},
          {Slip::kRealInputs, "N-FORMULA", "the inputs are not rounded: y is of x_hat"},
          {Slip::kInSteps, "N-SCALE", "y is of codes: a code is worth its scale"},

          {Slip::kNoLowest, "N-CLAMP", "no weight has the code qmin, one below -qmax"},
          {Slip::kNoBias, "N-BIAS", "the bias is left out"}};
      for (const NamedSlip& one : kSlips) {
        expect.suspect(one.code, "y", worked(in.a, {}, in.b, one.slip).y, one.words);
      }
    }};

const auto kSameY = [](Expect& expect, const Forward::Arguments& in, const Doubles& got,
                       const Doubles& want) {
  expect_reals(expect, "y", got, want, {want.size() / in.b.bias.size(), in.b.bias.size()});
};

TEST(linear_forward_fake, RoundsBoth) {
  forward_fake.gives(
      {{"Codes", {{1, 2}, layer_of({1, -1}, {10})}, {9}},
       {"OtherWeights",
        {{1, 2}, layer_of({2, 1}, {10})},
        {14},
        "weights of a call before are forgotten, and their codes"},
       {"Rounds", {{0.75, 2.25}, layer_of({1.25, -0.75}, {0.5})}, {-0.5}},
       {"Scales", {{0.3125, 0.6875}, layer_of({0.375, -0.875}, {4}, {0.5, 0.25})}, {3.375}},
       {"BiasIsReal", {{1}, layer_of({1}, {0.375})}, {1.375}, "a bias is not rounded"},
       {"Once",
        {{1, 1}, layer_of({1.75, 0.75}, {0})},
        {3},
        "w_hat is made once, of the layer's own scale"},
       {"TwoRows", {{1, 2, 0, 3}, layer_of({1, 2, -1, 3}, {1, -1})}, {6, 4, 7, 8}},
       {"Division",
        {{1}, layer_of({73.5, 85.75}, {0, 0}, {49, 1}, 8, 2)},
        {98, 98},
        "73.5 / 49 is 1.5, and 73.5 times a rounded 1 / 49 is less"}},
      kSameY);
}

TEST(linear_forward_fake, TiesAndClamps) {
  forward_fake.gives(
      {{"LowestCode",
        {{1}, layer_of({-4}, {0})},
        {-4},
        "weights have the code qmin, one below -qmax"},
       {"TiesOfWeights",
        {{1}, layer_of({0.5, 1.5, 2.5, -0.5, -1.5, -2.5, -3.5}, Doubles(7))},
        {0, 2, 2, 0, -2, -2, -4}},
       {"TiesOfInputs", {{0.5, 1.5, 2.5, -0.5}, layer_of({1}, {0})}, {0, 2, 2, 0}},
       {"ClampsWeights",
        {{1}, layer_of({-9, -3, -2, -1.25, 1.25, 2, 9}, Doubles(7), {1, 1}, 2, 2)},
        {-2, -2, -2, -1, 1, 1, 1}},
       {"ClampsInputs", {{-5, -1, 0, 3.25, 4, 9}, layer_of({1}, {0})}, {0, 0, 0, 3, 3, 3}},
       {"EightBits",
        {{300, 255, 128}, layer_of({200, -200}, {0, 0}, {1, 1}, 8, 8)},
        {32385, -32640, 32385, -32640, 16256, -16384}},
       {"FarBeyond",
        {{1e30}, layer_of({1, -1}, {0, 0}, {1, 1e-30})},
        {3e-30, -3e-30},
        "a code is clamped before it becomes an integer: 1e60 fits none"}},
      kSameY);
}

const std::vector<std::array<std::size_t, 3>> kShapes = {
    {1, 1, 1}, {1, 3, 2}, {3, 1, 2}, {4, 7, 1}, {5, 16, 9}};
const std::vector<std::array<std::size_t, 3>> kHiddenShapes = {{2, 5, 3}, {7, 19, 4}, {11, 6, 17}};

std::vector<Forward::Input> forward_inputs(Seed seed_of, const auto& shapes) {
  return each_of(layers(seed_of, shapes), [](const Drawn& one) -> Forward::Input {
    return {one.name, {one.x, one.layer}};
  });
}

TEST(linear_forward_fake, AnyShape) {
  forward_fake.gives({{"FiveInputs", {{1, 1, 1, 1, 2}, layer_of({1, 1, 1, 1, 2}, {0})}, {8}}},
                     kSameY);
  forward_fake.agrees_with(forward_by_definition, forward_inputs(seed, kShapes), kSameY);
}

TEST(linear_forward_fake, RefusesWhatIsNoLayer) {
  forward_fake.refuses({{"Fine", {{1, 2}, layer_of({1, -1}, {10})}, {9}}},
                       {{"", {{1, 2}, layer_of({1, -1}, {10}, {0, 1})}},
                        {"", {{1, 2}, layer_of({1, -1}, {10}, {1, -1})}},
                        {"", {{1, 2}, layer_of({1, -1}, {10}, {1, 1}, 1)}},
                        {"N-SIZE", {{1, 2, 3}, layer_of({1, -1}, {10})}},
                        {"N-NAN", {{1, double{kNan}}, layer_of({1, -1}, {10})}}},
                       kSameY);
}

// --- linear_backward_fake -----------------------------------------------------------------------

using Backward = Exercise<&linear_backward_fake>;

QatGradient backward_by_definition(const Backward::Arguments& in) {
  return worked(in.a, in.b, in.c).gradient;
}

const Backward backward_fake{
    {"x", "upstream", "weight", "bias", "scales.weight", "scales.input", "weight_bits",
     "input_bits"},
    {"input", "weight", "bias"},
    [](Expect& expect, const Backward::Arguments& in, const QatGradient&) {
      constexpr NamedSlip kSlips[] = {
          {Slip::kNoSlope, "N-STE", "round has the slope 0: a gradient goes straight through it"},
          {Slip::kNoMask, "N-MASK", "what is clamped has a gradient: it has none"},
          {Slip::kEarlyMask, "N-MASK", "v itself is compared with qmin and qmax: its code is"},
          {Slip::kStopsAtTheEnds, "N-MASK", "a code of qmin or qmax is taken for a clamped one"},
          {Slip::kRealInputs, "N-FORMULA", "the weights' gradient is of x: it is of x_hat"},
          {Slip::kRealWeights, "N-FORMULA",
           "the inputs' gradient is of the real weights: it is of w_hat"},
          {Slip::kInSteps, "N-SCALE", "gradients are of codes: they are of what codes are worth"},
          {Slip::kClampedTeachNothing, "N-FORMULA",
           "a clamped input tells the weights nothing: they met its x_hat"},
          {Slip::kMeanOfRows, "N-DENOM", "a mean over the rows: the gradients of rows add up"}};
      for (const NamedSlip& one : kSlips) {
        const QatGradient wrong = worked(in.a, in.b, in.c, one.slip).gradient;
        expect.suspect(one.code, "weight", wrong.weight, one.words);
        expect.suspect(one.code, "input", wrong.input, one.words);
        expect.suspect(one.code, "bias", wrong.bias, one.words);
      }
    }};

const auto kSameGradient = [](Expect& expect, const Backward::Arguments& in, const QatGradient& got,
                              const QatGradient& want) {
  const std::size_t inputs = in.c.weight.size() / in.c.bias.size();
  expect_reals(expect, "bias", got.bias, want.bias);
  expect_reals(expect, "weight", got.weight, want.weight, {in.c.bias.size(), inputs});
  expect_reals(expect, "input", got.input, want.input, {in.a.size() / inputs, inputs});
};

TEST(linear_backward_fake, StraightThrough) {
  backward_fake.gives({{"One", {{2}, {3}, layer_of({-1}, {7})}, {{-3}, {6}, {3}}},
                       {"ClampedInput",
                        {{9, 1}, {1, 1}, layer_of({0}, {0})},
                        {{0, 0}, {4}, {2}},
                        "by_w_hat takes x_hat of clamped inputs, too"},
                       {"Rounded",
                        {{0.75, 2.25}, {2}, layer_of({1.25, -0.75}, {0})},
                        {{2, -2}, {2, 4}, {2}},
                        "by x with w_hat, by the weights with x_hat"},
                       {"Scales",
                        {{0.3125, 0.5625}, {8}, layer_of({0.375, -0.875}, {0}, {0.5, 0.25})},
                        {{4, -8}, {2, 4}, {8}}},
                       {"TwoRows",
                        {{1, 2, 2, 1}, {1, 2, 4, 8}, layer_of({1, 2, -1, 2}, {0, 0})},
                        {{-1, 6, -4, 24}, {9, 6, 18, 12}, {5, 10}}}},
                      kSameGradient);
}

TEST(linear_backward_fake, StopsAtTheClamp) {
  backward_fake.gives(
      {{"Weights",
        {{1}, Doubles(5, 2), layer_of({-9, -3, 0.25, 1.75, 9}, Doubles(5), {1, 1}, 2)},
        {{-4}, {0, 0, 2, 0, 0}, Doubles(5, 2)}},
       {"WeightsAtTheEnds",
        {{1}, {2, 2, 2}, layer_of({-2, 1, 0.25}, {0, 0, 0}, {1, 1}, 2)},
        {{-2}, {2, 2, 2}, {2, 2, 2}},
        "who has qmin or qmax for a code by itself was not clamped"},
       {"TiesOfWeights",
        {{1}, {2, 2, 2}, layer_of({-2.5, 1.5, 0.25}, {0, 0, 0}, {1, 1}, 2)},
        {{-2}, {2, 0, 2}, {2, 2, 2}},
        "-2.5 rounds to -2, which is not clamped; 1.5 rounds to 2, which is"},
       {"Inputs",
        {{-9, -1, 0.25, 3.75, 9}, Doubles(5, 2), layer_of({1}, {0})},
        {{0, 0, 2, 0, 0}, {12}, {10}}},
       {"InputsAtTheEnds",
        {{0, 3, 3.25, 1}, {2, 2, 2, 2}, layer_of({1}, {0})},
        {{2, 2, 2, 2}, {14}, {8}},
        "whose code is 0 or qmax by itself was not clamped"},
       {"JustBelowZero",
        {{-0.25, 1}, {2, 2}, layer_of({1}, {0})},
        {{2, 2}, {2}, {4}},
        "-0.25 rounds to 0, which is not clamped"},
       {"TiesOfInputs",
        {{-0.5, 3.5, 1}, {2, 2, 2}, layer_of({1}, {0})},
        {{2, 0, 2}, {8}, {6}},
        "-0.5 rounds to 0, which is not clamped; 3.5 rounds to 4, which is"},
       {"Scaled",
        {{0.5, 1.75}, {1}, layer_of({0.75, -4}, {0}, {0.25, 0.5})},
        {{0.75, 0}, {0.5, 0}, {1}}}},
      kSameGradient);
}

std::vector<Backward::Input> backward_inputs(Seed seed_of, const auto& shapes) {
  return each_of(layers(seed_of, shapes), [](const Drawn& one) -> Backward::Input {
    return {one.name, {one.x, one.upstream, one.layer}};
  });
}

TEST(linear_backward_fake, AnyShape) {
  backward_fake.agrees_with(backward_by_definition, backward_inputs(seed, kShapes), kSameGradient);
}

TEST(linear_backward_fake, RefusesOtherSizes) {
  backward_fake.refuses({{"Fine", {{2}, {3}, layer_of({-1}, {7})}, {{-3}, {6}, {3}}}},
                        {{"", {{2}, {3, 4}, layer_of({-1}, {7})}},
                         {"", {{2}, Doubles{}, layer_of({-1}, {7})}},
                         {"N-NAN", {{2}, {double{kNan}}, layer_of({-1}, {7})}},
                         {"N-RANGE", {{2}, {3}, layer_of({-1}, {7}, {1, 0})}}},
                        kSameGradient);
}

// --- scale_gradients ----------------------------------------------------------------------------

using Scaling = Exercise<&scale_gradients>;

LayerScales scales_by_definition(const Scaling::Arguments& in) {
  return worked(in.a, in.b, in.c).by_scales;
}

const Scaling scaling{
    {"x", "upstream", "weight", "bias", "scales.weight", "scales.input", "weight_bits",
     "input_bits"},
    {"weight", "input"},
    [](Expect& expect, const Scaling::Arguments& in, const LayerScales&) {
      constexpr NamedSlip kSlips[] = {
          {Slip::kNoRoot, "N-DENOM", "the sum is not divided"},
          {Slip::kNoQmax, "N-DENOM", "divided by the root of the count: it is of count * qmax"},
          {Slip::kNoRootOfIt, "N-DENOM", "divided by count * qmax: it is by the root of it"},
          {Slip::kOneRow, "N-DENOM", "the count of inputs is that of a row: it is that of all x"},
          {Slip::kOtherCount, "N-DENOM", "the count is that of the other tensor: each has its own"},
          {Slip::kSignedQmax, "N-DENOM",
           "qmax of the inputs is that of codes with a sign: theirs have none"},
          {Slip::kHalf, "N-STE", "the slope is round(v): it is round(v) - v"},
          {Slip::kMinus, "N-SIGN", "the slope is v - round(v): it is round(v) - v"},
          {Slip::kStopped, "N-MASK",
           "what is clamped tells its scale nothing: its slope is its code, and "
           "its gradient that from before anything was set to 0"},
          {Slip::kDifference, "N-MASK", "clamped, the slope is the code less v: it is the code"},
          {Slip::kSymmetric, "N-MASK", "clamped from below, the slope is -qmax: it is qmin"},
          {Slip::kNoMask, "N-MASK", "clamped, the slope is round(v) - v: it is the code"},
          {Slip::kEarlyMask, "N-MASK", "v itself is compared with qmin and qmax: its code is"}};
      std::vector<LayerScales> wrong;
      for (const NamedSlip& one : kSlips) {
        wrong.push_back(worked(in.a, in.b, in.c, one.slip).by_scales);
      }
      const auto suspect = [&](const char* what, double LayerScales::*scale) {
        for (std::size_t i = 0; i < wrong.size();
             ++i) {  // of two that answer alike, neither is told
          const double value = wrong[i].*scale;
          const auto is_alike = [&](const LayerScales& other) {
            return is_near(other.*scale, value, factor_tolerance(std::fabs(value)));
          };
          const bool is_alone = std::ranges::count_if(wrong, is_alike) == 1;
          expect.suspect(kSlips[i].code, what, value, is_alone ? kSlips[i].words : "");
        }
      };
      suspect("weight", &LayerScales::weight);
      suspect("input", &LayerScales::input);
    }};

void same_scales(Expect& expect, const LayerScales& got, const LayerScales& want) {
  const Tolerance off = factor_tolerance(std::max(std::fabs(want.weight), std::fabs(want.input)));
  expect.near("weight", got.weight, want.weight, off);
  expect.near("input", got.input, want.input, off);
}

const auto kSameScales = [](Expect& expect, const auto&, const LayerScales& got,
                            const LayerScales& want) { same_scales(expect, got, want); };

// The product of count and qmax is a square: 3 * 3 for inputs of 2 bits, 12 * 3, 27 * 3.
TEST(scale_gradients, SlopesOfRounding) {
  scaling.gives(
      {{"OnTheGrid", {{1, 2, 3}, {3}, layer_of({1, -1, 2}, {0})}, {0, 0}},
       {"Inputs",
        {{0.75, 2.25, 1.25}, {6}, layer_of({2, 1, -3}, {0})},
        {0, 2},
        "three inputs of 2 bits, whose qmax is 3: their sum is divided by sqrt(3 * 3)"},
       {"Weights", {{1, 2, 3}, {6}, layer_of({0.75, -1.25, 1.75}, {0})}, {3, 0}},
       {"Both", {{0.75, 2.25, 1}, {6}, layer_of({0.75, 0.75, 2.25}, {0})}, {1, 0}},
       {"Scaled", {{0.375, 1.125, 0.5}, {6}, layer_of({3, 3, 9}, {0}, {4, 0.5})}, {0.5, 0}}},
      kSameScales);
}

TEST(scale_gradients, ClampedTellMost) {
  scaling.gives({{"Inputs",
                  {{9, 3, -5}, {2}, layer_of({1, 1, 1}, {0})},
                  {0, 2},
                  "of a clamped number the slope is its code, and no difference"},
                 {"WeightsAbove",
                  {{1, 1, 1}, {2}, layer_of({9, 2, 2}, {0})},
                  {2, 0},
                  "of a clamped number the slope is its code, and no difference"},
                 {"WeightsBelow",
                  {{1, 1, 1}, {2}, layer_of({-9, 2, 2}, {0})},
                  {-8.0 / 3, 0},
                  "clamped from below the code is qmin, one below -qmax"},
                 {"Weights", {{1, 1, 1}, {2}, layer_of({9, -9, 2}, {0})}, {-2.0 / 3, 0}},
                 {"JustInside", {{3.25, 0, 0}, {3}, layer_of({2, 1, 1}, {0})}, {0, -0.5}},
                 {"JustOutside", {{3.5, 0, 0}, {3}, layer_of({2, 1, 1}, {0})}, {0, 6}}},
                kSameScales);
  scaling.gives(
      {{"FarInputs", {{1e300, 0, -1e300}, {2}, layer_of({1, 1, 1}, {0}, {1, 1e-30})}, {0, 2}},
       {"FarWeights",
        {{1, 1, 1}, {2}, layer_of({1e300, 0, -1e300}, {0}, {1e-30, 1})},
        {-2.0 / 3, 0}}},
      [](Expect& expect, const auto&, const LayerScales& got, const LayerScales& want) {
        expect.that(!std::isnan(got.weight) && !std::isnan(got.input),
                    "of a clamped number the slope is its code, however far away v is: "
                    "1e300 / 1e-30 is infinite, and times 0, or less itself, it is NaN",
                    "N-NAN");
        same_scales(expect, got, want);
      });
}

TEST(scale_gradients, DividesByTheRoot) {
  scaling.gives({{"OneWeight", {{3}, {2}, layer_of({3.25}, {0})}, {-0.5 * std::sqrt(3), 0}},
                 {"ManyRows",
                  {{9, 9, 9}, {1, 1, 1}, layer_of({3}, {0}, {1, 1}, 3)},
                  {0, 9},
                  "how many x: of all rows"},
                 {"ManyOutputs", {{1}, Doubles(3, 2), layer_of({9, 9, 9}, Doubles(3))}, {6, 0}},
                 {"OwnQmax",
                  {{20, 20, 20, 20, 20}, {1}, layer_of(Doubles(5, 5), Doubles(1), {1, 1}, 2, 4)},
                  {std::sqrt(5) * 15, std::sqrt(75)},
                  "each divides by its own count and its own qmax"}},
                kSameScales);
}

std::vector<Scaling::Input> scaling_inputs(Seed seed_of, const auto& shapes) {
  return each_of(layers(seed_of, shapes), [](const Drawn& one) -> Scaling::Input {
    return {one.name, {one.x, one.upstream, one.layer}};
  });
}

TEST(scale_gradients, AnyShape) {
  scaling.agrees_with(scales_by_definition, scaling_inputs(seed, kShapes), kSameScales);
}

TEST(scale_gradients, RefusesOtherSizes) {
  scaling.refuses({{"Fine", {{3.25, 0, 0}, {3}, layer_of({2, 1, 1}, {0})}, {0, -0.5}}},
                  {{"", {{2}, {3, 4}, layer_of({-1}, {7})}},
                   {"N-NAN", {{2}, {double{kInfinity}}, layer_of({-1}, {7})}},
                   {"N-RANGE", {{2}, {3}, layer_of({-1}, {7}, {1, 1}, 9)}}},
                  kSameScales);
}

// --- sgd_step -----------------------------------------------------------------------------------

using Stepping = Exercise<&sgd_step>;

QatLayer step_by_definition(const Stepping::Arguments& in) {
  const auto& [layer, gradient, by_scales, rate] = in;
  if (gradient.weight.size() != layer.weight.size() || gradient.bias.size() != layer.bias.size()) {
    throw std::invalid_argument("sizes");
  }
  const auto less = [rate = rate](double value, double by) { return value - rate * by; };
  QatLayer next = layer;
  std::ranges::transform(layer.weight, gradient.weight, next.weight.begin(), less);
  std::ranges::transform(layer.bias, gradient.bias, next.bias.begin(), less);
  const auto scale = [&](double now, double by) {
    return std::min(std::max(less(now, by), now / 2), now * 2);
  };
  next.scales = {scale(layer.scales.weight, by_scales.weight),
                 scale(layer.scales.input, by_scales.input)};
  return next;
}

/// The step of the copy: from w_hat, and its w_hat.
void suspect_copies(Expect& expect, const Stepping::Arguments& in, const QatLayer& right) {
  const auto copy = [&](const Doubles& weight) {
    return each_of(stairs(weight, in.a.scales.weight, weight_range(in.a), Slip::kNone),
                   [](const Stair& one) { return one.hat; });
  };
  Stepping::Arguments wrong = in;
  wrong.a.weight = copy(in.a.weight);
  expect.suspect("N-COPY", "weight", step_by_definition(wrong).weight,
                 "the step is of w_hat: it is of the real weights");
  expect.suspect("N-COPY", "weight", copy(right.weight),
                 "the new weights are rounded: they stay real");
  const auto& [layer, gradient, by, rate] = in;
  Stepping::Arguments up = in;
  up.d = -rate;
  const QatLayer climbed = step_by_definition(up);
  expect.suspect("N-SIGN", "weight", climbed.weight, "up, along the gradient: a step goes down");
  expect.suspect("N-SIGN", "bias", climbed.bias, "up, along the gradient: a step goes down");
  expect.suspect("N-FORMULA", "bias", layer.bias, "the biases have not moved");
  const auto scales = [&](const char* code, const char* words, const auto& of) {
    expect.suspect(code, "weight", of(layer.scales.weight, by.weight), words);
    expect.suspect(code, "input", of(layer.scales.input, by.input), words);
  };
  scales("N-SIGN", "up, along the gradient: a step goes down",
         [rate = rate](double now, double slope) {
           return std::min(std::max(now + rate * slope, now / 2), now * 2);
         });
  const bool is_at_an_end = layer.scales.weight == 1e30 || layer.scales.weight == 1e-30;
  if (!is_at_an_end) {
    scales("N-FORMULA", "this scale has not moved: both are learnt",
           [](double now, double) { return now; });
  }
  scales("N-STEP", "this scale is not clamped: it ends at its half and at its double",
         [rate = rate](double now, double slope) { return now - rate * slope; });
  const auto between = [rate = rate](double now, double slope, double of) {
    return std::min(std::max(now - rate * slope, of / 2), of * 2);
  };
  constexpr const char* other_ends = "its ends are made of the other scale";
  const LayerScales& old = layer.scales;
  expect.suspect("N-STEP", "weight", between(old.weight, by.weight, old.input), other_ends);
  expect.suspect("N-STEP", "input", between(old.input, by.input, old.weight), other_ends);
  scales("N-FORMULA", "a scale moves by a share of itself: it is by rate * gradient",
         [rate = rate](double now, double slope) { return now * std::exp(-rate * slope); });
  scales("N-FORMULA", "a scale moves by a share of itself: it is by rate * gradient",
         [rate = rate](double now, double slope) { return now * (1 - rate * slope); });
}

const Stepping stepping{{"weight", "bias", "scales.weight", "scales.input", "weight_bits",
                         "input_bits", "gradient.input", "gradient.weight", "gradient.bias",
                         "by_scales.weight", "by_scales.input", "rate"},
                        {kLayerNames[0], kLayerNames[1], kLayerNames[2], kLayerNames[3],
                         kLayerNames[4], kLayerNames[5]},
                        suspect_copies};

const auto kSameLayer = [](Expect& expect, const Stepping::Arguments&, const QatLayer& got,
                           const QatLayer& want) {
  expect_reals(expect, "weight", got.weight, want.weight);
  expect_reals(expect, "bias", got.bias, want.bias);
  same_scales(expect, got.scales, want.scales);
  expect.equal("weight_bits", got.weight_bits, want.weight_bits);
  expect.equal("input_bits", got.input_bits, want.input_bits);
};

TEST(sgd_step, MovesRealNumbers) {
  stepping.gives(
      {{"Weights",
        {layer_of({0.75, -1.25}, {3}), {{}, {1, -2}, {0}}, {0, 0}, 0.25},
        layer_of({0.5, -0.75}, {3})},
       {"Bias", {layer_of({1}, {3}), {{}, {0}, {-8}}, {0, 0}, 0.5}, layer_of({1}, {7})},
       {"LessThanAStep",
        {layer_of({0.375}, {0}), {{}, {-0.25}, {0}}, {0, 0}, 0.125},
        layer_of({0.40625}, {0}),
        "a step smaller than a code is kept"},
       {"InputIsNotRead", {layer_of({1}, {0}), {{7, 7}, {2}, {0}}, {0, 0}, 1}, layer_of({-1}, {0})},
       {"InputMayBeNaN",
        {layer_of({1}, {0}), {{double{kNan}}, {2}, {0}}, {0, 0}, 1},
        layer_of({-1}, {0}),
        "gradient.input is not read, and may hold anything"},
       {"Beyond",
        {layer_of({3.5, 0.25}, {0}, {1, 2}, 2, 5), {{}, {-8, 0}, {0}}, {0, 0}, 1},
        layer_of({11.5, 0.25}, {0}, {1, 2}, 2, 5),
        "a weight may be larger than its largest code"}},
      kSameLayer);
}

TEST(sgd_step, LearnsScales) {
  const auto with = [](LayerScales scales) { return layer_of({1}, {0}, scales); };
  stepping.gives({{"Weights", {with({1, 4}), {{}, {0}, {0}}, {0.5, 0}, 0.5}, with({0.75, 4})},
                  {"Inputs", {with({1, 4}), {{}, {0}, {0}}, {0, -2}, 0.5}, with({1, 5})}},
                 kSameLayer);
}

TEST(sgd_step, HalvesAtMost) {
  const auto with = [](LayerScales scales) { return layer_of({1}, {0}, scales); };
  stepping.gives(
      {{"Half",
        {with({1, 4}), {{}, {0}, {0}}, {0.75, 99}, 1},
        with({0.5, 2}),
        "never below scale / 2"},
       {"Double",
        {with({1, 4}), {{}, {0}, {0}}, {-1.5, -99}, 1},
        with({2, 8}),
        "never above 2 * scale"},
       {"Largest",
        {layer_of({0}, {0}, {1e30, 1e30}), {{}, {0}, {0}}, {-1e32, -1e32}, 1},
        layer_of({0}, {0}, {2e30, 2e30}),
        "a scale has no other ends than its half and its double"},
       {"Least",
        {layer_of({0}, {0}, {1e-30, 1e-30}), {{}, {0}, {0}}, {1, 1}, 1},
        layer_of({0}, {0}, {5e-31, 5e-31}),
        "a scale has no other ends than its half and its double"},
       {"JustInside", {with({1, 4}), {{}, {0}, {0}}, {0.375, -3.5}, 1}, with({0.625, 7.5})}},
      kSameLayer);
}

TEST(sgd_step, RefusesWhatIsNoStep) {
  const QatLayer one = layer_of({1}, {0});
  stepping.refuses({{"Fine", {one, {{}, {0}, {0}}, {0, 0}, 0.5}, one}},
                   {{"", {one, {{}, {0}, {0}}, {0, 0}, 0}},
                    {"", {one, {{}, {0}, {0}}, {0, 0}, double{kInfinity}}},
                    {"", {layer_of({1}, {0}, {0, 1}), {{}, {0}, {0}}, {0, 0}, 1}},
                    {"N-SIZE", {one, {{}, {0, 0}, {0}}, {0, 0}, 1}},
                    {"N-SIZE", {one, {{}, {0}, {}}, {0, 0}, 1}},
                    {"N-NAN", {one, {{}, {double{kNan}}, {0}}, {0, 0}, 1}},
                    {"N-NAN", {one, {{}, {0}, {double{kNan}}}, {0, 0}, 1}},
                    {"N-NAN", {one, {{}, {0}, {0}}, {0, double{kNan}}, 1}},
                    {"N-NAN", {one, {{}, {0}, {0}}, {0, double{kInfinity}}, 1}},
                    {"N-NAN", {one, {{}, {0}, {0}}, {double{kInfinity}, 0}, 1}}},
                   kSameLayer);
}

// --- observe_scales -----------------------------------------------------------------------------

using Observing = Exercise<&observe_scales>;

LayerScales observed_by_definition(const Observing::Arguments& in) {
  const auto& [x, layer, step, frozen_from] = in;
  worked(x, {}, layer);  // the sizes fit
  LayerScales scales = layer.scales;
  if (const double most = largest(layer.weight); most > 0) {
    scales.weight = most / weight_range(layer).qmax;
  }
  const double most = *std::ranges::max_element(x), now = most / input_range(layer).qmax;
  const double weight = step == 0 ? 1 : step < frozen_from ? 0.1 : 0;
  if (most > 0) scales.input = (1 - weight) * scales.input + weight * now;
  return scales;
}

void suspect_scales(Expect& expect, const Observing::Arguments& in, const LayerScales&) {
  const auto& [x, layer, step, frozen_from] = in;
  const double before = layer.scales.input, most = *std::ranges::max_element(x),
               now = most / input_range(layer).qmax;
  const IntRange range = weight_range(layer);
  const auto weight = [&](const char* words, double value) {
    if (largest(layer.weight) > 0) expect.suspect("N-RANGE", "weight", value, words);
  };
  weight("this scale has not moved: the weights do, in every step", layer.scales.weight);
  weight("the largest weight: it is max |weight|",
         *std::ranges::max_element(layer.weight) / range.qmax);
  weight("divided by -qmin: it is by qmax", largest(layer.weight) / -range.qmin);
  weight("divided by all steps: it is by qmax", largest(layer.weight) / (range.qmax - range.qmin));
  weight("averaged with what was: a scale of weights is of those that are there",
         0.9 * layer.scales.weight + 0.1 * largest(layer.weight) / range.qmax);
  const auto input = [&](const char* code, const char* words, double value) {
    expect.suspect(code, "input", value, words);
  };
  if (most <= 0) {
    input("N-DIV0", "nothing above 0 becomes the scale: it is no observation", now);
    input("N-DIV0", "nothing above 0 is averaged: it is no observation", 0.9 * before);
    input("N-DIV0", "nothing above 0 is averaged: it is no observation", 0.9 * before + 0.1 * now);
    return;
  }
  input("N-RANGE", "divided by the qmax of codes with a sign: inputs have none",
        most / signed_range(layer.input_bits).qmax);
  const double magnitude = largest(x) / input_range(layer).qmax;
  input("N-OBSERVER", "max |x|: it is max x, and what is below 0 has the code 0", magnitude);
  input("N-OBSERVER", "max |x|: it is max x, and what is below 0 has the code 0",
        0.9 * before + 0.1 * magnitude);
  if (step == 0) {
    input("N-OBSERVER", "averaged in step 0: nobody has observed anything before",
          0.9 * before + 0.1 * now);
    input("N-OBSERVER", "frozen in step 0: it is observed, whatever frozen_from is", before);
  } else if (step < frozen_from) {
    input("N-OBSERVER", "of this batch alone: it is averaged with what was", now);
    input("N-OBSERVER", "0.1 of what was and 0.9 of what is: it is the other way round",
          0.1 * before + 0.9 * now);
    input("N-OBSERVER", "the larger of what was and what is: it is their average",
          std::max(before, now));
    input("N-OBSERVER", "frozen before frozen_from", before);
  } else {
    input("N-OBSERVER", "not frozen: frozen_from is the first step that is",
          0.9 * before + 0.1 * now);
  }
}

const Observing observing{{"x", "weight", "bias", "scales.weight", "scales.input", "weight_bits",
                           "input_bits", "step", "frozen_from"},
                          {"weight", "input"},
                          suspect_scales};

TEST(observe_scales, FollowsTheWeights) {
  observing.gives({{"First", {{3}, layer_of({1, -6, 2}, {0, 0, 0}), 0, 9}, {2, 1}},
                   {"Later", {{3}, layer_of({1, 1.5, 0}, {0, 0, 0}), 5, 9}, {0.5, 1}},
                   {"WhenFrozen",
                    {{3}, layer_of({12, 1, 0}, {0, 0, 0}), 9, 9},
                    {4, 1},
                    "inputs are frozen, weights are not"},
                   {"TwoBits", {{3}, layer_of({1, -6, 2}, {0, 0, 0}, {1, 1}, 2), 0, 9}, {6, 1}}},
                  kSameScales);
}

TEST(observe_scales, AveragesInputs) {
  observing.gives({{"First", {{1, 12, 3}, layer_of({3}, {0}, {1, 50}), 0, 9}, {1, 4}},
                   {"Second", {{1, 33, 3}, layer_of({3}, {0}, {1, 1}), 1, 9}, {1, 2}},
                   {"Falls", {{1, 2, 3}, layer_of({3}, {0}, {1, 11}), 4, 9}, {1, 10}},
                   {"FarBelowZero",
                    {{1, -60, 3}, layer_of({3}, {0}, {1, 11}), 4, 9},
                    {1, 10},
                    "max x, not max |x|: what is below 0 has the code 0"},
                   {"FourBits", {{15, 30, 3}, layer_of({3}, {0}, {1, 12}, 3, 4), 0, 9}, {1, 2}}},
                  kSameScales);
}

TEST(observe_scales, FreezesInTime) {
  observing.gives({{"Before", {{33}, layer_of({3}, {0}, {1, 1}), 8, 9}, {1, 2}},
                   {"Then", {{33}, layer_of({3}, {0}, {1, 1}), 9, 9}, {1, 1}},
                   {"After", {{33}, layer_of({3}, {0}, {1, 1}), 100, 9}, {1, 1}},
                   {"Never", {{33}, layer_of({3}, {0}, {1, 1}), 1, 0}, {1, 1}},
                   {"First",
                    {{33}, layer_of({3}, {0}, {1, 1}), 0, 0},
                    {1, 11},
                    "step 0 is observed, even if frozen_from is 0"}},
                  kSameScales);
}

TEST(observe_scales, NothingSeen) {
  observing.gives({{"Inputs", {{0, 0}, layer_of({3}, {0}, {1, 5}), 0, 9}, {1, 5}},
                   {"Later",
                    {{0, -3}, layer_of({3}, {0}, {1, 5}), 1, 9},
                    {1, 5},
                    "nothing above 0 is no observation, in later steps neither"},
                   {"Weights", {{3}, layer_of({0}, {0}, {7, 5}), 0, 9}, {7, 1}}},
                  kSameScales);
}

TEST(observe_scales, RefusesWhatIsNoStep) {
  observing.refuses({{"Fine", {{33}, layer_of({3}, {0}), 0, 0}, {1, 11}}},
                    {{"", {{33}, layer_of({3}, {0}), -1, 0}},
                     {"", {{33}, layer_of({3}, {0}), 0, -1}},
                     {"", {{33}, layer_of({3}, {0}, {1, 0}), 0, 0}},
                     {"N-NAN", {{33, double{kNan}}, layer_of({3}, {0}), 0, 0}}},
                    kSameScales);
}

// --- train_qat ----------------------------------------------------------------------------------

/// Signs of 7 x 7 pixels.
struct Signs {
  Doubles x;
  std::vector<std::uint8_t> labels;
};

Images small_glyphs(std::size_t count, std::uint64_t seed) {
  constexpr std::size_t kSide = 7, kTimes = kGlyphSide / kSide;
  const Images large = make_glyphs(count, seed >> 32);
  Images small{kSide, kSide, {}, large.labels};
  for (std::size_t at = 0; at < count * kSide * kSide; ++at) {
    const std::size_t row = at / kSide % kSide * kTimes, column = at % kSide * kTimes;
    int ink = 0;
    for (std::size_t i = 0; i < kTimes * kTimes; ++i) {
      ink += large.image(at / kSide / kSide)[(row + i / kTimes) * kGlyphSide + column + i % kTimes];
    }
    small.pixels.push_back(static_cast<std::uint8_t>(ink / static_cast<int>(kTimes * kTimes)));
  }
  return small;
}

Signs signs_of(const Images& images) {
  const std::vector<float> x = as_floats(images, 0, images.size());
  return {{x.begin(), x.end()}, images.labels};
}

/// The share of signs that a network names, in points.
double points_of(const QatNet& net, const Signs& signs) {
  Doubles x = signs.x;
  for (const QatLayer& layer : net) {
    x = worked(x, {}, layer).y;
    if (&layer != &net.back())
      std::ranges::transform(x, x.begin(), [](double v) { return std::max(v, 0.0); });
  }
  const std::size_t classes = net.back().bias.size();
  double right = 0;
  for (std::size_t i = 0; i < signs.labels.size(); ++i) {
    const auto scores = std::span(x).subspan(i * classes, classes);
    right += std::ranges::max_element(scores) - scores.begin() == signs.labels[i] ? 1 : 0;
  }
  return 100 * right / static_cast<double>(signs.labels.size());
}

/// What was trained in floats, and is to be trained once more.
struct Course {
  Signs train, test;
  std::vector<Mlp> nets;
};

Course course_of(Seed seed_of, std::size_t nets) {
  const Images images = small_glyphs(1500, seed_of(1));
  Course course{signs_of(images), signs_of(small_glyphs(500, seed_of(2))), {}};
  for (std::size_t k = 0; k < nets; ++k) {
    const std::array<std::size_t, 4> sizes{49, 32, 16, 10};
    course.nets.push_back(untrained(sizes, seed_of(3 + k)));
    train(course.nets.back(), images, {.epochs = 20, .seed = seed_of(30 + k)});
  }
  return course;
}

/// The scales of PTQ: the largest magnitudes of weights, and of what a layer gets for all signs.
/// `start`: the scales that learning begins with instead.
QatNet rounded(const Mlp& net, const Signs& signs, int input_bits, bool start) {
  QatNet all;
  std::vector<float> x(signs.x.begin(), signs.x.end());
  for (std::size_t l = 0; l < all.size(); ++l) {
    const Linear& layer = net.layers[l];
    all[l] = {{layer.weight.begin(), layer.weight.end()},
              {layer.bias.begin(), layer.bias.end()},
              {1, 1},
              2,
              input_bits};
    const Doubles in(x.begin(), x.end());
    all[l].scales = start ? LayerScales{starting_scale(all[l].weight, weight_range(all[l]).qmax),
                                        starting_scale(in, input_range(all[l]).qmax)}
                          : observed_by_definition({in, all[l], 0, 1});
    x = linear(layer, x);
    relu(x);
  }
  return all;
}

/// How a network does behind the submission's training. Weights and biases are of the sizes that
/// they had, and bits are ours to say.
double trained(Expect& expect, const Course& course, const Mlp& net, int input_bits,
               bool learn_scales) {
  const QatNet start = rounded(net, course.train, input_bits, false);
  QatNet got = call<&train_qat>(start, course.train.x, course.train.labels,
                                QatOptions{learn_scales, 10, 2, 0.1});
  for (std::size_t l = 0; l < got.size(); ++l) {
    const bool fits = got[l].weight.size() == start[l].weight.size() &&
                      got[l].bias.size() == start[l].bias.size();
    expect.that(fits, "a layer has other sizes than before", "N-SIZE");
    if (!fits) return 0;
    got[l].weight_bits = start[l].weight_bits;
    got[l].input_bits = start[l].input_bits;
  }
  return points_of(got, course.test);
}

std::string text(double points) { return std::to_string(std::lround(points)); }

/// Means over the networks: of 20 alone, the least gains were 43 and 17 points.
void beats_rounding(Expect& expect, const Course& course) {
  double largest_scales = 0, first_scales = 0, after = 0;
  for (const Mlp& net : course.nets) {
    const auto share = static_cast<double>(course.nets.size());
    largest_scales += points_of(rounded(net, course.train, 8, false), course.test) / share;
    first_scales += points_of(rounded(net, course.train, 8, true), course.test) / share;
    after += trained(expect, course, net, 8, true) / share;
  }
  expect.that(after >= largest_scales + 30 && after >= first_scales + 5,
              "W2A8: rounded with the largest magnitudes " + text(largest_scales) +
                  " %, with the scales it begins with " + text(first_scales) + " %, trained " +
                  text(after) + " %");
}

/// Of 20 networks alone, the least gain was 24 points.
void learns_scales(Expect& expect, const Course& course) {
  double observed = 0, learned = 0;
  for (const Mlp& net : course.nets) {
    const auto share = static_cast<double>(course.nets.size());
    observed += trained(expect, course, net, 2, false) / share;
    learned += trained(expect, course, net, 2, true) / share;
  }
  expect.that(learned >= observed,
              "W2A2: scales observed " + text(observed) + " %, learned " + text(learned) + " %");
}

/// The same for both checks: networks trained in floats take a third of their time. The sanitizers
/// see what there is to see in one.
const Course& public_nets() {
  static const Course course = course_of(counted_seed, this_run().sanitized ? 1 : 2);
  return course;
}

TEST(train_qat, BeatsRounding) {
  once([](Expect& expect) { beats_rounding(expect, public_nets()); });
}

TEST(train_qat, LearnsScales) {
  once([](Expect& expect) { learns_scales(expect, public_nets()); });
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt.

TEST(linear_forward_fake, EqualsTheReference) {
  forward_fake.agrees_with(forward_fake.reference, forward_inputs(hidden_seed, kHiddenShapes),
                           kSameY);
}

TEST(linear_backward_fake, EqualsTheReference) {
  backward_fake.agrees_with(backward_fake.reference, backward_inputs(hidden_seed, kHiddenShapes),
                            kSameGradient);
}

TEST(scale_gradients, EqualsTheReference) {
  scaling.agrees_with(scaling.reference, scaling_inputs(hidden_seed, kHiddenShapes), kSameScales);
}

TEST(sgd_step, EqualsTheReference) {
  stepping.agrees_with(stepping.reference,
                       each_of(layers(hidden_seed, kHiddenShapes),
                               [](const Drawn& one) -> Stepping::Input {
                                 const auto& [name, x, upstream, layer] = one;
                                 const Worked all = worked(x, upstream, layer);
                                 return {name, {layer, all.gradient, all.by_scales, 0.0625}};
                               }),
                       kSameLayer);
}

TEST(observe_scales, EqualsTheReference) {
  std::vector<Observing::Input> inputs;
  for (const Drawn& one : layers(hidden_seed, kHiddenShapes)) {
    for (const std::int32_t step : {0, 3, 7}) {
      inputs.push_back({one.name + ", step " + std::to_string(step), {one.x, one.layer, step, 5}});
    }
  }
  observing.agrees_with(observing.reference, inputs, kSameScales);
}

TEST(train_qat, HoldsForOtherNets) {
  once([](Expect& expect) {
    const Course course = course_of(hidden_seed, 3);
    beats_rounding(expect, course);
    learns_scales(expect, course);
  });
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
