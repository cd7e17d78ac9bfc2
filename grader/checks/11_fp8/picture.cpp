// Lab 11: the picture.
#include "fp8.hpp"

#include "checks/11_fp8/formats.hpp"
#include "judge/exercise.hpp"
#include "judge/format_ruler.hpp"

namespace nibble::judge::lab_11_fp8 {
namespace {

void draw_ruler(Picture& picture) {
  picture.ruler.push_back(kit_row<simt::HalfFormat>("half"));
  picture.ruler.push_back(kit_row<simt::Bfloat16Format>("bfloat16"));
  draw_row<&e4m3_to_float, std::uint8_t>(picture, "E4M3", 1 << 8);
  draw_row<&e5m2_to_float, std::uint8_t>(picture, "E5M2", 1 << 8);
  picture.ruler.push_back(kit_row<E2m1Format>("E2M1"));
}
const bool has_picture = register_picture({"e4m3_to_float", "e5m2_to_float"}, draw_ruler);

}  // namespace
}  // namespace nibble::judge::lab_11_fp8
