// What the engine computes, and what a GPU does: each function of CUDA's of operands of every kind.
// nvcc takes this file, and so does the engine. A line each, the function's name and a hash of its
// answers; the lines of both must be the same.
//
// In a file, when one is named, the first answers of each as they are: 8 bytes an answer.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "nibble/device/mma.hpp"
#include "nibble/device/mma_fp8.hpp"
#include "nibble/device/mma_fp8_by_halves.hpp"

#ifdef NIBBLE_SIMT
#include "nibble/simt/conversions.hpp"
#include "nibble/simt/integer_intrinsics.hpp"
#endif

bool run_case(const std::string& name);

namespace {

using U8 = unsigned char;
using U16 = unsigned short;
using U32 = unsigned;
using U64 = unsigned long long;
using S64 = long long;

constexpr U32 kThreads = 128, kBlocks = 128, kAnswers = kThreads * kBlocks, kKept = 2048;

// ---- operands

/// A word that looks drawn: the k-th of thread i.
__host__ __device__ U32 word(U32 i, U32 k) {
  U32 x = i * 8 + k + 0x9E3779B9u;
  x = (x ^ x >> 16) * 0x85EBCA6Bu;
  x = (x ^ x >> 13) * 0xC2B2AE35u;
  return x ^ x >> 16;
}

__device__ float as_float(U32 bits) { return __uint_as_float(bits); }
__device__ float with_exponent(U32 x, U32 exponent) {
  return as_float((x & 0x807FFFFFu) | exponent << 23);
}

/// Any float (of NaN the quiet ones); ordinary ones; halves of integers, where ties are; beyond the
/// integers; next to 0; and the ends of the formats.
__device__ float f(U32 x) {
  constexpr float kEnds[] = {0.0f,    0x1p-126f, 0x1p-149f, 0x1.fffffep127f, 65504.0f, 65519.9f,
                             65520.f, 448.0f,    463.9f,    464.0f,          57344.f,  61440.0f,
                             1.0f,    0.5f,      0x1p31f,   0x1p63f};
  const U32 kind = x >> 3 & 7;
  if (kind == 0) return as_float(as_float(x) != as_float(x) ? x | 0x400000u : x);
  if (kind < 4) return with_exponent(x, 119 + (x >> 23 & 15));
  if (kind == 4) return static_cast<float>(static_cast<int>(x) >> 16) * 0.5f;
  if (kind == 5) return with_exponent(x, 127 + 20 + (x >> 23 & 63));
  if (kind == 6) return with_exponent(x, x >> 23 & 31);
  return (x & 64) != 0 ? -kEnds[x >> 8 & 15] : kEnds[x >> 8 & 15];
}
/// Neither an infinity nor NaN, nor far from 1.
__device__ float mild(U32 x) { return with_exponent(x, 123 + (x >> 23 & 7)); }

__device__ double d(U32 x, U32 y) {
  return static_cast<double>(f(x)) +
         static_cast<double>(mild(y)) * 0x1p-26 * static_cast<double>(f(x));
}
__device__ bool is_number(double x) { return x == x; }
__device__ __half h(U32 code) { return __ushort_as_half(static_cast<U16>(code)); }
__device__ __nv_bfloat16 b16(U32 code) { return __ushort_as_bfloat16(static_cast<U16>(code)); }
__device__ __half2 h2(U32 codes) { return __halves2half2(h(codes), h(codes >> 16)); }
__device__ __nv_bfloat162 b2(U32 codes) { return __halves2bfloat162(b16(codes), b16(codes >> 16)); }
/// bfloat16 codes that meet: 16 exponents.
__device__ U32 near16(U32 x) { return (x & 0x807F807Fu) | (x >> 8 & 0x07800780u) | 0x38003800u; }
__device__ int i(U32 x) { return static_cast<int>(x); }
__device__ S64 l(U32 x, U32 y) { return static_cast<S64>(static_cast<U64>(x) << 32 | y); }

// ---- answers

__device__ U64 bits(int x) { return static_cast<U32>(x); }
__device__ U64 bits(U32 x) { return x; }
__device__ U64 bits(S64 x) { return static_cast<U64>(x); }
__device__ U64 bits(U64 x) { return x; }
__device__ U64 bits(bool x) { return x ? 1 : 0; }
/// One NaN for all: an operation may give any.
__device__ U64 bits(float x) { return x != x ? 0x7FFFFFFFu : __float_as_uint(x); }
__device__ U64 bits(double x) {
  return x != x ? ~U64{0} >> 1 : static_cast<U64>(__double_as_longlong(x));
}
__device__ U64 bits(__half x) { return __half_as_ushort(x); }
__device__ U64 bits(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
__device__ U64 bits(__half2 x) { return bits(__low2half(x)) | bits(__high2half(x)) << 16; }
__device__ U64 bits(__nv_bfloat162 x) {
  return bits(__low2bfloat16(x)) | bits(__high2bfloat16(x)) << 16;
}

struct Function {
  const char* name;
  void (*launch)(U64* answers);
  bool is_exact;
};
std::vector<Function>& functions() {
  static std::vector<Function> all;
  return all;
}
struct Listed {
  Listed(const char* name, void (*launch)(U64* answers), bool is_exact) {
    functions().push_back({name, launch, is_exact});
  }
};

template <class Of>
__global__ void apply(U64* answers) {
  __shared__ U64 cells[kThreads];
  const U32 thread = blockIdx.x * kThreads + threadIdx.x;
  U64* const cell = &cells[threadIdx.x];
  *cell = word(thread, 3) | static_cast<U64>(word(thread, 4)) << 32;
  answers[thread] = Of::answer(word(thread, 0), word(thread, 1), word(thread, 2), cell);
}
template <class Of>
void launch(U64* answers) {
  apply<Of><<<kBlocks, kThreads>>>(answers);
}

// clang-format off
#define FUNCTION(NAME, IS_EXACT, ...)                                                               \
  struct NAME##_ { static __device__ U64 answer([[maybe_unused]] U32 a, [[maybe_unused]] U32 b,     \
      [[maybe_unused]] U32 c, [[maybe_unused]] U64* cell) { return bits(__VA_ARGS__); } };          \
  const Listed NAME##_listed(#NAME, launch<NAME##_>, IS_EXACT);
#define OF(NAME, ...) FUNCTION(NAME, true, __VA_ARGS__)
#define NEAR(NAME, ...) FUNCTION(NAME, false, __VA_ARGS__)

// ---- integers
OF(dp4a, __dp4a(i(a), i(b), i(c)))
OF(dp4a_u, __dp4a(a, b, c))
OF(dp2a_lo, __dp2a_lo(i(a), i(b), i(c)))
OF(dp2a_hi, __dp2a_hi(i(a), i(b), i(c)))
OF(dp2a_lo_u, __dp2a_lo(a, b, c))
OF(dp2a_hi_u, __dp2a_hi(a, b, c))
OF(popc, __popc(a))
OF(popcll, __popcll(static_cast<U64>(l(a, b))))
OF(ffs, __ffs(i(a << (b & 31))))
OF(ffsll, __ffsll(l(a, b) << (c & 63)))
OF(clz, __clz(i(a >> (b & 31))))
OF(clz_0, __clz(i(a & b & c & 1)))
OF(clzll, __clzll(static_cast<S64>(static_cast<U64>(l(a, b)) >> (c & 63))))
OF(brev, __brev(a))
OF(brevll, __brevll(static_cast<U64>(l(a, b))))
OF(byte_perm, __byte_perm(a, b, c & 0x7777u))
OF(byte_perm_any, __byte_perm(a, b, c))
OF(funnelshift_l, __funnelshift_l(a, b, c))
OF(funnelshift_r, __funnelshift_r(a, b, c))
OF(funnelshift_lc, __funnelshift_lc(a, b, c & 63))
OF(funnelshift_rc, __funnelshift_rc(a, b, c & 63))
OF(mulhi, __mulhi(i(a), i(b)))
OF(umulhi, __umulhi(a, b))
OF(mul64hi, __mul64hi(l(a, b), l(c, a)))
OF(umul64hi, __umul64hi(static_cast<U64>(l(a, b)), static_cast<U64>(l(c, a))))
OF(mul24, __mul24(i(a), i(b)))
OF(umul24, __umul24(a, b))
OF(hadd_int, __hadd(i(a), i(b)))
OF(rhadd, __rhadd(i(a), i(b)))
OF(uhadd, __uhadd(a, b))
OF(urhadd, __urhadd(a, b))
OF(sad, __sad(i(a), i(b), c))
OF(usad, __usad(a, b, c))
OF(min_int, min(i(a), i(b)))
OF(max_mixed, max(i(a), b))

#define WORDS(NAME) OF(v##NAME##2, __v##NAME##2(a, b)) OF(v##NAME##4, __v##NAME##4(a, b))
#define WORD(NAME) OF(v##NAME##2, __v##NAME##2(a)) OF(v##NAME##4, __v##NAME##4(a))
#define COMPARES(NAME) WORDS(set##NAME) WORDS(cmp##NAME)
WORDS(add) WORDS(addss) WORDS(addus) WORDS(sub) WORDS(subss) WORDS(subus)
WORDS(maxs) WORDS(maxu) WORDS(mins) WORDS(minu) WORDS(absdiffs) WORDS(absdiffu)
WORDS(avgs) WORDS(avgu) WORDS(haddu) WORDS(sads) WORDS(sadu)
COMPARES(eq) COMPARES(ne) COMPARES(lts) COMPARES(ltu) COMPARES(les) COMPARES(leu)
COMPARES(gts) COMPARES(gtu) COMPARES(ges) COMPARES(geu)
WORD(neg) WORD(negss) WORD(abs) WORD(absss)

// ---- floats
#define ROUNDED(NAME, ...) OF(NAME##_rn, __##NAME##_rn(__VA_ARGS__)) OF(NAME##_rz, __##NAME##_rz(__VA_ARGS__)) \
  OF(NAME##_ru, __##NAME##_ru(__VA_ARGS__)) OF(NAME##_rd, __##NAME##_rd(__VA_ARGS__))
ROUNDED(fadd, f(a), f(b))
ROUNDED(fsub, f(a), f(b))
ROUNDED(fmul, f(a), f(b))
ROUNDED(fmaf, f(a), f(b), f(c))
OF(fadd_near, __fadd_rn(mild(a), mild(b)))
OF(fmaf_near, __fmaf_rn(mild(a), mild(b), mild(c)))
OF(fmaf_rz_near, __fmaf_rz(mild(a), mild(b), mild(c)))
OF(fdiv_rn, __fdiv_rn(f(a), f(b)))
OF(frcp_rn, __frcp_rn(f(a)))
OF(fsqrt_rn, __fsqrt_rn(f(a)))
OF(frsqrt_rn, __frsqrt_rn(f(a)))
OF(divide, f(a) / f(b))
OF(square_root, sqrtf(f(a)))
OF(dadd_rn, __dadd_rn(d(a, b), d(b, c)))
OF(dmul_rn, __dmul_rn(d(a, b), d(b, c)))
OF(ddiv_rn, __ddiv_rn(d(a, b), d(b, c)))
OF(dsqrt_rn, __dsqrt_rn(d(a, b)))
OF(fma_rn, __fma_rn(d(a, b), d(b, c), d(c, a)))
OF(saturatef, __saturatef(f(a)))
// 0 and -0 are one number: which of them is larger, libraries do not agree on.
OF(min_float, min(f(a), f(b)) + 0.0f)
OF(max_float, fmaxf(f(a), f(b)) + 0.0f)
OF(min_double, min(d(a, b), d(b, c)) + 0.0)
OF(rint, rintf(f(a)))
OF(nearbyint, nearbyintf(f(a)))
OF(round, roundf(f(a)))
OF(lrint, static_cast<S64>(lrintf(f(a))))
OF(llround, static_cast<S64>(llroundf(mild(a) * 1024)))
OF(floor, floorf(f(a)))
OF(ceil, ceilf(f(a)))
OF(trunc, truncf(f(a)))
OF(copysign, copysignf(f(a), f(b)))
OF(fmod, fmodf(f(a), f(b)))
OF(remainder, remainderf(f(a), f(b)))
OF(ldexp, ldexpf(f(a), i(b) >> 25))
OF(ilogb, ilogbf(f(a)))
OF(logb, logbf(f(a)))
OF(fdim, fdimf(f(a), f(b)))
OF(nextafter, nextafterf(f(a), f(b)))
OF(isnan, static_cast<bool>(isnan(f(a))))
OF(isinf, static_cast<bool>(isinf(f(a))))
OF(signbit, static_cast<bool>(signbit(f(a))))
NEAR(rsqrt, rsqrtf(f(a)))
NEAR(fdividef, __fdividef(mild(a), mild(b)))
NEAR(fast_exp, __expf(mild(a)))
NEAR(fast_exp10, __exp10f(mild(a)))
NEAR(fast_log, __logf(fabsf(mild(a))))
NEAR(fast_log2, __log2f(fabsf(mild(a))))
NEAR(fast_log10, __log10f(fabsf(mild(a))))
NEAR(fast_pow, __powf(fabsf(mild(a)), mild(b)))
NEAR(fast_sin, __sinf(mild(a)))
NEAR(fast_cos, __cosf(mild(a)))
NEAR(fast_tan, __tanf(mild(a)))
NEAR(exp_float, expf(mild(a)))
NEAR(exp2_float, exp2f(mild(a)))
NEAR(log_float, logf(fabsf(mild(a))))
NEAR(log2_float, log2f(fabsf(mild(a))))
NEAR(pow_float, powf(fabsf(mild(a)), mild(b)))
NEAR(sin_float, sinf(mild(a)))
NEAR(tanh_float, tanhf(mild(a)))
NEAR(erf_float, erff(mild(a)))

#define TO_INTEGER(TO) ROUNDED(float2##TO, f(a)) ROUNDED(double2##TO, d(a, b))
TO_INTEGER(int) TO_INTEGER(uint) TO_INTEGER(ll) TO_INTEGER(ull)
ROUNDED(int2float, i(a)) ROUNDED(uint2float, a) ROUNDED(ll2float, l(a, b))
ROUNDED(ull2float, static_cast<U64>(l(a, b))) ROUNDED(double2float, d(a, b))
OF(ll2double_rn, __ll2double_rn(l(a, b)))
OF(ull2double_rn, __ull2double_rn(static_cast<U64>(l(a, b))))

// ---- 16 bits
#define OF_1(FUNCTION) OF(half##FUNCTION, FUNCTION(h(a))) OF(bf16##FUNCTION, FUNCTION(b16(a)))
#define OF_2(FUNCTION) OF(half##FUNCTION, FUNCTION(h(a), h(b))) OF(bf16##FUNCTION, FUNCTION(b16(near16(a)), b16(near16(b)))) \
  OF(bf16any##FUNCTION, FUNCTION(b16(a), b16(b)))
#define OF_3(FUNCTION) OF(half##FUNCTION, FUNCTION(h(a), h(b), h(c))) OF(bf16##FUNCTION, FUNCTION(b16(near16(a)), b16(near16(b)), b16(near16(c)))) \
  OF(bf16any##FUNCTION, FUNCTION(b16(a), b16(b), b16(c)))
#define OF_22(FUNCTION) OF(half##FUNCTION, FUNCTION(h2(a), h2(b))) OF(bf16##FUNCTION, FUNCTION(b2(near16(a)), b2(near16(b))))
#define OF_23(FUNCTION) OF(half##FUNCTION, FUNCTION(h2(a), h2(b), h2(c))) OF(bf16##FUNCTION, FUNCTION(b2(near16(a)), b2(near16(b)), b2(near16(c))))
OF_2(__hadd) OF_2(__hsub) OF_2(__hmul) OF_2(__hdiv)
OF_2(__hadd_rn) OF_2(__hsub_rn) OF_2(__hmul_rn)
OF_2(__hadd_sat) OF_2(__hsub_sat) OF_2(__hmul_sat)
OF_3(__hfma) OF_3(__hfma_sat) OF_3(__hfma_relu)
OF_1(__hneg) OF_1(__habs)
OF_2(__hmax) OF_2(__hmin) OF_2(__hmax_nan) OF_2(__hmin_nan)
OF_2(__heq) OF_2(__hne) OF_2(__hlt) OF_2(__hle) OF_2(__hgt) OF_2(__hge)
OF_2(__hequ) OF_2(__hneu) OF_2(__hltu) OF_2(__hleu) OF_2(__hgtu) OF_2(__hgeu)
OF_1(__hisnan) OF_1(__hisinf)
OF_22(__hadd2) OF_22(__hsub2) OF_22(__hmul2) OF_22(__h2div) OF_22(__hadd2_sat)
OF_23(__hfma2) OF_23(__hfma2_relu) OF_23(__hfma2_sat)
OF_22(__hmax2) OF_22(__hmin2) OF_22(__hmax2_nan) OF_22(__heq2) OF_22(__hltu2)
OF_22(__heq2_mask) OF_22(__hleu2_mask) OF_22(__hbgt2) OF_22(__hbneu2)
OF_1(hrint) OF_1(htrunc) OF_1(hceil) OF_1(hfloor)
OF_1(hsqrt) OF_1(hrcp) OF_1(hrsqrt)
#define NEAR_1(FUNCTION) NEAR(half##FUNCTION, FUNCTION(h(a))) NEAR(bf16##FUNCTION, FUNCTION(b16(a)))
NEAR_1(hexp) NEAR_1(hexp2) NEAR_1(hexp10) NEAR_1(hlog) NEAR_1(hlog2) NEAR_1(hlog10) NEAR_1(hsin) NEAR_1(hcos)
ROUNDED(float2half, f(a)) ROUNDED(float2bfloat16, f(a))
OF(double2half, is_number(d(a, b)) ? __double2half(d(a, b)) : h(0))
OF(double2bfloat16, is_number(d(a, b)) ? __double2bfloat16(d(a, b)) : b16(0))
OF(half2float, __half2float(h(a)))
OF(bfloat162float, __bfloat162float(b16(a)))
ROUNDED(int2half, i(a) >> (b & 31)) ROUNDED(ll2half, l(a, b) >> (c & 63)) ROUNDED(int2bfloat16, i(a) >> (b & 31))
ROUNDED(half2int, h(a)) ROUNDED(half2uint, h(a)) ROUNDED(half2ll, h(a)) ROUNDED(bfloat162int, b16(near16(a)))
OF(half2char_rz, static_cast<int>(__half2char_rz(h(a))))
OF(half2uchar_rz, static_cast<int>(__half2uchar_rz(h(a))))
OF(half2short_rn, static_cast<int>(__half2short_rn(h(a))))
OF(half2ushort_rz, static_cast<int>(__half2ushort_rz(h(a))))
OF(operator_half, h(a) + h(b) * h(c) / h(a) - h(b))
OF(operator_bf16, b16(near16(a)) / b16(near16(b)) - b16(near16(c)))

// ---- 8 bits
#define TO_FP8(NAME, ...) \
  OF(NAME##_e4m3, static_cast<U32>(__nv_cvt_##NAME##_to_fp8(__VA_ARGS__, __NV_SATFINITE, __NV_E4M3))) \
  OF(NAME##_e4m3_nosat, static_cast<U32>(__nv_cvt_##NAME##_to_fp8(__VA_ARGS__, __NV_NOSAT, __NV_E4M3))) \
  OF(NAME##_e5m2, static_cast<U32>(__nv_cvt_##NAME##_to_fp8(__VA_ARGS__, __NV_SATFINITE, __NV_E5M2))) \
  OF(NAME##_e5m2_nosat, static_cast<U32>(__nv_cvt_##NAME##_to_fp8(__VA_ARGS__, __NV_NOSAT, __NV_E5M2)))
TO_FP8(float, f(a)) TO_FP8(double, d(a, b)) TO_FP8(halfraw, static_cast<__half_raw>(h(a)))
TO_FP8(bfloat16raw, static_cast<__nv_bfloat16_raw>(b16(a)))
OF(float2_e4m3, static_cast<U32>(__nv_cvt_float2_to_fp8x2(make_float2(f(a), f(b)), __NV_SATFINITE, __NV_E4M3)))
OF(halfraw2_e5m2, static_cast<U32>(__nv_cvt_halfraw2_to_fp8x2(static_cast<__half2_raw>(h2(a)), __NV_SATFINITE, __NV_E5M2)))
OF(e4m3_half, static_cast<__half>(__nv_cvt_fp8_to_halfraw(static_cast<U8>(a), __NV_E4M3)))
OF(e5m2_half, static_cast<__half>(__nv_cvt_fp8_to_halfraw(static_cast<U8>(a), __NV_E5M2)))
OF(e4m3_float, [](U32 x) __attribute__((always_inline)) { __nv_fp8_e4m3 code; code.__x = static_cast<U8>(x); return static_cast<float>(code); }(a))

// ---- between the lanes of a warp
OF(shfl, __shfl_sync(~0u, a, i(b), 1 << (c % 6)))
OF(shfl_up, __shfl_up_sync(~0u, a, b & 31, 1 << (c % 6)))
OF(shfl_down, __shfl_down_sync(~0u, a, b & 31, 1 << (c % 6)))
OF(shfl_xor, __shfl_xor_sync(~0u, a, i(b & 31), 1 << (c % 6)))
OF(shfl_64, __shfl_xor_sync(~0u, l(a, b), 5))
OF(ballot, __ballot_sync(~0u, i(a & 1)))
OF(any, __any_sync(~0u, i(a % 40 == 0)))
OF(all, __all_sync(~0u, i(a % 40 != 0)))
OF(match_any, __match_any_sync(~0u, a & 3))
OF(match_any_64, __match_any_sync(~0u, l(a & 1, b & 1)))
OF(reduce_add, __reduce_add_sync(~0u, i(a)))
OF(reduce_min, __reduce_min_sync(~0u, i(a)))
OF(reduce_max_u, __reduce_max_sync(~0u, a))
OF(reduce_and, __reduce_and_sync(~0u, a | b))
OF(reduce_xor, __reduce_xor_sync(~0u, a))
OF(activemask, __activemask())

// ---- atomics, each thread on a cell of its own: what was there, and what is there now
#define ATOMIC(NAME, TYPE, ...) struct NAME##_cell { static __device__ U64 of(U32 a, U32 b, TYPE* at) { \
    (void)a; (void)b; const TYPE old = __VA_ARGS__; return bits(old) * 3 ^ bits(*at); } }; \
  OF(NAME, NAME##_cell::of(a, b, reinterpret_cast<TYPE*>(cell)))
ATOMIC(atomic_add, int, atomicAdd(at, i(a)))
ATOMIC(atomic_sub, U32, atomicSub(at, a))
ATOMIC(atomic_add_64, U64, atomicAdd(at, static_cast<U64>(l(a, b))))
ATOMIC(atomic_add_float, float, atomicAdd(at, mild(a)))
ATOMIC(atomic_add_half2, __half2, atomicAdd(at, h2(a)))
ATOMIC(atomic_min, int, atomicMin(at, i(a)))
ATOMIC(atomic_max_u, U32, atomicMax(at, a))
ATOMIC(atomic_max_64, S64, atomicMax(at, l(a, b)))
ATOMIC(atomic_and, U32, atomicAnd(at, a))
ATOMIC(atomic_or, U32, atomicOr(at, a))
ATOMIC(atomic_xor, U32, atomicXor(at, a))
ATOMIC(atomic_exch, U32, atomicExch(at, a))
ATOMIC(atomic_exch_float, float, atomicExch(at, mild(a)))
ATOMIC(atomic_cas, U32, atomicCAS(at, b & 1 ? *at : a, b))
ATOMIC(atomic_inc, U32, atomicInc(at, a))
ATOMIC(atomic_dec, U32, atomicDec(at, a))

// ---- tensor cores: a warp's registers as they are drawn
#define MMA(ENTRY, NAME, A, B, NUMBER, OPERAND, SUM) \
  struct ENTRY##_of { static __device__ NUMBER of() { \
    const U32 thread = blockIdx.x * kThreads + threadIdx.x; \
    U32 ra[A], rb[B]; NUMBER sums[4]; \
    for (U32 k = 0; k < A; k++) { const U32 x = word(thread, 8 + k); ra[k] = OPERAND; } \
    for (U32 k = 0; k < B; k++) { const U32 x = word(thread, 16 + k); rb[k] = OPERAND; } \
    for (U32 k = 0; k < 4; k++) { const U32 x = word(thread, 24 + k); sums[k] = SUM; } \
    nibble::NAME(sums, ra, rb, sums); \
    return sums[thread & 3]; } };
#define MMA_OF(NAME, A, B, NUMBER, OPERAND, SUM) MMA(NAME, NAME, A, B, NUMBER, OPERAND, SUM) OF(NAME, NAME##_of::of())
#define MMA_NEAR(NAME, A, B, NUMBER, OPERAND, SUM) MMA(NAME, NAME, A, B, NUMBER, OPERAND, SUM) NEAR(NAME, NAME##_of::of())
MMA_OF(mma_m16n8k16, 2, 1, int, x, i(x))
MMA_OF(mma_m16n8k32, 4, 2, int, x, i(x))
MMA_OF(mma_m16n8k256_and_popc, 4, 2, int, x, i(x))
// Half codes with 8 exponents about 1, and bfloat16 ones; e4m3 codes but for NaN.
MMA_OF(mma_m16n8k16_f16, 4, 2, float, (x & 0x9FFF9FFFu) | 0x20002000u, mild(x))
MMA_OF(mma_m16n8k16_bf16, 4, 2, float, (x & 0x83FF83FFu) | 0x3C003C00u, mild(x))
MMA_NEAR(mma_m16n8k32_e4m3, 4, 2, float, x & 0xBFBFBFBFu, mild(x))
#define WIDE(KIND, NAME, OPERAND) \
  MMA(NAME##_wide, NAME, 4, 2, float, OPERAND, with_exponent(x, 112 + (x >> 23 & 31))) \
  KIND(NAME##_wide_, NAME##_wide_of::of())
WIDE(OF, mma_m16n8k16_f16, x & 0xFBFFFBFFu)
WIDE(OF, mma_m16n8k16_bf16, (x & 0x87FF87FFu) | 0x38003800u)
WIDE(NEAR, mma_m16n8k32_e4m3, x & 0xFEFEFEFEu)
WIDE(OF, mma_m16n8k32_e4m3_by_halves, x & 0xFEFEFEFEu)

// The same by WMMA: whole tiles of 16 x 16, of which a lane shows one of its eight elements.
template <class T, class Sum>
__device__ Sum by_wmma(U32 (*operand)(U32)) {
  __shared__ alignas(32) T a[kThreads / 32][256], b[kThreads / 32][256];
  __shared__ alignas(32) Sum c[kThreads / 32][256];
  const U32 warp = threadIdx.x / 32, lane = threadIdx.x % 32, thread = blockIdx.x * kThreads + threadIdx.x;
  for (U32 k = 0; k < 8; k++) {
    const U32 x = operand(word(thread, 8 + k));
    const U16 low = static_cast<U16>(x), high = static_cast<U16>(x >> 16);
    memcpy(&a[warp][lane * 8 + k], &low, 2);
    memcpy(&b[warp][lane * 8 + k], &high, 2);
    c[warp][lane * 8 + k] = static_cast<Sum>(mild(word(thread, 24 + k)));
  }
  __syncwarp();
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, T, nvcuda::wmma::row_major> fa;
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, T, nvcuda::wmma::row_major> fb;
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, Sum> fc;
  nvcuda::wmma::load_matrix_sync(fa, a[warp], 16);
  nvcuda::wmma::load_matrix_sync(fb, b[warp], 16);
  nvcuda::wmma::load_matrix_sync(fc, c[warp], 16, nvcuda::wmma::mem_row_major);
  nvcuda::wmma::mma_sync(fc, fa, fb, fc);
  __syncwarp();
  nvcuda::wmma::store_matrix_sync(c[warp], fc, 16, nvcuda::wmma::mem_row_major);
  __syncwarp();
  return c[warp][lane * 8 + thread % 8];
}
__device__ U32 mild_halves(U32 x) { return (x & 0x9FFF9FFFu) | 0x20002000u; }
__device__ U32 any_halves(U32 x) { return x & 0xFBFFFBFFu; }
__device__ U32 mild_bf16(U32 x) { return (x & 0x83FF83FFu) | 0x3C003C00u; }
OF(wmma_half_float, by_wmma<__half, float>(mild_halves))
OF(wmma_half_half, by_wmma<__half, __half>(mild_halves))
OF(wmma_half_half_wide, by_wmma<__half, __half>(any_halves))
OF(wmma_bf16_float, by_wmma<__nv_bfloat16, float>(mild_bf16))
// clang-format on

U64 hash(const std::vector<U64>& answers) {
  U64 sum = 0xCBF29CE484222325u;
  for (const U64 answer : answers) {
    for (int byte = 0; byte < 8; byte++) sum = (sum ^ (answer >> 8 * byte & 0xFF)) * 0x100000001B3u;
  }
  return sum;
}

}  // namespace

/// `name`: "hashes", or the file for the answers.
bool run_case(const std::string& name) {
  std::FILE* const kept = name == "hashes" ? nullptr : std::fopen(name.c_str(), "wb");
  U64* device = nullptr;
  bool well = cudaMalloc(&device, kAnswers * sizeof(U64)) == cudaSuccess;
  std::vector<U64> answers(kAnswers);
  for (const Function& one : functions()) {
    well = well && cudaMemset(device, 0xFF, kAnswers * sizeof(U64)) == cudaSuccess;
    one.launch(device);
    well = well && cudaGetLastError() == cudaSuccess &&
           cudaMemcpy(answers.data(), device, kAnswers * sizeof(U64), cudaMemcpyDeviceToHost) ==
               cudaSuccess;
    if (!well) break;
    if (one.is_exact) {
      std::printf("%s %016llx\n", one.name, hash(answers));
    } else {
      std::printf("%s near\n", one.name);
    }
    if (kept != nullptr) std::fwrite(answers.data(), sizeof(U64), kKept, kept);
  }
  if (kept != nullptr) std::fclose(kept);
  cudaFree(device);
  return well;
}
