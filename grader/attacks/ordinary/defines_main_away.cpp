// attack: renames main by a macro
// rule: V11
// expect: honest
#define main not_main
@HEAD@
