// What the engine does for WMMA: fragments are described by plain numbers and hold plain bytes.
#pragma once

#include <cstdint>

namespace nibble::simt {

enum class Matrix : std::uint8_t { kA, kB, kAccumulator };
enum class Element : std::uint8_t { kS8, kU8, kE4m3, kHalf, kBfloat16, kInt, kFloat };

/// One of the operands of an m x n x 16 product.
struct Fragment {
  Matrix matrix;
  Element element;
  std::uint8_t m, n;
  std::uint8_t elements;  ///< of one lane, repetitions included
};

/// Every element becomes the one at `value`.
void fill_fragment(const Fragment& fragment, void* x, const void* value, const void* pc);
void load_fragment(const Fragment& fragment, void* x, const void* memory, unsigned ldm,
                   bool row_major, const void* pc);
void store_fragment(const Fragment& fragment, const void* x, void* memory, unsigned ldm,
                    bool row_major, const void* pc);

struct FragmentProduct {
  Fragment a, c, d;  ///< b has a's element and m and n
  const void *a_x, *b_x, *c_x;
  void* d_x;
  bool saturate;  ///< int32 sums stop at their ends instead of wrapping
};
void multiply_fragments(const FragmentProduct& product, const void* pc);

}  // namespace nibble::simt
