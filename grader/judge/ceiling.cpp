// Loops of the widest instructions and the widest reads that this CPU has, timed by its own clock.
#include "judge/ceiling.hpp"

#include <time.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "nibble/target.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace nibble::judge {
namespace {

/// Seconds of CPU time of this thread: what a neighbour takes does not count.
double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Runs `rounds` steps of one instruction on this many independent accumulators, and returns the
/// operations done. More accumulators than latency times throughput, or the chain is what counts.
using Burst = double (*)(int rounds);

#if defined(__x86_64__)

// Written as assembly: a compiler keeps an array of accumulators in memory, and the stack would be
// what is measured.
#define NIBBLE_TWELVE(line) \
  line(1) line(2) line(3) line(4) line(5) line(6) line(7) line(8) line(9) line(10) line(11) line(12)
#define NIBBLE_BURST(name, line, lanes)                                                          \
  double name(int rounds) {                                                                      \
    for (int round = 0; round < rounds; ++round) {                                               \
      asm volatile(NIBBLE_TWELVE(line)::                                                         \
                       : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", \
                         "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");          \
    }                                                                                            \
    asm volatile("vzeroupper");                                                                  \
    return 2.0 * (lanes)*12 * rounds;                                                            \
  }

#define NIBBLE_LINE(i)                                                    \
  "vpmaddubsw %%ymm0,%%ymm0,%%ymm13\n vpmaddwd %%ymm13,%%ymm0,%%ymm14\n " \
  "vpaddd %%ymm14,%%ymm" #i ",%%ymm" #i "\n"
NIBBLE_BURST(burst_avx2, NIBBLE_LINE, 32)
#undef NIBBLE_LINE
#define NIBBLE_LINE(i) "%{vex%} vpdpbusd %%ymm0,%%ymm0,%%ymm" #i "\n"
NIBBLE_BURST(burst_avx_vnni, NIBBLE_LINE, 32)
#undef NIBBLE_LINE
#define NIBBLE_LINE(i) "vpdpbusd %%zmm0,%%zmm0,%%zmm" #i "\n"
NIBBLE_BURST(burst_avx512_vnni, NIBBLE_LINE, 64)
#undef NIBBLE_LINE
#define NIBBLE_LINE(i) "vfmadd231ps %%ymm0,%%ymm0,%%ymm" #i "\n"
NIBBLE_BURST(burst_of_whatever_floats, NIBBLE_LINE, 8)
#undef NIBBLE_LINE

/// With zeros: what other registers hold could be subnormal, which some CPUs multiply slowly.
double burst_fma(int rounds) {
  asm volatile("vzeroall" ::
                   : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                     "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
  return burst_of_whatever_floats(rounds);
}

NIBBLE_BEGIN_AVX2
std::uint64_t read_all(const std::byte* data, std::size_t bytes) {
  __m256i acc[4];
  for (__m256i& each : acc) each = _mm256_setzero_si256();
  for (std::size_t at = 0; at + 128 <= bytes; at += 128) {
    for (std::size_t i = 0; i < 4; ++i) {
      const auto* const from = reinterpret_cast<const __m256i*>(data + at + 32 * i);
      acc[i] = _mm256_xor_si256(acc[i], _mm256_loadu_si256(from));
    }
  }
  const __m256i all = acc[0] ^ acc[1] ^ acc[2] ^ acc[3];
  return static_cast<std::uint64_t>(_mm256_extract_epi64(all, 0) ^ _mm256_extract_epi64(all, 1) ^
                                    _mm256_extract_epi64(all, 2) ^ _mm256_extract_epi64(all, 3));
}
NIBBLE_END

Burst burst_of(Isa isa) {
  switch (isa) {
    case Isa::kAvx2:
      return burst_avx2;
    case Isa::kAvxVnni:
      return burst_avx_vnni;
    case Isa::kAvx512Vnni:
      return burst_avx512_vnni;
    default:
      return nullptr;
  }
}

/// Without AVX2 there is no wide read here, and none in any submission.
bool has_wide_reads() { return cpu_has(Isa::kAvx2); }
Burst fma_burst() { return cpu_has(Isa::kAvx2) ? burst_fma : nullptr; }

#elif defined(__aarch64__)

NIBBLE_BEGIN_NEON_DOT
double burst_neon_dot(int rounds) {
  int32x4_t acc[12];
  for (int32x4_t& each : acc) each = vdupq_n_s32(0);
  const int8x16_t a = vdupq_n_s8(1);
  for (int round = 0; round < rounds; ++round) {
    _Pragma("GCC unroll 12") for (int i = 0; i < 12; ++i) {
      acc[i] = vdotq_s32(acc[i], a, a);
      asm volatile("" : "+w"(acc[i]));
    }
  }
  return 2.0 * 16 * 12 * rounds;
}
NIBBLE_END

Burst burst_of(Isa isa) { return isa == Isa::kNeonDot ? burst_neon_dot : nullptr; }
bool has_wide_reads() { return false; }
Burst fma_burst() { return nullptr; }
std::uint64_t read_all(const std::byte*, std::size_t) { return 0; }

#else

Burst burst_of(Isa) { return nullptr; }
bool has_wide_reads() { return false; }
Burst fma_burst() { return nullptr; }
std::uint64_t read_all(const std::byte*, std::size_t) { return 0; }

#endif

/// Two vectors of 128 bits a cycle: what a plain CPU of the last decade reads and multiplies.
double plain_burst(int rounds) {
  std::array<std::uint64_t, 4> x{1, 2, 3, 4};
  for (int i = 0; i < rounds; ++i) {
    for (std::uint64_t& each : x) {
      each = each * 0x9E37'79B9'7F4A'7C15u + 1;
      asm volatile("" : "+r"(each));
    }
  }
  return 2.0 * 16 * static_cast<double>(x.size()) * rounds;
}

std::uint64_t read_plainly(const std::byte* data, std::size_t bytes) {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at + sizeof sum <= bytes; at += sizeof sum) {
    sum ^= *reinterpret_cast<const std::uint64_t*>(data + at);
  }
  return sum;
}

/// AMX does 2048 multiplications and additions a cycle where vpdpbusd does 256 at most, at a clock
/// that is lower; not measured, and only a bound of what is believed.
constexpr double kTilesOverVectors = 8.0;

/// The best of `known` and four looks.
void look_at(Burst burst, double& known) {
  burst(1000);  // wide units wake up
  for (int i = 0; i < 4; ++i) {
    const double start = cpu_seconds();
    const double operations = burst(40000);
    known = std::max(known, operations / std::max(1e-9, cpu_seconds() - start) * 1e-9);
  }
}

}  // namespace

double peak_gops(Isa isa) {
  static std::map<Isa, double> best;
  if (!cpu_has(isa)) return 0.0;
  if (isa == Isa::kAmxInt8) return kTilesOverVectors * peak_gops(Isa::kAvx512Vnni);
  const Burst chosen = burst_of(isa);
  double& known = best[isa];
  look_at(chosen == nullptr ? plain_burst : chosen, known);
  return known;
}

double fma_gops() {
  static double best = 0.0;
  if (const Burst burst = fma_burst(); burst != nullptr) look_at(burst, best);
  return best;
}

double peak_gops() {
  double best = 0.0;
  for (const Isa isa : kEveryIsa) best = std::max(best, peak_gops(isa));
  return best;
}

double read_gbytes(std::size_t bytes) {
  static std::map<std::size_t, double> best;
  constexpr std::size_t kLeast = std::size_t{16} << 10;
  const std::size_t size = std::max(bytes, kLeast);
  const std::vector<std::byte> buffer(size, std::byte{1});
  const auto read = has_wide_reads() ? read_all : read_plainly;
  const std::size_t repeats = std::max<std::size_t>(1, (std::size_t{16} << 20) / size);
  double& known = best[size];
  volatile std::uint64_t sink = read(buffer.data(), size);
  for (int i = 0; i < 4; ++i) {
    const double start = cpu_seconds();
    for (std::size_t r = 0; r < repeats; ++r) sink = read(buffer.data(), size);
    const double seconds = std::max(1e-9, cpu_seconds() - start);
    known = std::max(known, static_cast<double>(size * repeats) / seconds * 1e-9);
  }
  (void)sink;
  return known;
}

}  // namespace nibble::judge
