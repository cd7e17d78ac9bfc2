// A product and a sum: rounded twice, and rounded once.
#include <cmath>
#include <cstdio>

// [roundings]
void compare(int acc, float scale, float bias) {
  const volatile float product = float(acc) * scale;  // volatile: no compiler joins the two lines
  const float two = product + bias;
  const float one = std::fma(float(acc), scale, bias);
  const double ulp_of_product = std::ldexp(1.0, std::ilogb(float(product)) - 23);
  std::printf("%5d * %.4f %+11.5f   %13.9g   %15.9g   %4.2f\n", acc, scale, bias, two, one,
              std::fabs(double(two) - one) / ulp_of_product);
}
// [/roundings]

int main() {
  std::puts("acc * scale + bias             two roundings      one rounding   apart, in ulp");
  std::puts("                                                                  of the product");
  compare(1000, 0.0123f, 1.5f);
  compare(12345, 0.0123f, -3.0f);
  compare(12345, 0.0123f, -151.8435f);
  compare(70001, 0.0517f, -3619.0518f);
}
