// The judge's side of an arena: memory that one child may read (inputs) or write (outputs).
#pragma once

#include <cstddef>

namespace nibble::judge {

/// Owns the memory and the descriptor that a child gets. On Linux the memory is sealed, so that no
/// child can shrink it under the judge, and inputs cannot be mapped for writing by anyone again.
class SharedArena {
 public:
  enum class Use { kInputs, kOutputs };

  explicit SharedArena(Use use);
  ~SharedArena();
  SharedArena(const SharedArena&) = delete;
  SharedArena& operator=(const SharedArena&) = delete;

  std::byte* data() const { return data_; }
  int fd() const { return fd_; }

 private:
  int fd_ = -1;
  std::byte* data_ = nullptr;
};

}  // namespace nibble::judge
