// GPTQ as it was found: fix one weight, solve for all others, forget the weight. No factor yet.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <vector>

using Numbers = std::vector<double>;

// [step]
/// Weight i is off by `error` for good. Moves the others to where the loss is least, and takes
/// weight i out of `inverse`, the inverse of the second derivatives of those that are still free.
void settle(Numbers& w, Numbers& inverse, std::size_t i, double error) {
  const std::size_t n = w.size();
  const Numbers row(inverse.begin() + static_cast<std::ptrdiff_t>(i * n),
                    inverse.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
  for (std::size_t p = i + 1; p < n; ++p) {
    w[p] -= error * row[p] / row[i];
    for (std::size_t r = i + 1; r < n; ++r) inverse[r * n + p] -= row[r] * row[p] / row[i];
  }
}
// [/step]

/// Sums of twelve uniform numbers: nearly normal.
double normal(std::uint64_t& state) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    sum += static_cast<double>(state >> 40) * 0x1p-24;
  }
  return sum;
}

Numbers inverted(Numbers a, std::size_t n) {
  Numbers b(n * n);
  for (std::size_t i = 0; i < n; ++i) b[i * (n + 1)] = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const double pivot = a[i * (n + 1)];
    for (std::size_t j = 0; j < n; ++j) a[i * n + j] /= pivot, b[i * n + j] /= pivot;
    for (std::size_t r = 0; r < n; ++r) {
      const double factor = r == i ? 0 : a[r * n + i];
      for (std::size_t j = 0; j < n; ++j) {
        a[r * n + j] -= factor * a[i * n + j];
        b[r * n + j] -= factor * b[i * n + j];
      }
    }
  }
  return b;
}

/// What is left of rounding's squared error, for a row of 64 weights.
double left_over(int bits, double likeness, std::uint64_t seed) {
  constexpr std::size_t n = 64, samples = 256;
  Numbers x(samples * n), w(n), costs(n * n);
  for (double& value : x) value = normal(seed);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i % n > 0) x[i] = likeness * x[i - 1] + std::sqrt(1 - likeness * likeness) * x[i];
  }
  double amax = 0, mean = 0;
  for (double& value : w) amax = std::fmax(amax, std::fabs(value = normal(seed)));
  for (std::size_t at = 0; at < n * n; ++at) {
    for (std::size_t s = 0; s < samples; ++s) costs[at] += x[s * n + at / n] * x[s * n + at % n];
    if (at % (n + 1) == 0) mean += costs[at] / n;
  }
  for (std::size_t i = 0; i < n; ++i) costs[i * (n + 1)] += 0.01 * mean;

  const double qmax = std::ldexp(1.0, bits - 1) - 1, scale = amax / qmax;
  const auto rounded = [&](double value) {
    return scale * std::fmin(std::fmax(std::nearbyint(value / scale), -qmax - 1), qmax);
  };
  Numbers now = w, inverse = inverted(costs, n), off(n), plain(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double kept = rounded(now[i]);
    plain[i] = rounded(w[i]) - w[i];
    off[i] = kept - w[i];
    settle(now, inverse, i, now[i] - kept);
  }
  double gptq = 0, rounding = 0;
  for (std::size_t s = 0; s < samples; ++s) {
    double a = 0, b = 0;
    for (std::size_t i = 0; i < n; ++i) a += x[s * n + i] * off[i], b += x[s * n + i] * plain[i];
    gptq += a * a, rounding += b * b;
  }
  return gptq / rounding;
}

int main() {
  std::printf("likeness of neighbours   2 bits   3 bits   4 bits\n");
  for (const double likeness : {0.0, 0.5, 0.9}) {
    std::printf("%22.1f", likeness);
    for (const int bits : {2, 3, 4}) {
      double logs = 0;
      for (std::uint64_t seed = 1; seed <= 40; ++seed)
        logs += std::log(left_over(bits, likeness, seed));
      std::printf("%7.0f %%", 100 * std::exp(logs / 40));
    }
    std::printf("\n");
  }
}
