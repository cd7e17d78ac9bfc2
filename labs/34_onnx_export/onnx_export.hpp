// Lab 34: ONNX export. A quantized network becomes a file that other programs run, byte by byte;
// and such a file becomes a network again, whoever wrote it.
// This header is the contract: read it, implement it, leave it be (the grader compiles your
// onnx_export.cpp against its own copy).
//
// An ONNX file is one message of protocol buffers. A message is its fields, one after the other:
//
//     field     tag, then value       tag: the varint of number * 8 + wire type
//
//     type 0    a varint
//     type 2    a length, which is a varint, and so many bytes: a text, numbers, or a message
//     type 1    8 bytes               none of the fields below
//     type 5    4 bytes               none of the fields below
//
//     12 03 62 69 61    number 2, type 2; 3 bytes; "bia"
//
// Who writes, writes exactly the fields that are named below, in ascending order of their numbers;
// of a repeated field one after the other, in the order of the list. A field is written when it is
// 0 or empty, too. So there is one right answer, byte for byte.
//
// Who reads, takes fields in any order. Fields of other numbers are passed over, of the wire types
// 0, 1, 2 and 5, whatever they hold. Which one counts where a field that is not repeated comes
// twice, is left open. Refused is what breaks the format:
//
//     a varint of more than 10 bytes, or of more than 64 bits
//     a message that ends within a field; a length beyond the end
//     another wire type than 0, 1, 2, 5; the number 0, or one of 2^29 and more
//     a field that is looked at, with another wire type than it has below
#pragma once

#include "nibble/lab.hpp"

namespace nibble {

// --- Writing ------------------------------------------------------------------------------------

/// Returns a number as a varint: seven bits a byte, the lowest first, in as few bytes as hold it.
/// All bytes but the last have their highest bit set.
///
///     300 = 10 0101100 in binary          AC 02:   1|0101100   0|0000010
///
/// A negative number is written as its 64 bits of two's complement, which are 10 bytes.
std::vector<std::uint8_t> write_varint(std::uint64_t value);

/// What the elements of a tensor are, by ONNX's number.
enum class DataType : std::int32_t { kFloat = 1, kUint8 = 2, kInt8 = 3, kInt32 = 6 };

/// Numbers in a shape. A float, and any of the integers, is a double without a loss.
struct Tensor {
  std::string name;
  DataType data_type;
  std::vector<std::int64_t> dims;  ///< the shape, each >= 1; none: a scalar, which is one element
  std::vector<double> values;      ///< [product of dims], row-major
  bool operator==(const Tensor&) const = default;
};

/// Returns a tensor as a TensorProto.
///
///     1  dims       varint, repeated: a tag for each
///     2  data_type  varint
///     8  name       text
///     9  raw_data   the elements, one after the other: float and int32 in 4 bytes each,
///                   the low one first; uint8 and int8 in one
///
///     1.0 is 0x3F800000: 00 00 80 3F          int32 -2: FE FF FF FF
///
/// -0.0 is a value of every data_type; an integer of it is 0.
///
/// Requires: a data_type of the four; every dim >= 1; values.size() the product of dims, which may
/// be too large for 64 bits; every value one of data_type, a float finite. Otherwise throws
/// std::invalid_argument.
std::vector<std::uint8_t> write_tensor(const Tensor& tensor);

/// An operation: what it reads, and what it makes of that.
struct Node {
  std::string op_type;
  std::string inputs;     ///< names, a comma between two
  std::string outputs;    ///< names, a comma between two
  std::string attribute;  ///< the name of its only attribute; empty: it has none
  std::int64_t value;     ///< of the attribute; 0 without one
  bool operator==(const Node&) const = default;
};

/// Returns an operation as a NodeProto.
///
///     1  input      text, repeated            AttributeProto
///     2  output     text, repeated              1   name  text
///     4  op_type    text                        3   i     varint
///     5  attribute  message, if it has one      20  type  varint: 2, which is INT
///
/// What is left out has its default, and the default need not be yours: DequantizeLinear's `axis`
/// is 1. So a value of 0 is written.
///
/// Requires: op_type not empty; inputs and outputs of at least one name each, none of them empty;
/// value 0 without an attribute. Otherwise throws std::invalid_argument.
std::vector<std::uint8_t> write_node(const Node& node);

/// A network in integers:  x -> layer 0 -> relu -> layer 1 -> relu -> ... -> last layer -> y.
/// Weight i of output o is worth weight_scales[o] * weights[o,i]; what goes into layer l is worth
/// scales[l] * (code - zero_points[l]), and a code of its biases scales[l] * weight_scales[o].
struct QuantizedMlp {
  std::vector<std::int32_t> sizes;        ///< [layers + 1]: the inputs, then each layer's outputs
  std::vector<std::int8_t> weights;       ///< layer after layer, each [outputs, inputs]
  std::vector<float> weight_scales;       ///< layer after layer, each [outputs]
  std::vector<std::int32_t> biases;       ///< layer after layer, each [outputs]
  std::vector<float> scales;              ///< [layers]: of what goes into the layer
  std::vector<std::uint8_t> zero_points;  ///< [layers]: of what goes into the layer
  bool operator==(const QuantizedMlp&) const = default;
};

/// Throws std::invalid_argument unless `net` is one: a layer or more, sizes from 1 to 4096, lists
/// as long as they say, scales from 2^-60 to 2^60. Given: call it first.
inline void expects_mlp(const QuantizedMlp& net) {
  const std::size_t layers = net.scales.size();
  NIBBLE_EXPECTS(layers >= 1, layers);
  NIBBLE_EXPECTS(net.sizes.size() == layers + 1, net.sizes.size());
  NIBBLE_EXPECTS(net.zero_points.size() == layers, net.zero_points.size());
  std::size_t outputs = 0, weights = 0;
  for (std::size_t l = 0; l <= layers; ++l) {
    NIBBLE_EXPECTS(1 <= net.sizes[l] && net.sizes[l] <= 4096, net.sizes[l]);
    if (l == 0) continue;
    outputs += std::size_t(net.sizes[l]);
    weights += std::size_t(net.sizes[l - 1]) * std::size_t(net.sizes[l]);
  }
  NIBBLE_EXPECTS(net.weights.size() == weights, net.weights.size());
  NIBBLE_EXPECTS(net.weight_scales.size() == outputs, net.weight_scales.size());
  NIBBLE_EXPECTS(net.biases.size() == outputs, net.biases.size());
  for (const auto* scales : {&net.scales, &net.weight_scales}) {
    for (const float scale : *scales) NIBBLE_EXPECTS(0x1p-60f <= scale && scale <= 0x1p60f, scale);
  }
}

/// Returns a network as a ModelProto: every layer between QuantizeLinear and DequantizeLinear, as
/// runtimes look for it.
///
///     ModelProto                         GraphProto
///       1  ir_version    varint: 7         1   node         message, repeated
///       2  producer_name "nibble"          2   name         "mlp"
///       7  graph         message           5   initializer  TensorProto, repeated
///       8  opset_import  message:          11  input        message: a0 [N, sizes.front()]
///            2  version  varint: 13        12  output       message: the last g [N, sizes.back()]
///
///     input and output                                    each level in a message of its own
///       1  name   text
///       2  type:  1  tensor_type:  1  elem_type  varint: 1, float
///                                  2  shape:     1  dim:  2  dim_param  "N"
///                                                1  dim:  1  dim_value  varint
///
/// The nodes of layer 0, and its initializers; those of layer l have l in the place of 0, and the
/// layers follow each other:
///
///     a0 --> QuantizeLinear --> q0 --> DequantizeLinear --> d0 --.
///            s0, z0                    s0, z0                    |
///     w0 ----------------------------> DequantizeLinear --> v0 --+--> Gemm --> g0 --> Relu --> a1
///                                      ws0, wz0, axis 0          |    transB 1       not after the
///     b0 ----------------------------> DequantizeLinear --> c0 --'                   last layer
///                                      bs0, axis 0
///
///     QuantizeLinear    a0,s0,z0 -> q0               s0   float, scalar              scales
///     DequantizeLinear  q0,s0,z0 -> d0               z0   uint8, scalar              zero_points
///     DequantizeLinear  w0,ws0,wz0 -> v0  axis 0     w0   int8 [outputs, inputs]     weights
///     DequantizeLinear  b0,bs0   -> c0   axis 0      ws0  float [outputs]            weight_scales
///     Gemm              d0,v0,c0 -> g0   transB 1    wz0  int8 [outputs]             0
///     Relu              g0       -> a1               b0   int32 [outputs]            biases
///                                                    bs0  float [outputs]            s0 * ws0
///
/// bs0 is a product of floats, rounded to a float. The zero points of the weights, all of them 0,
/// could be left out; but then not every runtime computes in integers. A bias has none: an int32
/// must not. A scale for each output, along `axis`, is what DequantizeLinear can do since opset 13.
///
/// Requires: expects_mlp(net) passes. Otherwise throws std::invalid_argument.
std::vector<std::uint8_t> write_model(const QuantizedMlp& net);

// --- Reading ------------------------------------------------------------------------------------

/// Reads a TensorProto: the way back from write_tensor. The bytes are a stranger's.
///
/// What write_tensor writes is read; and dims that come packed, as one field of type 2 that holds
/// varints. A dim that is not there is none; a name that is not there is empty.
///
/// A length, or a product of dims, may be a lie: a few bytes may claim to be 2^40. Nothing is made
/// that large before as many bytes have been seen.
///
/// Requires: bytes as above; one of the four data_types; every dim from 1 to 2^63 - 1; raw_data of
/// exactly as many elements as dims say; every float finite. Otherwise throws
/// std::invalid_argument.
Tensor read_tensor(std::span<const std::uint8_t> bytes);

/// Reads a network from a ModelProto: the way back from write_model. The bytes are a stranger's.
///
/// Looked at are graph and opset_import; of the graph its nodes and initializers; of a node what
/// Node holds; all else is passed over, the type of an attribute, too. What an attribute
/// is that has no i is left open. An opset_import may have a
/// domain, field 1, a text: where it is not empty, it is about other operators, and does not count.
/// Whether "ai.onnx" counts, which means what the empty one does, is left open. Of several that
/// count, one of version 13 or later is enough.
///
/// Requires: bytes as above; version 13 or later of an opset_import that counts; the nodes that
/// write_model writes, in that order; the initializers that it writes, of these values and shapes,
/// in any order, and no others; what expects_mlp accepts. Otherwise throws std::invalid_argument.
QuantizedMlp read_model(std::span<const std::uint8_t> bytes);

NIBBLE_EXERCISES(write_varint, write_tensor, write_node, write_model, read_tensor, read_model);

}  // namespace nibble
