// Lab 09, fake_quantize_backward: what is right, and what people write instead.
#pragma once

#include "fake_quant.hpp"

#include "checks/09_fake_quant/inside_and_outside.hpp"
#include "judge/exercise.hpp"
#include "judge/mix.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_09_fake_quant {

using Back = Exercise<&fake_quantize_backward>;

inline Reals masked(const Back::Arguments& in, const Way& way = {}) {
  expect_pairs(in);
  Reals gradient;
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    gradient.push_back(side_of(in.a[i], in.c, way) == 0 ? in.b[i] : 0.0f);
  }
  return gradient;
}

/// Ends that are asked for on one side alone, or half a step too far out.
inline void suspect_one_side(Expect& expect, const Back::Arguments& in, const Reals& right) {
  const auto& [x, upstream, grid] = in;
  const auto looks = [&, &x = x, &upstream = upstream, &grid = grid](const char* words,
                                                                     const auto& passes) {
    Reals wrong;
    for (std::size_t i = 0; i < x.size(); ++i) {
      wrong.push_back(passes(x[i], side_of(x[i], grid)) ? upstream[i] : 0.0f);
    }
    if (wrong != right) expect.suspect("N-MASK", "gradient", wrong, words);
  };
  looks("what is below passes: it is clamped, too", [](float, int side) { return side <= 0; });
  looks("what is above passes: it is clamped, too", [](float, int side) { return side >= 0; });
  looks("real ends are compared with x: round(x / scale) + zero_point is, with qmin and qmax",
        [&grid = grid](float value, int) {
          return grid.scale * static_cast<float>(grid.qmin - grid.zero_point) <= value &&
                 value <= grid.scale * static_cast<float>(grid.qmax - grid.zero_point);
        });
}

inline void suspect_masks(Expect& expect, const Back::Arguments& in, const Reals& right) {
  const auto& [x, upstream, grid] = in;
  Reals ones, by_scale, of_codes;
  for (const float value : right) {
    ones.push_back(value == 0 ? 0.0f : 1.0f);
    by_scale.push_back(value * grid.scale);
    of_codes.push_back(value / grid.scale);
  }
  const auto looks = [&](const char* code, const char* words, const Reals& wrong) {
    if (wrong != right) expect.suspect(code, "gradient", wrong, words);
  };
  looks("N-MASK", "upstream passes below and above: the gradient is 0 there", upstream);
  looks("N-FORMULA", "the slope is returned: the gradient is upstream times the slope", ones);
  looks("N-SCALE", "upstream is multiplied by the scale: it passes as it is", by_scale);
  looks("N-SCALE", "upstream is divided by the scale: it passes as it is", of_codes);
  for (const auto& [code, way, words] : wrong_ways()) looks(code, words, masked(in, way));
  looks("N-STE", "round() has the slope 0: it is treated as if it changed nothing",
        Reals(x.size()));
  suspect_one_side(expect, in, right);
  for (const std::size_t block : {x.size(), std::size_t{2}, std::size_t{4}, std::size_t{8}}) {
    if (x.size() < 2) continue;
    Reals lost = right;
    const std::size_t whole = block == x.size() ? block - 1 : x.size() / block * block;
    std::fill(lost.begin() + static_cast<std::ptrdiff_t>(whole), lost.end(), 0.0f);
    if (lost != right) expect.suspect("N-TAIL", "gradient", lost, "the last values are left out");
  }
}

inline const Back back{
    {"x", "upstream", "scale", "zero_point", "qmin", "qmax"}, {"gradient"}, suspect_masks};

/// A grid of `bits` bits, with a sign or without, that covers most of a normal tensor.
inline Grid some_grid(int bits, std::uint64_t which) {
  const bool has_sign = mix(which, 1) % 2 == 0;
  const auto [qmin, qmax] = has_sign ? signed_range(bits) : unsigned_range(bits);
  const auto zero = static_cast<std::int32_t>(mix(which, 2) % static_cast<unsigned>(1 << bits));
  const float scale =
      3.0f / static_cast<float>(1 << bits) * static_cast<float>(1 + mix(which, 3) % 1000) / 1000.0f;
  return {scale, qmin + zero, qmin, qmax};
}

template <class Input>
std::vector<Input> tensors(Seed seed_of, std::size_t longest) {
  std::vector<Input> inputs;
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{33}, longest}) {
    for (int bits = 2; bits <= 8; ++bits) {
      const std::uint64_t which = seed_of(count * 16 + static_cast<std::size_t>(bits));
      inputs.push_back(
          {std::to_string(count) + " values, " + std::to_string(bits) + " bits",
           {normal_tensor(count, which), normal_tensor(count, which + 1), some_grid(bits, which)}});
    }
  }
  return inputs;
}

template <class Refused>
std::vector<Refused> no_slopes() {
  const Grid good{1, 0, -4, 3};
  std::vector<Refused> refused{
      {"N-SIZE", {{1, 2}, {1}, good}},
      {"N-SIZE", {{1}, {1, 2}, good}},
      {"N-SIZE", {{}, {1}, good}},
      {"N-DIV0", {{1}, {1}, {0, 0, -4, 3}}},
      {"N-DIV0", {{}, {}, {0, 0, -4, 3}}},
      {"N-DIV0", {{1}, {1}, {FLT_MIN / 2, 0, -4, 3}}},
      {"N-SCALE", {{1}, {1}, {-1, 0, -4, 3}}},
      {"N-NAN", {{1}, {1}, {kInfinity, 0, -4, 3}}},
      {"N-NAN", {{1}, {1}, {kNan, 0, -4, 3}}},
      {"N-RANGE", {{1}, {1}, {1, 0, -32769, 3}}},
      {"N-RANGE", {{1}, {1}, {1, 0, -4, 65536}}},
      {"N-RANGE", {{1}, {1}, {1, 0, -4, 0}}},
      {"N-RANGE", {{1}, {1}, {1, 3, 3, 3}}},
      {"N-RANGE", {{1}, {1}, {1, -5, -4, 3}}},
      {"N-RANGE", {{1}, {1}, {1, 4, -4, 3}}},
  };
  for (const float value : {kNan, kInfinity, -kInfinity}) {
    refused.push_back({"N-NAN", {{value}, {1}, good}});
    refused.push_back({"N-NAN", {{1}, {value}, good}});
    refused.push_back({"N-NAN", {{1, 2, value}, {1, 2, 3}, good}});
    refused.push_back({"N-NAN", {{1, 2, 9}, {1, 2, value}, good}});  // it would not pass
  }
  return refused;
}

}  // namespace nibble::judge::lab_09_fake_quant
