#include "formats/resident.hpp"

#include <fstream>
#include <iterator>

#include "formats/product.hpp"

namespace nibble::formats {
namespace {

std::optional<std::size_t> private_bytes_now() {
  std::ifstream in("/proc/self/smaps_rollup");
  return private_bytes({std::istreambuf_iterator<char>(in), {}});
}

}  // namespace

std::optional<std::size_t> private_bytes(const std::string& rollup) {
  constexpr std::string_view kName = "\nPrivate_Dirty:";
  const std::size_t at = rollup.find(kName);
  if (at == std::string::npos) return {};
  return std::stoull(rollup.substr(at + kName.size())) * 1024;
}

std::optional<std::size_t> growth_in(NumberFormat format, Isa isa, ProblemSize size) {
  const auto before = private_bytes_now();
  const PackedWeights weights = packed_weights(format, size);
  const Activations x = activations_for(format, some_activations(1, size.k), 1);
  Workspace workspace;
  std::vector<float> y(weights.n);
  multiply(isa, x, weights, workspace, y);
  const auto after = private_bytes_now();
  if (!before || !after || *after < *before) return {};
  return *after - *before;
}

}  // namespace nibble::formats
