#include "proofs/parallel.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace nibble::proofs {
namespace {

void show_progress(const std::string& what, std::size_t done, std::size_t count) {
  if (isatty(STDERR_FILENO) == 0) return;
  if (done == count) {
    fmt::print(stderr, "\r\033[K");
  } else {
    fmt::print(stderr, "\r\033[K  {} {}/{}", what, done, count);
  }
  std::fflush(stderr);
}

}  // namespace

void parallel(const std::string& what, std::size_t count, unsigned workers,
              const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next = 0;
  std::size_t done = 0;
  std::exception_ptr failed;
  std::mutex mutex;  // of done, failed and the line on the terminal

  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      std::exception_ptr caught;
      try {
        body(i);
      } catch (...) {
        caught = std::current_exception();
        next = count;  // no new work
      }
      const std::lock_guard lock(mutex);
      if (caught && !failed) failed = caught;
      show_progress(what, ++done, count);
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t most = std::min<std::size_t>(std::max(workers, 1u), count);
    for (std::size_t i = 0; i < most; ++i) threads.emplace_back(work);
  }
  if (failed) std::rethrow_exception(failed);
}

}  // namespace nibble::proofs
