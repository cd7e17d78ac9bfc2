// attack: waits for what somebody types
// rule: V14
// expect: no_compile
#include "/dev/stdin"
