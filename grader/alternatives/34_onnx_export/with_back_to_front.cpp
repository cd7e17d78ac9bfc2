// Another right solution: a message is written from its last byte to its first, so that the length
// of what lies inside is known when its tag is due. Reading calls a function for each field.
#include "onnx_export.hpp"

#include <deque>
#include <functional>

namespace nibble {
namespace {

/// Grows at its front.
class Backwards {
 public:
  void number(std::uint64_t field, std::uint64_t value) {
    varint(value);
    varint(field << 3);
  }
  void text(std::uint64_t field, const std::string& letters) {
    inside(field, [&] {
      for (auto at = letters.rbegin(); at != letters.rend(); ++at) {
        bytes_.push_front(static_cast<std::uint8_t>(*at));
      }
    });
  }
  /// What write() puts in is the value of the field.
  template <class Write>
  void inside(std::uint64_t field, const Write& write) {
    const std::size_t before = bytes_.size();
    write();
    varint(bytes_.size() - before);
    varint(field << 3 | 2);
  }
  void varint(std::uint64_t value) {
    int groups = 1;
    while (groups < 10 && value >> 7 * groups != 0) ++groups;
    for (int g = groups - 1; g >= 0; --g) {
      const std::uint64_t more = g + 1 < groups ? 128 : 0;
      bytes_.push_front(static_cast<std::uint8_t>((value >> 7 * g & 127) | more));
    }
  }
  void low_first(std::uint32_t bits, int count) {
    for (int b = count - 1; b >= 0; --b)
      bytes_.push_front(static_cast<std::uint8_t>(bits >> 8 * b));
  }
  std::vector<std::uint8_t> bytes() const { return {bytes_.begin(), bytes_.end()}; }

 private:
  std::deque<std::uint8_t> bytes_;
};

std::vector<std::string> split(const std::string& names) {
  std::vector<std::string> all;
  for (std::size_t from = 0; from <= names.size();) {
    const std::size_t to = std::min(names.find(',', from), names.size());
    all.push_back(names.substr(from, to - from));
    from = to + 1;
  }
  return all;
}

int width_of(DataType type) {
  if (type == DataType::kFloat || type == DataType::kInt32) return 4;
  return type == DataType::kUint8 || type == DataType::kInt8 ? 1 : 0;
}

template <class T>
bool is_one(double value) {
  if (std::isnan(value) || value < double(std::numeric_limits<T>::lowest())) return false;
  return value <= double(std::numeric_limits<T>::max()) && double(static_cast<T>(value)) == value;
}

bool is_one_of(DataType type, double value) {
  if (type == DataType::kFloat) return is_one<float>(value);
  if (type == DataType::kInt32) return is_one<std::int32_t>(value);
  return type == DataType::kInt8 ? is_one<std::int8_t>(value) : is_one<std::uint8_t>(value);
}

std::uint32_t bits_of(DataType type, double value) {
  if (type == DataType::kFloat) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
}

/// Whether the product of dims is `count`: it is divided until 1 is left.
bool is_shape_of(std::span<const std::int64_t> dims, std::uint64_t count) {
  if (count == 0) return false;
  for (const std::int64_t dim : dims) {
    if (dim < 1 || count % static_cast<std::uint64_t>(dim) != 0) return false;
    count /= static_cast<std::uint64_t>(dim);
  }
  return count == 1;
}

void put(Backwards& to, const Tensor& t) {
  if (width_of(t.data_type) == 0) throw std::invalid_argument("data_type");
  if (!is_shape_of(t.dims, t.values.size())) throw std::invalid_argument("dims");
  to.inside(9, [&] {
    for (auto value = t.values.rbegin(); value != t.values.rend(); ++value) {
      if (!is_one_of(t.data_type, *value)) throw std::invalid_argument("value");
      to.low_first(bits_of(t.data_type, *value), width_of(t.data_type));
    }
  });
  to.text(8, t.name);
  to.number(2, static_cast<std::uint64_t>(t.data_type));
  for (auto dim = t.dims.rbegin(); dim != t.dims.rend(); ++dim) {
    to.number(1, static_cast<std::uint64_t>(*dim));
  }
}

void put_names(Backwards& to, std::uint64_t field, const std::string& names) {
  const std::vector<std::string> all = split(names);
  for (auto name = all.rbegin(); name != all.rend(); ++name) {
    if (name->empty()) throw std::invalid_argument("an empty name");
    to.text(field, *name);
  }
}

void put(Backwards& to, const Node& node) {
  if (node.op_type.empty()) throw std::invalid_argument("op_type");
  if (node.attribute.empty() && node.value != 0) throw std::invalid_argument("value");
  if (!node.attribute.empty()) {
    to.inside(5, [&] {
      to.number(20, 2);
      to.number(3, static_cast<std::uint64_t>(node.value));
      to.text(1, node.attribute);
    });
  }
  to.text(4, node.op_type);
  put_names(to, 2, node.outputs);
  put_names(to, 1, node.inputs);
}

void put_value(Backwards& to, std::uint64_t field, const std::string& name, std::int32_t size) {
  to.inside(field, [&] {
    to.inside(2, [&] {
      to.inside(1, [&] {
        to.inside(2, [&] {
          to.inside(1, [&] { to.number(1, static_cast<std::uint64_t>(size)); });
          to.inside(1, [&] { to.text(2, "N"); });
        });
        to.number(1, 1);
      });
    });
    to.text(1, name);
  });
}

/// visit(node) for the nodes of a model, in order.
void each_node(std::size_t layers, const std::function<void(const Node&)>& visit) {
  for (std::size_t l = 0; l < layers; ++l) {
    const auto n = [&](std::string names) {
      std::string all;
      for (const std::string& name : split(names)) all += "," + name + std::to_string(l);
      return all.substr(1);
    };
    visit({"QuantizeLinear", n("a,s,z"), n("q"), "", 0});
    visit({"DequantizeLinear", n("q,s,z"), n("d"), "", 0});
    visit({"DequantizeLinear", n("w,ws,wz"), n("v"), "axis", 0});
    visit({"DequantizeLinear", n("b,bs"), n("c"), "axis", 0});
    visit({"Gemm", n("d,v,c"), n("g"), "transB", 1});
    if (l + 1 < layers) visit({"Relu", n("g"), "a" + std::to_string(l + 1), "", 0});
  }
}

/// visit(tensor) for the initializers of a model, in order.
void each_tensor(const QuantizedMlp& net, const std::function<void(const Tensor&)>& visit) {
  auto weight = net.weights.begin();
  auto weight_scale = net.weight_scales.begin();
  auto bias = net.biases.begin();
  for (std::size_t l = 0; l < net.scales.size(); ++l) {
    const std::string n = std::to_string(l);
    const std::int64_t rows = net.sizes[l + 1], columns = net.sizes[l];
    std::vector<double> bias_scales;
    for (std::int64_t r = 0; r < rows; ++r) {
      bias_scales.push_back(double{weight_scale[r] * net.scales[l]});
    }
    visit({"s" + n, DataType::kFloat, {}, {double{net.scales[l]}}});
    visit({"z" + n, DataType::kUint8, {}, {double(net.zero_points[l])}});
    visit({"w" + n, DataType::kInt8, {rows, columns}, {weight, weight + rows * columns}});
    visit({"ws" + n, DataType::kFloat, {rows}, {weight_scale, weight_scale + rows}});
    visit({"wz" + n, DataType::kInt8, {rows}, std::vector<double>(bias_scales.size())});
    visit({"b" + n, DataType::kInt32, {rows}, {bias, bias + rows}});
    visit({"bs" + n, DataType::kFloat, {rows}, bias_scales});
    weight += rows * columns;
    weight_scale += rows;
    bias += rows;
  }
}

// --- Reading ---

using View = std::span<const std::uint8_t>;

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

std::uint64_t read_varint(View bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 10; ++i, ++at) {
    if (at >= bytes.size()) refuse("cut off");
    const std::uint64_t group = bytes[at] & 127u;
    if (i == 9 && group > 1) refuse("more than 64 bits");
    value |= group << 7 * i;
    if (bytes[at] < 128) {
      ++at;
      return value;
    }
  }
  refuse("more than 10 bytes");
}

/// A value: a number of type 0, bytes of the others.
struct Value {
  std::uint64_t type, number;
  View bytes;
};

std::uint64_t number_in(const Value& value) {
  return value.type == 0 ? value.number : (refuse("type"), 0);
}
View bytes_in(const Value& value) {
  return value.type == 2 ? value.bytes : (refuse("type"), View{});
}
std::string text_in(const Value& value) { return {bytes_in(value).begin(), bytes_in(value).end()}; }

void walk(View bytes, const std::function<void(std::uint64_t, const Value&)>& visit) {
  for (std::size_t at = 0; at < bytes.size();) {
    const std::uint64_t tag = read_varint(bytes, at), number = tag / 8;
    if (number == 0 || number > (1u << 29) - 1) refuse("no number of a field");
    Value value{tag % 8, 0, {}};
    std::uint64_t length = 0;
    if (value.type == 0) value.number = read_varint(bytes, at);
    if (value.type == 1) length = 8;
    if (value.type == 2) length = read_varint(bytes, at);
    if (value.type == 5) length = 4;
    if (value.type == 3 || value.type == 4 || value.type > 5) refuse("no wire type");
    if (length > bytes.size() - at) refuse("beyond the end");
    value.bytes = bytes.subspan(at, static_cast<std::size_t>(length));
    at += static_cast<std::size_t>(length);
    visit(number, value);
  }
}

/// A node as a text in which nothing can be taken for something else.
std::string key_of(const std::string& op, const std::vector<std::string>& in,
                   const std::vector<std::string>& out,
                   const std::vector<std::string>& attributes) {
  std::string key = op;
  for (const auto* list : {&in, &out, &attributes}) {
    key += "|" + std::to_string(list->size());
    for (const std::string& text : *list) key += "|" + std::to_string(text.size()) + "|" + text;
  }
  return key;
}

std::string attribute_text(const std::string& name, std::int64_t value) {
  return name + "=" + std::to_string(value);
}

std::string read_key(View bytes) {
  std::string op;
  std::vector<std::string> in, out, attributes;
  walk(bytes, [&](std::uint64_t number, const Value& value) {
    if (number == 1) in.push_back(text_in(value));
    if (number == 2) out.push_back(text_in(value));
    if (number == 4) op = text_in(value);
    if (number != 5) return;
    std::string name;
    std::int64_t i = 0;
    walk(bytes_in(value), [&](std::uint64_t part, const Value& inner) {
      if (part == 1) name = text_in(inner);
      if (part == 3) i = static_cast<std::int64_t>(number_in(inner));
    });
    attributes.push_back(attribute_text(name, i));
  });
  return key_of(op, in, out, attributes);
}

std::int64_t opset_in(View bytes) {
  std::string domain;
  std::int64_t version = 0;
  walk(bytes, [&](std::uint64_t number, const Value& value) {
    if (number == 1) domain = text_in(value);
    if (number == 2) version = static_cast<std::int64_t>(number_in(value));
  });
  return domain.empty() ? version : 0;
}

}  // namespace

std::vector<std::uint8_t> write_varint(std::uint64_t value) {
  Backwards to;
  to.varint(value);
  return to.bytes();
}

std::vector<std::uint8_t> write_tensor(const Tensor& tensor) {
  Backwards to;
  put(to, tensor);
  return to.bytes();
}

std::vector<std::uint8_t> write_node(const Node& node) {
  Backwards to;
  put(to, node);
  return to.bytes();
}

std::vector<std::uint8_t> write_model(const QuantizedMlp& net) {
  expects_mlp(net);
  Backwards to;
  std::deque<Tensor> tensors;
  std::deque<Node> nodes;
  each_tensor(net, [&](const Tensor& tensor) { tensors.push_front(tensor); });
  each_node(net.scales.size(), [&](const Node& node) { nodes.push_front(node); });
  to.inside(8, [&] { to.number(2, 13); });
  to.inside(7, [&] {
    put_value(to, 12, "g" + std::to_string(net.scales.size() - 1), net.sizes.back());
    put_value(to, 11, "a0", net.sizes.front());
    for (const Tensor& tensor : tensors) to.inside(5, [&] { put(to, tensor); });
    to.text(2, "mlp");
    for (const Node& node : nodes) to.inside(1, [&] { put(to, node); });
  });
  to.text(2, "nibble");
  to.number(1, 7);
  return to.bytes();
}

Tensor read_tensor(std::span<const std::uint8_t> bytes) {
  Tensor tensor{};
  std::uint64_t type = 0;
  View raw;
  walk(bytes, [&](std::uint64_t number, const Value& value) {
    if (number == 1 && value.type == 2) {
      for (std::size_t at = 0; at < value.bytes.size();) {
        tensor.dims.push_back(static_cast<std::int64_t>(read_varint(value.bytes, at)));
      }
    } else if (number == 1) {
      tensor.dims.push_back(static_cast<std::int64_t>(number_in(value)));
    }
    if (number == 2) type = number_in(value);
    if (number == 8) tensor.name = text_in(value);
    if (number == 9) raw = bytes_in(value);
  });
  if (type > 6) refuse("data_type");
  tensor.data_type = static_cast<DataType>(type);
  const auto width = static_cast<std::size_t>(width_of(tensor.data_type));
  if (width == 0 || raw.size() % width != 0) refuse("data_type, or raw_data");
  if (!is_shape_of(tensor.dims, raw.size() / width)) refuse("dims");
  for (; !raw.empty(); raw = raw.subspan(width)) {
    std::uint32_t bits = 0;
    for (std::size_t b = width; b-- > 0;) bits = bits << 8 | raw[b];
    double value = static_cast<double>(std::bit_cast<float>(bits));
    if (tensor.data_type == DataType::kUint8) value = bits;
    if (tensor.data_type == DataType::kInt8) value = static_cast<std::int8_t>(bits);
    if (tensor.data_type == DataType::kInt32) value = static_cast<std::int32_t>(bits);
    if (!std::isfinite(value)) refuse("not finite");
    tensor.values.push_back(value);
  }
  return tensor;
}

QuantizedMlp read_model(std::span<const std::uint8_t> bytes) {
  std::vector<std::string> nodes;
  std::vector<Tensor> tensors;
  bool has_opset = false;
  walk(bytes, [&](std::uint64_t number, const Value& value) {
    if (number == 8) has_opset |= opset_in(bytes_in(value)) >= 13;
    if (number != 7) return;
    walk(bytes_in(value), [&](std::uint64_t part, const Value& inner) {
      if (part == 1) nodes.push_back(read_key(bytes_in(inner)));
      if (part == 5) tensors.push_back(read_tensor(bytes_in(inner)));
    });
  });
  if (!has_opset) refuse("opset");

  // By their names, which is no order of layers from the tenth on: lengths come first.
  std::ranges::sort(tensors, [](const Tensor& a, const Tensor& b) {
    return std::pair(a.name.size(), a.name) < std::pair(b.name.size(), b.name);
  });
  QuantizedMlp net;
  const auto append = [](auto& to, const Tensor& tensor) {
    for (const double value : tensor.values) {
      using Element = typename std::remove_reference_t<decltype(to)>::value_type;
      if (!is_one<Element>(value)) refuse("a value of another type");
      to.push_back(static_cast<Element>(value));
    }
  };
  for (const Tensor& tensor : tensors) {
    const std::string kind = tensor.name.substr(0, tensor.name.find_first_of("0123456789"));
    if (kind == "s") append(net.scales, tensor);
    if (kind == "z") append(net.zero_points, tensor);
    if (kind == "ws") append(net.weight_scales, tensor);
    if (kind == "b") append(net.biases, tensor);
    if (kind != "w") continue;
    append(net.weights, tensor);
    if (tensor.dims.size() != 2 || std::ranges::max(tensor.dims) > 4096) refuse("no matrix");
    if (net.sizes.empty()) net.sizes.push_back(static_cast<std::int32_t>(tensor.dims[1]));
    net.sizes.push_back(static_cast<std::int32_t>(tensor.dims[0]));
  }
  expects_mlp(net);
  std::size_t count = 0, at = 0;
  each_tensor(net, [&](const Tensor& wanted) {
    if (std::ranges::find(tensors, wanted) == tensors.end()) refuse("no " + wanted.name);
    ++count;
  });
  if (count != tensors.size()) refuse("other initializers");
  each_node(net.scales.size(), [&](const Node& node) {
    std::vector<std::string> attributes;
    if (!node.attribute.empty()) attributes.push_back(attribute_text(node.attribute, node.value));
    const std::string wanted =
        key_of(node.op_type, split(node.inputs), split(node.outputs), attributes);
    if (at >= nodes.size() || nodes[at++] != wanted) refuse("another node");
  });
  if (at != nodes.size()) refuse("more nodes");
  return net;
}

}  // namespace nibble
