// nvcuda::wmma in the engine: matrix fragments spread over a warp. Which lane holds which element
// is what sm_80 and later do (fragment_map.hpp), so that traffic is theirs too.
#pragma once

#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "nibble/simt/fragment.hpp"
#include "nibble/simt/types.hpp"

namespace nvcuda::wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

namespace simt_detail {

using nibble::simt::Element;
using nibble::simt::Matrix;

template <class T>
constexpr Element element_of() {
  if constexpr (std::is_same_v<T, signed char>) return Element::kS8;
  if constexpr (std::is_same_v<T, unsigned char>) return Element::kU8;
  if constexpr (std::is_same_v<T, __half>) return Element::kHalf;
  if constexpr (std::is_same_v<T, __nv_bfloat16>) return Element::kBfloat16;
  if constexpr (std::is_same_v<T, int>) return Element::kInt;
  if constexpr (std::is_same_v<T, float>) return Element::kFloat;
}

template <class Use>
constexpr Matrix matrix_of() {
  if constexpr (std::is_same_v<Use, matrix_a>) return Matrix::kA;
  if constexpr (std::is_same_v<Use, matrix_b>) return Matrix::kB;
  return Matrix::kAccumulator;
}

constexpr bool is_shape(int m, int n, int k) {
  return k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
}

template <class Use, class T>
constexpr bool is_element() {
  if (std::is_same_v<Use, accumulator>)
    return std::is_same_v<T, int> || std::is_same_v<T, float> || std::is_same_v<T, __half>;
  return std::is_same_v<T, signed char> || std::is_same_v<T, unsigned char> ||
         std::is_same_v<T, __half> || std::is_same_v<T, __nv_bfloat16>;
}

/// A lane of 32 holds a 32nd of the matrix. half a and b always have 16: what is missing are
/// repetitions, left over from Volta.
template <class Use, class T>
constexpr int elements_of(int m, int n) {
  if (std::is_same_v<Use, accumulator>) return 8;
  if (std::is_same_v<T, __half>) return 16;
  return (std::is_same_v<Use, matrix_a> ? m : n) / 2;
}

}  // namespace simt_detail

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  static_assert(simt_detail::is_shape(M, N, K),
                "a WMMA shape is 16x16x16, 32x8x16 or 8x32x16 (m, n, k)");
  static_assert(
      simt_detail::is_element<Use, T>(),
      "WMMA multiplies signed char, unsigned char, __half or __nv_bfloat16 and adds up in "
      "int, float or __half");
  static_assert(std::is_same_v<Use, accumulator> == std::is_void_v<Layout>,
                "matrix_a and matrix_b say row_major or col_major, an accumulator says neither");
  using element_type = T;
  static constexpr int num_elements = simt_detail::elements_of<Use, T>(M, N);
  static constexpr nibble::simt::Fragment simt{simt_detail::matrix_of<Use>(),
                                               simt_detail::element_of<T>(), M, N, num_elements};
  alignas(4) T x[num_elements];  // registers of 4 bytes
};

template <class U, int M, int N, int K, class T, class L>
NIBBLE_SIMT_UNSEEN void fill_fragment(fragment<U, M, N, K, T, L>& f,
                                      const std::type_identity_t<T>& value) {
  nibble::simt::fill_fragment(f.simt, f.x, &value, NIBBLE_SIMT_PC);
}

template <class U, int M, int N, int K, class T, class L>
NIBBLE_SIMT_UNSEEN void load_matrix_sync(fragment<U, M, N, K, T, L>& f, const T* p, unsigned ldm) {
  static_assert(!std::is_void_v<L>, "an accumulator is loaded with mem_row_major or mem_col_major");
  nibble::simt::load_fragment(f.simt, f.x, p, ldm, std::is_same_v<L, row_major>, NIBBLE_SIMT_PC);
}
template <int M, int N, int K, class T>
NIBBLE_SIMT_UNSEEN void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const T* p,
                                         unsigned ldm, layout_t layout) {
  nibble::simt::load_fragment(f.simt, f.x, p, ldm, layout == mem_row_major, NIBBLE_SIMT_PC);
}
template <int M, int N, int K, class T>
NIBBLE_SIMT_UNSEEN void store_matrix_sync(T* p, const fragment<accumulator, M, N, K, T>& f,
                                          unsigned ldm, layout_t layout) {
  nibble::simt::store_fragment(f.simt, f.x, p, ldm, layout == mem_row_major, NIBBLE_SIMT_PC);
}

template <int M, int N, int K, class T, class LA, class LB, class TD, class TC>
NIBBLE_SIMT_UNSEEN void mma_sync(fragment<accumulator, M, N, K, TD>& d,
                                 const fragment<matrix_a, M, N, K, T, LA>& a,
                                 const fragment<matrix_b, M, N, K, T, LB>& b,
                                 const fragment<accumulator, M, N, K, TC>& c, bool satf = false) {
  static_assert(sizeof(T) != 1 || (std::is_same_v<TD, int> && std::is_same_v<TC, int>),
                "8-bit matrices are added up in int");
  static_assert(
      !std::is_same_v<T, __nv_bfloat16> || (std::is_same_v<TD, float> && std::is_same_v<TC, float>),
      "__nv_bfloat16 matrices are added up in float");
  static_assert(
      !std::is_same_v<T, __half> || (!std::is_same_v<TD, int> && !std::is_same_v<TC, int>),
      "__half matrices are added up in float or __half");
  nibble::simt::multiply_fragments({a.simt, c.simt, d.simt, a.x, b.x, c.x, d.x, satf},
                                   NIBBLE_SIMT_PC);
}

}  // namespace nvcuda::wmma
