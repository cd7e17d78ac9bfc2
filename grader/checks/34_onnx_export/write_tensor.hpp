// Lab 34, write_tensor: what is right, and what people write instead.
#pragma once

#include "onnx_export.hpp"

#include "checks/34_onnx_export/bytes.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_34_onnx_export {

using Tensors = Exercise<&write_tensor>;

inline bool is_wide(DataType type) { return type == DataType::kFloat || type == DataType::kInt32; }

inline Bytes raw_of(DataType type, const Values& values, bool low_first = true) {
  Bytes raw;
  for (const double value : values) {
    const auto bits = type == DataType::kFloat
                          ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                          : static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
    for (unsigned b = 0; b < (is_wide(type) ? 4u : 1u); ++b) {
      const unsigned place = low_first || !is_wide(type) ? b : 3 - b;
      raw.push_back(static_cast<std::uint8_t>(bits >> 8 * place));
    }
  }
  return raw;
}

inline Bytes dims_of(const Dims& dims) {
  Bytes bytes;
  for (const std::int64_t dim : dims) bytes = bytes + number(1, dim);
  return bytes;
}

inline Bytes tensor_bytes(const Tensor& t, const Bytes& dims, const Bytes& raw) {
  return dims + number(2, static_cast<int>(t.data_type)) + text(8, t.name) + message(9, raw);
}

inline Bytes tensor_by_definition(const Tensor& t) {
  double count = 1;
  for (const std::int64_t dim : t.dims) count *= static_cast<double>(dim);
  if (count != static_cast<double>(t.values.size())) throw std::invalid_argument("dims");
  return tensor_bytes(t, dims_of(t.dims), raw_of(t.data_type, t.values));
}

inline constexpr const char* kFieldOrder = "fields are in another order: their numbers ascend";

inline const Tensors writing_tensor{
    {"name", "data_type", "dims", "values"},
    {"bytes"},
    [](Expect& expect, const Tensors::Arguments& in, const Bytes&) {
      const Tensor& t = in.a;
      const Bytes dims = dims_of(t.dims), raw = raw_of(t.data_type, t.values);
      const auto suspect = [&](const char* code, const Bytes& bytes, const char* words) {
        expect.suspect(code, "bytes", shown(bytes), words);
      };
      Bytes packed;
      for (const std::int64_t dim : t.dims) packed = packed + varint(std::uint64_t(dim));
      Bytes signed_zeros = raw;
      const std::size_t each = is_wide(t.data_type) ? 4 : 1;
      for (std::size_t i = 0; i < t.values.size(); ++i) {
        const bool is_minus_zero = t.values[i] == 0 && std::signbit(t.values[i]);
        if (is_minus_zero) signed_zeros[each * i + each - 1] |= 128;
      }
      const Bytes type = number(2, static_cast<int>(t.data_type)), name = text(8, t.name);
      const Bytes data = message(9, raw);
      constexpr const char* has_sign = "an integer keeps the sign of -0.0";
      suspect("N-SIGN0", tensor_bytes(t, dims, signed_zeros), has_sign);
      suspect("N-SIGN0", tensor_bytes(t, dims, each == 4 ? signed_zeros : raw), has_sign);
      suspect("N-LAYOUT", tensor_bytes(t, dims, raw_of(t.data_type, t.values, false)),
              "the high byte of an element is first: it is the low one");
      suspect("N-WIRE", tensor_bytes(t, message(1, packed), raw),
              "dims are packed into one field: each has a tag of its own");
      suspect("N-WIRE", tensor_bytes(t, number(1, std::ssize(t.dims)) + packed, raw),
              "dims are counted, and stand behind one tag: each has a tag of its own");
      suspect("N-WIRE", tensor_bytes(t, t.dims.empty() ? number(1, 1) : dims, raw),
              "a scalar has a dim of 1: it has none");
      suspect("N-WIRE", tensor_bytes(t, t.dims.empty() ? number(1, 0) : dims, raw),
              "a scalar has a dim of 0: it has none");
      suspect("N-ORDER", tensor_bytes(t, dims_of({t.dims.rbegin(), t.dims.rend()}), raw),
              "dims are turned round");
      suspect("N-WIRE", name + dims + type + data, kFieldOrder);
      suspect("N-WIRE", type + dims + name + data, kFieldOrder);
      suspect("N-WIRE", dims + type + data + name, kFieldOrder);
      suspect("N-SIZE", dims + type + data,
              "the name is not there: a field is written when it is empty, too");
      suspect("N-WIRE", dims + type + name + raw, "raw_data has no tag and no length");
      suspect("N-WIRE", dims + type + name + varint(8 * 9 + 2) + raw, "raw_data has no length");
      suspect("N-SIZE", dims + type + name + varint(8 * 9 + 2) + varint(t.values.size()) + raw,
              "the length of raw_data counts elements: it counts bytes");
      suspect("N-SIZE",
              dims + type + name + varint(8 * 9 + 2) +
                  Bytes{static_cast<std::uint8_t>(raw.size())} + raw,
              "a length is written as one byte: it is a varint");
      const auto as_wide = [&](DataType wide) {
        return tensor_bytes(t, dims, raw_of(wide, t.values));
      };
      if (!is_wide(t.data_type)) {
        suspect("N-UNITS", as_wide(DataType::kInt32), "a code takes four bytes: it takes one");
        Bytes varints;
        for (const double value : t.values)
          varints = varints + varint(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
        suspect("N-WIRE", tensor_bytes(t, dims, varints),
                "elements are varints: a code is one byte");
      }
      if (t.data_type == DataType::kInt32) {
        suspect("N-UNITS", as_wide(DataType::kFloat), "an int32 has the bits of a float");
        Bytes varints;
        for (const double value : t.values)
          varints = varints + varint(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
        suspect("N-WIRE", tensor_bytes(t, dims, varints),
                "elements are varints: an int32 is four bytes");
      }
    }};

/// A tensor whose values tell all of its bytes apart.
inline Tensor some_tensor(std::string name, DataType type, const Dims& dims, std::uint64_t seed) {
  std::size_t count = 1;
  for (const std::int64_t dim : dims) count *= static_cast<std::size_t>(dim);
  Values values;
  if (type == DataType::kFloat) {
    for (const float value : normal_tensor(count, seed)) values.push_back(double{value});
  } else {
    const std::int32_t low = type == DataType::kUint8  ? 0
                             : type == DataType::kInt8 ? -128
                                                       : INT_MIN / 2;
    const std::int32_t high = type == DataType::kUint8  ? 255
                              : type == DataType::kInt8 ? 127
                                                        : INT_MAX / 2;
    for (const std::int32_t value : code_tensor<std::int32_t>(count, seed, low, high)) {
      values.push_back(value);
    }
  }
  return {std::move(name), type, dims, std::move(values)};
}

inline constexpr std::array kTypes{DataType::kFloat, DataType::kUint8, DataType::kInt8,
                                   DataType::kInt32};

/// Of every type, with lengths that take one byte and more.
inline std::vector<Tensor> some_tensors(Seed seed_of) {
  std::vector<Tensor> all;
  for (const Dims& dims :
       {Dims{3}, Dims{2, 5}, Dims{4, 3, 2}, Dims{43}, Dims{300}, Dims{130, 128}}) {
    for (const DataType type : kTypes) {
      all.push_back(
          some_tensor(std::string(1 + all.size() % 40, 'n'), type, dims, seed_of(all.size())));
    }
  }
  return all;
}

inline std::vector<Tensors::Input> tensors(Seed seed_of) {
  return each_of(some_tensors(seed_of), [](const Tensor& tensor) -> Tensors::Input {
    return {show(tensor.data_type) + " " + std::to_string(tensor.values.size()), {tensor}};
  });
}

}  // namespace nibble::judge::lab_34_onnx_export
