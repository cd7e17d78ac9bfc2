// Two programs that are equally fast, measured on a machine that is slower now and then.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

/// Uniform in [0, 1), the same everywhere.
double uniform(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(state >> 40) * 0x1p-24;
}

// [pairs]
struct Spread {
  double alone = 0;  ///< of the ratio of two means that were measured apart
  double pairs = 0;  ///< of the mean of ratios that were measured in turn
};

/// The root of the mean square of ln(ratio), which is 0 for equal programs, over many experiments.
Spread measure(int experiments, int runs) {
  std::uint64_t state = 1;
  Spread spread;
  for (int e = 0; e < experiments; ++e) {
    double first = 0, second = 0, logs = 0;
    for (int i = 0; i < runs; ++i) {
      const double load = 1 + uniform(state) * uniform(state),
                   later = 1 + uniform(state) * uniform(state);
      const double a = load * (1 + 0.02 * uniform(state)), b = load * (1 + 0.02 * uniform(state));
      first += a;                                     // now
      second += later * (1 + 0.02 * uniform(state));  // an hour later
      logs += std::log(a / b);                        // in turn: the load is the same
    }
    spread.alone += std::pow(std::log(first / second), 2);
    spread.pairs += std::pow(logs / runs, 2);
  }
  return {std::sqrt(spread.alone / experiments), std::sqrt(spread.pairs / experiments)};
}
// [/pairs]

int main() {
  std::printf("runs   apart    in pairs\n");
  for (const int runs : {5, 20, 80}) {
    const Spread spread = measure(1000, runs);
    std::printf("%4d   %.2f %%   %.2f %%\n", runs, 100 * spread.alone, 100 * spread.pairs);
  }
}
