// Sections and symbols of a 64-bit little-endian object file, read without any library. The bytes
// may be anything: every offset is checked before it is followed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace nibble::simt {

struct Section {
  std::string_view name;
  std::uint32_t type;
  std::uint64_t flags, size;

  static constexpr std::uint64_t kWrite = 1, kAlloc = 2, kExecute = 4, kThreadLocal = 0x400;
};

struct Symbol {
  std::string_view name;
  std::uint8_t binding, type;
  std::uint16_t section;

  static constexpr std::uint8_t kLocal = 0, kGlobal = 1, kWeak = 2, kUnique = 10;
  static constexpr std::uint8_t kTypeThreadLocal = 6, kTypeIndirect = 10;
  static constexpr std::uint16_t kUndefined = 0, kAbsolute = 0xFFF1;
  bool is_undefined() const { return section == kUndefined; }
};

/// Views into the bytes it was read from.
struct ObjectFile {
  std::vector<Section> sections;
  std::vector<Symbol> symbols;  ///< without nameless ones
};

/// Nothing when this is no relocatable object for x86-64 or aarch64, or it is damaged.
std::optional<ObjectFile> read_object(std::span<const std::byte> bytes);

}  // namespace nibble::simt
