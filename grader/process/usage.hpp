// What another process has used so far, looked at from outside.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace nibble::process {

/// CPU time of all its threads; 0 on systems that do not tell.
std::chrono::nanoseconds cpu_time(pid_t pid);

/// True when one process can read the CPU time of another.
bool cpu_clocks_can_be_read();

/// The sum of these lines of /proc/…/status, such as "RssAnon:", in bytes.
std::size_t memory_of(pid_t pid, std::initializer_list<std::string_view> lines);

}  // namespace nibble::process
