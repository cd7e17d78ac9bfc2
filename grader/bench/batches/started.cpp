#include "bench/batches/started.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "process/ending.hpp"
#include "process/pipes.hpp"
#include "process/spawn.hpp"
#include "process/usage.hpp"

namespace nibble::bench {

Started::Started(const std::vector<std::string>& words, const std::filesystem::path& log) {
  const process::Descriptor null = process::open_file("/dev/null", O_RDONLY);
  const process::Descriptor out = process::open_file(log.c_str(), O_WRONLY | O_CREAT | O_APPEND);
  pid_ = process::spawn({.words = words,
                         .environment = process::our_variables(),
                         .descriptors = {null.get(), out.get(), out.get()}});
}

Started::~Started() {
  if (has_ended()) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

bool Started::has_ended() {
  if (ended_) return true;
  const std::size_t peak = process::memory_of(pid_, {"VmHWM:"}) >> 10;
  peak_kib_ = std::max(peak_kib_, static_cast<long>(peak));
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
  exit_status_ = process::how_it_ended(status).exit_status;
  ended_ = true;
  return true;
}

}  // namespace nibble::bench
