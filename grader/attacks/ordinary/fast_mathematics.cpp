// attack: asks for fast mathematics by a pragma
// rule: V11
// expect: points <= 100
#pragma GCC optimize("Ofast")
@HEAD@
