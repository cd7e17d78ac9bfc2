// What the functions of <cmath> that round make of halves, and what it does to a mean.
#include <cmath>
#include <cstdio>
#include <initializer_list>

// [table]
void print_row(double x) {
  std::printf("%5.1f %7.0f %7.0f %12.0f %7.0f\n", x, std::trunc(x), std::round(x),
              std::floor(x + 0.5), std::rint(x));
}

void print_table() {
  std::printf("    x   trunc   round   floor(+.5)   rint\n");
  for (const double x : {-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5}) print_row(x);
}
// [/table]

// [drift]
/// The mean of `round_it(x) - x` over 0.5, 1.5, … 999999.5: what a rounding rule adds on average.
template <class Rule>
double mean_drift(Rule round_it) {
  constexpr int kCount = 1'000'000;
  double sum = 0.0;
  for (int i = 0; i < kCount; ++i) sum += round_it(i + 0.5) - (i + 0.5);
  return sum / kCount;
}
// [/drift]

int main() {
  print_table();
  std::printf("\nmean drift over a million halves\n");
  std::printf("round  %+.2f\n", mean_drift([](double x) { return std::round(x); }));
  std::printf("rint   %+.2f\n", mean_drift([](double x) { return std::rint(x); }));
}
