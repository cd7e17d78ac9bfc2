// The kit's own reader of ONNX models, and nibble onnx, which shows what it reads.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "files/files.hpp"
#include "learners_project.hpp"
#include "onnx/listing.hpp"

namespace nibble {
namespace {

/// Messages by hand, as texts: every length here fits one byte.
std::string number(int field, int value) {
  return {static_cast<char>(field * 8), static_cast<char>(value)};
}
std::string bytes(int field, const std::string& value) {
  return std::string{static_cast<char>(field * 8 + 2), static_cast<char>(value.size())} + value;
}

std::vector<std::string> lines_of(const std::string& model) {
  return onnx::listing(
      onnx::read_onnx({reinterpret_cast<const std::uint8_t*>(model.data()), model.size()}));
}

std::string of_graph(const std::string& graph) { return number(1, 7) + bytes(7, graph); }

TEST(Onnx, ListsAModel) {
  const std::string attribute = bytes(1, "axis") + number(3, 0) + "\xA0\x01\x02";
  const std::string node = bytes(1, "w") + bytes(1, "s") + bytes(2, "v") + bytes(4, "Dequantize");
  const std::string tensor =
      number(1, 2) + number(2, 3) + bytes(8, "w") + bytes(9, std::string("\x01\xFF", 2));
  const std::string shape = bytes(2, bytes(1, bytes(2, "N")) + bytes(1, number(1, 5)));
  const std::string value = bytes(1, "x") + bytes(2, bytes(1, number(1, 1) + shape));
  const std::string graph =
      bytes(1, node + bytes(5, attribute)) + bytes(2, "g") + bytes(5, tensor) + bytes(11, value);
  const std::vector<std::string> want{"model    opset 13, ir 7, by nibble",
                                      "graph    g: 1 nodes, 1 tensors",
                                      "input    x  float [N, 5]",
                                      "nodes",
                                      "   0  Dequantize         w, s -> v   axis 0",
                                      "tensors",
                                      "  w      int8 [2]  1 -1"};
  EXPECT_EQ(lines_of(of_graph(graph) + bytes(2, "nibble") + bytes(8, number(2, 13))), want);
}

std::string tensor_line(const std::string& tensor) {
  return lines_of(of_graph(bytes(5, tensor))).back();
}

TEST(Onnx, ReadsElementsOfEveryWidth) {
  const std::string name = bytes(8, "t");
  const auto raw = [](const char* text, std::size_t size) { return bytes(9, {text, size}); };
  EXPECT_HOLDS(tensor_line(name + number(2, 1) + raw("\0\0\x80\x3F", 4)), "float []  1");
  EXPECT_HOLDS(tensor_line(name + number(1, 1) + number(2, 10) + raw("\0\x3C", 2)), "[1]  1");
  EXPECT_HOLDS(tensor_line(name + number(1, 3) + number(2, 22) + raw("\xF1\x07", 2)), "1 -1 7");
  EXPECT_HOLDS(tensor_line(name + number(1, 1) + number(2, 7) + number(7, 5)), "int64 [1]  5");
  EXPECT_HOLDS(tensor_line(name + number(2, 1) + bytes(4, std::string("\0\0\x80\x3F", 4))), "  1");
  EXPECT_HOLDS(tensor_line(name + number(2, 3) + number(14, 1)), "in another file");
}

TEST(Onnx, SaysWhatDoesNotFit) {
  const std::string codes = number(2, 3) + bytes(8, "t") + bytes(9, "abc");
  EXPECT_HOLDS(tensor_line(number(1, 4) + codes),
               "does not fit: its dims say 4 elements of int8, and raw_data has 3 bytes");
  EXPECT_HOLDS(tensor_line("\x08" + std::string(9, '\xFF') + "\x01" + codes), "no shape");
  EXPECT_HOLDS(tensor_line(number(1, 3) + number(2, 1) + bytes(9, "abc")), "does not fit");
}

TEST(Onnx, RefusesWhatIsNoMessage) {
  const auto why = [](const std::string& model) -> std::string {
    try {
      lines_of(model);
    } catch (const onnx::BadBytes& bad) {
      return bad.what();
    }
    return "accepted";
  };
  EXPECT_EQ(why(number(1, 7) + "\x3A\x05"), "byte 2: a field of 5 bytes where 0 are left");
  EXPECT_EQ(why("\x3A\x7F"), "byte 0: a field of 127 bytes where 0 are left");
  EXPECT_EQ(why("\x0B"), "byte 0: a field of wire type 3");
  EXPECT_EQ(why(std::string(11, '\x80')), "byte 0: a number of more than 64 bits");
  EXPECT_EQ(why("\x08"), "byte 1: a number that is cut off");
  EXPECT_EQ(why(number(0, 1)), "byte 0: a field of number 0");
  EXPECT_EQ(why(of_graph(number(2, 1))), "byte 5: field 2 is of wire type 0 where it is of 2");
}

TEST(Onnx, NamesPaintNothing) {
  const std::string node = bytes(4, "Relu\x1B[2J\nRelu") + bytes(2, std::string(100, 'x'));
  const std::string line = lines_of(of_graph(bytes(1, node)))[3];
  EXPECT_EQ(line.find_first_of("\x1B\n"), std::string::npos);
  EXPECT_LT(line.size(), 100u) << "a long name is cut";
}

using OnnxCommand = cli::LearnersProject;

TEST_F(OnnxCommand, ListsAFile) {
  const std::string file = (root_ / "m.onnx").string();
  files::write_atomically(file, number(1, 7) + bytes(8, number(2, 13)));
  const process::Finished done = nibble({"onnx", file});
  ASSERT_EQ(done.exit_status, 0) << done.err;
  EXPECT_HOLDS(done.out, "model    opset 13, ir 7");
}

TEST_F(OnnxCommand, SaysWhatIsWrongWithAFile) {
  const std::string file = (root_ / "m.onnx").string();
  files::write_atomically(file, "no model");
  const process::Finished done = nibble({"onnx", file});
  EXPECT_EQ(done.exit_status, 2);
  EXPECT_HOLDS(done.err, "is no ONNX model, or is damaged: byte 0");
  EXPECT_EQ(nibble({"onnx", root_.string()}).exit_status, 2);
  EXPECT_EQ(nibble({"onnx", file + "x"}).exit_status, 2);
}

}  // namespace
}  // namespace nibble
