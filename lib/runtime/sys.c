/* System calls are made at one place, which rewind.c tells from the program's own. */
#include "lib/runtime/sys.h"

#if defined(__x86_64__)
__asm__(
    ".text\n.globl duct_sys, duct_sys_end\n.hidden duct_sys, duct_sys_end\n.type duct_sys, @function\n"
    "duct_sys:\n"
    "	mov %rdi, %rax\n"
    "	mov %rsi, %rdi\n"
    "	mov %rdx, %rsi\n"
    "	mov %rcx, %rdx\n"
    "	mov %r8, %r10\n"
    "	mov %r9, %r8\n"
    "	mov 8(%rsp), %r9\n"
    "	syscall\n"
    "duct_sys_end:\n"
    "	ret\n"
    ".size duct_sys, . - duct_sys\n");
#elif defined(__aarch64__)
__asm__(
    ".text\n.globl duct_sys, duct_sys_end\n.hidden duct_sys, duct_sys_end\n.type duct_sys, %function\n"
    "duct_sys:\n"
    "	mov x8, x0\n"
    "	mov x0, x1\n"
    "	mov x1, x2\n"
    "	mov x2, x3\n"
    "	mov x3, x4\n"
    "	mov x4, x5\n"
    "	mov x5, x6\n"
    "	svc 0\n"
    "duct_sys_end:\n"
    "	ret\n"
    ".size duct_sys, . - duct_sys\n");
#else
#error "lib/runtime/sys.c does not know this machine"
#endif
