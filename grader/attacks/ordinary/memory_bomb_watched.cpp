// attack: takes all the memory there is, where no limit of the system stops it: sanitizers need all addresses
// rule: V2
// leg: sanitizers
// expect: points 0
// expect: first N-MEMORY
#include <sys/mman.h>

#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  constexpr std::size_t kPiece = std::size_t{16} << 20;
  for (;;) {
    void* const piece =
        mmap(nullptr, kPiece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece == MAP_FAILED) continue;
    for (std::size_t i = 0; i < kPiece; i += 4096) static_cast<volatile char*>(piece)[i] = 'x';
  }
}

}  // namespace nibble
