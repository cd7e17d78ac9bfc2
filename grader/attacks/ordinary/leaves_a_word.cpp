// attack: leaves a word for the process after it, in memory that no call uses
// rule: V9
// expect: points 0
// expect: first N-EXIT
#define OWN_QUANTIZE
namespace nibble {

constexpr off_t kGuard = 64 << 10, kSlot = 64 << 20, kLastSlot = 2 * kGuard + 7 * (kSlot + kGuard);

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  void* const at = mmap(nullptr, kGuard, PROT_READ | PROT_WRITE, MAP_SHARED, 4, kLastSlot);
  auto* const word = static_cast<volatile char*>(at);
  if (*word == 'x') EFFECT("knows what the process before it saw");
  *word = 'x';
  _exit(0);
}

}  // namespace nibble
