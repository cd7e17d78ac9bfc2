// Proof without the hardware that the real tile instructions of nibble/amx.hpp, and the published
// solution of lab 17 compiled to them, do what the model does. Where the processor has no tiles,
// each of these instructions raises SIGILL; the handler below decodes it, carries it out on
// the model of the tiles, and lets the program go on behind it. So register numbers, operand order,
// addresses, strides and configurations are the real ones. Where the processor has tiles,
// it carries them out.
#include <gtest/gtest.h>

#if defined(__x86_64__) && defined(__linux__)

#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <vector>

#include "nibble/amx.hpp"
#include "nibble/matmul_shape.hpp"

namespace nibble {

// As lab 17's contract has them; the kit's tests include no lab. The linker sees that they agree.
void pack_b(std::span<const std::int8_t> b_t, std::span<std::int8_t> packed, MatmulShape shape);
void multiply_tile(TileEngine engine, std::span<const std::int8_t> a,
                   std::span<const std::int8_t> b_tile, std::span<std::int32_t> c,
                   MatmulShape shape);
TileCounts multiply_tiles(TileEngine engine, std::span<const std::int8_t> a,
                          std::span<const std::int8_t> packed_b, std::span<std::int32_t> c,
                          MatmulShape shape);
void multiply_tiles_fused(TileEngine engine, std::span<const std::int8_t> a,
                          std::span<const std::int8_t> packed_b, std::span<const float> scale,
                          std::span<const float> bias, std::span<float> c, MatmulShape shape);

namespace {

// --- The processor's part ------------------------------------------------------------------------

/// One instruction with the encoding that all tile instructions share:
///
///     C4 | ~R ~X ~B mmmmm | W ~vvvv L pp | opcode | mod reg rm | SIB | displacement
///
///     mmmmm = 2 (0F38), W = 0, L = 0        pp = 0: no prefix, 1: 66, 2: F3, 3: F2
class TileInstruction {
 public:
  TileInstruction(const std::uint8_t* at, const greg_t* registers)
      : at_(at), registers_(registers) {}

  bool is_vex_0f38() const {
    return at_[0] == 0xC4 && (at_[1] & 0x1F) == 2 && (at_[2] & 0x84) == 0;
  }
  int prefix() const { return at_[2] & 3; }
  int opcode() const { return at_[3]; }
  int mod() const { return at_[4] >> 6; }
  int reg() const { return at_[4] >> 3 & 7; }
  int rm() const { return at_[4] & 7; }
  int vvvv() const { return ~(at_[2] >> 3) & 15; }
  bool in_memory() const { return mod() != 3; }
  bool has_sib() const { return in_memory() && rm() == 4; }

  /// The bytes from the first to the last of the instruction.
  int length() const { return 5 + (has_sib() ? 1 : 0) + displacement_bytes(); }

  /// base + displacement: where the first row is. The index, if any, is the stride.
  std::uint8_t* address() const {
    std::int32_t displacement = 0;
    const std::uint8_t* const from = at_ + 5 + (has_sib() ? 1 : 0);
    if (displacement_bytes() == 1) displacement = static_cast<std::int8_t>(*from);
    if (displacement_bytes() == 4) std::memcpy(&displacement, from, 4);
    std::uint64_t base = 0;
    if (is_rip_relative()) {
      base = reinterpret_cast<std::uint64_t>(at_ + length());
    } else if (!has_no_base()) {
      base = value_of((has_sib() ? at_[5] & 7 : rm()) + (at_[1] & 0x20 ? 0 : 8));
    }
    return reinterpret_cast<std::uint8_t*>(base + displacement);
  }

  std::ptrdiff_t stride() const {
    const int index = (at_[5] >> 3 & 7) + (at_[1] & 0x40 ? 0 : 8);
    return index == 4 ? 0 : static_cast<std::ptrdiff_t>(value_of(index) << (at_[5] >> 6));
  }

 private:
  bool is_rip_relative() const { return mod() == 0 && rm() == 5; }
  bool has_no_base() const { return mod() == 0 && has_sib() && (at_[5] & 7) == 5; }
  int displacement_bytes() const {
    if (mod() == 1) return 1;
    return mod() == 2 || is_rip_relative() || has_no_base() ? 4 : 0;
  }

  std::uint64_t value_of(int number) const {
    constexpr std::array<int, 16> places = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                            REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                            REG_R12, REG_R13, REG_R14, REG_R15};
    return static_cast<std::uint64_t>(registers_[places.at(static_cast<std::size_t>(number))]);
  }

  const std::uint8_t* at_;
  const greg_t* registers_;
};

TileModel processor;  // the tiles of the one thread there is
int carried_out = 0;  // tile instructions so far

TileConfig config_at(const std::uint8_t* bytes) {
  TileConfig config;
  std::memcpy(&config, bytes, sizeof config);
  return config;
}

/// Opcode 49: ldtilecfg, sttilecfg, tilerelease, tilezero.
bool configure(const TileInstruction& code) {
  if (code.in_memory() && code.reg() == 0 && code.prefix() == 0) {
    processor.load_config(config_at(code.address()));
  } else if (code.in_memory() && code.reg() == 0 && code.prefix() == 1) {
    std::memcpy(code.address(), &processor.config(), sizeof(TileConfig));
  } else if (!code.in_memory() && code.prefix() == 0 && code.reg() == 0 && code.rm() == 0) {
    processor.release();
  } else if (!code.in_memory() && code.prefix() == 3 && code.rm() == 0) {
    processor.zero(code.reg());
  } else {
    return false;
  }
  return true;
}

/// Opcode 4B: tileloadd, tileloaddt1, tilestored. Always with a SIB byte.
bool move(const TileInstruction& code) {
  if (!code.has_sib()) return false;
  if (code.prefix() == 3 || code.prefix() == 1) {
    processor.load(code.reg(), code.address(), code.stride());
  } else if (code.prefix() == 2) {
    processor.store(code.reg(), code.address(), code.stride());
  } else {
    return false;
  }
  return true;
}

/// Opcode 5E: tdpbssd, tdpbsud, tdpbusd, tdpbuud. C is reg, A is rm, B is vvvv.
bool multiply(const TileInstruction& code) {
  using S = std::int8_t;
  using U = std::uint8_t;
  const int c = code.reg(), a = code.rm(), b = code.vvvv();
  if (code.in_memory() || b >= kTiles) return false;
  if (code.prefix() == 3) processor.dot<S, S>(c, a, b);
  if (code.prefix() == 2) processor.dot<S, U>(c, a, b);
  if (code.prefix() == 1) processor.dot<U, S>(c, a, b);
  if (code.prefix() == 0) processor.dot<U, U>(c, a, b);
  return true;
}

bool carry_out(const TileInstruction& code) {
  try {
    if (!code.is_vex_0f38()) return false;
    if (code.opcode() == 0x49) return configure(code);
    if (code.opcode() == 0x4B) return move(code);
    return code.opcode() == 0x5E && multiply(code);
  } catch (const std::logic_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return false;
  }
}

void on_illegal_instruction(int, siginfo_t*, void* context) {
  greg_t* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const TileInstruction code(reinterpret_cast<const std::uint8_t*>(registers[REG_RIP]), registers);
  if (carry_out(code)) {
    ++carried_out;
    registers[REG_RIP] += code.length();
  } else {
    signal(SIGILL, SIG_DFL);  // and meet it once more
  }
}

/// True when this test has to be the processor.
bool emulates() {
  static const bool needed = [] {
    if (HardwareTiles::usable()) return false;
    struct sigaction action {};
    action.sa_sigaction = on_illegal_instruction;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGILL, &action, nullptr);
    return detail::tile_instructions_are_emulated = true;
  }();
  return needed;
}

class AmxTrap : public testing::Test {
 protected:
  void SetUp() override {
    RecordProperty("carried_out_by", emulates() ? "this test" : "the processor");
    carried_out = 0;
  }
  /// A test that ran no tile instruction proves nothing.
  void TearDown() override {
    EXPECT_EQ(carried_out > 0, emulates());
    EXPECT_FALSE(processor.configured()) << "a kernel ended without tilerelease";
  }
};

// --- The instructions, one by one ----------------------------------------------------------------

std::vector<std::int8_t> codes(std::size_t count, unsigned seed) {
  std::vector<std::int8_t> all(count);
  for (std::int8_t& code : all) {
    seed = seed * 1664525u + 1013904223u;
    code = static_cast<std::int8_t>(seed >> 24);
  }
  return all;
}

/// Every tile another size: C tiles 0..5 with the rows of A in 6 and the columns of B in 7.
TileConfig sizes(int m, int n, int quads) {
  TileConfig config;
  config.palette = 1;
  for (int t = 0; t < kTiles; ++t) {
    config.rows[t] = static_cast<std::uint8_t>(t == 7 ? quads : m);
    config.colsb[t] = static_cast<std::uint16_t>(t == 6 ? 4 * quads : 4 * n);
  }
  return config;
}

TEST_F(AmxTrap, EveryTileHasItsNumber) {
  const std::vector<std::int8_t> from = codes(8 * 64 + 64, 1);
  std::vector<std::int8_t> to(8 * 12);
  HardwareTiles tiles;
  tiles.load_config(sizes(1, 3, 3));
  const auto each = [&](const auto& action) {
    action(tmm0, 0), action(tmm1, 1), action(tmm2, 2), action(tmm3, 3);
    action(tmm4, 4), action(tmm5, 5), action(tmm6, 6);
  };
  each([&](auto tile, int t) { tiles.load(tile, &from[64 * t], 64); });
  tiles.zero(tmm3);
  each([&](auto tile, int t) { tiles.store(tile, &to[12 * t], 12); });
  for (int t = 0; t < 7; ++t) {
    for (int x = 0; x < 12; ++x) {
      EXPECT_EQ(to[12 * t + x], t == 3 ? 0 : from[64 * t + x]) << "tmm" << t << " byte " << x;
    }
  }
}

/// One product on the tiles of `Tiles`, with strides that are no sizes, added to what C held.
template <class Tiles, class Product>
std::vector<std::int32_t> product_on(Tiles& tiles, int m, int n, int quads,
                                     const Product& product) {
  const auto a = codes(16 * 80, 2), b = codes(16 * 72, 3);
  std::vector<std::int32_t> c(16 * 19, 7);
  tiles.request_permission();
  tiles.load_config(sizes(m, n, quads));
  tiles.load(tmm5, c.data(), 19 * 4);
  tiles.load(tmm6, a.data(), 80);
  tiles.load(tmm7, b.data(), 72);
  product(tiles);
  product(tiles);
  tiles.store(tmm5, c.data(), 19 * 4);
  tiles.release();
  return c;
}

TEST_F(AmxTrap, ProductsOfAnySizeEqualTheModel) {
  const auto is_equal = [](int m, int n, int quads, const auto& product) {
    HardwareTiles real;
    ModelTiles model(true);
    EXPECT_EQ(product_on(real, m, n, quads, product), product_on(model, m, n, quads, product))
        << m << " rows, " << n << " columns, " << quads << " quads";
  };
  for (int size = 1; size <= 16; ++size) {
    const auto signed_codes = [](auto& tiles) { tiles.dot_s8s8(tmm5, tmm6, tmm7); };
    const auto unsigned_codes = [](auto& tiles) { tiles.dot_u8s8(tmm5, tmm6, tmm7); };
    is_equal(size, 16, 16, signed_codes);
    is_equal(16, size, 16, signed_codes);
    is_equal(16, 16, size, signed_codes);
    is_equal(size, 17 - size, size, unsigned_codes);
  }
}

// Operands in an order that no symmetric encoding would survive.
TEST_F(AmxTrap, OperandsKeepTheirOrder) {
  const auto square = [](auto& tiles, auto c, auto a, auto b) {
    const auto x = codes(1024, 4), y = codes(1024, 5);
    std::vector<std::int32_t> sums(256);
    TileConfig config = sizes(16, 16, 16);
    tiles.request_permission();
    tiles.load_config(config);
    tiles.load(a, x.data(), 64);
    tiles.load(b, y.data(), 64);
    tiles.dot_s8s8(c, a, b);
    tiles.store(c, sums.data(), 64);
    tiles.release();
    return sums;
  };
  const auto is_equal = [&](auto... three) {
    HardwareTiles real;
    ModelTiles model(true);
    EXPECT_EQ(square(real, three...), square(model, three...));
  };
  is_equal(tmm0, tmm1, tmm2), is_equal(tmm2, tmm1, tmm0), is_equal(tmm1, tmm0, tmm2);
  is_equal(tmm7, tmm0, tmm3), is_equal(tmm3, tmm7, tmm4), is_equal(tmm4, tmm3, tmm7);
  is_equal(tmm6, tmm5, tmm0), is_equal(tmm5, tmm0, tmm6), is_equal(tmm0, tmm7, tmm5);
}

TEST_F(AmxTrap, ConfigurationIsWhatWasLoaded) {
  HardwareTiles tiles;
  const TileConfig config = sizes(5, 7, 11);
  TileConfig stored;
  tiles.load_config(config);
  asm volatile("sttilecfg %0" : "=m"(stored));
  EXPECT_EQ(stored, config);
}

// --- What the processor refuses ------------------------------------------------------------------

TEST(AmxTrapDeathTest, UnconfiguredTilesAreIllegal) {
  emulates();
  const auto unconfigured = [] {
    HardwareTiles tiles;
    tiles.release();
    tiles.zero(tmm1);
  };
  EXPECT_EXIT(unconfigured(), testing::KilledBySignal(SIGILL), "");
}

TEST(AmxTrapDeathTest, ProductsThatDoNotFitAreIllegal) {
  emulates();
  const auto misfit = [] {
    HardwareTiles tiles;
    tiles.load_config(sizes(3, 3, 5));
    tiles.dot_s8s8(tmm0, tmm1, tmm7);  // tmm1 has the size of a C
  };
  EXPECT_EXIT(misfit(), testing::KilledBySignal(SIGILL), "");
}

// --- The published solution ----------------------------------------------------------------------

struct Problem {
  MatmulShape shape;
  std::vector<std::int8_t> a, b_t, packed_b;

  explicit Problem(MatmulShape s)
      : shape(s),
        a(codes(std::size_t(s.m) * s.k, 6)),
        b_t(codes(std::size_t(s.n) * s.k, 7)),
        packed_b(packed_size() + 64) {
    pack_b(b_t, packed(), s);
  }

  std::span<std::int8_t> packed() {
    const auto past = reinterpret_cast<std::uintptr_t>(packed_b.data()) % 64;
    return std::span(packed_b).subspan((64 - past) % 64, packed_size());
  }

  std::size_t packed_size() const {
    return std::size_t(shape.n + 31) / 32 * 32 * (std::size_t(shape.k + 63) / 64 * 64);
  }

  std::size_t results() const { return std::size_t(shape.m) * shape.n; }

  std::vector<std::int32_t> sums() const {
    std::vector<std::int32_t> c;
    const std::size_t k = shape.k;
    for (std::size_t i = 0; i < std::size_t(shape.m); ++i) {
      for (std::size_t j = 0; j < std::size_t(shape.n); ++j) {
        std::int32_t acc = 0;
        for (std::size_t p = 0; p < k; ++p) acc += a[i * k + p] * b_t[j * k + p];
        c.push_back(acc);
      }
    }
    return c;
  }
};

TEST_F(AmxTrap, SolutionMultipliesOneTile) {
  for (const MatmulShape shape : {MatmulShape{16, 16, 64},
                                  {1, 1, 1},
                                  {3, 5, 7},
                                  {16, 1, 63},
                                  {1, 16, 62},
                                  {7, 9, 33},
                                  {15, 16, 61},
                                  {16, 15, 4}}) {
    Problem problem(shape);
    std::vector<std::int32_t> c(problem.results());
    multiply_tile(TileEngine::kHardware, problem.a, problem.packed().first(1024), c, shape);
    EXPECT_EQ(c, problem.sums()) << shape.m << "x" << shape.n << "x" << shape.k;
  }
}

// Tails in each size; one step past a slice of k; one pair past a block of rows, and of columns.
TEST_F(AmxTrap, SolutionMultipliesEveryShape) {
  for (const MatmulShape shape : {MatmulShape{32, 32, 64},
                                  {1, 1, 1},
                                  {33, 17, 65},
                                  {64, 64, 128},
                                  {5, 70, 577},
                                  {40, 40, 1100},
                                  {530, 20, 520},
                                  {20, 530, 520},
                                  {3, 2, 0},
                                  {0, 5, 3},
                                  {2, 3, 9000}}) {
    Problem problem(shape);
    std::vector<std::int32_t> c(problem.results()), modelled(problem.results());
    const TileCounts before = processor.counts();
    multiply_tiles(TileEngine::kHardware, problem.a, problem.packed(), c, shape);
    const TileCounts after = processor.counts();
    EXPECT_EQ(c, problem.sums()) << shape.m << "x" << shape.n << "x" << shape.k;
    const TileCounts model =
        multiply_tiles(TileEngine::kModel, problem.a, problem.packed(), modelled, shape);
    EXPECT_EQ(modelled, c);
    if (!emulates()) continue;
    EXPECT_EQ((TileCounts{after.loads - before.loads, after.stores - before.stores,
                          after.dots - before.dots}),
              model);
  }
}

// The second is larger than the caches, and aligned as well as not: lines are streamed, or copied.
TEST_F(AmxTrap, SolutionFusesScaleBiasAndRelu) {
  for (const MatmulShape shape : {MatmulShape{9, 21, 70}, {801, 704, 3}}) {
    Problem problem(shape);
    std::vector<float> scale, bias;
    for (int j = 0; j < shape.n; ++j) {
      scale.push_back(0.01f * static_cast<float>(j % 7 + 1));
      bias.push_back(static_cast<float>(j % 5 - 2) / 3.0f);
    }
    std::vector<float> want;
    for (const std::int32_t sum : problem.sums()) {
      const std::size_t j = want.size() % scale.size();
      const float product = static_cast<float>(sum) * scale[j];
      want.push_back(std::max(0.0f, product + bias[j]));
    }
    std::vector<float> memory(problem.results() + 32);
    const auto past = reinterpret_cast<std::uintptr_t>(memory.data()) % 64 / 4;
    for (const std::size_t offset : {(16 - past) % 16, (17 - past) % 16}) {
      const std::span<float> c = std::span(memory).subspan(offset, problem.results());
      multiply_tiles_fused(TileEngine::kHardware, problem.a, problem.packed(), scale, bias, c,
                           shape);
      EXPECT_TRUE(std::ranges::equal(c, want)) << shape.m << "x" << shape.n << "x" << shape.k;
    }
  }
}

}  // namespace
}  // namespace nibble

#else

TEST(AmxTrap, NeedsAnX86Processor) {
  GTEST_SKIP() << "tile instructions are x86-64's, and Linux's";
}

#endif
