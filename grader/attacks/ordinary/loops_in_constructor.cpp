// attack: never gets as far as main
// rule: V9
// expect: points 0
// expect: first N-TIME
namespace {
const bool ready = [] {
  for (volatile int i = 0;; i = i + 1) {
  }
  return true;
}();
}  // namespace
