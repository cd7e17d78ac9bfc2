#include "gpu/bench/sampler.hpp"

#include <vector>

namespace nibble::gpu {

Sampled sample(const Gpu& gpu, const Stream& stream, const KitKernels& kit,
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

}  // namespace nibble::gpu
