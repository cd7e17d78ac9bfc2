// Threads that do nothing useful, as fast as they can: weather for what is measured beside them.
#pragma once

#include <stop_token>
#include <thread>
#include <vector>

namespace nibble::process {

class Neighbours {
 public:
  explicit Neighbours(int count) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([](const std::stop_token& stop) {
        for (volatile unsigned spin = 0; !stop.stop_requested();) spin = spin + 1;
      });
    }
  }

 private:
  std::vector<std::jthread> threads_;
};

}  // namespace nibble::process
