// Lab 30, layer_sensitivity: the checks.
#include "checks/30_mixed_precision/layer_sensitivity.hpp"

namespace nibble::judge::lab_30_mixed_precision {
namespace {

Doubles sensitivity_by_definition(const Sensing::Arguments& in) {
  expects_network(in.a);
  rows_of(in.b, in.a.sizes[0]);
  Doubles errors;
  for (std::size_t l = 0; l + 1 < in.a.sizes.size(); ++l) {
    errors.push_back(mean_square(forward(rounded(in.a, l, l, in.c), in.b), forward(in.a, in.b)));
  }
  return errors;
}

TEST(layer_sensitivity, OneLayerAtATime) {
  sensing.gives({{"One", {Network{{2, 1}, {3, 1.25}}, {1, 2}, 3}, {0.25}},
                 {"Two", {Network{{2, 1, 1}, {3, 1.25, 2}}, {1, 2, 1, 2}, 3}, {1, 0}},
                 {"Wide",
                  {Network{{1, 2, 2}, {1, 2, 3, 1.25, 1.75, 3}}, {1}, 3},
                  {0, (0.5 * 0.5 + 0.25 * 0.25) / 2}},
                 {"BehindReLU", {Network{{1, 2, 1}, {1, -2, 3, 1.25}}, {1}, 3}, {0, 0}},
                 {"SmallBesideOutputs",
                  {Network{{2, 1}, {127, 0.3}}, {1000.1, 1}, 8},
                  {0.3 * 0.3},
                  "outputs are subtracted before they are squared: squares of large ones cancel"}},
                kSameErrors);
}

TEST(layer_sensitivity, RoundsRows) {
  sensing.gives({{"Rows", {Network{{2, 2}, {3, 1.25, 6, 1.5}}, {1, 1}, 3}, {(0.0625 + 0.25) / 2}},
                 {"Zeros",
                  {Network{{2, 2}, {0, 0, 6, 2}}, {1, 1}, 3},
                  {0},
                  "a row of zeros has the scale 1: 0 / 0 is a NaN"},
                 {"Ties", {Network{{3, 1}, {3, 0.5, 1.5}}, {0, 1, 1}, 3}, {0}},
                 {"Tiny",
                  {Network{{2, 1}, {0x3p-1000, 0x1.4p-1000}}, {0x1p1000, 0x1p1001}, 3},
                  {0.25},
                  kTinyIsNoZero}},
                kSameErrors);
}

TEST(layer_sensitivity, AnyNetwork) {
  sensing.agrees_with(sensitivity_by_definition,
                      networks(seed, {{1, 1}, {5, 3}, {4, 6, 2}, {3, 8, 5, 4, 2}}), kSameErrors);
}

TEST(layer_sensitivity, RefusesWhatIsNoNetwork) {
  const Network fine{{2, 1}, {3, 1.25}};
  sensing.refuses({{"Fine", {fine, {1, 2}, 3}, {0.25}}},
                  {{"", {fine, {1, 2}, 1}},
                   {"", {fine, {1, 2}, 9}},
                   {"", {Network{{2}, {}}, {1, 2}, 3}},
                   {"", {Network{{2, 0}, {}}, {1, 2}, 3}},
                   {"N-SIZE", {Network{{2, 1}, {3}}, {1, 2}, 3}},
                   {"N-SIZE", {fine, {1, 2, 3}, 3}},
                   {"N-SIZE", {fine, Doubles{}, 3}},
                   {"N-NAN", {fine, {1, double{kNan}}, 3}},
                   {"N-NAN", {Network{{2, 1}, {3, double{kInfinity}}}, {1, 2}, 3}}},
                  kSameErrors);
}

}  // namespace
}  // namespace nibble::judge::lab_30_mixed_precision
