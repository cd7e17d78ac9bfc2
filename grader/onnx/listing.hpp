// An ONNX model as a list that people read.
#pragma once

#include <string>
#include <vector>

#include "onnx/model.hpp"

namespace nibble::onnx {

/// One line a node, a tensor, an input. Names are a stranger's: made harmless, and cut.
std::vector<std::string> listing(const OnnxModel& model);

}  // namespace nibble::onnx
