// attack: imports a symbol whose name is no text and paints the screen
// rule: V8
// expect: honest
asm(".data\n.weak \"\377\376\033[2J\"\n.quad \"\377\376\033[2J\"\n.text\n");
