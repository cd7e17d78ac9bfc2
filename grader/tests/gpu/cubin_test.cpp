// Cubins that nobody's compiler made: what is read of a good one, and that no bytes at all make the
// reader do more than say what is wrong.
#include "gpu/cubin.hpp"

#include <gtest/gtest.h>

#include <random>

#include "gpu/launch_limits.hpp"
#include "made_cubin.hpp"

namespace nibble::gpu {
namespace {

const Launch kLaunch{.block_x = 32, .block_y = 8, .tile_m = 8, .tile_n = 32, .shared_bytes = 1024};

std::string why_bad(const std::vector<std::byte>& image) {
  try {
    read_cubin(image);
    return "";
  } catch (const BadCubin& bad) {
    return bad.what();
  }
}

template <class Header>
void change(std::vector<std::byte>& image, std::size_t at, void (*edit)(Header&)) {
  Header header;
  std::memcpy(&header, image.data() + at, sizeof header);
  edit(header);
  std::memcpy(image.data() + at, &header, sizeof header);
}

std::size_t section_at(const std::vector<std::byte>& image, int index) {
  Elf64_Ehdr header;
  std::memcpy(&header, image.data(), sizeof header);
  return header.e_shoff + static_cast<std::size_t>(index) * sizeof(Elf64_Shdr);
}

// --- What is read --------------------------------------------------------------------------------

TEST(Cubin, NamesItsKernelsAndWhatTheyAskFor) {
  const Cubin cubin =
      read_cubin(MadeCubin({{"quantize", true, kLaunch}, {"helper", false, {}}}, 90).bytes());
  EXPECT_EQ(cubin.sm, 90);
  ASSERT_EQ(cubin.kernels.size(), 2u);
  EXPECT_EQ(cubin.kernels[0].name, "helper");  // sorted
  EXPECT_FALSE(cubin.kernels[0].launch.has_value());
  const CubinKernel* const kernel = cubin.find("quantize");
  ASSERT_NE(kernel, nullptr);
  ASSERT_TRUE(kernel->launch.has_value());
  EXPECT_EQ(kernel->launch->block_x, 32u);
  EXPECT_EQ(kernel->launch->block_y, 8u);
  EXPECT_EQ(kernel->launch->tile_m, 8u);
  EXPECT_EQ(kernel->launch->tile_n, 32u);
  EXPECT_EQ(kernel->launch->shared_bytes, 1024u);
  EXPECT_EQ(cubin.find("quantise"), nullptr);
}

TEST(Cubin, OfAnOlderToolkitKeepsItsSmElsewhere) {
  MadeCubin made({{"f", true, kLaunch}});
  made.header().e_ident[8] = 7;
  made.header().e_flags = 0x500556;  // sm_86, compiled as compute_80
  EXPECT_EQ(read_cubin(made.bytes()).sm, 86);
}

TEST(Cubin, WithoutKernelsIsRead) {
  EXPECT_TRUE(read_cubin(MadeCubin({}).bytes()).kernels.empty());
}

TEST(Cubin, FunctionThatIsNoKernelIsNone) {
  MadeCubin made({{"f", true, kLaunch}});
  made.symbols()[1].st_other = 0;  // a __device__ function
  EXPECT_EQ(read_cubin(made.bytes()).find("f"), nullptr);
}

// --- What is refused -----------------------------------------------------------------------------

TEST(BadCubinTest, SaysWhatItIsInstead) {
  EXPECT_EQ(why_bad({}), "the compiled file is cut off in its header");
  EXPECT_EQ(why_bad(std::vector<std::byte>(100)), "the compiled file is not an ELF file");
  MadeCubin host({});
  host.header().e_machine = EM_X86_64;
  EXPECT_EQ(why_bad(host.bytes()), "the compiled file holds no code for an NVIDIA GPU");
  MadeCubin narrow({});
  narrow.header().e_ident[EI_CLASS] = ELFCLASS32;
  EXPECT_EQ(why_bad(narrow.bytes()), "the compiled file is not a 64-bit little-endian ELF file");
}

TEST(BadCubinTest, DescriptorOfAnotherSizeIsNone) {
  MadeCubin made({{"f", true, kLaunch}});
  made.symbols()[2].st_size = 23;
  EXPECT_EQ(why_bad(made.bytes()),
            "nibble_launch_f is not a launch descriptor: write NIBBLE_LAUNCH(f, …);");
}

TEST(BadCubinTest, DescriptorInAnotherSectionIsNone) {
  MadeCubin made({{"f", true, kLaunch}});
  made.symbols()[2].st_shndx = 1;
  EXPECT_NE(why_bad(made.bytes()), "");
}

TEST(BadCubinTest, DescriptorBeyondItsSectionIsCutOff) {
  MadeCubin made({{"f", true, kLaunch}});
  for (const Elf64_Addr value :
       {Elf64_Addr{1}, Elf64_Addr{24}, ~Elf64_Addr{0}, ~Elf64_Addr{0} - 23}) {
    made.symbols()[2].st_value = value;
    EXPECT_EQ(why_bad(made.bytes()), "the compiled file is cut off in a section") << value;
  }
}

TEST(BadCubinTest, NameBeyondItsTableIsSaid) {
  MadeCubin made({{"f", true, kLaunch}});
  made.symbols()[1].st_name = 0xFFFF'FFFF;
  EXPECT_EQ(why_bad(made.bytes()), "the compiled file has a name outside its names");
}

TEST(BadCubinTest, NameWithoutAnEndIsSaid) {
  std::vector<std::byte> image = MadeCubin({{"f", true, kLaunch}}).bytes();
  change<Elf64_Shdr>(image, section_at(image, 1), [](Elf64_Shdr& names) { --names.sh_size; });
  EXPECT_EQ(why_bad(image), "the compiled file has a name without an end");
}

TEST(BadCubinTest, OffsetsThatWrapAroundAreSaid) {
  for (const Elf64_Off offset : {~Elf64_Off{0}, ~Elf64_Off{0} - 63, ~Elf64_Off{0} / 2}) {
    MadeCubin made({{"f", true, kLaunch}});
    std::vector<std::byte> image = made.bytes();
    const std::size_t symbols = section_at(image, 2), names = section_at(image, 1);
    const auto with = [&](std::size_t at, std::size_t member) {
      std::vector<std::byte> bad = image;
      std::memcpy(bad.data() + at + member, &offset, sizeof offset);
      return why_bad(bad);
    };
    EXPECT_NE(with(0, offsetof(Elf64_Ehdr, e_shoff)), "") << offset;
    EXPECT_NE(with(symbols, offsetof(Elf64_Shdr, sh_offset)), "") << offset;
    EXPECT_NE(with(symbols, offsetof(Elf64_Shdr, sh_size)), "") << offset;
    EXPECT_NE(with(names, offsetof(Elf64_Shdr, sh_offset)), "") << offset;
  }
}

TEST(BadCubinTest, CountsThatNoFileHasAreRefused) {
  std::vector<std::byte> image = MadeCubin({{"f", true, kLaunch}}).bytes();
  change<Elf64_Shdr>(image, section_at(image, 2),
                     [](Elf64_Shdr& symbols) { symbols.sh_size = std::uint64_t{1} << 40; });
  EXPECT_EQ(why_bad(image), "the compiled file claims to have thousands of symbols");
  MadeCubin made({});
  made.header().e_shnum = 0xFFF0;
  EXPECT_EQ(why_bad(made.bytes()), "the compiled file claims to have thousands of sections");
}

TEST(BadCubinTest, SectionWithoutBytesIsSaid) {
  std::vector<std::byte> image = MadeCubin({{"f", true, kLaunch}}).bytes();
  change<Elf64_Shdr>(image, section_at(image, 3),
                     [](Elf64_Shdr& constants) { constants.sh_type = SHT_NOBITS; });
  EXPECT_EQ(why_bad(image), "the compiled file leaves out the bytes of a section");
}

// --- Launches ------------------------------------------------------------------------------------

TEST(LaunchLimits, SensibleDescriptorHasNoTrouble) {
  EXPECT_EQ(launch_trouble("f", {}, 80), "");
  EXPECT_EQ(launch_trouble("f", kLaunch, 75), "");
  EXPECT_EQ(launch_trouble("f", {.block_x = 1024}, 80), "");
  EXPECT_EQ(launch_trouble("f", {.block_y = 1024}, 80), "");
}

TEST(LaunchLimits, EachTroubleIsASentence) {
  EXPECT_EQ(launch_trouble("f", {.abi = 2}, 80),
            "f: a launch descriptor of kind 2; this kit knows kind 1");
  EXPECT_EQ(launch_trouble("f", {.block_x = 2048}, 80),
            "f: a block of 2048 x 1 threads; a GPU takes at most 1024");
  EXPECT_EQ(launch_trouble("f", {.block_x = 0}, 80), "f: a block of 0 x 1 threads has none");
  EXPECT_EQ(launch_trouble("f", {.block_x = 1u << 31, .block_y = 2}, 80),
            "f: a block of 2147483648 x 2 threads; a GPU takes at most 1024");
  EXPECT_EQ(launch_trouble("f", {.tile_m = 0}, 80),
            "f: a tile of 0 x 1 outputs has none: no number of blocks makes them all");
  EXPECT_EQ(launch_trouble("f", {.shared_bytes = 170000}, 80),
            "f: 170000 bytes of shared memory; a block of sm_80 takes at most 166912");
}

TEST(LaunchLimits, SharedMemoryIsThatOfTheArchitecture) {
  EXPECT_EQ(most_shared_bytes(75), 64u << 10);
  EXPECT_EQ(most_shared_bytes(80), 163u << 10);
  EXPECT_EQ(most_shared_bytes(89), 99u << 10);
  EXPECT_EQ(most_shared_bytes(90), 227u << 10);
  EXPECT_EQ(most_shared_bytes(999), 64u << 10);  // unknown: what every GPU has
}

TEST(LaunchLimits, GridCoversAllOutputs) {
  const Grid grid = grid_of("f", {.tile_m = 8, .tile_n = 32}, {.m = 65, .n = 33});
  EXPECT_EQ(grid.x, 2u);
  EXPECT_EQ(grid.y, 9u);
  EXPECT_EQ(grid_of("f", {.tile_n = 32}, {.n = 32}).x, 1u);
  EXPECT_EQ(grid_of("f", {}, {.n = (std::int64_t{1} << 31) - 1}).x, 0x7FFF'FFFFu);
}

TEST(LaunchLimits, TooManyBlocksAreASentence) {
  EXPECT_THROW(grid_of("f", {}, {.n = std::int64_t{1} << 31}), std::runtime_error);
  EXPECT_THROW(grid_of("f", {.tile_m = 2}, {.m = 200000}), std::runtime_error);
  EXPECT_EQ(grid_of("f", {.tile_m = 4}, {.m = 200000}).y, 50000u);
}

}  // namespace
}  // namespace nibble::gpu
