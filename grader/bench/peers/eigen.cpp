// Eigen: the same product of the codes as int32 and as float32. Scale, bias and ReLU are a second
// pass over the result, as one writes it with Eigen.
#include <Eigen/Dense>
#include <stdexcept>
#include <string_view>

#include "peer.hpp"

namespace nibble::peers {
namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <typename T>
class EigenProduct : public Peer {
 public:
  void setup(const Problem& problem) override {
    const auto [m, n, k] = problem.shape;
    Eigen::setNbThreads(problem.threads);
    if (Eigen::nbThreads() != problem.threads) throw std::runtime_error("built without OpenMP");
    a_ = Eigen::Map<const Matrix<std::int8_t>>(problem.a, m, k).template cast<T>();
    b_t_ = Eigen::Map<const Matrix<std::int8_t>>(problem.b_t, n, k).template cast<T>();
    scale_ = Eigen::Map<const Eigen::ArrayXf>(problem.scale, n);
    bias_ = Eigen::Map<const Eigen::ArrayXf>(problem.bias, n);
    c_.resize(m, n);
    reals_.resize(m, n);
  }

  bool can(Operation work) const override {
    return work == Operation::kPackMultiply || (work == Operation::kFused && !kIsExact);
  }

  void run(Operation work) override {
    c_.noalias() = a_ * b_t_.transpose();
    if constexpr (!kIsExact) {
      if (work == Operation::kFused) {
        reals_ =
            ((c_.array().rowwise() * scale_.transpose()).rowwise() + bias_.transpose()).max(0.0f);
      }
    }
  }

  Output output(Operation work) override {
    if (work == Operation::kFused) return std::span(reals_.data(), std::size_t(reals_.size()));
    return std::span<const T>(c_.data(), std::size_t(c_.size()));
  }

  bool is_exact() const override { return kIsExact; }

  std::string about() const override {
    return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." +
           std::to_string(EIGEN_MAJOR_VERSION) + "." + std::to_string(EIGEN_MINOR_VERSION) +
           ", compiled for " + Eigen::SimdInstructionSetsInUse();
  }

 private:
  static constexpr bool kIsExact = !std::is_same_v<T, float>;

  Matrix<T> a_, b_t_, c_;
  Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> reals_;
  Eigen::ArrayXf scale_, bias_;
};

}  // namespace

Peer* open_peer(const char* variant) {
  if (std::string_view(variant) == "int32") return new EigenProduct<std::int32_t>;
  return new EigenProduct<float>;
}

}  // namespace nibble::peers
