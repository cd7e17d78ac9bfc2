// A matrix product of one of our labs as a contender. Two threads share the rows of a; where there
// is only one row, the columns of b.
#pragma once

#include <algorithm>
#include <memory>

#include "peer.hpp"
#include "two_threads.hpp"

namespace nibble::peers {

class LabProduct : public Peer {
 public:
  void setup(const Problem& problem) override {
    problem_ = problem;
    const auto [m, n, k] = problem.shape;
    threads_ = std::make_unique<TwoThreads>(problem.threads);
    sums_.assign(std::size_t(m) * n, 0);
    reals_.assign(std::size_t(m) * n, 0.0f);
    share();
    pack();
  }

  bool can(Operation work) const override {
    return work == Operation::kMultiply || work == Operation::kFused ||
           work == Operation::kPackMultiply;
  }

  void run(Operation work) override {
    if (work == Operation::kPackMultiply) pack();
    threads_->run([&](int part) { run_part(parts_[part], work == Operation::kFused); });
  }

  Output output(Operation work) override {
    if (work == Operation::kFused) return std::span<const float>(reals_);
    return std::span<const std::int32_t>(sums_);
  }

 protected:
  virtual std::size_t packed_size(MatmulShape shape) const = 0;
  virtual void pack_b(std::span<const std::int8_t> b_t, std::span<std::int8_t> packed,
                      MatmulShape shape) = 0;
  virtual void multiply(std::span<const std::int8_t> a, std::span<const std::int8_t> packed,
                        std::span<std::int32_t> c, MatmulShape shape) = 0;
  /// Not every lab has one.
  virtual void multiply_fused(std::span<const std::int8_t>, std::span<const std::int8_t>,
                              std::span<const float>, std::span<const float>, std::span<float>,
                              MatmulShape) {}

 private:
  /// Some columns of b, packed.
  struct Columns {
    int first, count;
    Lines<std::int8_t> packed;
  };
  /// What one thread computes: rows of a, times columns that it may share.
  struct Part {
    int first_row, rows;
    std::size_t columns;
  };

  static int half_of(int size, int multiple) {
    return std::min(size, (size / 2 + multiple - 1) / multiple * multiple);
  }

  void share() {
    const auto [m, n, k] = problem_.shape;
    columns_.clear();
    parts_ = {{0, m, 0}};
    if (problem_.threads == 2 && m == 1) {
      const int half = half_of(n, 48);
      columns_ = {{0, half, {}}, {half, n - half, {}}};
      parts_ = {{0, 1, 0}, {0, 1, 1}};
      return;
    }
    columns_.push_back({0, n, {}});
    if (problem_.threads == 2) {
      const int half = half_of(m, 8);
      parts_ = {{0, half, 0}, {half, m - half, 0}};
    }
  }

  void pack() {
    const int k = problem_.shape.k;
    for (Columns& columns : columns_) {
      const MatmulShape shape{problem_.shape.m, columns.count, k};
      columns.packed.resize(packed_size(shape));
      pack_b({problem_.b_t + std::size_t(columns.first) * k, std::size_t(columns.count) * k},
             columns.packed, shape);
    }
  }

  void run_part(const Part& part, bool fused) {
    const Columns& columns = columns_[part.columns];
    const MatmulShape shape{part.rows, columns.count, problem_.shape.k};
    const std::span a(problem_.a + std::size_t(part.first_row) * shape.k,
                      std::size_t(shape.m) * shape.k);
    const std::size_t first = std::size_t(part.first_row) * problem_.shape.n + columns.first;
    const std::size_t count = std::size_t(shape.m) * shape.n;
    if (fused) {
      multiply_fused(a, columns.packed,
                     {problem_.scale + columns.first, std::size_t(columns.count)},
                     {problem_.bias + columns.first, std::size_t(columns.count)},
                     std::span(reals_).subspan(first, count), shape);
    } else {
      multiply(a, columns.packed, std::span(sums_).subspan(first, count), shape);
    }
  }

  Problem problem_;
  std::unique_ptr<TwoThreads> threads_;
  std::vector<Columns> columns_;
  std::vector<Part> parts_;
  Lines<std::int32_t> sums_;
  Lines<float> reals_;
};

}  // namespace nibble::peers
