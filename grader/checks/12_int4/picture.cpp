// Lab 12: the picture.
#include "int4.hpp"

#include "checks/12_int4/blocks.hpp"
#include "checks/12_int4/values.hpp"
#include "judge/exercise.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_12_int4 {
namespace {

/// The block of docs/examples/12_block.cpp.
const Reals kDrawnWeights = {0.11f,  -0.07f, 0.02f,  0.19f,  -0.25f, 0.05f,  0.00f,  -0.13f,
                             0.08f,  0.31f,  -0.02f, -0.18f, 0.14f,  0.06f,  -0.09f, 0.03f,
                             -0.40f, 0.21f,  0.12f,  -0.05f, 0.01f,  0.38f,  -0.16f, 0.09f,
                             -0.22f, 0.04f,  0.17f,  -0.11f, 0.07f,  -0.03f, 0.26f,  -0.01f};

void draw_block(Picture& picture) {
  draw_answer(picture, "quantize_q4_0", [&] {
    const Bytes block = call<&quantize_q4_0>(kDrawnWeights);
    if (block.size() == kQ4Bytes) {
      picture.block.assign(block.begin(), block.end());
    } else {
      picture.notes.push_back("quantize_q4_0: a block has 18 bytes, not " +
                              std::to_string(block.size()));
    }
  });
}
const bool has_picture = register_picture({"quantize_q4_0"}, draw_block);

}  // namespace
}  // namespace nibble::judge::lab_12_int4
