// Between two processes. Both ends are closed by every exec: programs are started from several
// threads at once, and one that inherits another's pipe would hold it open.
#pragma once

#include "process/descriptor.hpp"

namespace nibble::process {

struct Pipe {
  Descriptor read_end, write_end;
};

struct Socket {
  Descriptor ours, theirs;
};

/// Throw std::system_error.
Pipe make_pipe();
Socket make_socket();  ///< keeps records apart: half an answer is not an answer

/// Throws std::system_error that names the file.
Descriptor open_file(const char* path, int flags);

/// What would wait returns at once.
void do_not_wait(const Descriptor& end);

}  // namespace nibble::process
