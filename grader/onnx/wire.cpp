#include "onnx/wire.hpp"

#include <bit>

namespace nibble::onnx {
namespace {

/// The low byte first.
std::uint32_t little_endian(std::span<const std::uint8_t> bytes) {
  std::uint32_t bits = 0;
  for (std::size_t b = 0; b < bytes.size(); ++b) bits |= std::uint32_t{bytes[b]} << 8 * b;
  return bits;
}

void expect_type(const WireField& field, WireType type) {
  if (field.type == type) return;
  throw BadBytes(field.piece.at, "field " + std::to_string(field.number) + " is of wire type " +
                                     std::to_string(static_cast<int>(field.type)) +
                                     " where it is of " + std::to_string(static_cast<int>(type)));
}

}  // namespace

std::uint64_t take_varint(WireBytes& piece) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    if (i == piece.bytes.size()) throw BadBytes(piece.at, "a number that is cut off");
    const std::uint8_t byte = piece.bytes[i];
    if (i == 9 && byte > 1) break;  // 63 bits are taken
    value |= std::uint64_t{byte & 127u} << 7 * i;
    if (byte < 128) {
      piece = piece.rest(i + 1);
      return value;
    }
  }
  throw BadBytes(piece.at, "a number of more than 64 bits");
}

std::uint64_t WireField::as_number() const {
  expect_type(*this, WireType::kVarint);
  return varint;
}

WireBytes WireField::as_bytes() const {
  expect_type(*this, WireType::kBytes);
  return piece;
}

std::string WireField::as_text() const {
  const WireBytes text = as_bytes();
  return {text.bytes.begin(), text.bytes.end()};
}

float WireField::as_float() const {
  expect_type(*this, WireType::kFourBytes);
  return std::bit_cast<float>(little_endian(piece.bytes));
}

std::optional<WireField> WireMessage::next() {
  if (rest_.bytes.empty()) return std::nullopt;
  const std::size_t at = rest_.at;
  const std::uint64_t tag = take_varint(rest_);
  WireField field{tag >> 3, static_cast<WireType>(tag & 7), 0, rest_};
  if (field.number == 0 || field.number >= 1u << 29) {
    throw BadBytes(at, "a field of number " + std::to_string(field.number));
  }
  std::uint64_t length = 0;
  switch (field.type) {
    case WireType::kVarint:
      field.varint = take_varint(rest_);
      return field;
    case WireType::kEightBytes:
      length = 8;
      break;
    case WireType::kBytes:
      length = take_varint(rest_);
      break;
    case WireType::kFourBytes:
      length = 4;
      break;
    default:  // 3 and 4 are groups, which ONNX never had
      throw BadBytes(at, "a field of wire type " + std::to_string(tag & 7));
  }
  if (length > rest_.bytes.size()) {
    throw BadBytes(at, "a field of " + std::to_string(length) + " bytes where " +
                           std::to_string(rest_.bytes.size()) + " are left");
  }
  field.piece = {rest_.bytes.first(static_cast<std::size_t>(length)), rest_.at};
  rest_ = rest_.rest(static_cast<std::size_t>(length));
  return field;
}

}  // namespace nibble::onnx
