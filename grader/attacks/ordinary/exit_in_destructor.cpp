// attack: turns exit(7) into status 0 in the destructor of a global
// rule: V4
// expect: points 0
// expect: first N-EXIT
#define OWN_QUANTIZE
namespace nibble {

namespace {
struct Last {
  ~Last() { _exit(0); }
} last;
}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) { exit(7); }

}  // namespace nibble
