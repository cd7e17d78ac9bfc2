// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 14. One product, six times; what changes is who reads what, in which
// order, and in which type. No intrinsics: the compiler finds the vector instructions.
// NIBBLE-STUB: // Lab 14. The contract is in cpu_int8_gemm.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 14        (or leave ./nibble watch open)
// NIBBLE-END
#include "cpu_int8_gemm.hpp"

namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

std::size_t product(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

void expects_shape(MatmulShape shape) {
  NIBBLE_EXPECTS(shape.m >= 0, shape.m);
  NIBBLE_EXPECTS(shape.n >= 0, shape.n);
  NIBBLE_EXPECTS(0 <= shape.k && shape.k <= kLongestK, shape.k);
}

/// For both ways to store b: [k,n] and [n,k] have equally many elements.
void expects_operands(std::size_t a_size, std::size_t b_size, std::size_t c_size,
                      MatmulShape shape) {
  expects_shape(shape);
  NIBBLE_EXPECTS(a_size == product(shape.m, shape.k), a_size);
  NIBBLE_EXPECTS(b_size == product(shape.k, shape.n), b_size);
  NIBBLE_EXPECTS(c_size == product(shape.m, shape.n), c_size);
}

}  // namespace
// NIBBLE-END

// --- Three loops ---------------------------------------------------------------------------------

void multiply_naive(std::span<const std::int8_t> a, std::span<const std::int8_t> b,
                    std::span<std::int32_t> c, MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  expects_operands(a.size(), b.size(), c.size(), shape);
  const std::size_t m = shape.m, n = shape.n, k = shape.k;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      std::int32_t sum = 0;  // not c[i,j]: the caller's memory holds anything
      for (std::size_t p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
  }
  // NIBBLE-STUB: // 1. Refuse what the contract refuses.  2. Three loops, the definition.
  // NIBBLE-STUB: NIBBLE_TODO("multiply, one element after the other");
  // NIBBLE-END
}

void multiply_rows(std::span<const std::int8_t> a, std::span<const std::int8_t> b,
                   std::span<std::int32_t> c, MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  expects_operands(a.size(), b.size(), c.size(), shape);
  const std::size_t m = shape.m, n = shape.n, k = shape.k;
  std::ranges::fill(c, 0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t p = 0; p < k; ++p) {
      // Row p of b, times one number, is added to row i of c: both lie side by side in memory.
      const std::int32_t x = a[i * k + p];
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += x * b[p * n + j];
    }
  }
  // NIBBLE-STUB: // Which of the three loops has to be the innermost, so that neighbours are neighbours
  // NIBBLE-STUB: // in memory, in b as well as in c? Where do the sums live then, and what do they start from?
  // NIBBLE-STUB: NIBBLE_TODO("multiply in another order of loops");
  // NIBBLE-END
}

// --- b transposed --------------------------------------------------------------------------------
// NIBBLE-BEGIN-SOLUTION

namespace {

/// The sum is a variable of its own: a compiler that has to store it in c after every product, for
/// c might overlap the operands, cannot use vectors.
std::int32_t dot(const std::int8_t* x, const std::int8_t* y, std::size_t k) {
  std::int32_t sum = 0;
  for (std::size_t p = 0; p < k; ++p) sum += x[p] * y[p];
  return sum;
}

}  // namespace
// NIBBLE-END

void multiply_dots(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                   std::span<std::int32_t> c, MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  expects_operands(a.size(), b_t.size(), c.size(), shape);
  const std::size_t m = shape.m, n = shape.n, k = shape.k;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      c[i * n + j] = dot(a.data() + i * k, b_t.data() + j * k, k);
    }
  }
  // NIBBLE-STUB: // Three loops again. Which order makes both operands run side by side in memory?
  // NIBBLE-STUB: NIBBLE_TODO("multiply by dot products of rows");
  // NIBBLE-END
}
// NIBBLE-BEGIN-SOLUTION

namespace {

/// 2 rows by 4 columns of c.
using Tile = std::array<std::array<std::int32_t, 4>, 2>;

/// Two rows of a with four of b_t, `stride` apart; k products each. 6 loads serve 8 products, where
/// a dot product has 2 for 1. Eight sums with names of their own stay in registers.
template <class Code>
Tile multiply_tile(const Code* a0, const Code* a1, const Code* b0, std::size_t stride,
                   std::size_t k) {
  const Code *b1 = b0 + stride, *b2 = b1 + stride, *b3 = b2 + stride;
  std::int32_t s00 = 0, s01 = 0, s02 = 0, s03 = 0;
  std::int32_t s10 = 0, s11 = 0, s12 = 0, s13 = 0;
  for (std::size_t p = 0; p < k; ++p) {
    s00 += a0[p] * b0[p];
    s01 += a0[p] * b1[p];
    s02 += a0[p] * b2[p];
    s03 += a0[p] * b3[p];
    s10 += a1[p] * b0[p];
    s11 += a1[p] * b1[p];
    s12 += a1[p] * b2[p];
    s13 += a1[p] * b3[p];
  }
  return {{{s00, s01, s02, s03}, {s10, s11, s12, s13}}};
}

}  // namespace
// NIBBLE-END

void multiply_tiled(std::span<const std::int8_t> a, std::span<const std::int8_t> b_t,
                    std::span<std::int32_t> c, MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  expects_operands(a.size(), b_t.size(), c.size(), shape);
  const std::size_t m = shape.m, n = shape.n, k = shape.k;
  const std::size_t whole_rows = m / 2 * 2, whole_columns = n / 4 * 4;
  for (std::size_t i = 0; i < whole_rows; i += 2) {
    for (std::size_t j = 0; j < whole_columns; j += 4) {
      const std::int8_t* row = a.data() + i * k;
      const Tile tile = multiply_tile(row, row + k, b_t.data() + j * k, k, k);
      for (std::size_t r = 0; r < 2; ++r) {
        std::ranges::copy(tile[r], c.data() + (i + r) * n + j);
      }
    }
  }
  // What is left: the columns beyond the fours, and all of the row beyond the pairs.
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = i < whole_rows ? whole_columns : 0; j < n; ++j) {
      c[i * n + j] = dot(a.data() + i * k, b_t.data() + j * k, k);
    }
  }
  // NIBBLE-STUB: // 1. Eight sums, one loop over p.  2. All tiles that are whole.
  // NIBBLE-STUB: // 3. Which elements of c has nobody computed yet?
  // NIBBLE-STUB: NIBBLE_TODO("multiply tile by tile");
  // NIBBLE-END
}

// --- b packed ------------------------------------------------------------------------------------

void pack_b(std::span<const std::int8_t> b_t, std::span<std::int16_t> packed, MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  expects_shape(shape);
  NIBBLE_EXPECTS(b_t.size() == product(shape.n, shape.k), b_t.size());
  NIBBLE_EXPECTS(packed.size() == packed_size(shape), packed.size());
  const std::size_t n = shape.n, k = shape.k, slab_depth = kSlabDepth;
  const std::size_t columns = round_up(shape.n, kPanelColumns), steps = round_up(shape.k, kStep);
  for (std::size_t p0 = 0; p0 < steps; p0 += slab_depth) {
    const std::size_t depth = std::min(slab_depth, steps - p0);
    for (std::size_t j = 0; j < columns; ++j) {
      std::int16_t* column = packed.data() + p0 * columns + j * depth;
      for (std::size_t q = 0; q < depth; ++q) {
        const bool is_code = j < n && p0 + q < k;
        column[q] = is_code ? b_t[j * k + p0 + q] : std::int16_t{0};
      }
    }
  }
  // NIBBLE-STUB: // Slab by slab, column by column: how deep is the last slab, and where does it begin?
  // NIBBLE-STUB: NIBBLE_TODO("write the packed order");
  // NIBBLE-END
}
// NIBBLE-BEGIN-SOLUTION

namespace {

/// So many columns of a slab are 16 KiB: they stay in the level-1 cache while all rows of a pass
/// by.
constexpr std::size_t kBlockColumns = 32;

using SlabRows = std::array<std::array<std::int16_t, kSlabDepth>, 2>;

/// Rows i and i + 1 of a slab of a, in the type of the packed codes. What is beyond k does not
/// matter, for it meets zeros of b; what is beyond m meets nothing that is kept.
void widen_rows(std::span<const std::int8_t> a, std::size_t i, std::size_t p0, std::size_t depth,
                MatmulShape shape, SlabRows& rows) {
  const std::size_t k = shape.k, live = std::min(depth, k - p0);
  for (std::size_t r = 0; r < 2 && i + r < std::size_t(shape.m); ++r) {
    std::copy_n(a.data() + (i + r) * k + p0, live, rows[r].data());
  }
}

/// Adds a tile to c, as far as there are rows and columns.
void add_tile(const Tile& tile, std::size_t i, std::size_t j, std::span<std::int32_t> c,
              MatmulShape shape) {
  const std::size_t m = shape.m, n = shape.n;
  for (std::size_t r = 0; r < 2 && i + r < m; ++r) {
    for (std::size_t q = 0; q < 4 && j + q < n; ++q) c[(i + r) * n + j + q] += tile[r][q];
  }
}

/// c += a * b. Both operands of a tile are int16, side by side, without a rest: for such a loop
/// there is one instruction that multiplies sixteen pairs and adds neighbours.
void add_packed_product(std::span<const std::int8_t> a, std::span<const std::int16_t> packed,
                        std::span<std::int32_t> c, MatmulShape shape) {
  const std::size_t m = shape.m, n = shape.n, slab_depth = kSlabDepth;
  const std::size_t columns = round_up(shape.n, kPanelColumns), steps = round_up(shape.k, kStep);
  alignas(64) SlabRows rows{};
  for (std::size_t p0 = 0; p0 < steps; p0 += slab_depth) {
    const std::size_t depth = std::min(slab_depth, steps - p0);
    const std::int16_t* slab = packed.data() + p0 * columns;
    for (std::size_t block = 0; block < n; block += kBlockColumns) {
      const std::size_t block_end = std::min(n, block + kBlockColumns);
      for (std::size_t i = 0; i < m; i += 2) {
        widen_rows(a, i, p0, depth, shape, rows);
        for (std::size_t j = block; j < block_end; j += 4) {
          const std::int16_t* panel = slab + j * depth;
          add_tile(multiply_tile(rows[0].data(), rows[1].data(), panel, depth, depth), i, j, c,
                   shape);
        }
      }
    }
  }
}

void expects_packed(std::size_t a_size, std::size_t packed_count, std::size_t c_size,
                    MatmulShape shape) {
  expects_shape(shape);
  NIBBLE_EXPECTS(a_size == product(shape.m, shape.k), a_size);
  NIBBLE_EXPECTS(packed_count == packed_size(shape), packed_count);
  NIBBLE_EXPECTS(c_size == product(shape.m, shape.n), c_size);
}

}  // namespace
// NIBBLE-END

void multiply_packed(std::span<const std::int8_t> a, std::span<const std::int16_t> packed,
                     std::span<std::int32_t> c, MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  expects_packed(a.size(), packed.size(), c.size(), shape);
  std::ranges::fill(c, 0);
  add_packed_product(a, packed, c, shape);
  // NIBBLE-STUB: // 1. One slab; one pair of rows, widened to int16; four columns at a time.
  // NIBBLE-STUB: // 2. All pairs, all columns, all slabs: what does c hold between two slabs?
  // NIBBLE-STUB: // 3. Which block of b should stay near while all rows of a pass by?
  // NIBBLE-STUB: NIBBLE_TODO("multiply by a packed b");
  // NIBBLE-END
}

// --- Zero points ---------------------------------------------------------------------------------
// NIBBLE-BEGIN-SOLUTION

namespace {

/// The largest |q - zero_point| of any int8 code q.
std::int64_t reach(std::int32_t zero_point) { return std::max(127 - zero_point, zero_point + 128); }

void expects_zero_points(ZeroPoints zero_points, int k) {
  const auto [za, zb] = zero_points;
  NIBBLE_EXPECTS(-128 <= za && za <= 127, za);
  NIBBLE_EXPECTS(-128 <= zb && zb <= 127, zb);
  NIBBLE_EXPECTS(k * reach(za) * reach(zb) <= std::numeric_limits<std::int32_t>::max(), k);
}

}  // namespace
// NIBBLE-END

void multiply_zero_points(std::span<const std::int8_t> a, std::span<const std::int16_t> packed,
                          std::span<const std::int32_t> column_sums, std::span<std::int32_t> c,
                          ZeroPoints zero_points, MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  expects_packed(a.size(), packed.size(), c.size(), shape);
  NIBBLE_EXPECTS(column_sums.size() == std::size_t(shape.n), column_sums.size());
  expects_zero_points(zero_points, shape.k);
  const std::size_t m = shape.m, n = shape.n, k = shape.k;
  const auto [za, zb] = zero_points;
  // (a - za)(b - zb) = ab - zb a - za b + za zb. The sums of c start from the last three terms: per
  // product they are smaller than the bound allows, so no sum on the way overflows either.
  for (std::size_t i = 0; i < m; ++i) {
    const auto row = a.subspan(i * k, k);
    const std::int32_t row_sum = std::accumulate(row.begin(), row.end(), std::int32_t{0});
    for (std::size_t j = 0; j < n; ++j) {
      c[i * n + j] = shape.k * za * zb - zb * row_sum - za * column_sums[j];
    }
  }
  add_packed_product(a, packed, c, shape);
  // NIBBLE-STUB: // Multiply (a - za) * (b - zb) out. Which terms depend on i and j alone?
  // NIBBLE-STUB: // They cost m * k + m * n steps: what could the sums of the packed product start from?
  // NIBBLE-STUB: NIBBLE_TODO("multiply codes with zero points");
  // NIBBLE-END
}

}  // namespace nibble
