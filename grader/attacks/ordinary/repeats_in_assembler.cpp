// attack: has the assembler repeat itself for ever
// rule: V14
// expect: no_compile
asm(".rept 2000000000\n.quad 7\n.endr\n");
