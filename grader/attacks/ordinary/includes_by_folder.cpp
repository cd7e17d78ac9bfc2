// attack: includes the solution by a path from the contract
// rule: V11
// expect: no_compile
#define OWN_QUANTIZE
namespace stolen {
using namespace ::nibble;
#include "../../solutions/03_symmetric/symmetric.cpp"
}  // namespace stolen

namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  return stolen::nibble::quantize_symmetric(x, num_bits);
}

}  // namespace nibble
