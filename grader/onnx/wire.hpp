// Protocol buffers as they lie in a file: field by field, with no schema. Who wrote the bytes is
// not trusted: a length is compared with what is there before anything follows it, and nothing is
// copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

namespace nibble::onnx {

/// Bytes that are no such message: says at which byte of the file, and why.
struct BadBytes : std::runtime_error {
  BadBytes(std::size_t at, const std::string& why)
      : std::runtime_error("byte " + std::to_string(at) + ": " + why) {}
};

enum class WireType : std::uint8_t { kVarint = 0, kEightBytes = 1, kBytes = 2, kFourBytes = 5 };

/// A piece of a file that knows where it lies there.
struct WireBytes {
  std::span<const std::uint8_t> bytes;
  std::size_t at = 0;  ///< of its first byte, in the file

  WireBytes rest(std::size_t from) const { return {bytes.subspan(from), at + from}; }
};

/// The varint in front of `piece`, which loses it. Throws BadBytes.
std::uint64_t take_varint(WireBytes& piece);

/// One field. Asking for its value as another type than it has throws BadBytes.
struct WireField {
  std::uint64_t number = 0;  ///< 1 .. 2^29 - 1
  WireType type = WireType::kVarint;
  std::uint64_t varint = 0;  ///< of kVarint
  WireBytes piece;           ///< of all others; of kVarint, where it lies

  std::uint64_t as_number() const;
  WireBytes as_bytes() const;
  std::string as_text() const;
  float as_float() const;
};

/// Walks through the fields of a message.
class WireMessage {
 public:
  explicit WireMessage(WireBytes piece) : rest_(piece) {}

  /// The next field; none at the end. Throws BadBytes.
  std::optional<WireField> next();

 private:
  WireBytes rest_;
};

/// visit(field) for each field of a message.
template <class Visit>
void each_field(WireBytes message, const Visit& visit) {
  WireMessage fields(message);
  while (const std::optional<WireField> field = fields.next()) visit(*field);
}

/// visit(number) for each number of a repeated field, which may come packed. Throws BadBytes.
template <class Visit>
void each_number(const WireField& field, const Visit& visit) {
  if (field.type != WireType::kBytes) return visit(field.as_number());
  for (WireBytes packed = field.as_bytes(); !packed.bytes.empty();) visit(take_varint(packed));
}

}  // namespace nibble::onnx
