// Lab 34, write_node: what is right, and what people write instead.
#pragma once

#include "onnx_export.hpp"

#include "checks/34_onnx_export/bytes.hpp"
#include "checks/34_onnx_export/write_tensor.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_34_onnx_export {

using Nodes = Exercise<&write_node>;

inline std::vector<std::string> names_in(std::string_view names) {
  std::vector<std::string> all(1);
  for (const char letter : names) {
    if (letter == ',') all.emplace_back();
    if (letter != ',') all.back() += letter;
  }
  return all;
}

/// Tag and value as who thinks that a tag is one byte writes them.
inline Bytes with_short_tag(std::uint64_t field, std::int64_t value) {
  return Bytes{static_cast<std::uint8_t>(8 * field)} + varint(static_cast<std::uint64_t>(value));
}

inline Bytes attribute_bytes(const Node& node) {
  return message(5, text(1, node.attribute) + number(3, node.value) + number(20, 2));
}

inline Bytes node_without_attribute(const Node& node) {
  Bytes bytes;
  for (const std::string& name : names_in(node.inputs)) bytes = bytes + text(1, name);
  for (const std::string& name : names_in(node.outputs)) bytes = bytes + text(2, name);
  return bytes + text(4, node.op_type);
}

inline Bytes node_by_definition(const Node& node) {
  return node_without_attribute(node) + (node.attribute.empty() ? Bytes{} : attribute_bytes(node));
}

inline const Nodes writing_node{
    {"op_type", "inputs", "outputs", "attribute", "value"},
    {"bytes"},
    [](Expect& expect, const Nodes::Arguments& in, const Bytes&) {
      const Node& node = in.a;
      const Bytes front = node_without_attribute(node);
      const auto suspect = [&](const char* code, const char* words, const Bytes& bytes) {
        expect.suspect(code, "bytes", shown(bytes), words);
      };
      const Bytes name = text(1, node.attribute), type = number(20, 2), i = number(3, node.value);
      const auto narrow = static_cast<std::int32_t>(node.value);
      const auto with = [&](const Bytes& attribute) { return front + message(5, attribute); };
      const Bytes inputs = text(1, node.inputs), outputs = text(2, node.outputs),
                  op = text(4, node.op_type);
      const Bytes attribute = node.attribute.empty() ? Bytes{} : attribute_bytes(node);
      Bytes ins, outs, outs_as_inputs;
      for (const std::string& one : names_in(node.inputs)) ins = ins + text(1, one);
      for (const std::string& one : names_in(node.outputs)) {
        outs = outs + text(2, one);
        outs_as_inputs = outs_as_inputs + text(1, one);
      }
      if (!node.attribute.empty()) {
        if (narrow != node.value) {
          suspect("N-OVERFLOW", "a value is cut to 32 bits: it has 64",
                  with(name + number(3, narrow) + type));
        }
        suspect("N-AXIS", "the attribute is not written: a value of 0 is, too", front);
        suspect("N-AXIS", "the value is not written: one of 0 is, too", with(name + type));
        suspect("N-WIRE", "the attribute has no type: it is 2, an INT", with(name + i));
        suspect("N-WIRE", "the value is in field 2: it is in field 3",
                with(name + number(2, node.value) + type));
        suspect("N-SIZE", "a tag of field 20 is one byte: it is a varint, which takes two",
                with(name + i + with_short_tag(20, 2)));
        suspect("N-SIZE", "a tag of field 20 is cut to seven bits: it is a varint, which takes two",
                with(name + i + Bytes{0x20, 2}));
        suspect("N-WIRE", "an attribute of type 1 is a FLOAT: an INT is 2",
                with(name + i + number(20, 1)));
        suspect("N-WIRE", kFieldOrder, with(name + type + i));
        suspect("N-WIRE", kFieldOrder, attribute + front);
        suspect("N-WIRE", "the attribute is no message of its own", front + name + i + type);
        suspect("N-SIGN", "a negative value has 32 bits: it has 64",
                with(name + number(3, std::uint32_t(node.value)) + type));
        suspect("N-SIGN", "a value is cut to a byte",
                with(name + number(3, std::uint8_t(node.value)) + type));
      } else {
        suspect("N-WIRE", "an attribute is written where there is none",
                front + attribute_bytes(node));
        suspect("N-WIRE", "an empty message is written where there is no attribute",
                front + message(5, {}));
      }
      suspect("N-WIRE", "names and their commas are one text: each name has a field",
              inputs + outputs + op + attribute);
      suspect("N-WIRE", "names and their commas are one text: each name has a field",
              ins + outputs + op + attribute);
      suspect("N-WIRE", kFieldOrder, outs + ins + op + attribute);
      suspect("N-WIRE", kFieldOrder, op + ins + outs + attribute);
      suspect("N-WIRE", "outputs are in field 1: they are in field 2",
              ins + outs_as_inputs + op + attribute);
      suspect("N-WIRE", "the op_type is in field 3, which is a name: it is in field 4",
              ins + outs + text(3, node.op_type) + attribute);
    }};

}  // namespace nibble::judge::lab_34_onnx_export
