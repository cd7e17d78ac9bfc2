// What a program prints on a pipe: its beginning is kept, and all of it is read, or the program
// would wait for us.
#pragma once

#include <cstddef>
#include <string>

#include "process/descriptor.hpp"

namespace nibble::process {

class Printed {
 public:
  Printed() = default;
  Printed(Descriptor read_end, std::size_t most);

  /// Reads what there is. A pipe that is filled as fast as it is read has no end: the clocks must
  /// be looked at meanwhile.
  void drain();

  /// What was kept since the last call.
  std::string take();

  /// To be polled; -1 when nobody can print any more.
  int fd() const { return pipe_.get(); }

 private:
  Descriptor pipe_;
  std::size_t most_ = 0;
  std::string kept_;
};

}  // namespace nibble::process
