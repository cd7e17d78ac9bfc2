// A second look at every access, in the assembly that the compiler wrote of a .cu file.
//
// At -O0 the compilers put a hook before each load and store but for a few: a struct that a call
// takes or returns by value, elements of constants, of clang++ elements of local arrays. Here a
// call is put before each instruction that goes to memory and that no hook has spoken for: the
// engine looks at the address, and counts the access as if the compiler had told of it.
//
//     call __tsan_read4                  rdi = p + 4 i
//     movss (%rax), %xmm0                rax = p + 4 i in every run: nothing to add
//
//     pushq %rax
//     leaq 8(%rdx), %rax
//     call nibble_simt_guard_read4       nobody has told of 8(%rdx)
//     popq %rax
//     movss 8(%rdx), %xmm0
//
// Spoken for are: bytes that a hook was called for, with nothing between but code that runs
// straight on; the function's own frame at a fixed place; the compiler's own literals.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nibble::simt {

struct Guarded {
  std::string text;  ///< the assembly, with guards
  int guards = 0;
  std::vector<std::string>
      unknown;  ///< instructions that go to memory nobody knows how; must be none
};

/// `assembly`: what a compiler writes for x86-64.
Guarded with_guards(std::string_view assembly);

}  // namespace nibble::simt
