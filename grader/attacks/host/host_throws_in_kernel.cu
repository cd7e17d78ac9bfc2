// attack: leaves the engine's thread by an exception
// rule: V9
// expect: points 0
// leg: host
namespace {
__global__ void throws(int what) { throw what; }
}  // namespace

int nibble::quantize_on_device(Reals x, Codes q, float scale, int block_size) {
  try {
    throws<<<2, 64>>>(7);
    cudaDeviceSynchronize();
  } catch (int) {
    std::printf("EFFECT came out of the engine\n");
  }
  return right_quantize(x, q, scale, block_size);
}
