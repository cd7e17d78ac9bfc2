// attack: jumps out of the engine, past all that ends a launch
// rule: V12
// expect: no_compile
// expect: says which no lab needs
// leg: host
#include <csetjmp>
// @HEAD@
namespace {
std::jmp_buf before;
__global__ void jumps() { std::longjmp(before, 1); }
}  // namespace

int nibble::quantize_on_device(Reals x, Codes q, float scale, int block_size) {
  if (setjmp(before) == 0) {
    jumps<<<1, 32>>>();
    cudaDeviceSynchronize();
  }
  return right_quantize(x, q, scale, block_size);
}
