// Lab 34, write_tensor: the checks.
#include "checks/34_onnx_export/write_tensor.hpp"

namespace nibble::judge::lab_34_onnx_export {
namespace {

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

}  // namespace
}  // namespace nibble::judge::lab_34_onnx_export
