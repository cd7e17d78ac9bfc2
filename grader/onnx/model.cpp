// A ModelProto, read field by field into what a person wants to know of it.
#include "onnx/model.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>

#include "onnx/element.hpp"

namespace nibble::onnx {
namespace {

/// So many elements of a list are kept: nobody prints more.
constexpr std::size_t kListed = 16;

std::string text_of(float value) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

/// Grows to "[1, 2, ...": a list that somebody reads ends early.
class ListText {
 public:
  void add(const std::string& one) {
    if (count_ <= kListed) text_ += count_ == kListed ? ", ..." : (count_ == 0 ? "" : ", ") + one;
    ++count_;
  }
  bool empty() const { return count_ == 0; }
  std::string text() const { return "[" + text_ + "]"; }

 private:
  std::string text_;
  std::size_t count_ = 0;
};

OnnxAttribute attribute_of(WireBytes piece) {
  OnnxAttribute attribute;
  ListText list;
  each_field(piece, [&](const WireField& field) {
    const auto signed_text = [](std::uint64_t number) {
      return std::to_string(static_cast<std::int64_t>(number));
    };
    switch (field.number) {
      case 1:
        attribute.name = field.as_text();
        break;
      case 2:
        attribute.value = text_of(field.as_float());
        break;
      case 3:
        attribute.value = signed_text(field.as_number());
        break;
      case 4:
        attribute.value = field.as_text();
        break;
      case 5:
        attribute.value = "a tensor";
        break;
      case 6:
        attribute.value = "a graph";
        break;
      case 7:
        if (field.type == WireType::kFourBytes) list.add(text_of(field.as_float()));
        break;
      case 8:
        each_number(field, [&](std::uint64_t number) { list.add(signed_text(number)); });
        break;
      case 9:
        list.add(field.as_text());
        break;
      default:
        break;
    }
  });
  if (!list.empty()) attribute.value = list.text();
  return attribute;
}

OnnxNode node_of(WireBytes piece) {
  OnnxNode node;
  each_field(piece, [&](const WireField& field) {
    if (field.number == 1) node.inputs.push_back(field.as_text());
    if (field.number == 2) node.outputs.push_back(field.as_text());
    if (field.number == 3) node.name = field.as_text();
    if (field.number == 4) node.op_type = field.as_text();
    if (field.number == 5) node.attributes.push_back(attribute_of(field.as_bytes()));
    if (field.number == 7) node.domain = field.as_text();
  });
  return node;
}

void list(OnnxTensor& tensor, double value) {
  if (tensor.listed.size() < kListed) tensor.listed.push_back(value);
  ++tensor.listed_count;
}

/// Floats, which come packed or one by one.
void list_floats(OnnxTensor& tensor, const WireField& field) {
  if (field.type != WireType::kBytes) return list(tensor, double{field.as_float()});
  const WireBytes packed = field.as_bytes();
  const std::uint64_t count = packed.bytes.size() / 4;
  for (const double value : onnx::first_elements(1, packed.bytes, kListed)) list(tensor, value);
  tensor.listed_count += count - std::min<std::uint64_t>(count, kListed);
}

OnnxTensor tensor_of(WireBytes piece) {
  OnnxTensor tensor;
  each_field(piece, [&](const WireField& field) {
    const auto list_number = [&](std::uint64_t number) {
      list(tensor, static_cast<double>(static_cast<std::int64_t>(number)));
    };
    switch (field.number) {
      case 1:
        each_number(field, [&](std::uint64_t dim) {
          tensor.dims.push_back(static_cast<std::int64_t>(dim));
        });
        break;
      case 2:
        tensor.data_type = static_cast<std::int64_t>(field.as_number());
        break;
      case 4:
        list_floats(tensor, field);
        break;
      case 5:
      case 7:
        each_number(field, list_number);
        break;
      case 8:
        tensor.name = field.as_text();
        break;
      case 9:
        tensor.raw = field.as_bytes().bytes;
        break;
      case 14:
        tensor.is_elsewhere = field.as_number() == 1;
        break;
      default:
        break;
    }
  });
  return tensor;
}

std::string dim_of(WireBytes piece) {
  std::string dim = "?";
  each_field(piece, [&](const WireField& field) {
    if (field.number == 1) dim = std::to_string(static_cast<std::int64_t>(field.as_number()));
    if (field.number == 2) dim = field.as_text();
  });
  return dim;
}

/// TypeProto.Tensor, of which a value may have none: it may be a sequence.
void read_type(WireBytes piece, OnnxValue& value) {
  each_field(piece, [&](const WireField& field) {
    if (field.number == 1) value.data_type = static_cast<std::int64_t>(field.as_number());
    if (field.number != 2) return;
    each_field(field.as_bytes(), [&](const WireField& dim) {
      if (dim.number == 1) value.dims.push_back(dim_of(dim.as_bytes()));
    });
  });
}

OnnxValue value_of(WireBytes piece) {
  OnnxValue value;
  each_field(piece, [&](const WireField& field) {
    if (field.number == 1) value.name = field.as_text();
    if (field.number != 2) return;
    each_field(field.as_bytes(), [&](const WireField& type) {
      if (type.number == 1) read_type(type.as_bytes(), value);
    });
  });
  return value;
}

OnnxOpset opset_of(WireBytes piece) {
  OnnxOpset opset;
  each_field(piece, [&](const WireField& field) {
    if (field.number == 1) opset.domain = field.as_text();
    if (field.number == 2) opset.version = static_cast<std::int64_t>(field.as_number());
  });
  return opset;
}

void read_graph(WireBytes piece, OnnxModel& model) {
  each_field(piece, [&](const WireField& field) {
    if (field.number == 1) model.nodes.push_back(node_of(field.as_bytes()));
    if (field.number == 2) model.graph = field.as_text();
    if (field.number == 5) model.tensors.push_back(tensor_of(field.as_bytes()));
    if (field.number == 11) model.inputs.push_back(value_of(field.as_bytes()));
    if (field.number == 12) model.outputs.push_back(value_of(field.as_bytes()));
  });
}

/// How many elements dims say; none where a dim is negative, or they say more than 2^63.
std::optional<std::uint64_t> element_count(const std::vector<std::int64_t>& dims) {
  std::uint64_t count = 1;
  if (std::ranges::count(dims, 0) > 0) return 0;
  for (const std::int64_t dim : dims) {
    if (dim < 0 || static_cast<std::uint64_t>(dim) > (std::uint64_t{1} << 63) / count) return {};
    count *= static_cast<std::uint64_t>(dim);
  }
  return count;
}

}  // namespace

OnnxModel read_onnx(std::span<const std::uint8_t> bytes) {
  OnnxModel model;
  each_field({bytes, 0}, [&](const WireField& field) {
    if (field.number == 1) model.ir_version = static_cast<std::int64_t>(field.as_number());
    if (field.number == 2) model.producer = field.as_text();
    if (field.number == 7) read_graph(field.as_bytes(), model);
    if (field.number == 8) model.opsets.push_back(opset_of(field.as_bytes()));
  });
  return model;
}

std::string trouble_of(const OnnxTensor& tensor) {
  const std::optional<std::uint64_t> count = element_count(tensor.dims);
  if (!count) return "its dims are no shape";
  const auto bits = static_cast<std::uint64_t>(element_bits(tensor.data_type));
  if (tensor.is_elsewhere || bits == 0) return "";
  if (tensor.raw.empty()) {
    if (tensor.listed_count == *count || tensor.data_type == 10 || bits == 4) return "";
    return "its dims say " + std::to_string(*count) + " elements, and it lists " +
           std::to_string(tensor.listed_count);
  }
  const std::uint64_t there = tensor.raw.size() * 8 / bits;
  const bool fits = there == *count || (bits == 4 && there == *count + *count % 2);
  if (fits && (bits == 4 || tensor.raw.size() * 8 % bits == 0)) return "";
  return "its dims say " + std::to_string(*count) + " elements of " +
         element_name(tensor.data_type) + ", and raw_data has " +
         std::to_string(tensor.raw.size()) + " bytes";
}

std::vector<double> first_elements(const OnnxTensor& tensor, std::size_t most) {
  if (!tensor.raw.empty()) return first_elements(tensor.data_type, tensor.raw, most);
  return {tensor.listed.begin(), tensor.listed.begin() + static_cast<std::ptrdiff_t>(
                                                             std::min(tensor.listed.size(), most))};
}

}  // namespace nibble::onnx
