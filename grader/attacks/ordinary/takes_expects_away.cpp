// attack: redefines the macro that refuses bad input
// rule: V11
// expect: points <= 100
#undef NIBBLE_EXPECTS
#define NIBBLE_EXPECTS(...) void()
