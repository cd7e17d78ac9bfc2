// The tensor cores' product: 16 x 8 outputs of one warp, spread over its lanes as PTX says.
//
//   lane 4 g + t holds        of a (16 rows along k)          of b (8 columns along k)
//     register 0              row g,     bytes 4t .. 4t+3     column g, bytes 4t .. 4t+3
//     register 1              row g + 8, bytes 4t .. 4t+3     column g, bytes 16+4t ..
//     registers 2, 3          the same, bytes 16+4t ..        -
//
//   and of c and d: (g, 2t) (g, 2t+1) (g+8, 2t) (g+8, 2t+1).
//
// A row is 16 or 32 bytes: 16 or 32 codes of 8 bits, 16 numbers of 16 bits, 256 bits. An integer
// sum wraps. Products of floats are exact. Those of 16 bits are added up as aligned_sum.hpp says,
// those of e4m3 as short_sum.hpp. PTX leaves both open: compare with a tolerance.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "access.hpp"
#include "aligned_sum.hpp"
#include "fragment_map.hpp"
#include "nibble/float_format.hpp"
#include "nibble/simt/conversions.hpp"
#include "nibble/simt/device.hpp"
#include "nibble/simt/mma_sync.hpp"
#include "nibble/simt/short_sum.hpp"
#include "whole_warp.hpp"

namespace nibble::simt {

namespace {

struct Operands {
  const unsigned *rows, *columns;  // registers of one lane
};

/// The two rows and the two columns that meet in one lane's outputs.
struct Lines {
  unsigned char row[2][32], column[2][32];
};

/// `halves` of 16 bytes along k; a lane's registers count from the ones named.
Lines gather(void* const* all, std::size_t halves, std::size_t row_register,
             std::size_t column_register) {
  const std::size_t g = lane_in_warp() / 4, t = lane_in_warp() % 4;
  const auto of = [&](std::size_t lane) { return static_cast<const Operands*>(all[lane]); };
  Lines lines;
  for (std::size_t half = 0; half < halves; half++) {
    for (std::size_t quad = 0; quad < 4; quad++) {
      for (std::size_t i = 0; i < 2; i++) {
        const std::size_t at = 16 * half + 4 * quad;
        const Operands *row = of(4 * g + quad), *column = of(4 * (2 * t + i) + quad);
        std::memcpy(lines.row[i] + at, row->rows + row_register + i + 2 * half, 4);
        std::memcpy(lines.column[i] + at, column->columns + column_register + half, 4);
      }
    }
  }
  return lines;
}

template <class T>
std::int64_t integer_products(const unsigned char* row, const unsigned char* column,
                              std::size_t bytes) {
  std::int64_t sum = 0;
  for (std::size_t k = 0; k < bytes; k++) sum += T(row[k]) * T(column[k]);
  return sum;
}

/// The 16 products of two lines of a 16-bit format.
template <class Format>
std::array<Addend, 17> float_products(const unsigned char* row, const unsigned char* column) {
  std::array<Addend, 17> products;
  for (std::size_t k = 0; k < 16; k++) {
    std::uint16_t r, c;
    std::memcpy(&r, row + 2 * k, 2);
    std::memcpy(&c, column + 2 * k, 2);
    products[k] = {double(decode<Format>(r)) * double(decode<Format>(c)),
                   exponent_of<Format>(r) + exponent_of<Format>(c)};
  }
  return products;
}

std::int32_t integer_sum(std::int64_t sum, bool saturate) {
  using Limits = std::numeric_limits<std::int32_t>;
  if (saturate) return std::int32_t(std::clamp<std::int64_t>(sum, Limits::min(), Limits::max()));
  return std::int32_t(std::uint32_t(sum));
}

float e4m3_sum(const unsigned char* row, const unsigned char* column, float start) {
  double addends[33];
  for (std::size_t k = 0; k < 32; k++) {
    addends[k] = double(decode<E4m3Format>(row[k])) * double(decode<E4m3Format>(column[k]));
  }
  addends[32] = start;
  return short_sum(addends);
}

void multiply(Element operand, const Lines& lines, std::size_t halves, const void* c,
              Element c_type, void* d, Element d_type, bool saturate) {
  for (int i = 0; i < 4; i++) {
    const unsigned char *row = lines.row[i / 2], *column = lines.column[i % 2];
    if (d_type == Element::kInt) {
      const std::int64_t products = operand == Element::kS8
                                        ? integer_products<std::int8_t>(row, column, 16 * halves)
                                        : integer_products<std::uint8_t>(row, column, 16 * halves);
      static_cast<int*>(d)[i] = integer_sum(products + static_cast<const int*>(c)[i], saturate);
      continue;
    }
    if (operand == Element::kE4m3) {
      static_cast<float*>(d)[i] = e4m3_sum(row, column, static_cast<const float*>(c)[i]);
      continue;
    }
    std::array<Addend, 17> addends = operand == Element::kHalf
                                         ? float_products<HalfFormat>(row, column)
                                         : float_products<Bfloat16Format>(row, column);
    const float start = c_type == Element::kHalf
                            ? decode<HalfFormat>(static_cast<const std::uint16_t*>(c)[i])
                            : static_cast<const float*>(c)[i];
    addends[16] = {start, exponent_of<Float32Format>(std::bit_cast<std::uint32_t>(start))};
    const double sum = aligned_sum(addends);
    if (d_type == Element::kHalf) {
      static_cast<std::uint16_t*>(d)[i] = std::uint16_t(encode<HalfFormat>(sum));
    } else {
      static_cast<float*>(d)[i] = to_float(sum, Rounding::kTowardZero);
    }
  }
}

void count_product() {
  if (lane_in_warp() == 0) count(kMma, 1);
}

}  // namespace

void mma_sync(const MmaSync& mma, void* d, const unsigned* a, const unsigned* b, const void* c,
              const void* pc) {
  const std::size_t halves = mma.k_bytes / 16;
  touch_registers(d, 4 * sizeof(int), true, pc);
  touch_registers(a, 2 * halves * sizeof *a, false, pc);
  touch_registers(b, halves * sizeof *b, false, pc);
  touch_registers(c, 4 * sizeof(int), false, pc);
  Operands mine{a, b};
  void* all[32];
  exchange(&mine, all, mma.instruction, pc);
  alignas(4) unsigned char sums[16];
  multiply(mma.operand, gather(all, halves, 0, 0), halves, c, mma.sum, sums, mma.sum, false);
  meet(mma.instruction, pc);  // d may be a, b or c, which others still read
  std::memcpy(d, sums, sizeof sums);
  count_product();
}

void mma_b1_and_popc(int (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2], const int (&c)[4],
                     const void* pc) {
  const char* const instruction = "mma_m16n8k256_and_popc";
  touch_registers(d, sizeof d, true, pc);
  touch_registers(a, sizeof a, false, pc);
  touch_registers(b, sizeof b, false, pc);
  touch_registers(c, sizeof c, false, pc);
  Operands mine{a, b};
  void* all[32];
  exchange(&mine, all, instruction, pc);
  const Lines lines = gather(all, 2, 0, 0);
  int sums[4];
  for (int i = 0; i < 4; i++) {
    int ones = 0;
    for (int k = 0; k < 32; k++)
      ones += std::popcount(std::uint8_t(lines.row[i / 2][k] & lines.column[i % 2][k]));
    sums[i] = integer_sum(std::int64_t{c[i]} + ones, false);
  }
  meet(instruction, pc);
  std::copy(sums, sums + 4, d);
  count_product();
}

/// m x n x 16 is two instructions: their 32 rows or 16 columns lie in a lane one after the other.
/// An 8 x 32 product is taken transposed, with b's columns as rows.
void multiply_fragments(const FragmentProduct& product, const void* pc) {
  const char* const instruction = "wmma::mma_sync";
  const Fragment& shape = product.a;
  const bool transposed = shape.n == 32, more_rows = shape.n != 16;
  const std::size_t halves = element_size(shape.element);  // 16 elements along k
  const auto* const a = static_cast<const unsigned*>(product.a_x);
  const auto* const b = static_cast<const unsigned*>(product.b_x);
  const std::size_t of_b = shape.element == Element::kHalf ? 16u : shape.n / 2u;
  touch_registers(a, shape.elements * element_size(shape.element), false, pc);
  touch_registers(b, of_b * element_size(shape.element), false, pc);
  touch_registers(product.c_x, 8 * element_size(product.c.element), false, pc);
  touch_registers(product.d_x, 8 * element_size(product.d.element), true, pc);
  Operands mine{transposed ? b : a, transposed ? a : b};
  void* all[32];
  exchange(&mine, all, instruction, pc);

  const Element c_type = product.c.element, d_type = product.d.element;
  const std::size_t c_size = element_size(c_type), d_size = element_size(d_type);
  alignas(4) unsigned char sums[32];
  for (std::size_t tile = 0; tile < 2; tile++) {
    const Lines lines =
        gather(all, halves, more_rows ? tile * 2 * halves : 0, more_rows ? 0 : tile * halves);
    multiply(shape.element, lines, halves,
             static_cast<const unsigned char*>(product.c_x) + tile * 4 * c_size, c_type,
             sums + tile * 4 * d_size, d_type, product.saturate);
  }
  meet(instruction, pc);  // d may be c, and others still read a and b
  std::memcpy(product.d_x, sums, 8 * d_size);
  count_product();
}

}  // namespace nibble::simt
