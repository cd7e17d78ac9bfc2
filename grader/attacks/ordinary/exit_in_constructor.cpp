// attack: ends with status 0 before main begins
// rule: V4
// expect: points 0
// expect: first N-EXIT
namespace {
const bool ended = (exit(0), true);
}
