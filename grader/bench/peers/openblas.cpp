// OpenBLAS: sgemm of the codes as float32. Scale, bias and ReLU are a second pass.
#include <cblas.h>

#include "peer.hpp"

namespace nibble::peers {
namespace {

class OpenBlas : public Peer {
 public:
  void setup(const Problem& problem) override {
    problem_ = problem;
    const auto [m, n, k] = problem.shape;
    openblas_set_num_threads(problem.threads);
    a_.assign(problem.a, problem.a + std::size_t(m) * k);
    b_t_.assign(problem.b_t, problem.b_t + std::size_t(n) * k);
    c_.assign(std::size_t(m) * n, 0.0f);
  }

  bool can(Operation work) const override {
    return work == Operation::kPackMultiply || work == Operation::kFused;
  }

  void run(Operation work) override {
    const auto [m, n, k] = problem_.shape;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1.0f, a_.data(), k, b_t_.data(),
                k, 0.0f, c_.data(), n);
    if (work == Operation::kFused) apply_epilogue();
  }

  Output output(Operation) override { return std::span<const float>(c_); }

  bool is_exact() const override { return false; }

  std::string about() const override {
    const std::string config = openblas_get_config();  // "OpenBLAS 0.3.21 DYNAMIC_ARCH …"
    return config.substr(0, config.find(' ', config.find(' ') + 1)) + ", core " +
           openblas_get_corename();
  }

 private:
  void apply_epilogue() {
    const auto [m, n, k] = problem_.shape;
    const float* const scale = problem_.scale;
    const float* const bias = problem_.bias;
    for (int i = 0; i < m; ++i) {
      float* const row = c_.data() + std::size_t(i) * n;
      for (int j = 0; j < n; ++j) {
        const float v = row[j] * scale[j] + bias[j];
        row[j] = v > 0 ? v : 0;
      }
    }
  }

  Problem problem_;
  Lines<float> a_, b_t_, c_;
};

}  // namespace

Peer* open_peer(const char*) { return new OpenBlas; }

}  // namespace nibble::peers
