// Lab 17's published solution, on a CPU that has tiles.
#include "cpu_amx.hpp"
#include "isa_names.hpp"
#include "lab_product.hpp"

namespace nibble::peers {
namespace {

class Lab17 : public LabProduct {
 public:
  std::string about() const override { return "lab 17, tiles of the hardware"; }

 protected:
  std::size_t packed_size(MatmulShape shape) const override { return packed_b_size(shape); }
  void pack_b(std::span<const std::int8_t> b_t, std::span<std::int8_t> packed,
              MatmulShape shape) override {
    nibble::pack_b(b_t, packed, shape);
  }
  void multiply(std::span<const std::int8_t> a, std::span<const std::int8_t> packed,
                std::span<std::int32_t> c, MatmulShape shape) override {
    multiply_tiles(TileEngine::kHardware, a, packed, c, shape);
  }
  void multiply_fused(std::span<const std::int8_t> a, std::span<const std::int8_t> packed,
                      std::span<const float> scale, std::span<const float> bias, std::span<float> c,
                      MatmulShape shape) override {
    multiply_tiles_fused(TileEngine::kHardware, a, packed, scale, bias, c, shape);
  }
};

}  // namespace

Peer* open_peer(const char*) {
  isa_here("amx_int8");
  if (!HardwareTiles::usable()) throw std::runtime_error("the system grants no tiles");
  return new Lab17;
}

}  // namespace nibble::peers
