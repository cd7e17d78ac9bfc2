// What memory gives: contenders that move the bytes of a kernel and compute nothing.
#include <cstring>

#include "peer.hpp"
#include "read.hpp"
#include "two_threads.hpp"

namespace nibble::peers {
namespace {

class MemoryPeer : public Peer {
 public:
  void setup(const Problem& problem) override {
    threads_ = std::make_unique<TwoThreads>(problem.threads);
    parts_ = problem.threads;
    shape_ = problem.shape;
    weights_.assign(std::size_t(weight_bytes(shape_, Operation::kGemvInt8)), 1);
    // A conversion moves five bytes an element; so does a copy of two and a half.
    from_.assign(std::size_t(problem.count) * 5 / 2, 1);
    to_.assign(from_.size(), 2);
  }

  bool can(Operation work) const override {
    return work == Operation::kQuantize || work == Operation::kDequantize ||
           work == Operation::kGemvInt8 || work == Operation::kGemvInt4;
  }

  void run(Operation work) override {
    threads_->run([&](int part) {
      if (work == Operation::kQuantize || work == Operation::kDequantize) {
        const std::size_t share = from_.size() / parts_;
        std::memcpy(to_.data() + part * share, from_.data() + part * share, share);
      } else {
        const std::size_t share = std::size_t(weight_bytes(shape_, work)) / parts_;
        read_all(std::span(weights_).subspan(part * share, share));
      }
    });
  }

  Output output(Operation) override { return {}; }
  std::string about() const override { return "memcpy, and a loop that only reads"; }

 private:
  std::unique_ptr<TwoThreads> threads_;
  std::size_t parts_ = 1;
  MatmulShape shape_{};
  Lines<std::int8_t> weights_, from_, to_;
};

}  // namespace

Peer* open_peer(const char*) { return new MemoryPeer; }

}  // namespace nibble::peers
