// How nets learn, and are looked at.
#include "judge/learnt_net.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "judge/cases.hpp"
#include "judge/mix.hpp"
#include "judge/run.hpp"
#include "nibble/net/glyphs.hpp"
#include "nibble/net/train.hpp"

namespace nibble::judge {
namespace {

/// At half their size: the mean of two by two pixels.
Images halved(const Images& images) {
  Images half{images.rows / 2, images.columns / 2, {}, images.labels};
  const auto wide = static_cast<std::size_t>(images.columns);
  for (std::size_t n = 0; n < images.size(); ++n) {
    const auto from = images.image(n);
    for (std::size_t at = 0; at < half.pixels_each(); ++at) {
      const std::size_t corner = at / (wide / 2) * 2 * wide + at % (wide / 2) * 2;
      const int sum =
          from[corner] + from[corner + 1] + from[corner + wide] + from[corner + wide + 1];
      half.pixels.push_back(static_cast<std::uint8_t>(sum / 4));
    }
  }
  return half;
}

/// The nearest numbers that have one of 255 codes, with one scale for all.
void round_to_int8(std::span<float> values) {
  float most = 0;
  for (const float v : values) most = std::max(most, std::fabs(v));
  const float scale = most == 0 ? 1 : most / 127;
  for (float& v : values) v = scale * std::nearbyint(v / scale);
}

/// The same function, where `count` channels behind the first layer, those with the largest values
/// for x, are 2^8 times as large as they were.
Mlp with_outliers(Mlp net, const Reals& x, std::size_t count) {
  Linear &first = net.layers[0], &second = net.layers[1];
  const std::size_t middle = first.outputs;
  const Reals values = forward_all(net, x)[1];
  Reals most(middle);
  for (std::size_t at = 0; at < values.size(); ++at) {
    most[at % middle] = std::max(most[at % middle], values[at]);
  }
  std::vector<std::size_t> channels(middle);
  std::iota(channels.begin(), channels.end(), std::size_t{0});
  std::ranges::stable_sort(channels,
                           [&](std::size_t a, std::size_t b) { return most[a] > most[b]; });
  channels.resize(count);
  for (const std::size_t m : channels) {
    for (std::size_t i = 0; i < first.inputs; ++i) first.weight[m * first.inputs + i] *= 0x1p8f;
    first.bias[m] *= 0x1p8f;
    for (std::size_t o = 0; o < second.outputs; ++o) second.weight[o * middle + m] *= 0x1p-8f;
  }
  return net;
}

const LearntNet& learnt(const Lesson& lesson, std::uint64_t seed, std::size_t unseen) {
  static std::map<std::tuple<Lesson, std::uint64_t, std::size_t>, LearntNet> nets;
  const std::tuple key(lesson, seed, unseen);
  const auto found = nets.find(key);
  if (found != nets.end()) return found->second;
  const Images images = halved(make_glyphs(lesson.images, mix(seed, 1)));
  LearntNet one{untrained(lesson.sizes, mix(seed, 2)),
                halved(make_glyphs(unseen, mix(seed, 4))),
                as_floats(images, 0, 200),
                {},
                0};
  train(one.net, images, {.epochs = lesson.epochs, .seed = mix(seed, 3)});
  one.x = as_floats(one.unseen, 0, unseen);
  if (lesson.outliers > 0) one.net = with_outliers(one.net, one.seen_x, lesson.outliers);
  one.right_in_float = one.right(forward(one.net, one.x));
  Expect::healthy(one.right_in_float * 10 > unseen * 6, "the net has not learnt");
  Expect::healthy(lesson.outliers == 0 ||
                      one.right(forward_in_int8(one.net, one.x)) + unseen / 5 < one.right_in_float,
                  "plain W8A8 loses 20 points at most");
  return nets.emplace(key, std::move(one)).first->second;
}

}  // namespace

std::size_t LearntNet::right(const Reals& scores) const {
  std::size_t count = 0;
  const std::vector<int> found = classes(scores);
  for (std::size_t i = 0; i < found.size(); ++i) count += found[i] == unseen.labels[i] ? 1 : 0;
  return count;
}

Reals linear_in_int8(Linear layer, Reals x) {
  round_to_int8(x);
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    round_to_int8(std::span(layer.weight).subspan(o * layer.inputs, layer.inputs));
  }
  return linear(layer, x);
}

Reals forward_in_int8(const Mlp& net, Reals x) {
  for (std::size_t l = 0; l < net.layers.size(); ++l) {
    if (l > 0) relu(x);
    x = linear_in_int8(net.layers[l], x);
  }
  return x;
}

void keeps_nets(const Lesson& lesson, const Exam& asked, std::uint64_t seed,
                const std::function<Reals(const LearntNet&)>& run) {
  // Few images say little of the answers, and all that the sanitizers look for. 10 of 500 are seven
  // standard deviations.
  const Exam exam = this_run().sanitized ? Exam{1, asked.images / 4, 20} : asked;
  once([&](Expect& expect) {
    std::size_t right_in_float = 0, right = 0;
    for (std::size_t k = 0; k < exam.nets; ++k) {
      const LearntNet& one = learnt(lesson, mix(seed, k), exam.images);
      const Reals scores = run(one);
      expect.equal("number of scores", scores.size(), 10 * one.unseen.size());
      if (expect.failure()) return;
      right_in_float += one.right_in_float;
      right += one.right(scores);
    }
    const std::size_t images = exam.nets * exam.images, allowed = images * exam.fewer / 1000;
    expect.that(right + allowed >= right_in_float,
                "of " + std::to_string(images) + " images that were never seen " +
                    std::to_string(right) + " are right, in float " +
                    std::to_string(right_in_float) + ": " + std::to_string(allowed) +
                    " fewer are allowed");
  });
}

}  // namespace nibble::judge
