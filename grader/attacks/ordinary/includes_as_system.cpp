// attack: includes the solution as if it were a system header
// rule: V11
// expect: no_compile
#define OWN_QUANTIZE
#define PATH <../../@SOLUTION@>
#pragma GCC system_header
namespace stolen {
using namespace ::nibble;
#include PATH
}  // namespace stolen

namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  return stolen::nibble::quantize_symmetric(x, num_bits);
}

}  // namespace nibble
