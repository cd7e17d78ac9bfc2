// What the CPU under this program can do: asked at run time, by feature bits, never by model name
// (a virtual machine may call itself anything) and never by what the compiler was told.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

namespace nibble {

/// A set of instructions that a kernel can be written for. The number is part of contracts.
enum class Isa : std::int32_t {
  kScalar,      ///< plain C++; every machine
  kAvx2,        ///< 256 bits: vpmaddubsw, vpmaddwd
  kAvxVnni,     ///< 256 bits: vpdpbusd, in its VEX form
  kAvx512Vnni,  ///< 512 bits: vpdpbusd, with AVX-512 F, BW, DQ and VL
  kAmxInt8,     ///< tiles: tdpbssd. Usable only after the kernel gave permission
  kNeonDot,     ///< ARM, 128 bits: sdot
};

inline constexpr std::array kEveryIsa = {Isa::kScalar,     Isa::kAvx2,    Isa::kAvxVnni,
                                         Isa::kAvx512Vnni, Isa::kAmxInt8, Isa::kNeonDot};

constexpr std::string_view name_of(Isa isa) {
  constexpr std::array<std::string_view, 6> names = {"scalar",      "avx2",     "avx_vnni",
                                                     "avx512_vnni", "amx_int8", "neon_dot"};
  const auto number = static_cast<std::size_t>(isa);
  return number < names.size() ? names.at(number) : "unknown";
}

#if defined(__x86_64__)

namespace detail {

struct CpuId {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

inline CpuId cpu_id(std::uint32_t leaf, std::uint32_t subleaf) {
  CpuId id;
  __get_cpuid_count(leaf, subleaf, &id.eax, &id.ebx, &id.ecx, &id.edx);  // zeros, where unknown
  return id;
}

/// Which registers the operating system saves: without that, an instruction the CPU has still ends
/// the program. Zero where nobody may ask.
inline std::uint64_t saved_state() {
  constexpr std::uint32_t kOsxsave = 1u << 27;
  if ((cpu_id(1, 0).ecx & kOsxsave) == 0) return 0;
  std::uint32_t low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
}

constexpr bool has_bit(std::uint64_t word, int bit) { return (word >> bit & 1) != 0; }
constexpr bool has_bits(std::uint64_t word, std::uint64_t mask) { return (word & mask) == mask; }

inline bool ask_cpu_for(Isa isa) {
  constexpr std::uint64_t kYmm = 0x6, kZmm = 0xE6, kTiles = 0x60000;
  const CpuId one = cpu_id(1, 0), seven = cpu_id(7, 0);
  const std::uint64_t saved = saved_state();
  const bool avx2 = has_bits(saved, kYmm) && has_bit(seven.ebx, 5) && has_bit(one.ecx, 12);
  switch (isa) {
    case Isa::kScalar:
      return true;
    case Isa::kAvx2:  // with FMA
      return avx2;
    case Isa::kAvxVnni:
      return avx2 && has_bit(cpu_id(7, 1).eax, 4);
    case Isa::kAvx512Vnni:  // F, DQ, BW, VL, VNNI
      return avx2 && has_bits(saved, kZmm) && has_bit(seven.ebx, 16) && has_bit(seven.ebx, 17) &&
             has_bit(seven.ebx, 30) && has_bit(seven.ebx, 31) && has_bit(seven.ecx, 11);
    case Isa::kAmxInt8:  // tile, int8
      return has_bits(saved, kTiles) && has_bit(seven.edx, 24) && has_bit(seven.edx, 25);
    case Isa::kNeonDot:
      return false;
  }
  return false;
}

// A build of the kit that is to behave as on a lesser CPU (CMake's NIBBLE_ISA_MASK).
#ifndef NIBBLE_ISA_MASK
#define NIBBLE_ISA_MASK 0xFFFF'FFFF
#endif

/// Bit i: the isa with the number i. A question to the CPU costs 25 microseconds in a virtual
/// machine: asked once.
inline std::uint32_t isas_of_this_cpu() {
  static const std::uint32_t known = [] {
    std::uint32_t isas = 0;
    for (const Isa isa : kEveryIsa) {
      if (ask_cpu_for(isa)) isas |= 1u << static_cast<std::uint32_t>(isa);
    }
    return isas & NIBBLE_ISA_MASK;
  }();
  return known;
}

}  // namespace detail

/// True when kernels for `isa` may run here. For kAmxInt8: the CPU and the system know tiles; the
/// permission to use them is still to be asked for (nibble/amx.hpp).
inline bool cpu_has(Isa isa) {
  const auto number = static_cast<std::uint32_t>(isa);
  return number < kEveryIsa.size() && detail::has_bit(detail::isas_of_this_cpu(), int(number));
}

#elif defined(__aarch64__)

/// True when kernels for `isa` may run here.
inline bool cpu_has(Isa isa) {
  if (isa == Isa::kScalar) return true;
#if defined(__linux__)
  constexpr unsigned long kAsimdDotProduct = 1ul << 20;  // HWCAP_ASIMDDP
  return isa == Isa::kNeonDot && (getauxval(AT_HWCAP) & kAsimdDotProduct) != 0;
#else
  return isa == Isa::kNeonDot;  // every Apple silicon has it
#endif
}

#else

inline bool cpu_has(Isa isa) { return isa == Isa::kScalar; }

#endif

}  // namespace nibble
