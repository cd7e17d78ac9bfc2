#include "process/pipes.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>

namespace nibble::process {
namespace {

void must(bool done, const std::string& what) {
  if (!done) throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

Pipe make_pipe() {
  std::array<int, 2> ends{};
#ifdef __linux__
  must(pipe2(ends.data(), O_CLOEXEC) == 0, "pipe");
#else
  must(pipe(ends.data()) == 0, "pipe");
  for (const int fd : ends) fcntl(fd, F_SETFD, FD_CLOEXEC);
#endif
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Socket make_socket() {
  std::array<int, 2> ends{};
#ifdef __linux__
  must(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0, "socketpair");
#else
  must(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends.data()) == 0, "socketpair");
  for (const int fd : ends) fcntl(fd, F_SETFD, FD_CLOEXEC);
#endif
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Descriptor open_file(const char* path, int flags) {
  Descriptor file(open(path, flags | O_CLOEXEC, 0644));
  must(static_cast<bool>(file), path);
  return file;
}

void do_not_wait(const Descriptor& end) {
  fcntl(end.get(), F_SETFL, fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

}  // namespace nibble::process
