// An ONNX model as a file has it: nodes and tensors, whatever they mean. What this kit does not ask
// for is passed over; large data stay where they lie.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "onnx/wire.hpp"

namespace nibble::onnx {

/// A value that a node knows when the model is written.
struct OnnxAttribute {
  std::string name;
  std::string value;  ///< as text: "0", "[1, 1]", "a graph"
};

struct OnnxNode {
  std::string op_type, name;
  std::string domain;  ///< empty: ONNX's own
  std::vector<std::string> inputs, outputs;
  std::vector<OnnxAttribute> attributes;
};

/// A constant. Its elements are raw bytes or numbers in lists: one of `raw` and `listed` is empty.
struct OnnxTensor {
  std::string name;
  std::int64_t data_type = 0;
  std::vector<std::int64_t> dims;
  std::span<const std::uint8_t> raw;  ///< lies in the bytes that were read
  std::vector<double> listed;         ///< the first ones
  std::uint64_t listed_count = 0;     ///< so many there are
  bool is_elsewhere = false;          ///< in a file beside the model
};

/// What goes into a graph, or comes out of it.
struct OnnxValue {
  std::string name;
  std::int64_t data_type = 0;
  std::vector<std::string> dims;  ///< numbers and names: "N", "784"
};

struct OnnxOpset {
  std::string domain;  ///< empty: ONNX's own
  std::int64_t version = 0;
};

struct OnnxModel {
  std::int64_t ir_version = 0;
  std::string producer, graph;
  std::vector<OnnxOpset> opsets;
  std::vector<OnnxNode> nodes;
  std::vector<OnnxTensor> tensors;
  std::vector<OnnxValue> inputs, outputs;
};

/// Throws BadBytes. The model must not outlive the bytes.
OnnxModel read_onnx(std::span<const std::uint8_t> bytes);

/// What of a tensor does not fit together, as a sentence; empty when all does.
std::string trouble_of(const OnnxTensor& tensor);

/// The first `most` elements, as far as they are there.
std::vector<double> first_elements(const OnnxTensor& tensor, std::size_t most);

}  // namespace nibble::onnx
