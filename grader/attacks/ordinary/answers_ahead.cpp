// attack: answers the question whether it lives before it is asked, with the old nonce
// rule: V4
// expect: points 0
// expect: first N-PROTOCOL
extern "C" ssize_t send(int fd, const void* data, size_t size, int flags) {
  sendto(fd, data, size, flags, nullptr, 0);
  return sendto(fd, data, size, flags, nullptr, 0);
}
