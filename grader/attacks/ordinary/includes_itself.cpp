// attack: includes itself twice
// rule: V14
// expect: no_compile
#include __FILE__
#include __FILE__
