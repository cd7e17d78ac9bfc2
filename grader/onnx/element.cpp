#include "onnx/element.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "nibble/half.hpp"

namespace nibble::onnx {
namespace {

enum class ElementKind : std::uint8_t { kOther, kFloat, kUnsigned, kSigned };

struct ElementType {
  const char* name;
  int bits;
  ElementKind kind;
};

/// By ONNX's number, TensorProto.DataType.
constexpr std::array<ElementType, 24> kTypes{
    {{"undefined", 0, ElementKind::kOther},      {"float", 32, ElementKind::kFloat},
     {"uint8", 8, ElementKind::kUnsigned},       {"int8", 8, ElementKind::kSigned},
     {"uint16", 16, ElementKind::kUnsigned},     {"int16", 16, ElementKind::kSigned},
     {"int32", 32, ElementKind::kSigned},        {"int64", 64, ElementKind::kSigned},
     {"string", 0, ElementKind::kOther},         {"bool", 8, ElementKind::kUnsigned},
     {"float16", 16, ElementKind::kFloat},       {"double", 64, ElementKind::kFloat},
     {"uint32", 32, ElementKind::kUnsigned},     {"uint64", 64, ElementKind::kUnsigned},
     {"complex64", 64, ElementKind::kOther},     {"complex128", 128, ElementKind::kOther},
     {"bfloat16", 16, ElementKind::kOther},      {"float8e4m3fn", 8, ElementKind::kOther},
     {"float8e4m3fnuz", 8, ElementKind::kOther}, {"float8e5m2", 8, ElementKind::kOther},
     {"float8e5m2fnuz", 8, ElementKind::kOther}, {"uint4", 4, ElementKind::kUnsigned},
     {"int4", 4, ElementKind::kSigned},          {"float4e2m1", 4, ElementKind::kOther}}};

const ElementType* type_of(std::int64_t data_type) {
  if (data_type < 0 || data_type >= std::ssize(kTypes)) return nullptr;
  return &kTypes[static_cast<std::size_t>(data_type)];
}

/// Element `at`, the low byte and the low nibble first.
std::uint64_t bits_at(std::span<const std::uint8_t> raw, std::size_t at, int bits) {
  if (bits == 4) return raw[at / 2] >> 4 * (at % 2) & 15;
  const auto each = static_cast<std::size_t>(bits) / 8;
  std::uint64_t all = 0;
  for (std::size_t b = 0; b < each; ++b) all |= std::uint64_t{raw[at * each + b]} << 8 * b;
  return all;
}

double value_of(const ElementType& type, std::uint64_t bits) {
  if (type.kind == ElementKind::kUnsigned) return static_cast<double>(bits);
  if (type.kind == ElementKind::kSigned) {
    const int unused = 64 - type.bits;  // the sign goes to the top, and comes back with its copies
    return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
  }
  if (type.bits == 64) return std::bit_cast<double>(bits);
  if (type.bits == 16) return double{float_from_half(static_cast<std::uint16_t>(bits))};
  return double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
}

}  // namespace

std::string element_name(std::int64_t data_type) {
  const ElementType* const type = type_of(data_type);
  return type != nullptr ? type->name : "type " + std::to_string(data_type);
}

int element_bits(std::int64_t data_type) {
  const ElementType* const type = type_of(data_type);
  return type != nullptr ? type->bits : 0;
}

std::vector<double> first_elements(std::int64_t data_type, std::span<const std::uint8_t> raw,
                                   std::size_t most) {
  std::vector<double> values;
  const ElementType* const type = type_of(data_type);
  if (type == nullptr || type->kind == ElementKind::kOther) return values;
  const std::size_t there = raw.size() * 8 / static_cast<std::size_t>(type->bits);
  for (std::size_t at = 0; at < std::min(there, most); ++at) {
    values.push_back(value_of(*type, bits_at(raw, at, type->bits)));
  }
  return values;
}

}  // namespace nibble::onnx
