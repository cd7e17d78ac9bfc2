// Lab 34, write_node: the checks.
#include "checks/34_onnx_export/write_node.hpp"

namespace nibble::judge::lab_34_onnx_export {
namespace {

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

}  // namespace
}  // namespace nibble::judge::lab_34_onnx_export
