// Lab 33: the checks.
#include "smoothquant_awq.hpp"

#include "checks/marks/33_smoothquant_awq.hpp"
#include "judge/exercise.hpp"
#include "judge/learnt_net.hpp"
#include "judge/reals.hpp"
#include "judge/rows.hpp"

namespace nibble::judge {
namespace {

/// max |a[r,i]| over the rows r.
double largest_of(const Doubles& a, std::size_t n, std::size_t i) {
  double most = 0;
  for (std::size_t at = i; at < a.size(); at += n) most = std::max(most, std::fabs(a[at]));
  return most;
}

Doubles row_of(const Doubles& a, std::size_t n, std::size_t r) {
  const auto first = a.begin() + static_cast<std::ptrdiff_t>(r * n);
  return {first, first + static_cast<std::ptrdiff_t>(n)};
}

/// Some inputs are 40 times as large as the others, and one of them is negative throughout.
Doubles with_outliers(std::size_t samples, std::size_t n, std::uint64_t seed) {
  Doubles x = normals(samples * n, seed);
  for (std::size_t at = 0; at < x.size(); ++at) {
    if (at % n % 5 == 2) x[at] *= 40;
    if (at % n == n / 2) x[at] = -std::fabs(x[at]);
  }
  return x;
}

// --- A net with outliers ------------------------------------------------------------------------

Reals as_floats(const Doubles& numbers) {
  return each_of(numbers, [](double v) { return static_cast<float>(v); });
}

TwoLayers layers_of(const LearntNet& one) {
  const Linear &first = one.net.layers[0], &second = one.net.layers[1];
  return {as_doubles(first.weight), as_doubles(first.bias), as_doubles(second.weight)};
}

/// The scores with these two layers, in W8A8; none where they have other sizes.
Reals scores_with(const LearntNet& one, const TwoLayers& layers) {
  Mlp net = one.net;
  Linear &first = net.layers[0], &second = net.layers[1];
  first.weight = as_floats(layers.first), first.bias = as_floats(layers.bias);
  second.weight = as_floats(layers.second);
  const bool fit = first.weight.size() == one.net.layers[0].weight.size() &&
                   first.bias.size() == first.outputs &&
                   second.weight.size() == one.net.layers[1].weight.size();
  return fit ? forward_in_int8(net, one.x) : Reals{};
}

/// With what run(net) makes of its layers, W8A8 is as good as float, within what `exam` allows.
void tames_nets(const Exam& exam, std::uint64_t seed,
                const std::function<TwoLayers(const LearntNet&)>& run) {
  keeps_nets(kLessonWithOutliers, exam, seed,
             [&](const LearntNet& one) { return scores_with(one, run(one)); });
}

constexpr const char* kTinyIsNoZero = "the scale is 1 where a range is 0, and not where it is tiny";

TwoLayers migrated(const TwoLayers& layers, const Doubles& scales) {
  const std::size_t middle = layers.bias.size();
  if (middle == 0 || layers.first.empty() || layers.second.empty() || scales.size() != middle ||
      layers.first.size() % middle != 0 || layers.second.size() % middle != 0) {
    throw std::invalid_argument("sizes that do not fit");
  }
  const std::size_t inputs = layers.first.size() / middle;
  return {
      each_of(layers.first, [&](double v, std::size_t at) { return v / scales[at / inputs]; }),
      each_of(layers.bias, [&](double v, std::size_t m) { return v / scales[m]; }),
      each_of(layers.second, [&](double v, std::size_t at) { return v * scales[at % middle]; })};
}

// --- smoothing_scales ---------------------------------------------------------------------------

using Smoothing = Exercise<&smoothing_scales>;

/// of_x^x_power * of_w^w_power, of columns as `of` sees them.
template <class Of>
Doubles smoothing_with(const Smoothing::Arguments& in, double x_power, double w_power,
                       const Of& of) {
  Doubles scales;
  rows_of(in.a, in.c), rows_of(in.b, in.c);
  for (std::size_t i = 0; i < static_cast<std::size_t>(in.c); ++i) {
    const double of_x = of(in.a, static_cast<std::size_t>(in.c), i),
                 of_w = of(in.b, static_cast<std::size_t>(in.c), i);
    scales.push_back(
        of_x == 0 || of_w == 0 ? 1 : std::exp(x_power * std::log(of_x) + w_power * std::log(of_w)));
  }
  return scales;
}
Doubles smoothing_by_definition(const Smoothing::Arguments& in) {
  return smoothing_with(in, in.d, in.d - 1, largest_of);
}

void suspect_smoothing(Expect& expect, const Smoothing::Arguments& in, const Doubles&) {
  const double alpha = in.d;
  const auto suspect = [&](const char* words, double x_power, double w_power, const auto& of) {
    expect.suspect("N-FORMULA", "scales", smoothing_with(in, x_power, w_power, of), words);
  };
  suspect("the exponents are exchanged: alpha is that of the inputs", 1 - alpha, -alpha,
          largest_of);
  suspect("both exponents are alpha: that of the weights is 1 - alpha", alpha, -alpha, largest_of);
  suspect("the weights are left out", alpha, 0, largest_of);
  suspect("the inputs are left out", 0, alpha - 1, largest_of);
  suspect("both powers are multiplied: that of the weights is divided by", alpha, 1 - alpha,
          largest_of);
  suspect("alpha is 1/2, whatever is asked for", 0.5, -0.5, largest_of);
  suspect("both powers are 1", 1, -1, largest_of);
  const auto by_row = [](const Doubles& a, std::size_t n, std::size_t i) {
    return i < a.size() / n ? largest(row_of(a, n, i)) : 0;
  };
  constexpr const char* kByRow = "the largest of a row: an input is a column of x and of w";
  suspect(kByRow, alpha, alpha - 1, by_row);
  suspect(kByRow, alpha, alpha - 1, [](const Doubles& a, std::size_t n, std::size_t i) {
    return largest(row_of(a, a.size() / n, i));
  });
  suspect("the first row alone: the maxima are over all", alpha, alpha - 1,
          [](const Doubles& a, std::size_t, std::size_t i) { return std::fabs(a[i]); });
  suspect("means of magnitudes: they are maxima", alpha, alpha - 1,
          [](const Doubles& a, std::size_t n, std::size_t i) {
            double sum = 0;
            for (std::size_t at = i; at < a.size(); at += n) sum += std::fabs(a[at]);
            return sum * static_cast<double>(n) / static_cast<double>(a.size());
          });
}

const auto kSameScales = [](Expect& expect, const Smoothing::Arguments&, const Doubles& got,
                            const Doubles& want) {
  const double off = factor_tolerance(largest(want)).absolute;
  const Doubles inverse = each_of(want, [](double s) { return 1 / s; });
  expect.that(!all_near(got, inverse, off) || all_near(got, want, off),
              "every scale is one over what is wanted", "N-INVERSE");
  expect_reals(expect, "scales", got, want);
};

const Smoothing smoothing{{"x", "w", "inputs", "alpha"}, {"scales"}, suspect_smoothing};

TEST(smoothing_scales, FollowsTheFormula) {
  smoothing.gives({{"Half", {{0.5, 64, 1, 1, 3, 4}, {4, 0, 1, 1, 1, 0.25}, 3, 0.5}, {0.5, 8, 2}},
                   {"BelowZero",
                    {{1, -64, 4, 0.5, 3, -1}, {4, 1, -1, 1, 0, 0.25}, 3, 0.5},
                    {0.5, 8, 2},
                    "the largest |x| and |w|: -64 is as large as 64"},
                   {"Inputs", {{2, -8}, {4, 16}, 2, 1}, {2, 8}},
                   {"Weights", {{2, -8}, {4, -16}, 2, 0}, {0.25, 0.0625}},
                   {"Quarter", {{16, 81}, {16, 1}, 2, 0.25}, {0.25, 3}},
                   {"Negative", {{-9, -4, -1, -1}, {1, 4}, 2, 0.5}, {3, 1}}},
                  kSameScales);
}

std::vector<Smoothing::Input> smoothings(Seed seed_of, const std::vector<std::int32_t>& sizes) {
  return each_of(sizes, [&](std::int32_t inputs) -> Smoothing::Input {
    const auto n = static_cast<std::size_t>(inputs);
    return {std::to_string(inputs) + " inputs",
            {with_outliers(2 * n + 1, n, seed_of(n)), normals((n + 2) * n, seed_of(n + 1)), inputs,
             0.05 * static_cast<double>(n % 21)}};
  });
}

/// Of a net, with alpha 1/2. A channel that the images leave at 0 counts as one that reaches 1:
/// what becomes of zeros is another check's.
Smoothing::Arguments smoothing_of(const LearntNet& one) {
  const Linear& second = one.net.layers[1];
  const Doubles between = each_of(forward_all(one.net, one.seen_x)[1],
                                  [](float v) { return std::max(double{v}, 1.0); });
  return {between, as_doubles(second.weight), static_cast<std::int32_t>(second.inputs), 0.5};
}

const auto kSmoothed = [](const LearntNet& one) {
  const TwoLayers layers = layers_of(one);
  const Doubles scales = smoothing(smoothing_of(one));
  return scales.size() == layers.bias.size() ? migrated(layers, scales) : TwoLayers{};
};

TEST(smoothing_scales, AnyShape) {
  smoothing.agrees_with(smoothing_by_definition, smoothings(seed, {1, 2, 7, 12}), kSameScales);
  tames_nets({2, 2000, 10}, this_run().seed, kSmoothed);
}

TEST(smoothing_scales, ZeroColumns) {
  smoothing.gives({{"Inputs", {{0, 4, 0, 1}, {4, 1}, 2, 0.5}, {1, 2}},
                   {"Weights", {{4, 9}, {1, 0}, 2, 0.5}, {2, 1}},
                   {"Neither", {{0, 9}, {4, 1}, 2, 0}, {1, 1}},
                   {"TinyInputs", {{0x1p-1000}, {4}, 1, 0.5}, {0x1p-501}, kTinyIsNoZero},
                   {"TinyWeights", {{4}, {0x1p-1000}, 1, 0.5}, {0x1p501}, kTinyIsNoZero}},
                  kSameScales);
}

TEST(smoothing_scales, RefusesWhatIsNoLayer) {
  const std::string rule = "numbers are finite one by one: a sum or a square of them need not be";
  const Doubles huge(5, 0x1p1022), one = {1};
  smoothing.gives({{"HugeInputs", {huge, one, 1, 0.5}, {0x1p511}, rule},
                   {"HugeWeights", {one, huge, 1, 0.5}, {0x1p-511}, rule}},
                  kSameScales);
  smoothing.refuses({{"Fine", {{4}, {1}, 1, 1}, {4}}},
                    {{"", {{4}, {1}, 1, -0.25}},
                     {"", {{4}, {1}, 1, 1.25}},
                     {"", {{4}, {1}, 0, 1}},
                     {"N-NAN", {{4}, {1}, 1, double{kNan}}},
                     {"N-NAN", {{double{kNan}}, {1}, 1, 1}},
                     {"N-NAN", {{4}, {double{kInfinity}}, 1, 1}},
                     {"N-SIZE", {{4, 4}, {1, 1, 1}, 2, 1}},
                     {"N-SIZE", {{4, 4, 4}, {1, 1}, 2, 1}},
                     {"N-SIZE", {Doubles{}, {1}, 1, 1}}},
                    kSameScales);
}

// --- migrate_scales -----------------------------------------------------------------------------

using Migrating = Exercise<&migrate_scales>;

void look_at_layers(Expect& expect, const TwoLayers& got, const TwoLayers& want) {
  expect_reals(expect, "first", got.first, want.first,
               {want.bias.size(), want.first.size() / want.bias.size()});
  expect_reals(expect, "bias", got.bias, want.bias);
  expect_reals(expect, "second", got.second, want.second,
               {want.second.size() / want.bias.size(), want.bias.size()});
}

const auto kSameLayers = [](Expect& expect, const Migrating::Arguments& in, const TwoLayers& got,
                            const TwoLayers& want) {
  const TwoLayers other = migrated(in.a, each_of(in.b, [](double s) { return 1 / s; }));
  const auto near = [&](const TwoLayers& layers) {
    return all_near(got.first, layers.first, factor_tolerance(largest(layers.first)).absolute);
  };
  expect.that(!near(other) || near(want), "what is to be divided is multiplied", "N-INVERSE");
  expect.suspect("N-BIAS", "bias", in.a.bias, "the bias is as it was: it is divided, too");
  expect.suspect("N-BIAS", "bias",
                 each_of(in.a.bias, [&](double v, std::size_t m) { return v * in.b[m]; }),
                 "the bias is multiplied: it is divided, as its channel is");
  const std::size_t middle = in.a.bias.size(), outputs = in.a.second.size() / middle;
  const auto of_second = [&](const char* code, const char* words, const auto& element) {
    expect.suspect(code, "second", each_of(in.a.second, element), words);
  };
  of_second("N-FORMULA", "the second matrix is divided: it is multiplied",
            [&](double v, std::size_t at) { return v / in.b[at % middle]; });
  of_second("N-FORMULA", "the second matrix is as it was: it is multiplied",
            [](double v) { return v; });
  of_second("N-AXIS", "channels are rows of the second matrix: they are its columns",
            [&](double v, std::size_t at) { return v * in.b[std::min(at / outputs, middle - 1)]; });
  of_second("N-AXIS", "channels are rows of the second matrix: they are its columns",
            [&](double v, std::size_t at) { return v * in.b[at / middle % middle]; });
  expect.suspect(
      "N-AXIS", "first",
      each_of(in.a.first, [&](double v, std::size_t at) { return v / in.b[at % middle]; }),
      "channels are columns of the first matrix: they are its rows");
  expect.suspect("N-FORMULA", "first", in.a.first, "the first matrix is as it was: it is divided");
  look_at_layers(expect, got, want);
};

const Migrating migrating{{"first", "bias", "second", "scales"}, {"first", "bias", "second"}};

TEST(migrate_scales, DividesAndMultiplies) {
  migrating.gives({{"One", {TwoLayers{{3, 6, 9}, {3}, {1, 2}}, {3}}, {{1, 2, 3}, {1}, {3, 6}}},
                   {"Two",
                    {TwoLayers{{8, 4, 2, 6}, {4, 10}, {1, 3}}, {4, 2}},
                    {{2, 1, 1, 3}, {1, 5}, {4, 6}},
                    "channel m is row m of the first matrix, and column m of the second"},
                   {"Three",
                    {TwoLayers{{8, 4, 2}, {4, 10, -1}, {1, 3, 5, -1, 0, 2}}, {4, 0.5, 1}},
                    {{2, 8, 2}, {1, 20, -1}, {4, 1.5, 5, -4, 0, 2}}}},
                  kSameLayers);
}

struct Sizes {
  std::size_t inputs, middle, outputs;
};

/// Channels of very different sizes.
TwoLayers some_layers(const Sizes& size, std::uint64_t seed) {
  TwoLayers layers{normals(size.middle * size.inputs, seed), normals(size.middle, seed + 1),
                   normals(size.outputs * size.middle, seed + 2)};
  for (std::size_t at = 0; at < layers.first.size(); ++at) {
    layers.first[at] *= std::ldexp(1.0, static_cast<int>(at / size.inputs * 5 % 7) - 3);
  }
  return layers;
}

Doubles some_scales(std::size_t count, std::uint64_t seed) {
  return each_of(normals(count, seed), [](double v) { return std::exp(v); });
}

Doubles outputs_of(const TwoLayers& layers, const Doubles& x) {
  const std::size_t middle = layers.bias.size(), inputs = x.size();
  Doubles between = layers.bias, y(layers.second.size() / middle);
  for (std::size_t at = 0; at < layers.first.size(); ++at) {
    between[at / inputs] += layers.first[at] * x[at % inputs];
  }
  for (std::size_t at = 0; at < layers.second.size(); ++at) {
    y[at / middle] += layers.second[at] * std::max(between[at % middle], 0.0);
  }
  return y;
}

std::vector<Migrating::Input> migrations(Seed seed_of, const std::vector<Sizes>& sizes) {
  return each_of(sizes, [&](const Sizes& size, std::size_t at) -> Migrating::Input {
    return {size_text(size.middle, static_cast<int>(size.inputs)),
            {some_layers(size, seed_of(at)), some_scales(size.middle, seed_of(at + 9))}};
  });
}

const std::vector<Sizes> kSizes = {{1, 1, 1}, {5, 3, 2}, {2, 7, 4}, {2, 3, 30}, {16, 12, 9}};

const auto kMigrated = [](const LearntNet& one) {
  return migrating({layers_of(one), smoothing_by_definition(smoothing_of(one))});
};

TEST(migrate_scales, KeepsTheFunction) {
  migrating.on_each(migrations(seed, kSizes), [](Expect& expect, const Migrating::Arguments& in) {
    const TwoLayers want = migrated(in.a, in.b), got = migrating(in);
    look_at_layers(expect, got, want);
    if (expect.failure()) return;
    const Doubles x = normals(want.first.size() / want.bias.size(), seed(99));
    expect_reals(expect, "y", outputs_of(got, x), outputs_of(in.a, x));
  });
  tames_nets({2, 2000, 10}, this_run().seed, kMigrated);
}

TEST(migrate_scales, RefusesWhatIsNoScale) {
  const TwoLayers two{{8, 4, 2, 6}, {4, 10}, {1, 3}};
  migrating.refuses({{"Fine", {two, {1, 2}}, {{8, 4, 1, 3}, {4, 5}, {1, 6}}}},
                    {{"", {two, {1, 0}}},
                     {"", {two, {-1, 1}}},
                     {"N-NAN", {two, {1, double{kNan}}}},
                     {"N-NAN", {two, {1, double{kInfinity}}}},
                     {"N-SIZE", {two, {1, 2, 4}}},
                     {"N-SIZE", {TwoLayers{{8, 4, 2}, {4, 10}, {1, 3}}, {1, 2}}},
                     {"N-SIZE", {TwoLayers{{8, 4}, {4, 10}, {1, 3, 1}}, {1, 2}}},
                     {"N-NAN", {TwoLayers{{8, 4}, {4, double{kNan}}, {1, 3}}, {1, 2}}}},
                    kSameLayers);
}

// --- equalize_layers ----------------------------------------------------------------------------

using Equalizing = Exercise<&equalize_layers>;

/// scale(in front, behind, channel) of each.
template <class Scale>
TwoLayers equalized_by(const TwoLayers& layers, const Scale& scale) {
  const std::size_t middle = layers.bias.size();
  if (middle == 0 || layers.first.size() % middle != 0) throw std::invalid_argument("no channel");
  Doubles scales;
  for (std::size_t m = 0; m < middle; ++m) {
    const double in_front = largest(row_of(layers.first, layers.first.size() / middle, m)),
                 behind = largest_of(layers.second, middle, m);
    scales.push_back(in_front == 0 || behind == 0 ? 1 : scale(in_front, behind, m));
  }
  return migrated(layers, scales);
}
TwoLayers equalized(const TwoLayers& layers) {
  return equalized_by(layers,
                      [](double front, double behind, auto) { return std::sqrt(front / behind); });
}

const auto kEqualLayers = [](Expect& expect, const Equalizing::Arguments& in, const TwoLayers& got,
                             const TwoLayers& want) {
  const auto suspect = [&](const char* code, const char* words, const auto& scale) {
    expect.suspect(code, "first", equalized_by(in.a, scale).first, words);
  };
  suspect("N-INVERSE", "scales are upside down",
          [](double front, double behind, auto) { return std::sqrt(behind / front); });
  suspect("N-FORMULA", "a scale is the quotient: it is the root of it",
          [](double front, double behind, auto) { return front / behind; });
  suspect("N-FORMULA", "a scale is the root of the product: it is that of the quotient",
          [](double front, double behind, auto) { return std::sqrt(front * behind); });
  suspect("N-FORMULA", "a scale is the range in front: it is the root of front / behind",
          [](double front, double, auto) { return front; });
  suspect("N-FORMULA", "the range behind is left out",
          [](double front, double, auto) { return std::sqrt(front); });
  const double all_behind = largest(in.a.second), all_in_front = largest(in.a.first);
  suspect("N-AXIS", "the range behind is of all channels: each has its own",
          [&](double front, double, auto) { return std::sqrt(front / all_behind); });
  suspect("N-AXIS", "the range in front is of all channels: each has its own",
          [&](double, double behind, auto) { return std::sqrt(all_in_front / behind); });
  const std::size_t middle = want.bias.size();
  suspect("N-AXIS", "the range behind is of a row of the second matrix: a channel is a column",
          [&](double front, double, std::size_t m) {
            const bool is_row = m < in.a.second.size() / middle;
            return is_row ? std::sqrt(front / largest(row_of(in.a.second, middle, m))) : 1;
          });
  suspect("N-FORMULA",
          "the range in front is the first weight of a row: it is the largest |weight|",
          [&](double, double behind, std::size_t m) {
            return std::sqrt(std::fabs(in.a.first[m * in.a.first.size() / middle]) / behind);
          });
  look_at_layers(expect, got, want);
};

const Equalizing equalizing{{"first", "bias", "second"}, {"first", "bias", "second"}};

TEST(equalize_layers, RangesMeet) {
  equalizing.gives({{"One",
                     {TwoLayers{{-1, 64}, {8}, {16}}},
                     {{-0.5, 32}, {4}, {32}},
                     "the scale is the root of 64 / 16, and both are 32 then"},
                    {"LargeBias",
                     {TwoLayers{{16}, {100}, {1}}},
                     {{4}, {25}, {4}},
                     "a bias is no weight: it is divided, and widens no range"},
                    {"Two",
                     {TwoLayers{{-16, 2, 4, 0.5}, {8, 3}, {1, 16, 0.25, -8}}},
                     {{-4, 0.5, 8, 1}, {2, 6}, {4, 8, 1, -4}}},
                    {"Behind", {TwoLayers{{1, 0}, {8}, {0, -16}}}, {{4, 0}, {32}, {0, -4}}},
                    {"ManyOutputs",
                     {TwoLayers{{4}, {8}, {1, 4}}},
                     {{4}, {8}, {1, 4}},
                     "the range behind is of all outputs, however many there are"}},
                   kEqualLayers);
}

std::vector<Equalizing::Input> equalizations(Seed seed_of, const std::vector<Sizes>& sizes) {
  return each_of(sizes, [&](const Sizes& size, std::size_t at) -> Equalizing::Input {
    return {size_text(size.middle, static_cast<int>(size.inputs)),
            {some_layers(size, seed_of(at))}};
  });
}

const auto kEqualized = [](const Equalizing::Arguments& in) { return equalized(in.a); };

const auto kLevelled = [](const LearntNet& one) { return equalizing({layers_of(one)}); };

TEST(equalize_layers, AnyLayers) {
  equalizing.agrees_with(kEqualized, equalizations(seed, kSizes), kEqualLayers);
  tames_nets({2, 2000, 10}, this_run().seed, kLevelled);
}

TEST(equalize_layers, ZeroChannels) {
  equalizing.gives({{"InFront", {TwoLayers{{0, 16}, {3, 8}, {5, 1}}}, {{0, 4}, {3, 2}, {5, 4}}},
                    {"Behind", {TwoLayers{{7, 16}, {3, 8}, {0, 1}}}, {{7, 4}, {3, 2}, {0, 4}}},
                    {"TinyOnes",
                     {TwoLayers{{0x1p-1000, 1}, {0, 0}, {1, 0x1p-1000}}},
                     {{0x1p-500, 0x1p-500}, {0, 0}, {0x1p-500, 0x1p-500}},
                     kTinyIsNoZero}},
                   kEqualLayers, "N-DIV0");
}

TEST(equalize_layers, RefusesWhatAreNoLayers) {
  equalizing.refuses({{"Fine", {TwoLayers{{16}, {8}, {1}}}, {{4}, {2}, {4}}}},
                     {{"N-SIZE", {TwoLayers{{1, 2, 3}, {8, 8}, {1, 1}}}},
                      {"N-SIZE", {TwoLayers{{1}, {}, {1}}}},
                      {"N-SIZE", {TwoLayers{{}, {1}, {1}}}},
                      {"N-NAN", {TwoLayers{{1}, {double{kInfinity}}, {1}}}}},
                     kEqualLayers);
}

// --- awq_search ---------------------------------------------------------------------------------

using Searching = Exercise<&awq_search>;

/// The slips that are told by their names.
enum class Slip {
  kNone,
  kSigned,
  kOfTheMean,
  kLargest,
  kLiftsTheSum,
  kByTheLargest,
  kEachTerm,
  kWholeGroups,
  kOneStepMore,
  kLeastForZero,
  kLiftsThePower,
  kTiesAway,
  kNotDivided,
  kByTheMean,
  kByMaxTimesMin,
  kUpsideDown,
  kNineteenths,
  kNoPowers,
  kOfTheWeights,
  kOfTheirSquares,
  kByMax,
  kAdded,
  kRootOfSquares,
  kStillLarger,
  kNotUndone,
  kCut,
  kAcrossRows,
  kOneGroupARow,
  kOneScale
};

struct NamedSlip {
  Slip slip;
  const char *code, *sentence;
};

constexpr const char* kErrorOfWeights =
    "the error is how far the weights are off: it is how far the outputs are";
constexpr const char* kNoGroups =
    "groups are left out: each group_size numbers of a row have a scale of their own";
constexpr NamedSlip kSlips[] = {
    {Slip::kSigned, "N-FORMULA", "a[i] is a mean of x: it is one of |x|"},
    {Slip::kOfTheMean, "N-FORMULA", "a[i] is a mean of x: it is one of |x|"},
    {Slip::kLargest, "N-FORMULA", "a[i] is the largest |x|: it is their mean"},
    {Slip::kLiftsTheSum, "N-DIV0", "the sum of |x| is at least 1e-4: it is their mean that is"},
    {Slip::kByTheLargest, "N-FORMULA",
     "scales are divided by sqrt(max p): it is sqrt(max p * min p)"},
    {Slip::kEachTerm, "N-FORMULA",
     "the error is of squared terms: it is of squared sums over the inputs"},
    {Slip::kWholeGroups, "N-TAIL", "what is left of a row is not rounded: it is the last group"},
    {Slip::kOneStepMore, "N-FORMULA", "qmax is 2^(num_bits-1): it is one less"},
    {Slip::kLeastForZero, "N-DIV0", "1e-4 stands for a mean of 0 alone: it does for any below it"},
    {Slip::kLiftsThePower, "N-DIV0",
     "the power is at least 1e-4: it is the mean, before its power"},
    {Slip::kTiesAway, "N-ROUND", "ties go away from 0: they go to the even neighbour"},
    {Slip::kNotDivided, "N-FORMULA", "scales are p: they are p divided by sqrt(max p * min p)"},
    {Slip::kByTheMean, "N-FORMULA",
     "scales are divided by (max p + min p) / 2: it is sqrt(max p * min p)"},
    {Slip::kByMaxTimesMin, "N-FORMULA",
     "scales are divided by max p * min p: it is the root of that"},
    {Slip::kUpsideDown, "N-INVERSE", "scales are upside down: a large input has a large one"},
    {Slip::kNineteenths, "N-FORMULA", "the power is k / 19: it is k / 20"},
    {Slip::kNoPowers, "N-FORMULA",
     "no power helps: k / 20 of integers is 0, or w_hat is not what rounding makes of w * s"},
    {Slip::kOfTheWeights, "N-FORMULA", kErrorOfWeights},
    {Slip::kOfTheirSquares, "N-FORMULA", kErrorOfWeights},
    {Slip::kByMax, "N-FORMULA", "scales are divided by max p: it is sqrt(max p * min p)"},
    {Slip::kAdded, "N-FORMULA", "1e-4 is added to a mean: it is the least that a mean may be"},
    {Slip::kRootOfSquares, "N-FORMULA", "a[i] is the root of a mean square: it is a mean of |x|"},
    {Slip::kStillLarger, "N-FORMULA",
     "w_hat is not divided by s: rounded weights are still larger than w"},
    {Slip::kNotUndone, "N-FORMULA", "w * s is compared with its rounding: w_hat is divided by s"},
    {Slip::kCut, "N-TRUNC", "codes are cut: they are rounded"},
    {Slip::kAcrossRows, "N-TAIL",
     "groups run on across the ends of rows: the last group of a row is what is left"},
    {Slip::kOneGroupARow, "N-TAIL", kNoGroups},
    {Slip::kOneScale, "N-TAIL", kNoGroups}};

/// One exponent of the twenty.
AwqChoice tried(const Searching::Arguments& in, int k, Slip slip = Slip::kNone) {
  const std::size_t n = static_cast<std::size_t>(in.c), outputs = rows_of(in.a, in.c),
                    samples = rows_of(in.b, in.c), each = static_cast<std::size_t>(in.e);
  Doubles logs(n), off(in.a.size());
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t s = 0; s < samples; ++s) {
      const bool with_sign = slip == Slip::kSigned || slip == Slip::kOfTheMean;
      const double x = in.b[s * n + i];
      sum += slip == Slip::kRootOfSquares ? x * x : with_sign ? x : std::fabs(x);
    }
    if (slip == Slip::kOfTheMean) sum = std::fabs(sum);
    const auto count = static_cast<double>(samples);
    const double mean = slip == Slip::kLargest         ? largest_of(in.b, n, i)
                        : slip == Slip::kLiftsTheSum   ? std::max(sum, 1e-4) / count
                        : slip == Slip::kRootOfSquares ? std::sqrt(sum / count)
                        : slip == Slip::kAdded         ? sum / count + 1e-4
                                                       : sum / count;
    const bool is_lifted = slip == Slip::kLiftsTheSum || slip == Slip::kLiftsThePower ||
                           (slip == Slip::kLeastForZero && mean > 0);
    const double power = slip == Slip::kNoPowers      ? 0
                         : slip == Slip::kUpsideDown  ? -k / 20.0
                         : slip == Slip::kNineteenths ? k / 19.0
                                                      : k / 20.0;
    logs[i] = power == 0 ? 0 : power * std::log(is_lifted ? mean : std::max(mean, 1e-4));
    if (slip == Slip::kLiftsThePower) logs[i] = std::max(logs[i], std::log(1e-4));
  }
  const auto [least, most] = std::ranges::minmax(logs);
  const double middle = slip == Slip::kByTheLargest ? most / 2
                        : slip == Slip::kNotDivided ? 0
                        : slip == Slip::kByMax      ? most
                        : slip == Slip::kByTheMean
                            ? std::log((std::exp(least) + std::exp(most)) / 2)
                        : slip == Slip::kByMaxTimesMin ? least + most
                                                       : (least + most) / 2;
  const Doubles s = each_of(logs, [middle](double l) { return std::exp(l - middle); });
  const int qmax = signed_range(in.d).qmax + (slip == Slip::kOneStepMore ? 1 : 0);
  const std::size_t rounded = slip == Slip::kWholeGroups ? n / each * each : n;
  const std::size_t row = slip == Slip::kAcrossRows || slip == Slip::kOneScale ? in.a.size() : n;
  const std::size_t group =
      std::min(slip == Slip::kOneScale || slip == Slip::kOneGroupARow ? row : each, row);
  double scale = 1;
  for (std::size_t at = 0; at < in.a.size(); ++at) {
    if (at % row % group == 0) {
      const std::size_t end = std::min((at / row + 1) * row, at + group);
      double amax = 0;
      for (std::size_t p = at; p < end; ++p) amax = std::max(amax, std::fabs(in.a[p] * s[p % n]));
      scale = amax == 0 ? 1 : amax / qmax;
    }
    if (at % n >= rounded) continue;
    const double w = in.a[at], factor = s[at % n], steps = w * factor / scale;
    const double code = slip == Slip::kTiesAway ? std::round(steps)
                        : slip == Slip::kCut    ? std::trunc(steps)
                                                : std::nearbyint(steps);
    off[at] = slip == Slip::kStillLarger ? w - code * scale
              : slip == Slip::kNotUndone ? w * factor - code * scale
                                         : w - code * scale / factor;
  }
  double sum = 0;
  for (std::size_t at = 0; at < samples * outputs; ++at) {
    double y = 0, squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double x = slip == Slip::kOfTheWeights || slip == Slip::kOfTheirSquares
                           ? 1
                           : in.b[at / outputs * n + i];
      const double term = x * off[at % outputs * n + i];
      y += term;
      squares += term * term;
    }
    sum += slip == Slip::kEachTerm || slip == Slip::kOfTheirSquares ? squares : y * y;
  }
  return {k, s, sum / static_cast<double>(samples * outputs)};
}

AwqChoice choice_with(const Searching::Arguments& in, Slip slip) {
  AwqChoice best = tried(in, 0, slip);
  for (int k = 1; k < 20; ++k) {
    const AwqChoice one = tried(in, k, slip);
    if (one.error < best.error) best = one;
  }
  return best;
}

AwqChoice choice_by_definition(const Searching::Arguments& in) {
  return choice_with(in, Slip::kNone);
}

bool are_alike(const AwqChoice& a, const AwqChoice& b) {
  return a.exponent == b.exponent &&
         all_near(a.scales, b.scales, factor_tolerance(largest(b.scales)).absolute) &&
         std::fabs(a.error - b.error) <= factor_tolerance(b.error).absolute;
}

/// Says which slip gives this answer, where one does and no other.
void name_the_slip(Expect& expect, const Searching::Arguments& in, const AwqChoice& got,
                   const AwqChoice& want) {
  if (are_alike(got, want)) return;
  const NamedSlip* only = nullptr;
  for (const NamedSlip& one : kSlips) {
    const AwqChoice other = choice_with(in, one.slip);
    if (are_alike(other, want) || !are_alike(got, other)) continue;
    if (only != nullptr && std::string_view(only->sentence) != one.sentence) return;
    only = &one;
  }
  if (only != nullptr) expect.that(false, only->sentence, only->code);
}

/// Errors of two exponents may be equal but for the order of a sum: where all codes stay, say. Then
/// either will do.
void look_at_choice(Expect& expect, const Searching::Arguments& in, const AwqChoice& got,
                    const AwqChoice& want) {
  expect.that(std::isfinite(got.error), "error is no number", "N-DIV0");
  const bool is_exponent = 0 <= got.exponent && got.exponent < 20;
  const AwqChoice theirs = is_exponent ? tried(in, got.exponent) : want;
  const double off = factor_tolerance(want.error).absolute;
  const bool is_as_good = is_exponent && are_alike(got, theirs) && theirs.error <= want.error + off;
  if (!is_as_good) name_the_slip(expect, in, got, want);
  expect.that(is_exponent, "exponent is " + std::to_string(got.exponent) + ": it is one of 0 to 19",
              "N-FORMULA");
  expect.that(got.error > off || want.error <= off,
              "error is 0 but for its last digits: as if no weight were rounded");
  if (std::fabs(theirs.error - got.error) <= factor_tolerance(theirs.error).absolute) {
    expect.that(theirs.error <= want.error + off, "exponent " + std::to_string(got.exponent) +
                                                      " has the error " + show_value(got.error) +
                                                      ", and " + std::to_string(want.exponent) +
                                                      " has " + show_value(want.error));
  }
  const auto outputs = static_cast<double>(rows_of(in.a, in.c)),
             samples = static_cast<double>(rows_of(in.b, in.c));
  for (const double count : {outputs, samples, outputs * samples}) {
    const bool is_sum = count > 1 && std::fabs(got.error / count - want.error) <= off;
    expect.that(!is_sum || want.error == 0, "error is a sum where a mean is wanted", "N-DENOM");
  }
  const bool is_divided =
      in.c > 1 && want.error > 0 && std::fabs(got.error * in.c - want.error) <= off;
  expect.that(!is_divided,
              "error is divided by the inputs, too: it is a mean over samples and outputs",
              "N-DENOM");
  const AwqChoice& as_good = theirs.error <= want.error + off ? theirs : want;
  expect.equal("exponent", got.exponent, as_good.exponent);
  expect_reals(expect, "scales", got.scales, as_good.scales);
  expect.near("error", got.error, as_good.error, factor_tolerance(as_good.error));
}

/// Where errors are equal for everybody, the least exponent is right, and no other.
void look_at_equal_ones(Expect& expect, const Searching::Arguments& in, const AwqChoice& got,
                        const AwqChoice& want) {
  expect.that(std::isfinite(got.error), "error is no number", "N-DIV0");
  expect.equal("exponent", got.exponent, want.exponent);
  look_at_choice(expect, in, got, want);
}

const Searching searching{{"w", "x", "inputs", "num_bits", "group_size"},
                          {"exponent", "scales", "error"}};

struct SearchSize {
  std::size_t outputs, n, samples;
  std::int32_t num_bits, group_size;
};

std::vector<Searching::Input> searches(Seed seed_of, const std::vector<SearchSize>& sizes) {
  return each_of(sizes, [&](const SearchSize& size, std::size_t at) -> Searching::Input {
    return {size_text(size.outputs, static_cast<int>(size.n)) + " in " +
                std::to_string(size.num_bits) + " bits",
            {normals(size.outputs * size.n, seed_of(at)),
             with_outliers(size.samples, size.n, seed_of(at + 99)),
             static_cast<std::int32_t>(size.n), size.num_bits, size.group_size}};
  });
}

/// The same with so small weights that every error is next to nothing, and none is 0.
std::vector<Searching::Input> with_tiny_weights(std::vector<Searching::Input> inputs) {
  for (auto& [name, in] : inputs) {
    name += ", tiny weights";
    for (double& w : in.a) w *= 0x1p-40;
  }
  return inputs;
}

/// Whoever comes so far has found the least error of larger weights.
void look_at_tiny_errors(Expect& expect, const Searching::Arguments& in, const AwqChoice& got,
                         const AwqChoice& want) {
  expect.that(got.error <= want.error + factor_tolerance(want.error).absolute,
              "error is not the least: of tiny ones, too, only a share within 1e-8 is equal",
              "N-FORMULA");
  look_at_choice(expect, in, got, want);
}

/// Where an input is 2^60, no product of it has digits left for what a small weight loses.
void look_at_a_huge_input(Expect& expect, const Searching::Arguments& in, const AwqChoice& got,
                          const AwqChoice& want) {
  expect.that(got.exponent != want.exponent || got.error != 0,
              "error is 0, though a weight has lost all it is: looks like a difference of two "
              "outputs, which are too large to show it; weights are subtracted first",
              "N-CANCEL");
  look_at_choice(expect, in, got, want);
}

TEST(awq_search, FindsTheLeast) {
  const auto inputs =
      searches(seed, {{4, 8, 6, 3, 8}, {6, 12, 20, 2, 12}, {8, 20, 30, 4, 20}, {5, 9, 7, 8, 9}});
  searching.agrees_with(choice_by_definition, inputs, look_at_choice);
  searching.gives({{"TiesToEven",
                    {{7, 0.5, 1.5, 1.5, -1.5, 0.25}, {1, 1, 1, 1, 1, 1}, 6, 4, 6},
                    {0, {1, 1, 1, 1, 1, 1}, 0.0625}}},
                  look_at_choice);
  searching.agrees_with(choice_by_definition, with_tiny_weights(inputs), look_at_tiny_errors);
  searching.gives({{"HugeInput", {{127, 0.25}, {0x1p60, 1}, 2, 8, 2}, {0, {1, 1}, 0.0625}},
                   {"HugeInputBehind", {{0.25, -127}, {1, 0x1p60}, 2, 8, 2}, {0, {1, 1}, 0.0625}}},
                  look_at_a_huge_input);
}

TEST(awq_search, OfEqualOnesTheLeast) {
  const std::string least = "of equal errors the least exponent is taken";
  searching.gives({{"Exact", {{3, -1, 2}, {2, 2, 2}, 3, 3, 3}, {0, {1, 1, 1}, 0}, least},
                   {"AllAlike", {{3, 1.25}, {1, -1, 1, 1}, 2, 3, 2}, {0, {1, 1}, 0.0625}, least}},
                  look_at_equal_ones);
}

/// Where one group holds more than any row has, a place beyond its end is more than 32 bits hold.
void look_at_a_huge_group(Expect& expect, const Searching::Arguments& in, const AwqChoice& got,
                          const AwqChoice& want) {
  expect.that(are_alike(got, want),
              "a group_size of 2^31 - 1 does not make each row one group: inputs + group_size is "
              "more than 32 bits hold",
              "N-OVERFLOW");
  look_at_choice(expect, in, got, want);
}

TEST(awq_search, EveryShape) {
  searching.agrees_with(choice_by_definition,
                        searches(seed, {{1, 1, 1, 2, 1},
                                        {1, 5, 1, 3, 2},
                                        {7, 6, 3, 3, 4},
                                        {3, 6, 4, 3, 1000},
                                        {3, 17, 9, 4, 16},
                                        {2, 10, 12, 2, 3}}),
                        look_at_choice);
  searching.gives(
      {{"HugeGroup", {{3, 1.25, 1.25, 3}, {1, -1, 1, 1}, 2, 3, INT_MAX}, {0, {1, 1}, 0.0625}}},
      look_at_a_huge_group);
}

TEST(awq_search, SmallInputs) {
  searching.gives({{"NoWeights", {{0, 0}, {1, 1}, 2, 3, 2}, {0, {1, 1}, 0}}}, look_at_equal_ones);
  for (const double factor : {0.0, 1e-6}) {  // below 1e-4 is what is not 0, too
    std::vector<Searching::Input> inputs =
        searches(seed, {{4, 8, 6, 3, 8}, {3, 6, 9, 4, 3}, {6, 12, 20, 2, 12}});
    for (Searching::Input& input : inputs) {
      const auto n = static_cast<std::size_t>(input.in.c);
      for (std::size_t at = 0; at < input.in.b.size(); at += n) input.in.b[at] *= factor;
    }
    searching.agrees_with(choice_by_definition, inputs, look_at_choice);
  }
}

TEST(awq_search, RefusesWhatIsNoLayer) {
  searching.refuses({{"Fine", {{3, 1}, {1, 1}, 2, 3, 2}, {0, {1, 1}, 0}}},
                    {{"", {{3, 1}, {1, 1}, 2, 1, 2}},
                     {"", {{3, 1}, {1, 1}, 2, 9, 2}},
                     {"", {{3, 1}, {1, 1}, 2, 3, 0}},
                     {"", {{3, 1}, {1, 1}, 0, 3, 2}},
                     {"N-SIZE", {{3, 1, 2}, {1, 1}, 2, 3, 2}},
                     {"N-SIZE", {{3, 1}, {1, 1, 1}, 2, 3, 2}},
                     {"N-SIZE", {{3, 1}, Doubles{}, 2, 3, 2}},
                     {"N-NAN", {{3, double{kNan}}, {1, 1}, 2, 3, 2}},
                     {"N-NAN", {{3, 1}, {1, double{kInfinity}}, 2, 3, 2}}},
                    look_at_choice);
}

// --- hadamard_transform -------------------------------------------------------------------------

using Transforming = Exercise<&hadamard_transform>;

/// From the numbers that are not 0: as many steps each as there are places.
Doubles transform_by_definition(const Doubles& x) {
  if (!std::has_single_bit(x.size())) throw std::invalid_argument("no power of two");
  Doubles y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; x[i] != 0 && j < x.size(); ++j) {
      y[j] += std::popcount(i & j) % 2 == 0 ? x[i] : -x[i];
    }
  }
  for (double& value : y) value /= std::sqrt(static_cast<double>(x.size()));
  return y;
}

const auto kSameTransform = [](Expect& expect, const Transforming::Arguments& in,
                               const Doubles& got, const Doubles& want) {
  const auto n = static_cast<double>(in.a.size());
  for (const double factor : {std::sqrt(n), 1 / std::sqrt(n)}) {
    if (n == 1) break;
    const Doubles longer = each_of(want, [=](double v) { return v * factor; });
    expect.that(
        !all_near(got, longer, factor_tolerance(largest(longer)).absolute) || largest(want) == 0,
        "the transform changes lengths: it is not divided by sqrt(n)", "N-SCALE");
  }
  expect_reals(expect, "y", got, want);
};

/// y of n numbers where the sign of term i, j is minus if is_minus(i & j, i, j).
template <class IsMinus>
Doubles transformed(const Doubles& x, const IsMinus& is_minus) {
  return each_of(x, [&](double, std::size_t j) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += is_minus(i & j, i, j) ? -x[i] : x[i];
    return sum / std::sqrt(static_cast<double>(x.size()));
  });
}

void suspect_transforms(Expect& expect, const Transforming::Arguments& in, const Doubles& right) {
  const std::size_t n = right.size();
  if (n > 1024) return;
  const auto suspect = [&](const char* words, const Doubles& y) {
    expect.suspect("N-FORMULA", "y", y, words);
  };
  const auto is_odd = [](std::size_t bits) { return std::popcount(bits) % 2 != 0; };
  const auto gray = [n](std::size_t j) {  // the row of j changes of sign
    std::size_t bits = j ^ j >> 1, turned = 0;
    for (std::size_t bit = 1; bit < n; bit *= 2, bits /= 2) turned = 2 * turned + bits % 2;
    return turned;
  };
  suspect(
      "a difference is the second less the first: it is the first less the second",
      transformed(in.a, [&](std::size_t, std::size_t i, std::size_t j) { return is_odd(~i & j); }));
  suspect("two sums, and no difference", transformed(in.a, [](auto...) { return false; }));
  suspect("any common one makes a minus: an odd number of them does",
          transformed(in.a, [](std::size_t both, auto, auto) { return both != 0; }));
  suspect("rows are in the order of their changes of sign: they are in that of i & j",
          transformed(in.a, [&](std::size_t, std::size_t i, std::size_t j) {
            return is_odd(i & gray(j));
          }));
  Doubles rounds = in.a, first, all_but_one, late = in.a;
  for (std::size_t bit = 1; bit < n; bit *= 2) {
    all_but_one = rounds;
    for (std::size_t i = 0; i < n; ++i) {
      if ((i & bit) != 0) continue;
      const double a = rounds[i], b = rounds[i | bit];
      rounds[i] = a + b, rounds[i | bit] = a - b;
      late[i] += late[i | bit];
      late[i | bit] = late[i] - late[i | bit];
    }
    if (bit == 1) first = rounds;
  }
  const double root = std::sqrt(static_cast<double>(n));
  const auto divided = [&](const Doubles& y) {
    return each_of(y, [root](double v) { return v / root; });
  };
  suspect("a sum is written before the difference has read its place", divided(late));
  if (n > 2) {
    suspect("neighbours meet, and nobody else: a round for every bit is due", divided(first));
    suspect("the last round is missing: n numbers take log2(n)", divided(all_but_one));
  }
}

const Transforming transforming{{"x"}, {"y"}, suspect_transforms};

TEST(hadamard_transform, FollowsTheFormula) {
  transforming.gives(
      {{"One", {{7}}, {7}},
       {"Eight",
        {{1, 2, 3, 6, 0, -4, 8, 5}},
        each_of(Doubles{21, 3, -23, 3, 3, -11, 11, 1}, [](double v) { return v / std::sqrt(8); })},
       {"Outlier", {{8, 0, 0, 0}}, {4, 4, 4, 4}},
       {"Second", {{0, 8, 0, 0}}, {4, -4, 4, -4}},
       {"Third", {{0, 0, 8, 0}}, {4, 4, -4, -4}},
       {"Last",
        {{0, 0, 0, 8}},
        {4, -4, -4, 4},
        "3 & 3 has two ones, which is an even number, and a plus"},
       {"Four", {{1, 2, 3, 6}}, {6, -2, -3, 1}}},
      kSameTransform);
}

/// A list of few numbers that are not 0, at places with many bits.
Doubles sparse(std::size_t n, std::uint64_t seed) {
  Doubles x(n);
  const auto places = code_tensor<std::int32_t>(5, seed, 0, static_cast<int>(n) - 1);
  for (const std::int32_t place : places) x[static_cast<std::size_t>(place)] += 1 + place % 3;
  x.back() -= 2;
  return x;
}

TEST(hadamard_transform, AnyPowerOfTwo) {
  std::vector<Transforming::Input> inputs;
  for (const std::size_t n : {2, 8, 64, 1024, 1 << 14, 1 << 18}) {
    inputs.push_back({std::to_string(n), {sparse(n, seed(n))}});
  }
  transforming.agrees_with([](const auto& in) { return transform_by_definition(in.a); }, inputs,
                           kSameTransform);
}

TEST(hadamard_transform, IsItsOwnInverse) {
  std::vector<Transforming::Input> inputs;
  for (const std::size_t n : {4, 32, 512}) {
    inputs.push_back({std::to_string(n), {normals(n, seed(n))}});
  }
  transforming.on_each(inputs, [](Expect& expect, const Transforming::Arguments& in) {
    const Doubles once = transforming(in);
    expect_reals(expect, "y", once, transform_by_definition(in.a));
    if (!expect.failure()) expect_reals(expect, "y of y", transforming({once}), in.a);
  });
}

TEST(hadamard_transform, RefusesOtherSizes) {
  transforming.refuses({{"Fine", {{8, 0, 0, 0}}, {4, 4, 4, 4}}},
                       {{"", {Doubles{}}},
                        {"", {{1, 2, 3}}},
                        {"", {{1, 2, 3, 4, 5, 6}}},
                        {"N-NAN", {{1, double{kNan}}}},
                        {"N-NAN", {{double{kInfinity}, 1}}}},
                       kSameTransform);
}

// --- rotate_rows --------------------------------------------------------------------------------

using Rotating = Exercise<&rotate_rows>;

Doubles rotated(const Doubles& a, const std::vector<std::int32_t>& signs) {
  Doubles all;
  const std::size_t n = signs.size();
  if (n == 0 || a.empty() || a.size() % n != 0) throw std::invalid_argument("no rows");
  for (std::size_t r = 0; r < a.size() / n; ++r) {
    const Doubles turned = transform_by_definition(
        each_of(row_of(a, n, r), [&](double v, std::size_t i) { return signs[i] * v; }));
    all.insert(all.end(), turned.begin(), turned.end());
  }
  return all;
}

const auto kSameRows = [](Expect& expect, const Rotating::Arguments& in, const Doubles& got,
                          const Doubles& want) {
  expect_reals(expect, "rotated", got, want, {want.size() / in.b.size(), in.b.size()});
};

void suspect_rotations(Expect& expect, const Rotating::Arguments& in, const Doubles&) {
  const auto& [a, signs] = in;
  const std::size_t n = signs.size();
  const auto ones = [](std::size_t count) { return std::vector<std::int32_t>(count, 1); };
  const auto suspect = [&](const char* code, const char* words, const Doubles& values) {
    expect.suspect(code, "rotated", values, words);
  };
  const Doubles unsigned_rows = rotated(a, ones(n));
  suspect("N-ORDER", "signs are changed behind the transform: they are before it",
          each_of(unsigned_rows, [&](double v, std::size_t at) { return v * signs[at % n]; }));
  suspect("N-FORMULA", "no sign is changed", unsigned_rows);
  suspect("N-AXIS", "a row has one sign: each place of it has its own",
          rotated(each_of(a, [&](double v, std::size_t at) { return v * signs[at / n % n]; }),
                  ones(n)));
  suspect("N-AXIS", "every number has the first sign: place i has signs[i]",
          each_of(unsigned_rows, [&](double v) { return v * signs[0]; }));
  suspect("N-FORMULA", "signs are changed, and nothing is transformed",
          each_of(a, [&](double v, std::size_t at) { return v * signs[at % n]; }));
}

const Rotating rotating{{"a", "signs"}, {"rotated"}, suspect_rotations};

TEST(rotate_rows, SignsThenTransform) {
  rotating.gives({{"Two", {{3, 1}, {-1, 1}}, {-std::sqrt(2), -std::sqrt(8)}},
                  {"Rows",
                   {{8, 0, 0, 0, 0, 8, 0, 0, 1, 2, 3, 6}, {-1, 1, 1, 1}},
                   {-4, -4, -4, -4, 4, -4, 4, -4, 5, -3, -4, 0},
                   "each row is transformed by itself"},
                  {"One", {{5, 7}, {-1}}, {-5, -7}, "1 is a power of two"}},
                 kSameRows);
}

std::vector<std::int32_t> some_signs(std::size_t n, std::uint64_t seed) {
  return each_of(code_tensor<std::int32_t>(n, seed, 0, 1),
                 [](std::int32_t v) { return 2 * v - 1; });
}

std::vector<Rotating::Input> rotations(Seed seed_of, const std::vector<std::size_t>& sizes) {
  return each_of(sizes, [&](std::size_t n) -> Rotating::Input {
    return {std::to_string(n), {normals(n * (n + 1), seed_of(n)), some_signs(n, seed_of(n + 1))}};
  });
}

TEST(rotate_rows, KeepsProducts) {
  std::vector<Rotating::Input> inputs = rotations(seed, {1, 4, 16, 32});
  constexpr std::size_t kLong = 1 << 17;
  inputs.push_back({"one long row", {sparse(kLong, seed(7)), some_signs(kLong, seed(8))}});
  rotating.on_each(inputs, [](Expect& expect, const Rotating::Arguments& in) {
    const Doubles want = rotated(in.a, in.b), got = rotating(in);
    kSameRows(expect, in, got, want);
    if (expect.failure()) return;
    const std::size_t n = in.b.size();
    Doubles before, after;
    for (std::size_t r = 0; r < got.size() / n; ++r) {
      double one = 0, other = 0;
      for (std::size_t i = 0; i < n; ++i) {
        one += in.a[i] * in.a[r * n + i];
        other += got[i] * got[r * n + i];
      }
      before.push_back(one), after.push_back(other);
    }
    expect_reals(expect, "products with the first row", after, before);
  });
}

TEST(rotate_rows, RefusesWhatIsNoSign) {
  rotating.refuses({{"Fine", {{8, 0, 0, 0}, {1, 1, 1, 1}}, {4, 4, 4, 4}}},
                   {{"", {{8, 0}, {1, 0}}},
                    {"", {{8, 0}, {2, 1}}},
                    {"N-SIZE", {{8, 0, 0}, {1, 1}}},
                    {"N-SIZE", {{1, 2, 3}, {1, 1, 1}}},
                    {"N-SIZE", {{1}, std::vector<std::int32_t>{}}},
                    {"N-SIZE", {Doubles{}, {1, 1}}},
                    {"N-NAN", {{double{kNan}, 1}, {1, 1}}}},
                   kSameRows);
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt.

TEST(smoothing_scales, EqualsTheReference) {
  smoothing.agrees_with(smoothing.reference, smoothings(hidden_seed, {3, 9, 20}), kSameScales);
  tames_nets({3, 4000, 5}, hidden_seed(99), kSmoothed);
}

const std::vector<Sizes> kHiddenSizes = {{3, 5, 4}, {9, 2, 6}, {4, 3, 40}, {10, 24, 11}};

TEST(migrate_scales, EqualsTheReference) {
  migrating.agrees_with(migrating.reference, migrations(hidden_seed, kHiddenSizes), kSameLayers);
  tames_nets({3, 4000, 5}, hidden_seed(99), kMigrated);
}

TEST(equalize_layers, EqualsTheReference) {
  equalizing.agrees_with(equalizing.reference, equalizations(hidden_seed, kHiddenSizes),
                         kEqualLayers);
  tames_nets({3, 4000, 5}, hidden_seed(99), kLevelled);
}

TEST(awq_search, EqualsTheReference) {
  searching.agrees_with(
      searching.reference,
      searches(hidden_seed, {{3, 11, 5, 3, 4}, {9, 24, 40, 4, 24}, {4, 15, 8, 2, 7}}),
      look_at_choice);
}

TEST(hadamard_transform, EqualsTheReference) {
  std::vector<Transforming::Input> inputs;
  for (const std::size_t n : {16, 128, 4096, 1 << 17}) {
    inputs.push_back({std::to_string(n), {normals(n, hidden_seed(n))}});
  }
  transforming.agrees_with(transforming.reference, inputs, kSameTransform);
}

TEST(rotate_rows, EqualsTheReference) {
  rotating.agrees_with(rotating.reference, rotations(hidden_seed, {2, 8, 64}), kSameRows);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
