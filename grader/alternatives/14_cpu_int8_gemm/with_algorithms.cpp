// The same lab with standard algorithms: rows are spans or vectors of their own, sums are
// std::transform_reduce, and packing asks of every place in turn which code belongs there. Zero
// points are subtracted before the product instead of being put right afterwards.
#include <functional>

#include "cpu_int8_gemm.hpp"

namespace nibble {
namespace {

using Codes = std::span<const std::int8_t>;
using Column = std::vector<std::int16_t>;

void demand(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("expected ") + what);
}

void demand_shape(MatmulShape shape) {
  demand(shape.m >= 0 && shape.n >= 0, "no negative size");
  demand(shape.k >= 0 && shape.k <= kLongestK, "k from 0 to 131071");
}

template <class T>
void demand_size(std::span<T> values, int rows, int columns) {
  demand(values.size() == std::size_t(rows) * std::size_t(columns), "spans that fit the shape");
}

template <class T>
std::span<T> row_of(std::span<T> matrix, int row, int length) {
  return matrix.subspan(std::size_t(row) * std::size_t(length), std::size_t(length));
}

template <class X, class Y>
std::int32_t inner(const X& x, const Y& y, std::int32_t start = 0) {
  return std::transform_reduce(x.begin(), x.end(), y.begin(), start, std::plus<std::int32_t>(),
                               [](std::int32_t a, std::int32_t b) { return a * b; });
}

/// c[i,j] = element(row i of a, j)
template <class Element>
void fill_product(Codes a, std::span<std::int32_t> c, MatmulShape shape, const Element& element) {
  for (int i = 0; i < shape.m; ++i) {
    const Codes row = row_of(a, i, shape.k);
    std::ranges::generate(row_of(c, i, shape.n),
                          [&, j = 0]() mutable { return element(row, j++); });
  }
}

/// One column of a packed b, put together again from its slabs.
Column column_of(std::span<const std::int16_t> packed, int j, MatmulShape shape) {
  Column column;
  const int columns = int(round_up(shape.n, kPanelColumns));
  for (int left = int(round_up(shape.k, kStep)); left > 0; left -= kSlabDepth) {
    const int depth = std::min(left, kSlabDepth);
    std::ranges::copy(row_of(packed, j, depth), std::back_inserter(column));
    packed = packed.subspan(std::size_t(columns) * std::size_t(depth));
  }
  return column;
}

}  // namespace

void multiply_naive(Codes a, Codes b, std::span<std::int32_t> c, MatmulShape shape) {
  demand_shape(shape);
  demand_size(a, shape.m, shape.k);
  demand_size(b, shape.k, shape.n);
  demand_size(c, shape.m, shape.n);
  fill_product(a, c, shape, [&](Codes row, int j) {
    Column down(row.size());  // column j of b, gathered
    std::ranges::generate(down, [&, at = std::size_t(j)]() mutable {
      return b[std::exchange(at, at + std::size_t(shape.n))];
    });
    return inner(row, down);
  });
}

void multiply_rows(Codes a, Codes b, std::span<std::int32_t> c, MatmulShape shape) {
  demand_shape(shape);
  demand_size(a, shape.m, shape.k);
  demand_size(b, shape.k, shape.n);
  demand_size(c, shape.m, shape.n);
  std::vector<std::int32_t> sums(shape.n);
  for (int i = 0; i < shape.m; ++i) {
    std::ranges::fill(sums, 0);
    for (int p = 0; p < shape.k; ++p) {
      const std::int32_t factor = row_of(a, i, shape.k)[p];
      std::ranges::transform(sums, row_of(b, p, shape.n), sums.begin(),
                             [=](std::int32_t sum, std::int8_t y) { return sum + factor * y; });
    }
    std::ranges::copy(sums, row_of(c, i, shape.n).begin());
  }
}

void multiply_dots(Codes a, Codes b_t, std::span<std::int32_t> c, MatmulShape shape) {
  demand_shape(shape);
  demand_size(a, shape.m, shape.k);
  demand_size(b_t, shape.n, shape.k);
  demand_size(c, shape.m, shape.n);
  fill_product(a, c, shape, [&](Codes row, int j) { return inner(row, row_of(b_t, j, shape.k)); });
}

// Tiles of 2x4 whose rows and columns beyond the edge are those at the edge once more: no rest.
void multiply_tiled(Codes a, Codes b_t, std::span<std::int32_t> c, MatmulShape shape) {
  demand_shape(shape);
  demand_size(a, shape.m, shape.k);
  demand_size(b_t, shape.n, shape.k);
  demand_size(c, shape.m, shape.n);
  for (int i = 0; i < shape.m; i += 2) {
    for (int j = 0; j < shape.n; j += 4) {
      const auto row = [&](int r) { return row_of(a, std::min(i + r, shape.m - 1), shape.k); };
      const auto column = [&](int q) { return row_of(b_t, std::min(j + q, shape.n - 1), shape.k); };
      std::array<std::int32_t, 8> sums{};
      for (int p = 0; p < shape.k; ++p) {
        for (int at = 0; at < 8; ++at) sums[at] += row(at / 4)[p] * column(at % 4)[p];
      }
      for (int at = 0; at < 8; ++at) {
        row_of(c, std::min(i + at / 4, shape.m - 1), shape.n)[std::min(j + at % 4, shape.n - 1)] =
            sums[at];
      }
    }
  }
}

void pack_b(Codes b_t, std::span<std::int16_t> packed, MatmulShape shape) {
  demand_shape(shape);
  demand_size(b_t, shape.n, shape.k);
  demand(packed.size() == packed_size(shape), "room for the packed codes, no more");
  const std::size_t columns = round_up(shape.n, kPanelColumns), steps = round_up(shape.k, kStep);
  const std::size_t n = shape.n, k = shape.k;
  for (std::size_t place = 0; place < packed.size(); ++place) {
    const std::size_t first = place / (kSlabDepth * columns) * kSlabDepth;  // of its slab
    const std::size_t depth = std::min<std::size_t>(kSlabDepth, steps - first);
    const std::size_t inside = place - first * columns;
    const std::size_t j = inside / depth, p = first + inside % depth;
    packed[place] = j < n && p < k ? b_t[j * k + p] : 0;
  }
}

void multiply_packed(Codes a, std::span<const std::int16_t> packed, std::span<std::int32_t> c,
                     MatmulShape shape) {
  const std::vector<std::int32_t> no_sums(std::max(shape.n, 0));
  multiply_zero_points(a, packed, no_sums, c, {0, 0}, shape);
}

void multiply_zero_points(Codes a, std::span<const std::int16_t> packed,
                          std::span<const std::int32_t> column_sums, std::span<std::int32_t> c,
                          ZeroPoints zero_points, MatmulShape shape) {
  demand_shape(shape);
  demand_size(a, shape.m, shape.k);
  demand(packed.size() == packed_size(shape), "as many packed codes as the shape has");
  demand_size(column_sums, 1, shape.n);
  demand_size(c, shape.m, shape.n);
  std::int64_t largest = shape.k;
  for (const std::int32_t zero_point : {zero_points.a, zero_points.b}) {
    demand(zero_point == static_cast<std::int8_t>(zero_point), "zero points that are codes");
    largest *= std::max(127 - zero_point, zero_point + 128);
  }
  demand(std::in_range<std::int32_t>(largest), "sums that fit in int32");
  const auto shift = [](auto& codes, std::int32_t zero_point) {
    for (std::int16_t& code : codes) code = static_cast<std::int16_t>(code - zero_point);
  };
  Column widened(a.begin(), a.end());
  shift(widened, zero_points.a);
  for (int j = 0; j < shape.n; ++j) {
    Column column = column_of(packed, j, shape);
    shift(column, zero_points.b);
    for (int i = 0; i < shape.m; ++i) {
      const std::span<const std::int16_t> all(widened);
      row_of(c, i, shape.n)[j] = inner(row_of(all, i, shape.k), column);
    }
  }
}

}  // namespace nibble
