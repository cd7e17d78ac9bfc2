// Values with a long tail, and where each way to choose a clip cuts it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

using Reals = std::vector<float>;

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

// [data]
/// Student's t with five degrees of freedom: bell-shaped, with a tail that is worth a decision.
float next_long_tailed(std::uint64_t& state) {
  float squares = 0.0f;
  for (int i = 0; i < 5; ++i) {
    const float normal = next_normal(state);
    squares += normal * normal;
  }
  return next_normal(state) / std::sqrt(squares / 5.0f);
}
// [/data]

Reals long_tailed(std::uint64_t seed) {
  Reals x(200'000);
  for (float& value : x) value = next_long_tailed(seed);
  return x;
}

Reals magnitudes_of(const Reals& x) {
  Reals sorted;
  for (const float value : x) sorted.push_back(std::fabs(value));
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

/// Signal over noise in decibels, when x is cut at `clip` and rounded to codes up to qmax.
double sqnr_db(const Reals& x, float clip, float qmax) {
  const float step = clip / qmax;
  double signal = 0.0, noise = 0.0;
  for (const float value : x) {
    const float q = std::fmin(std::fmax(std::nearbyint(value / step), -qmax - 1), qmax);
    const double error = static_cast<double>(step * q) - value;
    signal += static_cast<double>(value) * value;
    noise += error * error;
  }
  return 10.0 * std::log10(signal / noise);
}

float clip_of_least_noise(const Reals& x, float amax, float qmax) {
  std::array<double, 101> decibels{};
  for (std::size_t percent = 1; percent <= 100; ++percent) {
    decibels[percent] = sqnr_db(x, amax * static_cast<float>(percent) / 100.0f, qmax);
  }
  const auto best = std::max_element(decibels.begin() + 1, decibels.end()) - decibels.begin();
  return amax * static_cast<float>(best) / 100.0f;
}

/// Ways to do it that are all in the field: which k are tried, and who gets the bins that 128
/// levels do not divide.
struct Variant {
  std::size_t step;
  bool rest_in_last;
};

std::size_t level_of(std::size_t bin, std::size_t kept, bool rest_in_last) {
  return rest_in_last ? std::min<std::size_t>(bin / (kept / 128), 127) : bin * 128 / kept;
}

/// The information lost when a histogram is cut behind `kept` bins and told in 128 levels.
double information_lost(const std::vector<double>& counts, std::size_t kept, double all,
                        bool rest) {
  double inside = 0.0, lost = 0.0;
  for (std::size_t b = 0; b < kept; ++b) inside += counts[b];
  for (std::size_t begin = 0, end = 0; begin < kept; begin = end) {
    double level = 0.0, used = 0.0;
    for (; end < kept && level_of(end, kept, rest) == level_of(begin, kept, rest); ++end) {
      level += counts[end];
      used += counts[end] > 0.0 ? 1.0 : 0.0;
    }
    for (std::size_t b = begin; b < end; ++b) {
      const double p = (counts[b] + (b + 1 == kept ? all - inside : 0.0)) / all;
      if (p > 0.0 && counts[b] == 0.0) return std::numeric_limits<double>::infinity();
      if (p > 0.0) lost += p * std::log(p * inside * used / level);
    }
  }
  return lost;
}

float clip_of_least_divergence(const Reals& sorted, Variant variant) {
  const double width = sorted.back() / 2048.0;
  std::vector<double> counts(2048);
  for (const float value : sorted) {
    counts[static_cast<std::size_t>(std::fmax(std::ceil(value / width) - 1, 0))] += 1.0;
  }
  const auto all = static_cast<double>(sorted.size());
  std::size_t best = 2048;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t kept = 2048; kept >= 128; kept -= variant.step) {
    const double lost = information_lost(counts, kept, all, variant.rest_in_last);
    if (lost < least) best = kept;
    least = std::fmin(least, lost);
  }
  return static_cast<float>(static_cast<double>(best) * width);
}

constexpr std::size_t kClips = 9;

struct Clip {
  const char* name;
  float at;
};

std::array<Clip, kClips> all_clips(const Reals& x) {
  const Reals sorted = magnitudes_of(x);
  const auto percentile = [&](std::size_t per_mille_tenths) {
    return sorted[sorted.size() * per_mille_tenths / 10'000 - 1];
  };
  return {{{"max |x|", sorted.back()},
           {"99.99 %", percentile(9'999)},
           {"99.9 %", percentile(9'990)},
           {"99 %", percentile(9'900)},
           {"MSE, 8 bits", clip_of_least_noise(x, sorted.back(), 127)},
           {"MSE, 4 bits", clip_of_least_noise(x, sorted.back(), 7)},
           {"entropy", clip_of_least_divergence(sorted, {16, false})},
           {"  every k", clip_of_least_divergence(sorted, {1, false})},
           {"  long last", clip_of_least_divergence(sorted, {1, true})}}};
}

// [draw]
/// A line for each thirtieth of the range: a bar as long as the logarithm of its count, and the
/// clips that lie in it.
void draw(const Reals& x, const std::array<Clip, kClips>& clips) {
  const float amax = clips[0].at, height = amax / 30;
  for (int line = 0; line < 30; ++line) {
    const float from = static_cast<float>(line) * height, to = from + height;
    const auto inside = [&](float value) { return value > from && (value <= to || line == 29); };
    const auto count = static_cast<int>(
        std::count_if(x.begin(), x.end(), [&](float value) { return inside(std::fabs(value)); }));
    const double bar = count == 0 ? 0 : 1 + 2.5 * std::log2(count);
    std::string text(static_cast<std::size_t>(bar), '#'), names;
    for (const Clip& clip : clips) {
      if (clip.name[0] != ' ' && inside(clip.at)) names += std::string("  <- ") + clip.name;
    }
    if (!names.empty()) text.resize(45, ' ');
    std::printf("%5.1f %6d|%s%s\n", to, count, text.c_str(), names.c_str());
  }
}
// [/draw]

int main() {
  const std::array<Reals, 3> tensors{long_tailed(1), long_tailed(2), long_tailed(3)};
  std::array<std::array<Clip, kClips>, 3> clips;
  for (std::size_t s = 0; s < 3; ++s) clips[s] = all_clips(tensors[s]);
  std::printf("up to  count  of 200000 values of |x|\n");
  draw(tensors[0], clips[0]);

  std::printf("\n                    clip              8 bits, dB            4 bits, dB\n");
  std::printf("seed            1     2     3      1     2     3       1     2     3\n");
  for (std::size_t c = 0; c < kClips; ++c) {
    std::printf("%-11s", clips[0][c].name);
    for (std::size_t s = 0; s < 3; ++s) std::printf(" %5.1f", clips[s][c].at);
    for (const float qmax : {127.0f, 7.0f}) {
      std::printf(" ");
      for (std::size_t s = 0; s < 3; ++s) {
        std::printf(" %5.1f", sqnr_db(tensors[s], clips[s][c].at, qmax));
      }
    }
    std::printf("\n");
  }
}
