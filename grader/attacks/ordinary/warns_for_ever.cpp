// attack: has the compiler say a million things, and compiles
// rule: V14
// expect: no_compile
#define SAY _Pragma("message(\"0123456789 0123456789 0123456789 0123456789 0123456789\")")
#define TEN(x) x x x x x x x x x x
#define THOUSAND(x) TEN(TEN(TEN(x)))
THOUSAND(THOUSAND(SAY))
