// A network of four layers, each of which may have 3, 4 or 6 bits: what a budget is worth when it
// is spent evenly, and when it is spent where it helps.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <vector>

using Numbers = std::vector<double>;
constexpr std::size_t kLayers = 4, kSide = 32, kCount = kSide * kSide;

/// Sums of twelve uniform numbers: nearly normal.
double normal(std::uint64_t& state) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    sum += static_cast<double>(state >> 40) * 0x1p-24;
  }
  return sum;
}

Numbers rounded(Numbers w, int bits) {
  for (std::size_t row = 0; row < w.size(); row += kSide) {
    double amax = 0;
    for (std::size_t i = 0; i < kSide; ++i) amax = std::fmax(amax, std::fabs(w[row + i]));
    const double step = amax / (std::ldexp(1.0, bits - 1) - 1);
    for (std::size_t i = 0; i < kSide; ++i) w[row + i] = step * std::nearbyint(w[row + i] / step);
  }
  return w;
}

/// Layers that add something to what they get, as those of a transformer do.
Numbers run(const std::vector<Numbers>& layers, Numbers x) {
  for (const Numbers& w : layers) {
    Numbers y = x;
    for (std::size_t o = 0; o < kSide; ++o) {
      double sum = 0;
      for (std::size_t i = 0; i < kSide; ++i) sum += w[o * kSide + i] * x[i];
      y[o] += std::fmax(sum, 0);
    }
    x = y;
  }
  return x;
}

double off(const std::vector<Numbers>& right, const std::vector<Numbers>& other,
           const std::vector<Numbers>& samples) {
  double sum = 0;
  for (const Numbers& x : samples) {
    const Numbers a = run(right, x), b = run(other, x);
    for (std::size_t i = 0; i < kSide; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return sum / static_cast<double>(samples.size() * kSide);
}

// [sensitivity]
/// What each layer costs at so many bits, when all others stay as they are.
Numbers sensitivity(const std::vector<Numbers>& layers, int bits,
                    const std::vector<Numbers>& samples) {
  Numbers errors;
  for (std::size_t l = 0; l < kLayers; ++l) {
    std::vector<Numbers> one = layers;
    one[l] = rounded(one[l], bits);
    errors.push_back(off(layers, one, samples));
  }
  return errors;
}
// [/sensitivity]

int main() {
  std::uint64_t state = 1;
  std::vector<Numbers> layers(kLayers, Numbers(kCount)), samples(64, Numbers(kSide));
  const double sizes[kLayers] = {0.4, 0.05, 0.1, 0.02};
  for (std::size_t l = 0; l < kLayers; ++l) {
    for (double& w : layers[l]) w = sizes[l] * normal(state);
  }
  for (Numbers& x : samples) {
    for (double& v : x) v = normal(state);
  }
  std::printf("one layer alone      layer 0   layer 1   layer 2   layer 3\n");
  for (const int bits : {3, 4, 6}) {
    std::printf("%d bits          ", bits);
    for (const double error : sensitivity(layers, bits, samples)) std::printf("%10.5f", error);
    std::printf("\n");
  }
  const auto tell = [&](const char* how, std::initializer_list<int> bits) {
    std::vector<Numbers> all = layers;
    std::size_t l = 0;
    for (const int width : bits) all[l] = rounded(all[l], width), ++l;
    std::printf("%-26s %.5f\n", how, off(layers, all, samples));
  };
  tell("4 bits a weight: 4 4 4 4", {4, 4, 4, 4});
  tell("4 bits a weight: 6 3 4 3", {6, 3, 4, 3});
}
