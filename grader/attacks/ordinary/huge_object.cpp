// attack: makes an object file of 2 GB
// rule: V14
// expect: no_compile
asm(".data\n.fill 2000000000, 1, 7\n.text\n");
