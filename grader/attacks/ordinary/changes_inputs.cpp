// attack: tries every way to write to its inputs
// rule: V5
// expect: honest
#define OWN_QUANTIZE
namespace nibble {

namespace {

void tries() {
  signal(SIGXFSZ, SIG_IGN);
  constexpr std::size_t kSize = 1 << 16;
  if (ftruncate(3, 0) == 0 || ftruncate(4, 0) == 0) EFFECT("shrank the shared memory");
  if (ftruncate(4, off_t{1} << 40) == 0) EFFECT("grew the shared memory");
  if (write(3, "x", 1) == 1) EFFECT("wrote to the inputs");
  if (fallocate(3, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, kSize) == 0)
    EFFECT("punched a hole");
  if (mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0) != MAP_FAILED) {
    EFFECT("mapped the inputs for writing");
  }
  const int again = open("/proc/self/fd/3", O_RDWR);
  if (again >= 0 && mmap(nullptr, kSize, PROT_WRITE, MAP_SHARED, again, 0) != MAP_FAILED) {
    EFFECT("reopened the inputs for writing");
  }
  void* const read_only = mmap(nullptr, kSize, PROT_READ, MAP_SHARED, 3, 0);
  if (mprotect(read_only, kSize, PROT_READ | PROT_WRITE) == 0) EFFECT("made the inputs writable");
  if (fcntl(4, F_ADD_SEALS, F_SEAL_WRITE) == 0) EFFECT("sealed the outputs");
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
