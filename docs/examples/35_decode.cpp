// How fast a language model of seven billion weights can write at best, by format and batch.
#include <algorithm>
#include <cstdio>

// [step]
/// Tokens a second of all texts together: weights are read once a step, caches once a text.
double tokens(double weights, double bits, double cache, double batch) {
  const double peak = 100e12, bandwidth = 1e12;  // a machine to calculate with: its ridge is at 100
  const double waits = (weights * bits / 8 + batch * cache) / bandwidth;
  const double computes = 2 * weights * batch / peak;
  return batch / std::max(waits, computes);
}
// [/step]

int main() {
  const double cache = 0.5e9;  // 1,000 tokens of half a megabyte each
  std::printf("bits a weight    batch 1   batch 16   batch 256\n");
  for (const double bits : {32.0, 16.0, 8.0, 4.5}) {
    std::printf("%13.1f %10.0f %10.0f %11.0f\n", bits, tokens(7e9, bits, cache, 1),
                tokens(7e9, bits, cache, 16), tokens(7e9, bits, cache, 256));
  }
}
