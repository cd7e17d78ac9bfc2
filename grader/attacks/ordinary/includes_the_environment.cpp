// attack: includes the environment of the compiler
// rule: V14
// expect: no_compile
#include "/proc/self/environ"
