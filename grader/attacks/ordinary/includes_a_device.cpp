// attack: includes a device that has no end
// rule: V14
// expect: no_compile
#include "/dev/zero"
