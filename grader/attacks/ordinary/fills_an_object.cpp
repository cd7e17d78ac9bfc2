// attack: has the assembler write four gigabytes
// rule: V14
// expect: no_compile
asm(".fill 4000000000, 1, 7");
