// Our kernels know nothing of threads: here a call is shared by the caller and one thread beside
// it.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace nibble::peers {

inline void breathe() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

class TwoThreads {
 public:
  explicit TwoThreads(int threads) {
    if (threads == 2) second_.emplace([this] { serve(); });
  }
  TwoThreads(const TwoThreads&) = delete;
  TwoThreads& operator=(const TwoThreads&) = delete;

  ~TwoThreads() {
    if (!second_) return;
    work_ = nullptr;
    start();
    second_->join();
  }

  /// work(0) here, and work(1) over there where there are two threads; returns when both are done.
  void run(const std::function<void(int)>& work) {
    if (!second_) return work(0);
    work_ = &work;
    start();
    work(0);
    while (done_.load(std::memory_order_acquire) != begun_.load(std::memory_order_relaxed)) {
      breathe();
    }
  }

 private:
  void start() {
    begun_.fetch_add(1, std::memory_order_release);
    begun_.notify_one();
  }

  void serve() {
    for (unsigned last = 0;;) {
      last = next_after(last);
      if (work_ == nullptr) return;
      (*work_)(1);
      done_.store(last, std::memory_order_release);
    }
  }

  /// Waking a sleeper costs as much as a small product: watch for some milliseconds first, as the
  /// threads of OpenMP do.
  unsigned next_after(unsigned last) {
    for (int spin = 0; spin < 1'000'000; ++spin) {
      if (begun_.load(std::memory_order_acquire) != last) return last + 1;
      breathe();
    }
    begun_.wait(last, std::memory_order_acquire);
    return last + 1;
  }

  const std::function<void(int)>* work_ = nullptr;
  std::atomic<unsigned> begun_{0}, done_{0};
  std::optional<std::thread> second_;
};

}  // namespace nibble::peers
