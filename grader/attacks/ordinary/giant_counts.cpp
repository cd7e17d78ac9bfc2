// attack: says that its answer has 2^62 elements
// rule: V3
// expect: points 0
// expect: first N-PROTOCOL
static std::byte* outputs() {
  return static_cast<std::byte*>(mmap(nullptr, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0));
}

extern "C" ssize_t send(int fd, const void* data, size_t size, int flags) {
  static std::byte* const at = outputs();
  const std::uint64_t count = std::uint64_t{1} << 62;
  std::copy_n(reinterpret_cast<const std::byte*>(&count), sizeof count, at);
  return sendto(fd, data, size, flags, nullptr, 0);
}
