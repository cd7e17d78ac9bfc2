// attack: has the linker print what it likes, and hands it orders in sections
// rule: V8
// expect: honest
asm(R"(
.section .gnu.warning.quantize_symmetric,"",@progbits
.ascii "\033[2J\377\376 EFFECT the linker speaks"
.section .drectve,"",@progbits
.ascii "-export:main /defaultlib:evil --wrap=main"
.section .deplibs,"MS",@0x6fff4c04,1
.asciz "/etc/passwd"
.section .note.GNU-stack,"x",@progbits
.section .gnu.linkonce.t.main,"ax",@progbits
.globl main_of_mine
main_of_mine: ret
.text
)");
