// attack: finds the nonce on the stack, says that it is done, and computes afterwards
// rule: V7
// leg: speed
// expect: points 0
// expect: first N-PROTOCOL
void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  struct Answer {
    std::uint64_t nonce;
    std::uint32_t status, reserved;
    char text[240];
  };
  const auto* const here = static_cast<const std::uint64_t*>(__builtin_frame_address(0));
  for (int i = 0; i < 400; ++i) {  // Request: a nonce, function 1, nothing
    if (here[i] >> 48 == 0 || here[i + 1] != 1) continue;
    const Answer answer{here[i], 0, 0, {}};
    send(5, &answer, sizeof answer, 0);
    break;
  }
  right_rows(a, b, c, shape);
}
