// attack: replaces memcpy by one that copies nothing into the answer
// rule: V1
// expect: points 0
#define OWN_QUANTIZE
extern "C" void* memcpy(void* to, const void*, size_t) noexcept { return to; }

namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  return right_quantize(x, num_bits);
}

}  // namespace nibble
