// The model of the tiles (nibble/amx_model.hpp): each rule of the manual, and each refusal.
#include "nibble/amx.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace nibble {
namespace {

using Bytes = std::vector<std::uint8_t>;

TileConfig config_of(std::initializer_list<std::array<int, 2>> sizes) {
  TileConfig config;
  config.palette = 1;
  int tile = 0;
  for (const auto& [rows, colsb] : sizes) {
    config.rows[tile] = static_cast<std::uint8_t>(rows);
    config.colsb[tile++] = static_cast<std::uint16_t>(colsb);
  }
  return config;
}

TileModel configured(std::initializer_list<std::array<int, 2>> sizes) {
  TileModel tiles;
  tiles.load_config(config_of(sizes));
  return tiles;
}

/// 1, 2, 3, …: no byte is like its neighbours.
Bytes counting(std::size_t count) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
  return bytes;
}

/// What a tile of this size holds.
Bytes stored(TileModel& tiles, int tile, int rows, int colsb) {
  Bytes bytes(static_cast<std::size_t>(rows) * colsb, 0xEE);
  tiles.store(tile, bytes.data(), colsb);
  return bytes;
}

template <class Action>
std::string sentence_of(const Action& action) {
  try {
    action();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

testing::AssertionResult says(const std::string& sentence, const std::string& part) {
  if (sentence.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << '"' << sentence << "\" does not say \"" << part << '"';
}

TEST(TileModel, TouchesOnlyTheConfiguredBytesOfMemory) {
  TileModel tiles = configured({{3, 5}});
  const Bytes from = counting(2 * 20 + 5);  // the last row ends with the buffer
  tiles.load(0, from.data(), 20);
  Bytes to(2 * 7 + 5, 0xEE);
  tiles.store(0, to.data(), 7);
  EXPECT_EQ(to,
            (Bytes{1, 2, 3, 4, 5, 0xEE, 0xEE, 21, 22, 23, 24, 25, 0xEE, 0xEE, 41, 42, 43, 44, 45}));
}

TEST(TileModel, TakesAnyStride) {
  TileModel tiles = configured({{3, 2}});
  const Bytes from = counting(6);
  tiles.load(0, from.data() + 4, -2);
  EXPECT_EQ(stored(tiles, 0, 3, 2), (Bytes{5, 6, 3, 4, 1, 2}));
  tiles.load(0, from.data(), 0);
  EXPECT_EQ(stored(tiles, 0, 3, 2), (Bytes{1, 2, 1, 2, 1, 2}));
}

TEST(TileModel, ConfiguringAndZeroingClear) {
  TileModel tiles = configured({{2, 4}, {2, 4}});
  const Bytes from = counting(8);
  tiles.load(0, from.data(), 4);
  tiles.load(1, from.data(), 4);
  tiles.zero(0);
  EXPECT_EQ(stored(tiles, 0, 2, 4), Bytes(8, 0));
  EXPECT_EQ(stored(tiles, 1, 2, 4), from);
  tiles.load_config(tiles.config());
  EXPECT_EQ(stored(tiles, 1, 2, 4), Bytes(8, 0));
}

TEST(TileModel, AddsQuadsOfProducts) {
  TileModel tiles = configured({{1, 8}, {1, 8}, {2, 8}});  // C 1x2, A 1x8, B 8x2
  const std::array<std::int32_t, 2> before = {1000, -1000};
  const std::array<std::int8_t, 8> a = {1, 2, 3, 4, 5, 6, 7, -128};
  const std::array<std::int8_t, 16> b = {1, 1, 1, 1, 10, 20, 30, 40, 0, 0, 0, -128, 1, 0, -1, 2};
  tiles.load(0, before.data(), 8);
  tiles.load(1, a.data(), 8);
  tiles.load(2, b.data(), 8);
  tiles.dot<std::int8_t, std::int8_t>(0, 1, 2);
  std::array<std::int32_t, 2> sums = {};
  tiles.store(0, sums.data(), 8);
  EXPECT_EQ(sums[0], 1000 + 10 + 128 * 128);
  EXPECT_EQ(sums[1], -1000 + 300 + (5 - 7 - 256));
}

TEST(TileModel, KnowsFourKindsOfSigns) {
  const auto product = [](auto run) {
    TileModel tiles = configured({{1, 4}, {1, 4}, {1, 4}});
    const Bytes a = {255, 0, 0, 0}, b = {254, 0, 0, 0};
    tiles.load(1, a.data(), 4);
    tiles.load(2, b.data(), 4);
    run(tiles);
    std::int32_t sum = 0;
    tiles.store(0, &sum, 4);
    return sum;
  };
  EXPECT_EQ(product([](TileModel& t) { t.dot<std::int8_t, std::int8_t>(0, 1, 2); }), 2);
  EXPECT_EQ(product([](TileModel& t) { t.dot<std::uint8_t, std::int8_t>(0, 1, 2); }), -510);
  EXPECT_EQ(product([](TileModel& t) { t.dot<std::int8_t, std::uint8_t>(0, 1, 2); }), -254);
  EXPECT_EQ(product([](TileModel& t) { t.dot<std::uint8_t, std::uint8_t>(0, 1, 2); }), 64770);
}

TEST(TileModel, WrapsAndNeverSaturates) {
  TileModel tiles = configured({{1, 4}, {1, 4}, {1, 4}});
  const std::int32_t top = 2147483647;
  const std::array<std::int8_t, 4> one = {1, 0, 0, 0};
  tiles.load(0, &top, 4);
  tiles.load(1, one.data(), 4);
  tiles.load(2, one.data(), 4);
  tiles.dot<std::int8_t, std::int8_t>(0, 1, 2);
  std::int32_t sum = 0;
  tiles.store(0, &sum, 4);
  EXPECT_EQ(sum, -2147483647 - 1);
}

TEST(TileModel, CountsLoadsStoresAndProducts) {
  TileModel tiles = configured({{1, 4}, {1, 4}, {1, 4}});
  const Bytes four = counting(4);
  tiles.load(1, four.data(), 4);
  tiles.load(2, four.data(), 4);
  tiles.dot<std::int8_t, std::int8_t>(0, 1, 2);
  tiles.dot<std::int8_t, std::int8_t>(0, 1, 2);
  stored(tiles, 0, 1, 4);
  EXPECT_EQ(tiles.counts(), (TileCounts{2, 1, 2}));
}

TEST(TileModel, RefusesConfigurationsThatTheProcessorRefuses) {
  const auto refused = [](const TileConfig& config) {
    return sentence_of([&] { TileModel().load_config(config); });
  };
  EXPECT_TRUE(says(refused(TileConfig{}), "has palette 1, this one has 0"));
  TileConfig two = config_of({{1, 1}});
  two.palette = 2;
  EXPECT_TRUE(says(refused(two), "this one has 2"));
  EXPECT_TRUE(says(refused(config_of({{17, 4}})), "tmm0 of this configuration, with 17 rows of 4"));
  EXPECT_TRUE(says(refused(config_of({{1, 1}, {1, 65}})), "tmm1"));
  EXPECT_TRUE(says(refused(config_of({{0, 4}})), "with 0 rows of 4 bytes"));
  EXPECT_TRUE(says(refused(config_of({{4, 0}})), "with 4 rows of 0 bytes"));
  TileConfig ninth = config_of({{1, 1}});
  ninth.rows[8] = ninth.rows[0];
  ninth.colsb[8] = ninth.colsb[0];
  EXPECT_TRUE(says(refused(ninth), "tmm8"));
  TileConfig reserved = config_of({{1, 1}});
  reserved.reserved[13] = 1;
  EXPECT_TRUE(says(refused(reserved), "reserved"));
  TileConfig started = config_of({{1, 1}});
  started.start_row = 1;
  EXPECT_TRUE(says(refused(started), "start_row"));
  EXPECT_EQ(refused(config_of({{16, 64}, {1, 1}, {0, 0}})), "");
}

TEST(TileModel, RefusesTilesThatAreNotThere) {
  TileModel tiles;
  EXPECT_TRUE(says(sentence_of([&] { tiles.zero(3); }), "tmm3 is used before load_config()"));
  tiles.load_config(config_of({{1, 4}, {0, 0}}));
  EXPECT_TRUE(says(sentence_of([&] { tiles.zero(1); }), "tmm1 is used, but its configuration"));
  tiles.release();
  std::int32_t sum = 0;
  EXPECT_TRUE(says(sentence_of([&] { tiles.store(0, &sum, 4); }), "after release()"));
}

TEST(TileModel, RefusesProductsThatDoNotFit) {
  const auto refused = [](std::initializer_list<std::array<int, 2>> sizes) {
    return sentence_of([&] { configured(sizes).dot<std::int8_t, std::int8_t>(0, 1, 2); });
  };
  EXPECT_EQ(refused({{2, 12}, {2, 16}, {4, 12}}), "");
  EXPECT_TRUE(says(refused({{3, 12}, {2, 16}, {4, 12}}), "as C tmm0 has 3 rows of 12 bytes"));
  EXPECT_TRUE(says(refused({{2, 16}, {2, 16}, {4, 12}}), "as B tmm2 has 4 rows of 12 bytes"));
  EXPECT_TRUE(says(refused({{2, 12}, {2, 12}, {4, 12}}), "as A tmm1 has 2 rows of 12 bytes"));
  EXPECT_TRUE(says(refused({{2, 12}, {2, 15}, {4, 12}}), "whole quads"));
  EXPECT_TRUE(says(sentence_of([] {
                     configured({{4, 16}}).dot<std::int8_t, std::int8_t>(0, 0, 0);
                   }),
                   "different ones"));
}

// --- with_tiles() --------------------------------------------------------------------------------

TEST(WithTiles, AsksForPermissionFirst) {
  const auto impatient = [](auto& tiles) { tiles.load_config(config_of({{1, 1}})); };
  EXPECT_TRUE(
      says(sentence_of([&] { with_tiles(TileEngine::kModel, impatient); }), "without permission"));
}

TEST(WithTiles, WantsTheTilesBack) {
  const auto forgetful = [](auto& tiles) {
    tiles.request_permission();
    tiles.load_config(config_of({{1, 1}}));
  };
  EXPECT_TRUE(
      says(sentence_of([&] { with_tiles(TileEngine::kModel, forgetful); }), "still configured"));
}

TEST(WithTiles, DeniesWhatIsNotThere) {
  const auto granted = [](TileEngine engine) {
    bool answer = false;
    with_tiles(engine, [&](auto& tiles) { answer = tiles.request_permission(); });
    return answer;
  };
  EXPECT_TRUE(granted(TileEngine::kModel));
  EXPECT_FALSE(granted(TileEngine::kDenied));
  EXPECT_EQ(granted(TileEngine::kHardware), HardwareTiles::usable());
  EXPECT_TRUE(cpu_has(Isa::kAmxInt8) || !HardwareTiles::usable());
  EXPECT_THROW(granted(static_cast<TileEngine>(3)), std::invalid_argument);
}

}  // namespace
}  // namespace nibble
