// See format_functions.hpp. NIBBLE_FORMAT_FUNCTIONS names the function that hands out the tables.
#include "format_functions.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <bit>

#ifdef NIBBLE_SIMT
#include "nibble/simt/conversions.hpp"
#endif

namespace nibble::simt {
namespace {

using U16 = unsigned short;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

__half h(U32 code) { return __ushort_as_half(static_cast<U16>(code)); }
__nv_bfloat16 b(U32 code) { return __ushort_as_bfloat16(static_cast<U16>(code)); }
U64 bits(__half x) { return __half_as_ushort(x); }
U64 bits(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
U64 bits(float x) { return std::bit_cast<U32>(x); }
U64 bits(bool x) { return x ? 1 : 0; }
U64 bits(int x) { return static_cast<U32>(x); }
U64 bits(U32 x) { return x; }
U64 bits(long long x) { return static_cast<U64>(x); }
U64 bits(unsigned long long x) { return x; }
float f(U32 x) { return std::bit_cast<float>(x); }

// A pair with the two operands crosswise, so that its halves differ.
__half2 h2(U32 x, U32 y) { return __halves2half2(h(x), h(y)); }
__nv_bfloat162 b2(U32 x, U32 y) { return __halves2bfloat162(b(x), b(y)); }
U64 bits(__half2 x) { return bits(__low2half(x)) | bits(__high2half(x)) << 16; }
U64 bits(__nv_bfloat162 x) { return bits(__low2bfloat16(x)) | bits(__high2bfloat16(x)) << 16; }

// clang-format off
#define NIBBLE_OF(NAME, ...) {NAME, [](U32 x, [[maybe_unused]] U32 y) -> U64 { return bits(__VA_ARGS__); }}
#define NIBBLE_1(FUNCTION) NIBBLE_OF("half " #FUNCTION, FUNCTION(h(x))), NIBBLE_OF("bf16 " #FUNCTION, FUNCTION(b(x)))
#define NIBBLE_2(FUNCTION) NIBBLE_OF("half " #FUNCTION, FUNCTION(h(x), h(y))), NIBBLE_OF("bf16 " #FUNCTION, FUNCTION(b(x), b(y)))
#define NIBBLE_22(FUNCTION) NIBBLE_OF("half " #FUNCTION, FUNCTION(h2(x, y), h2(y, x))), NIBBLE_OF("bf16 " #FUNCTION, FUNCTION(b2(x, y), b2(y, x)))
#define NIBBLE_OPERATOR(SIGN) NIBBLE_OF("half " #SIGN, h(x) SIGN h(y)), NIBBLE_OF("bf16 " #SIGN, b(x) SIGN b(y)), \
  NIBBLE_OF("half2 " #SIGN, h2(x, y) SIGN h2(y, x)), NIBBLE_OF("bf162 " #SIGN, b2(x, y) SIGN b2(y, x))
// clang-format on

const FormatFunction kOfCode[] = {
    NIBBLE_1(__habs),
    NIBBLE_1(__hisinf),
    NIBBLE_1(__hisnan),
    NIBBLE_1(static_cast<float>),
    NIBBLE_1(static_cast<bool>),
    NIBBLE_1(static_cast<int>),
    NIBBLE_1(static_cast<unsigned>),
    NIBBLE_1(static_cast<short>),
    NIBBLE_1(static_cast<unsigned short>),
    NIBBLE_1(static_cast<signed char>),
    NIBBLE_1(static_cast<unsigned char>),
    NIBBLE_1(static_cast<long long>),
    NIBBLE_1(static_cast<unsigned long long>),
    NIBBLE_OF("half __int2half_rn", __int2half_rn(static_cast<int>(x))),
    NIBBLE_OF("half __int2half_rz", __int2half_rz(static_cast<int>(x) * 3 - 98304)),
    NIBBLE_OF("half __int2half_ru", __int2half_ru(static_cast<int>(x) * 3 - 98304)),
    NIBBLE_OF("half __int2half_rd", __int2half_rd(static_cast<int>(x) * 3 - 98304)),
    NIBBLE_OF("half __ll2half_rn", __ll2half_rn(static_cast<long long>(x) * 5 - 65536)),
    NIBBLE_OF("half __short2half_rn", __short2half_rn(static_cast<short>(x))),
    NIBBLE_OF("bf16 __int2bfloat16_rn", __int2bfloat16_rn(static_cast<int>(x * 65537u))),
    NIBBLE_OF("bf16 __ll2bfloat16_rn", __ll2bfloat16_rn(static_cast<long long>(x) << 40 | x)),
    NIBBLE_OF("bf16 to half", static_cast<__half>(b(x))),
    NIBBLE_OF("half to bf16", static_cast<__nv_bfloat16>(h(x))),
    NIBBLE_OF("half to e4m3", __nv_fp8_e4m3(h(x)).__x + 0u),
    NIBBLE_OF("half to e5m2", __nv_fp8_e5m2(h(x)).__x + 0u),
    NIBBLE_OF("bf16 to e4m3", __nv_fp8_e4m3(b(x)).__x + 0u),
    NIBBLE_OF("bf16 to e5m2", __nv_fp8_e5m2(b(x)).__x + 0u),
    NIBBLE_OF("half to e5m2, not saturating",
              __nv_cvt_halfraw_to_fp8(h(x), __NV_NOSAT, __NV_E5M2) + 0u),
};

const FormatFunction kOfCodes[] = {
    NIBBLE_2(__hadd),     NIBBLE_2(__hsub),       NIBBLE_2(__hmul),        NIBBLE_2(__hdiv),
    NIBBLE_2(__hadd_sat), NIBBLE_2(__hsub_sat),   NIBBLE_2(__hmul_sat),    NIBBLE_2(__hmax),
    NIBBLE_2(__hmin),     NIBBLE_2(__hmax_nan),   NIBBLE_2(__hmin_nan),    NIBBLE_2(__heq),
    NIBBLE_2(__hne),      NIBBLE_2(__hlt),        NIBBLE_2(__hle),         NIBBLE_2(__hgt),
    NIBBLE_2(__hge),      NIBBLE_2(__hequ),       NIBBLE_2(__hneu),        NIBBLE_2(__hltu),
    NIBBLE_2(__hleu),     NIBBLE_2(__hgtu),       NIBBLE_2(__hgeu),        NIBBLE_22(__hadd2),
    NIBBLE_22(__hmul2),   NIBBLE_22(__h2div),     NIBBLE_22(__hmax2),      NIBBLE_22(__heq2),
    NIBBLE_22(__hneu2),   NIBBLE_22(__hlt2_mask), NIBBLE_22(__hgeu2),      NIBBLE_22(__hble2),
    NIBBLE_22(__hbgtu2),  NIBBLE_22(__heq2_mask), NIBBLE_22(__hneu2_mask), NIBBLE_22(__hbne2),
    NIBBLE_OPERATOR(+),   NIBBLE_OPERATOR(-),     NIBBLE_OPERATOR(*),      NIBBLE_OPERATOR(/),
    NIBBLE_OPERATOR(==),  NIBBLE_OPERATOR(!=),    NIBBLE_OPERATOR(<),      NIBBLE_OPERATOR(>),
    NIBBLE_OPERATOR(<=),  NIBBLE_OPERATOR(>=),
};

const FormatFunction kOfFloat[] = {
    NIBBLE_OF("__float2half_rn", __float2half_rn(f(x))),
    NIBBLE_OF("__float2half_rz", __float2half_rz(f(x))),
    NIBBLE_OF("__float2half_ru", __float2half_ru(f(x))),
    NIBBLE_OF("__float2half_rd", __float2half_rd(f(x))),
    NIBBLE_OF("__double2half", __double2half(f(x) * (1 + 0x1p-30))),
    NIBBLE_OF("__float2bfloat16_rn", __float2bfloat16_rn(f(x))),
    NIBBLE_OF("__float2bfloat16_rz", __float2bfloat16_rz(f(x))),
    NIBBLE_OF("__float2bfloat16_ru", __float2bfloat16_ru(f(x))),
    NIBBLE_OF("__float2bfloat16_rd", __float2bfloat16_rd(f(x))),
    NIBBLE_OF("__double2bfloat16", __double2bfloat16(f(x) * (1 + 0x1p-30))),
    NIBBLE_OF("float to e4m3", __nv_fp8_e4m3(f(x)).__x + 0u),
    NIBBLE_OF("float to e5m2", __nv_fp8_e5m2(f(x)).__x + 0u),
    NIBBLE_OF("float to e4m3, not saturating",
              __nv_cvt_float_to_fp8(f(x), __NV_NOSAT, __NV_E4M3) + 0u),
    NIBBLE_OF("float to e5m2, not saturating",
              __nv_cvt_float_to_fp8(f(x), __NV_NOSAT, __NV_E5M2) + 0u),
    NIBBLE_OF("double to e4m3", __nv_fp8_e4m3(static_cast<double>(f(x))).__x + 0u),
    NIBBLE_OF("double to e5m2", __nv_fp8_e5m2(static_cast<double>(f(x))).__x + 0u),
};

__nv_fp8_e4m3 e4m3(U32 code) {
  __nv_fp8_e4m3 x;
  x.__x = static_cast<__nv_fp8_storage_t>(code);
  return x;
}
__nv_fp8_e5m2 e5m2(U32 code) {
  __nv_fp8_e5m2 x;
  x.__x = static_cast<__nv_fp8_storage_t>(code);
  return x;
}

#define NIBBLE_8(TYPE)                                     \
  NIBBLE_OF("e4m3 to " #TYPE, static_cast<TYPE>(e4m3(x))), \
      NIBBLE_OF("e5m2 to " #TYPE, static_cast<TYPE>(e5m2(x)))

const FormatFunction kOfByte[] = {
    NIBBLE_8(float),         NIBBLE_8(__half),
    NIBBLE_8(__nv_bfloat16), NIBBLE_8(bool),
    NIBBLE_8(int),           NIBBLE_8(unsigned),
    NIBBLE_8(short),         NIBBLE_8(unsigned short),
    NIBBLE_8(signed char),   NIBBLE_8(unsigned char),
    NIBBLE_8(long long),     NIBBLE_8(unsigned long long),
};

}  // namespace

FormatFunctions NIBBLE_FORMAT_FUNCTIONS() { return {kOfCode, kOfCodes, kOfFloat, kOfByte}; }

}  // namespace nibble::simt
