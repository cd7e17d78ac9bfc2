// Fuzz target: a model as `nibble onnx` and the checks of lab 34 read it, as a list.
#include <cstdint>
#include <cstdlib>

#include "onnx/listing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nibble::onnx;
  try {
    const OnnxModel model = read_onnx({data, size});
    constexpr std::size_t kOtherLines = 4;  // what the model is, and headings
    const std::size_t wanted = kOtherLines + model.inputs.size() + model.outputs.size() +
                               model.nodes.size() + model.tensors.size();
    const std::vector<std::string> lines = listing(model);
    if (lines.size() != wanted) std::abort();
    for (const std::string& line : lines) {
      if (line.find_first_of("\n\x1b") != std::string::npos) std::abort();
    }
  } catch (const BadBytes&) {
    return 0;  // said what is wrong, as it should
  }
  return 0;
}
