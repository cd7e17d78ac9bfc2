// Tiles to write a kernel for, once: the same source runs on the model, anywhere, and on the real
// registers where the processor has them and the system grants them.
//
//     with_tiles(engine, [&](auto& tiles) {
//       if (!tiles.request_permission()) throw …;     the system saves 8 KiB more per thread: ask
//       tiles.load_config(config);                    how large each tile is; all become 0
//       tiles.load(tmm1, a, 64);                      rows 64 bytes apart
//       tiles.load(tmm2, b, 64);
//       tiles.dot_s8s8(tmm0, tmm1, tmm2);             C += A * B
//       tiles.store(tmm0, c, 64);
//       tiles.release();                              or the next switch of threads saves them too
//     });
//
// The number of a tile is part of an instruction, as that of a register is: no loop can choose it.
#pragma once

#include "nibble/amx_model.hpp"
#include "nibble/cpu.hpp"

namespace nibble {

/// The name of a tile, as a type.
template <int Number>
struct Tile {
  static_assert(0 <= Number && Number < kTiles);
};
inline constexpr Tile<0> tmm0;
inline constexpr Tile<1> tmm1;
inline constexpr Tile<2> tmm2;
inline constexpr Tile<3> tmm3;
inline constexpr Tile<4> tmm4;
inline constexpr Tile<5> tmm5;
inline constexpr Tile<6> tmm6;
inline constexpr Tile<7> tmm7;

/// Whose tiles a kernel runs on. The number is part of contracts.
enum class TileEngine : std::int32_t {
  kModel,     ///< tiles in plain C++: every machine
  kDenied,    ///< the same under a system that grants none: a kernel has to refuse
  kHardware,  ///< the registers; where they are not usable, as kDenied
};

/// The tiles of the model, which belong to this object.
class ModelTiles {
 public:
  explicit ModelTiles(bool usable) : usable_(usable) {}

  /// True when the tiles may be used. Until it was asked, they may not.
  bool request_permission() { return permitted_ = usable_; }

  void load_config(const TileConfig& config) {
    if (!permitted_) throw std::logic_error("tiles: used without permission: request_permission()");
    model_.load_config(config);
  }
  void release() { model_.release(); }
  template <int T>
  void zero(Tile<T>) {
    model_.zero(T);
  }
  template <int T>
  void load(Tile<T>, const void* from, std::ptrdiff_t stride) {
    model_.load(T, from, stride);
  }
  template <int T>
  void store(Tile<T>, void* to, std::ptrdiff_t stride) {
    model_.store(T, to, stride);
  }
  /// C += A * B with signed codes in both.
  template <int C, int A, int B>
  void dot_s8s8(Tile<C>, Tile<A>, Tile<B>) {
    model_.dot<std::int8_t, std::int8_t>(C, A, B);
  }
  /// C += A * B with unsigned codes in A.
  template <int C, int A, int B>
  void dot_u8s8(Tile<C>, Tile<A>, Tile<B>) {
    model_.dot<std::uint8_t, std::int8_t>(C, A, B);
  }

  const TileModel& model() const { return model_; }

 private:
  TileModel model_;
  bool usable_;
  bool permitted_ = false;
};

namespace detail {

/// Set by a test that carries out tile instructions itself, where the processor has none.
inline bool tile_instructions_are_emulated = false;

}  // namespace detail

#if defined(__x86_64__) && defined(__linux__)

/// The tiles of this thread. Each function is one instruction; assembly, since GCC 12 tells its own
/// optimiser too little: its _tile_loadconfig() claims to read 8 of the 64 bytes, and its
/// _tile_loadd() none, so that what was stored just before may not be in memory yet.
class HardwareTiles {
 public:
  HardwareTiles() = default;
  HardwareTiles(const HardwareTiles&) = delete;
  HardwareTiles& operator=(const HardwareTiles&) = delete;
  ~HardwareTiles() { release(); }  // also when a kernel is left by an exception

  /// True when the processor has tiles, and the system lets this process use them.
  static bool usable() {
    static const bool granted = cpu_has(Isa::kAmxInt8) && ask_system();
    return granted || detail::tile_instructions_are_emulated;
  }
  bool request_permission() { return usable(); }

  void load_config(const TileConfig& config) { asm volatile("ldtilecfg %0" ::"m"(config)); }
  void release() { asm volatile("tilerelease"); }
  template <int T>
  void zero(Tile<T>) {
    asm volatile("tilezero %%tmm%c0" ::"i"(T));
  }
  template <int T>
  void load(Tile<T>, const void* from, std::ptrdiff_t stride) {
    asm volatile("tileloadd (%1,%2,1), %%tmm%c0" ::"i"(T), "r"(from), "r"(stride) : "memory");
  }
  template <int T>
  void store(Tile<T>, void* to, std::ptrdiff_t stride) {
    asm volatile("tilestored %%tmm%c0, (%1,%2,1)" ::"i"(T), "r"(to), "r"(stride) : "memory");
  }
  template <int C, int A, int B>
  void dot_s8s8(Tile<C>, Tile<A>, Tile<B>) {
    static_assert(C != A && C != B && A != B);
    asm volatile("tdpbssd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(C), "i"(A), "i"(B));
  }
  template <int C, int A, int B>
  void dot_u8s8(Tile<C>, Tile<A>, Tile<B>) {
    static_assert(C != A && C != B && A != B);
    asm volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(C), "i"(A), "i"(B));
  }

 private:
  /// arch_prctl(ARCH_REQ_XCOMP_PERM, the state component of tile data), without the C library.
  static bool ask_system() {
    constexpr long kArchPrctl = 158, kRequestPermission = 0x1023, kTileData = 18;
    long result = kArchPrctl;
    asm volatile("syscall"
                 : "+a"(result)
                 : "D"(kRequestPermission), "S"(kTileData)
                 : "rcx", "r11", "memory");
    return result == 0;
  }
};

#else

/// No tiles here: never usable.
class HardwareTiles : public ModelTiles {
 public:
  HardwareTiles() : ModelTiles(false) {}
  static bool usable() { return false; }
};

#endif

/// Calls kernel(tiles) with the tiles of `engine`, and says what was asked of them (of real ones,
/// which do not count: zeros). Throws std::logic_error when the kernel leaves tiles configured, and
/// std::invalid_argument for a number that is no engine.
template <class Kernel>
TileCounts with_tiles(TileEngine engine, const Kernel& kernel) {
  if (engine != TileEngine::kModel && engine != TileEngine::kDenied &&
      engine != TileEngine::kHardware) {
    throw std::invalid_argument("expected a TileEngine, got number " +
                                std::to_string(static_cast<std::int32_t>(engine)));
  }
  if (engine == TileEngine::kHardware && HardwareTiles::usable()) {
    HardwareTiles tiles;
    kernel(tiles);
    return {};
  }
  ModelTiles tiles(engine == TileEngine::kModel);
  kernel(tiles);
  if (tiles.model().configured()) throw std::logic_error("tiles: still configured: release() them");
  return tiles.model().counts();
}

}  // namespace nibble
