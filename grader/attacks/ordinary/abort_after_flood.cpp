// attack: prints 64 KiB and aborts, at every call
// rule: V8
// expect: points 0
// expect: first N-CRASH
#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  const std::string line(1 << 16, '#');
  [[maybe_unused]] const auto written = write(1, line.data(), line.size());
  abort();
}

}  // namespace nibble
