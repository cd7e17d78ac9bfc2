// What the elements of an ONNX tensor can be.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nibble::onnx {

/// "int8" of 3, as ONNX numbers them; "type 99" of a number that has no name.
std::string element_name(std::int64_t data_type);

/// How wide an element is; 0 where it has no fixed width, as a text.
int element_bits(std::int64_t data_type);

/// The first `most` elements of raw_data, which may hold fewer. None where the type is one that
/// this kit does not print.
std::vector<double> first_elements(std::int64_t data_type, std::span<const std::uint8_t> raw,
                                   std::size_t most);

}  // namespace nibble::onnx
