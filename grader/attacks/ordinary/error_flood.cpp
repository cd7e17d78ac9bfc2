// attack: has more errors than fit on any screen
// rule: V14
// expect: no_compile
#define TEN(x) x x x x x x x x x x
#define THOUSAND TEN(TEN(TEN(no_such_name;)))
TEN(THOUSAND)
