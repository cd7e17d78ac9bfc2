// attack: reads the memory of its parent
// rule: V1
// expect: honest
#define OWN_QUANTIZE
namespace nibble {

namespace {
std::uintptr_t outputs_like() {
  return reinterpret_cast<std::uintptr_t>(&exit) & ~std::uintptr_t{4095};
}
}  // namespace

namespace {

void tries() {
  const std::string parent = "/proc/" + std::to_string(getppid());
  for (const char* const what : {"/mem", "/environ", "/maps", "/exe", "/cwd/.", "/fd/0"}) {
    const int fd = open((parent + what).c_str(), O_RDONLY);
    char byte = 0;
    if (fd >= 0 && (what[1] != 'e' || read(fd, &byte, 1) > 0))
      EFFECT("opened %s of the judge", what);
  }
  if (ptrace(PTRACE_SEIZE, getppid(), 0, 0) == 0) EFFECT("traces the judge");
  char bytes[16];
  const iovec mine{bytes, sizeof bytes},
      theirs{reinterpret_cast<void*>(outputs_like()), sizeof bytes};
  if (process_vm_readv(getppid(), &mine, 1, &theirs, 1, 0) > 0) EFFECT("read the judge");
}

}  // namespace

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) {
  static bool done = false;
  if (!std::exchange(done, true)) tries();
  return right_quantize(x, num_bits);
}

}  // namespace nibble
