// Lab 31, train_qat: what is right, and what people write instead.
#pragma once

#include "qat.hpp"

#include "checks/31_qat/observe_scales.hpp"
#include "checks/31_qat/values.hpp"
#include "judge/exercise.hpp"
#include "judge/reals.hpp"
#include "nibble/net/glyphs.hpp"
#include "nibble/net/train.hpp"

namespace nibble::judge::lab_31_qat {

/// Signs of 7 x 7 pixels.
struct Signs {
  Doubles x;
  std::vector<std::uint8_t> labels;
};

inline Images small_glyphs(std::size_t count, std::uint64_t seed) {
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

inline Signs signs_of(const Images& images) {
  const std::vector<float> x = as_floats(images, 0, images.size());
  return {{x.begin(), x.end()}, images.labels};
}

/// The share of signs that a network names, in points.
inline double points_of(const QatNet& net, const Signs& signs) {
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

inline Course course_of(Seed seed_of, std::size_t nets) {
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
inline QatNet rounded(const Mlp& net, const Signs& signs, int input_bits, bool start) {
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
inline double trained(Expect& expect, const Course& course, const Mlp& net, int input_bits,
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

inline std::string text(double points) { return std::to_string(std::lround(points)); }

/// Means over the networks: of 20 alone, the least gains were 43 and 17 points.
inline void beats_rounding(Expect& expect, const Course& course) {
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
inline void learns_scales(Expect& expect, const Course& course) {
  double observed = 0, learned = 0;
  for (const Mlp& net : course.nets) {
    const auto share = static_cast<double>(course.nets.size());
    observed += trained(expect, course, net, 2, false) / share;
    learned += trained(expect, course, net, 2, true) / share;
  }
  expect.that(learned >= observed,
              "W2A2: scales observed " + text(observed) + " %, learned " + text(learned) + " %");
}

}  // namespace nibble::judge::lab_31_qat
