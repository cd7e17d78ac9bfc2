// What a sum of products loses where it is kept: in a half, in the 13 bits that were measured on
// tensor cores for e4m3, in those bits and floats by turns, in a float.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

#include "nibble/half.hpp"

using nibble::float_from_half;
using nibble::half_from_float;

// [short_sum]
/// The bits of x from 2^-13 of the leading one of `largest` up.
double without_low_bits(double x, double largest) {
  if (largest == 0) return 0;
  const int lowest = std::ilogb(largest) - 13;
  return std::ldexp(std::trunc(std::ldexp(x, -lowest)), lowest);
}

/// One instruction: c and 32 products, none of which keeps more than the largest of them allows.
double short_sum(double c, const double* products) {
  double largest = std::fabs(c), sum = 0;
  for (int p = 0; p < 32; ++p) largest = std::fmax(largest, std::fabs(products[p]));
  for (int p = 0; p < 32; ++p) sum += without_low_bits(products[p], largest);
  sum += without_low_bits(c, largest);
  return without_low_bits(sum, sum);
}
// [/short_sum]

using Products = std::vector<double>;

double exact(const Products& all) {
  double sum = 0;
  for (const double product : all) sum += product;
  return sum;
}

double in_float(const Products& all) {
  float sum = 0;
  for (const double product : all) sum += float(product);
  return sum;
}

/// As WMMA with accumulators of halves: 16 products, and then a half.
double in_half(const Products& all) {
  double sum = 0;
  for (std::size_t p = 0; p < all.size(); p += 16) {
    for (int e = 0; e < 16; ++e) sum += all[p + e];
    sum = float_from_half(half_from_float(float(sum)));
  }
  return sum;
}

double in_one_level(const Products& all) {
  double sum = 0;
  for (std::size_t p = 0; p < all.size(); p += 32) sum = short_sum(sum, &all[p]);
  return sum;
}

// [two_levels]
double in_two_levels(const Products& all, std::size_t part_of) {
  float sum = 0;
  for (std::size_t first = 0; first < all.size(); first += part_of) {
    double part = 0;
    for (std::size_t p = first; p < first + part_of; p += 32) part = short_sum(part, &all[p]);
    sum += float(part);
  }
  return sum;
}
// [/two_levels]

/// Products of two numbers from 0.25 to 1 with three bits behind the leading one; with signs, or
/// not.
Products products(std::size_t k, bool with_signs) {
  std::uint64_t state = 26;
  const auto draw = [&](int below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return int((state >> 33) % std::uint64_t(below));
  };
  const auto number = [&] { return std::ldexp(8 + draw(8), -4 - draw(2)); };
  Products all(k);
  for (double& product : all) {
    product = number() * number();
    if (with_signs && draw(2) == 0) product = -product;
  }
  return all;
}

void print_errors(bool with_signs) {
  std::printf("\nproducts %s: the error, in parts of the sum of magnitudes\n",
              with_signs ? "of both signs" : "above 0");
  std::puts("    k      half    13 bits   512 at a time   128 at a time     float");
  for (const std::size_t k : {512u, 2048u, 8192u}) {
    const Products all = products(k, with_signs);
    double magnitude = 0;
    for (const double product : all) magnitude += std::fabs(product);
    const auto error = [&](double sum) { return 100 * std::fabs(sum - exact(all)) / magnitude; };
    std::printf("%5zu %7.3f %% %7.3f %% %13.3f %% %13.3f %% %7.3f %%\n", k, error(in_half(all)),
                error(in_one_level(all)), error(in_two_levels(all, 512)),
                error(in_two_levels(all, 128)), error(in_float(all)));
  }
}

int main() {
  const Products ones(4096, 1.0);
  Products almost = ones;
  for (double& product : almost) product = 1 + 0x1p-3;
  std::puts("sums of 4096          half   13 bits   in two levels");
  std::printf("ones              %8.0f  %8.0f  %8.0f\n", in_half(ones), in_one_level(ones),
              in_two_levels(ones, 128));
  std::printf("times 1.125       %8.0f  %8.0f  %8.0f of %.0f\n", in_half(almost),
              in_one_level(almost), in_two_levels(almost, 128), exact(almost));
  print_errors(false);
  print_errors(true);
}
