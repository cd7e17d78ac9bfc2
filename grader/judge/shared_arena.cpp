#include "judge/shared_arena.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/memfd.h>
#endif

#include <string>

#include "judge/kit_error.hpp"
#include "protocol/arena.hpp"

namespace nibble::judge {
namespace {

#ifdef __linux__

int open_memory(SharedArena::Use) {
  return memfd_create("nibble", MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

/// FUTURE_WRITE leaves the judge's own, older mapping writable and forbids every later one: a
/// read-only descriptor would not do, since /proc/self/fd can reopen it for writing.
void seal(int fd, SharedArena::Use use) {
  int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (use == SharedArena::Use::kInputs) seals |= F_SEAL_FUTURE_WRITE;
  if (fcntl(fd, F_ADD_SEALS, seals) != 0) throw system_error("sealing shared memory");
}

#else

/// No seals here: what remains is that the runner maps the inputs read-only and that the judge
/// compares their hash afterwards.
int open_memory(SharedArena::Use) {
  const std::string name = "/nibble-" + std::to_string(getpid());
  const int fd = shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
  if (fd >= 0) shm_unlink(name.c_str());
  return fd;
}
void seal(int, SharedArena::Use) {}

#endif

}  // namespace

SharedArena::SharedArena(Use use) : fd_(open_memory(use)) {
  if (fd_ < 0) throw system_error("creating shared memory");
  if (ftruncate(fd_, static_cast<off_t>(protocol::kArenaBytes)) != 0) {
    throw system_error("sizing shared memory");
  }
  void* const at = mmap(nullptr, protocol::kArenaBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
  if (at == MAP_FAILED) throw system_error("mapping shared memory");
  data_ = static_cast<std::byte*>(at);
  seal(fd_, use);
}

SharedArena::~SharedArena() {
  if (data_ != nullptr) munmap(data_, protocol::kArenaBytes);
  if (fd_ >= 0) close(fd_);
}

}  // namespace nibble::judge
