// The headers of an object file, then its sections, then its symbols; a number that points outside
// of the file ends the reading.
#include "simt/rewriter/elf.hpp"

#include <array>
#include <cstring>

namespace nibble::simt {
namespace {

// Offsets and sizes of the ELF specification's Elf64_Ehdr, Elf64_Shdr and Elf64_Sym.
constexpr std::size_t kHeaderSize = 64, kSectionSize = 64, kSymbolSize = 24;
constexpr std::uint16_t kRelocatable = 1, kX86 = 62, kArm = 183;
constexpr std::uint32_t kSymbolTable = 2, kNoBits = 8;
constexpr std::array<unsigned char, 7> kMagic = {0x7F, 'E', 'L', 'F', 2, 1, 1};

class Bytes {
 public:
  explicit Bytes(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool holds(std::uint64_t offset, std::uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }
  template <class T>
  T number(std::uint64_t offset) const {
    T value{};
    if (holds(offset, sizeof(T))) std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }
  /// Up to its zero byte, which has to be inside the table.
  std::optional<std::string_view> text(std::uint64_t table, std::uint64_t table_size,
                                       std::uint64_t at) const {
    if (at >= table_size || !holds(table, table_size)) return std::nullopt;
    const auto* begin = reinterpret_cast<const char*>(bytes_.data()) + table + at;
    const void* end = std::memchr(begin, 0, table_size - at);
    if (end == nullptr) return std::nullopt;
    return std::string_view(begin, static_cast<const char*>(end));
  }

 private:
  std::span<const std::byte> bytes_;
};

struct SectionHeader {
  std::uint32_t name, type;
  std::uint64_t flags, offset, size;
  std::uint32_t link;
};

class ElfReader {
 public:
  explicit ElfReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::optional<ObjectFile> run() {
    if (!has_right_kind() || !read_headers() || !read_sections()) return std::nullopt;
    for (const SectionHeader& header : headers_) {
      if (header.type == kSymbolTable && !read_symbols(header)) return std::nullopt;
    }
    return std::move(file_);
  }

 private:
  bool has_right_kind() const {
    if (!bytes_.holds(0, kHeaderSize)) return false;
    for (std::size_t i = 0; i < kMagic.size(); i++) {
      if (bytes_.number<unsigned char>(i) != kMagic[i]) return false;
    }
    const auto machine = bytes_.number<std::uint16_t>(18);
    return bytes_.number<std::uint16_t>(16) == kRelocatable && (machine == kX86 || machine == kArm);
  }

  bool read_headers() {
    const auto table = bytes_.number<std::uint64_t>(40);
    const auto entry = bytes_.number<std::uint16_t>(58);
    const auto count = bytes_.number<std::uint16_t>(60);
    if (entry != kSectionSize || count == 0) return false;
    if (!bytes_.holds(table, std::uint64_t{count} * kSectionSize)) return false;
    for (std::uint64_t i = 0; i < count; i++) {
      const std::uint64_t at = table + i * kSectionSize;
      headers_.push_back(
          {bytes_.number<std::uint32_t>(at), bytes_.number<std::uint32_t>(at + 4),
           bytes_.number<std::uint64_t>(at + 8), bytes_.number<std::uint64_t>(at + 24),
           bytes_.number<std::uint64_t>(at + 32), bytes_.number<std::uint32_t>(at + 40)});
      const SectionHeader& header = headers_.back();
      const bool is_here = i > 0 && header.type != kNoBits;
      if (is_here && !bytes_.holds(header.offset, header.size)) return false;
    }
    return true;
  }

  bool read_sections() {
    const auto names = bytes_.number<std::uint16_t>(62);
    if (names >= headers_.size()) return false;
    for (const SectionHeader& header : headers_) {
      const auto name = bytes_.text(headers_[names].offset, headers_[names].size, header.name);
      if (!name) return false;
      file_.sections.push_back({*name, header.type, header.flags, header.size});
    }
    return true;
  }

  bool read_symbols(const SectionHeader& table) {
    if (table.link >= headers_.size()) return false;
    const SectionHeader& names = headers_[table.link];
    for (std::uint64_t at = 0; at + kSymbolSize <= table.size; at += kSymbolSize) {
      const std::uint64_t symbol = table.offset + at;
      const auto name = bytes_.text(names.offset, names.size, bytes_.number<std::uint32_t>(symbol));
      if (!name) return false;
      if (name->empty()) continue;
      const auto info = bytes_.number<std::uint8_t>(symbol + 4);
      file_.symbols.push_back({*name, static_cast<std::uint8_t>(info >> 4),
                               static_cast<std::uint8_t>(info & 15),
                               bytes_.number<std::uint16_t>(symbol + 6)});
    }
    return true;
  }

  Bytes bytes_;
  std::vector<SectionHeader> headers_;
  ObjectFile file_;
};

}  // namespace

std::optional<ObjectFile> read_object(std::span<const std::byte> bytes) {
  return ElfReader(bytes).run();
}

}  // namespace nibble::simt
