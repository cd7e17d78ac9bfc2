// CUDA's names for its number formats, each used once: nvcc takes this file, and so do g++ and
// clang++ with the engine's headers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#ifndef __CUDACC__
#include "nibble/simt/conversions.hpp"
#include "nibble/simt/integer_intrinsics.hpp"
#endif

__global__ void half_arithmetic(const __half* x, const __half2* x2, __half* y, __half2* y2) {
  const half a = x[0], b = x[1], c = x[2];
  const half2 p = x2[0], q = x2[1], r = x2[2];
  y[0] = __hadd(a, b);
  y[1] = __hsub(a, b);
  y[2] = __hmul(a, b);
  y[3] = __hdiv(a, b);
  y[4] = __hfma(a, b, c);
  y[5] = __hneg(__habs(a));
  y[6] = __hmax(__hmin(a, b), __hmax_nan(a, __hmin_nan(b, c)));
  y[7] = __hadd_rn(__hsub_rn(a, b), __hmul_rn(a, b));
  y[8] = __hadd_sat(__hsub_sat(a, b), __hmul_sat(a, b));
  y[9] = __hfma_sat(a, b, __hfma_relu(a, b, c));
  y[10] = a + b - a * b / c;
  y[11] = -a;
  y[12] += a;
  y[13] *= b;
  ++y[14];
  y[15]--;
  y[16] = 1.0f;
  y[17] = 3;
  y[18] = 0.5;
  y[19] = hrint(htrunc(hceil(hfloor(a))));
  y[20] = hsqrt(hrsqrt(hrcp(a)));
  y[21] = hexp(hexp2(hexp10(hlog(hlog2(hlog10(hsin(hcos(a))))))));
  y2[0] = __hadd2(__hsub2(p, q), __hmul2(p, __h2div(q, r)));
  y2[1] = __hfma2(p, q, __hneg2(__habs2(r)));
  y2[2] = __hmax2(__hmin2(p, q), __hmax2_nan(p, __hmin2_nan(q, r)));
  y2[3] = __hadd2_sat(__hsub2_sat(p, q), __hmul2_sat(p, q));
  y2[4] = __hadd2_rn(__hsub2_rn(p, q), __hmul2_rn(p, q));
  y2[5] = __hfma2_sat(p, q, __hfma2_relu(p, q, r));
  y2[6] = p + q * r - p / q;
  y2[7] += -p;
  y2[8] = h2rint(h2trunc(h2ceil(h2floor(p))));
  y2[9] = h2sqrt(h2rsqrt(h2rcp(h2exp(h2exp2(h2exp10(h2log(h2log2(h2log10(h2sin(h2cos(p)))))))))));
}

__global__ void half_comparisons(const __half* x, const __half2* x2, int* y, __half2* y2) {
  const half a = x[0], b = x[1];
  const half2 p = x2[0], q = x2[1];
  y[0] = __heq(a, b) + __hne(a, b) + __hlt(a, b) + __hle(a, b) + __hgt(a, b) + __hge(a, b);
  y[1] = __hequ(a, b) + __hneu(a, b) + __hltu(a, b) + __hleu(a, b) + __hgtu(a, b) + __hgeu(a, b);
  y[2] = __hisnan(a) + __hisinf(b);
  y[3] = (a == b) + (a != b) + (a < b) + (a <= b) + (a > b) + (a >= b);
  y[4] =
      __hbeq2(p, q) + __hbne2(p, q) + __hblt2(p, q) + __hble2(p, q) + __hbgt2(p, q) + __hbge2(p, q);
  y[5] = __hbequ2(p, q) + __hbneu2(p, q) + __hbltu2(p, q) + __hbleu2(p, q) + __hbgtu2(p, q) +
         __hbgeu2(p, q);
  y[6] = (p == q) + (p != q) + (p < q) + (p <= q) + (p > q) + (p >= q);
  y[7] = __heq2_mask(p, q) | __hne2_mask(p, q) | __hlt2_mask(p, q) | __hltu2_mask(p, q);
  y2[0] = __hmax2(__heq2(p, q), __hmax2(__hne2(p, q), __hlt2(p, q)));
  y2[1] = __hmax2(__hle2(p, q), __hmax2(__hgt2(p, q), __hge2(p, q)));
  y2[2] = __hmax2(__hequ2(p, q), __hmax2(__hneu2(p, q), __hisnan2(p)));
}

__global__ void half_conversions(const float* x, const float2* x2, const int* n, __half* y,
                                 __half2* y2, float* z, int* i, long long* l) {
  y[0] = __float2half(x[0]);
  y[1] = __float2half_rn(x[0]);
  y[2] = __float2half_rz(x[0]);
  y[3] = __float2half_ru(x[0]);
  y[4] = __float2half_rd(x[0]);
  y[5] = __double2half(x[0]);
  y[6] = __int2half_rn(n[0]);
  y[7] = __int2half_rz(n[0]);
  y[8] = __short2half_rn(static_cast<short>(n[0]));
  y[9] = __ushort2half_ru(static_cast<unsigned short>(n[0]));
  y[10] = __uint2half_rd(static_cast<unsigned>(n[0]));
  y[11] = __ll2half_rn(n[0]);
  y[12] = __ull2half_rn(static_cast<unsigned long long>(n[0]));
  y[13] = __ushort_as_half(0x3C00);
  y[14] = __short_as_half(0x3C00);
  y[15] = __low2half(y2[0]);
  y[16] = __high2half(y2[0]);
  y2[1] = __floats2half2_rn(x[0], x[1]);
  y2[2] = __float2half2_rn(x[0]);
  y2[3] = __float22half2_rn(x2[0]);
  y2[4] = __halves2half2(y[0], y[1]);
  y2[5] = __half2half2(y[0]);
  y2[6] = make_half2(y[0], y[1]);
  y2[7] = __lows2half2(y2[0], y2[1]);
  y2[8] = __highs2half2(y2[0], y2[1]);
  y2[9] = __low2half2(__high2half2(__lowhigh2highlow(y2[0])));
  y2[10] = __half2(y[0], y[1]);
  y2[11].x = y2[12].y;
  z[0] = __half2float(y[0]);
  z[1] = y[1];
  z[2] = __low2float(y2[0]) + __high2float(y2[0]);
  z[3] = __half22float2(y2[0]).y;
  z[4] = static_cast<float>(y[2]);
  i[0] = __half2int_rn(y[0]) + __half2int_rz(y[0]) + __half2int_ru(y[0]) + __half2int_rd(y[0]);
  i[1] = __half2short_rn(y[0]) + __half2ushort_rz(y[0]);
  i[2] = static_cast<int>(__half2uint_rn(y[0])) + __half2char_rz(y[0]) + __half2uchar_rz(y[0]);
  i[3] = __half_as_ushort(y[0]) + __half_as_short(y[0]);
  i[4] = static_cast<int>(y[3]);
  l[0] = __half2ll_rn(y[0]) + static_cast<long long>(__half2ull_rz(y[0]));
}

__global__ void bfloat16(const __nv_bfloat16* x, const __nv_bfloat162* x2, const float* f,
                         const float2* f2, __nv_bfloat16* y, __nv_bfloat162* y2, float* z, int* i) {
  const nv_bfloat16 a = x[0], b = x[1], c = x[2];
  const nv_bfloat162 p = x2[0], q = x2[1], r = x2[2];
  y[0] = __hfma(a, b, __hadd(a, __hsub(b, __hmul(a, __hdiv(b, c)))));
  y[1] = __hmax(__hmin(a, b), __hmax_nan(a, __hneg(__habs(c))));
  y[2] = a + b * c - a / b;
  y[3] += -a;
  y[4] = 1.0f;
  y[5] = __float2bfloat16(f[0]);
  y[6] = __float2bfloat16_rn(f[0]);
  y[7] = __float2bfloat16_rz(f[0]);
  y[8] = __double2bfloat16(f[0]);
  y[9] = __int2bfloat16_rn(i[0]);
  y[10] = __ushort_as_bfloat16(0x3F80);
  y[11] = __low2bfloat16(p);
  y[12] = __high2bfloat16(p);
  y[13] = hrint(hsqrt(hexp(a)));
  y2[0] = __hfma2(p, q, __hadd2(p, __hmul2(q, r)));
  y2[1] = __floats2bfloat162_rn(f[0], f[1]);
  y2[2] = __float2bfloat162_rn(f[0]);
  y2[3] = __float22bfloat162_rn(f2[0]);
  y2[4] = __halves2bfloat162(a, b);
  y2[5] = __bfloat162bfloat162(a);
  y2[6] = make_bfloat162(a, b);
  y2[7] = __lows2bfloat162(p, __highs2bfloat162(p, q));
  y2[8] = __low2bfloat162(__high2bfloat162(__lowhigh2highlow(p)));
  z[0] = __bfloat162float(a) + __low2float(p) + __high2float(p) + __bfloat1622float2(p).x;
  z[1] = b;
  i[1] = __bfloat162int_rn(a) + __bfloat162int_rz(a) + __bfloat162short_rn(a);
  i[2] = __bfloat16_as_ushort(a) + __heq(a, b) + (a < b) + __hisnan(a) + __hbeq2(p, q);
}

__global__ void fp8(const float* x, const float2* x2, const float4* x4, const __half* h,
                    const __half2* h2, const __nv_bfloat16* b, __nv_fp8_e4m3* e4, __nv_fp8_e5m2* e5,
                    __nv_fp8x2_e4m3* e4x2, __nv_fp8x4_e4m3* e4x4, __nv_fp8x4_e5m2* e5x4, float* z,
                    __half* y, __half2* y2, float4* z4) {
  e4[0] = __nv_fp8_e4m3(x[0]);
  e4[1] = __nv_fp8_e4m3(h[0]);
  e4[2] = __nv_fp8_e4m3(b[0]);
  e4[3] = static_cast<__nv_fp8_e4m3>(2.0);
  e4[4].__x = __nv_cvt_float_to_fp8(x[0], __NV_SATFINITE, __NV_E4M3);
  e5[0] = __nv_fp8_e5m2(x[0]);
  e5[1] = __nv_fp8_e5m2(3);
  e5[2].__x = __nv_cvt_float_to_fp8(x[0], __NV_NOSAT, __NV_E5M2);
  e5[3].__x = __nv_cvt_double_to_fp8(x[0], __NV_NOSAT, __NV_E5M2);
  e5[4].__x = __nv_cvt_halfraw_to_fp8(h[0], __NV_SATFINITE, __NV_E5M2);
  e5[5].__x = __nv_cvt_bfloat16raw_to_fp8(b[0], __NV_SATFINITE, __NV_E5M2);
  e4x2[0] = __nv_fp8x2_e4m3(x2[0]);
  e4x2[1] = __nv_fp8x2_e4m3(h2[0]);
  e4x2[2].__x = __nv_cvt_float2_to_fp8x2(x2[0], __NV_SATFINITE, __NV_E4M3);
  e4x2[3].__x = __nv_cvt_halfraw2_to_fp8x2(h2[0], __NV_SATFINITE, __NV_E4M3);
  e4x4[0] = __nv_fp8x4_e4m3(x4[0]);
  e4x4[1] = __nv_fp8x4_e4m3(h2[0], h2[1]);
  e5x4[0] = __nv_fp8x4_e5m2(x4[0]);
  const __nv_fp8_storage_t one = e4[0].__x;
  const __nv_fp8x2_storage_t two = e4x2[0].__x;
  const __nv_fp8x4_storage_t four = e4x4[0].__x;
  y[0] = __nv_cvt_fp8_to_halfraw(one, __NV_E4M3);
  y[1] = static_cast<__half>(e5[0]);
  y2[0] = __nv_cvt_fp8x2_to_halfraw2(two, __NV_E4M3);
  y2[1] = static_cast<__half2>(e4x2[1]);
  z[0] = static_cast<float>(e4[0]) + float(e5[0]) + static_cast<float>(four & 0xFF);
  z[1] = static_cast<float2>(e4x2[0]).x;
  z4[0] = static_cast<float4>(e4x4[0]);
}

__global__ void conversions(const float* x, const double* d, const int* n, int* i, unsigned* u,
                            long long* l, float* z) {
  i[0] = __float2int_rn(x[0]) + __float2int_rz(x[0]) + __float2int_ru(x[0]) + __float2int_rd(x[0]);
  u[0] = __float2uint_rn(x[0]) + __float2uint_rz(x[0]);
  l[0] = __float2ll_rn(x[0]) + static_cast<long long>(__float2ull_rn(x[0]));
  l[1] = __double2ll_rn(d[0]) + __double2int_rn(d[0]) + __double2uint_rz(d[0]);
  z[0] =
      __int2float_rn(n[0]) + __uint2float_rz(u[0]) + __ll2float_ru(l[0]) + __double2float_rn(d[0]);
  i[1] = __float_as_int(x[0]);
  z[1] = __int_as_float(n[0]) + __uint_as_float(__float_as_uint(x[0]));
  l[2] = __double_as_longlong(d[0]);
  z[2] = __fadd_rn(x[0], __fmul_rn(x[1], x[2])) + __fmaf_rn(x[0], x[1], x[2]);
  z[3] = __fadd_rz(x[0], __fmul_ru(x[1], x[2])) + __fmaf_rd(x[0], x[1], x[2]);
  z[4] = __fdiv_rn(x[0], x[1]) + __frcp_rn(x[0]) + __fsqrt_rn(x[0]) + __frsqrt_rn(x[0]);
  z[5] = __saturatef(x[0]) + rsqrtf(x[0]) + __fdividef(x[0], x[1]);
  z[6] = __expf(x[0]) + __logf(x[0]) + __sinf(x[0]) + __cosf(x[0]) + __powf(x[0], x[1]);
  z[7] = __exp10f(x[0]) + __log2f(x[0]) + __log10f(x[0]) + __tanf(x[0]);
}

__global__ void integers(const int* x, const unsigned* u, const char4* c, const uchar4* b, int* y,
                         unsigned* w, float* z) {
  y[0] = __dp4a(x[0], x[1], x[2]) + __dp4a(c[0], c[1], x[2]);
  w[0] = __dp4a(u[0], u[1], u[2]) + __dp4a(b[0], b[1], u[2]);
  y[1] = __dp2a_lo(x[0], x[1], x[2]) + __dp2a_hi(x[0], x[1], x[2]);
  w[1] = __dp2a_lo(u[0], u[1], u[2]) + __dp2a_hi(u[0], u[1], u[2]);
  y[2] = __popc(u[0]) + __popcll(u[0]) + __ffs(x[0]) + __ffsll(x[0]) + __clz(x[0]) + __clzll(x[0]);
  w[2] = __brev(u[0]) + static_cast<unsigned>(__brevll(u[0])) + __byte_perm(u[0], u[1], 0x5410);
  w[3] = __funnelshift_l(u[0], u[1], 3) + __funnelshift_r(u[0], u[1], 3);
  w[4] = __funnelshift_lc(u[0], u[1], 3) + __funnelshift_rc(u[0], u[1], 3);
  y[3] = __mulhi(x[0], x[1]) + __mul24(x[0], x[1]) + __hadd(x[0], x[1]) + __rhadd(x[0], x[1]);
  w[5] = __umulhi(u[0], u[1]) + __umul24(u[0], u[1]) + __uhadd(u[0], u[1]) + __urhadd(u[0], u[1]);
  y[4] = static_cast<int>(__mul64hi(x[0], x[1]));
  w[6] = static_cast<unsigned>(__umul64hi(u[0], u[1]));
  w[7] = __sad(x[0], x[1], u[0]) + __usad(u[0], u[1], u[2]);
  w[8] = __vadd4(u[0], u[1]) ^ __vaddss4(u[0], u[1]) ^ __vaddus4(u[0], u[1]) ^ __vadd2(u[0], u[1]);
  w[9] = __vsub4(u[0], u[1]) ^ __vsubss4(u[0], u[1]) ^ __vsubus4(u[0], u[1]) ^ __vsub2(u[0], u[1]);
  w[10] = __vmaxs4(u[0], u[1]) ^ __vmaxu4(u[0], u[1]) ^ __vmins2(u[0], u[1]) ^ __vminu2(u[0], u[1]);
  w[11] = __vabsdiffs4(u[0], u[1]) ^ __vabsdiffu4(u[0], u[1]) ^ __vabs4(u[0]) ^ __vabsss4(u[0]);
  w[12] = __vavgs4(u[0], u[1]) ^ __vavgu4(u[0], u[1]) ^ __vhaddu4(u[0], u[1]) ^ __vneg4(u[0]);
  w[13] = __vsads4(u[0], u[1]) ^ __vsadu4(u[0], u[1]) ^ __vnegss4(u[0]);
  w[14] = __vcmpeq4(u[0], u[1]) ^ __vcmpgts4(u[0], u[1]) ^ __vseteq4(u[0], u[1]) ^
          __vsetltu2(u[0], u[1]);
  y[5] = min(x[0], x[1]) + max(x[0], x[1]);
  w[15] = min(u[0], 7u) + max(x[0], u[1]);
  z[0] = min(z[1], z[2]) + max(z[1], z[2]);
}
