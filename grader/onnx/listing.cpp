#include "onnx/listing.hpp"

#include <fmt/format.h>

#include "onnx/element.hpp"
#include "text/harmless.hpp"

namespace nibble::onnx {
namespace {

constexpr std::size_t kLongestName = 60, kFirstValues = 6;

/// A name on one line.
std::string shown(std::string name) {
  if (name.size() > kLongestName) name = name.substr(0, kLongestName - 3) + "...";
  for (char& letter : name) {
    if (letter == '\n' || letter == '\t') letter = '?';
  }
  return text::harmless(name);
}

template <class List, class Show>
std::string joined(const List& list, const Show& show) {
  std::string text;
  for (const auto& one : list) text += (text.empty() ? "" : ", ") + show(one);
  return text;
}

std::string node_line(std::size_t at, const OnnxNode& node) {
  const std::string op = node.domain.empty() ? node.op_type : node.domain + "." + node.op_type;
  std::string line = fmt::format("{:4}  {:<18} {} -> {}", at, shown(op), joined(node.inputs, shown),
                                 joined(node.outputs, shown));
  for (const OnnxAttribute& attribute : node.attributes) {
    line += fmt::format("   {} {}", shown(attribute.name), shown(attribute.value));
  }
  return line;
}

std::string tensor_line(const OnnxTensor& tensor) {
  const auto dims = joined(tensor.dims, [](std::int64_t dim) { return std::to_string(dim); });
  std::string values;
  const std::vector<double> first = first_elements(tensor, kFirstValues + 1);
  for (std::size_t i = 0; i < first.size(); ++i) {
    values += i == kFirstValues ? " ..." : fmt::format(" {:.6g}", first[i]);
  }
  if (tensor.is_elsewhere) values = " in another file";
  const std::string trouble = trouble_of(tensor);
  if (!trouble.empty()) values += "   does not fit: " + trouble;
  return fmt::format("  {:<6} {} [{}] {}", shown(tensor.name), element_name(tensor.data_type), dims,
                     values);
}

std::string value_line(const char* what, const OnnxValue& value) {
  return fmt::format("{:<8} {}  {} [{}]", what, shown(value.name), element_name(value.data_type),
                     joined(value.dims, shown));
}

}  // namespace

std::vector<std::string> listing(const OnnxModel& model) {
  std::vector<std::string> lines;
  const auto opset = [](const OnnxOpset& one) {
    return fmt::format("{}{}", one.domain.empty() ? "" : shown(one.domain) + " ", one.version);
  };
  lines.push_back(fmt::format("model    opset {}, ir {}, by {}", joined(model.opsets, opset),
                              model.ir_version, shown(model.producer)));
  lines.push_back(fmt::format("graph    {}: {} nodes, {} tensors", shown(model.graph),
                              model.nodes.size(), model.tensors.size()));
  for (const OnnxValue& value : model.inputs) lines.push_back(value_line("input", value));
  for (const OnnxValue& value : model.outputs) lines.push_back(value_line("output", value));
  lines.emplace_back("nodes");
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    lines.push_back(node_line(i, model.nodes[i]));
  }
  lines.emplace_back("tensors");
  for (const OnnxTensor& tensor : model.tensors) lines.push_back(tensor_line(tensor));
  return lines;
}

}  // namespace nibble::onnx
