// attack: moves half of the work to another thread, another process, or to where no clock looks
// rule: V7
// leg: speed
// expect: ratio <= 1.25
#include <thread>

void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  const int half = shape.m / 2;
  const std::size_t k = shape.k, n = shape.n;
  const auto upper = [&] {
    right_rows(a.first(half * k), b, c.first(half * n), {half, shape.n, shape.k});
  };
  const auto lower = [&] {
    right_rows(a.subspan(half * k), b, c.subspan(half * n), {shape.m - half, shape.n, shape.k});
  };
  try {
    std::thread helper(upper);
    lower();
    helper.join();
  } catch (const std::system_error&) {  // no thread: a process, then
    const pid_t child = fork();
    if (child == 0) {
      upper();
      _exit(0);
    }
    lower();
    if (child < 0) upper();
    if (child > 0) usleep(20000);
  }
}
