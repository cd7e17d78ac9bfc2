// Lab 14's published solution: plain C++ that the compiler turned into vectors.
#include "cpu_int8_gemm.hpp"
#include "lab_product.hpp"

namespace nibble::peers {
namespace {

class Lab14 : public LabProduct {
 public:
  bool can(Operation work) const override {
    return work != Operation::kFused && LabProduct::can(work);
  }
  std::string about() const override { return "lab 14, as the compiler vectorised it"; }

 protected:
  std::size_t packed_size(MatmulShape shape) const override {
    return nibble::packed_size(shape) * sizeof(std::int16_t);
  }
  void pack_b(std::span<const std::int8_t> b_t, std::span<std::int8_t> packed,
              MatmulShape shape) override {
    auto* const wide = reinterpret_cast<std::int16_t*>(packed.data());
    nibble::pack_b(b_t, {wide, nibble::packed_size(shape)}, shape);
  }
  void multiply(std::span<const std::int8_t> a, std::span<const std::int8_t> packed,
                std::span<std::int32_t> c, MatmulShape shape) override {
    const auto* const wide = reinterpret_cast<const std::int16_t*>(packed.data());
    multiply_packed(a, {wide, nibble::packed_size(shape)}, c, shape);
  }
};

}  // namespace

Peer* open_peer(const char*) { return new Lab14; }

}  // namespace nibble::peers
