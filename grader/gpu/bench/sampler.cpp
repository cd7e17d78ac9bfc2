#include "gpu/bench/sampler.hpp"

#include <limits>
#include <vector>

namespace nibble::gpu {
namespace {

Sampled sample_once(const Gpu& gpu, const Stream& stream, const KitKernels& kit,
                    const std::function<void(int)>& start, int samples, int warm_ups) {
  const Memory before(gpu, kit.stamp_bytes()), after(gpu, kit.stamp_bytes());
  for (const Memory* const stamps : {&before, &after}) {
    check(gpu.driver(),
          gpu.driver().cuMemsetD8Async(stamps->address(), 0, stamps->bytes(), stream.handle()),
          "clearing memory");
  }
  for (int i = 0; i < warm_ups; ++i) start(i);
  std::vector<Event> begins, ends;
  for (int i = 0; i < samples; ++i) {
    begins.emplace_back(gpu);
    ends.emplace_back(gpu);
  }
  kit.stamp(before);
  for (int i = 0; i < samples; ++i) {
    const auto at = static_cast<std::size_t>(i);
    begins[at].record(stream);
    start(warm_ups + i);
    ends[at].record(stream);
  }
  kit.stamp(after);
  stream.synchronize();
  std::vector<double> times;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    times.push_back(ends[i].microseconds_since(begins[i]));
  }
  return {times_of(times), KitKernels::mhz_between(before, after)};
}

double spread(const Times& times) {
  return times.p10_us > 0 ? times.p90_us / times.p10_us : std::numeric_limits<double>::infinity();
}

}  // namespace

Sampled sample(const Gpu& gpu, const Stream& stream, const KitKernels& kit,
               const std::function<void(int)>& start, int samples, int warm_ups) {
  constexpr int kMostTimes = 5;
  Sampled best = sample_once(gpu, stream, kit, start, samples, warm_ups);
  for (int time = 1; time < kMostTimes && spread(best.times) > kMostSpread; ++time) {
    Sampled again = sample_once(gpu, stream, kit, start, samples, warm_ups);
    if (spread(again.times) < spread(best.times)) best = again;
  }
  best.is_steady = spread(best.times) <= kMostSpread;
  return best;
}

}  // namespace nibble::gpu
