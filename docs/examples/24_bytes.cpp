// Bytes of global memory for one output of a layer: its operands, and what follows the product.
#include <cstdio>
#include <initializer_list>

// [bytes]
/// A block makes 128 x 128 outputs of a product over k codes: for these it fetches 128 + 128 rows
/// of k. An epilogue that is a kernel of its own writes 4 bytes for a sum, and reads them again.
void print_layer(const char* c, int bytes_of_c, int k) {
  const double operands = (128.0 + 128.0) * k / (128.0 * 128.0);
  const double one_kernel = operands + bytes_of_c;
  const double two_kernels = operands + 4 + 4 + bytes_of_c;
  std::printf("%-5s %5d   %8.0f   %11.0f   %10.0f   %5.2f\n", c, k, operands, two_kernels,
              one_kernel, two_kernels / one_kernel);
}
// [/bytes]

int main() {
  std::puts("c         k   operands   two kernels   one kernel   ratio");
  for (const int k : {64, 512, 4096}) print_layer("float", 4, k);
  for (const int k : {64, 512, 4096}) print_layer("int8", 1, k);
}
