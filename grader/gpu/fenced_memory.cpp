#include "gpu/fenced_memory.hpp"

#include <algorithm>
#include <utility>

namespace nibble::gpu {
namespace {

/// splitmix64: what stands in a fence cannot be guessed from what stands in another.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E37'79B9'7F4A'7C15;
  x = (x ^ (x >> 30)) * 0xBF58'476D'1CE4'E5B9;
  x = (x ^ (x >> 27)) * 0x94D0'49BB'1331'11EB;
  return x ^ (x >> 31);
}

}  // namespace

FencedMemory::FencedMemory(const Gpu& gpu, std::string name, std::span<const std::byte> host,
                           bool is_output, std::uint64_t seed, Fences fences)
    : fence_(fences == Fences::kYes ? kFence : 0),
      name_(std::move(name)),
      host_(host),
      is_output_(is_output),
      seed_(seed),
      memory_(gpu, host.size() + 2 * fence_) {
  memory_.write(0, pattern(0));
  memory_.write(fence_, host_);  // of an output: the poison that the judge left there
  memory_.write(fence_ + host_.size(), pattern(1));
}

std::vector<std::byte> FencedMemory::pattern(std::uint64_t side) const {
  std::vector<std::byte> bytes(fence_);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(mixed(seed_ ^ mixed(2 * i + side)) & 0xFF);
  }
  return bytes;
}

std::vector<std::byte> FencedMemory::read(std::size_t offset, std::size_t bytes) const {
  std::vector<std::byte> found(bytes);
  memory_.read(offset, found);
  return found;
}

std::optional<Damage> FencedMemory::damage() const {
  const auto count = [](const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
    std::size_t different = 0;
    for (std::size_t i = 0; i < a.size(); ++i) different += a[i] != b[i] ? 1 : 0;
    return different;
  };
  const std::vector<std::byte> after = read(fence_ + host_.size(), fence_), right = pattern(1);
  if (const std::size_t bytes = count(after, right); bytes > 0) {
    const auto first = std::ranges::mismatch(after, right).in1 - after.begin();
    return Damage{static_cast<std::int64_t>(host_.size()) + first, bytes};
  }
  const std::vector<std::byte> before = read(0, fence_), left = pattern(0);
  if (const std::size_t bytes = count(before, left); bytes > 0) {
    const auto last = std::mismatch(before.rbegin(), before.rend(), left.rbegin()).first;
    return Damage{-1 - (last - before.rbegin()), bytes};
  }
  return std::nullopt;
}

std::optional<std::size_t> FencedMemory::changed_byte() const {
  if (is_output_) return std::nullopt;
  const std::vector<std::byte> now = read(fence_, host_.size());
  const auto first = std::ranges::mismatch(now, host_).in1;
  if (first == now.end()) return std::nullopt;
  return static_cast<std::size_t>(first - now.begin());
}

}  // namespace nibble::gpu
