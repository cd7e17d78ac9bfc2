// Lab 32, gptq_quantize: what is right, and what people write instead.
#pragma once

#include "gptq.hpp"

#include "checks/32_gptq/activation_order.hpp"
#include "checks/32_gptq/gptq_row.hpp"
#include "checks/32_gptq/input_hessian.hpp"
#include "checks/32_gptq/inverse_cholesky.hpp"
#include "checks/32_gptq/values.hpp"
#include "judge/exercise.hpp"
#include "judge/reals.hpp"
#include "judge/rows.hpp"

namespace nibble::judge::lab_32_gptq {

using Quantizing = Exercise<&gptq_quantize>;

struct Worked {
  GptqMatrix right;
  std::vector<std::int8_t> not_put_back;
  std::vector<std::int32_t> groups_not_put_back;
};

/// Ways that have a name.
enum class Way { kRight, kOldH, kDeadCount, kRounds, kTurned, kLateMove };

inline Worked worked(const Quantizing::Arguments& in, Way way = Way::kRight) {
  const auto& [w, x, inputs, options] = in;
  const std::size_t n = static_cast<std::size_t>(inputs), outputs = rows_of(w, inputs);
  const Doubles h = hessian_by_definition(x, inputs, options.damping);
  std::vector<std::int32_t> order = order_by_definition(h, inputs);
  if (!options.by_activation) std::ranges::sort(order);
  if (options.by_activation && way == Way::kTurned) std::ranges::reverse(order);
  const auto at = [&](std::size_t k) { return static_cast<std::size_t>(order[k]); };
  const auto moved = [&](const Doubles& of) {
    return each_of(of, [&](double, std::size_t i) { return of[at(i / n) * n + at(i % n)]; });
  };
  const Doubles u = way == Way::kOldH       ? factor_by_definition(h, inputs)
                    : way == Way::kRounds   ? factor(n)
                    : way == Way::kLateMove ? moved(factor_by_definition(h, inputs))
                                            : factor_by_definition(moved(h), inputs);
  Worked all{{std::vector<std::int8_t>(w.size()), {}, std::vector<std::int32_t>(n)}, {}, {}};
  for (std::size_t o = 0; o < outputs; ++o) {
    Doubles row;
    for (std::size_t k = 0; k < n; ++k) {
      bool alive = way == Way::kDeadCount;
      for (std::size_t s = at(k); s < x.size(); s += n) alive = alive || x[s] != 0;
      row.push_back(alive ? w[o * n + at(k)] : 0);
    }
    const QuantizedRow done = row_by_definition(row, u, options.num_bits, options.group_size);
    all.right.scales.insert(all.right.scales.end(), done.scales.begin(), done.scales.end());
    all.not_put_back.insert(all.not_put_back.end(), done.q.begin(), done.q.end());
    for (std::size_t k = 0; k < n; ++k) all.right.q[o * n + at(k)] = done.q[k];
  }
  for (std::size_t k = 0; k < n; ++k) {
    const auto group = static_cast<std::int32_t>(k) / options.group_size;
    all.right.group[at(k)] = group;
    all.groups_not_put_back.push_back(group);
  }
  return all;
}

inline void suspect_layers(Expect& expect, const Quantizing::Arguments& in,
                           const GptqMatrix& right) {
  const Worked all = worked(in);
  const std::size_t n = right.group.size();
  expect.suspect("N-DIV0", "scales", worked(in, Way::kDeadCount).right.scales,
                 "weights of dead inputs are in a scale: they are 0 before the row is quantized");
  expect.suspect("N-LAYOUT", "scales",
                 each_of(right.scales,
                         [&](double, std::size_t i) {
                           const std::size_t outputs = rows_of(in.a, in.c),
                                             groups = right.scales.size() / outputs;
                           return right.scales[i % outputs * groups + i / outputs];
                         }),
                 "scales are [groups, outputs]: they are [outputs, groups]");
  if (rows_of(in.a, in.c) > 1) {
    expect.suspect("N-FORMULA", "q",
                   each_of(right.q, [&](int, std::size_t i) { return int{right.q[i % n]}; }),
                   "every row has the codes of the first");
    const std::size_t groups = right.scales.size() / rows_of(in.a, in.c);
    expect.suspect(
        "N-FORMULA", "scales",
        each_of(right.scales, [&](double, std::size_t i) { return right.scales[i % groups]; }),
        "every row has the scales of the first");
  }
  expect.suspect("N-LAYOUT", "group",
                 each_of(right.group,
                         [&](int, std::size_t i) {
                           const std::int32_t input = order_by_definition(
                               hessian_by_definition(in.b, in.c, in.d.damping), in.c)[i];
                           return input / in.d.group_size;
                         }),
                 "group[k] is order[k] / group_size: group[order[k]] is k / group_size");
  expect.suspect("N-LAYOUT", "q", all.not_put_back);
  expect.suspect("N-LAYOUT", "group", all.groups_not_put_back);
}

inline bool are_alike(const GptqMatrix& a, const GptqMatrix& b) {
  return a.group == b.group && are_alike(QuantizedRow{a.q, a.scales}, QuantizedRow{b.q, b.scales});
}

/// Says which way gives this answer, where one does and no other.
inline void name_the_way(Expect& expect, const Quantizing::Arguments& in, const GptqMatrix& got,
                         const GptqMatrix& want) {
  if (are_alike(got, want)) return;
  auto undamped = in, other_order = in;
  undamped.d.damping = 0;
  other_order.d.by_activation = !in.d.by_activation;
  std::vector<NamedSlip> found;
  const auto ask = [&](const char* code, const char* words, const auto& in, Way way) {
    try {
      const GptqMatrix other = worked(in, way).right;
      if (are_alike(got, other) && !are_alike(other, want)) found.push_back({{}, code, words});
    } catch (const std::invalid_argument&) {  // without damping, h may have no inverse
    }
  };
  ask("N-LAYOUT",
      "codes are those of an h that was not moved: its rows and columns change places as those of "
      "w do",
      in, Way::kOldH);
  ask("N-LAYOUT", "u is moved: h is, and u is made of what it has become", in, Way::kLateMove);
  ask("N-LAYOUT", "columns are done from the smallest h[i,i] to the largest", in, Way::kTurned);
  ask("N-FORMULA", "each weight is rounded by itself: no error is handed on", in, Way::kRounds);
  ask("N-FORMULA", "h is not damped: options.damping is that of input_hessian", undamped,
      Way::kRight);
  ask("N-LAYOUT",
      in.d.by_activation ? "columns are done as they stand: by_activation was asked for"
                         : "columns are done by activation: that was not asked for",
      other_order, Way::kRight);
  if (found.size() == 1) expect.that(false, found[0].words, found[0].code);
}

inline const auto kSameLayer = [](Expect& expect, const Quantizing::Arguments& in,
                                  const GptqMatrix& got, const GptqMatrix& want) {
  const std::size_t outputs = rows_of(in.a, in.c);
  name_the_way(expect, in, got, want);
  expect.equal("group", got.group, want.group);
  expect_reals(expect, "scales", got.scales, want.scales, {outputs, want.scales.size() / outputs});
  expect.equal("q", got.q, want.q, {outputs, want.group.size()});
};

inline const Quantizing quantizing{
    {"w", "x", "inputs", "num_bits", "group_size", "damping", "by_activation"},
    {"q", "scales", "group"},
    suspect_layers};

struct LayerSize {
  std::size_t outputs, n, samples;
};

/// Inputs of very different sizes, in no order.
inline std::vector<Quantizing::Input> layers(Seed seed_of, const std::vector<LayerSize>& sizes,
                                             bool by_activation) {
  return each_of(sizes, [&](const LayerSize& size, std::size_t at) -> Quantizing::Input {
    Doubles x = correlated(size.samples, size.n, seed_of(at));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= 1 + static_cast<double>(i % size.n * 7 % 5);
    const GptqOptions options{at % 2 == 0 ? 3 : 4, at % 3 == 0 ? 1000 : 4, 0.03125, by_activation};
    return {size_text(size.outputs, size.n),
            {normals(size.outputs * size.n, seed_of(at + 50)), x, static_cast<std::int32_t>(size.n),
             options}};
  });
}

inline double squared_error(const Doubles& w, const Doubles& w_hat, const Doubles& x,
                            std::size_t n) {
  double sum = 0;
  for (std::size_t s = 0; s < x.size(); s += n) {
    for (std::size_t o = 0; o < w.size(); o += n) {
      double off = 0;
      for (std::size_t i = 0; i < n; ++i) off += x[s + i] * (w[o + i] - w_hat[o + i]);
      sum += off * off;
    }
  }
  return sum;
}

// Half of what rounding loses and a tenth more; on such inputs it is a third at most, on all seeds.
inline void beats_rounding(Seed seed_of, std::uint64_t layers) {
  constexpr std::size_t kInputs = 64, kOutputs = 8;
  std::vector<Quantizing::Input> inputs;
  for (std::uint64_t i = 0; i < layers; ++i) {
    const GptqOptions options{i % 2 == 0 ? 2 : 3, 64, 0.01, false};
    inputs.push_back({"Layer" + std::to_string(i),
                      {normals(kOutputs * kInputs, seed_of(i)),
                       correlated(256, kInputs, seed_of(i + 9)), kInputs, options}});
  }
  quantizing.on_each(inputs, [](Expect& expect, const Quantizing::Arguments& in) {
    const GptqMatrix got = quantizing(in);
    const std::size_t outputs = rows_of(in.a, in.c), n = in.a.size() / outputs;
    const bool whole = got.q.size() == in.a.size() && got.group.size() == n &&
                       got.scales.size() == outputs &&
                       std::ranges::all_of(got.group, [](std::int32_t g) { return g == 0; });
    if (!expect.that(whole, "an answer of other sizes", "N-SIZE")) return;
    GptqMatrix rounded{{}, {}, got.group};
    for (std::size_t o = 0; o < outputs; ++o) {
      const auto first = in.a.begin() + static_cast<std::ptrdiff_t>(o * n);
      const Doubles row(first, first + static_cast<std::ptrdiff_t>(n));
      const QuantizedRow done = row_by_definition(row, factor(n), in.d.num_bits, 64);
      rounded.q.insert(rounded.q.end(), done.q.begin(), done.q.end());
      rounded.scales.push_back(done.scales.front());
    }
    const double ratio = squared_error(in.a, dequantize(got), in.b, n) /
                         squared_error(in.a, dequantize(rounded), in.b, n);
    expect.that(ratio < 0.6,
                "the outputs are off by " + show_value(ratio) +
                    " of what plain rounding makes of them, as a mean square; below 0.6 is due");
  });
}

}  // namespace nibble::judge::lab_32_gptq
