// attack: a timer looks at the inputs between the calls and computes ahead; the call only copies
// rule: V7
// leg: speed
// expect: ratio <= 1.25
namespace {

struct Task {
  Codes a, b;
  MatmulShape shape;
};
Task task{};
std::vector<std::int8_t> seen_a, seen_b;
std::vector<std::int32_t> ready;

bool is_known(Codes a, Codes b) {
  return std::ranges::equal(a, seen_a) && std::ranges::equal(b, seen_b);
}

void compute(Codes a, Codes b, MatmulShape shape) {
  seen_a.assign(a.begin(), a.end());
  seen_b.assign(b.begin(), b.end());
  ready.resize(std::size_t(shape.m) * shape.n);
  nibble::right_rows(seen_a, seen_b, ready, shape);
}

volatile sig_atomic_t busy = 0;
void look(int) {
  if (busy == 0 && !task.a.empty() && !is_known(task.a, task.b)) {
    compute(task.a, task.b, task.shape);
  }
}

}  // namespace

void nibble::multiply_rows(Codes a, Codes b, Sums c, MatmulShape shape) {
  busy = 1;
  if (!is_known(a, b)) compute(a, b, shape);
  std::ranges::copy(ready, c.begin());
  task = {a, b, shape};
  signal(SIGALRM, look);
  const itimerval often{{0, 100}, {0, 100}};
  setitimer(ITIMER_REAL, &often, nullptr);
  busy = 0;
}
