// Lab 34, read_tensor: the checks.
#include "checks/34_onnx_export/read_tensor.hpp"

namespace nibble::judge::lab_34_onnx_export {
namespace {

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

}  // namespace
}  // namespace nibble::judge::lab_34_onnx_export
