// What crosses between judge and runner: packing, limits, and counts that lie.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "arena_memory.hpp"
#include "protocol/fields.hpp"
#include "protocol/pack.hpp"
#include "trial.hpp"

namespace nibble::protocol {
namespace {

template <class T>
T there_and_back(const T& value) {
  const ArenaMemory arena;
  Packer writer(arena.data());
  writer.put(value);
  Unpacker reader(arena.data(), arena.data());
  return reader.get<T>();
}

enum class Colour : std::uint8_t { kRed = 3 };

TEST(Packing, EveryScalarComesBack) {
  EXPECT_EQ(there_and_back(std::int8_t{-128}), -128);
  EXPECT_EQ(there_and_back(std::numeric_limits<std::uint64_t>::max()),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(there_and_back(1.5f), 1.5f);
  EXPECT_EQ(there_and_back(-2.5), -2.5);
  EXPECT_TRUE(std::signbit(there_and_back(-0.0f)));
  EXPECT_TRUE(std::isnan(there_and_back(std::nanf(""))));
  EXPECT_TRUE(there_and_back(true));
  EXPECT_EQ(there_and_back(Colour::kRed), Colour::kRed);
}

TEST(Packing, EverySequenceComesBack) {
  EXPECT_EQ(there_and_back(std::vector<double>{1, 2, 3}), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(there_and_back(std::vector<float>{}), std::vector<float>{});
  EXPECT_EQ(there_and_back(std::string("a\0b", 3)), std::string("a\0b", 3));
  EXPECT_EQ((there_and_back(std::array<int, 3>{4, 5, 6})), (std::array<int, 3>{4, 5, 6}));
}

TEST(Packing, AStructIsItsFieldsInOrder) {
  const Tensor tensor = there_and_back(Tensor{{1, -1}, 0.5f, "name", {2, 3, 4}, true});
  EXPECT_EQ(tensor.q, (std::vector<std::int8_t>{1, -1}));
  EXPECT_EQ(tensor.scale, 0.5f);
  EXPECT_EQ(tensor.name, "name");
  EXPECT_EQ(tensor.shape, (std::array<std::int32_t, 3>{2, 3, 4}));
  EXPECT_TRUE(tensor.exact);
}

TEST(Packing, ASequenceEndsWhereItsSlotEnds) {
  const ArenaMemory arena;
  Packer writer(arena.data());
  writer.put(std::vector<std::uint8_t>{7, 8, 9});
  EXPECT_EQ(arena.data()[slot_end(0) - 1], std::byte{9});
  EXPECT_EQ(arena.data()[slot_end(0) - 3], std::byte{7});
}

TEST(Packing, TheLargestSequenceFitsAndOneMoreDoesNot) {
  const ArenaMemory arena;
  Packer writer(arena.data());
  EXPECT_EQ(writer.begin_sequence(kSlotBytes, 1), arena.data() + slot_begin(0));
  EXPECT_THROW(writer.begin_sequence(kSlotBytes + 1, 1), TooLarge);
  EXPECT_THROW(writer.begin_sequence(kSlotBytes / 4 + 1, 4), TooLarge);
  EXPECT_THROW(writer.begin_sequence(~std::uint64_t{0}, 8), TooLarge);
}

TEST(Packing, ThereAreSoManySlotsAndNoMore) {
  const ArenaMemory arena;
  Packer writer(arena.data());
  for (int i = 0; i < kSlots; ++i) writer.put(std::vector<int>{i});
  EXPECT_THROW(writer.put(std::vector<int>{8}), TooLarge);
  Unpacker reader(arena.data(), arena.data());
  for (int i = 0; i < kSlots; ++i) EXPECT_EQ(reader.get<std::vector<int>>().at(0), i);
  EXPECT_THROW(reader.get<std::vector<int>>(), Malformed);
}

TEST(Packing, ThereIsRoomForSoManyScalarsAndNoMore) {
  const ArenaMemory arena;
  Packer writer(arena.data());
  for (std::size_t i = 0; i < kScalarBytes / 8; ++i) writer.put(i);
  EXPECT_THROW(writer.put(1), TooLarge);
  Unpacker reader(arena.data(), arena.data());
  for (std::size_t i = 0; i < kScalarBytes / 8; ++i) EXPECT_EQ(reader.get<std::size_t>(), i);
  EXPECT_THROW(reader.get<int>(), Malformed);
}

TEST(Reading, ACountThatCannotBeIsRefusedBeforeItIsUsed) {
  const ArenaMemory arena;
  for (const std::uint64_t count :
       {kSlotBytes / 4 + 1, std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
    std::memcpy(arena.data(), &count, sizeof count);
    Unpacker reader(arena.data(), arena.data());
    EXPECT_THROW(reader.get<std::vector<float>>(), Malformed) << count;
  }
}

TEST(Reading, APrivateCopyOfTheScalarsIsWhatCounts) {
  const ArenaMemory arena;
  Packer(arena.data()).put(std::vector<int>{1, 2, 3});
  const std::vector<std::byte> copy(arena.data(), arena.data() + kScalarBytes);
  std::memset(arena.data(), 0xFF, kScalarBytes);  // the child goes on writing
  Unpacker reader(copy.data(), arena.data());
  EXPECT_EQ(reader.get<std::vector<int>>(), (std::vector<int>{1, 2, 3}));
}

TEST(Reading, AnyByteIsABool) {
  const ArenaMemory arena;
  std::memset(arena.data(), 0x42, 8);
  Unpacker reader(arena.data(), arena.data());
  EXPECT_EQ(reader.get<bool>(), true);
}

struct One {
  int a;
};
struct Ten {
  int a, b;
  float c;
  std::string d;
  std::vector<int> e;
  std::array<int, 2> f;
  bool g;
  double h;
  char i;
  long j;
};
static_assert(field_count<One>() == 1);
static_assert(field_count<Ten>() == 10);
static_assert(field_count<Tensor>() == 5);

TEST(Fields, AreVisitedInOrderAndMayBeChanged) {
  Ten ten{1, 2, 3, "4", {5}, {6, 6}, true, 8, 9, 10};
  int visited = 0;
  for_each_field(ten, [&](auto& field) {
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(field)>, int>) field = -field;
    ++visited;
  });
  EXPECT_EQ(visited, 10);
  EXPECT_EQ(ten.a, -1);
  EXPECT_EQ(ten.b, -2);
}

TEST(Arena, GuardsLieBetweenTheSlots) {
  for (int slot = 0; slot + 1 < kSlots; ++slot) {
    EXPECT_EQ(slot_begin(slot + 1) - slot_end(slot), kGuardBytes);
  }
  EXPECT_EQ(slot_end(kSlots - 1) + kGuardBytes, kArenaBytes);
  EXPECT_LE(kNoteOffset + 64, kGuardBytes);
  EXPECT_LE(kScalarBytes, kNoteOffset);
}

}  // namespace
}  // namespace nibble::protocol
