// Lab 29: the checks.
#include "quantized_linear.hpp"

#include <numeric>
#include <optional>

#include "checks/marks/29_quantized_linear.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"
#include "judge/mix.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

Reals row_of(const Reals& matrix, std::size_t n, std::size_t row) {
  const auto begin = matrix.begin() + static_cast<std::ptrdiff_t>(row * n);
  return {begin, begin + static_cast<std::ptrdiff_t>(n)};
}

/// Numbers whose quotients by this scale are 2.5, 3.5 and 5.8 as floats, and codes 2, 4 and 6. In
/// double the first is a bit more, the second a bit less; cut, the last is 5.
constexpr float kTieScale = 1.5f / 127, kTieBelow = 0.02952756f, kTieAbove = 0.04133858f,
                kNoTie = 0.0685f;
constexpr const char* kQuotientIsFloat =
    "the quotient by the scale is a float32, and may be a tie where a double is none";

// --- quantize_layer -----------------------------------------------------------------------------

using Quantizing = Exercise<&quantize_layer>;

float scale_by_definition(const Reals& row) {
  return max_abs(row) == 0 ? 1 : std::max(max_abs(row) / 127, kLeastScale);
}

QuantizedLayer layer_by_definition(const Linear& layer, float a_scale, std::int32_t zero_point) {
  const std::size_t n = layer.inputs;
  if (layer.weight.size() != n * layer.outputs || layer.bias.size() != layer.outputs) {
    throw std::invalid_argument("sizes");
  }
  QuantizedLayer q{n, layer.outputs, {}, {}, {}, a_scale, zero_point};
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    const Reals row = row_of(layer.weight, n, o);
    const float scale = scale_by_definition(row);
    q.w_scale.push_back(scale);
    for (const float w : row) q.weight.push_back(std::int8_t(std::nearbyint(w / scale)));
    const double steps = std::nearbyint(layer.bias[o] / (double{a_scale} * scale));
    q.bias.push_back(std::int32_t(std::clamp(steps, -0x1p30, 0x1p30)));
  }
  return q;
}

void suspect_layers(Expect& expect, const Quantizing::Arguments& in, const QuantizedLayer& right) {
  const Linear& layer = in.a;
  expect.suspect("N-ZERO", "a_zero_point", 0);
  expect.suspect("N-RANGE", "w_scale",
                 each_of(right.w_scale, [](float scale) { return scale * 127 / 128; }),
                 "divided by 128: it is by 127");
  const auto scales = [&](const char* words, const auto& of) {
    Reals all;
    for (std::size_t o = 0; o < layer.outputs; ++o) all.push_back(of(o));
    if (all != right.w_scale) expect.suspect("N-AXIS", "w_scale", all, words);
  };
  scales("all rows have one scale: each has its own",
         [&](std::size_t) { return scale_by_definition(layer.weight); });
  scales("a scale is of a column: it is of a row, which makes an output", [&](std::size_t o) {
    Reals column;
    for (std::size_t at = o; at < layer.weight.size(); at += layer.outputs) {
      column.push_back(layer.weight[at]);
    }
    return scale_by_definition(column);
  });
  scales("a scale is of a column: it is of a row, which makes an output", [&](std::size_t o) {
    Reals column;
    for (std::size_t at = o; o < layer.inputs && at < layer.weight.size(); at += layer.inputs) {
      column.push_back(layer.weight[at]);
    }
    return column.empty() ? 1 : scale_by_definition(column);
  });
  scales("the largest weight: it is max |weight|", [&](std::size_t o) {
    const Reals row = row_of(layer.weight, layer.inputs, o);
    return scale_by_definition({std::max(0.0f, std::ranges::max(row))});
  });
  const auto codes = [&](const auto& round) {
    return each_of(layer.weight, [&](float w, std::size_t i) {
      return round(w / right.w_scale[i / layer.inputs]);
    });
  };
  expect.suspect("N-TRUNC", "weight", codes([](double v) { return std::trunc(v); }));
  expect.suspect("N-ROUND", "weight", codes([](double v) { return std::round(v); }));
  expect.suspect("N-FORMULA", "weight", each_of(layer.weight, [&](float w, std::size_t i) {
                   return std::nearbyint(w * (1 / right.w_scale[i / layer.inputs]));
                 }));
  expect.suspect("N-FORMULA", "weight", each_of(layer.weight, [&](float w, std::size_t i) {
                   return std::nearbyint(double{w} / right.w_scale[i / layer.inputs]);
                 }));
  const auto biases = [&](const auto& of) {
    return each_of(layer.bias, [&](float b, std::size_t o) { return of(b, right.w_scale[o]); });
  };
  expect.suspect("N-FLOAT32", "bias", biases([&](float b, float scale) {
                   return std::clamp(std::nearbyint(b / (in.b * scale)), -0x1p30f, 0x1p30f);
                 }));
  const auto unit = [&](const char* words, const auto& of) {
    expect.suspect("N-BIAS", "bias", biases([&](double b, double scale) {
                     return std::clamp(std::nearbyint(of(b, scale)), -0x1p30, 0x1p30);
                   }),
                   words);
  };
  const double a = double{in.b};
  unit("a bias is in steps of a_scale: it is of a_scale * w_scale[o]",
       [=](double b, double) { return b / a; });
  unit("a bias is in steps of w_scale: it is of a_scale * w_scale[o]",
       [](double b, double scale) { return b / scale; });
  unit("a bias is rounded as it is: it is in steps of a_scale * w_scale[o]",
       [](double b, double) { return b; });
  unit("a bias is multiplied by its unit: it is divided",
       [=](double b, double scale) { return b * a * scale; });
  unit("a bias is divided by a_scale / w_scale[o]: it is by their product",
       [=](double b, double scale) { return b / (a / scale); });
  unit("a_zero_point is in the bias: it is in no bias here",
       [=, &in](double b, double scale) { return b / (a * scale) - in.c; });
  expect.suspect("N-TRUNC", "bias", biases([&](double b, double scale) {
                   return std::trunc(std::clamp(b / (in.b * scale), -0x1p30, 0x1p30));
                 }));
  expect.suspect("N-ROUND", "bias", biases([&](double b, double scale) {
                   return std::round(std::clamp(b / (in.b * scale), -0x1p30, 0x1p30));
                 }));
}

const Quantizing quantizing{
    {"inputs", "outputs", "weight", "bias", "a_scale", "a_zero_point"},
    {"inputs", "outputs", "weight", "w_scale", "bias", "a_scale", "a_zero_point"},
    suspect_layers};

const auto kSameLayer =
    quantizing.only({"w_scale", "weight", "bias", "inputs", "outputs", "a_scale", "a_zero_point"});

TEST(quantize_layer, ScalesOfRows) {
  quantizing.gives({{"Rows",
                     {Linear{3, 2, {127, 63.4f, -2.5f, 254, 5, -3}, {0, 0}}, 1, 0},
                     {3, 2, {127, 63, -2, 127, 2, -2}, {1, 2}, {0, 0}, 1, 0}},
                    {"Square",
                     {Linear{2, 2, {127, -508, 2, 254}, {0, 0}}, 0.5f, -7},
                     {2, 2, {32, -127, 1, 127}, {4, 2}, {0, 0}, 0.5f, -7}},
                    {"Tall",
                     {Linear{1, 3, {127, -254, 31.75f}, {0, 0, 0}}, 2, 127},
                     {1, 3, {127, -127, 127}, {1, 2, 0.25f}, {0, 0, 0}, 2, 127}},
                    {"Division",
                     {Linear{3, 1, {7747, 91.5f, 106.75f}, {0}}, 1, 0},
                     {3, 1, {127, 2, 2}, {61}, {0}, 1, 0},
                     "91.5 / 61 is 1.5, and 91.5 times a rounded 1 / 61 is less"},
                    {"FloatQuotient",
                     {Linear{4, 1, {1.5f, kTieBelow, kTieAbove, kNoTie}, {0}}, 1, 0},
                     {4, 1, {127, 2, 4, 6}, {kTieScale}, {0}, 1, 0},
                     kQuotientIsFloat},
                    {"LeastZeroPoint",
                     {Linear{1, 1, {127}, {0}}, kLeastScale, -128},
                     {1, 1, {127}, {1}, {0}, kLeastScale, -128},
                     "a_zero_point may be -128, a_scale kLeastScale"},
                    {"MostZeroPoint",
                     {Linear{1, 1, {127}, {0}}, kMostScale, 127},
                     {1, 1, {127}, {1}, {0}, kMostScale, 127},
                     "a_zero_point may be 127, a_scale kMostScale"}},
                   kSameLayer);
}

TEST(quantize_layer, BiasInUnitsOfSums) {
  quantizing.gives(
      {{"Units",
        {Linear{1, 2, {127, 254}, {3, 3}}, 0.5f, 9},
        {1, 2, {127, 127}, {1, 2}, {6, 3}, 0.5f, 9}},
       {"Ties",
        {Linear{1, 4, {127, 127, 127, 127}, {1.25f, -1.75f, 0.875f, -0.375f}}, 0.5f, 0},
        {1, 4, {127, 127, 127, 127}, {1, 1, 1, 1}, {2, -4, 2, -1}, 0.5f, 0}},
       {"Clamped",
        {Linear{1, 2, {127 * 0x1p-30f, 127 * 0x1p-30f}, {1000, -1000}}, 0x1p-10f, 0},
        {1, 2, {127, 127}, {0x1p-30f, 0x1p-30f}, {1 << 30, -(1 << 30)}, 0x1p-10f, 0},
        "a bias is clamped to [-2^30, 2^30]"},
       {"ManyDigits",
        {Linear{1, 1, {88.9f}, {3e7f}}, 0.3f, 0},
        {1, 1, {127}, {88.9f / 127}, {142'857'140}, 0.3f, 0},
        "the unit of a bias is a double, and so is the quotient"}},
      kSameLayer);
}

struct LayerSize {
  std::size_t inputs, outputs;
  float largest = 1;
};

Linear some_layer(const LayerSize& size, std::uint64_t seed) {
  return {size.inputs, size.outputs, normal_tensor(size.inputs * size.outputs, seed, size.largest),
          normal_tensor(size.outputs, seed + 1)};
}

std::vector<Quantizing::Input> some_layers(Seed seed_of, const std::vector<LayerSize>& sizes) {
  return each_of(sizes, [&](const LayerSize& size, std::size_t at) -> Quantizing::Input {
    return {std::to_string(size.inputs) + " inputs, " + std::to_string(size.outputs) + " outputs",
            {some_layer(size, seed_of(at)), 0.013f * static_cast<float>(at + 1),
             static_cast<std::int32_t>(at) * 60 % 256 - 128}};
  });
}

QuantizedLayer same_layer(const Quantizing::Arguments& in) {
  return layer_by_definition(in.a, in.b, in.c);
}

TEST(quantize_layer, AnyLayer) {
  quantizing.agrees_with(
      same_layer,
      some_layers(seed, {{1, 1}, {7, 3}, {5, 9, 1e-5f}, {33, 20, 30}, {4096, 2}, {1, 4096}}),
      kSameLayer);
}

TEST(quantize_layer, ZeroRows) {
  quantizing.gives({{"Zeros",
                     {Linear{2, 2, {0, 0, 254, 3}, {3, 0}}, 0.5f, 0},
                     {2, 2, {0, 0, 127, 2}, {1, 2}, {6, 0}, 0.5f, 0}},
                    {"Tiny",
                     {Linear{1, 1, {0x1p-80f}, {0}}, 0.5f, 0},
                     {1, 1, {0}, {kLeastScale}, {0}, 0.5f, 0}}},
                   kSameLayer);
}

TEST(quantize_layer, RefusesWhatIsNoLayer) {
  const Linear fine{1, 1, {127}, {3}};
  quantizing.refuses({{"Fine", {fine, 0.5f, 0}, {1, 1, {127}, {1}, {6}, 0.5f, 0}}},
                     {{"", {fine, 0, 0}},
                      {"", {fine, -1, 0}},
                      {"", {fine, 0x1p61f, 0}},
                      {"", {fine, 1, 128}},
                      {"", {fine, 1, -129}},
                      {"", {fine, 0x1p-61f, 0}},
                      {"", {Linear{1, 1, {0x1p61f}, {3}}, 1, 0}},
                      {"", {Linear{1, 1, {-0x1p61f}, {3}}, 1, 0}},
                      {"", {Linear{1, 1, {127}, {0x1p61f}}, 1, 0}},
                      {"", {Linear{1, 1, {127}, {-0x1p61f}}, 1, 0}},
                      {"N-NAN", {Linear{1, 1, {127}, {float{kNan}}}, 1, 0}},
                      {"N-NAN", {fine, float{kNan}, 0}},
                      {"N-NAN", {Linear{1, 1, {float{kNan}}, {3}}, 1, 0}},
                      {"N-NAN", {Linear{1, 1, {127}, {float{kInfinity}}}, 1, 0}},
                      {"N-SIZE", {Linear{0, 1, {}, {3}}, 1, 0}},
                      {"N-SIZE", {Linear{1, 0, {}, {}}, 1, 0}},
                      {"N-SIZE", {Linear{4097, 1, Reals(4097), {3}}, 1, 0}},
                      {"N-SIZE", {Linear{1, 4097, Reals(4097), Reals(4097)}, 1, 0}},
                      {"N-SIZE", {Linear{1, 1, {127, 1}, {3}}, 1, 0}},
                      {"N-SIZE", {Linear{1, 1, {127}, {3, 1}}, 1, 0}}},
                     kSameLayer);
}

// --- Models -------------------------------------------------------------------------------------

using Modelling = Exercise<&quantize_model>;
using Skip = std::vector<std::int32_t>;

template <class T>
void append(std::vector<T>& list, const std::vector<T>& part) {
  list.insert(list.end(), part.begin(), part.end());
}

QuantizedModel model_by_definition(FloatModel net, const Reals& x, const Skip& skip) {
  net.training = false;
  const std::vector<Linear> layers = layers_of(net);
  const std::vector<Reals> inputs = layer_inputs(net, x);
  QuantizedModel model{net.sizes, {}, {}, {}, {}, {}, {}};
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const bool stays = std::ranges::count(skip, static_cast<std::int32_t>(l)) > 0;
    const float lo = std::min(0.0f, std::ranges::min(inputs[l])),
                hi = std::max(0.0f, std::ranges::max(inputs[l]));
    const float scale = hi == lo ? 1 : std::max((hi - lo) / 255, kLeastScale);
    const auto zero_point = std::int32_t(-128 - std::nearbyint(lo / scale));
    model.a_scale.push_back(stays ? 0 : scale);
    model.a_zero_point.push_back(stays ? 0 : zero_point);
    if (stays) {
      append(model.floats, layers[l].weight), append(model.floats, layers[l].bias);
    } else {
      const QuantizedLayer q = layer_by_definition(layers[l], scale, zero_point);
      append(model.weight, q.weight), append(model.w_scale, q.w_scale), append(model.bias, q.bias);
    }
  }
  return model;
}

FloatModel some_net(const std::vector<std::int32_t>& sizes, std::uint64_t seed) {
  FloatModel net{sizes, {}, {}, false};
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l) {
    const Linear layer = some_layer({std::size_t(sizes[l]), std::size_t(sizes[l + 1])}, seed + l);
    append(net.weights, layer.weight), append(net.biases, layer.bias);
  }
  return net;
}

struct NetSize {
  std::vector<std::int32_t> sizes;
  std::size_t rows;
  Skip skip = {};

  std::string text() const {
    std::string all;
    for (const std::int32_t size : sizes) all += (all.empty() ? "" : "-") + std::to_string(size);
    return all;
  }
  Reals x(std::uint64_t seed) const {
    return normal_tensor(rows * static_cast<std::size_t>(sizes[0]), seed);
  }
};

/// For the three ways to run a model: quantized ones of these sizes, and rows.
template <class E>
std::vector<typename E::Input> some_models(Seed seed_of, const std::vector<NetSize>& sizes) {
  return each_of(sizes, [&](const NetSize& size, std::size_t at) -> typename E::Input {
    const FloatModel net = some_net(size.sizes, seed_of(10 * at));
    return {size.text(),
            {model_by_definition(net, size.x(seed_of(10 * at + 8)), size.skip),
             size.x(seed_of(10 * at + 9))}};
  });
}

/// The sizes of a result: rows, and the outputs of the last layer.
template <class Arguments>
Shape outputs_of(const Arguments& in) {
  const auto inputs = static_cast<std::size_t>(in.a.sizes.front()),
             outputs = static_cast<std::size_t>(in.a.sizes.back());
  return {in.b.size() / inputs, outputs};
}

#define MODEL_NAMES \
  { "sizes", "a_scale", "a_zero_point", "weight", "w_scale", "bias", "floats" }
#define RUN_NAMES \
  { "sizes", "a_scale", "a_zero_point", "weight", "w_scale", "bias", "floats", "x" }

// --- Nets that have learnt ----------------------------------------------------------------------

const Lesson kLesson{{196, 32, 16, 10}, 3000, 5};

FloatModel as_model(const LearntNet& one) {
  FloatModel model{{196}, {}, {}, false};
  for (const Linear& layer : one.net.layers) {
    model.sizes.push_back(static_cast<std::int32_t>(layer.outputs));
    append(model.weights, layer.weight), append(model.biases, layer.bias);
  }
  return model;
}

/// The public nets are the same for all exercises, so that they learn once.
template <class E>
void keeps_public_nets(const E& running) {
  keeps_nets(kLesson, {2, 2000, 10}, this_run().seed, [&](const LearntNet& one) {
    return running({model_by_definition(as_model(one), one.seen_x, {}), one.x});
  });
}

constexpr const char* kZerosHaveABias = "of a row of zeros the bias is left";

// --- forward_weight_only ------------------------------------------------------------------------

using Floating = Exercise<&forward_weight_only>;

/// One quantized layer. `magnitude`: the terms of a sum without their signs.
Reals weight_only_layer(const QuantizedModel& model, const Reals& x, bool magnitude = false) {
  const QuantizedLayer layer = layers_of(model).at(0).quantized;
  expects_rows(x, layer.inputs);
  const auto term = [&](double v) { return magnitude ? std::fabs(v) : v; };
  Reals y;
  for (std::size_t at = 0; at < x.size() / layer.inputs * layer.outputs; ++at) {
    const std::size_t r = at / layer.outputs, o = at % layer.outputs;
    double sum = term(double{layer.a_scale} * layer.bias[o]);
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      sum += term(double{x[r * layer.inputs + i]} * layer.weight[o * layer.inputs + i]);
    }
    y.push_back(static_cast<float>(layer.w_scale[o] * sum));
  }
  return y;
}

/// One scale for all outputs of a layer: the mean of theirs.
QuantizedModel with_mean_scales(QuantizedModel model) {
  float* scales = model.w_scale.data();
  for (std::size_t l = 0; l + 1 < model.sizes.size(); ++l) {
    if (model.a_scale[l] == 0) continue;
    const auto outputs = static_cast<std::size_t>(model.sizes[l + 1]);
    const float sum = std::accumulate(scales, scales + outputs, 0.0f);
    std::fill_n(scales, outputs, sum / static_cast<float>(outputs));
    scales += outputs;
  }
  return model;
}

/// What mistakes about scales and biases make of one layer, which `right` computes.
template <class Arguments>
void suspect_units(Expect& expect, const Arguments& in,
                   Reals (*right)(const QuantizedModel&, const Reals&)) {
  if (in.a.sizes.size() != 2 || in.a.a_scale[0] == 0) return;
  const auto suspect = [&](const char* code, const char* words, const Reals& y) {
    expect.suspect(code, "y", y, words);
  };
  suspect("N-SCALE", "all outputs have one scale: each has its own",
          right(with_mean_scales(in.a), in.b));
  QuantizedModel model = in.a;
  model.a_scale[0] = 1;
  suspect("N-BIAS", "a bias is not multiplied by a_scale", right(model, in.b));
  model.a_scale[0] = std::min(scale_by_definition(in.b), kMostScale);
  suspect("N-BIAS", "a bias is in steps of the scale of x: it is in steps of a_scale",
          right(model, in.b));
  std::ranges::fill(model.bias, 0);
  const Reals without = right(model, in.b);
  suspect("N-BIAS", "the bias is left out", without);
  const std::size_t outputs = in.a.w_scale.size();
  suspect("N-BIAS", "the bias is not multiplied by w_scale: it is within the parentheses",
          each_of(without, [&](float y, std::size_t at) {
            return y + in.a.a_scale[0] * static_cast<float>(in.a.bias[at % outputs]);
          }));
  suspect("N-BIAS", "codes of the bias are added as they are",
          each_of(without, [&](float y, std::size_t at) {
            return y + static_cast<float>(in.a.bias[at % outputs]);
          }));
  QuantizedModel unscaled = in.a;
  std::ranges::fill(unscaled.w_scale, 1.0f);
  suspect("N-SCALE", "nothing is multiplied by w_scale", right(unscaled, in.b));
}

Reals weight_only(const QuantizedModel& model, const Reals& x) {
  return weight_only_layer(model, x);
}

const Floating floating{
    RUN_NAMES,
    {"y"},
    [](Expect& expect, const auto& in, const Reals&) {
      suspect_units(expect, in, weight_only);
      if (in.a.sizes.size() != 2 || in.a.a_scale[0] == 0) return;
      const auto zero_point = static_cast<float>(in.a.a_zero_point[0]);
      expect.suspect(
          "N-FORMULA", "y",
          weight_only(in.a, each_of(in.b, [&](float x, std::size_t) { return x - zero_point; })),
          "a_zero_point is subtracted: it is one of codes, and x are none");
    },
    {.tolerance = one_ulp(), .sizes = outputs_of<Floating::Arguments>}};

TEST(forward_weight_only, FollowsTheFormula) {
  floating.gives(
      {{"BiasAlone",
        {QuantizedModel{{1, 1}, {0.5f}, {7}, {4}, {2}, {6}, {}}, {0}},
        {6},
        "the bias is within the parentheses, which w_scale multiplies"},
       {"One", {QuantizedModel{{2, 1}, {0.5f}, {7}, {4, -2}, {2}, {6}, {}}, {1.5f, 2}}, {10}},
       {"Rows",
        {QuantizedModel{{2, 2}, {0.5f}, {-5}, {4, -2, 1, 100}, {2, 0.25f}, {6, 0}, {}},
         {1.5f, 2, -1, 0.25f}},
        {10, 50.375f, -3, 6}},
       {"Deep",
        {QuantizedModel{{1, 2, 1}, {1, 1}, {0, 0}, {3, -3, 2, 50}, {1, 1, 0.5f}, {1, 0, 2}, {}},
         {2.5f}},
        {9.5f}},
       {"FloatBehind",
        {QuantizedModel{{1, 1, 1}, {1, 0}, {0, 0}, {3}, {2}, {1}, {0.5f, 7}}, {2.5f, -4}},
        {15.5f, 7}},
       {"BeyondTheRange",
        {QuantizedModel{{1, 1}, {1}, {-128}, {1}, {1}, {0}, {}}, {-5, 300}},
        {-5, 300},
        "inputs count as they are, whatever range they were calibrated for"},
       {"Zeros",
        {QuantizedModel{{2, 1}, {0.5f}, {7}, {4, -2}, {2}, {6}, {}}, {0, 0}},
        {6},
        kZerosHaveABias}});
}

const auto kSameSums = [](Expect& expect, const Floating::Arguments& in, const Reals& got,
                          const Reals& want) {
  const float magnitude = max_abs(weight_only_layer(in.a, in.b, true));
  expect.near("y", got, want, sum_tolerance(magnitude, in.a.sizes[0] + 1),
              outputs_of<Floating::Arguments>(in));
};
const auto kWeightOnly = [](const Floating::Arguments& in) { return weight_only(in.a, in.b); };

TEST(forward_weight_only, AnyLayer) {
  floating.agrees_with(
      kWeightOnly,
      some_models<Floating>(seed, {{{1, 1}, 1}, {{5, 3}, 2}, {{3, 8}, 4}, {{80, 17}, 9}}),
      kSameSums);
}

TEST(forward_weight_only, KeepsTheNet) { keeps_public_nets(floating); }

// --- forward_dynamic ----------------------------------------------------------------------------

using Dynamic = Exercise<&forward_dynamic>;

/// `given`: the scale of every row; none: its own.
Reals dynamic_layer(const QuantizedModel& model, const Reals& x, float (*round)(float),
                    std::optional<float> given = {}) {
  const QuantizedLayer layer = layers_of(model).at(0).quantized;
  expects_rows(x, layer.inputs);
  Reals y;
  for (std::size_t at = 0; at < x.size() / layer.inputs * layer.outputs; ++at) {
    const Reals row = row_of(x, layer.inputs, at / layer.outputs);
    const std::size_t o = at % layer.outputs;
    const float scale = given.value_or(scale_by_definition(row));
    double acc = 0;
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      acc += round(row[i] / scale) * layer.weight[o * layer.inputs + i];
    }
    y.push_back(static_cast<float>(layer.w_scale[o] *
                                   (scale * acc + double{layer.a_scale} * layer.bias[o])));
  }
  return y;
}

/// A layer whose sums are exact as integers, and are not in a float: 33 millions are added, 2047
/// times 127 * 127 and one 127 * 126, and almost as much is taken away.
QuantizedModel long_layer() {
  Codes weight(4096, 127);
  std::fill(weight.begin() + 2048, weight.end(), std::int8_t{-126});
  return {{4096, 1}, {1}, {0}, weight, {1}, {0}, {}};
}
constexpr std::int32_t kLongSum = 2047 * 127 * 127 + 127 * 126 - 2048 * 127 * 126;

Reals long_row() {
  Reals x(4096, 127);
  x[0] = 126;
  return x;
}

/// The sum of `long_row`, added up in a float.
float sum_in_floats(const QuantizedModel& model, const Reals& x) {
  float sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * static_cast<float>(model.weight[i]);
  return sum;
}

float to_even(float steps) { return std::nearbyint(steps); }
float cut(float steps) { return std::trunc(steps); }
float away(float steps) { return std::round(steps); }

Reals dynamic_by_definition(const QuantizedModel& model, const Reals& x) {
  return dynamic_layer(model, x, to_even);
}

const Dynamic dynamic{
    RUN_NAMES,
    {"y"},
    [](Expect& expect, const auto& in, const Reals&) {
      suspect_units(expect, in, dynamic_by_definition);
      if (in.a.sizes.size() == 2 && in.a.a_scale[0] != 0) {
        expect.suspect("N-OBSERVER", "y",
                       dynamic_layer(in.a, in.b, to_even, scale_by_definition(in.b)),
                       "all rows have one x_scale: each has its own");
        expect.suspect("N-OBSERVER", "y", dynamic_layer(in.a, in.b, to_even, in.a.a_scale[0]),
                       "inputs are in steps of a_scale: a row has its own x_scale");
      }
      if (in.a.sizes.size() != 2 || in.a.a_scale[0] == 0) return;
      expect.suspect("N-TRUNC", "y", dynamic_layer(in.a, in.b, cut));
      expect.suspect("N-ROUND", "y", dynamic_layer(in.a, in.b, away));
      if (in.b.size() < 1000 || in.a.weight.size() != in.b.size()) return;
      expect.suspect("N-FLOAT32", "y", Reals{sum_in_floats(in.a, in.b)});
    },
    {.tolerance = one_ulp(), .sizes = outputs_of<Dynamic::Arguments>}};

TEST(forward_dynamic, FollowsTheFormula) {
  dynamic.gives(
      {{"One", {QuantizedModel{{2, 1}, {0.5f}, {3}, {1, 2}, {2}, {6}, {}}, {127, 64.4f}}, {516}},
       {"Outputs",
        {QuantizedModel{{2, 2}, {4}, {-5}, {1, 2, 5, -1}, {2, 0.25f}, {1, 3}, {}}, {254, 5}},
        {532, 319.5f}},
       {"Ties",
        {QuantizedModel{{3, 1}, {0.5f}, {0}, {0, 1, 10}, {1}, {0}, {}}, {127, 2.5f, -3.75f}},
        {-38}},
       {"FloatQuotient",
        {QuantizedModel{{4, 1}, {1}, {0}, {0, 1, 10, 100}, {1}, {0}, {}},
         {1.5f, kTieBelow, kTieAbove, kNoTie}},
        {642 * kTieScale},
        kQuotientIsFloat},
       {"Deep",
        {QuantizedModel{{1, 2, 1}, {1, 1}, {0, 0}, {2, -3, 2, 50}, {1, 1, 0.5f}, {0, 0, 2}, {}},
         {63.5f}},
        {128}},
       {"Long", {long_layer(), long_row()}, {kLongSum}, "acc is a sum of integers, and exact"}});
  constexpr float kMax = std::numeric_limits<float>::max();
  dynamic.gives({{"LargeScales",
                  {QuantizedModel{{2, 1}, {1}, {0}, {127, -127}, {0x1p53f}, {1}, {}}, {kMax, kMax}},
                  {0x1p53f}}},
                [](Expect& expect, const Dynamic::Arguments&, const Reals& got, const Reals& want) {
                  expect.that(std::ranges::all_of(got, [](float v) { return std::isfinite(v); }),
                              "y is no finite number: something overflows on the way. What is in "
                              "parentheses comes first, and here that is 1",
                              "N-OVERFLOW");
                  expect.near("y", got, want, one_ulp());
                });
}

TEST(forward_dynamic, ScalesOfRows) {
  const QuantizedModel sum{{2, 1}, {0.5f}, {0}, {1, 1}, {1}, {0}, {}};
  dynamic.gives({{"TwoRows", {sum, {127, 2.4f, 508, 2.4f}}, {129, 512}},
                 {"LargeLast", {sum, {0.5f, 31.75f, 1270, 0}}, {32.25f, 1270}},
                 {"Negative", {sum, {-127, 2.4f}}, {-125}},
                 {"Zeros", {sum, {0, 0, 127, 0}}, {0, 127}},
                 {"ZerosAndBias",
                  {QuantizedModel{{2, 1}, {0.5f}, {0}, {1, 1}, {1}, {6}, {}}, {0, 0}},
                  {3},
                  kZerosHaveABias},
                 {"Small",
                  {sum, {127 * kLeastScale, 0}},
                  {127 * kLeastScale},
                  "x_scale is 1 for zeros alone: a row of small numbers has its own"},
                 {"Tiny", {sum, {0x1p-80f, 0}}, {0}, "x_scale is never below kLeastScale"}});
}

const auto kNearlySame = [](Expect& expect, const Dynamic::Arguments& in, const Reals& got,
                            const Reals& want) {
  const float magnitude = max_abs(weight_only_layer(in.a, in.b, true));
  expect.near("y", got, want, sum_tolerance(magnitude, 2), outputs_of<Dynamic::Arguments>(in));
};
const auto kDynamic = [](const Dynamic::Arguments& in) {
  return dynamic_by_definition(in.a, in.b);
};

TEST(forward_dynamic, AnyLayer) {
  dynamic.agrees_with(
      kDynamic, some_models<Dynamic>(seed, {{{1, 1}, 1}, {{5, 3}, 2}, {{3, 8}, 4}, {{80, 17}, 9}}),
      kNearlySame);
}

TEST(forward_dynamic, KeepsTheNet) { keeps_public_nets(dynamic); }

// --- forward_static -----------------------------------------------------------------------------

using Static = Exercise<&forward_static>;

/// How the network is run: right, or as somebody does who has one thing wrong.
struct Habit {
  const char* code = "";
  const char* words = "";
  float (*round)(float) = to_even;
  std::int32_t added = 1, subtracted = 1;  ///< zero points, where codes are made and read
  bool adds_bias = true, clamps = true;
  bool clamps_steps = false;          ///< before the zero point is added, too
  int next_scale = -1;                ///< as a power, in the factor
  std::optional<float> relu_at = {};  ///< another lower end than the next zero point
};

constexpr Habit kHabits[] = {
    {.code = "N-ZERO", .words = "a sum is of codes: it is of q - a_zero_point", .subtracted = 0},
    {.code = "N-ZP-SIGN",
     .words = "a zero point is added in the sum: it is subtracted",
     .subtracted = -1},
    {.code = "N-ZERO", .words = "no zero point is added where real numbers enter", .added = 0},
    {.code = "N-TRUNC", .words = "codes are cut: they are rounded", .round = cut},
    {.code = "N-ROUND",
     .words = "ties go away from 0: they go to the even neighbour",
     .round = away},
    {.code = "N-BIAS", .words = "the bias is left out", .adds_bias = false},
    {.code = "N-CLAMP", .words = "codes are not clamped", .clamps = false},
    {.code = "N-SCALE",
     .words = "the factor is a_scale * w_scale: it is divided by the next a_scale",
     .next_scale = 0},
    {.code = "N-SCALE",
     .words = "the factor is multiplied by the next a_scale: it is divided by it",
     .next_scale = 1},
    {.code = "N-CLAMP",
     .words = "what is handed on ends at 0: it ends at the next a_zero_point",
     .relu_at = 0},
    {.code = "N-CLAMP",
     .words = "what is handed on ends at -128: it ends at the next a_zero_point, which is the ReLU",
     .relu_at = -128},
    {.code = "N-CLAMP",
     .words = "clamped before the zero point is added: it is after",
     .clamps_steps = true}};

/// A code as a float, which holds it exactly.
float code_of(float steps, float zero_point, float qmin, const Habit& habit) {
  const float rounded = habit.round(steps);
  const float code =
      (habit.clamps_steps ? std::clamp(rounded, -128.0f, 127.0f) : rounded) + zero_point;
  return habit.clamps ? std::clamp(code, qmin, 127.0f) : std::clamp(code, -1e6f, 1e6f);
}

/// The sums of a quantized layer, [rows, outputs].
Reals sums_of(const QuantizedLayer& layer, const Reals& codes, const Habit& habit) {
  Reals sums;
  const std::size_t n = layer.inputs;
  for (std::size_t at = 0; at < codes.size() / n * layer.outputs; ++at) {
    const std::size_t r = at / layer.outputs, o = at % layer.outputs;
    std::int64_t acc = habit.adds_bias ? layer.bias[o] : 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto code = static_cast<std::int32_t>(codes[r * n + i]);
      const std::int64_t off = code - habit.subtracted * layer.a_zero_point;
      acc += off * layer.weight[o * n + i];
    }
    sums.push_back(static_cast<float>(acc));
  }
  return sums;
}

Reals static_by_definition(const QuantizedModel& model, const Reals& x, const Habit& habit = {}) {
  const std::vector<ModelLayer> layers = layers_of(model);
  expects_rows(x, layers.front().linear.inputs);
  Reals now = x;  // real numbers, or codes
  bool are_codes = false;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const QuantizedLayer& q = layers[l].quantized;
    const bool ends = l + 1 == layers.size(), hands_on = !ends && !layers[l + 1].is_float;
    if (layers[l].is_float) {
      now = linear(layers[l].linear, now);
    } else {
      const auto zero_point = static_cast<float>(habit.added * q.a_zero_point);
      if (!are_codes) {
        now =
            each_of(now, [&](float v) { return code_of(v / q.a_scale, zero_point, -128, habit); });
      }
      now = each_of(sums_of(q, now, habit), [&](float sum, std::size_t at) {
        const float unit = q.a_scale * q.w_scale[at % q.outputs];
        if (!hands_on) return sum * unit;
        const QuantizedLayer& behind = layers[l + 1].quantized;
        const auto zero = static_cast<float>(behind.a_zero_point);
        const float factor = habit.next_scale < 0    ? unit / behind.a_scale
                             : habit.next_scale == 0 ? unit
                                                     : unit * behind.a_scale;
        return code_of(sum * factor, zero, habit.relu_at.value_or(zero), habit);
      });
    }
    are_codes = !layers[l].is_float && hands_on;
    if (!ends && !are_codes) relu(now);
  }
  return now;
}

const Static running{
    RUN_NAMES,
    {"y"},
    [](Expect& expect, const Static::Arguments& in, const Reals&) {
      for (const Habit& habit : kHabits) {
        expect.suspect(habit.code, "y", static_by_definition(in.a, in.b, habit), habit.words);
      }
      expect.suspect("N-SCALE", "y", static_by_definition(with_mean_scales(in.a), in.b));
    },
    {.tolerance = one_ulp(), .sizes = outputs_of<Static::Arguments>}};

TEST(forward_static, EntersAndLeaves) {
  const QuantizedModel one{{2, 1}, {0.5f}, {3}, {4, -2}, {4}, {7}, {}};
  running.gives(
      {{"One", {one, {1, 2.1f}}, {14}, "q = clamp(round(x / a_scale) + a_zero_point)"},
       {"Ties", {one, {1.25f, 1.9f}}, {14}, "ties go to the even neighbour, before the zero point"},
       {"FloatQuotient",
        {QuantizedModel{{3, 1}, {kTieScale}, {0}, {1, 10, 100}, {1}, {0}, {}},
         {kTieBelow, kTieAbove, kNoTie}},
        {642 * kTieScale},
        kQuotientIsFloat},
       {"Above127Steps",
        {QuantizedModel{{1, 1}, {1}, {-128}, {1}, {1}, {-150}, {}}, {200}},
        {50},
        "a code is clamped when its zero point has been added, and not before"},
       {"Beyond", {one, {1000, -1000}}, {1530}, "codes are clamped to [-128, 127]"},
       {"Far", {one, {3e38f, -3e38f}}, {1530}, "a float is clamped before it becomes an integer"},
       {"Zeros", {one, {0, 0}}, {14}, kZerosHaveABias},
       {"BelowZero", {one, {-4, 1}}, {-58}, "the last layer has no ReLU"},
       {"Outputs",
        {QuantizedModel{{1, 2}, {2}, {-128}, {5, 7}, {1, 0.25f}, {0, 1}, {}}, {6, 2}},
        {30, 11, 10, 4}},
       {"Long", {long_layer(), long_row()}, {kLongSum}, "acc is a sum of integers, and exact"}});
}

TEST(forward_static, HandsOn) {
  const QuantizedModel two{{1, 2, 1}, {1, 4}, {0, -128}, {2, -3, 1, 1}, {1, 2, 1}, {1, 0, 0}, {}};
  const QuantizedModel raised{{1, 1, 1}, {1, 1}, {0, 100}, {1, 1}, {1, 1}, {0, 0}, {}};
  const QuantizedModel three{{1, 1, 1, 1}, {1, 2, 4}, {-3, 5, -7}, {2, 3, -1},
                             {1, 0.5f, 1}, {0, 1, 5}, {}};
  const QuantizedModel halves{{1, 1, 1}, {1, 2}, {0, 1}, {1, 1}, {1, 1}, {0, 0}, {}};
  const QuantizedModel thirds{{1, 1, 1}, {0.1f, 0.3f}, {0, -128}, {83, 1}, {0.1f, 1}, {0, 0}, {}};
  running.gives(
      {{"Two", {two, {5, -1}}, {12, 8}, "q' = clamp(round(acc * factor) + a_zero_point')"},
       {"ReLU", {raised, {-1, 3}}, {0, 3}, "to clamp to its code of real 0 is the ReLU"},
       {"Beyond", {raised, {90}}, {27}, "codes end at 127"},
       {"Three", {three, {5.4f, 20}}, {4, -40}, "of every layer its own scale and zero point"},
       {"Ties",
        {halves, {5, 7}},
        {4, 8},
        "ties go to the even neighbour, before the zero point: 2.5 is 2, 3.5 is 4"},
       {"Factor",
        {thirds, {4.5f, 2.6f}},
        {125 * 0.3f, 72 * 0.3f},
        "factor = (a_scale * w_scale) / a_scale': 3735 times it is just above 124.5"}});
}

TEST(forward_static, FloatLayers) {
  running.gives(
      {{"First",
        {QuantizedModel{{1, 1, 1}, {0, 0.5f}, {0, 3}, {2}, {1}, {0}, {2, 0.2f}}, {1.5f}},
        {6}},
       {"FirstBelowZero",
        {QuantizedModel{{1, 1, 1}, {0, 0.5f}, {0, 3}, {2}, {1}, {0}, {2, 0.2f}}, {-1}},
        {0},
        "what a float layer gives goes through relu before it enters"},
       {"Last",
        {QuantizedModel{{1, 1, 1}, {0.5f, 0}, {3, 0}, {2}, {1}, {0}, {0.5f, -9}}, {1.6f}},
        {-7.5f}},
       {"LastBelowZero",
        {QuantizedModel{{1, 1, 1}, {0.5f, 0}, {3, 0}, {2}, {1}, {0}, {0.5f, -9}}, {-1}},
        {-9},
        "what is left before a float layer goes through relu"},
       {"Between",
        {QuantizedModel{
             {1, 1, 1, 1}, {1, 0, 2}, {5, 0, -7}, {3, 4}, {1, 0.5f}, {1, 1}, {0.5f, 0.25f}},
         {2.25f, -9}},
        {9, 1}},
       {"All",
        {QuantizedModel{{1, 1, 1}, {0, 0}, {0, 0}, {}, {}, {}, {2, 0.5f, 3, 1}}, {1.5f, -2}},
        {11.5f, 1}}});
}

const auto kStatic = [](const Static::Arguments& in) { return static_by_definition(in.a, in.b); };

TEST(forward_static, AnyNet) {
  running.agrees_with(kStatic, some_models<Static>(seed, {{{1, 1}, 1},
                                                          {{3, 2}, 4},
                                                          {{5, 4, 3}, 6},
                                                          {{8, 20, 20, 7}, 10, {2}},
                                                          {{6, 9, 9, 9, 9, 5}, 8, {1, 3}},
                                                          {{30, 16, 12, 10}, 20}}));
}

TEST(forward_static, KeepsTheNet) { keeps_public_nets(running); }

TEST(forward_static, RefusesWhatIsNoNet) {
  const QuantizedModel fine{{1, 1}, {1}, {0}, {2}, {1}, {0}, {}};
  running.refuses(
      {{"Fine", {fine, {3}}, {6}}},
      {{"", {QuantizedModel{{2, 1}, {1}, {0}, {2, 2}, {1}, {0}, {}}, {1, 2, 3}}},
       {"", {fine, Reals{}}},
       {"", {QuantizedModel{{1, 1}, {1}, {0}, {2, 3}, {1}, {0}, {}}, {3}}},
       {"", {QuantizedModel{{1, 1}, {1}, {0}, {2}, {1}, {}, {}}, {3}}},
       {"N-NAN", {fine, {float{kNan}}}},
       {"N-SIZE", {QuantizedModel{{1}, {}, {}, {}, {}, {}, {}}, {3}}},
       {"N-SIZE",  // the second layer has a weight for one of the two that enter
        {QuantizedModel{{1, 2, 1}, {1, 1}, {0, 0}, {2, 2, 2}, {1, 1, 1}, {0, 0, 0}, {}}, {3}}}});
}

// --- model_bytes --------------------------------------------------------------------------------

using Counting = Exercise<&model_bytes>;

const Counting counting{
    MODEL_NAMES, {"bytes"}, [](Expect& expect, const auto& in, const auto& right) {
      expect.suspect("N-UNITS", "bytes", 8 * right, "bits are told: it is bytes");
      const QuantizedModel& m = in.a;
      const auto codes = std::ssize(m.weight), sizes = 4 * std::ssize(m.sizes);
      const auto less = [&](const char* words, std::int64_t bytes) {
        if (bytes != 0) expect.suspect("N-OVERHEAD", "bytes", right - bytes, words);
      };
      less("sizes are not counted", sizes);
      less("a_scale is not counted", 4 * std::ssize(m.a_scale));
      less("a_zero_point is not counted", 4 * std::ssize(m.a_zero_point));
      less("a_scale and a_zero_point are not counted", 8 * std::ssize(m.a_scale));
      less("w_scale is not counted", 4 * std::ssize(m.w_scale));
      less("biases are not counted", 4 * std::ssize(m.bias));
      less("the floats of layers that stay float are not counted", 4 * std::ssize(m.floats));
      less("the weights are not counted", codes);
      less("a weight is counted as four bytes: an int8 is one", -3 * codes);
      less("elements are counted: most of them have four bytes", 3 * (right - codes) / 4);
      less("the weights alone are counted", right - codes);
    }};

const auto kSameBytes = [](Expect& expect, const Counting::Arguments& in, std::int64_t got,
                           std::int64_t want) {
  const auto layers = static_cast<std::int64_t>(in.a.a_zero_point.size());
  expect.that(got != want - 3 * layers, "zero points are counted as one byte each: an int32 has 4",
              "N-OVERHEAD");
  expect.equal("bytes", got, want);
};

TEST(model_bytes, CountsEveryList) {
  counting.gives({{"One", {QuantizedModel{{2, 1}, {0.5f}, {3}, {4, -2}, {2}, {6}, {}}}, 2 + 8 + 16},
                  {"Outputs",
                   {QuantizedModel{{1, 4}, {1}, {0}, {1, 2, 3, 4}, {1, 1, 1, 1}, {0, 0, 0, 0}, {}}},
                   4 + 8 + 4 + 4 + 16 + 16},
                  {"Float",
                   {QuantizedModel{{1, 1, 2}, {0, 1}, {0, 4}, {5, 6}, {1, 1}, {0, 0}, {7, 8}}},
                   2 + 12 + 8 + 8 + 8 + 8 + 8},
                  {"Wide",
                   {QuantizedModel{{300, 1}, {1}, {0}, Codes(300), {1}, {0}, {}}},
                   300 + 8 + 4 + 4 + 4 + 4}},
                 kSameBytes);
}

// --- quantize_model -----------------------------------------------------------------------------

const Modelling modelling{
    {"sizes", "weights", "biases", "training", "x", "skip"},
    MODEL_NAMES,
    [](Expect& expect, const Modelling::Arguments& in, const QuantizedModel&) {
      const auto inputs = static_cast<std::size_t>(in.a.sizes[0]);
      const std::size_t rows = in.b.size() / inputs;
      for (const std::size_t row : {std::size_t{0}, rows - 1}) {
        expect.suspect("N-OBSERVER", "a_scale",
                       model_by_definition(in.a, row_of(in.b, inputs, row), in.c).a_scale,
                       "a range is of one row of x: it is of all rows");
      }
      FloatModel training = in.a;
      training.training = true;
      const std::vector<Linear> layers = layers_of(in.a);
      const auto given = [&](const FloatModel& net) { return layer_inputs(net, in.b); };
      FloatModel used = in.a;
      used.training = false;
      const std::vector<Reals> values = given(used), dropped = given(training);
      const auto stays = [&](std::size_t l) {
        return std::ranges::count(in.c, static_cast<std::int32_t>(l)) > 0;
      };
      const auto ranges = [&](const char* code, const char* words, const auto& of) {
        Reals scales;
        for (std::size_t l = 0; l < layers.size(); ++l) scales.push_back(stays(l) ? 0 : of(l));
        expect.suspect(code, "a_scale", scales, words);
      };
      const auto step = [](const Reals& v, float steps) {
        const float lo = std::min(0.0f, std::ranges::min(v)),
                    hi = std::max(0.0f, std::ranges::max(v));
        return hi == lo ? 1 : std::max((hi - lo) / steps, kLeastScale);
      };
      ranges("N-OBSERVER",
             "ranges are those of a network that is training: take them as it is used",
             [&](std::size_t l) { return step(dropped[l], 255); });
      ranges("N-RANGE", "a range is of what a layer gives: it is of what it is given",
             [&](std::size_t l) { return step(values[l + 1], 255); });
      ranges("N-RANGE", "a range is divided by 127: it is by 255, all codes",
             [&](std::size_t l) { return step(values[l], 127); });
      ranges("N-RANGE", "a range is divided by 256: it is by 255, the steps between codes",
             [&](std::size_t l) { return step(values[l], 256); });
      ranges("N-RANGE", "a scale is max |x| / 127: it is (hi - lo) / 255",
             [&](std::size_t l) { return max_abs(values[l]) / 127; });
      ranges("N-RANGE", "a range does not hold 0: lo is at most 0, and hi at least",
             [&](std::size_t l) {
               return (std::ranges::max(values[l]) - std::ranges::min(values[l])) / 255;
             });
      std::vector<std::int32_t> from_zero, negative;
      for (std::size_t l = 0; l < layers.size(); ++l) {
        const float lo = std::min(0.0f, std::ranges::min(values[l]));
        const float steps = std::nearbyint(lo / step(values[l], 255));
        from_zero.push_back(stays(l) ? 0 : static_cast<std::int32_t>(-steps));
        negative.push_back(stays(l) ? 0 : static_cast<std::int32_t>(-128 + steps));
      }
      expect.suspect("N-ZERO", "a_zero_point", from_zero,
                     "lo has the code 0, as where codes have no sign: it has -128");
      expect.suspect("N-ZP-SIGN", "a_zero_point", negative,
                     "lo is added: it is subtracted from -128, in steps");
    },
    {.tolerance = one_ulp()}};

/// A float weight of a layer that is quantized is told as such, whatever else is wrong.
const auto kSameModel = [](Expect& expect, const Modelling::Arguments& in,
                           const QuantizedModel& got, const QuantizedModel& want) {
  expect.that(got.floats.size() <= want.floats.size(),
              std::to_string(got.floats.size()) + " floats are kept, where " +
                  std::to_string(want.floats.size()) + " are of layers that stay float",
              "N-OVERHEAD");
  modelling.only({"sizes", "a_scale", "a_zero_point", "w_scale", "weight", "bias", "floats"})(
      expect, in, got, want);
};

constexpr const char* kZeroPointComesLast =
    "a_zero_point counts in steps of a_scale, as it is when it has been raised to kLeastScale";

TEST(quantize_model, RangesOfInputs) {
  modelling.gives(
      {{"One",
        {FloatModel{{1, 1}, {127}, {3}, false}, {0, 510}, Skip{}},
        {{1, 1}, {2}, {-128}, {127}, {1}, {2}, {}}},
       {"BothSides",
        {FloatModel{{1, 1}, {127}, {3}, false}, {100, -100, 155}, Skip{}},
        {{1, 1}, {1}, {-28}, {127}, {1}, {3}, {}}},
       {"FromTheLowerEnd",
        {FloatModel{{1, 1}, {127}, {0}, false}, {-2.5f, 252.5f}, Skip{}},
        {{1, 1}, {1}, {-126}, {127}, {1}, {0}, {}},
        "a_zero_point = -128 - round(lo / a_scale): it counts from lo, not from hi"},
       {"BelowZero",
        {FloatModel{{2, 1}, {127, 0}, {0}, false}, {-510, -20, -300, -4}, Skip{}},
        {{2, 1}, {2}, {127}, {127, 0}, {1}, {0}, {}},
        "hi is 0 where every input is below 0"},
       {"AboveZero",
        {FloatModel{{1, 1}, {127}, {0}, false}, {500, 510, 505}, Skip{}},
        {{1, 1}, {2}, {-128}, {127}, {1}, {0}, {}},
        "lo is 0 where every input is above 0"},
       {"Two",
        {FloatModel{{1, 1, 1}, {254, 127}, {510, -8}, false}, {-255, 1, 0}, Skip{}},
        {{1, 1, 1}, {256.0f / 255, 764.0f / 255}, {126, -128}, {127, 127}, {2, 1}, {254, -3}, {}}},
       {"Dead",
        {FloatModel{{1, 1, 1}, {-127, 127}, {0, 3}, false}, {255, 3}, Skip{}},
        {{1, 1, 1}, {1, 1}, {-128, -128}, {-127, 127}, {1, 1}, {0, 3}, {}}},
       {"Tiny",
        {FloatModel{{1, 1}, {127}, {0}, false}, {0, 0x1p-80f}, Skip{}},
        {{1, 1}, {kLeastScale}, {-128}, {127}, {1}, {0}, {}}},
       {"TinyBothSides",
        {FloatModel{{1, 1}, {127}, {0}, false}, {-0x1p-80f, 0x1p-80f}, Skip{}},
        {{1, 1}, {kLeastScale}, {-128}, {127}, {1}, {0}, {}},
        kZeroPointComesLast},
       {"SmallBothSides",
        {FloatModel{{1, 1}, {127}, {0}, false}, {-2 * kLeastScale, 2 * kLeastScale}, Skip{}},
        {{1, 1}, {kLeastScale}, {-126}, {127}, {1}, {0}, {}},
        kZeroPointComesLast}},
      kSameModel, "N-RANGE");
}

TEST(quantize_model, AsItIsUsed) {
  modelling.gives(
      {{"Training",
        {FloatModel{{1, 2, 1}, {127, 254, 127, 127}, {0, 0, 0}, true}, {0, 255}, Skip{}},
        {{1, 2, 1}, {1, 254}, {-128, -128}, {127, 127, 127, 127}, {1, 2, 1}, {0, 0, 0}, {}}}},
      kSameModel);
}

TEST(quantize_model, SkipsLayers) {
  const FloatModel net{{1, 1, 1}, {127, 254}, {2, 4}, false};
  modelling.gives(
      {{"First",
        {net, {0, 255}, {0}},
        {{1, 1, 1}, {0, 32387.0f / 255}, {0, -128}, {127}, {2}, {0}, {127, 2}}},
       {"Last", {net, {0, 255}, {1}}, {{1, 1, 1}, {1, 0}, {-128, 0}, {127}, {1}, {2}, {254, 4}}},
       {"All", {net, {0, 255}, {0, 1}}, {{1, 1, 1}, {0, 0}, {0, 0}, {}, {}, {}, {127, 2, 254, 4}}},
       {"AnyOrder",
        {net, {0, 255}, {1, 0}},
        {{1, 1, 1}, {0, 0}, {0, 0}, {}, {}, {}, {127, 2, 254, 4}},
        "skip may name layers in any order"},
       {"Twice",
        {net, {0, 255}, {1, 1}},
        {{1, 1, 1}, {1, 0}, {-128, 0}, {127}, {1}, {2}, {254, 4}}},
       {"AnyWeight",
        {FloatModel{{1, 1, 1}, {127, 0x1p70f}, {2, 4}, false}, {0, 255}, {1}},
        {{1, 1, 1}, {1, 0}, {-128, 0}, {127}, {1}, {2}, {0x1p70f, 4}}}},
      kSameModel);
}

std::vector<Modelling::Input> some_nets(Seed seed_of, const std::vector<NetSize>& sizes) {
  return each_of(sizes, [&](const NetSize& size, std::size_t at) -> Modelling::Input {
    FloatModel net = some_net(size.sizes, seed_of(10 * at));
    net.training = at % 2 == 1;
    return {size.text(), {net, size.x(seed_of(10 * at + 9)), size.skip}};
  });
}

TEST(quantize_model, AnyNet) {
  modelling.agrees_with(
      [](const auto& in) { return model_by_definition(in.a, in.b, in.c); },
      some_nets(seed, {{{3, 2}, 5}, {{5, 4, 3}, 9}, {{4, 8, 8, 8, 3}, 30, {1, 2}}}), kSameModel);
}

TEST(quantize_model, RefusesWhatIsNoNet) {
  const FloatModel net{{1, 1}, {127}, {3}, false};
  modelling.refuses({{"Fine", {net, {0, 510}, Skip{}}, {{1, 1}, {2}, {-128}, {127}, {1}, {2}, {}}}},
                    {{"", {net, {1}, {1}}},
                     {"", {net, {1}, {-1}}},
                     {"N-NAN", {net, {float{kNan}}, Skip{}}},
                     {"N-SIZE", {net, Reals{}, Skip{}}},
                     {"N-SIZE", {FloatModel{{1, 1}, {127, 1}, {3}, false}, {1}, Skip{}}},
                     {"N-SIZE", {FloatModel{{1}, {}, {}, false}, {1}, Skip{}}},
                     {"N-SIZE",  // the second layer has a weight for one of the two that enter
                      {FloatModel{{1, 2, 1}, {127, 127, 127}, {3, 3, 3}, false}, {1}, Skip{}}}},
                    kSameModel);
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt.

TEST(quantize_layer, EqualsTheReference) {
  quantizing.agrees_with(quantizing.reference,
                         some_layers(hidden_seed, {{2, 5}, {19, 4, 1e-4f}, {64, 31, 7}}),
                         kSameLayer);
}

TEST(forward_weight_only, EqualsTheReference) {
  floating.agrees_with(floating.reference,
                       some_models<Floating>(hidden_seed, {{{4, 7}, 3}, {{150, 12}, 11}}),
                       kSameSums);
}

TEST(forward_dynamic, EqualsTheReference) {
  dynamic.agrees_with(dynamic.reference,
                      some_models<Dynamic>(hidden_seed, {{{4, 7}, 3}, {{150, 12}, 11}}),
                      kNearlySame);
}

TEST(forward_static, EqualsTheReference) {
  running.agrees_with(
      running.reference,
      some_models<Static>(hidden_seed,
                          {{{7, 5, 4}, 5}, {{5, 6, 6, 6, 4}, 12, {0, 2}}, {{50, 24, 24, 10}, 16}}));
}

TEST(forward_static, KeepsHiddenNets) {
  keeps_nets(kLesson, {3, 4000, 3}, hidden_seed(0), [](const LearntNet& one) {
    return running({quantize_model(as_model(one), one.seen_x, {}), one.x});
  });
}

TEST(model_bytes, EqualsTheReference) {
  const std::vector<NetSize> sizes{{{9, 4}, 1}, {{3, 8, 2}, 1, {0}}, {{70, 30, 20, 5}, 1, {1}}};
  counting.agrees_with(
      counting.reference,
      each_of(sizes, [](const NetSize& size, std::size_t at) -> Counting::Input {
        const FloatModel net = some_net(size.sizes, hidden_seed(at));
        return {size.text(), {model_by_definition(net, size.x(hidden_seed(at + 9)), size.skip)}};
      }));
}

TEST(quantize_model, EqualsTheReference) {
  modelling.agrees_with(
      modelling.reference,
      some_nets(hidden_seed, {{{6, 3}, 4}, {{5, 9, 4}, 20}, {{12, 10, 10, 6}, 40, {0, 2}}}),
      kSameModel);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
