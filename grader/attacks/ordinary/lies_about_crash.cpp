// attack: leaves a false note about its crash
// rule: V9
// expect: points 0
static std::byte* outputs() {
  return static_cast<std::byte*>(mmap(nullptr, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0));
}

#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  struct {
    std::uint32_t magic = 0x4E42'4C45, signal = 0xFFFF'FFFF, place = 1, was_write = 99;
    std::uint64_t offset = ~std::uint64_t{0};
  } note;
  std::copy_n(reinterpret_cast<const std::byte*>(&note), sizeof note, outputs() + 8192);
  signal(SIGKILL, SIG_IGN);
  kill(getpid(), SIGKILL);
  return {};
}

}  // namespace nibble
