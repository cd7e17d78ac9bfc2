// Holds a launch against the limits of the device and against the kernel's __launch_bounds__.
#include "limits.hpp"

#include <cstdint>
#include <cstdio>

#include "fiber.hpp"
#include "finding.hpp"
#include "launch_state.hpp"
#include "runtime_state.hpp"

namespace nibble::simt {
namespace {

// The engine lists the blocks of a launch, and needs seconds for so many threads even without
// checks.
constexpr std::uint64_t kMostBlocks = std::uint64_t{1} << 24, kMostThreads = std::uint64_t{1} << 28;

// Those that wait for each other: their stacks are kept,
// a few hundred bytes each or a few thousand.
constexpr std::uint64_t kMostTogether = std::uint64_t{1} << 16;

char sentence[112];

template <class... Values>
const char* say(const char* format, Values... values) {
  std::snprintf(sentence, sizeof sentence, format, values...);
  return sentence;
}

const char* beyond_the_engine(unsigned long long asked, const char* what, unsigned long long most) {
  return say("%llu %s in a grid; a GPU takes them, the engine at most %llu", asked, what, most);
}

}  // namespace

unsigned most_shared(int sm) {
  switch (sm) {
    case 75:
      return 64 * 1024;
    case 80:
    case 87:
      return 163 * 1024;
    case 86:
    case 88:
    case 89:
    case 120:
    case 121:
      return 99 * 1024;
    default:
      return sm >= 90 ? 227 * 1024 : 48 * 1024;
  }
}

std::uint64_t blocks_to_run(const LaunchConfig& config) {
  const dim3 g = config.grid, first = config.first;
  return std::uint64_t{g.x - first.x} * (g.y - first.y) * (g.z - first.z);
}

const char* why_not(const LaunchConfig& config, int sm) {
  const dim3 g = config.grid, b = config.block;
  const auto threads = std::uint64_t{b.x} * b.y * b.z;
  if (threads == 0) return say("a block of %u x %u x %u threads has none", b.x, b.y, b.z);
  if (threads > 1024) {
    return say("%llu threads in a block; a GPU takes at most 1024",
               static_cast<unsigned long long>(threads));
  }
  if (b.z > 64) {
    return say("a block of %u x %u x %u threads; a GPU takes at most 1024 x 1024 x 64", b.x, b.y,
               b.z);
  }
  if (std::uint64_t{g.x} * g.y * g.z == 0) {
    return say("a grid of %u x %u x %u blocks has none", g.x, g.y, g.z);
  }
  if (g.x > 0x7fffffff || g.y > 65535 || g.z > 65535) {
    return say("a grid of %u x %u x %u blocks; a GPU takes at most 2147483647 x 65535 x 65535", g.x,
               g.y, g.z);
  }
  if (const std::uint64_t blocks = blocks_to_run(config); blocks > kMostBlocks) {
    return beyond_the_engine(blocks, "blocks", kMostBlocks);
  } else if (blocks * threads > kMostThreads) {
    return beyond_the_engine(blocks * threads, "threads", kMostThreads);
  }
  if (const std::uint64_t all = std::uint64_t{g.x} * g.y * g.z * threads;
      config.cooperative && all > kMostTogether) {
    return say("%llu threads that may wait for each other; the engine has room for %llu",
               static_cast<unsigned long long>(all),
               static_cast<unsigned long long>(kMostTogether));
  }
  if (config.shared_bytes > most_shared(sm)) {
    return say("%zu bytes of dynamic shared memory; sm_%d has at most %u", config.shared_bytes, sm,
               most_shared(sm));
  }
  return nullptr;
}

const char* why_not_unasked(const LaunchConfig& config, unsigned most) {
  if (config.shared_bytes <= most) return nullptr;
  return say("%zu bytes of dynamic shared memory; beyond %u cudaFuncSetAttribute is asked first",
             config.shared_bytes, most);
}

void keep_within_launch_bounds(unsigned threads, unsigned, unsigned) {
  if (running.threads <= threads) return;
  if (EngineFinding* const finding = new_finding(Kind::kBadLaunch, NIBBLE_SIMT_PC)) {
    set_detail(*finding, "%u threads in a block; the kernel's __launch_bounds__ allow %u",
               running.threads, threads);
    publish(finding);
  }
  end_launch(kErrorInvalidConfiguration);
}

}  // namespace nibble::simt
