// Lab 34: the checks.
#include "onnx_export.hpp"

#include "checks/marks/34_onnx_export.hpp"
#include "judge/exercise.hpp"
#include "judge/mix.hpp"
#include "judge/tensors.hpp"
#include "onnx/listing.hpp"

namespace nibble {

/// As failures name it.
inline std::string show(DataType type) {
  const auto number = static_cast<std::int32_t>(type);
  switch (type) {
    case DataType::kFloat:
      return "kFloat";
    case DataType::kUint8:
      return "kUint8";
    case DataType::kInt8:
      return "kInt8";
    case DataType::kInt32:
      return "kInt32";
  }
  return std::to_string(number);
}

namespace judge {
namespace {

// --- Bytes --------------------------------------------------------------------------------------

using Dims = std::vector<std::int64_t>;
using Values = std::vector<double>;

/// Bytes as they are written down: "AC 02", and texts in quotes: "42 02 'w0'".
Bytes hex(std::string_view text) {
  Bytes bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == ' ') continue;
    if (text[at] == '\'') {
      while (text[++at] != '\'') bytes.push_back(static_cast<std::uint8_t>(text[at]));
      continue;
    }
    const auto digit = [&](char c) { return c <= '9' ? c - '0' : c - 'A' + 10; };
    bytes.push_back(static_cast<std::uint8_t>(16 * digit(text[at]) + digit(text[at + 1])));
    ++at;
  }
  return bytes;
}

/// One after the other.
Bytes operator+(Bytes front, const Bytes& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

Bytes varint(std::uint64_t value) {
  Bytes bytes;
  do {
    bytes.push_back(static_cast<std::uint8_t>(value % 128 + (value < 128 ? 0 : 128)));
  } while ((value /= 128) > 0);
  return bytes;
}
Bytes number(std::uint64_t field, std::int64_t value) {
  return varint(8 * field) + varint(static_cast<std::uint64_t>(value));
}
Bytes message(std::uint64_t field, const Bytes& bytes) {
  return varint(8 * field + 2) + varint(bytes.size()) + bytes;
}
Bytes text(std::uint64_t field, std::string_view letters) {
  return message(field, Bytes(letters.begin(), letters.end()));
}

/// Compared as bytes that are no numbers.
std::vector<char8_t> shown(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

const auto kSameBytes = [](Expect& expect, const auto&, const Bytes& got, const Bytes& want) {
  expect.equal("bytes", shown(got), shown(want));
};

/// The same number in more bytes than it needs: five.
Bytes long_varint(std::uint32_t value) {
  Bytes bytes;
  for (int shift = 0; shift < 28; shift += 7) {
    bytes.push_back(static_cast<std::uint8_t>(128 | (value >> shift & 127)));
  }
  bytes.push_back(static_cast<std::uint8_t>(value >> 28));
  return bytes;
}

// --- write_varint -------------------------------------------------------------------------------

using Varint = Exercise<&write_varint>;

const Varint varying{
    {"value"}, {"bytes"}, [](Expect& expect, const auto& in, const Bytes& right) {
      Bytes turned = right, without = right, cut = right, last = right;
      std::ranges::reverse(turned);
      for (std::uint8_t& byte : without) byte &= 127;
      for (std::uint8_t& byte : turned) byte &= 127;
      for (std::size_t i = 0; i + 1 < turned.size(); ++i) turned[i] |= 128;
      cut.resize(std::min<std::size_t>(cut.size(), 5));
      for (std::uint8_t& byte : last) byte ^= 128;
      Bytes plain, all = right;
      for (std::uint64_t left = in.a; left > 0; left >>= 8)
        plain.push_back(static_cast<std::uint8_t>(left));
      all.back() |= 128;
      const auto suspect = [&](const char* code, const Bytes& bytes, const char* words) {
        expect.suspect(code, "bytes", shown(bytes), words);
      };
      suspect("N-ORDER", turned, "the highest seven bits are first: it is the lowest");
      suspect("N-WIRE", without, "no byte says that another one follows");
      suspect("N-OVERFLOW", varint(static_cast<std::uint32_t>(in.a)),
              "a value is cut to 32 bits: it has 64");
      suspect("N-OVERFLOW", cut, "there are five bytes at most: 64 bits take ten");
      suspect("N-WIRE", last,
              "the last byte has its highest bit set, and the others have not: it is the other way "
              "round");
      suspect("N-WIRE", all, "the last byte says that another one follows");
      suspect("N-SIZE", all + Bytes{0},
              "a byte of no bits is at the end: it is as few bytes as hold the value");
      suspect("N-SIZE", in.a == 0 ? Bytes{} : Bytes{static_cast<std::uint8_t>(in.a)},
              "one byte is all there is: 128 needs two");
      suspect("N-WIRE", plain,
              "eight bits a byte: it is seven, and one that says whether more follow");

      suspect("N-WIRE", varint(in.a << 1 ^ -(in.a >> 63)),
              "that is zigzag, for a sint64: a varint is the bits as they are");
    }};

TEST(write_varint, SevenBitsAByte) {
  varying.gives({{"OfTheContract", {300}, hex("AC 02")},
                 {"Zero", {0}, hex("00")},
                 {"One", {1}, hex("01")},
                 {"SevenBits", {127}, hex("7F")},
                 {"EightBits", {128}, hex("80 01")},

                 {"FourteenBits", {16'383}, hex("FF 7F")},
                 {"FifteenBits", {16'384}, hex("80 80 01")},
                 {"Mixed", {0x12345}, hex("C5 C6 04")}},
                kSameBytes);
}

TEST(write_varint, HoldsSixtyFourBits) {
  const auto minus = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  varying.gives({{"ThirtyTwo", {0xFFFFFFFF}, hex("FF FF FF FF 0F")},
                 {"More", {std::uint64_t{1} << 32}, hex("80 80 80 80 10")},
                 {"ThirtySix", {std::uint64_t{1} << 35}, hex("80 80 80 80 80 01")},
                 {"MinusOne", {minus(-1)}, hex("FF FF FF FF FF FF FF FF FF 01")},
                 {"MinusThree", {minus(-3)}, hex("FD FF FF FF FF FF FF FF FF 01")},
                 {"Top", {std::uint64_t{1} << 63}, hex("80 80 80 80 80 80 80 80 80 01")}},
                kSameBytes);
}

// --- write_tensor -------------------------------------------------------------------------------

using Tensors = Exercise<&write_tensor>;

bool is_wide(DataType type) { return type == DataType::kFloat || type == DataType::kInt32; }

Bytes raw_of(DataType type, const Values& values, bool low_first = true) {
  Bytes raw;
  for (const double value : values) {
    const auto bits = type == DataType::kFloat
                          ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                          : static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
    for (unsigned b = 0; b < (is_wide(type) ? 4u : 1u); ++b) {
      const unsigned place = low_first || !is_wide(type) ? b : 3 - b;
      raw.push_back(static_cast<std::uint8_t>(bits >> 8 * place));
    }
  }
  return raw;
}

Bytes dims_of(const Dims& dims) {
  Bytes bytes;
  for (const std::int64_t dim : dims) bytes = bytes + number(1, dim);
  return bytes;
}

Bytes tensor_bytes(const Tensor& t, const Bytes& dims, const Bytes& raw) {
  return dims + number(2, static_cast<int>(t.data_type)) + text(8, t.name) + message(9, raw);
}

Bytes tensor_by_definition(const Tensor& t) {
  double count = 1;
  for (const std::int64_t dim : t.dims) count *= static_cast<double>(dim);
  if (count != static_cast<double>(t.values.size())) throw std::invalid_argument("dims");
  return tensor_bytes(t, dims_of(t.dims), raw_of(t.data_type, t.values));
}

constexpr const char* kFieldOrder = "fields are in another order: their numbers ascend";

const Tensors writing_tensor{
    {"name", "data_type", "dims", "values"},
    {"bytes"},
    [](Expect& expect, const Tensors::Arguments& in, const Bytes&) {
      const Tensor& t = in.a;
      const Bytes dims = dims_of(t.dims), raw = raw_of(t.data_type, t.values);
      const auto suspect = [&](const char* code, const Bytes& bytes, const char* words) {
        expect.suspect(code, "bytes", shown(bytes), words);
      };
      Bytes packed;
      for (const std::int64_t dim : t.dims) packed = packed + varint(std::uint64_t(dim));
      Bytes signed_zeros = raw;
      const std::size_t each = is_wide(t.data_type) ? 4 : 1;
      for (std::size_t i = 0; i < t.values.size(); ++i) {
        const bool is_minus_zero = t.values[i] == 0 && std::signbit(t.values[i]);
        if (is_minus_zero) signed_zeros[each * i + each - 1] |= 128;
      }
      const Bytes type = number(2, static_cast<int>(t.data_type)), name = text(8, t.name);
      const Bytes data = message(9, raw);
      suspect("N-SIGN0", tensor_bytes(t, dims, signed_zeros), "an integer keeps the sign of -0.0");
      suspect("N-LAYOUT", tensor_bytes(t, dims, raw_of(t.data_type, t.values, false)),
              "the high byte of an element is first: it is the low one");
      suspect("N-WIRE", tensor_bytes(t, message(1, packed), raw),
              "dims are packed into one field: each has a tag of its own");
      suspect("N-WIRE", tensor_bytes(t, number(1, std::ssize(t.dims)) + packed, raw),
              "dims are counted, and stand behind one tag: each has a tag of its own");
      suspect("N-WIRE", tensor_bytes(t, t.dims.empty() ? number(1, 1) : dims, raw),
              "a scalar has a dim of 1: it has none");
      suspect("N-WIRE", tensor_bytes(t, t.dims.empty() ? number(1, 0) : dims, raw),
              "a scalar has a dim of 0: it has none");
      suspect("N-ORDER", tensor_bytes(t, dims_of({t.dims.rbegin(), t.dims.rend()}), raw),
              "dims are turned round");
      suspect("N-WIRE", name + dims + type + data, kFieldOrder);
      suspect("N-WIRE", type + dims + name + data, kFieldOrder);
      suspect("N-WIRE", dims + type + data + name, kFieldOrder);
      suspect("N-SIZE", dims + type + data,
              "the name is not there: a field is written when it is empty, too");
      suspect("N-WIRE", dims + type + name + raw, "raw_data has no tag and no length");
      suspect("N-WIRE", dims + type + name + varint(8 * 9 + 2) + raw, "raw_data has no length");
      suspect("N-SIZE", dims + type + name + varint(8 * 9 + 2) + varint(t.values.size()) + raw,
              "the length of raw_data counts elements: it counts bytes");
      suspect("N-SIZE",
              dims + type + name + varint(8 * 9 + 2) +
                  Bytes{static_cast<std::uint8_t>(raw.size())} + raw,
              "a length is written as one byte: it is a varint");
      const auto as_wide = [&](DataType wide) {
        return tensor_bytes(t, dims, raw_of(wide, t.values));
      };
      if (!is_wide(t.data_type)) {
        suspect("N-UNITS", as_wide(DataType::kInt32), "a code takes four bytes: it takes one");
        Bytes varints;
        for (const double value : t.values)
          varints = varints + varint(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
        suspect("N-WIRE", tensor_bytes(t, dims, varints),
                "elements are varints: a code is one byte");
      }
      if (t.data_type == DataType::kInt32) {
        suspect("N-UNITS", as_wide(DataType::kFloat), "an int32 has the bits of a float");
        Bytes varints;
        for (const double value : t.values)
          varints = varints + varint(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
        suspect("N-WIRE", tensor_bytes(t, dims, varints),
                "elements are varints: an int32 is four bytes");
      }
    }};

TEST(write_tensor, FieldByField) {
  writing_tensor.gives(
      {{"Scalar", {Tensor{"z0", DataType::kUint8, {}, {200}}}, hex("10 02 42 02 'z0' 4A 01 C8")},
       {"Row",
        {Tensor{"w", DataType::kInt8, {2}, {1, -1}}},
        hex("08 02 10 03 42 01 'w' 4A 02 01 FF")},
       {"Matrix",
        {Tensor{"w0", DataType::kInt8, {2, 3}, {1, 2, 3, -4, -5, -128}}},
        hex("08 02 08 03 10 03 42 02 'w0' 4A 06 01 02 03 FC FB 80")},
       {"NoName", {Tensor{"", DataType::kUint8, {1}, {0}}}, hex("08 01 10 02 42 00 4A 01 00")}},
      kSameBytes);
}

constexpr const char* kMinusZeroIsZero =
    "-0.0 is a value of every data_type; an integer of it is 0";

TEST(write_tensor, LowByteFirst) {
  writing_tensor.gives({{"OneFloat",
                         {Tensor{"s", DataType::kFloat, {}, {1}}},
                         hex("10 01 42 01 's' 4A 04 00 00 80 3F")},
                        {"Tenth",
                         {Tensor{"s", DataType::kFloat, {1}, {double{-0.1f}}}},
                         hex("08 01 10 01 42 01 's' 4A 04 CD CC CC BD")},
                        {"Int32",
                         {Tensor{"b", DataType::kInt32, {2}, {0x12345678, -2}}},
                         hex("08 02 10 06 42 01 'b' 4A 08 78 56 34 12 FE FF FF FF")},
                        {"SmallestInt32",
                         {Tensor{"b", DataType::kInt32, {}, {-0x1p31}}},
                         hex("10 06 42 01 'b' 4A 04 00 00 00 80"),
                         "-2^31 is an int32"},
                        {"MinusZero",
                         {Tensor{"s", DataType::kFloat, {}, {-0.0}}},
                         hex("10 01 42 01 's' 4A 04 00 00 00 80"),
                         "-0.0 keeps its sign, which is the highest bit"},
                        {"LeastFloat",
                         {Tensor{"s", DataType::kFloat, {}, {0x1p-149}}},
                         hex("10 01 42 01 's' 4A 04 01 00 00 00"),
                         "a float below 2^-126 is finite, and is no 0"},
                        {"LargestFloat",
                         {Tensor{"s", DataType::kFloat, {}, {double{FLT_MAX}}}},
                         hex("10 01 42 01 's' 4A 04 FF FF 7F 7F"),
                         "the largest float is finite"},
                        {"MinusZeroAsACode",
                         {Tensor{"z", DataType::kInt8, {}, {-0.0}}},
                         hex("10 03 42 01 'z' 4A 01 00"),
                         kMinusZeroIsZero},
                        {"MinusZeroWithoutASign",
                         {Tensor{"z", DataType::kUint8, {}, {-0.0}}},
                         hex("10 02 42 01 'z' 4A 01 00"),
                         kMinusZeroIsZero},
                        {"MinusZeroAsAnInt32",
                         {Tensor{"b", DataType::kInt32, {2}, {-0.0, 1}}},
                         hex("08 02 10 06 42 01 'b' 4A 08 00 00 00 00 01 00 00 00"),
                         kMinusZeroIsZero}},
                       kSameBytes);
}

/// A tensor whose values tell all of its bytes apart.
Tensor some_tensor(std::string name, DataType type, const Dims& dims, std::uint64_t seed) {
  std::size_t count = 1;
  for (const std::int64_t dim : dims) count *= static_cast<std::size_t>(dim);
  Values values;
  if (type == DataType::kFloat) {
    for (const float value : normal_tensor(count, seed)) values.push_back(double{value});
  } else {
    const std::int32_t low = type == DataType::kUint8  ? 0
                             : type == DataType::kInt8 ? -128
                                                       : INT_MIN / 2;
    const std::int32_t high = type == DataType::kUint8  ? 255
                              : type == DataType::kInt8 ? 127
                                                        : INT_MAX / 2;
    for (const std::int32_t value : code_tensor<std::int32_t>(count, seed, low, high)) {
      values.push_back(value);
    }
  }
  return {std::move(name), type, dims, std::move(values)};
}

constexpr std::array kTypes{DataType::kFloat, DataType::kUint8, DataType::kInt8, DataType::kInt32};

/// Of every type, with lengths that take one byte and more.
std::vector<Tensor> some_tensors(Seed seed_of) {
  std::vector<Tensor> all;
  for (const Dims& dims :
       {Dims{3}, Dims{2, 5}, Dims{4, 3, 2}, Dims{43}, Dims{300}, Dims{130, 128}}) {
    for (const DataType type : kTypes) {
      all.push_back(
          some_tensor(std::string(1 + all.size() % 40, 'n'), type, dims, seed_of(all.size())));
    }
  }
  return all;
}

std::vector<Tensors::Input> tensors(Seed seed_of) {
  return each_of(some_tensors(seed_of), [](const Tensor& tensor) -> Tensors::Input {
    return {show(tensor.data_type) + " " + std::to_string(tensor.values.size()), {tensor}};
  });
}

TEST(write_tensor, AnyTensor) {
  writing_tensor.agrees_with([](const auto& in) { return tensor_by_definition(in.a); },
                             tensors(seed), kSameBytes);
}

TEST(write_tensor, RefusesWhatIsNoTensor) {
  const auto of = [](DataType type, double value) -> Tensors::Arguments {
    return {Tensor{"t", type, {}, {value}}};
  };
  const std::int64_t large = std::int64_t{1} << 32;
  writing_tensor.refuses(
      {{"Fine", of(DataType::kInt8, 3), hex("10 03 42 01 't' 4A 01 03")}},
      {{"N-SIZE", {Tensor{"t", DataType::kInt8, {3}, {1, 2}}}},
       {"N-SIZE", {Tensor{"t", DataType::kInt8, {1}, {1, 2}}}},
       {"N-SIZE", {Tensor{"t", DataType::kInt8, {}, {}}}},
       {"N-SIZE", {Tensor{"t", DataType::kInt8, {0}, {}}}},
       {"N-RANGE", {Tensor{"t", DataType::kInt8, {-1, -2}, {1, 2}}}},
       {"N-OVERFLOW", {Tensor{"t", DataType::kInt8, {large, large, 2}, {}}}},
       {"N-OVERFLOW", {Tensor{"t", DataType::kInt8, {3, 0x5555555555555556, 1}, {1, 2}}}},
       {"N-OVERFLOW", {Tensor{"t", DataType::kInt8, {3, 0x5555555555555556, 2}, {1, 2, 3, 4}}}},
       {"N-OVERFLOW", {Tensor{"t", DataType::kInt8, {3, 0x5555555555555557}, {1, 2, 3, 4, 5}}}},
       {"N-RANGE", of(DataType::kInt8, 128)},
       {"N-RANGE", of(DataType::kInt8, -129)},
       {"N-RANGE", of(DataType::kUint8, -1)},
       {"N-RANGE", of(DataType::kUint8, 256)},
       {"N-RANGE", of(DataType::kInt32, 0x1p31)},
       {"N-RANGE", of(DataType::kInt32, 0.5)},
       {"N-RANGE", of(DataType::kFloat, 0.1)},
       {"N-RANGE", of(DataType::kFloat, 1e300)},
       {"N-NAN", of(DataType::kFloat, double{kNan})},
       {"N-NAN", of(DataType::kFloat, double{kInfinity})},
       {"", of(static_cast<DataType>(7), 1)},
       {"", of(static_cast<DataType>(0), 1)}},
      kSameBytes);
}

// --- write_node ---------------------------------------------------------------------------------

using Nodes = Exercise<&write_node>;

std::vector<std::string> names_in(std::string_view names) {
  std::vector<std::string> all(1);
  for (const char letter : names) {
    if (letter == ',') all.emplace_back();
    if (letter != ',') all.back() += letter;
  }
  return all;
}

/// Tag and value as who thinks that a tag is one byte writes them.
Bytes with_short_tag(std::uint64_t field, std::int64_t value) {
  return Bytes{static_cast<std::uint8_t>(8 * field)} + varint(static_cast<std::uint64_t>(value));
}

Bytes attribute_bytes(const Node& node) {
  return message(5, text(1, node.attribute) + number(3, node.value) + number(20, 2));
}

Bytes node_without_attribute(const Node& node) {
  Bytes bytes;
  for (const std::string& name : names_in(node.inputs)) bytes = bytes + text(1, name);
  for (const std::string& name : names_in(node.outputs)) bytes = bytes + text(2, name);
  return bytes + text(4, node.op_type);
}

Bytes node_by_definition(const Node& node) {
  return node_without_attribute(node) + (node.attribute.empty() ? Bytes{} : attribute_bytes(node));
}

const Nodes writing_node{
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

TEST(write_node, NameByName) {
  writing_node.gives(
      {{"Relu", {Node{"Relu", "g0", "a1", "", 0}}, hex("0A 02 'g0' 12 02 'a1' 22 04 'Relu'")},
       {"Three",
        {Node{"Op", "x,y,long", "z", "", 0}},
        hex("0A 01 'x' 0A 01 'y' 0A 04 'long' 12 01 'z' 22 02 'Op'")},
       {"TwoOut",
        {Node{"Op", "x", "y,z", "", 0}},
        hex("0A 01 'x' 12 01 'y' 12 01 'z' 22 02 'Op'")}},
      kSameBytes);
}

TEST(write_node, WritesTheAttribute) {
  const std::string front = "0A 01 'x' 12 01 'y' 22 02 'Op' 2A ";
  writing_node.gives(
      {{"TransB",
        {Node{"Op", "x", "y", "transB", 1}},
        hex(front + "0D 0A 06 'transB' 18 01 A0 01 02")},
       {"Axis0", {Node{"Op", "x", "y", "axis", 0}}, hex(front + "0B 0A 04 'axis' 18 00 A0 01 02")},
       {"Axis300",
        {Node{"Op", "x", "y", "axis", 300}},
        hex(front + "0C 0A 04 'axis' 18 AC 02 A0 01 02")},
       {"AxisMinus1",
        {Node{"Op", "x", "y", "axis", -1}},
        hex(front + "14 0A 04 'axis' 18 FF FF FF FF FF FF FF FF FF 01 A0 01 02")},
       {"AxisOf41Bits",
        {Node{"Op", "x", "y", "axis", (std::int64_t{1} << 40) + 5}},
        hex(front + "10 0A 04 'axis' 18 85 80 80 80 80 20 A0 01 02"),
        "a value has 64 bits"}},
      kSameBytes);
}

TEST(write_node, RefusesWhatIsNoNode) {
  const Node fine{"Op", "x,y", "z", "", 0};
  writing_node.refuses({{"Fine", {fine}, node_by_definition(fine)}},
                       {{"", {Node{"", "x", "z", "", 0}}},
                        {"", {Node{"Op", "", "z", "", 0}}},
                        {"", {Node{"Op", "x", "", "", 0}}},
                        {"", {Node{"Op", "x,,y", "z", "", 0}}},
                        {"N-TAIL", {Node{"Op", "x,", "z", "", 0}}},
                        {"", {Node{"Op", ",x", "z", "", 0}}},
                        {"", {Node{"Op", "x", "z", "", 1}}}},
                       kSameBytes);
}

// --- write_model --------------------------------------------------------------------------------

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

Bytes value_info(const std::string& name, std::int64_t size) {
  const Bytes shape = message(1, text(2, "N")) + message(1, number(1, size));
  return text(1, name) + message(2, message(1, number(1, 1) + message(2, shape)));
}

ModelParts parts_of(const QuantizedMlp& net) {
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

Bytes joined(const ModelParts& parts) {
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
const char* code_of(const std::string& got, const std::string& want) {
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
std::string begins_where(const std::string& got, const std::string& want) {
  const bool is_per_row = want.starts_with("  w") || want.starts_with("  b");
  const bool is_later =
      is_per_row && want.find_first_of("123456789") == want.find_first_of("0123456789");
  const bool is_as_many = got.substr(0, got.find(']')) == want.substr(0, want.find(']'));
  return is_later && is_as_many
             ? ": what belongs to a layer begins where that of the layer before ends"
             : "";
}

/// The kit's own reader says what differs, line by line; then the bytes.
const auto kSameModel = [](Expect& expect, const auto&, const Bytes& got, const Bytes& want) {
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
  }
  expect.equal("bytes", shown(got), shown(want));
};

const Models writing_model{{"sizes", "weights", "weight_scales", "biases", "scales", "zero_points"},
                           {"bytes"}};

QuantizedMlp some_net(const Sums& sizes, std::uint64_t seed) {
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
const QuantizedMlp kOneLayer{
    {2, 3}, {1, -2, 3, -4, 5, -6}, {0.5f, 0.25f, 2}, {7, -8, 300}, {0.125f}, {9}};
const QuantizedMlp kTwoLayers{{2, 3, 1},
                              {1, -2, 3, -4, 5, -6, 127, -128, 0},
                              {0.5f, 0.25f, 2, 0.1f},
                              {7, -8, 300, -1},
                              {0.125f, 0.3f},
                              {9, 0}};

Models::Row model_row(const char* name, const QuantizedMlp& net) {
  return {name, {net}, joined(parts_of(net))};
}

TEST(write_model, OneLayer) { writing_model.gives({model_row("OneLayer", kOneLayer)}, kSameModel); }

TEST(write_model, TwoLayers) {
  writing_model.gives({model_row("TwoLayers", kTwoLayers)}, kSameModel);
}

std::vector<Models::Input> nets(Seed seed_of, const std::vector<Sums>& sizes) {
  return each_of(sizes, [&](const Sums& one, std::size_t at) -> Models::Input {
    return {std::to_string(one.size() - 1) + " layers", {some_net(one, seed_of(at))}};
  });
}

TEST(write_model, AnyNetwork) {
  writing_model.agrees_with(
      [](const auto& in) { return joined(parts_of(in.a)); },
      nets(seed,
           {{1, 1}, {5, 2}, {3, 4, 2}, {20, 9, 8, 7}, {40, 33, 10}, Sums(13, 2), {4096, 1, 4096}}),
      kSameModel);
}

TEST(write_model, RefusesWhatIsNoNetwork) {
  QuantizedMlp short_bias = kOneLayer, no_scale = kOneLayer, no_layer{{2}, {}, {}, {}, {}, {}};
  QuantizedMlp huge_scale = kOneLayer;
  huge_scale.weight_scales[1] = 0x1p61f;
  short_bias.biases.pop_back();
  no_scale.weight_scales[1] = 0;
  writing_model.refuses(
      {model_row("Fine", kOneLayer)},
      {{"N-SIZE", {short_bias}}, {"", {no_scale}}, {"", {huge_scale}}, {"", {no_layer}}},
      kSameModel);
}

// --- read_tensor --------------------------------------------------------------------------------

using Readings = Exercise<&read_tensor>;

/// The answer; none where the bytes are refused.
template <class E>
std::optional<typename E::Result> answer_of(const E& exercise, const Bytes& bytes) {
  try {
    return exercise({bytes});
  } catch (const CallFailed& failed) {
    if (failed.failure.code == "N-REFUSED") return std::nullopt;
    throw;
  }
}

struct Hostile {
  const char* code;
  std::string what;
  Bytes bytes;
};

/// All of them are refused, where `fine` is read.
template <class E>
void refuses_bytes(const E& exercise, const Bytes& fine, const std::vector<Hostile>& hostile) {
  once([&](Expect& expect) {
    expect.that(answer_of(exercise, fine).has_value(), "refused what is written by the contract",
                "N-REFUSED");
    for (const Hostile& one : hostile) {
      if (expect.failure()) return;
      expect.that(!answer_of(exercise, one.bytes), "accepted " + one.what, one.code);
    }
  });
}

const Readings reading_tensor{{"bytes"},
                              {"name", "data_type", "dims", "values"},
                              [](Expect& expect, const auto&, const Tensor& right) {
                                const bool is_int8 = right.data_type == DataType::kInt8;
                                Values turned, unsigned_values = right.values;
                                for (double& value : unsigned_values)
                                  value += is_int8 && value < 0 ? 256 : 0;
                                for (const double value : right.values) {
                                  const Bytes raw = raw_of(right.data_type, {value}, false);
                                  std::uint32_t bits = 0;
                                  for (std::size_t b = 0; b < raw.size(); ++b)
                                    bits |= std::uint32_t{raw[b]} << 8 * b;
                                  turned.push_back(right.data_type == DataType::kFloat
                                                       ? double{std::bit_cast<float>(bits)}
                                                       : static_cast<std::int32_t>(bits));
                                }
                                if (is_int8) expect.suspect("N-SIGN", "values", unsigned_values);
                                if (is_wide(right.data_type))
                                  expect.suspect("N-LAYOUT", "values", turned);
                              }};

Readings::Row tensor_row(const char* name, std::string_view bytes, const Tensor& want,
                         const char* rule = "") {
  return {name, {hex(bytes)}, want, rule};
}

TEST(read_tensor, TheWayBack) {
  reading_tensor.gives(
      {tensor_row("Scalar", "10 02 42 02 'z0' 4A 01 C8", {"z0", DataType::kUint8, {}, {200}}),
       tensor_row("Matrix", "08 02 08 03 10 03 42 02 'w0' 4A 06 01 02 03 FC FB 80",
                  {"w0", DataType::kInt8, {2, 3}, {1, 2, 3, -4, -5, -128}}),
       tensor_row("Float", "08 01 10 01 42 01 's' 4A 04 CD CC CC BD",
                  {"s", DataType::kFloat, {1}, {double{-0.1f}}}),
       tensor_row("Int32", "08 02 10 06 42 01 'b' 4A 08 78 56 34 12 FE FF FF FF",
                  {"b", DataType::kInt32, {2}, {0x12345678, -2}}),
       tensor_row("LeastFloat", "10 01 42 01 's' 4A 04 01 00 00 00",
                  {"s", DataType::kFloat, {}, {0x1p-149}}),
       tensor_row("LargestFloat", "10 01 42 01 's' 4A 04 FF FF 7F 7F",
                  {"s", DataType::kFloat, {}, {double{FLT_MAX}}})});
}

constexpr const char* kPassedOver = "a field of another number is passed over, whatever it holds";
constexpr const char* kPacked = "dims may come packed: a field of type 2 that holds varints";

TEST(read_tensor, WhoeverWroteIt) {
  const Tensor row{"w", DataType::kInt8, {2}, {1, -1}};
  reading_tensor.gives(
      {tensor_row("OtherOrder", "4A 02 01 FF 42 01 'w' 10 03 08 02", row,
                  "fields come in any order"),
       tensor_row("Apart", "08 02 10 03 42 01 'w' 08 01 4A 02 01 FF",
                  {"w", DataType::kInt8, {2, 1}, {1, -1}}, "dims need not stand together"),
       tensor_row("NoName", "08 02 10 03 4A 02 01 FF", {"", DataType::kInt8, {2}, {1, -1}},
                  "a name that is not there is empty"),
       tensor_row("UnknownVarint", "78 AC 02 08 02 10 03 42 01 'w' 4A 02 01 FF", row, kPassedOver),
       tensor_row("UnknownText", "08 02 10 03 62 03 'bia' 42 01 'w' 4A 02 01 FF", row, kPassedOver),
       tensor_row("UnknownEight", "08 02 10 03 69 01 02 03 04 05 06 07 08 42 01 'w' 4A 02 01 FF",
                  row, kPassedOver),
       tensor_row("UnknownFour", "08 02 10 03 6D 01 02 03 04 42 01 'w' 4A 02 01 FF", row,
                  kPassedOver),
       tensor_row("LargeNumber", "08 02 10 03 F8 FF FF FF 0F 07 42 01 'w' 4A 02 01 FF", row,
                  kPassedOver),
       tensor_row("LongVarints", "88 80 00 82 00 10 83 80 80 00 42 01 'w' 4A 82 80 00 01 FF", row,
                  "a varint may have more bytes than it needs, ten at most"),
       tensor_row("PackedAndApart", "08 02 0A 01 01 10 03 42 01 'w' 4A 02 01 FF",
                  {"w", DataType::kInt8, {2, 1}, {1, -1}}, kPacked),
       tensor_row("Packed", "0A 02 02 01 10 03 42 01 'w' 4A 02 01 FF",
                  {"w", DataType::kInt8, {2, 1}, {1, -1}}, kPacked),
       {"PackedInTwoBytes",
        {hex("0A 02 82 01 10 03 42 01 'w' 4A 82 01") + Bytes(130, 1)},
        {"w", DataType::kInt8, {130}, Values(130, 1)},
        kPacked}},
      "N-WIRE");
}

TEST(read_tensor, RefusesBrokenBytes) {
  const Bytes fine = hex("08 02 10 03 42 01 'w' 4A 02 01 FF");
  std::vector<Hostile> hostile{
      {"N-WIRE", "number 2^29 + 3, which is 3 in 32 bits", hex("98 80 80 80 10 00") + fine},
      {"N-WIRE", "a varint of 11 bytes", fine + hex("78 80 80 80 80 80 80 80 80 80 80 00")},
      {"N-WIRE", "a varint of 65 bits", fine + hex("78 FF FF FF FF FF FF FF FF FF 02")},
      {"N-WIRE", "a varint that is cut off", fine + hex("78 80")},
      {"N-WIRE", "a tag that is cut off", fine + hex("F8")},
      {"N-WIRE", "a tag without a value", fine + hex("78")},
      {"N-WIRE", "a length beyond the end", hex("08 02 10 03 42 01 'w' 4A 03 01 FF")},
      {"N-OVERFLOW", "a length of 2^64 - 1", fine + hex("7A FF FF FF FF FF FF FF FF FF 01")},
      {"N-OVERFLOW", "a length of 2^32", fine + hex("7A 80 80 80 80 10")},
      {"N-WIRE", "7 bytes of 8", fine + hex("69 01 02 03 04 05 06 07")},
      {"N-WIRE", "3 bytes of 4", fine + hex("6D 01 02 03")},
      {"N-WIRE", "wire type 3", fine + hex("7B 00")},
      {"N-WIRE", "wire type 3, a group", fine + hex("7B 7C")},
      {"N-WIRE", "wire type 6", fine + hex("7E 01")},
      {"N-WIRE", "wire type 7", fine + hex("7F 01")},
      {"N-WIRE", "field number 0", fine + hex("00 01")},
      {"N-WIRE", "field number 2^29", fine + hex("80 80 80 80 10 01")},
      {"N-WIRE", "a name of wire type 0", hex("08 02 10 03 40 01 4A 02 01 FF")},
      {"N-WIRE", "raw_data of wire type 0", hex("08 02 10 03 42 01 'w' 48 02 01 FF")},
      {"N-WIRE", "a data_type of wire type 2", hex("08 02 12 01 03 42 01 'w' 4A 02 01 FF")},
      {"N-WIRE", "dims of wire type 5", hex("0D 02 00 00 00 10 03 42 01 'w' 4A 02 01 FF")},
      {"N-WIRE", "packed dims that are cut off", hex("0A 02 02 81 10 03 42 01 'w' 4A 02 01 FF")}};
  refuses_bytes(reading_tensor, fine, hostile);
}

TEST(read_tensor, RefusesLies) {
  const Bytes fine = hex("08 02 10 03 42 01 'w' 4A 02 01 FF");
  const Bytes name = text(8, "w"), two = message(9, {1, 255});
  const auto shape = [&](const Dims& dims, const Bytes& raw) {
    return dims_of(dims) + number(2, 3) + name + raw;
  };
  const std::int64_t large = std::int64_t{1} << 32;
  refuses_bytes(
      reading_tensor, fine,
      {{"N-SIZE", "3 elements in 2 bytes", shape({3}, two)},
       {"N-SIZE", "1 element in 2 bytes", shape({1}, two)},
       {"N-SIZE", "a scalar of 2 bytes", shape({}, two)},
       {"N-SIZE", "a scalar of no bytes", shape({}, {})},
       {"N-RANGE", "negative dims", shape({-1, -2}, two)},
       {"N-SIZE", "a dim of 0", shape({0}, message(9, {}))},
       {"N-RANGE", "a negative dim", shape({-2}, two)},
       {"N-OVERFLOW", "2^64 elements in no bytes", shape({large, large}, message(9, {}))},
       {"N-OVERFLOW", "2^64 + 2 elements in 2 bytes", shape({3, 0x5555555555555556}, two)},
       {"N-OVERFLOW", "2^64 + 5 elements in 5 bytes",
        shape({3, 0x5555555555555557}, message(9, Bytes(5, 1)))},
       {"N-SIZE", "2^40 elements in 2 bytes", shape({std::int64_t{1} << 40}, two)},
       {"N-SIZE", "floats of 5 bytes",
        number(1, 1) + number(2, 1) + name + message(9, Bytes(5, 0))},
       {"N-SIZE", "an int32 of 2 bytes", number(1, 1) + number(2, 6) + name + two},
       {"N-NAN", "a float that is NaN", number(2, 1) + name + message(9, {0, 0, 0xC0, 0x7F})},
       {"N-NAN", "an infinite float", number(2, 1) + name + message(9, {0, 0, 0x80, 0xFF})},
       {"N-RANGE", "no data_type", number(1, 2) + name + two},
       {"N-RANGE", "data_type 7", number(1, 2) + number(2, 7) + name + two},
       {"N-RANGE", "data_type 2^32 + 3", number(1, 2) + number(2, large + 3) + name + two}});
}

// --- read_model ---------------------------------------------------------------------------------

using Ways = Exercise<&read_model>;
const Ways reading_model{{"bytes"},
                         {"sizes", "weights", "weight_scales", "biases", "scales", "zero_points"}};

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

/// The bytes with one of them changed.
Bytes with_a_flip(Bytes bytes, std::uint64_t seed) {
  const auto at = code_tensor<std::int32_t>(2, seed, 0, (1 << 30) - 1);
  bytes[std::size_t(at[0]) % bytes.size()] ^= static_cast<std::uint8_t>(1 + at[1] % 255);
  return bytes;
}

/// Whatever the bytes are: they are refused, or are a network.
void survives(const Bytes& bytes, std::size_t step, const std::vector<Bytes>& damaged) {
  once([&](Expect& expect) {
    expect.that(answer_of(reading_model, bytes).has_value(),
                "refused what is written by the contract", "N-REFUSED");
    for (std::size_t size = 0; size < bytes.size() && !expect.failure(); size += step) {
      const Bytes front(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      expect.that(!answer_of(reading_model, front),
                  "accepted the first " + std::to_string(size) + " of " +
                      std::to_string(bytes.size()) + " bytes",
                  "N-WIRE");
    }
    for (const Bytes& one : damaged) {
      const std::optional<QuantizedMlp> net = answer_of(reading_model, one);
      try {
        if (net) expects_mlp(*net);
      } catch (const std::invalid_argument& error) {
        expect.that(false, std::string("returned what is no network: ") + error.what(), "N-SIZE");
      }
    }
  });
}

std::vector<Bytes> flipped(const Bytes& bytes, std::size_t count, Seed seed_of) {
  std::vector<Bytes> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(with_a_flip(bytes, seed_of(i)));
  return all;
}

TEST(read_model, SurvivesAnyBytes) {
  const Bytes bytes = joined(parts_of(kOneLayer));
  survives(bytes, 1, flipped(bytes, 200, seed));
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The published solution says what is right; the inputs follow from the course's
// secret salt.

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
// NIBBLE-END

}  // namespace
}  // namespace judge
}  // namespace nibble
