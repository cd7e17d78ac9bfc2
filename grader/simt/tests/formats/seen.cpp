// See seen.hpp.
#include "seen.hpp"

#include "nibble/simt/integer_intrinsics.hpp"

namespace nibble::simt {
namespace {

// clang-format off
#define NIBBLE_SEES(ACCESSES, ...) {#__VA_ARGS__, [](Arrays& a) { __VA_ARGS__; }, ACCESSES}
// clang-format on

constexpr Statement kStatements[] = {
    NIBBLE_SEES("r2 w2", a.h[0] = a.h[1]),
    NIBBLE_SEES("r4 w2", a.h[0] = __float2half(a.f[1])),
    NIBBLE_SEES("r2 w4", a.f[0] = __half2float(a.h[1])),
    NIBBLE_SEES("r2 w4", a.f[0] = a.h[1]),
    NIBBLE_SEES("w2", a.h[0] = 1.0f),
    NIBBLE_SEES("r2 r2 w2", a.h[0] = a.h[1] + a.h[2]),
    NIBBLE_SEES("r2 r2 w2", a.h[0] = __hmul(a.h[1], a.h[2])),
    NIBBLE_SEES("r2 r2 r2 w2", a.h[0] = __hfma(a.h[1], a.h[2], a.h[3])),
    NIBBLE_SEES("r2 r2 w2", a.h[0] += a.h[1]),
    NIBBLE_SEES("r2 r2 w4", a.i[0] = a.h[1] < a.h[2]),
    NIBBLE_SEES("r2 w4", a.i[0] = __half2int_rn(a.h[1])),
    NIBBLE_SEES("r4 w4", a.h2[0] = a.h2[1]),
    NIBBLE_SEES("r4 r4 r4 w4", a.h2[0] = __hfma2(a.h2[1], a.h2[2], a.h2[3])),
    NIBBLE_SEES("r4 r4 w4", a.h2[0] += a.h2[1]),
    NIBBLE_SEES("r4 r4 w4", a.h2[0] = __floats2half2_rn(a.f[0], a.f[1])),
    NIBBLE_SEES("r2 r2 w4", a.h2[0] = __halves2half2(a.h[0], a.h[1])),
    NIBBLE_SEES("r8 w4", a.h2[0] = __float22half2_rn(a.f2[0])),
    NIBBLE_SEES("r4 w8", a.f2[0] = __half22float2(a.h2[0])),
    NIBBLE_SEES("r4 w4", a.f[0] = __low2float(a.h2[1])),
    NIBBLE_SEES("r2 w2", a.h2[0].x = a.h2[1].y),
    NIBBLE_SEES("r2 r2 w2", a.b[0] = a.b[1] * a.b[2]),
    NIBBLE_SEES("r4 w2", a.b[0] = __float2bfloat16(a.f[0])),
    NIBBLE_SEES("r2 w4", a.f[0] = __bfloat162float(a.b[0])),
    NIBBLE_SEES("r4 w1", a.e[0] = __nv_fp8_e4m3(a.f[0])),
    NIBBLE_SEES("r2 w1", a.e[0] = __nv_fp8_e4m3(a.h[0])),
    NIBBLE_SEES("r1 w4", a.f[0] = static_cast<float>(a.e[0])),
    NIBBLE_SEES("r4 w1", a.e[0].__x = __nv_cvt_float_to_fp8(a.f[0], __NV_SATFINITE, __NV_E4M3)),
    NIBBLE_SEES("r4 w2", a.e2[0] = __nv_fp8x2_e4m3(a.h2[0])),
    NIBBLE_SEES("r2 w4", a.h2[0] = static_cast<__half2>(a.e2[0])),
    NIBBLE_SEES("r16 w4", a.e4[0] = __nv_fp8x4_e4m3(a.f4[0])),
    NIBBLE_SEES("r4 w16", a.f4[0] = static_cast<float4>(a.e4[0])),
    NIBBLE_SEES("r4 r4 r4 w4", a.i[0] = __dp4a(a.c4[0], a.c4[1], a.i[1])),
    NIBBLE_SEES("r4 r4 r4 w4", a.i[0] = __dp2a_lo(a.i[1], a.i[2], a.i[3])),
};

}  // namespace

std::span<const Statement> statements() { return kStatements; }

}  // namespace nibble::simt
