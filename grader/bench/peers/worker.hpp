// A contender in a process of its own: what its library does to threads, to the environment or to
// the heap is its own affair, and ONEDNN_MAX_CPU_ISA, read once per process, may differ.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "contender.hpp"
#include "messages.hpp"
#include "process/descriptor.hpp"

namespace nibble::peers {

class Worker {
 public:
  /// Forks; call it while this process has one thread.
  Worker(const Contender& contender, const std::filesystem::path& folder);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// Why it takes no part; empty: it does.
  const std::string& absent() const { return absent_; }

  /// Empty: ready. Otherwise why it cannot do this problem.
  std::string setup(const Problem& problem);
  bool can(Operation work);
  std::string about();

  struct Trial {
    Comparison comparison;
    Sample sample;  ///< of the second call; of the first where that took long
  };
  Trial check(Operation work, const std::int32_t* sums);

  Sample time(Operation work, int calls);

 private:
  Reply ask(const PeerRequest& request);

  pid_t child_ = -1;
  process::Descriptor requests_, replies_;
  std::string absent_;
};

}  // namespace nibble::peers
