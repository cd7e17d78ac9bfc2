#include "judge/fresh_data.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

#if __has_include(<sys/random.h>)
#include <sys/random.h>
#endif

#include "judge/kit_error.hpp"

namespace nibble::judge {

FreshData::FreshData() : cipher_(EVP_CIPHER_CTX_new()) {
  std::array<unsigned char, 32> key{};
  if (getentropy(key.data(), key.size()) != 0) throw system_error("getentropy");
  constexpr std::array<unsigned char, 16> kFromTheStart{};  // no key is used twice
  if (cipher_ == nullptr || EVP_EncryptInit_ex(cipher_.get(), EVP_aes_256_ctr(), nullptr,
                                               key.data(), kFromTheStart.data()) != 1) {
    throw KitError("this system's OpenSSL has no AES");
  }
}

/// Zeros, enciphered.
void FreshData::fill(std::span<std::byte> out) {
  constexpr std::size_t kPiece = std::size_t{1} << 30;  // OpenSSL counts in int
  std::ranges::fill(out, std::byte{0});
  while (!out.empty()) {
    const std::span<std::byte> piece = out.first(std::min(kPiece, out.size()));
    auto* const data = reinterpret_cast<unsigned char*>(piece.data());
    int written = 0;
    if (EVP_EncryptUpdate(cipher_.get(), data, &written, data, static_cast<int>(piece.size())) != 1)
      throw KitError("OpenSSL does not encipher");
    out = out.subspan(piece.size());
  }
}

std::vector<std::byte> FreshData::bytes(std::size_t count) {
  std::vector<std::byte> out(count);
  fill(out);
  return out;
}

std::vector<float> FreshData::uniform(std::size_t count, float low, float high) {
  std::vector<std::uint32_t> words(count);
  fill(std::as_writable_bytes(std::span(words)));
  std::vector<float> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = low + (high - low) * (static_cast<float>(words[i] >> 8) * 0x1p-24f);
  }
  return out;
}

std::size_t FreshData::below(std::size_t bound) {
  std::uint64_t word = 0;
  fill(std::as_writable_bytes(std::span(&word, 1)));
  return static_cast<std::size_t>(word % bound);
}

}  // namespace nibble::judge
