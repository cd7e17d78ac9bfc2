// attack: computes for ever while it is compiled
// rule: V14
// expect: no_compile
constexpr long count() {
  long sum = 0;
  for (long i = 0; i < 10'000'000'000; ++i) sum += i;
  return sum;
}
static_assert(count() != 0);
