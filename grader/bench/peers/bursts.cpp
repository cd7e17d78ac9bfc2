// The instructions of this CPU, each in a loop that does nothing else, chosen by what the CPU has.
#include "bursts.hpp"

#include <vector>

#include "nibble/amx.hpp"
#include "nibble/cpu.hpp"

namespace nibble::peers {
namespace {

#if defined(__x86_64__)

// Assembly, since a compiler would compute an invariant product once. Twelve accumulators: more
// than latency times throughput, or the chain would be measured. Operands are zeros,
// which are not slower.
#define NIBBLE_TWELVE(line) \
  line(0) line(1) line(2) line(3) line(4) line(5) line(6) line(7) line(8) line(9) line(10) line(11)
#define NIBBLE_BURST(name, line)                                                                 \
  void name(int rounds) {                                                                        \
    asm volatile("vzeroall" ::: "memory");                                                       \
    for (int round = 0; round < rounds; ++round) {                                               \
      asm volatile(NIBBLE_TWELVE(line)::                                                         \
                       : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", \
                         "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");          \
    }                                                                                            \
    asm volatile("vzeroupper");                                                                  \
  }

#define NIBBLE_LINE(i) "vpmaddwd %%ymm14,%%ymm15,%%ymm12\n vpaddd %%ymm12,%%ymm" #i ",%%ymm" #i "\n"
NIBBLE_BURST(madd_ymm, NIBBLE_LINE)
#undef NIBBLE_LINE
#define NIBBLE_LINE(i)                                                              \
  "vpmaddubsw %%ymm14,%%ymm15,%%ymm12\n vpmaddwd %%ymm13,%%ymm12,%%ymm12\n vpaddd " \
  "%%ymm12,%%ymm" #i ",%%ymm" #i "\n"
NIBBLE_BURST(maddubs_ymm, NIBBLE_LINE)
#undef NIBBLE_LINE
#define NIBBLE_LINE(i) "%{vex%} vpdpbusd %%ymm14,%%ymm15,%%ymm" #i "\n"
NIBBLE_BURST(dot_ymm, NIBBLE_LINE)
#undef NIBBLE_LINE
#define NIBBLE_LINE(i) "vpdpbusd %%zmm14,%%zmm15,%%zmm" #i "\n"
NIBBLE_BURST(dot_zmm, NIBBLE_LINE)
#undef NIBBLE_LINE
#define NIBBLE_LINE(i) "vfmadd231ps %%ymm14,%%ymm15,%%ymm" #i "\n"
NIBBLE_BURST(fma_ymm, NIBBLE_LINE)
#undef NIBBLE_LINE
#define NIBBLE_LINE(i) "vfmadd231ps %%zmm14,%%zmm15,%%zmm" #i "\n"
NIBBLE_BURST(fma_zmm, NIBBLE_LINE)
#undef NIBBLE_LINE

void dot_tiles(int rounds) {
  TileConfig config{};
  config.palette = 1;
  for (int tile = 0; tile < 8; ++tile) {
    config.colsb[tile] = 64;
    config.rows[tile] = 16;
  }
  HardwareTiles tiles;
  tiles.load_config(config);
  for (int round = 0; round < rounds; ++round) {
    tiles.dot_s8s8(tmm0, tmm6, tmm7);
    tiles.dot_s8s8(tmm1, tmm6, tmm7);
    tiles.dot_s8s8(tmm2, tmm6, tmm7);
    tiles.dot_s8s8(tmm3, tmm6, tmm7);
    tiles.dot_s8s8(tmm4, tmm6, tmm7);
    tiles.dot_s8s8(tmm5, tmm6, tmm7);
  }
}

std::vector<Burst> choose() {
  std::vector<Burst> here;
  if (cpu_has(Isa::kAvx2)) {
    here.push_back({"vpmaddwd + vpaddd ymm", "avx2", 2.0 * 12 * 16, madd_ymm});
    here.push_back(
        {"vpmaddubsw + vpmaddwd + vpaddd ymm (saturates)", "", 2.0 * 12 * 32, maddubs_ymm});
    here.push_back(
        {"fma ymm, float32", cpu_has(Isa::kAvx512Vnni) ? "" : "fp32", 2.0 * 12 * 8, fma_ymm});
  }
  if (cpu_has(Isa::kAvxVnni)) here.push_back({"vpdpbusd ymm", "avx_vnni", 2.0 * 12 * 32, dot_ymm});
  if (cpu_has(Isa::kAvx512Vnni)) {
    here.push_back({"vpdpbusd zmm", "avx512_vnni", 2.0 * 12 * 64, dot_zmm});
    here.push_back({"fma zmm, float32", "fp32", 2.0 * 12 * 16, fma_zmm});
  }
  if (HardwareTiles::usable()) {
    here.push_back({"tdpbssd", "amx_int8", 2.0 * 6 * 16 * 16 * 64, dot_tiles});
  }
  return here;
}

#else

std::vector<Burst> choose() { return {}; }

#endif

}  // namespace

std::span<const Burst> bursts_here() {
  static const std::vector<Burst> here = choose();
  return here;
}

}  // namespace nibble::peers
