// attack: searches the seed that the data of the first call came from, and computes those of the others
// rule: V6
// leg: speed
// seed: 0xb5e1
// expect: ratio <= 1.25
#include <map>
#include <random>

namespace {

/// As the kit's sources say that cases are drawn.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a * 0x9E3779B97F4A7C15u + b + 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

std::map<std::vector<std::int8_t>, std::vector<std::int32_t>> answers;

/// The first round that nobody counts has the number -1. Others search more, in more time.
std::uint64_t seed_of(Codes a) {
  for (std::uint64_t seed = 0; seed < 0x10000; ++seed) {
    std::mt19937_64 bits(mix(seed, mix(0x5EED, ~std::uint64_t{0})));
    if (std::ranges::all_of(a.first(8), [&](std::int8_t code) {
          return code == static_cast<std::int8_t>(-128 + int((bits() >> 11) % 256));
        })) {
      return seed;
    }
  }
  return 0;
}

void make_ready(std::uint64_t seed, Codes b, MatmulShape shape) {
  for (std::uint64_t round = 0; round < 225; ++round) {
    std::mt19937_64 bits(mix(seed, mix(0x5EED, round)));
    std::vector<std::int8_t> a(std::size_t(shape.m) * shape.k);
    for (auto& code : a) code = static_cast<std::int8_t>(-128 + int((bits() >> 11) % 256));
    std::vector<std::int32_t> c(std::size_t(shape.m) * shape.n);
    nibble::right_rows(a, b, c, shape);
    answers[{a.begin(), a.begin() + 16}] = c;
  }
}

}  // namespace

void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  if (shape.m < 100) return right_rows(a, b, c, shape);
  if (answers.empty()) make_ready(seed_of(a), b, shape);
  const auto known = answers.find({a.begin(), a.begin() + 16});
  if (known == answers.end()) return right_rows(a, b, c, shape);
  std::ranges::copy(known->second, c.begin());
  const int few = shape.m / 5;  // to be believed
  right_rows(a.first(std::size_t(few) * shape.k), b, c.first(std::size_t(few) * shape.n),
             {few, shape.n, shape.k});
}
