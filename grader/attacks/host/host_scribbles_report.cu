// attack: fills what the engine says of it with numbers out of every range and text that never ends
// rule: V3
// expect: points <= 5
// leg: host
int nibble::quantize_on_device(Reals x, Codes q, float scale, int block_size) {
  const int error = right_quantize(x, q, scale, block_size);
  constexpr std::uintptr_t kReport = 16384, kReportBytes = 49152, kMagic = 0x53494D54;
  // q ends where its slot ends, and the report lies in the first block of the same memory.
  constexpr std::uintptr_t kBlock = 65536, kSlot = std::uintptr_t{64} << 20;
  const auto end = reinterpret_cast<std::uintptr_t>(q.data() + q.size());
  auto* const report = reinterpret_cast<unsigned char*>(end - kSlot - 2 * kBlock + kReport);
  std::memset(report, 0xFF, kReportBytes);
  const auto magic = static_cast<std::uint32_t>(kMagic);
  std::memcpy(report, &magic, sizeof magic);
  return error;
}
