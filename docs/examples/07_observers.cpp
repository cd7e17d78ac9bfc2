// Three hundred batches, one of them wild: what two observers make of them.
#include <algorithm>
#include <cstdint>
#include <cstdio>

/// SplitMix64: a uniform number in [0, 1), the same on every compiler.
float next_uniform(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return static_cast<float>((z ^ (z >> 31)) >> 40) * 0x1p-24f;
}

int main() {
  std::uint64_t state = 7;
  float extreme = 0.0f, average = 0.0f, mean = 0.0f;
  std::printf("batch   its hi   greatest   moving   mean of all\n");
  for (int batch = 1; batch <= 300; ++batch) {
    // [batches]
    float hi = 3.0f + next_uniform(state);  // an ordinary batch ends between 3 and 4
    if (batch == 10) hi = 40.0f;            // and one does not
    extreme = batch == 1 ? hi : std::max(extreme, hi);
    average = batch == 1 ? hi : average + 0.01f * (hi - average);
    mean += (hi - mean) / static_cast<float>(batch);
    // [/batches]
    if (batch <= 2 || (batch >= 9 && batch <= 11) || batch % 100 == 0) {
      std::printf("%5d   %6.2f   %8.2f   %6.2f   %11.2f\n", batch, hi, extreme, average, mean);
    }
  }
}
