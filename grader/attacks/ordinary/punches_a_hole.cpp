// attack: gives pages of the arenas back to the kernel, shrinks and seals them, under the judge's eyes
// rule: V5
// expect: honest
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries(std::span<const float> x) {
  constexpr int kInputs = 3, kOutputs = 4;
  const auto address = reinterpret_cast<std::uintptr_t>(x.data()) & ~std::uintptr_t{4095};
  if (madvise(reinterpret_cast<void*>(address), 4096, MADV_REMOVE) == 0) EFFECT("removes inputs");
  for (const int fd : {kInputs, kOutputs}) {
    if (ftruncate(fd, 0) == 0) EFFECT("shrinks an arena");
    if (fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) == 0) EFFECT("seals an arena");
  }
  if (fallocate(kInputs, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1 << 20) == 0) {
    EFFECT("punches a hole into the inputs");
  }
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  if (!x.empty()) tries(x);
  return right_quantize(x, num_bits);
}

}  // namespace nibble
