// Lab 34, read_model: the checks.
#include "checks/34_onnx_export/read_model.hpp"

#include "checks/34_onnx_export/write_model.hpp"
#include "checks/34_onnx_export/write_node.hpp"
#include "checks/34_onnx_export/write_tensor.hpp"

namespace nibble::judge::lab_34_onnx_export {
namespace {

TEST(read_model, TheWayBack) {
  reading_model.gives({{"OneLayer", {joined(parts_of(kOneLayer))}, kOneLayer},
                       {"TwoLayers", {joined(parts_of(kTwoLayers))}, kTwoLayers}});
  std::vector<Ways::Row> rows;
  for (const Models::Input& one :
       nets(seed, {{4, 3}, {20, 9, 8, 7}, Sums(13, 2), {4096, 1, 4096}})) {
    rows.push_back({one.name, {joined(parts_of(one.in.a))}, one.in.a});
  }
  reading_model.gives(rows);
}

TEST(read_model, WhoeverWroteIt) {
  ModelParts parts = parts_of(kTwoLayers);
  std::ranges::reverse(parts.tensors);
  const Bytes later = joined([&] {
    ModelParts other = parts;
    other.opset = 21;
    return other;
  }());
  // The graph behind the opset; its tensors in front of its nodes; names, documentation, versions
  // that this lab does not write.
  Bytes graph = message(12, parts.output);
  for (const Tensor& tensor : parts.tensors) {
    graph = graph + message(5, text(12, "weights, say") +
                                   tensor_bytes(tensor, dims_of(tensor.dims),
                                                raw_of(tensor.data_type, tensor.values)));
  }
  for (const Node& node : parts.nodes) {
    graph = graph + message(1, text(3, "a node") + node_by_definition(node) + text(7, ""));
  }
  const Bytes deep = [] {  // a thousand messages, one in the other, in a field that nobody knows
    Bytes inner = number(1, 1);
    for (int i = 0; i < 1000; ++i) inner = message(6, inner);
    return inner;
  }();
  const Bytes moved = message(8, text(1, "com.example") + number(2, 1)) +
                      message(8, text(1, "") + number(2, 13)) + deep + message(7, graph) +
                      message(14, text(1, "key") + text(2, "value"));
  const Bytes untyped = joined([&] {
    ModelParts other = parts;
    other.other_at = 2;
    other.other = node_without_attribute(parts.nodes[2]) +
                  message(5, text(1, "axis") + number(3, 0) + number(20, 1));
    return other;
  }());
  const Bytes old = message(8, number(2, 12));
  const Bytes fine = joined(parts_of(kTwoLayers));
  const Bytes unversioned(fine.begin() + 2, fine.end());
  const Bytes without_opset(fine.begin(), fine.end() - 4);
  const Bytes others = message(8, text(1, "com.example") + number(2, 1));
  const char* const one_is_enough = "of several opset_imports one of version 13 or later is enough";
  reading_model.gives({{"LaterOpset", {later}, kTwoLayers, "a later opset will do"},
                       {"OldOpsetBehind", {later + old}, kTwoLayers, one_is_enough},
                       {"OldOpsetInFront", {old + later}, kTwoLayers, one_is_enough},
                       {"OtherOperatorsInFront", {others + fine}, kTwoLayers, one_is_enough},
                       {"EmptyDomain",
                        {without_opset + message(8, text(1, "") + number(2, 13))},
                        kTwoLayers,
                        "an opset_import whose domain is empty counts"},
                       {"EmptyDomainBehind",
                        {without_opset + message(8, number(2, 13) + text(1, ""))},
                        kTwoLayers,
                        "an opset_import whose domain is empty counts, in any order of fields"}},
                      "N-OPSET");
  const char* const passed_over = "ir_version is not looked at";
  reading_model.gives({{"IrVersion8", {number(1, 8) + unversioned}, kTwoLayers, passed_over},
                       {"NoIrVersion", {unversioned}, kTwoLayers, passed_over}},
                      "N-WIRE");
  reading_model.gives({{"OtherType", {untyped}, kTwoLayers}}, "N-WIRE");
  reading_model.gives({{"Moved", {moved}, kTwoLayers}}, "N-WIRE");
}

TEST(read_model, RefusesOtherNetworks) {
  const auto with = [](const auto& change, const QuantizedMlp& net = kTwoLayers) {
    ModelParts parts = parts_of(net);
    change(parts);
    return joined(parts);
  };
  const auto node = [&](std::size_t at, const Node& other) {
    return with([&](ModelParts& parts) { parts.nodes[at] = other; });
  };
  const auto tensor = [&](std::size_t at, const auto& change) {
    return with([&](ModelParts& parts) { change(parts.tensors[at]); });
  };
  const Bytes fine = joined(parts_of(kTwoLayers));
  refuses_bytes(
      reading_model, fine,
      {{"N-OPSET", "opset 12", with([](ModelParts& parts) { parts.opset = 12; })},
       {"N-OPSET", "another domain's opset 13",
        number(1, 7) + Bytes(fine.begin() + 2, fine.end() - 4) +
            message(8, text(1, "com.example") + number(2, 13))},
       {"N-OPSET", "another domain's opset 13, whose version comes before its domain",
        number(1, 7) + Bytes(fine.begin() + 2, fine.end() - 4) +
            message(8, number(2, 13) + text(1, "com.example"))},
       {"N-AXIS", "axis 1", node(2, {"DequantizeLinear", "w0,ws0,wz0", "v0", "axis", 1})},
       {"N-AXIS", "no axis", node(2, {"DequantizeLinear", "w0,ws0,wz0", "v0", "", 0})},
       {"N-TRANS", "a Gemm that does not transpose",
        node(4, {"Gemm", "d0,v0,c0", "g0", "transB", 0})},
       {"N-FORMULA", "another operation than Relu", node(5, {"Tanh", "g0", "a1", "", 0})},
       {"N-FORMULA", "a product of other inputs", node(4, {"Gemm", "d0,v0,c1", "g0", "transB", 1})},
       {"N-BIAS", "a bias with a zero point",
        node(3, {"DequantizeLinear", "b0,bs0,z0", "c0", "axis", 0})},
       {"N-ORDER", "nodes in another order",
        with([](ModelParts& parts) { std::swap(parts.nodes[2], parts.nodes[3]); })},
       {"N-WIRE", "three names in one text", with([](ModelParts& parts) {
          parts.other = text(1, "a0,s0,z0") + text(2, "q0") + text(4, "QuantizeLinear");
        })},
       {"N-WIRE", "an axis of wire type 5", with([](ModelParts& parts) {
          parts.other_at = 2;
          parts.other = node_without_attribute(parts.nodes[2]) +
                        message(5, text(1, "axis") + hex("1D 00 00 00 00") + number(20, 2));
        })},
       {"N-SIZE", "a node too few", with([](ModelParts& parts) { parts.nodes.pop_back(); })},
       {"N-SIZE", "a tensor too few", with([](ModelParts& parts) { parts.tensors.pop_back(); })},
       {"N-SIZE", "a tensor too many", with([](ModelParts& parts) {
          parts.tensors.push_back({"more", DataType::kInt8, {}, {1}});
        })},
       {"N-SIZE", "two tensors of one name",
        with([](ModelParts& parts) { parts.tensors.push_back(parts.tensors[2]); })},
       {"N-SIZE", "a tensor of another name", tensor(0, [](Tensor& t) { t.name = "t0"; })},
       {"N-SIZE", "weights of one dim", tensor(2, [](Tensor& t) { t.dims = {6}; })},
       {"N-TRANS", "weights [inputs, outputs]",
        tensor(2, [](Tensor& t) { std::swap(t.dims[0], t.dims[1]); })},
       {"N-SIGN", "weights of uint8",
        tensor(2, [](Tensor& t) { t.data_type = DataType::kUint8, t.values.assign(6, 1); })},
       {"N-SIZE", "a scale [1]", tensor(0, [](Tensor& t) { t.dims = {1}; })},
       {"N-SCALE", "other scales of a bias", tensor(6, [](Tensor& t) { t.values[1] *= 2; })},
       {"N-SCALE", "a scale of a bias that is one float beside s0 * ws0",
        tensor(6,
               [](Tensor& t) {
                 t.values[1] = double{std::nextafter(static_cast<float>(t.values[1]), 1.0f)};
               })},
       {"N-FORMULA", "weights whose zero point is 1",
        tensor(4, [](Tensor& t) { t.values[2] = 1; })},
       {"N-SCALE", "a scale of 0", tensor(3, [](Tensor& t) { t.values[0] = 0; })},
       {"N-SIZE", "layers that do not fit", tensor(9, [](Tensor& t) {
          t.dims = {1, 2}, t.values.pop_back();
        })}});
}

TEST(read_model, SurvivesAnyBytes) {
  const Bytes bytes = joined(parts_of(kOneLayer));
  survives(bytes, 1, flipped(bytes, 200, seed));
}

}  // namespace
}  // namespace nibble::judge::lab_34_onnx_export
