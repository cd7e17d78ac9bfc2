// Lab 15's published solution: packed products per instruction set, and plain C++ conversions.
#include "cpu_simd.hpp"
#include "isa_names.hpp"
#include "lab_product.hpp"

namespace nibble::peers {
namespace {

class SimdProduct : public LabProduct {
 public:
  explicit SimdProduct(Isa isa) : isa_(isa) {}

  std::string about() const override { return "lab 15, " + std::string(name_of(isa_)); }

 protected:
  std::size_t packed_size(MatmulShape shape) const override {
    return nibble::packed_size(isa_, shape);
  }
  void pack_b(std::span<const std::int8_t> b_t, std::span<std::int8_t> packed,
              MatmulShape shape) override {
    nibble::pack_b(isa_, b_t, packed, shape);
  }
  void multiply(std::span<const std::int8_t> a, std::span<const std::int8_t> packed,
                std::span<std::int32_t> c, MatmulShape shape) override {
    multiply_packed(isa_, a, packed, c, shape);
  }
  void multiply_fused(std::span<const std::int8_t> a, std::span<const std::int8_t> packed,
                      std::span<const float> scale, std::span<const float> bias, std::span<float> c,
                      MatmulShape shape) override {
    multiply_packed_fused(isa_, a, packed, scale, bias, c, shape);
  }

 private:
  Isa isa_;
};

class Conversion : public Peer {
 public:
  void setup(const Problem& problem) override {
    problem_ = problem;
    threads_ = std::make_unique<TwoThreads>(problem.threads);
    codes_.assign(std::size_t(problem.count), 0);
    reals_.assign(std::size_t(problem.count), 0.0f);
  }

  bool can(Operation work) const override {
    return work == Operation::kQuantize || work == Operation::kDequantize;
  }

  void run(Operation work) override {
    const std::size_t share = std::size_t(problem_.count) / problem_.threads;
    threads_->run([&](int part) { convert(work, part * share, share); });
  }

  Output output(Operation work) override {
    if (work == Operation::kQuantize) return std::span<const std::int8_t>(codes_);
    return std::span<const float>(reals_);
  }

  std::string about() const override { return "lab 15, as the compiler vectorised it"; }

 private:
  void convert(Operation work, std::size_t first, std::size_t count) {
    if (work == Operation::kQuantize) {
      quantize({problem_.x + first, count}, problem_.x_scale,
               std::span(codes_).subspan(first, count));
    } else {
      dequantize({problem_.q + first, count}, problem_.x_scale,
                 std::span(reals_).subspan(first, count));
    }
  }

  Problem problem_;
  std::unique_ptr<TwoThreads> threads_;
  Lines<std::int8_t> codes_;
  Lines<float> reals_;
};

}  // namespace

Peer* open_peer(const char* variant) {
  if (std::string_view(variant) == "convert") return new Conversion();
  return new SimdProduct(isa_here(variant));
}

}  // namespace nibble::peers
