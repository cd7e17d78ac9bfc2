// The cubin that NIBBLE_CUBIN names, as it is, between two names.
    .section .rodata
    .balign 64
    .globl nibble_cubin_begin
    .globl nibble_cubin_end
nibble_cubin_begin:
    .incbin NIBBLE_CUBIN
nibble_cubin_end:
    .byte 0
    .section .note.GNU-stack,"",%progbits
