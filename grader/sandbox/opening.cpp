#include "sandbox/opening.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace nibble::sandbox {

#ifdef __linux__

namespace {

/// One message and the number of its sender, which the kernel translates for the receiver.
struct Message {
  std::string text;
  pid_t sender = -1;
};

/// An empty text: all ends of the other side are closed.
Message receive(int socket) {
  std::array<char, 256> text{};
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(ucred))> control{};
  iovec part{text.data(), text.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  const ssize_t got = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
  if (got <= 0) return {};
  Message message{{text.data(), static_cast<std::size_t>(got)}, -1};
  const cmsghdr* const first = CMSG_FIRSTHDR(&header);
  if (first != nullptr && first->cmsg_type == SCM_CREDENTIALS) {
    ucred sender{};
    std::memcpy(&sender, CMSG_DATA(first), sizeof sender);
    message.sender = sender.pid;
  }
  return message;
}

}  // namespace

Opening::Opening() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::system_error(errno, std::generic_category(), "socketpair");
  }
  ours_ = ends[0];
  theirs_ = ends[1];
  const int on = 1;
  setsockopt(ours_, SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
}

pid_t Opening::wait(std::chrono::seconds longest) {
  if (theirs_ >= 0) close(std::exchange(theirs_, -1));
  const auto until = std::chrono::steady_clock::now() + longest;
  pid_t program = -1;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    pollfd word{ours_, POLLIN, 0};
    if (left.count() <= 0 || poll(&word, 1, static_cast<int>(left.count())) == 0) {
      throw BoxBroke("the box did not open in time");
    }
    const Message message = receive(ours_);
    if (message.text.empty() && program > 0) return program;  // closed by exec
    if (message.text.empty()) throw BoxBroke("the box did not open");
    if (message.text != std::string(1, kReady)) throw BoxBroke(message.text);
    program = message.sender;
  }
}

#else

Opening::Opening() { throw BoxBroke("there are no boxes on this system"); }
pid_t Opening::wait(std::chrono::seconds) { return -1; }

#endif

Opening::~Opening() {
  for (const int fd : {ours_, theirs_}) {
    if (fd >= 0) close(fd);
  }
}

}  // namespace nibble::sandbox
