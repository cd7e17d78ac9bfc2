// Instructions of inline PTX that look at registers alone: conversions, arithmetic, moves.
#pragma once

#include <limits>
#include <type_traits>

#include "nibble/float_format.hpp"
#include "nibble/simt/conversions.hpp"
#include "nibble/simt/device.hpp"
#include "nibble/simt/integer_intrinsics.hpp"

namespace nibble::simt::ptx {

// -- operands -------------------------------------------------------------------------------------

template <class Register, class T>
constexpr bool kFits = sizeof(Register) == sizeof(T) &&
                       (std::is_floating_point_v<Register>
                            ? std::is_floating_point_v<T>
                            : std::is_integral_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>);

template <class Register, ByValue T>
NIBBLE_SIMT_INLINE constexpr Register in(T value) {
  static_assert(kFits<Register, T>,
                "an operand of inline PTX has the size and the kind of its constraint: \"r\" 32 "
                "bits, \"l\" 64 bits or a pointer, \"h\" 16 bits, \"f\" float, \"d\" double");
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<Register>(value);
  } else {
    return static_cast<Register>(value);
  }
}

template <class Reference, class Register>
NIBBLE_SIMT_INLINE constexpr auto out(Register value) {
  using T = std::remove_cvref_t<Reference>;
  static_assert(kFits<Register, T>,
                "an operand of inline PTX has the size and the kind of its constraint: \"r\" 32 "
                "bits, \"l\" 64 bits or a pointer, \"h\" 16 bits, \"f\" float, \"d\" double");
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(value);
  } else {
    return static_cast<T>(value);
  }
}

template <ByValue T>
NIBBLE_SIMT_INLINE constexpr long long constant(T value) {
  static_assert(std::is_integral_v<T> || std::is_enum_v<T>,
                "an operand \"n\" of inline PTX is a constant integer");
  return static_cast<long long>(value);
}

NIBBLE_SIMT_INLINE constexpr unsigned bits(float x) { return __builtin_bit_cast(unsigned, x); }
NIBBLE_SIMT_INLINE constexpr float number(unsigned code) { return __builtin_bit_cast(float, code); }

// -- conversions ----------------------------------------------------------------------------------

// clang-format off
#define NIBBLE_SIMT_PTX(SUFFIX, ROUNDING, TYPE, T)                                                   \
  NIBBLE_SIMT_PURE constexpr unsigned cvt_##SUFFIX##_##TYPE##_f32(float x) {                         \
    return static_cast<unsigned>(to_integer<T>(x, Rounding::ROUNDING)); }
#define NIBBLE_SIMT_PTX_ROUNDED(SUFFIX, ROUNDING)                                                    \
  NIBBLE_SIMT_PTX(SUFFIX, ROUNDING, s8, signed char)                                                 \
  NIBBLE_SIMT_PTX(SUFFIX, ROUNDING, u8, unsigned char)                                               \
  NIBBLE_SIMT_PTX(SUFFIX, ROUNDING, s16, short)                                                      \
  NIBBLE_SIMT_PTX(SUFFIX, ROUNDING, u16, unsigned short)                                             \
  NIBBLE_SIMT_PTX(SUFFIX, ROUNDING, s32, int)                                                        \
  NIBBLE_SIMT_PTX(SUFFIX, ROUNDING, u32, unsigned)                                                   \
  NIBBLE_SIMT_PURE constexpr float cvt_##SUFFIX##_f32_f32(float x) {                                 \
    return x != x ? x : static_cast<float>(round_to_whole(x, Rounding::ROUNDING)); }
NIBBLE_SIMT_PTX_ROUNDED(rni, kNearestEven)
NIBBLE_SIMT_PTX_ROUNDED(rzi, kTowardZero)
NIBBLE_SIMT_PTX_ROUNDED(rmi, kDown)
NIBBLE_SIMT_PTX_ROUNDED(rpi, kUp)
#undef NIBBLE_SIMT_PTX_ROUNDED
#undef NIBBLE_SIMT_PTX

#define NIBBLE_SIMT_PTX(SUFFIX, ROUNDING)                                                            \
  NIBBLE_SIMT_PURE constexpr float cvt_##SUFFIX##_f32_s32(unsigned x) {                              \
    return to_float(static_cast<int>(x), Rounding::ROUNDING); }                                      \
  NIBBLE_SIMT_PURE constexpr float cvt_##SUFFIX##_f32_u32(unsigned x) {                              \
    return to_float(x, Rounding::ROUNDING); }
NIBBLE_SIMT_PTX(rn, kNearestEven)
NIBBLE_SIMT_PTX(rz, kTowardZero)
NIBBLE_SIMT_PTX(rm, kDown)
NIBBLE_SIMT_PTX(rp, kUp)
#undef NIBBLE_SIMT_PTX

/// x clamped to what the type holds.
#define NIBBLE_SIMT_PTX(FROM, SOURCE, TYPE, T)                                                       \
  NIBBLE_SIMT_PURE constexpr unsigned cvt_sat_##TYPE##_##FROM(unsigned bits_of_x) {                  \
    const long long x = static_cast<SOURCE>(bits_of_x);                                              \
    constexpr long long kMin = std::numeric_limits<T>::min(), kMax = std::numeric_limits<T>::max();  \
    return static_cast<unsigned>(x < kMin ? kMin : x > kMax ? kMax : x); }
NIBBLE_SIMT_PTX(s32, int, s8, signed char)
NIBBLE_SIMT_PTX(s32, int, u8, unsigned char)
NIBBLE_SIMT_PTX(s32, int, s16, short)
NIBBLE_SIMT_PTX(s32, int, u16, unsigned short)
NIBBLE_SIMT_PTX(u32, unsigned, s8, signed char)
NIBBLE_SIMT_PTX(u32, unsigned, u8, unsigned char)
NIBBLE_SIMT_PTX(u32, unsigned, s16, short)
NIBBLE_SIMT_PTX(u32, unsigned, u16, unsigned short)
#undef NIBBLE_SIMT_PTX

#define NIBBLE_SIMT_PTX(FROM, T)                                                                     \
  NIBBLE_SIMT_PURE constexpr unsigned cvt_s32_##FROM(unsigned x) {                                   \
    return static_cast<unsigned>(static_cast<T>(x)); }                                               \
  NIBBLE_SIMT_PURE constexpr unsigned cvt_u32_##FROM(unsigned x) { return cvt_s32_##FROM(x); }
NIBBLE_SIMT_PTX(s8, signed char)
NIBBLE_SIMT_PTX(u8, unsigned char)
NIBBLE_SIMT_PTX(s16, short)
NIBBLE_SIMT_PTX(u16, unsigned short)
#undef NIBBLE_SIMT_PTX

#define NIBBLE_SIMT_PTX(TO, FROM)                                                                    \
  NIBBLE_SIMT_PURE constexpr unsigned cvt_##TO##32_##FROM##64(unsigned long long x) {                \
    return static_cast<unsigned>(x); }
NIBBLE_SIMT_PTX(u, u)
NIBBLE_SIMT_PTX(u, s)
NIBBLE_SIMT_PTX(s, u)
NIBBLE_SIMT_PTX(s, s)
#undef NIBBLE_SIMT_PTX
// clang-format on
NIBBLE_SIMT_PURE constexpr unsigned long long cvt_u64_u32(unsigned x) { return x; }
NIBBLE_SIMT_PURE constexpr unsigned long long cvt_s64_u32(unsigned x) { return x; }
NIBBLE_SIMT_PURE constexpr unsigned long long cvt_s64_s32(unsigned x) {
  return static_cast<unsigned long long>(static_cast<long long>(static_cast<int>(x)));
}
NIBBLE_SIMT_PURE constexpr unsigned long long cvt_u64_s32(unsigned x) { return cvt_s64_s32(x); }

NIBBLE_SIMT_PURE constexpr float cvt_sat_f32_f32(float x) { return __saturatef(x); }
NIBBLE_SIMT_PURE constexpr unsigned short cvt_rn_f16_f32(float x) {
  return static_cast<unsigned short>(encode<HalfFormat>(x));
}
NIBBLE_SIMT_PURE constexpr unsigned short cvt_rn_bf16_f32(float x) {
  return static_cast<unsigned short>(encode<Bfloat16Format>(x));
}
NIBBLE_SIMT_PURE constexpr float cvt_f32_f16(unsigned short code) {
  return decode<HalfFormat>(code);
}
// Of two, the first becomes the upper half.
NIBBLE_SIMT_PURE constexpr unsigned cvt_rn_f16x2_f32(float high, float low) {
  return encode<HalfFormat>(high) << 16 | encode<HalfFormat>(low);
}
NIBBLE_SIMT_PURE constexpr unsigned cvt_rn_bf16x2_f32(float high, float low) {
  return encode<Bfloat16Format>(high) << 16 | encode<Bfloat16Format>(low);
}
template <class Format>
NIBBLE_SIMT_PURE constexpr unsigned short two_bytes(float high, float low) {
  constexpr auto kRounding = Rounding::kNearestEven;
  return static_cast<unsigned short>(encode<Format>(high, kRounding, Overflow::kSaturate) << 8 |
                                     encode<Format>(low, kRounding, Overflow::kSaturate));
}
NIBBLE_SIMT_PURE constexpr unsigned short cvt_rn_satfinite_e4m3x2_f32(float high, float low) {
  return two_bytes<E4m3Format>(high, low);
}
NIBBLE_SIMT_PURE constexpr unsigned short cvt_rn_satfinite_e5m2x2_f32(float high, float low) {
  return two_bytes<E5m2Format>(high, low);
}

// -- integers -------------------------------------------------------------------------------------

inline unsigned dp4a_s32_s32(unsigned a, unsigned b, unsigned c) {
  return static_cast<unsigned>(
      __dp4a(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)));
}
inline unsigned dp4a_u32_u32(unsigned a, unsigned b, unsigned c) { return __dp4a(a, b, c); }
NIBBLE_SIMT_QUIET inline unsigned dp4a_s32_u32(unsigned a, unsigned b, unsigned c) {
  count(kDp4a, 1);
  for (int i = 0; i < 4; ++i)
    c += static_cast<unsigned>(lane<signed char>(a, i) * lane<unsigned char>(b, i));
  return c;
}
inline unsigned dp4a_u32_s32(unsigned a, unsigned b, unsigned c) { return dp4a_s32_u32(b, a, c); }

// clang-format off
#define NIBBLE_SIMT_PTX(TYPE, T, WIDE)                                                               \
  NIBBLE_SIMT_PURE constexpr unsigned add_##TYPE(unsigned a, unsigned b) { return a + b; }           \
  NIBBLE_SIMT_PURE constexpr unsigned sub_##TYPE(unsigned a, unsigned b) { return a - b; }           \
  NIBBLE_SIMT_PURE constexpr unsigned min_##TYPE(unsigned a, unsigned b) {                           \
    return static_cast<T>(a) < static_cast<T>(b) ? a : b; }                                          \
  NIBBLE_SIMT_PURE constexpr unsigned max_##TYPE(unsigned a, unsigned b) {                           \
    return static_cast<T>(a) > static_cast<T>(b) ? a : b; }                                          \
  NIBBLE_SIMT_PURE constexpr unsigned mul_lo_##TYPE(unsigned a, unsigned b) { return a * b; }        \
  NIBBLE_SIMT_PURE constexpr unsigned mul_hi_##TYPE(unsigned a, unsigned b) {                        \
    return static_cast<unsigned>(static_cast<WIDE>(static_cast<T>(a)) * static_cast<T>(b) >> 32); }  \
  NIBBLE_SIMT_PURE constexpr unsigned mad_lo_##TYPE(unsigned a, unsigned b, unsigned c) {            \
    return a * b + c; }                                                                              \
  NIBBLE_SIMT_PURE constexpr unsigned mad_hi_##TYPE(unsigned a, unsigned b, unsigned c) {            \
    return mul_hi_##TYPE(a, b) + c; }                                                                \
  NIBBLE_SIMT_PURE constexpr unsigned shr_##TYPE(unsigned a, unsigned n) {                           \
    return static_cast<unsigned>(static_cast<WIDE>(static_cast<T>(a)) >> (n < 32 ? n : 32)); }       \
  NIBBLE_SIMT_PURE constexpr bool setp_lt_##TYPE(unsigned a, unsigned b) {                           \
    return static_cast<T>(a) < static_cast<T>(b); }                                                  \
  NIBBLE_SIMT_PURE constexpr bool setp_le_##TYPE(unsigned a, unsigned b) {                           \
    return static_cast<T>(a) <= static_cast<T>(b); }                                                 \
  NIBBLE_SIMT_PURE constexpr bool setp_gt_##TYPE(unsigned a, unsigned b) {                           \
    return static_cast<T>(a) > static_cast<T>(b); }                                                  \
  NIBBLE_SIMT_PURE constexpr bool setp_ge_##TYPE(unsigned a, unsigned b) {                           \
    return static_cast<T>(a) >= static_cast<T>(b); }                                                 \
  NIBBLE_SIMT_PURE constexpr bool setp_eq_##TYPE(unsigned a, unsigned b) { return a == b; }          \
  NIBBLE_SIMT_PURE constexpr bool setp_ne_##TYPE(unsigned a, unsigned b) { return a != b; }
NIBBLE_SIMT_PTX(s32, int, long long)
NIBBLE_SIMT_PTX(u32, unsigned, unsigned long long)
#undef NIBBLE_SIMT_PTX
// clang-format on
NIBBLE_SIMT_PURE constexpr bool setp_eq_b32(unsigned a, unsigned b) { return a == b; }
NIBBLE_SIMT_PURE constexpr bool setp_ne_b32(unsigned a, unsigned b) { return a != b; }

NIBBLE_SIMT_PURE constexpr unsigned abs_s32(unsigned a) { return a >> 31 != 0 ? 0 - a : a; }
NIBBLE_SIMT_PURE constexpr unsigned neg_s32(unsigned a) { return 0 - a; }
NIBBLE_SIMT_PURE constexpr unsigned and_b32(unsigned a, unsigned b) { return a & b; }
NIBBLE_SIMT_PURE constexpr unsigned or_b32(unsigned a, unsigned b) { return a | b; }
NIBBLE_SIMT_PURE constexpr unsigned xor_b32(unsigned a, unsigned b) { return a ^ b; }
NIBBLE_SIMT_PURE constexpr unsigned not_b32(unsigned a) { return ~a; }
NIBBLE_SIMT_PURE constexpr unsigned shl_b32(unsigned a, unsigned n) { return n < 32 ? a << n : 0; }
NIBBLE_SIMT_PURE constexpr unsigned shr_b32(unsigned a, unsigned n) { return shr_u32(a, n); }

inline unsigned popc_b32(unsigned a) { return static_cast<unsigned>(__popc(a)); }
NIBBLE_SIMT_PURE constexpr unsigned brev_b32(unsigned a) { return __brev(a); }
NIBBLE_SIMT_PURE constexpr unsigned clz_b32(unsigned a) {
  return static_cast<unsigned>(__clz(static_cast<int>(a)));
}

/// `length` bits of a from bit `first` on; of what is signed the last of them, or bit 31, goes on.
NIBBLE_SIMT_PURE constexpr unsigned bfe_u32(unsigned a, unsigned first, unsigned length) {
  first &= 0xff;
  length &= 0xff;
  const unsigned mask = length < 32 ? (1u << length) - 1 : ~0u;
  return shr_u32(a, first) & mask;
}
NIBBLE_SIMT_PURE constexpr unsigned bfe_s32(unsigned a, unsigned first, unsigned length) {
  first &= 0xff;
  length &= 0xff;
  if (length == 0) return 0;
  const unsigned last = first + length - 1 < 31 ? first + length - 1 : 31;
  const unsigned sign = a >> last & 1;
  const unsigned mask = length < 32 ? (1u << length) - 1 : ~0u;
  const unsigned kept = last < 31 || first + length == 32 ? length : first < 32 ? 32 - first : 0;
  const unsigned of_a = kept < 32 ? (1u << kept) - 1 : ~0u;
  const unsigned bits_of_a = shr_u32(a, first) & mask & of_a;
  return sign != 0 ? bits_of_a | ~of_a : bits_of_a;
}
/// b with `length` bits of a in it, from bit `first` on.
NIBBLE_SIMT_PURE constexpr unsigned bfi_b32(unsigned a, unsigned b, unsigned first,
                                            unsigned length) {
  first &= 0xff;
  length &= 0xff;
  const unsigned mask = shl_b32(length < 32 ? (1u << length) - 1 : ~0u, first);
  return (b & ~mask) | (shl_b32(a, first) & mask);
}
/// __byte_perm, but that the upper bit of a choice asks for the byte's sign, eight times.
NIBBLE_SIMT_PURE constexpr unsigned prmt_b32(unsigned a, unsigned b, unsigned selector) {
  unsigned result = __byte_perm(a, b, selector);
  for (int i = 0; i < 4; ++i) {
    if ((selector >> (4 * i) & 8) == 0) continue;
    const unsigned byte = 0xffu << (8 * i);
    result = (result >> (8 * i) & 0x80) != 0 ? result | byte : result & ~byte;
  }
  return result;
}
/// Bit i of the table is the answer for bits that are i, that of a first.
template <long long kTable>
NIBBLE_SIMT_PURE constexpr unsigned lop3_b32(unsigned a, unsigned b, unsigned c) {
  static_assert(kTable >= 0 && kTable < 256, "the table of lop3 has eight bits");
  unsigned result = 0;
  for (int i = 0; i < 8; ++i) {
    if ((kTable >> i & 1) == 0) continue;
    result |= ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
  }
  return result;
}

// -- floats ---------------------------------------------------------------------------------------

NIBBLE_SIMT_PURE inline float add_f32(float a, float b) { return __fadd_rn(a, b); }
NIBBLE_SIMT_PURE inline float sub_f32(float a, float b) { return __fsub_rn(a, b); }
NIBBLE_SIMT_PURE inline float mul_f32(float a, float b) { return __fmul_rn(a, b); }
NIBBLE_SIMT_PURE inline float fma_rn_f32(float a, float b, float c) { return __fmaf_rn(a, b, c); }
NIBBLE_SIMT_PURE inline float min_f32(float a, float b) { return __builtin_fminf(a, b); }
NIBBLE_SIMT_PURE inline float max_f32(float a, float b) { return __builtin_fmaxf(a, b); }
NIBBLE_SIMT_PURE inline float abs_f32(float a) { return __builtin_fabsf(a); }
NIBBLE_SIMT_PURE inline float neg_f32(float a) { return -a; }
NIBBLE_SIMT_PURE inline float ex2_approx_f32(float a) { return __builtin_exp2f(a); }
NIBBLE_SIMT_PURE inline float lg2_approx_f32(float a) { return __builtin_log2f(a); }
NIBBLE_SIMT_PURE inline float rcp_approx_f32(float a) { return 1 / a; }
NIBBLE_SIMT_PURE inline float rsqrt_approx_f32(float a) { return __frsqrt_rn(a); }
NIBBLE_SIMT_PURE inline float sqrt_approx_f32(float a) { return __builtin_sqrtf(a); }

NIBBLE_SIMT_PURE constexpr bool setp_eq_f32(float a, float b) { return a == b; }
NIBBLE_SIMT_PURE constexpr bool setp_ne_f32(float a, float b) { return a < b || a > b; }
NIBBLE_SIMT_PURE constexpr bool setp_lt_f32(float a, float b) { return a < b; }
NIBBLE_SIMT_PURE constexpr bool setp_le_f32(float a, float b) { return a <= b; }
NIBBLE_SIMT_PURE constexpr bool setp_gt_f32(float a, float b) { return a > b; }
NIBBLE_SIMT_PURE constexpr bool setp_ge_f32(float a, float b) { return a >= b; }

// -- registers ------------------------------------------------------------------------------------

// clang-format off
#define NIBBLE_SIMT_PTX(TYPE)                                                                        \
  NIBBLE_SIMT_PURE constexpr unsigned mov_##TYPE##32(unsigned a) { return a; }                       \
  NIBBLE_SIMT_PURE constexpr unsigned selp_##TYPE##32(unsigned a, unsigned b, bool p) {              \
    return p ? a : b; }
NIBBLE_SIMT_PTX(b)
NIBBLE_SIMT_PTX(u)
NIBBLE_SIMT_PTX(s)
NIBBLE_SIMT_PTX(f)
#undef NIBBLE_SIMT_PTX
// clang-format on
NIBBLE_SIMT_PURE constexpr unsigned mov_b32(unsigned short low, unsigned short high) {
  return unsigned{high} << 16 | low;
}
NIBBLE_SIMT_QUIET inline void mov_b32(unsigned short& low, unsigned short& high, unsigned a) {
  low = static_cast<unsigned short>(a);
  high = static_cast<unsigned short>(a >> 16);
}
NIBBLE_SIMT_PURE constexpr unsigned long long mov_b64(unsigned long long a) { return a; }
NIBBLE_SIMT_PURE constexpr unsigned long long mov_u64(unsigned long long a) { return a; }
NIBBLE_SIMT_PURE constexpr unsigned long long mov_s64(unsigned long long a) { return a; }
NIBBLE_SIMT_PURE constexpr unsigned long long mov_b64(unsigned low, unsigned high) {
  return static_cast<unsigned long long>(high) << 32 | low;
}
NIBBLE_SIMT_QUIET inline void mov_b64(unsigned& low, unsigned& high, unsigned long long a) {
  low = static_cast<unsigned>(a);
  high = static_cast<unsigned>(a >> 32);
}

}  // namespace nibble::simt::ptx
