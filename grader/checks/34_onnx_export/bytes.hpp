// Lab 34: bytes.
#pragma once

#include "onnx_export.hpp"

#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble {

/// As failures name it.
inline std::string show(DataType type) {
  const auto number = static_cast<std::int32_t>(type);
  switch (type) {
    case DataType::kFloat:
      return "kFloat";
    case DataType::kUint8:
      return "kUint8";
    case DataType::kInt8:
      return "kInt8";
    case DataType::kInt32:
      return "kInt32";
  }
  return std::to_string(number);
}

}  // namespace nibble

namespace nibble::judge::lab_34_onnx_export {

using Dims = std::vector<std::int64_t>;
using Values = std::vector<double>;

/// Bytes as they are written down: "AC 02", and texts in quotes: "42 02 'w0'".
inline Bytes hex(std::string_view text) {
  Bytes bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == ' ') continue;
    if (text[at] == '\'') {
      while (text[++at] != '\'') bytes.push_back(static_cast<std::uint8_t>(text[at]));
      continue;
    }
    const auto digit = [&](char c) { return c <= '9' ? c - '0' : c - 'A' + 10; };
    bytes.push_back(static_cast<std::uint8_t>(16 * digit(text[at]) + digit(text[at + 1])));
    ++at;
  }
  return bytes;
}

/// One after the other.
inline Bytes operator+(Bytes front, const Bytes& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

inline Bytes varint(std::uint64_t value) {
  Bytes bytes;
  do {
    bytes.push_back(static_cast<std::uint8_t>(value % 128 + (value < 128 ? 0 : 128)));
  } while ((value /= 128) > 0);
  return bytes;
}
inline Bytes number(std::uint64_t field, std::int64_t value) {
  return varint(8 * field) + varint(static_cast<std::uint64_t>(value));
}
inline Bytes message(std::uint64_t field, const Bytes& bytes) {
  return varint(8 * field + 2) + varint(bytes.size()) + bytes;
}
inline Bytes text(std::uint64_t field, std::string_view letters) {
  return message(field, Bytes(letters.begin(), letters.end()));
}

/// Compared as bytes that are no numbers.
inline std::vector<char8_t> shown(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

inline const auto kSameBytes = [](Expect& expect, const auto&, const Bytes& got,
                                  const Bytes& want) {
  expect.equal("bytes", shown(got), shown(want));
};

/// The same number in more bytes than it needs: five.
inline Bytes long_varint(std::uint32_t value) {
  Bytes bytes;
  for (int shift = 0; shift < 28; shift += 7) {
    bytes.push_back(static_cast<std::uint8_t>(128 | (value >> shift & 127)));
  }
  bytes.push_back(static_cast<std::uint8_t>(value >> 28));
  return bytes;
}

}  // namespace nibble::judge::lab_34_onnx_export
