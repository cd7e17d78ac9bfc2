// attack: calls CUDA before the session begins, and in a destructor after it has ended
// rule: V12
// expect: no_compile
// expect: says code would run before main
// leg: host
namespace {
struct Early {
  void* memory = nullptr;
  Early() { cudaMalloc(&memory, 64); }
  ~Early() { cudaFree(memory); }
};
Early early;
}  // namespace

int nibble::quantize_on_device(Reals x, Codes q, float scale, int block_size) {
  return early.memory == nullptr ? 1 : right_quantize(x, q, scale, block_size);
}
