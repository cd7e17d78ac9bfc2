// Which files a program may touch, by Landlock: raw system calls,
// for no libc has names for them yet.
#pragma once

namespace nibble::sandbox {

/// A set of rules that allows nothing yet. Each function returns 0,
/// or the errno that tells why not.
class Landlock {
 public:
  int create();
  int allow_reading(const char* path) const;  ///< a path that does not exist is passed over
  int allow_writing(const char* path) const;
  int allow_device(const char* path) const;  ///< reading, writing, and commands to it
  int allow_executing(int fd) const;
  int enforce() const;  ///< for this process and all it starts, for good

 private:
  int allow(int fd, unsigned long long rights) const;
  int allow(const char* path, unsigned long long rights) const;

  int rules_ = -1;
  int version_ = 0;
};

}  // namespace nibble::sandbox
