// A sum that stops growing: 16,777,216 and then a million ones.
#include <cstdio>

// [sum]
/// 2^24, and then 1 added `ones` times, in a variable of type T.
template <class T>
T sum_of_ones(int ones) {
  T sum = 16777216;  // 2^24: the next float32 is 16777218
  for (int i = 0; i < ones; ++i) sum += 1;
  return sum;
}
// [/sum]

int main() {
  std::printf("float   %.0f\n", sum_of_ones<float>(1'000'000));
  std::printf("double  %.0f\n", sum_of_ones<double>(1'000'000));
}
