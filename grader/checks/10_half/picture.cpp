// Lab 10: the picture.
#include "half.hpp"

#include "judge/exercise.hpp"
#include "judge/format_ruler.hpp"

namespace nibble::judge::lab_10_half {
namespace {

void draw_ruler(Picture& picture) {
  draw_row<&half_to_float, std::uint16_t>(picture, "half", 1 << 16);
  draw_row<&bfloat16_to_float, std::uint16_t>(picture, "bfloat16", 1 << 16);
  picture.ruler.push_back(kit_row<simt::E4m3Format>("E4M3"));
  picture.ruler.push_back(kit_row<simt::E5m2Format>("E5M2"));
  picture.ruler.push_back(kit_row<E2m1Format>("E2M1"));
}
const bool has_picture = register_picture({"half_to_float", "bfloat16_to_float"}, draw_ruler);

}  // namespace
}  // namespace nibble::judge::lab_10_half
