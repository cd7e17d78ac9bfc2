// Thousands of damaged cubins. The reader is built with the address and undefined-behaviour
// sanitizers in every build of the kit: a step beyond the file ends the test.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>

#include "gpu/cubin.hpp"
#include "made_cubin.hpp"

namespace nibble::gpu {
namespace {

using Bytes = std::vector<std::byte>;

/// Cubins of the compiler's own making, when the build has one; a made one in any case.
std::vector<Bytes> samples() {
  std::vector<Bytes> all{MadeCubin({{"a", true, {.block_x = 64}}, {"b", false, {}}}).bytes()};
  const std::string files = NIBBLE_SAMPLE_CUBINS;
  for (std::size_t begin = 0; begin < files.size();) {
    const std::size_t end = std::min(files.find(':', begin), files.size());
    std::ifstream file(files.substr(begin, end - begin), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto* const data = reinterpret_cast<const std::byte*>(text.data());
    if (!text.empty()) all.emplace_back(data, data + text.size());
    begin = end + 1;
  }
  return all;
}

/// True when it was taken for a good one.
bool survives(const Bytes& image) {
  try {
    read_cubin(image);
    return true;
  } catch (const BadCubin& bad) {
    EXPECT_TRUE(std::string(bad.what()).size() > 10);
    return false;
  }
}

TEST(CubinFuzz, EveryTruncationIsRead) {
  for (const Bytes& sample : samples()) {
    ASSERT_TRUE(survives(sample));
    int refused = 0;
    for (std::size_t size = 0; size < sample.size(); ++size) {
      refused += survives(Bytes(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(size)))
                     ? 0
                     : 1;
    }
    EXPECT_GT(refused, static_cast<int>(sizeof(Elf64_Ehdr)));
  }
}

TEST(CubinFuzz, EverySingleByteOfTheTablesMayBeAnything) {
  for (const Bytes& sample : samples()) {
    Elf64_Ehdr header;
    std::memcpy(&header, sample.data(), sizeof header);
    const auto flip = [&](std::size_t at) {
      Bytes changed = sample;
      for (const unsigned mask : {0xFFu, 0x80u, 0x01u, 0x7Fu}) {
        changed[at] = sample[at] ^ static_cast<std::byte>(mask);
        survives(changed);
      }
    };
    for (std::size_t at = 0; at < sizeof header; ++at) flip(at);
    for (std::size_t at = header.e_shoff;
         at < std::min(sample.size(), header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr)); ++at) {
      flip(at);
    }
  }
}

TEST(CubinFuzz, TwentyThousandMutationsAreRead) {
  std::mt19937_64 bits(20260101);
  constexpr int kMutations = 20000;
  const std::vector<Bytes> from = samples();
  int refused = 0;
  for (int i = 0; i < kMutations; ++i) {
    Bytes image = from[static_cast<std::size_t>(i) % from.size()];
    const std::uint64_t edits = 1 + bits() % 8;
    for (std::uint64_t edit = 0; edit < edits; ++edit) {
      const std::size_t at = bits() % image.size();
      const std::size_t run = std::min<std::size_t>(bits() % 2 == 0 ? 1 : 8, image.size() - at);
      const bool extreme = bits() % 2 == 0;
      for (std::size_t b = 0; b < run; ++b) {
        image[at + b] = static_cast<std::byte>(extreme ? 0xFF : bits() & 0xFF);
      }
    }
    refused += survives(image) ? 0 : 1;
  }
  EXPECT_GT(refused, kMutations / 50);  // most bytes of a cubin are code, which is not looked at
  RecordProperty("refused", refused);
}

TEST(CubinFuzz, BytesWithoutAnyMeaningAreRefused) {
  std::mt19937_64 bits(7);
  for (int i = 0; i < 2000; ++i) {
    Bytes image(bits() % 4096);
    for (std::byte& one : image) one = static_cast<std::byte>(bits() & 0xFF);
    EXPECT_FALSE(survives(image));
    // With a header that fits, the rest is followed.
    MadeCubin made({});
    made.header().e_shoff = bits() % 4096;
    made.header().e_shnum = 1 + bits() % 64;
    if (image.size() < sizeof(Elf64_Ehdr)) continue;
    std::memcpy(image.data(), &made.header(), sizeof(Elf64_Ehdr));
    survives(image);
  }
}

}  // namespace
}  // namespace nibble::gpu
