// attack: leaves the engine by an exception of the standard library
// rule: V12
// expect: no_compile
// expect: says which no kernel can call
// leg: simt
#include <array>
#include <optional>
// @HEAD@
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = my_element();
  std::array<float, 1> one{};
  if (i < n) q[i] = right_code(x[i] + one.at(static_cast<std::size_t>(i)), scale);
  if (i == n - 1) std::optional<int>().value();
}
