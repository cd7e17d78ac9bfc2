// Lab 34: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "onnx_export.hpp"

#include "checks/34_onnx_export/bytes.hpp"
#include "checks/34_onnx_export/read_model.hpp"
#include "checks/34_onnx_export/read_tensor.hpp"
#include "checks/34_onnx_export/write_model.hpp"
#include "checks/34_onnx_export/write_node.hpp"
#include "checks/34_onnx_export/write_tensor.hpp"
#include "checks/34_onnx_export/write_varint.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_34_onnx_export {
namespace {

TEST(write_varint, EqualsTheReference) {
  std::vector<Varint::Input> inputs;
  for (std::size_t i = 0; i < 64; ++i) {
    const auto of = code_tensor<std::int32_t>(2, hidden_seed(i), 0, (1 << 30) - 1);
    const std::uint64_t value = std::uint64_t(of[0]) << 34 | std::uint64_t(of[1]) << 4 | 9u;
    inputs.push_back({std::to_string(i) + " bits off", {value >> i}});
  }
  varying.agrees_with(varying.reference, inputs, kSameBytes);
}

TEST(write_tensor, EqualsTheReference) {
  writing_tensor.agrees_with(writing_tensor.reference, tensors(hidden_seed), kSameBytes);
}

TEST(write_node, EqualsTheReference) {
  std::vector<Nodes::Input> inputs;
  for (std::size_t i = 0; i < 24; ++i) {
    const auto of = code_tensor<std::int32_t>(5, hidden_seed(i), 1, 999);
    std::string names = "n" + std::to_string(of[0]);
    for (std::size_t more = i % 4; more > 0; --more) {
      names += "," + std::string(more * i, 'm') + std::to_string(of[more]);
    }
    const std::int64_t value = (of[4] - 500) * (i % 3 == 0 ? std::int64_t{1} << 40 : 1);
    const Node node{i % 2 == 0 ? "Conv" : "DequantizeLinear", names, "y,z" + std::to_string(of[1]),
                    i % 5 == 4 ? "" : "axis", i % 5 == 4 ? 0 : value};
    inputs.push_back({std::to_string(i), {node}});
  }
  writing_node.agrees_with(writing_node.reference, inputs, kSameBytes);
}

TEST(write_model, EqualsTheReference) {
  writing_model.agrees_with(writing_model.reference,
                            nets(hidden_seed, {{2, 2}, {7, 5, 3}, {6, 6, 6, 6}, {100, 50, 10}}),
                            kSameModel);
}

TEST(read_tensor, EqualsTheReference) {
  std::vector<Readings::Row> rows;
  for (const Tensor& tensor : some_tensors(hidden_seed)) {
    const Bytes raw = raw_of(tensor.data_type, tensor.values);
    rows.push_back({tensor.name, {tensor_by_definition(tensor)}, tensor});
    rows.push_back({"packed",
                    {message(9, raw) + text(8, tensor.name) + number(200, -1) +
                     number(2, static_cast<int>(tensor.data_type)) +
                     message(1,
                             [&] {
                               Bytes packed;
                               for (const std::int64_t dim : tensor.dims) {
                                 packed = packed + long_varint(std::uint32_t(dim));
                               }
                               return packed;
                             }())},
                    tensor});
  }
  reading_tensor.gives(rows);
  const Bytes bytes =
      tensor_by_definition(some_tensor("name", DataType::kInt32, {3, 3}, hidden_seed(99)));
  std::vector<Hostile> cut;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    cut.push_back(
        {"N-WIRE",
         "the first " + std::to_string(size) + " bytes of " + std::to_string(bytes.size()),
         Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size))});
  }
  refuses_bytes(reading_tensor, bytes, cut);
}

TEST(read_model, EqualsTheReference) {
  std::vector<Ways::Row> rows;
  for (const Models::Input& one : nets(hidden_seed, {{3, 2}, {9, 5, 4}, {30, 20, 10, 5}})) {
    ModelParts parts = parts_of(one.in.a);
    std::rotate(parts.tensors.begin(), parts.tensors.begin() + 3, parts.tensors.end());
    rows.push_back({one.name, {joined(parts)}, one.in.a});
  }
  reading_model.gives(rows);
  const Bytes bytes = joined(parts_of(some_net({4, 3, 2}, hidden_seed(50))));
  survives(bytes, 7, flipped(bytes, 300, hidden_seed));
}

}  // namespace
}  // namespace nibble::judge::lab_34_onnx_export
