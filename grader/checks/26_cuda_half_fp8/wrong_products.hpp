// Lab 26: products: what people write instead.
#pragma once

#include "cuda_half_fp8.hpp"

#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "checks/26_cuda_half_fp8/gemm.hpp"
#include "checks/26_cuda_half_fp8/rows.hpp"
#include "judge/slips.hpp"
#include "judge/wrong_products.hpp"
#include "nibble/float_format.hpp"
#include "nibble/simt/short_sum.hpp"

namespace nibble::judge::lab_26_cuda_half_fp8 {

/// Sums of 16 bits, the last step alone; alpha or beta forgotten, exchanged, or applied to all.
inline void suspect_products_of_16_bits(Expect& expect, const GemmCase& c) {
  const auto same = [](float x) { return x; };
  expect.suspect("N-FLOAT32", "d", finished<Half>(c, in_steps<Half>(c, same, as_half)),
                 "sums are halves, and have to be floats");
  GemmCase last = c;
  for (int at = 0; at < c.shape.m * c.shape.k; ++at) {
    if (at % c.shape.k < c.shape.k - Half::kDepth) last.a[std::size_t(at)] = 0;
  }
  expect.suspect("N-TAIL", "d", right_product<Half>(last),
                 "only the last step along k is added, " + std::to_string(Half::kDepth) + " of " +
                     std::to_string(c.shape.k));
  const auto suspect = [&](std::string_view words, float alpha, float beta) {
    GemmCase scaled = c;
    scaled.alpha = alpha;
    scaled.beta = c.beta == 0 ? 0 : beta;
    expect.suspect("N-SCALE", "d", right_product<Half>(scaled), words);
  };
  suspect("the sum is not scaled by alpha", 1, c.beta);
  suspect("c is not scaled by beta", c.alpha, 1);
  suspect("beta * c is not added", c.alpha, 0);
  suspect("alpha scales c, too", c.alpha, c.alpha * c.beta);
  suspect("alpha and beta are exchanged", c.beta, c.alpha);
  suspect("beta * c is taken away", c.alpha, -c.beta);
}

/// Parts of 128 products that are not what they should be, and added to what they should not.
inline void suspect_parts(Expect& expect, const GemmCase& c) {
  constexpr std::ptrdiff_t kPart = 128;
  const std::ptrdiff_t parts = (c.shape.k + kPart - 1) / kPart;
  const auto sums = [&](const auto& add) {
    return finished<Fp8>(c, matrix<double>(c.shape.m, c.shape.n, [&](auto i, auto j) {
                           double sum = 0;
                           for (std::ptrdiff_t part = 0; part < parts; ++part) {
                             const auto begin = part * kPart;
                             const auto end = std::min<std::ptrdiff_t>(begin + kPart, c.shape.k);
                             double products = 0;
                             for (std::ptrdiff_t p = begin; p < end; ++p) {
                               products +=
                                   double{c.a[i * c.shape.k + p]} * c.b_t[j * c.shape.k + p];
                             }
                             sum = add(sum, products, part);
                           }
                           return sum;
                         }));
  };
  std::vector<double> addends;
  expect.suspect(
      "N-FLOAT32", "d",
      finished<Fp8>(c, matrix<double>(c.shape.m, c.shape.n,
                                      [&](auto i, auto j) {
                                        double sum = 0;
                                        for (std::ptrdiff_t p = 0; p < c.shape.k; ++p) {
                                          addends.push_back(double{c.a[i * c.shape.k + p]} *
                                                            c.b_t[j * c.shape.k + p]);
                                          if ((p + 1) % Fp8::kDepth != 0) continue;
                                          addends.push_back(sum);
                                          sum = simt::short_sum(addends);
                                          addends.clear();
                                        }
                                        return sum;
                                      })),
      "tensor cores add up all of k: after 128 products a float takes them over");
  expect.suspect("N-TAIL", "d", sums([&](double sum, double products, auto part) {
                   return sum + products * double(parts - part);
                 }),
                 "a part begins with the sum of those before it, and has to begin with 0");
  expect.suspect("N-FLOAT32", "d",
                 sums([](double sum, double products, auto) { return as_half(sum + products); }),
                 "the parts are added up in a half, and have to be in a float");
}

/// A float that nobody has set, as the compiler fills it.
inline const float kUnset = std::bit_cast<float>(0xfefefefeu);

/// Sums that begin with it; for fp8 the whole parts of 128 products alone; of 16 bits the other
/// format's.
template <class Exercise>
std::vector<Slip<Reals>> slips_of_product(const GemmCase& c) {
  const auto unset = each_of(sums_of(c), [](double sum) { return float(kUnset + float(sum)); });
  std::vector<Slip<Reals>> slips{{"N-UNINIT", "the sums begin with what nobody has set",
                                  each_of(finished<Exercise>(c, {unset.begin(), unset.end()}),
                                          [](double x) { return float(x); })}};
  if (is_fp8<Exercise>) {
    GemmCase whole = c;
    for (std::size_t at = 0; at < c.a.size(); ++at) {
      if (int(at) % c.shape.k >= c.shape.k / 128 * 128) whole.a[at] = 0;
    }
    slips.push_back({"N-TAIL", "the last part, of less than 128 products, is not added",
                     right_product<Exercise>(whole)});
    return slips;
  }
  const auto other = [](float x) {
    return std::is_same_v<Exercise, Half>
               ? simt::decode<Bfloat16Format>(simt::encode<HalfFormat>(x))
               : simt::decode<HalfFormat>(simt::encode<Bfloat16Format>(x));
  };
  if (!std::is_same_v<Exercise, Half>) {
    slips.push_back({"N-INF", "numbers are made halves first, which are infinite from 65520 on",
                     finished<Half>(c, in_steps<Half>(
                                           c, [](float x) { return as_half(x); },
                                           [](double x) { return float(x); }))});
  }
  slips.push_back({"N-FORMULA", "the bits are read as those of the other format of 16 bits",
                   finished<Half>(c, in_steps<Half>(c, other, [](double x) { return float(x); }))});
  return slips;
}

/// Codes of a fragment that come from elsewhere: of each block of 16 rows and `depth` places along
/// k, place (r, p) has what from(r, p) says. Zeros outside of the matrix.
template <class From>
Reals with_blocks(const Reals& x, std::size_t k, std::size_t depth, const From& from) {
  return each_of(x, [&](float, std::size_t at) {
    const std::size_t row = at / k / 16 * 16, first = at % k / depth * depth;
    const auto [r, p] = from(at / k % 16, at % k % depth);
    const std::size_t place = (row + r) * k + first + p;
    return first + p < k && place < x.size() ? x[place] : 0;
  });
}

/// Words of a that belong to other rows, or other places along k; b_t's tiles on their sides.
template <class Exercise>
void suspect_fragments(Expect& expect, const GemmCase& c) {
  using Place = std::pair<std::size_t, std::size_t>;
  const std::size_t k = std::size_t(c.shape.k), half = Exercise::kDepth / 2;
  const auto suspect = [&](std::string_view words, const Reals& a, const Reals& b_t) {
    GemmCase other = c;
    other.a = a;
    other.b_t = b_t;
    expect.suspect("N-LAYOUT", "d", right_product<Exercise>(other), words);
  };
  if (std::is_same_v<Exercise, Half>) {
    suspect("rows of b_t are taken for rows of b: they are its columns", c.a,
            with_blocks(c.b_t, k, 16, [](std::size_t r, std::size_t p) { return Place(p, r); }));
    return;
  }
  if (distinct(c.a) <= 2) return;  // it looks the same from everywhere
  const auto of_a = [&](std::string_view words, const auto& from) {
    suspect(words, with_blocks(c.a, k, 2 * half, from), c.b_t);
  };
  of_a("a[1] and a[2] are exchanged: a[1] is 8 rows down, a[2] further along k",
       [=](std::size_t r, std::size_t p) {
         if ((r < 8) == (p < half)) return Place(r, p);
         return r < 8 ? Place(r + 8, p - half) : Place(r - 8, p + half);
       });
  of_a("a has the words of b, of one row: a[1] and a[3] are 8 rows down",
       [=](std::size_t r, std::size_t p) {
         return r < 8 ? Place(r, p % half) : Place(r - 8, p % half + half);
       });
}

/// Steps along k that lose products, or add some twice; sums of other places; rows of d for
/// columns; words of a lane that come from elsewhere in the row.
template <class Exercise>
void suspect_places(Expect& expect, const GemmCase& c) {
  const std::size_t m = std::size_t(c.shape.m), n = std::size_t(c.shape.n),
                    k = std::size_t(c.shape.k);
  if (m * n * k == 0 || m * n * k > 100'000) return;
  const auto of_a = [&](const char* code, std::string_view words, const Reals& a) {
    GemmCase other = c;
    other.a = a;
    expect.suspect(code, "d", right_product<Exercise>(other), words);
  };
  each_wrong_step(k, [&](const char* code, std::string_view words, const auto& times) {
    of_a(code, words,
         each_of(c.a, [&](float x, std::size_t at) { return x * float(times(at % k)); }));
  });
  const std::vector<double> sums = sums_of(c);
  const auto moved = [&](std::string_view words, const auto& row, const auto& column) {
    std::vector<double> other;
    for (std::size_t at = 0; at < m * n; ++at) {
      const std::size_t i = row(at / n, at % n), j = column(at / n, at % n);
      other.push_back(i < m && j < n ? sums[i * n + j] : 0);
    }
    expect.suspect("N-LAYOUT", "d", finished<Exercise>(c, other), words);
  };
  each_wrong_place(c.shape, moved);
  moved(
      "d[i,j] is written where d[j,i] belongs", [](std::size_t, std::size_t s) { return s; },
      [](std::size_t r, std::size_t) { return r; });
  if (distinct(c.a) <= 2) return;  // it looks the same from everywhere
  const std::size_t word = is_fp8<Exercise> ? 4 : 2, half = 4 * word;
  const auto from = [&](std::string_view words, const auto& place) {
    of_a("N-LAYOUT", words, each_of(c.a, [&](float, std::size_t at) {
           const std::size_t p = at % k / (2 * half) * (2 * half) + place(at % (2 * half));
           return p < k ? c.a[at / k * k + p] : 0;
         }));
  };
  from("the second word of a row is the first once more", [=](std::size_t p) { return p % half; });
  from("the halves along k are exchanged",
       [=](std::size_t p) { return p < half ? p + half : p - half; });
  from("two neighbours of a row are exchanged", [](std::size_t p) { return p ^ 1; });
}

/// The scales of rows for columns, where there are as many.
inline void suspect_scales(Expect& expect, const GemmCase& c) {
  const auto suspect = [&](const char* code, std::string_view words, const Reals& a_scales,
                           const Reals& b_scales) {
    GemmCase scaled = c;
    scaled.a_scales = a_scales;
    scaled.b_scales = b_scales;
    expect.suspect(code, "d", right_product<Fp8>(scaled), words);
  };
  const Reals ones(c.a_scales.size() + c.b_scales.size(), 1);
  if (c.shape.m == c.shape.n) {
    suspect("N-AXIS", "a_scales belong to rows of d, and b_scales to columns", c.b_scales,
            c.a_scales);
  }
  suspect("N-SCALE", "a_scales[i] is missing", ones, c.b_scales);
  suspect("N-SCALE", "b_scales[j] is missing", c.a_scales, ones);
  suspect("N-SCALE", "the sum is not scaled", ones, ones);
}

}  // namespace nibble::judge::lab_26_cuda_half_fp8
