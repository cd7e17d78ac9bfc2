// attack: aborts before main begins
// rule: V9
// expect: points 0
// expect: first N-CRASH
namespace {
const bool ended = (abort(), true);
}
