// The same lab with algorithms: rows and panels are spans, every element of a result is a function
// of its index, and a sum is std::transform_reduce. Where the reference asks which instructions to
// use, this asks only whether it may.
#include <functional>
#include <ranges>

#include "cpu_simd.hpp"

namespace nibble {
namespace {

using Codes = std::span<const std::int8_t>;

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

void demand_isa(Isa isa) {
  if (std::ranges::find(kKernelIsas, isa) == kKernelIsas.end()) {
    refuse("this lab has no kernel for " + std::string(name_of(isa)));
  }
  if (!cpu_has(isa)) refuse("this CPU lacks " + std::string(name_of(isa)));
}

void demand_shape(MatmulShape shape) {
  if (std::min({shape.m, shape.n, shape.k}) < 0) refuse("a negative size");
  if (shape.k > kLongestK) refuse("k = " + std::to_string(shape.k) + " exceeds 131071");
}

void demand_count(std::size_t got, std::size_t want, const char* what) {
  if (got == want) return;
  refuse(std::string(what) + ": " + std::to_string(got) + " instead of " + std::to_string(want));
}

void demand_aligned(Codes packed) {
  if (std::bit_cast<std::uintptr_t>(packed.data()) % 64 != 0) refuse("packed is not aligned");
}

void demand_scale(float scale) {
  if (std::fpclassify(scale) != FP_NORMAL || std::signbit(scale)) {
    refuse("scale = " + std::to_string(scale));
  }
}

std::size_t area(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

std::int32_t inner(Codes x, Codes y) {
  return std::transform_reduce(x.begin(), x.end(), y.begin(), 0, std::plus<>(),
                               [](int a, int b) { return a * b; });
}

/// values[i] = element(i)
template <class T, class Element>
void fill(std::span<T> values, const Element& element) {
  std::ranges::transform(std::views::iota(std::size_t{0}, values.size()), values.begin(), element);
}

/// Where p of column j lies in packed.
struct Layout {
  std::size_t width, columns, quads;

  Layout(Isa isa, MatmulShape shape)
      : width(panel_width(isa)),
        columns(rounded_up(shape.n, panel_width(isa))),
        quads((static_cast<std::size_t>(shape.k) + 3) / 4) {}

  std::size_t place(std::size_t j, std::size_t p) const {
    const std::size_t panel = j / width, lane = j % width;
    return 4 * (columns + (panel * quads + p / 4) * width + lane) + p % 4;
  }
};

/// finish(sum of c[i,j], j), for all of c, column by column: each is taken out of packed once.
template <class T, class Finish>
void multiply(Isa isa, Codes a, Codes packed, std::span<T> c, MatmulShape shape,
              const Finish& finish) {
  demand_isa(isa);
  demand_shape(shape);
  demand_count(a.size(), area(shape.m, shape.k), "codes of a");
  demand_count(packed.size(), packed_size(isa, shape), "bytes of packed");
  demand_count(c.size(), area(shape.m, shape.n), "elements of c");
  demand_aligned(packed);
  const Layout layout(isa, shape);
  const std::size_t m = shape.m, n = shape.n, k = shape.k;
  std::vector<std::int8_t> column(k);
  for (std::size_t j = 0; j < n; ++j) {
    fill(std::span(column), [&](std::size_t p) { return packed[layout.place(j, p)]; });
    for (std::size_t i = 0; i < m; ++i)
      c[i * n + j] = finish(inner(a.subspan(i * k, k), column), j);
  }
}

std::int8_t code_of(float v) { return static_cast<std::int8_t>(std::clamp(v, -128.0f, 127.0f)); }

}  // namespace

Isa best_isa(std::uint32_t isas, Isa cap) {
  if (isas >= bit_of(Isa::kNeonDot) * 2) refuse("unknown bits in " + std::to_string(isas));
  if (name_of(cap) == "unknown") refuse("an unknown cap");
  auto kernels = kKernelIsas | std::views::reverse;
  auto from = std::ranges::find(kernels, cap);
  if (cap == Isa::kAmxInt8) from = kernels.begin();
  const auto found =
      std::find_if(from, kernels.end(), [&](Isa isa) { return (isas & bit_of(isa)) != 0; });
  if (found == kernels.end()) refuse("no kernel in the set " + std::to_string(isas));
  return *found;
}

std::array<std::uint8_t, 2> saturating_pair(std::int8_t s0, std::int8_t s1) {
  // All that can ever help: as much as possible of everything that pulls one way.
  constexpr std::array<std::array<std::uint8_t, 2>, 3> candidates{{{255, 255}, {0, 255}, {255, 0}}};
  const auto found = std::ranges::find_if(
      candidates, [&](const auto& u) { return std::abs(2 * (u[0] * s0 + u[1] * s1) + 1) > 65535; });
  if (found == candidates.end()) refuse("safe weights");
  return *found;
}

std::int32_t dot(Isa isa, std::span<const std::int8_t> a, std::span<const std::int8_t> b) {
  demand_isa(isa);
  demand_count(a.size(), b.size(), "codes of a");
  if (a.size() > std::size_t{kLongestK}) refuse("more than 131071 codes");
  return inner(a, b);
}

void pack_b(Isa isa, std::span<const std::int8_t> b_t, std::span<std::int8_t> packed,
            MatmulShape shape) {
  shape.m = 0;
  demand_isa(isa);
  demand_shape(shape);
  demand_count(b_t.size(), area(shape.n, shape.k), "codes of b_t");
  demand_count(packed.size(), packed_size(isa, shape), "bytes of packed");
  demand_aligned(packed);
  const Layout layout(isa, shape);
  std::ranges::fill(packed, std::int8_t{0});
  const std::size_t k = shape.k;
  for (std::size_t j = 0; j < std::size_t(shape.n); ++j) {
    const Codes row = b_t.subspan(j * k, k);
    for (std::size_t p = 0; p < k; ++p) packed[layout.place(j, p)] = row[p];
    const std::int32_t sum = std::accumulate(row.begin(), row.end(), 0);
    std::memcpy(&packed[4 * j], &sum, sizeof sum);
  }
}

void multiply_packed(Isa isa, std::span<const std::int8_t> a, std::span<const std::int8_t> packed,
                     std::span<std::int32_t> c, MatmulShape shape) {
  multiply(isa, a, packed, c, shape, [](std::int32_t acc, std::size_t) { return acc; });
}

void multiply_packed_fused(Isa isa, std::span<const std::int8_t> a,
                           std::span<const std::int8_t> packed, std::span<const float> scale,
                           std::span<const float> bias, std::span<float> c, MatmulShape shape) {
  demand_shape(shape);
  demand_count(scale.size(), area(shape.n, 1), "scales");
  demand_count(bias.size(), area(shape.n, 1), "biases");
  expects_finite(scale);
  expects_finite(bias);
  multiply(isa, a, packed, c, shape, [&](std::int32_t acc, std::size_t j) {
    const float scaled = scale[j] * static_cast<float>(acc);
    return std::max(0.0f, bias[j] + scaled);  // 0 where the second is not larger: never -0
  });
}

void quantize(std::span<const float> x, float scale, std::span<std::int8_t> q) {
  demand_scale(scale);
  demand_count(q.size(), x.size(), "codes");
  std::ranges::transform(x, q.begin(), [scale](float value) {
    return std::isnan(value) ? std::int8_t{0} : code_of(std::rint(value / scale));
  });
}

void dequantize(std::span<const std::int8_t> q, float scale, std::span<float> x) {
  demand_scale(scale);
  demand_count(q.size(), x.size(), "codes");
  std::ranges::transform(q, x.begin(), [scale](int code) { return scale * float(code); });
}

void requantize(std::span<const std::int32_t> acc, std::span<const float> multiplier,
                std::int32_t zero_point, std::span<std::int8_t> q) {
  std::ranges::for_each(multiplier, demand_scale);
  if (zero_point != std::clamp(zero_point, -128, 127)) refuse("a zero point that is no code");
  demand_count(q.size(), acc.size(), "codes");
  const std::size_t n = multiplier.size();
  demand_count(acc.size(), n == 0 ? 0 : acc.size() / n * n, "sums in whole rows");
  fill(q, [&](std::size_t at) {
    const float v = multiplier[at % n] * static_cast<float>(acc[at]);
    return code_of(std::rint(v) + static_cast<float>(zero_point));
  });
}

void sigmoid(std::span<const std::int8_t> x, float scale, std::span<std::int8_t> y) {
  demand_scale(scale);
  demand_count(y.size(), x.size(), "results");
  std::array<std::int8_t, 256> table;
  fill(std::span<std::int8_t>(table), [scale](std::size_t at) {
    const double real = double{scale} * (static_cast<double>(at) - 128.0);
    return code_of(static_cast<float>(std::rint(256.0 / (1.0 + std::exp(-real))) - 128.0));
  });
  std::ranges::transform(x, y.begin(), [&](int code) { return table[std::size_t(code + 128)]; });
}

}  // namespace nibble
