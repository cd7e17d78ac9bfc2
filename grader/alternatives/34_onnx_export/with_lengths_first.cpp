// Another right solution: a message is a list of pieces whose length is added up before anything is
// written, so that every byte is written once. Reading walks by a pointer.
#include "onnx_export.hpp"

#include <optional>
#include <string_view>

namespace nibble {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::size_t varint_length(std::uint64_t value) {
  return std::max<std::size_t>(1, (static_cast<std::size_t>(std::bit_width(value)) + 6) / 7);
}

void write(std::uint64_t value, Bytes& to) {
  for (std::size_t left = varint_length(value); left > 0; --left, value /= 128) {
    to.push_back(static_cast<std::uint8_t>((value % 128) + (left > 1 ? 128u : 0u)));
  }
}

/// A message before it is written: numbers, texts, and messages of their own.
struct Message {
  struct Part {
    std::uint64_t field;
    std::optional<std::uint64_t> number;
    std::string text;
    std::vector<Message> message;
  };
  std::vector<Part> parts{};

  Message& add(std::uint64_t field, std::uint64_t number) {
    parts.push_back({field, number, {}, {}});
    return *this;
  }
  Message& add(std::uint64_t field, std::string text) {
    parts.push_back({field, {}, std::move(text), {}});
    return *this;
  }
  Message& add(std::uint64_t field, Message message) {
    parts.push_back({field, {}, {}, {std::move(message)}});
    return *this;
  }

  static std::size_t length_of(const Part& part) {
    return part.message.empty() ? part.text.size() : part.message.front().length();
  }
  std::size_t length() const {
    std::size_t all = 0;
    for (const Part& part : parts) {
      all += varint_length(part.field * 8);
      if (part.number) {
        all += varint_length(*part.number);
      } else {
        all += varint_length(length_of(part)) + length_of(part);
      }
    }
    return all;
  }
  void write_to(Bytes& to) const {
    for (const Part& part : parts) {
      write(part.field * 8 + (part.number ? 0 : 2), to);
      write(part.number ? *part.number : length_of(part), to);
      to.insert(to.end(), part.text.begin(), part.text.end());
      for (const Message& inner : part.message) inner.write_to(to);
    }
  }
  Bytes bytes() const {
    Bytes to;
    to.reserve(length());
    write_to(to);
    return to;
  }
};

bool is_whole(double value, double low, double high) {
  return value >= low && value <= high && std::floor(value) == value;
}

/// One element as bytes, the low one first.
std::string element(DataType type, double value) {
  std::uint32_t bits = 0;
  bool fits = false;
  switch (type) {
    case DataType::kFloat:
      fits = std::abs(value) <= FLT_MAX && double{float(value)} == value;
      if (fits) bits = std::bit_cast<std::uint32_t>(float(value));
      break;
    case DataType::kUint8:
      fits = is_whole(value, 0, 255);
      break;
    case DataType::kInt8:
      fits = is_whole(value, -128, 127);
      break;
    case DataType::kInt32:
      fits = is_whole(value, -2147483648.0, 2147483647.0);
      break;
  }
  if (!fits) throw std::invalid_argument("a value that is none of its type");
  if (type != DataType::kFloat) bits = static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
  std::string bytes;
  const bool is_wide = type == DataType::kFloat || type == DataType::kInt32;
  for (int i = 0; i < (is_wide ? 4 : 1); ++i, bits /= 256) bytes += static_cast<char>(bits % 256);
  return bytes;
}

Message message_of(const Tensor& t) {
  unsigned __int128 count = 1;
  for (const std::int64_t dim : t.dims) {
    if (dim < 1) throw std::invalid_argument("a dim that is none");
    count = std::min<unsigned __int128>(count * std::uint64_t(dim), std::uint64_t{1} << 62);
  }
  if (count != t.values.size()) throw std::invalid_argument("another number of elements");
  Message message;
  std::string raw;
  for (const double value : t.values) raw += element(t.data_type, value);
  for (const std::int64_t dim : t.dims) message.add(1, std::uint64_t(dim));
  return message.add(2, std::uint64_t(t.data_type)).add(8, t.name).add(9, raw);
}

void add_names(Message& message, std::uint64_t field, const std::string& names) {
  std::string name;
  for (const char letter : names + ",") {
    if (letter != ',') {
      name += letter;
      continue;
    }
    if (name.empty()) throw std::invalid_argument("an empty name");
    message.add(field, std::exchange(name, {}));
  }
}

Message message_of(const Node& node) {
  if (node.op_type.empty()) throw std::invalid_argument("no operation");
  if (node.attribute.empty() && node.value != 0) throw std::invalid_argument("no attribute");
  Message message;
  add_names(message, 1, node.inputs);
  add_names(message, 2, node.outputs);
  message.add(4, node.op_type);
  if (node.attribute.empty()) return message;
  Message attribute;
  attribute.add(1, node.attribute).add(3, std::uint64_t(node.value)).add(20, 2);
  return message.add(5, attribute);
}

/// All of a model but the numbers.
struct Layer {
  std::size_t rows, columns, first_row, first_weight;
  std::string n, next;

  std::vector<Node> nodes(bool is_last) const {
    std::vector<Node> all{{"QuantizeLinear", "a" + n + ",s" + n + ",z" + n, "q" + n, "", 0},
                          {"DequantizeLinear", "q" + n + ",s" + n + ",z" + n, "d" + n, "", 0},
                          {"DequantizeLinear", "w" + n + ",ws" + n + ",wz" + n, "v" + n, "axis", 0},
                          {"DequantizeLinear", "b" + n + ",bs" + n, "c" + n, "axis", 0},
                          {"Gemm", "d" + n + ",v" + n + ",c" + n, "g" + n, "transB", 1}};
    if (!is_last) all.push_back({"Relu", "g" + n, "a" + next, "", 0});
    return all;
  }
};

std::vector<Layer> layers_of(const QuantizedMlp& net) {
  std::vector<Layer> layers;
  std::size_t row = 0, weight = 0;
  for (std::size_t l = 0; l < net.scales.size(); ++l) {
    const auto rows = std::size_t(net.sizes[l + 1]), columns = std::size_t(net.sizes[l]);
    layers.push_back({rows, columns, row, weight, std::to_string(l), std::to_string(l + 1)});
    row += rows;
    weight += rows * columns;
  }
  return layers;
}

std::vector<Tensor> tensors_of(const QuantizedMlp& net, const Layer& layer, std::size_t l) {
  const auto rows = std::int64_t(layer.rows), columns = std::int64_t(layer.columns);
  const Tensor wz{"wz" + layer.n, DataType::kInt8, {rows}, std::vector<double>(layer.rows, 0.0)};
  Tensor w{"w" + layer.n, DataType::kInt8, {rows, columns}, {}};
  Tensor ws{"ws" + layer.n, DataType::kFloat, {rows}, {}},
      bs{"bs" + layer.n, ws.data_type, {rows}, {}};
  Tensor b{"b" + layer.n, DataType::kInt32, {rows}, {}};
  for (std::size_t i = 0; i < layer.rows * layer.columns; ++i) {
    w.values.push_back(net.weights[layer.first_weight + i]);
  }
  for (std::size_t r = layer.first_row; r < layer.first_row + layer.rows; ++r) {
    ws.values.push_back(double{net.weight_scales[r]});
    b.values.push_back(net.biases[r]);
    bs.values.push_back(double{net.weight_scales[r] * net.scales[l]});
  }
  return {{"s" + layer.n, DataType::kFloat, {}, {double{net.scales[l]}}},
          {"z" + layer.n, DataType::kUint8, {}, {double(net.zero_points[l])}},
          w,
          ws,
          wz,
          b,
          bs};
}

Message value_info(const std::string& name, std::int32_t size) {
  Message batch, columns, shape, tensor, type, info;
  batch.add(2, std::string("N"));
  columns.add(1, std::uint64_t(size));
  shape.add(1, batch).add(1, columns);
  tensor.add(1, 1).add(2, shape);
  type.add(1, tensor);
  return info.add(1, name).add(2, type);
}

// --- Reading ---

[[noreturn]] void refuse(const char* why) { throw std::invalid_argument(why); }

/// A place in bytes that ends.
class Cursor {
 public:
  explicit Cursor(std::span<const std::uint8_t> bytes)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool is_at_end() const { return at_ == end_; }
  std::uint64_t varint() {
    unsigned __int128 value = 0;
    for (unsigned i = 0; i < 10; ++i) {
      if (is_at_end()) refuse("cut off");
      const std::uint8_t byte = *at_++;
      value += static_cast<unsigned __int128>(byte % 128) << (7 * i);
      if (byte >= 128) continue;
      if (value >> 64 != 0) refuse("more than 64 bits");
      return static_cast<std::uint64_t>(value);
    }
    refuse("more than 10 bytes");
  }
  std::span<const std::uint8_t> bytes(std::uint64_t count) {
    if (count > static_cast<std::uint64_t>(end_ - at_)) refuse("beyond the end");
    at_ += count;
    return {at_ - count, at_};
  }

 private:
  const std::uint8_t *at_, *end_;
};

struct Found {
  std::uint64_t field = 0, type = 0, number = 0;
  std::span<const std::uint8_t> bytes{};

  void expect(std::uint64_t wanted) const {
    if (type != wanted) refuse("another wire type");
  }
  std::string text() const {
    expect(2);
    return {bytes.begin(), bytes.end()};
  }
};

Found next_field(Cursor& cursor) {
  const std::uint64_t tag = cursor.varint();
  Found found{tag / 8, tag % 8, 0, {}};
  if (found.field < 1 || found.field > 536'870'911) refuse("no such field");
  switch (found.type) {
    case 0:
      found.number = cursor.varint();
      break;
    case 1:
      found.bytes = cursor.bytes(8);
      break;
    case 2:
      found.bytes = cursor.bytes(cursor.varint());
      break;
    case 5:
      found.bytes = cursor.bytes(4);
      break;
    default:
      refuse("no such wire type");
  }
  return found;
}

double value_at(const std::uint8_t* at, DataType type) {
  if (type == DataType::kUint8) return at[0];
  if (type == DataType::kInt8) return at[0] < 128 ? at[0] : at[0] - 256;
  const std::uint32_t bits = at[0] + 256u * (at[1] + 256u * (at[2] + 256u * at[3]));
  if (type == DataType::kInt32) return static_cast<std::int32_t>(bits);
  const double value{std::bit_cast<float>(bits)};
  if (!std::isfinite(value)) refuse("not finite");
  return value;
}

struct FoundNode {
  std::vector<std::string> inputs{}, outputs{};
  Node node{};
};

FoundNode read_node(std::span<const std::uint8_t> bytes) {
  FoundNode all;
  std::size_t attributes = 0;
  for (Cursor cursor(bytes); !cursor.is_at_end();) {
    const Found found = next_field(cursor);
    if (found.field == 1) all.inputs.push_back(found.text());
    if (found.field == 2) all.outputs.push_back(found.text());
    if (found.field == 4) all.node.op_type = found.text();
    if (found.field != 5) continue;
    found.expect(2);
    ++attributes;
    for (Cursor inner(found.bytes); !inner.is_at_end();) {
      const Found part = next_field(inner);
      if (part.field == 1) all.node.attribute = part.text();
      if (part.field != 3) continue;
      part.expect(0);
      all.node.value = std::int64_t(part.number);
    }
  }
  if (attributes != (all.node.attribute.empty() ? 0u : 1u)) refuse("another number of attributes");
  return all;
}

bool is_same(const FoundNode& found, const Node& wanted) {
  const auto names = [](const std::string& text) {
    std::vector<std::string> all(1);
    for (const char letter : text) {
      if (letter == ',') {
        all.emplace_back();
      } else {
        all.back() += letter;
      }
    }
    return all;
  };
  return found.node.op_type == wanted.op_type && found.inputs == names(wanted.inputs) &&
         found.outputs == names(wanted.outputs) && found.node.attribute == wanted.attribute &&
         found.node.value == wanted.value;
}

}  // namespace

std::vector<std::uint8_t> write_varint(std::uint64_t value) {
  Bytes bytes;
  write(value, bytes);
  return bytes;
}

std::vector<std::uint8_t> write_tensor(const Tensor& tensor) { return message_of(tensor).bytes(); }

std::vector<std::uint8_t> write_node(const Node& node) { return message_of(node).bytes(); }

std::vector<std::uint8_t> write_model(const QuantizedMlp& net) {
  expects_mlp(net);
  const std::vector<Layer> layers = layers_of(net);
  Message graph, opset, model;
  for (const Layer& layer : layers) {
    for (const Node& node : layer.nodes(&layer == &layers.back())) graph.add(1, message_of(node));
  }
  graph.add(2, std::string("mlp"));
  for (std::size_t l = 0; l < layers.size(); ++l) {
    for (const Tensor& tensor : tensors_of(net, layers[l], l)) graph.add(5, message_of(tensor));
  }
  graph.add(11, value_info("a0", net.sizes.front()));
  graph.add(12, value_info("g" + layers.back().n, net.sizes.back()));
  opset.add(2, 13);
  return model.add(1, 7).add(2, std::string("nibble")).add(7, graph).add(8, opset).bytes();
}

Tensor read_tensor(std::span<const std::uint8_t> bytes) {
  Tensor tensor{};
  std::uint64_t type = 0;
  std::span<const std::uint8_t> raw;
  for (Cursor cursor(bytes); !cursor.is_at_end();) {
    const Found found = next_field(cursor);
    if (found.field == 1 && found.type != 2) {
      found.expect(0);
      tensor.dims.push_back(std::int64_t(found.number));
    }
    if (found.field == 1 && found.type == 2) {
      for (Cursor packed(found.bytes); !packed.is_at_end();) {
        tensor.dims.push_back(std::int64_t(packed.varint()));
      }
    }
    if (found.field == 2) found.expect(0), type = found.number;
    if (found.field == 8) tensor.name = found.text();
    if (found.field == 9) found.expect(2), raw = found.bytes;
  }
  if (type != 1 && type != 2 && type != 3 && type != 6) refuse("another type");
  tensor.data_type = static_cast<DataType>(type);
  const std::size_t each = type == 1 || type == 6 ? 4 : 1;
  unsigned __int128 size = each;
  for (const std::int64_t dim : tensor.dims) {
    if (dim < 1) refuse("a dim that is none");
    size *= std::uint64_t(dim);
    if (size > raw.size()) refuse("more elements than bytes");
  }
  if (size != raw.size()) refuse("another number of bytes");
  for (std::size_t at = 0; at < raw.size(); at += each) {
    tensor.values.push_back(value_at(raw.data() + at, tensor.data_type));
  }
  return tensor;
}

QuantizedMlp read_model(std::span<const std::uint8_t> bytes) {
  std::vector<FoundNode> nodes;
  std::vector<Tensor> tensors;
  bool has_opset = false;
  for (Cursor cursor(bytes); !cursor.is_at_end();) {
    const Found found = next_field(cursor);
    if (found.field != 7 && found.field != 8) continue;
    found.expect(2);
    std::string domain;
    std::int64_t version = 0;
    for (Cursor inner(found.bytes); !inner.is_at_end();) {
      const Found part = next_field(inner);
      if (found.field == 8) {
        if (part.field == 1) domain = part.text();
        if (part.field == 2) part.expect(0), version = std::int64_t(part.number);
        continue;
      }
      if (part.field != 1 && part.field != 5) continue;
      part.expect(2);
      if (part.field == 1) nodes.push_back(read_node(part.bytes));
      if (part.field == 5) tensors.push_back(read_tensor(part.bytes));
    }
    has_opset = has_opset || (domain.empty() && version >= 13);
  }
  if (!has_opset) refuse("an opset before 13");

  const auto called = [&](const std::string& name) {
    const auto found = std::ranges::find(tensors, name, &Tensor::name);
    if (found == tensors.end()) refuse("an initializer is missing");
    return *found;
  };
  const auto values = [&](auto& to, const std::string& name, DataType type) {
    const Tensor tensor = called(name);
    if (tensor.data_type != type) refuse("an initializer of another type");
    for (const double value : tensor.values) {
      to.push_back(static_cast<typename std::remove_reference_t<decltype(to)>::value_type>(value));
    }
  };
  QuantizedMlp net;
  for (int l = 0; l == 0 || std::ranges::count(tensors, "w" + std::to_string(l), &Tensor::name) > 0;
       ++l) {
    const std::string n = std::to_string(l);
    const Tensor w = called("w" + n);
    if (w.dims.size() != 2 || std::ranges::max(w.dims) > 4096) refuse("no matrix");
    if (l == 0) net.sizes.push_back(std::int32_t(w.dims[1]));
    net.sizes.push_back(std::int32_t(w.dims[0]));
    values(net.weights, "w" + n, DataType::kInt8);
    values(net.weight_scales, "ws" + n, DataType::kFloat);
    values(net.biases, "b" + n, DataType::kInt32);
    values(net.scales, "s" + n, DataType::kFloat);
    values(net.zero_points, "z" + n, DataType::kUint8);
  }
  expects_mlp(net);
  const std::vector<Layer> layers = layers_of(net);
  if (tensors.size() != 7 * layers.size()) refuse("another number of initializers");
  std::vector<Node> wanted;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    for (const Tensor& tensor : tensors_of(net, layers[l], l)) {
      if (called(tensor.name) != tensor) refuse("another initializer");
    }
    for (Node& node : layers[l].nodes(l + 1 == layers.size())) wanted.push_back(std::move(node));
  }
  if (!std::ranges::equal(nodes, wanted, is_same)) refuse("other nodes");
  return net;
}

}  // namespace nibble
