// Lab 34: the mark scheme. 75 points public, 25 hidden.
#include "judge/marks.hpp"

namespace nibble::judge::lab_34_onnx_export {

// clang-format off
constexpr Mark marks[] = {
    // exercise      check                      points  code         sentence of the contract
    {"write_varint", "SevenBitsAByte",               4, "N-WIRE",     "seven bits a byte, the lowest first, in as few bytes as hold it"},
    {"write_varint", "HoldsSixtyFourBits",           4, "N-OVERFLOW", "64 bits; a negative number is 10 bytes"},
    {"write_tensor", "FieldByField",                 5, "N-WIRE",     "dims, data_type, name, raw_data, in this order"},
    {"write_tensor", "LowByteFirst",                 4, "N-LAYOUT",   "float and int32 in 4 bytes each, the low one first"},
    {"write_tensor", "AnyTensor",                    3, "N-WIRE",     "any shape, any of the four types"},
    {"write_tensor", "RefusesWhatIsNoTensor",        2, "N-RANGE",    "Requires: values of data_type, as many as dims say"},
    {"write_node",   "NameByName",                   4, "N-WIRE",     "input and output: a text for each name"},
    {"write_node",   "WritesTheAttribute",           4, "N-WIRE",     "the attribute is written, a value of 0 too"},
    {"write_node",   "RefusesWhatIsNoNode",          2, "N-RANGE",    "Requires: an op_type, names that are not empty"},
    {"write_model",  "OneLayer",                     7, "N-FORMULA",  "the nodes and initializers of a layer"},
    {"write_model",  "TwoLayers",                    5, "N-FORMULA",  "layers follow each other, a Relu between them"},
    {"write_model",  "AnyNetwork",                   4, "N-FORMULA",  "any number of layers, of any sizes"},
    {"write_model",  "RefusesWhatIsNoNetwork",       2, "N-RANGE",    "Requires: expects_mlp(net) passes"},
    {"read_tensor",  "TheWayBack",                   4, "N-FORMULA",  "what write_tensor writes is read"},
    {"read_tensor",  "WhoeverWroteIt",               4, "N-WIRE",     "fields in any order; others are passed over"},
    {"read_tensor",  "RefusesBrokenBytes",           4, "N-WIRE",     "refused is what breaks the format"},
    {"read_tensor",  "RefusesLies",                  3, "N-SIZE",     "raw_data of exactly as many elements as dims say"},
    {"read_model",   "TheWayBack",                   3, "N-FORMULA",  "what write_model writes is read"},
    {"read_model",   "WhoeverWroteIt",               2, "N-WIRE",     "fields and initializers in any order; others are passed over"},
    {"read_model",   "RefusesOtherNetworks",         3, "N-FORMULA",  "the nodes and initializers that write_model writes, and no others"},
    {"read_model",   "SurvivesAnyBytes",             2, "N-WIRE",     "the bytes are a stranger's"},
};
// clang-format on
static_assert(total_points(marks) == 75);
const bool registered = register_marks("34_onnx_export", marks);

// NIBBLE-BEGIN-HIDDEN
// clang-format off
constexpr Mark hidden_marks[] = {
    {"write_varint", "EqualsTheReference",           3, "N-WIRE",     "for numbers nobody has seen"},
    {"write_tensor", "EqualsTheReference",           4, "N-WIRE",     "for tensors nobody has seen"},
    {"write_node",   "EqualsTheReference",           3, "N-WIRE",     "for operations nobody has seen"},
    {"write_model",  "EqualsTheReference",           6, "N-FORMULA",  "for networks nobody has seen"},
    {"read_tensor",  "EqualsTheReference",           4, "N-WIRE",     "for bytes nobody has seen"},
    {"read_model",   "EqualsTheReference",           5, "N-WIRE",     "for models nobody has seen"},
};
// clang-format on
static_assert(total_points(marks) + total_points(hidden_marks) == 100);
const bool registered_hidden = register_hidden_marks(hidden_marks);
// NIBBLE-END

}  // namespace nibble::judge::lab_34_onnx_export
