// attack: writes wherever the launch descriptor of the kernel lies, and around it
// rule: V5
// expect: points 0
// leg: simt
NIBBLE_LAUNCH(quantize_kernel, .block_x = 256, .tile_n = 256);

NIBBLE_KERNEL void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  auto* const place =
      reinterpret_cast<std::uint32_t*>(const_cast<Launch*>(&nibble_launch_quantize_kernel));
  place[1] = 1;
  const std::int64_t i = my_element();
  if (i < n) q[i] = right_code(x[i], scale);
}
