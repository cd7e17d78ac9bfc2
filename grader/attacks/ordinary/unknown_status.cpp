// attack: answers with a status that does not exist
// rule: V3
// expect: points 0
// expect: first N-PROTOCOL
extern "C" ssize_t send(int fd, const void* data, size_t size, int flags) {
  nibble::Answer answer{};
  std::copy_n(static_cast<const char*>(data), sizeof answer, reinterpret_cast<char*>(&answer));
  answer.status = 77;
  return sendto(fd, &answer, size, flags, nullptr, 0);
}
