// attack: leaves the linker tables that contradict themselves, for it to die of
// rule: V14
// expect: no_compile
asm(R"(
.section .eh_frame,"a",@unwind
.long 0xfffffff0, 0, 0x7fffffff, 0x80000000
.section .note.gnu.property,"a",@note
.long 4, 0xffffffff, 5
.asciz "GNU"
.long 0xc0000002, 0x7fffffff
.section .merged,"aMS",@progbits,255
.byte 1, 2, 3
.section .group_of_none,"axG",@progbits,nobody,comdat
.reloc ., R_X86_64_NONE, nobody+0x7fffffffffffffff
.text
.symver nobody_at_all,nobody@@@
)");
