// Lab 13's published solution as a filter: trits in, one int8 each; the bytes of pack_ternary out.
// Fails where unpack_ternary does not give the trits back.
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

namespace nibble {  // as the contract has it; the kit's tests include no contract
std::vector<std::uint8_t> pack_ternary(std::span<const std::int8_t> trits);
std::vector<std::int8_t> unpack_ternary(std::span<const std::uint8_t> bytes, int count);
}  // namespace nibble

int main() {
  std::vector<std::int8_t> trits;
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    trits.push_back(static_cast<std::int8_t>(c));
  }
  const std::vector<std::uint8_t> bytes = nibble::pack_ternary(trits);
  if (nibble::unpack_ternary(bytes, static_cast<int>(trits.size())) != trits) return 1;
  return std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() ? 0 : 1;
}
