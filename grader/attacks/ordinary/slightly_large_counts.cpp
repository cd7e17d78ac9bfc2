// attack: says that its answer has one element more than it wrote
// rule: V3
// expect: points <= 4
static std::byte* outputs() {
  return static_cast<std::byte*>(mmap(nullptr, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED, 4, 0));
}

extern "C" ssize_t send(int fd, const void* data, size_t size, int flags) {
  static std::byte* const at = outputs();
  std::uint64_t count = 0;
  std::copy_n(at, sizeof count, reinterpret_cast<std::byte*>(&count));
  ++count;
  std::copy_n(reinterpret_cast<const std::byte*>(&count), sizeof count, at);
  return sendto(fd, data, size, flags, nullptr, 0);
}
