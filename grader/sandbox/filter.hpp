// What a program may ask of the kernel, by seccomp. Only the launcher knows libseccomp.
#pragma once

#include <cstdint>
#include <string_view>

namespace nibble::sandbox {

enum class Filter {
  kNone,
  kRun,      ///< an allow-list: a system call that nobody thought of is refused
  kNoPaths,  ///< the same without any call that names a path
  kTools,    ///< a deny-list: compilers start processes and use a moving set of calls
  kGpu,  ///< the same without processes and programs: a driver has threads, and calls of its own
};

/// What the program will need once more after the filter stands.
struct FilterNeeds {
  int program_fd;        ///< the only thing that may still be executed; close-on-exec
  std::uintptr_t words;  ///< with these alone: where they lie is known to nobody after that
  int socket_fd;         ///< the only socket it may send to
};

/// False for a name that is none of: run, no-paths, tools, gpu.
bool filter_from(std::string_view name, Filter& filter);

/// Installs the filter in this process, for good. 0, or the errno that tells why not:
/// go no further.
int install(Filter filter, FilterNeeds needs);

}  // namespace nibble::sandbox
