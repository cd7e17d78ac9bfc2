// NIBBLE-BEGIN-SOLUTION
// Reference solution for lab 34. Written to be read: a message is a vector of bytes that grows.
// NIBBLE-STUB: // Lab 34. The contract is in onnx_export.hpp; the story is in README.md.
// NIBBLE-STUB: // Check yourself:  ./nibble run 34        (or leave ./nibble watch open)
// NIBBLE-END
#include "onnx_export.hpp"

// NIBBLE-BEGIN-SOLUTION
#include <map>
#include <string_view>

// NIBBLE-END
namespace nibble {
// NIBBLE-BEGIN-SOLUTION
namespace {

using Bytes = std::vector<std::uint8_t>;
using BytesView = std::span<const std::uint8_t>;

constexpr std::int64_t kOpset = 13;
constexpr std::size_t kTensorsEach = 7;  ///< initializers of a layer

/// What an element of that type takes; 0 for a type that is none of the four.
std::size_t bytes_each(DataType type) {
  switch (type) {
    case DataType::kFloat:
    case DataType::kInt32:
      return 4;
    case DataType::kUint8:
    case DataType::kInt8:
      return 1;
  }
  return 0;
}

// --- Writing ---

void append(Bytes& message, BytesView bytes) {
  message.insert(message.end(), bytes.begin(), bytes.end());
}

void put_number(Bytes& message, std::uint64_t number, std::uint64_t value) {
  append(message, write_varint(number << 3));
  append(message, write_varint(value));
}

/// A text, raw data, or a message: the length is known when it is finished.
void put_bytes(Bytes& message, std::uint64_t number, BytesView bytes) {
  append(message, write_varint(number << 3 | 2));
  append(message, write_varint(bytes.size()));
  append(message, bytes);
}

void put_text(Bytes& message, std::uint64_t number, std::string_view text) {
  put_bytes(message, number, Bytes(text.begin(), text.end()));
}

/// The bits of an element, in the lowest bytes_each(type) bytes.
std::uint32_t bits_of(DataType type, double value) {
  if (type == DataType::kFloat) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
}

double value_of(DataType type, std::uint32_t bits) {
  switch (type) {
    case DataType::kFloat:
      return double{std::bit_cast<float>(bits)};
    case DataType::kUint8:
      return static_cast<std::uint8_t>(bits);
    case DataType::kInt8:
      return static_cast<std::int8_t>(bits);
    case DataType::kInt32:
      break;
  }
  return static_cast<std::int32_t>(bits);
}

/// Whether `type` has this value. The range comes first: a conversion out of it is undefined.
bool has_value(DataType type, double value) {
  const bool is_signed = type == DataType::kInt8;
  double low = is_signed ? -128 : 0, high = is_signed ? 127 : 255;
  if (type == DataType::kInt32) low = -0x1p31, high = 0x1p31 - 1;
  if (type == DataType::kFloat) low = -double{FLT_MAX}, high = double{FLT_MAX};
  return low <= value && value <= high && value_of(type, bits_of(type, value)) == value;
}

/// The product of dims; throws where it is more than `most`, without computing it.
std::size_t element_count(std::span<const std::int64_t> dims, std::size_t most) {
  std::size_t count = 1;
  for (const std::int64_t dim : dims) {
    NIBBLE_EXPECTS(dim >= 1 && static_cast<std::uint64_t>(dim) <= most / count, dim);
    count *= static_cast<std::size_t>(dim);
  }
  return count;
}

void put_names(Bytes& message, std::uint64_t number, std::string_view names) {
  for (;;) {
    const std::size_t comma = std::min(names.find(','), names.size());
    NIBBLE_EXPECTS(comma > 0, names.size());
    put_text(message, number, names.substr(0, comma));
    if (comma == names.size()) return;
    names.remove_prefix(comma + 1);
  }
}

/// The nodes of a model, in order.
std::vector<Node> nodes_of(std::size_t layers) {
  std::vector<Node> nodes;
  for (std::size_t l = 0; l < layers; ++l) {
    const std::string n = std::to_string(l), next = std::to_string(l + 1);
    const std::string scale = ",s" + n + ",z" + n;
    nodes.push_back({"QuantizeLinear", "a" + n + scale, "q" + n, "", 0});
    nodes.push_back({"DequantizeLinear", "q" + n + scale, "d" + n, "", 0});
    nodes.push_back({"DequantizeLinear", "w" + n + ",ws" + n + ",wz" + n, "v" + n, "axis", 0});
    nodes.push_back({"DequantizeLinear", "b" + n + ",bs" + n, "c" + n, "axis", 0});
    nodes.push_back({"Gemm", "d" + n + ",v" + n + ",c" + n, "g" + n, "transB", 1});
    if (l + 1 < layers) nodes.push_back({"Relu", "g" + n, "a" + next, "", 0});
  }
  return nodes;
}

/// The next `count` elements of a list that holds those of all layers.
template <class T>
std::vector<double> take(std::span<const T>& all, std::size_t count) {
  const std::span<const T> taken = all.first(count);
  all = all.subspan(count);
  return {taken.begin(), taken.end()};
}

/// The initializers of a model, in order.
std::vector<Tensor> tensors_of(const QuantizedMlp& net) {
  std::vector<Tensor> tensors;
  std::span<const std::int8_t> weights = net.weights;
  std::span<const float> weight_scales = net.weight_scales;
  std::span<const std::int32_t> biases = net.biases;
  for (std::size_t l = 0; l < net.scales.size(); ++l) {
    const std::string n = std::to_string(l);
    const std::int64_t inputs = net.sizes[l], outputs = net.sizes[l + 1];
    const auto rows = static_cast<std::size_t>(outputs);
    const std::vector<double> scales = take(weight_scales, rows);
    std::vector<double> bias_scales;
    for (const double scale : scales) {
      bias_scales.push_back(double{net.scales[l] * static_cast<float>(scale)});
    }
    tensors.push_back({"s" + n, DataType::kFloat, {}, {double{net.scales[l]}}});
    tensors.push_back({"z" + n, DataType::kUint8, {}, {double(net.zero_points[l])}});
    tensors.push_back({"w" + n,
                       DataType::kInt8,
                       {outputs, inputs},
                       take(weights, rows * static_cast<std::size_t>(inputs))});
    tensors.push_back({"ws" + n, DataType::kFloat, {outputs}, scales});
    tensors.push_back({"wz" + n, DataType::kInt8, {outputs}, std::vector<double>(rows)});
    tensors.push_back({"b" + n, DataType::kInt32, {outputs}, take(biases, rows)});
    tensors.push_back({"bs" + n, DataType::kFloat, {outputs}, bias_scales});
  }
  return tensors;
}

/// A ValueInfoProto: floats [N, size].
Bytes value_info(const std::string& name, std::int32_t size) {
  Bytes batch, columns, shape, tensor, type, info;
  put_text(batch, 2, "N");
  put_number(columns, 1, static_cast<std::uint64_t>(size));
  put_bytes(shape, 1, batch);
  put_bytes(shape, 1, columns);
  put_number(tensor, 1, static_cast<std::uint64_t>(DataType::kFloat));
  put_bytes(tensor, 2, shape);
  put_bytes(type, 1, tensor);
  put_text(info, 1, name);
  put_bytes(info, 2, type);
  return info;
}

// --- Reading ---

std::uint64_t take_varint(BytesView& bytes) {
  std::uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    NIBBLE_EXPECTS(!bytes.empty(), bytes.size());
    const std::uint8_t byte = bytes.front();
    bytes = bytes.subspan(1);
    NIBBLE_EXPECTS(shift < 63 || byte <= 1, byte);  // the tenth byte has one bit left
    value |= std::uint64_t{byte & 127u} << shift;
    if (byte < 128) return value;
  }
}

/// A field as it lies there. Whoever asks for its value says of which wire type it has to be.
struct Field {
  std::uint64_t number, wire_type;
  std::uint64_t varint;  ///< of type 0
  BytesView bytes;       ///< of the other types

  std::uint64_t as_number() const {
    NIBBLE_EXPECTS(wire_type == 0, wire_type);
    return varint;
  }
  BytesView as_bytes() const {
    NIBBLE_EXPECTS(wire_type == 2, wire_type);
    return bytes;
  }
  std::string as_text() const { return {as_bytes().begin(), as_bytes().end()}; }
};

/// The fields of a message. Nothing is copied: bytes are views of what was read.
std::vector<Field> fields_of(BytesView message) {
  std::vector<Field> fields;
  while (!message.empty()) {
    const std::uint64_t tag = take_varint(message);
    Field field{tag >> 3, tag & 7, 0, {}};
    NIBBLE_EXPECTS(1 <= field.number && field.number < (1u << 29), field.number);
    const std::uint64_t type = field.wire_type;
    NIBBLE_EXPECTS(type <= 2 || type == 5, type);
    if (type == 0) {
      field.varint = take_varint(message);
    } else {
      const std::uint64_t length = type == 1 ? 8 : type == 5 ? 4 : take_varint(message);
      NIBBLE_EXPECTS(length <= message.size(), length);
      field.bytes = message.first(static_cast<std::size_t>(length));
      message = message.subspan(static_cast<std::size_t>(length));
    }
    fields.push_back(field);
  }
  return fields;
}

/// Adds a name to those before it. One with a comma would pass for two.
void add_name(std::string& names, const std::string& name) {
  NIBBLE_EXPECTS(name.find(',') == std::string::npos, name.size());
  names += (names.empty() ? "" : ",") + name;
}

void read_attribute(BytesView bytes, Node& node) {
  NIBBLE_EXPECTS(node.attribute.empty(), node.attribute.size());
  for (const Field& field : fields_of(bytes)) {
    if (field.number == 1) node.attribute = field.as_text();
    if (field.number == 3) node.value = static_cast<std::int64_t>(field.as_number());
  }
  NIBBLE_EXPECTS(!node.attribute.empty(), bytes.size());
}

Node read_node(BytesView bytes) {
  Node node{};
  for (const Field& field : fields_of(bytes)) {
    if (field.number == 1) add_name(node.inputs, field.as_text());
    if (field.number == 2) add_name(node.outputs, field.as_text());
    if (field.number == 4) node.op_type = field.as_text();
    if (field.number == 5) read_attribute(field.as_bytes(), node);
  }
  return node;
}

/// The version of an OperatorSetIdProto; 0 where it is about other operators.
std::int64_t opset_of(BytesView bytes) {
  std::int64_t version = 0;
  bool counts = true;
  for (const Field& field : fields_of(bytes)) {
    if (field.number == 1) counts = field.as_bytes().empty();
    if (field.number == 2) version = static_cast<std::int64_t>(field.as_number());
  }
  return counts ? version : 0;
}

struct Graph {
  std::vector<Node> nodes;
  std::map<std::string, Tensor> tensors;
};

Graph read_graph(BytesView bytes) {
  Graph graph;
  for (const Field& field : fields_of(bytes)) {
    if (field.number == 1) graph.nodes.push_back(read_node(field.as_bytes()));
    if (field.number != 5) continue;
    Tensor tensor = read_tensor(field.as_bytes());
    const bool is_new = graph.tensors.emplace(tensor.name, tensor).second;
    NIBBLE_EXPECTS(is_new, graph.tensors.size());
  }
  return graph;
}

const Tensor& tensor_called(const Graph& graph, const std::string& name, DataType type) {
  const auto found = graph.tensors.find(name);
  NIBBLE_EXPECTS(found != graph.tensors.end(), graph.tensors.size());
  NIBBLE_EXPECTS(found->second.data_type == type, static_cast<int>(found->second.data_type));
  return found->second;
}

template <class T>
void append_values(std::vector<T>& to, const Tensor& tensor) {
  for (const double value : tensor.values) to.push_back(static_cast<T>(value));
}

/// The network that the initializers tell of, which may be none.
QuantizedMlp mlp_of(const Graph& graph) {
  QuantizedMlp net;
  for (std::size_t l = 0; l < graph.tensors.size() / kTensorsEach; ++l) {
    const std::string n = std::to_string(l);
    const Tensor& weights = tensor_called(graph, "w" + n, DataType::kInt8);
    NIBBLE_EXPECTS(weights.dims.size() == 2, weights.dims.size());
    if (l == 0) net.sizes.push_back(static_cast<std::int32_t>(weights.dims[1]));
    net.sizes.push_back(static_cast<std::int32_t>(weights.dims[0]));
    append_values(net.weights, weights);
    append_values(net.weight_scales, tensor_called(graph, "ws" + n, DataType::kFloat));
    append_values(net.biases, tensor_called(graph, "b" + n, DataType::kInt32));
    append_values(net.scales, tensor_called(graph, "s" + n, DataType::kFloat));
    append_values(net.zero_points, tensor_called(graph, "z" + n, DataType::kUint8));
  }
  return net;
}

}  // namespace
// NIBBLE-END

std::vector<std::uint8_t> write_varint(std::uint64_t value) {
  // NIBBLE-BEGIN-SOLUTION
  Bytes bytes;
  for (; value >= 128; value >>= 7) bytes.push_back(static_cast<std::uint8_t>(value | 128));
  bytes.push_back(static_cast<std::uint8_t>(value));
  return bytes;
  // NIBBLE-STUB: // Seven bits a byte. Which byte is the last one, and how many has 0?
  // NIBBLE-STUB: NIBBLE_TODO("write a number as a varint");
  // NIBBLE-END
}

std::vector<std::uint8_t> write_tensor(const Tensor& tensor) {
  // NIBBLE-BEGIN-SOLUTION
  const auto& [name, type, dims, values] = tensor;
  const std::size_t each = bytes_each(type);
  NIBBLE_EXPECTS(each > 0, static_cast<int>(type));
  NIBBLE_EXPECTS(element_count(dims, values.size()) == values.size(), values.size());
  Bytes message, raw;
  for (const double value : values) {
    NIBBLE_EXPECTS(has_value(type, value), value);
    const std::uint32_t bits = bits_of(type, value);
    for (std::size_t b = 0; b < each; ++b) raw.push_back(static_cast<std::uint8_t>(bits >> 8 * b));
  }
  for (const std::int64_t dim : dims) put_number(message, 1, static_cast<std::uint64_t>(dim));
  put_number(message, 2, static_cast<std::uint64_t>(type));
  put_text(message, 8, name);
  put_bytes(message, 9, raw);
  return message;
  // NIBBLE-STUB: // 1. Refuse.  2. A tag and a varint for each dim.  3. The other fields.
  // NIBBLE-STUB: NIBBLE_TODO("write a tensor");
  // NIBBLE-END
}

std::vector<std::uint8_t> write_node(const Node& node) {
  // NIBBLE-BEGIN-SOLUTION
  NIBBLE_EXPECTS(!node.op_type.empty(), node.op_type.size());
  NIBBLE_EXPECTS(!node.attribute.empty() || node.value == 0, node.value);
  Bytes message;
  put_names(message, 1, node.inputs);
  put_names(message, 2, node.outputs);
  put_text(message, 4, node.op_type);
  if (!node.attribute.empty()) {
    Bytes attribute;
    put_text(attribute, 1, node.attribute);
    put_number(attribute, 3, static_cast<std::uint64_t>(node.value));
    put_number(attribute, 20, 2);
    put_bytes(message, 5, attribute);
  }
  return message;
  // NIBBLE-STUB: // 1. Refuse.  2. A field for each name.  3. A message within the message.
  // NIBBLE-STUB: NIBBLE_TODO("write an operation");
  // NIBBLE-END
}

std::vector<std::uint8_t> write_model(const QuantizedMlp& net) {
  // NIBBLE-BEGIN-SOLUTION
  expects_mlp(net);
  const std::size_t layers = net.scales.size();
  Bytes graph, opset, model;
  for (const Node& node : nodes_of(layers)) put_bytes(graph, 1, write_node(node));
  put_text(graph, 2, "mlp");
  for (const Tensor& tensor : tensors_of(net)) put_bytes(graph, 5, write_tensor(tensor));
  put_bytes(graph, 11, value_info("a0", net.sizes.front()));
  put_bytes(graph, 12, value_info("g" + std::to_string(layers - 1), net.sizes.back()));
  put_number(opset, 2, kOpset);
  put_number(model, 1, 7);
  put_text(model, 2, "nibble");
  put_bytes(model, 7, graph);
  put_bytes(model, 8, opset);
  return model;
  // NIBBLE-STUB: // 1. Refuse.  2. Nodes.  3. Initializers.  4. Input, output.  5. All around them.
  // NIBBLE-STUB: //    A message is put into another when it is finished.
  // NIBBLE-STUB: NIBBLE_TODO("write a model");
  // NIBBLE-END
}

Tensor read_tensor(std::span<const std::uint8_t> bytes) {
  // NIBBLE-BEGIN-SOLUTION
  Tensor tensor{};
  std::uint64_t type = 0;
  BytesView raw;
  for (const Field& field : fields_of(bytes)) {
    if (field.number == 1 && field.wire_type == 2) {
      BytesView packed = field.bytes;
      while (!packed.empty()) tensor.dims.push_back(static_cast<std::int64_t>(take_varint(packed)));
    } else if (field.number == 1) {
      tensor.dims.push_back(static_cast<std::int64_t>(field.as_number()));
    }
    if (field.number == 2) type = field.as_number();
    if (field.number == 8) tensor.name = field.as_text();
    if (field.number == 9) raw = field.as_bytes();
  }
  NIBBLE_EXPECTS(type <= 6, type);  // before it becomes a DataType, which has 32 bits
  tensor.data_type = static_cast<DataType>(type);
  const std::size_t each = bytes_each(tensor.data_type);
  NIBBLE_EXPECTS(each > 0, type);
  NIBBLE_EXPECTS(raw.size() % each == 0, raw.size());
  const std::size_t count = raw.size() / each;
  NIBBLE_EXPECTS(element_count(tensor.dims, count) == count, raw.size());
  for (std::size_t at = 0; at < raw.size(); at += each) {
    std::uint32_t bits = 0;
    for (std::size_t b = 0; b < each; ++b) bits |= std::uint32_t{raw[at + b]} << 8 * b;
    const double value = value_of(tensor.data_type, bits);
    NIBBLE_EXPECTS(std::isfinite(value), value);
    tensor.values.push_back(value);
  }
  return tensor;
  // NIBBLE-STUB: // 1. Walk through the fields; believe no length.  2. Which of them do you know?
  // NIBBLE-STUB: // 3. Do the dims fit the bytes that are there?  4. The elements.
  // NIBBLE-STUB: NIBBLE_TODO("read a tensor");
  // NIBBLE-END
}

QuantizedMlp read_model(std::span<const std::uint8_t> bytes) {
  // NIBBLE-BEGIN-SOLUTION
  Graph graph;
  std::int64_t opset = 0;
  for (const Field& field : fields_of(bytes)) {
    if (field.number == 7) graph = read_graph(field.as_bytes());
    if (field.number == 8) opset = std::max(opset, opset_of(field.as_bytes()));
  }
  NIBBLE_EXPECTS(opset >= kOpset, opset);
  QuantizedMlp net = mlp_of(graph);
  expects_mlp(net);
  // What would have been written must be what was read: no shape, no name is looked at by itself.
  const std::vector<Tensor> tensors = tensors_of(net);
  NIBBLE_EXPECTS(graph.tensors.size() == tensors.size(), graph.tensors.size());
  for (const Tensor& tensor : tensors) {
    NIBBLE_EXPECTS(tensor_called(graph, tensor.name, tensor.data_type) == tensor,
                   tensor.dims.size());
  }
  NIBBLE_EXPECTS(graph.nodes == nodes_of(net.scales.size()), graph.nodes.size());
  return net;
  // NIBBLE-STUB: // 1. Opset, nodes, initializers.  2. Which network would have such initializers?
  // NIBBLE-STUB: // 3. Is everything as you would have written it?
  // NIBBLE-STUB: NIBBLE_TODO("read a model");
  // NIBBLE-END
}

}  // namespace nibble
