/* kept: the entry points of abi.h that woven code calls from within its loops, once more under
 * names that end in _kept. They keep all general registers (LLVM's preserve_most) but r11, so that
 * the way on which nothing is called has what it needs in registers. */
#include "lib/protocol/abi.h"

#include <stddef.h>

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
#define WITHOUT_RESULT_AT(name, first) \
	__asm__(BEGIN(name) first \
	    "push %rax\n\tpush %rax\n\t.cfi_adjust_cfa_offset 16\n\t" SAVE "call " #name \
	    "\n\t" RESTORE "pop %rax\n\tpop %rax\n\t.cfi_adjust_cfa_offset -16\n\t" END(name));
#define WITHOUT_RESULT(name) WITHOUT_RESULT_AT(name, "")

#define TEXT(x) TEXT_OF(x)
#define TEXT_OF(x) #x

/* Where access.c knows the span of the object at `base` (duct_lately), which is most often: it in
 * rax, without the way through C. Jumps to 1 elsewhere; r11 is free. */
#define KNOWN_SPAN(base) \
	"mov " base ", %rax\n\tmov " base ", %r11\n\tshr $4, %rax\n\tshr $14, %r11\n\t" \
	"xor %r11, %rax\n\tand $" TEXT( \
	    DUCT_LATELY) " - 1, %eax\n\t" \
	                 "lea duct_lately(%rip), %r11\n\tmov (%r11,%rax,8), %rax\n\ttest %rax, %rax\n\tje 1f\n\t" \
	                 "mov " base \
	                 ", %r11\n\tsub (%rax), %r11\n\tcmp 8(%rax), %r11\n\tjae 1f\n\t"
/* Tells the site, if there is one, and returns. */
#define AT_SITE(site) \
	"test " site ", " site "\n\tje 2f\n\tlea duct_no_span(%rip), %r11\n\tneg %r11\n\t" \
	"add %rax, %r11\n\tmov %r11, (" site ")\n2:\tret\n"
/* duct_rt_touch's `what` and p: do all bytes lie in the span? */
#define HOLDS_ALL \
	"mov %rcx, %r11\n\tsub (%rax), %r11\n\tpush %rdx\n\tmov 8(%rax), %rdx\n\t" \
	"sub %r11, %rdx\n\tjb 3f\n\tmov %esi, %r11d\n\tshr $" TEXT( \
	    ACCESS_BITS) ", %r11d\n\t" \
	                 "cmp %rdx, %r11\n\tja 3f\n\tpop %rdx\n\t"

__asm__(BEGIN(duct_rt_touch) "test %r8d, %r8d\n\tjne 1f\n\t" KNOWN_SPAN("%rdx") HOLDS_ALL AT_SITE(
    "%r9") "3:\tpop %rdx\n1:\t" SAVE "call duct_rt_touch\n\t" RESTORE END(duct_rt_touch));
__asm__(BEGIN(duct_rt_span) KNOWN_SPAN("%rdi")
        AT_SITE("%rsi") "1:\t" SAVE "call duct_rt_span\n\t" RESTORE END(duct_rt_span));
/* Last definitions (lastdef.c), of a few bytes that one word, or two words alike, describe, by one
 * writer of the program. r11: the address of the word's description less 8; rcx is free. Jumps to 1
 * elsewhere, such as at addresses of no page. */
#define DESCRIPTION \
	"mov duct_last_pages(%rip), %r11\n\ttest %r11, %r11\n\tje 1f\n\t" \
	"cmpl $0, duct_alias_tracked(%rip)\n\tjne 1f\n\tcmpl $0, duct_serial(%rip)\n\tjs 1f\n\t" \
	"mov %rdi, %rcx\n\tshr $47, %rcx\n\tjne 1f\n\tmov %rdi, %rcx\n\tshr $12, %rcx\n\t" \
	"mov (%r11,%rcx,8), %r11\n\ttest %r11, %r11\n\tje 1f\n\t"
#define WORD_OF_IT "mov %edi, %ecx\n\tand $0xffc, %ecx\n\tlea (%r11,%rcx,2), %r11\n\t"
/* rax: the writer, and its activation << 32; that of a byte where the word is split. */
#define LAST_OF_ALL \
	"mov %edi, %ecx\n\tand $3, %ecx\n\tadd %rsi, %rcx\n\tpush %rcx\n\t" \
	"mov %edi, %ecx\n\tand $0xffc, %ecx\n\tmov 8(%r11,%rcx,2), %rax\n\t" \
	"cmp $-1, %eax\n\tje 3f\n\tcmpq $4, (%rsp)\n\tjbe 4f\n\tcmpq $8, (%rsp)\n\tja 5f\n\t" \
	"cmp $0xffc, %ecx\n\tje 5f\n\tcmp 16(%r11,%rcx,2), %rax\n\tje 4f\n\t" \
	"5:\tpop %rcx\n\tjmp 1f\n" \
	"3:\tcmp $1, %rsi\n\tjne 5b\n\tmov (%r11), %r11\n\tmov %edi, %ecx\n\tand $0xfff, %ecx\n\t" \
	"mov (%r11,%rcx,8), %rax\n4:\tpop %rcx\n\t"
/* As label_of() does for a writer that is a number: 1 (same activation), 2 (before) or 3. */
#define IS_NUMBER "lea -1(%rax), %ecx\n\tcmp $" TEXT(DUCT_WRITER_ALIEN) " - 1, %ecx\n\tjae 1f\n\t"
#define COMPARE_SERIAL \
	"mov %rax, %r11\n\tshr $32, %r11\n\tmov %eax, %eax\n\tmov $1, %ecx\n\t" \
	"cmp %edx, %r11d\n\tje 6f\n\tmov $2, %ecx\n\tjb 6f\n\tmov $3, %ecx\n6:\t"
#define ADD_WHEN "shl $" TEXT(DUCT_LABEL_WHEN) ", %rcx\n\tor %rcx, %rax\n\tpop %rcx\n\tret\n"
#define LABEL_OF_IT IS_NUMBER COMPARE_SERIAL ADD_WHEN
__asm__(BEGIN(duct_rt_last_use) "push %rcx\n\t" DESCRIPTION LAST_OF_ALL LABEL_OF_IT
                                "1:\tpop %rcx\n\t" SAVE
                                "call duct_rt_last_use\n\t" RESTORE END(duct_rt_last_use));
/* A word, or two, that this writer wrote last. */
WITHOUT_RESULT_AT(duct_rt_last_def,
    "push %rax\n\tpush %rcx\n\t" DESCRIPTION "test $3, %dil\n\tjne 1f\n\t" WORD_OF_IT
    "cmp %edx, 8(%r11)\n\tjne 1f\n\tmov (%rsp), %rcx\n\tcmp $4, %rsi\n\tje 3f\n\t"
    "cmp $8, %rsi\n\tjne 1f\n\tmov %edi, %eax\n\tand $0xffc, %eax\n\tcmp $0xffc, %eax\n\tje 1f\n\t"
    "cmp %edx, 16(%r11)\n\tjne 1f\n\tmov %ecx, 20(%r11)\n3:\tmov %ecx, 12(%r11)\n\t"
    "pop %rcx\n\tpop %rax\n\tret\n1:\tpop %rcx\n\tpop %rax\n\t")
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
/* Nothing is new where one of the slot's last labels is the same: the k-th is k * p->slots entries
 * behind the first. */
_Static_assert(offsetof(struct duct_pairs, cache) == 16, "the code below has its offset");
_Static_assert(offsetof(struct duct_pairs, slots) == 24, "the code below has its offset");
_Static_assert(DUCT_PAIR_CACHE == 4, "the code below looks at four");
#define IS_CACHED(k_slots) \
	k_slots \
	    "add %esi, %r11d\n\tshl $3, %r11\n\tadd 16(%rdi), %r11\n\tcmp %rdx, (%r11)\n\tje 2f\n\t"
#define TAKE_SLOTS "mov 24(%rdi), %r11d\n\t"
WITHOUT_RESULT_AT(duct_rt_pair,
    IS_CACHED("xor %r11d, %r11d\n\t") IS_CACHED(TAKE_SLOTS)
        IS_CACHED(TAKE_SLOTS "add %r11d, %r11d\n\t")
            IS_CACHED(TAKE_SLOTS "lea (%r11,%r11,2), %r11d\n\t") "jmp 1f\n2:\tret\n1:\t")
