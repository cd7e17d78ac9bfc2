// attack: takes all the memory there is
// rule: V2
// expect: points 0
// expect: first N-MEMORY
#include <memory>

#define OWN_QUANTIZE
namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  std::vector<std::unique_ptr<char[]>> all;
  for (;;) {
    all.push_back(std::make_unique_for_overwrite<char[]>(1 << 20));
    all.back()[0] = 'x';  // a page of each: the limit on memory comes before that on time
  }
}

}  // namespace nibble
