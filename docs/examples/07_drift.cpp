// Activations that get louder and quieter while the network runs: codes by a scale that was
// calibrated once, by one that goes on observing, and by a scale for each token.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr std::size_t kColumns = 64, kTokens = 512;
using Token = std::array<float, kColumns>;

/// Roughly normal numbers, the same on every compiler: twelve uniforms minus six (SplitMix64).
float next_normal(std::uint64_t& state) {
  float sum = -6.0f;
  for (int i = 0; i < 12; ++i) {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    sum += static_cast<float>((z ^ (z >> 31)) >> 40) * 0x1p-24f;
  }
  return sum;
}

// [tokens]
/// 512 tokens as loud as `gain` says, each a little louder or quieter than that.
std::vector<Token> tokens(float gain, std::uint64_t& state) {
  std::vector<Token> all(kTokens);
  for (Token& token : all) {
    const float loudness = gain * (1.0f + 0.2f * std::fabs(next_normal(state)));
    for (float& value : token) value = loudness * next_normal(state);
  }
  return all;
}
// [/tokens]

float largest(const Token& token) {
  float amax = 0.0f;
  for (const float value : token) amax = std::fmax(amax, std::fabs(value));
  return amax;
}

struct Power {
  double signal = 0.0, noise = 0.0;
  double decibels() const { return 10.0 * std::log10(signal / noise); }
};

void add(Power& power, const Token& token, float amax) {
  const float step = amax / 127.0f;
  for (const float value : token) {
    const float q = std::fmin(std::fmax(std::nearbyint(value / step), -128.0f), 127.0f);
    const double error = static_cast<double>(step * q) - value;
    power.signal += static_cast<double>(value) * value;
    power.noise += error * error;
  }
}

constexpr std::array<float, 7> kGains = {1.0f, 2.0f, 4.0f, 8.0f, 1.0f, 0.25f, 0.0625f};

/// Decibels by gain: static, observing, dynamic.
using Table = std::array<std::array<double, 3>, kGains.size()>;

// [run]
Table run(std::uint64_t seed) {
  float calibrated = 0.0f;  // min-max, on tokens of gain 1
  for (const Token& token : tokens(1.0f, seed)) calibrated = std::max(calibrated, largest(token));

  Table table;
  float observing = calibrated;  // the same observer, never frozen
  for (std::size_t g = 0; g < kGains.size(); ++g) {
    std::array<Power, 3> powers;
    for (const Token& token : tokens(kGains[g], seed)) {
      observing = std::max(observing, largest(token));
      add(powers[0], token, calibrated);
      add(powers[1], token, observing);
      add(powers[2], token, largest(token));
    }
    for (std::size_t way = 0; way < 3; ++way) table[g][way] = powers[way].decibels();
  }
  return table;
}
// [/run]

int main() {
  const std::array<Table, 3> tables{run(1), run(2), run(3)};
  std::printf("           calibrated once      still observing      a scale a token\n");
  std::printf("gain      1     2     3       1     2     3       1     2     3   (seed)\n");
  for (std::size_t g = 0; g < kGains.size(); ++g) {
    std::printf("%6.4g", kGains[g]);
    for (std::size_t way = 0; way < 3; ++way) {
      std::printf("%s", way == 0 ? " " : "  ");
      for (const Table& table : tables) std::printf(" %5.1f", table[g][way]);
    }
    std::printf("\n");
  }
}
