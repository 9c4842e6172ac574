/* kept: the entry points of abi.h that woven code calls from within its loops, once more under
 * names that end in _kept. They keep all general registers (LLVM's preserve_most) but r11, so that
 * the way on which nothing is called has what it needs in registers. */
#include "lib/protocol/abi.h"

/* In both, seven or nine words leave the stack aligned. */
#define SAVE \
	"push %rdi\n\tpush %rsi\n\tpush %rdx\n\tpush %rcx\n\tpush %r8\n\tpush %r9\n\tpush %r10\n\t.cfi_adjust_cfa_offset 56\n\t"
#define RESTORE \
	"pop %r10\n\tpop %r9\n\tpop %r8\n\tpop %rcx\n\tpop %rdx\n\tpop %rsi\n\tpop %rdi\n\t.cfi_adjust_cfa_offset -56\n\t"
#define BEGIN(name) \
	".text\n\t.globl " #name "_kept\n\t.type " #name "_kept, @function\n" #name \
	"_kept:\n\t.cfi_startproc\n\t"
#define END(name) "ret\n\t.cfi_endproc\n\t.size " #name "_kept, .-" #name "_kept\n"

#define WITH_RESULT(name) __asm__(BEGIN(name) SAVE "call " #name "\n\t" RESTORE END(name));
#define WITHOUT_RESULT(name) \
	__asm__(BEGIN(name) "push %rax\n\tpush %rax\n\t.cfi_adjust_cfa_offset 16\n\t" SAVE \
	                    "call " #name "\n\t" RESTORE \
	                    "pop %rax\n\tpop %rax\n\t.cfi_adjust_cfa_offset -16\n\t" END(name));

WITH_RESULT(duct_rt_touch)
WITH_RESULT(duct_rt_span)
WITH_RESULT(duct_rt_load_any)
WITH_RESULT(duct_rt_binary)
WITH_RESULT(duct_rt_unary)
WITH_RESULT(duct_rt_pointer)
WITHOUT_RESULT(duct_rt_store)
WITHOUT_RESULT(duct_rt_steps)
WITHOUT_RESULT(duct_rt_branch)
WITHOUT_RESULT(duct_rt_branch_merged)
WITHOUT_RESULT(duct_rt_condition)
WITHOUT_RESULT(duct_rt_safe)
