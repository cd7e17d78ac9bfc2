// Reads sections, symbols and descriptors, with every offset checked before it is followed.
#include "gpu/cubin.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>

namespace nibble::gpu {
namespace {

// Of NVIDIA's own ELF files; elf.h of this decade knows the machine only.
constexpr unsigned char kAbiPlace = 8;       ///< in e_ident
constexpr unsigned char kAbiWithWideSm = 8;  ///< from this one on, the sm has moved up a byte
constexpr unsigned char kEntryMark = 0x10;   ///< in a symbol's st_other: a kernel
constexpr std::string_view kDescriptor = "nibble_launch_";
constexpr std::string_view kConstants = ".nv.constant3";

/// What no file of kernels needs and a hostile one may claim.
constexpr std::uint64_t kMostSections = 4096, kMostSymbols = 1 << 16, kLongestName = 4096;

class Elf {
 public:
  explicit Elf(std::span<const std::byte> image) : image_(image) {
    header_ = read<Elf64_Ehdr>(0, "its header");
    require(std::memcmp(header_.e_ident, ELFMAG, SELFMAG) == 0, "is not an ELF file");
    require(header_.e_ident[EI_CLASS] == ELFCLASS64 && header_.e_ident[EI_DATA] == ELFDATA2LSB,
            "is not a 64-bit little-endian ELF file");
    require(header_.e_machine == EM_CUDA, "holds no code for an NVIDIA GPU");
    require(header_.e_shnum <= kMostSections, "claims to have thousands of sections");
    require(header_.e_shentsize == sizeof(Elf64_Shdr) || header_.e_shnum == 0,
            "has a section table of another kind");
  }

  const Elf64_Ehdr& header() const { return header_; }

  Elf64_Shdr section(std::uint64_t index) const {
    require(index < header_.e_shnum, "speaks of a section that it does not have");
    return read<Elf64_Shdr>(sum(header_.e_shoff, index * sizeof(Elf64_Shdr)), "a section");
  }

  /// The bytes of a section that lie at `offset` in it.
  template <class T>
  T read_in(const Elf64_Shdr& section, std::uint64_t offset, const char* what) const {
    require(section.sh_type != SHT_NOBITS, "leaves out the bytes of a section");
    require(section.sh_size >= sizeof(T) && offset <= section.sh_size - sizeof(T),
            "is cut off in a section");
    return read<T>(sum(section.sh_offset, offset), what);
  }

  /// A string of a string table; it must end before the table does.
  std::string text(const Elf64_Shdr& table, std::uint64_t offset) const {
    require(table.sh_offset <= image_.size() && table.sh_size <= image_.size() - table.sh_offset,
            "is cut off in its names");
    require(offset < table.sh_size, "has a name outside its names");
    const auto* const begin =
        reinterpret_cast<const char*>(image_.data()) + table.sh_offset + offset;
    const std::uint64_t room = std::min(table.sh_size - offset, kLongestName);
    const void* const end = std::memchr(begin, 0, room);
    require(end != nullptr, "has a name without an end");
    return {begin, static_cast<const char*>(end)};
  }

  static void require(bool holds, const char* sentence) {
    if (!holds) throw BadCubin(std::string("the compiled file ") + sentence);
  }

 private:
  template <class T>
  T read(std::uint64_t offset, const char* what) const {
    if (image_.size() < sizeof(T) || offset > image_.size() - sizeof(T)) {
      throw BadCubin(std::string("the compiled file is cut off in ") + what);
    }
    T value;
    std::memcpy(&value, image_.data() + offset, sizeof value);
    return value;
  }

  /// Wraps around for no offset that a file can have.
  static std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    require(a <= UINT64_MAX - b, "has an offset beyond every file");
    return a + b;
  }

  std::span<const std::byte> image_;
  Elf64_Ehdr header_{};
};

int sm_of(const Elf64_Ehdr& header) {
  const bool wide = header.e_ident[kAbiPlace] >= kAbiWithWideSm;
  return static_cast<int>((wide ? header.e_flags >> 8 : header.e_flags) & 0xFF);
}

std::string section_name(const Elf& elf, const Elf64_Shdr& section) {
  return elf.text(elf.section(elf.header().e_shstrndx), section.sh_name);
}

Launch read_descriptor(const Elf& elf, const Elf64_Sym& symbol, const std::string& name) {
  const Elf64_Shdr home = elf.section(symbol.st_shndx);
  if (symbol.st_size != sizeof(Launch) || section_name(elf, home) != kConstants) {
    throw BadCubin(name + " is not a launch descriptor: write NIBBLE_LAUNCH(" +
                   name.substr(kDescriptor.size()) + ", …);");
  }
  return elf.read_in<Launch>(home, symbol.st_value, "a launch descriptor");
}

struct Symbols {
  std::map<std::string, Launch> launches;  ///< by the kernel's name
  std::vector<std::string> kernels;
};

void add_symbols(Symbols& found, const Elf& elf, const Elf64_Shdr& table) {
  const std::uint64_t count = table.sh_size / sizeof(Elf64_Sym);
  Elf::require(count <= kMostSymbols, "claims to have thousands of symbols");
  const Elf64_Shdr names = elf.section(table.sh_link);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto symbol = elf.read_in<Elf64_Sym>(table, i * sizeof(Elf64_Sym), "its symbols");
    if (symbol.st_shndx == SHN_UNDEF) continue;
    const unsigned char type = ELF64_ST_TYPE(symbol.st_info);
    if (type == STT_FUNC && (symbol.st_other & kEntryMark) != 0) {
      found.kernels.push_back(elf.text(names, symbol.st_name));
    } else if (type == STT_OBJECT) {
      const std::string name = elf.text(names, symbol.st_name);
      if (!name.starts_with(kDescriptor)) continue;
      found.launches.emplace(name.substr(kDescriptor.size()), read_descriptor(elf, symbol, name));
    }
  }
}

}  // namespace

const CubinKernel* Cubin::find(const std::string& name) const {
  const auto at = std::ranges::find(kernels, name, &CubinKernel::name);
  return at == kernels.end() ? nullptr : &*at;
}

Cubin read_cubin(std::span<const std::byte> image) {
  const Elf elf(image);
  Symbols found;
  for (std::uint64_t i = 0; i < elf.header().e_shnum; ++i) {
    const Elf64_Shdr section = elf.section(i);
    if (section.sh_type == SHT_SYMTAB) add_symbols(found, elf, section);
  }
  std::ranges::sort(found.kernels);
  Cubin cubin;
  cubin.sm = sm_of(elf.header());
  for (const std::string& name : found.kernels) {
    const auto launch = found.launches.find(name);
    const bool has = launch != found.launches.end();
    cubin.kernels.push_back({name, has ? std::optional(launch->second) : std::nullopt});
  }
  return cubin;
}

}  // namespace nibble::gpu
