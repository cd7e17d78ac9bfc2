// Lab 34, write_model: what is right, and what people write instead.
#pragma once

#include "onnx_export.hpp"

#include "checks/34_onnx_export/bytes.hpp"
#include "checks/34_onnx_export/write_node.hpp"
#include "checks/34_onnx_export/write_tensor.hpp"
#include "judge/exercise.hpp"
#include "judge/mix.hpp"
#include "judge/tensors.hpp"
#include "onnx/listing.hpp"

namespace nibble::judge::lab_34_onnx_export {

using Models = Exercise<&write_model>;

/// A model in parts, so that a check can have one of them otherwise.
struct ModelParts {
  std::vector<Node> nodes;
  std::vector<Tensor> tensors;
  std::int64_t opset = 13;
  Bytes input, output;
  std::size_t other_at = 0;  ///< the node that is `other` instead, where that is not empty
  Bytes other;
};

inline Bytes value_info(const std::string& name, std::int64_t size) {
  const Bytes shape = message(1, text(2, "N")) + message(1, number(1, size));
  return text(1, name) + message(2, message(1, number(1, 1) + message(2, shape)));
}

/// The same with a level left out.
inline Bytes without_tensor_type(const std::string& name, std::int64_t size) {
  const Bytes shape = message(1, text(2, "N")) + message(1, number(1, size));
  return text(1, name) + message(2, number(1, 1) + message(2, shape));
}
inline Bytes without_dims(const std::string& name, std::int64_t size) {
  const Bytes shape = text(2, "N") + number(1, size);
  return text(1, name) + message(2, message(1, number(1, 1) + message(2, shape)));
}

inline ModelParts parts_of(const QuantizedMlp& net) {
  expects_mlp(net);
  ModelParts parts;
  const std::size_t layers = net.scales.size();
  std::size_t row = 0, weight = 0;
  for (std::size_t l = 0; l < layers; ++l) {
    const std::string n = std::to_string(l);
    const auto named = [&](std::string_view text) {  // 0 stands for the layer
      std::string all;
      for (const char letter : text) all += letter == '0' ? n : std::string(1, letter);
      return all;
    };
    const auto add = [&](const char* op, const char* in, const char* out, const char* attribute,
                         std::int64_t value) {
      parts.nodes.push_back({op, named(in), named(out), attribute, value});
    };
    add("QuantizeLinear", "a0,s0,z0", "q0", "", 0);
    add("DequantizeLinear", "q0,s0,z0", "d0", "", 0);
    add("DequantizeLinear", "w0,ws0,wz0", "v0", "axis", 0);
    add("DequantizeLinear", "b0,bs0", "c0", "axis", 0);
    add("Gemm", "d0,v0,c0", "g0", "transB", 1);
    if (l + 1 < layers)
      parts.nodes.push_back({"Relu", "g" + n, "a" + std::to_string(l + 1), "", 0});
    const std::int64_t outputs = net.sizes[l + 1], inputs = net.sizes[l];
    Tensor s{"s" + n, DataType::kFloat, {}, {double{net.scales[l]}}};
    Tensor z{"z" + n, DataType::kUint8, {}, {double(net.zero_points[l])}};
    Tensor w{"w" + n, DataType::kInt8, {outputs, inputs}, {}};
    Tensor ws{"ws" + n, DataType::kFloat, {outputs}, {}},
        b{"b" + n, DataType::kInt32, {outputs}, {}};
    Tensor bs{"bs" + n, DataType::kFloat, {outputs}, {}};
    for (std::int64_t i = 0; i < outputs * inputs; ++i) w.values.push_back(net.weights[weight++]);
    Tensor wz{"wz" + n, DataType::kInt8, {outputs}, Values(std::size_t(outputs))};
    for (std::int64_t o = 0; o < outputs; ++o, ++row) {
      ws.values.push_back(double{net.weight_scales[row]});
      b.values.push_back(net.biases[row]);
      bs.values.push_back(double{net.scales[l] * net.weight_scales[row]});
    }
    for (Tensor* const one : {&s, &z, &w, &ws, &wz, &b, &bs}) {
      parts.tensors.push_back(std::move(*one));
    }
  }
  parts.input = value_info("a0", net.sizes.front());
  parts.output = value_info("g" + std::to_string(layers - 1), net.sizes.back());
  return parts;
}

inline Bytes joined(const ModelParts& parts) {
  Bytes graph;
  for (const Node& node : parts.nodes) {
    const bool is_other = !parts.other.empty() && &node == &parts.nodes[parts.other_at];
    graph = graph + message(1, is_other ? parts.other : node_by_definition(node));
  }
  graph = graph + text(2, "mlp");
  for (const Tensor& tensor : parts.tensors) {
    graph = graph + message(5, tensor_bytes(tensor, dims_of(tensor.dims),
                                            raw_of(tensor.data_type, tensor.values)));
  }
  graph = graph + message(11, parts.input) + message(12, parts.output);
  return number(1, 7) + text(2, "nibble") + message(7, graph) + message(8, number(2, parts.opset));
}

/// What a line of the list of a model looks like when it is another one.
inline const char* code_of(const std::string& got, const std::string& want) {
  const auto has = [](const std::string& line, const char* part) {
    return line.find(part) != std::string::npos;
  };
  const auto shape = [](const std::string& line) { return line.substr(0, line.find(']')); };
  if (has(want, "opset ")) return "N-OPSET";
  if (want.ends_with(" 4096]") && shape(got).starts_with(want.substr(0, want.size() - 5))) {
    return "N-OVERFLOW";
  }
  const auto more = std::ranges::count(got, ',') - std::ranges::count(want, ',');
  if (has(want, "   axis")) return more > 0 ? "N-BIAS" : has(got, "   axis 0") ? "" : "N-AXIS";
  if (has(want, "   transB")) return has(got, "   transB 1") ? "" : "N-TRANS";
  if (has(want, " uint8 [") != has(got, " uint8 [")) return "N-SIGN";
  if (has(want, " int8 [") && shape(got) != shape(want)) return "N-TRANS";
  return want.starts_with("  bs") ? "N-SCALE" : "";
}

/// Of the tensors of a later layer, which are as many as wanted, and not these: where they begin.
inline std::string begins_where(const std::string& got, const std::string& want) {
  const bool is_per_row = want.starts_with("  w") || want.starts_with("  b");
  const bool is_later =
      is_per_row && want.find_first_of("123456789") == want.find_first_of("0123456789");
  const bool is_as_many = got.substr(0, got.find(']')) == want.substr(0, want.find(']'));
  return is_later && is_as_many
             ? ": what belongs to a layer begins where that of the layer before ends"
             : "";
}

/// The level that was left out of what says a tensor's type; "": none was.
inline const char* missing_level(const Bytes& got, const QuantizedMlp& net) {
  const auto is_so = [&](const auto& info) {
    ModelParts parts = parts_of(net);
    parts.input = info("a0", net.sizes.front());
    parts.output = info("g" + std::to_string(net.scales.size() - 1), net.sizes.back());
    return joined(parts) == got;
  };
  if (is_so(without_tensor_type)) return "a type holds a tensor_type, and that elem_type and shape";
  return is_so(without_dims) ? "a shape holds a dim, a message of its own, for each dimension" : "";
}

/// The kit's own reader says what differs, line by line; then the bytes.
inline const auto kSameModel = [](Expect& expect, const auto& in, const Bytes& got,
                                  const Bytes& want) {
  try {
    const auto lines = onnx::listing(onnx::read_onnx(got));
    const auto right = onnx::listing(onnx::read_onnx(want));
    for (std::size_t i = 0; i < std::min(lines.size(), right.size()); ++i) {
      if (i == 1) continue;  // counts: which one it is that is missing says more
      expect.that(lines[i] == right[i],
                  "the model says \"" + lines[i] + "\" where \"" + right[i] + "\" is wanted" +
                      begins_where(lines[i], right[i]),
                  code_of(lines[i], right[i]));
    }
    expect.that(lines.size() >= right.size(), "nothing is where the model says \"" +
                                                  right[std::min(lines.size(), right.size() - 1)] +
                                                  "\"");
  } catch (const onnx::BadBytes& bad) {
    expect.that(false, std::string("no reader gets through the model: ") + bad.what(), "N-WIRE");
    expect.recall(missing_level(got, in.a));
  }
  expect.equal("bytes", shown(got), shown(want));
};

inline const Models writing_model{
    {"sizes", "weights", "weight_scales", "biases", "scales", "zero_points"}, {"bytes"}};

inline QuantizedMlp some_net(const Sums& sizes, std::uint64_t seed) {
  QuantizedMlp net{sizes, {}, {}, {}, {}, {}};
  std::size_t weights = 0, outputs = 0;
  for (std::size_t l = 1; l < sizes.size(); ++l) {
    weights += std::size_t(sizes[l - 1] * sizes[l]);
    outputs += std::size_t(sizes[l]);
  }
  net.weights = code_tensor<std::int8_t>(weights, mix(seed, 1), -128, 127);
  net.weight_scales = uniform_tensor(outputs, mix(seed, 2), 0.001f, 0.1f);
  net.biases = code_tensor<std::int32_t>(outputs, mix(seed, 3), -100'000, 100'000);
  net.scales = uniform_tensor(sizes.size() - 1, mix(seed, 4), 0.01f, 0.2f);
  net.zero_points = code_tensor<std::uint8_t>(sizes.size() - 1, mix(seed, 5), 0, 255);
  return net;
}

/// One layer, of two inputs and three outputs; and that with a second one.
inline const QuantizedMlp kOneLayer{
    {2, 3}, {1, -2, 3, -4, 5, -6}, {0.5f, 0.25f, 2}, {7, -8, 300}, {0.125f}, {9}};
inline const QuantizedMlp kTwoLayers{{2, 3, 1},
                                     {1, -2, 3, -4, 5, -6, 127, -128, 0},
                                     {0.5f, 0.25f, 2, 0.1f},
                                     {7, -8, 300, -1},
                                     {0.125f, 0.3f},
                                     {9, 0}};

inline std::vector<Models::Input> nets(Seed seed_of, const std::vector<Sums>& sizes) {
  return each_of(sizes, [&](const Sums& one, std::size_t at) -> Models::Input {
    return {std::to_string(one.size() - 1) + " layers", {some_net(one, seed_of(at))}};
  });
}

}  // namespace nibble::judge::lab_34_onnx_export
