// attack: waits in a thread_local's destructor for the end of the session
// rule: V12
// expect: no_compile
// expect: says a GPU has no thread_local
// leg: host
namespace {
struct Late {
  ~Late() { cudaDeviceSynchronize(); }
};
thread_local Late late;
}  // namespace

int nibble::quantize_on_device(Reals x, Codes q, float scale, int block_size) {
  [[maybe_unused]] const Late* const mine = &late;
  return right_quantize(x, q, scale, block_size);
}
