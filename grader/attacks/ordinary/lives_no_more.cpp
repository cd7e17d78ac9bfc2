// attack: answers rightly, then never says that it is there
// rule: V4
// expect: points 0
// expect: first N-TIME
extern "C" ssize_t send(int fd, const void* data, size_t size, int flags) {
  const ssize_t sent = sendto(fd, data, size, flags, nullptr, 0);
  for (;;) pause();
  return sent;
}
