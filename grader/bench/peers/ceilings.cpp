// Samples of every instruction and of every size of memory, taken
// in turn, as one list for each ceiling.
#include "ceilings.hpp"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>

#include "bursts.hpp"
#include "peer.hpp"
#include "read.hpp"
#include "two_threads.hpp"

namespace nibble::peers {
namespace {

constexpr int kBurstRounds = 20000;
/// First level, second level, third level, and memory: what CPUs call so differs, and what
/// a virtual machine says of them need not be true.
constexpr std::int64_t kBufferBytes[] = {16 << 10, 256 << 10, 8 << 20, 256 << 20};
constexpr std::int64_t kMoved = 16 << 20;  // bytes a sample, at least

double clock_now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// Seconds: of this thread's CPU where it is alone, of the wall's clock where two work.
double seconds_of(TwoThreads& threads, int count, const std::function<void(int)>& work) {
  const clockid_t clock = count == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  threads.run(work);
  const double begin = clock_now(clock);
  threads.run(work);
  return clock_now(clock) - begin;
}

/// A way to move bytes; `moved` counts those read and those written.
struct Move {
  const char* name;
  int moved;
  void (*run)(std::span<std::int8_t> to, std::span<const std::int8_t> from);
};

constexpr Move kMoves[] = {
    {"read", 1, [](std::span<std::int8_t>, std::span<const std::int8_t> from) { read_all(from); }},
    {"write", 1,
     [](std::span<std::int8_t> to, std::span<const std::int8_t>) {
       std::memset(to.data(), 3, to.size());
     }},
    {"copy", 2,
     [](std::span<std::int8_t> to, std::span<const std::int8_t> from) {
       std::memcpy(to.data(), from.data(), from.size());
     }},
};

double sample(const Burst& burst, TwoThreads& threads, int count) {
  const double seconds = seconds_of(threads, count, [&](int) { burst.run(kBurstRounds); });
  return burst.operations * kBurstRounds * count / seconds * 1e-9;
}

/// Each thread has buffers of its own.
struct Buffers {
  Lines<std::int8_t> from[2], to[2];
};

double sample(const Move& move, std::int64_t bytes, Buffers& buffers, TwoThreads& threads,
              int count) {
  const std::int64_t repeats = std::max<std::int64_t>(1, kMoved / bytes);
  const double seconds = seconds_of(threads, count, [&](int thread) {
    const auto to = std::span(buffers.to[thread]).first(bytes);
    const auto from = std::span(buffers.from[thread]).first(bytes);
    for (std::int64_t i = 0; i < repeats; ++i) {
      move.run(to, from);
      asm volatile("" ::: "memory");
    }
  });
  return double(bytes * move.moved * repeats * count) / seconds * 1e-9;
}

std::string size_name(std::int64_t bytes) {
  return bytes >= 1 << 20 ? std::to_string(bytes >> 20) + " MiB"
                          : std::to_string(bytes >> 10) + " KiB";
}

/// One list for each ceiling, empty so far.
std::vector<Ceiling> ceilings_for(int threads) {
  std::vector<Ceiling> ceilings;
  for (const Burst& burst : bursts_here()) {
    ceilings.push_back({.name = burst.name, .family = burst.family, .threads = threads});
  }
  for (const std::int64_t bytes : kBufferBytes) {
    for (const Move& move : kMoves) {
      ceilings.push_back({.name = std::string(move.name) + ", " + size_name(bytes),
                          .threads = threads,
                          .bytes = bytes});
    }
  }
  return ceilings;
}

void sample_all(std::vector<Ceiling>& ceilings, Buffers& buffers, TwoThreads& threads, int count) {
  auto next = ceilings.begin();
  for (const Burst& burst : bursts_here()) next++->samples.push_back(sample(burst, threads, count));
  for (const std::int64_t bytes : kBufferBytes) {
    for (const Move& move : kMoves) {
      next++->samples.push_back(sample(move, bytes, buffers, threads, count));
    }
  }
}

}  // namespace

std::vector<Ceiling> measure_ceilings(int rounds) {
  Buffers buffers;
  std::vector<Ceiling> all;
  for (const int count : {1, 2}) {
    TwoThreads threads(count);
    std::vector<Ceiling> ceilings = ceilings_for(count);
    for (int thread = 0; thread < count; ++thread) {
      buffers.from[thread].assign(kBufferBytes[3], 1);
      buffers.to[thread].assign(kBufferBytes[3], 2);
    }
    for (int round = 0; round < rounds; ++round) sample_all(ceilings, buffers, threads, count);
    all.insert(all.end(), ceilings.begin(), ceilings.end());
  }
  return all;
}

const Ceiling* peak_of(const std::vector<Ceiling>& ceilings, const std::string& family,
                       int threads) {
  for (const Ceiling& ceiling : ceilings) {
    if (!family.empty() && ceiling.family == family && ceiling.threads == threads) return &ceiling;
  }
  return nullptr;
}

const Ceiling* read_ceiling(const std::vector<Ceiling>& ceilings, std::int64_t bytes, int threads) {
  const Ceiling* nearest = nullptr;
  const auto distance = [&](const Ceiling& ceiling) {
    return std::abs(std::log2(double(ceiling.bytes) / double(bytes)));
  };
  for (const Ceiling& ceiling : ceilings) {
    if (!ceiling.name.starts_with("read") || ceiling.threads != threads) continue;
    if (nearest == nullptr || distance(ceiling) < distance(*nearest)) nearest = &ceiling;
  }
  return nearest;
}

}  // namespace nibble::peers
