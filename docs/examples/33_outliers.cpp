// A layer of which four inputs are twenty times as large as the others, at 8, 6 and 4 bits: as it
// is, with scales moved into the weights, and rotated.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <vector>

using Numbers = std::vector<double>;
constexpr std::size_t kInputs = 64, kOutputs = 32, kSamples = 64;

/// Sums of twelve uniform numbers: nearly normal.
double normal(std::uint64_t& state) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    sum += static_cast<double>(state >> 40) * 0x1p-24;
  }
  return sum;
}

/// Symmetric, with a scale for each row: a token of x, an output of w.
Numbers rounded(Numbers a, int bits) {
  for (std::size_t row = 0; row < a.size(); row += kInputs) {
    double amax = 0;
    for (std::size_t i = 0; i < kInputs; ++i) amax = std::fmax(amax, std::fabs(a[row + i]));
    const double scale = amax / (std::ldexp(1.0, bits - 1) - 1);
    for (std::size_t i = 0; i < kInputs; ++i) {
      a[row + i] = scale * std::nearbyint(a[row + i] / scale);
    }
  }
  return a;
}

Numbers product(const Numbers& x, const Numbers& w) {
  Numbers y(kSamples * kOutputs);
  for (std::size_t at = 0; at < y.size(); ++at) {
    for (std::size_t i = 0; i < kInputs; ++i) {
      y[at] += x[at / kOutputs * kInputs + i] * w[at % kOutputs * kInputs + i];
    }
  }
  return y;
}

/// Signal to noise of the outputs, in decibels, when x and w are rounded.
double decibels(const Numbers& x, const Numbers& w, int bits) {
  const Numbers want = product(x, w), got = product(rounded(x, bits), rounded(w, bits));
  double signal = 0, noise = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    signal += want[i] * want[i];
    noise += (got[i] - want[i]) * (got[i] - want[i]);
  }
  return 10 * std::log10(signal / noise);
}

// [move]
/// Divides every input by factor[i], and multiplies its weights: the product is the same.
void move(Numbers& x, Numbers& w, const Numbers& factor) {
  for (std::size_t at = 0; at < x.size(); ++at) x[at] /= factor[at % kInputs];
  for (std::size_t at = 0; at < w.size(); ++at) w[at] *= factor[at % kInputs];
}

/// Every row times an orthogonal matrix of plus and minus 1/8: the product is the same, again.
Numbers turned(const Numbers& a) {
  Numbers all(a.size());
  for (std::size_t at = 0; at < a.size(); ++at) {
    const std::size_t row = at / kInputs * kInputs, j = at % kInputs;
    for (std::size_t i = 0; i < kInputs; ++i) {
      all[at] += (std::popcount(i & j) % 2 == 0 ? 1 : -1) * a[row + i] / 8;
    }
  }
  return all;
}
// [/move]

double largest(const Numbers& a, std::size_t i) {
  double most = 0;
  for (std::size_t at = i; at < a.size(); at += kInputs) most = std::fmax(most, std::fabs(a[at]));
  return most;
}

int main() {
  std::uint64_t state = 1;
  Numbers x(kSamples * kInputs), w(kOutputs * kInputs);
  for (double& v : x) v = normal(state);
  for (double& v : w) v = normal(state);
  for (std::size_t at = 0; at < x.size(); ++at) {
    if (at % kInputs % 16 == 5) x[at] *= 20;
  }
  std::printf("signal to noise of y        8 bits    6 bits    4 bits\n");
  const auto tell = [&](const char* how, const Numbers& a, const Numbers& b) {
    std::printf("%-24s %6.1f dB %6.1f dB %6.1f dB\n", how, decibels(a, b, 8), decibels(a, b, 6),
                decibels(a, b, 4));
  };
  tell("as it is", x, w);
  for (const double alpha : {0.25, 0.5, 0.75}) {
    Numbers a = x, b = w, factor(kInputs);
    for (std::size_t i = 0; i < kInputs; ++i) {
      factor[i] = std::pow(largest(x, i), alpha) / std::pow(largest(w, i), 1 - alpha);
    }
    move(a, b, factor);
    char how[32];
    std::snprintf(how, sizeof how, "smoothed, alpha %.2f", alpha);
    tell(how, a, b);
  }
  tell("rotated", turned(x), turned(w));
}
