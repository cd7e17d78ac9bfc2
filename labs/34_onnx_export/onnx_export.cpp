// Lab 34. The contract is in onnx_export.hpp; the story is in README.md.
// Check yourself:  ./nibble run 34        (or leave ./nibble watch open)
#include "onnx_export.hpp"

namespace nibble {

std::vector<std::uint8_t> write_varint(std::uint64_t value) {
  // Seven bits a byte. Which byte is the last one, and how many has 0?
  NIBBLE_TODO("write a number as a varint");
}

std::vector<std::uint8_t> write_tensor(const Tensor& tensor) {
  // 1. Refuse.  2. A tag and a varint for each dim.  3. The other fields.
  NIBBLE_TODO("write a tensor");
}

std::vector<std::uint8_t> write_node(const Node& node) {
  // 1. Refuse.  2. A field for each name.  3. A message within the message.
  NIBBLE_TODO("write an operation");
}

std::vector<std::uint8_t> write_model(const QuantizedMlp& net) {
  // 1. Refuse.  2. Nodes.  3. Initializers.  4. Input, output.  5. All around them.
  //    A message is put into another when it is finished.
  NIBBLE_TODO("write a model");
}

Tensor read_tensor(std::span<const std::uint8_t> bytes) {
  // 1. Walk through the fields; believe no length.  2. Which of them do you know?
  // 3. Do the dims fit the bytes that are there?  4. The elements.
  NIBBLE_TODO("read a tensor");
}

QuantizedMlp read_model(std::span<const std::uint8_t> bytes) {
  // 1. Opset, nodes, initializers.  2. Which network would have such initializers?
  // 3. Is everything as you would have written it?
  NIBBLE_TODO("read a model");
}

}  // namespace nibble
