// Lab 16: what a product makes of packed codes that it reads in the wrong places.
#pragma once

#include "cpu_int4_gemv.hpp"

#include <string_view>

#include "checks/16_cpu_int4_gemv/int4_products.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {

/// Every row has the code that `from(j, p)` says: its row and its place. 0 beyond the last row.
template <class From>
Batch read_from(Batch c, const From& from) {
  const Codes w = c.weights.w;
  for (std::size_t j = 0; j < c.n(); ++j) {
    for (std::size_t p = 0; p < c.k(); ++p) {
      const auto [row, place] = from(j, p);
      c.weights.w[j * c.k() + p] = row < c.n() ? w[row * c.k() + place] : std::int8_t{0};
    }
  }
  return c;
}

/// As products(), where two products that lie in a byte are added to a float at a time.
inline Reals sums_in_float(const Batch& c) {
  const std::size_t k = c.k(), size = std::size_t(c.weights.shape.group_size);
  Reals all;
  for (std::size_t at = 0; at < c.m() * c.n(); ++at) {
    const std::int8_t *const a = c.a.data() + at / c.n() * k, *const w =
                                                                  &c.weights.w[at % c.n() * k];
    float y = 0;
    for (std::size_t begin = 0; begin < k; begin += size) {
      float sum = 0;
      for (std::size_t p = begin; p < begin + size; ++p) {
        if (p % 8 < 4) sum += static_cast<float>(a[p] * w[p] + a[p + 4] * w[p + 4]);
      }
      const float scaled = sum * c.weights.scales[at % c.n() * c.weights.groups() + begin / size];
      y += scaled;
    }
    all.push_back(y * c.a_scales[at / c.n()]);
  }
  return all;
}

/// The groups of every row in the opposite order, and what belongs to them.
inline Batch backwards(Batch c) {
  const std::size_t k = c.k(), groups = c.weights.groups();
  const auto turn = [](auto& list, std::size_t row, std::size_t group) {
    const auto from = list;
    for (std::size_t at = 0; at < list.size(); ++at) {
      const std::size_t in_row = at % row, mirrored = row - group - in_row / group * group;
      list[at] = from[at - in_row + mirrored + in_row % group];
    }
  };
  turn(c.a, k, k / std::max<std::size_t>(groups, 1));
  turn(c.weights.w, k, k / std::max<std::size_t>(groups, 1));
  turn(c.weights.scales, groups, 1);
  return c;
}

inline void suspect_reading(Expect& expect, const Batch& c) {
  const auto reads = [&](std::string_view words, const auto& from) {
    expect.suspect("N-LAYOUT", "c", products(read_from(c, from)), words);
  };
  using Place = std::pair<std::size_t, std::size_t>;
  reads("low nibbles are multiplied by a[p + 4], and high ones by a[p]",
        [](std::size_t j, std::size_t p) {
          return Place{j, p ^ 4};
        });
  // Code q of 8 meets a[2q] or, from 4 on, a[2q - 7]: a[p] meets the one that this says.
  reads("the codes of a byte are taken for p and p + 1: they are p and p + 4",
        [](std::size_t j, std::size_t p) {
          return Place{j, p / 8 * 8 + p % 8 / 2 + (p % 2 == 0 ? 0 : 4)};
        });
  reads("the 16 rows are read byte by byte: they have four bytes each",
        [](std::size_t j, std::size_t p) {
          const std::size_t byte = 16 * (p % 4) + j % 16;
          return Place{j / 16 * 16 + byte / 4, p / 4 * 4 + byte % 4};
        });
  Batch first = read_from(c, [](std::size_t j, std::size_t p) { return Place{j / 16 * 16, p}; });
  Batch lane = c;  // codes of its own
  const std::size_t groups = c.weights.groups();
  for (std::size_t at = 0; at < c.weights.scales.size(); ++at) {
    const std::size_t from = at / groups / 16 * 16 * groups + at % groups;
    lane.weights.scales[at] = first.weights.scales[at] = c.weights.scales[from];
  }
  expect.suspect("N-SCALE", "c", products(lane),
                 "all 16 rows of a panel have the scale of the first");
  expect.suspect("N-LAYOUT", "c", products(first), "all results of a panel are the first of them");
  constexpr const char* kFloat = "products are added in a float, which counts exactly to 2^24";
  const auto own = [&](std::size_t j, std::size_t group) {
    return c.weights.scales[j * groups + group];
  };
  expect.suspect("N-OVERFLOW", "c", sums_in_float(c), kFloat);
  expect.suspect("N-OVERFLOW", "c",
                 products<float>(
                     c, [](std::size_t, int a, int w) { return static_cast<float>(a * w); }, own),
                 kFloat);
  if (c.m() > 1 && c.m() % 2 == 1) {
    Reals twice = products(c);
    std::copy_n(twice.end() - 2 * std::ptrdiff_t(c.n()), c.n(),
                twice.end() - std::ptrdiff_t(c.n()));
    expect.suspect("N-TAIL", "c", twice,
                   "the last of an odd number of rows is the row before once more");
  }
}

/// For the look of F: arguments(c) are what it is called with. A few results that nobody writes
/// look like wrong ones.
template <auto F, class Arguments>
auto look_at_products(const Arguments& arguments) {
  return [arguments](Expect& expect, const OnIsa<Named<Batch>>& c, const Reals& got,
                     const Reals& right) {
    expect_written<F>(expect, "c", got, right, arguments(c));
    const bool is_empty = right.empty() || c.a.empty();  // a right answer to that is no evidence
    if (expect.asks_for_suspects(got, right) && (got != right || !is_empty)) {
      expect.suspect("N-FORMULA", "c", products(backwards(c)),
                     "the last group is added first: groups are added in order");
      suspect_products(expect, c);
      suspect_reading(expect, c);
    }
    expect.equal("c", got, right, c.m() == 1 ? Shape{} : Shape{c.m(), c.n()});
  };
}

}  // namespace nibble::judge::lab_16_cpu_int4_gemv
