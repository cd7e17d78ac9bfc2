// The data of one round of a measurement: nothing that was drawn before, written down or handed out
// tells anything about them. Each round has 256 bits of entropy of its own, and a cipher makes as
// much of them as is asked for: it is as fast as the copying,
// and has no state that could be searched for.
#pragma once

#include <openssl/evp.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace nibble::judge {

class FreshData {
 public:
  /// Asks the system for entropy. Throws KitError when it has none.
  FreshData();

  std::vector<std::byte> bytes(std::size_t count);

  /// Uniform integers in [low, high], as codes of type T.
  template <std::integral T>
  std::vector<T> codes(std::size_t count, int low, int high);

  /// Uniform floats in [low, high).
  std::vector<float> uniform(std::size_t count, float low, float high);
  float uniform(float low, float high) { return uniform(1, low, high).front(); }

  /// A number below `bound`, which is small against 2^64.
  std::size_t below(std::size_t bound);

 private:
  void fill(std::span<std::byte> out);

  struct Free {
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
  };
  std::unique_ptr<EVP_CIPHER_CTX, Free> cipher_;
};

template <std::integral T>
std::vector<T> FreshData::codes(std::size_t count, int low, int high) {
  std::vector<T> out(count);
  const auto width = static_cast<std::uint64_t>(high - low) + 1;
  if (width == std::uint64_t{1} << (8 * sizeof(T))) {
    fill(std::as_writable_bytes(std::span(out)));  // every pattern of bits is a code
    return out;
  }
  std::vector<std::uint32_t> words(count);
  fill(std::as_writable_bytes(std::span(words)));
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = static_cast<T>(low + static_cast<int>(words[i] * width >> 32));
  }
  return out;
}

}  // namespace nibble::judge
