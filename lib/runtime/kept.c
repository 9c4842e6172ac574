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
 * writer of the program. Jumps to 1 elsewhere, such as at addresses of no page, and to 9 where
 * nothing is followed. PAGE_OF: a, a free register, becomes the page's description. WORD_OF: r11
 * becomes the address of the word's description less 8. */
#define PAGE_OF(a) \
	"mov duct_last_pages(%rip), " a "\n\ttest " a ", " a "\n\tje 9f\n\t" \
	"cmpl $0, duct_alias_tracked(%rip)\n\tjne 1f\n\tcmpl $0, duct_serial(%rip)\n\tjs 1f\n\t" \
	"mov %rdi, %r11\n\tshr $47, %r11\n\tjne 1f\n\tmov %rdi, %r11\n\tshr $12, %r11\n\t" \
	"mov (" a ",%r11,8), " a "\n\ttest " a ", " a "\n\tje 1f\n\t"
#define WORD_OF(a) "mov %edi, %r11d\n\tand $0xffc, %r11d\n\tlea (" a ",%r11,2), %r11\n\t"
/* rax: the writer, and its activation << 32; that of a byte where the word is split. */
#define LAST_OF_ALL \
	"mov %edi, %eax\n\tand $3, %eax\n\tadd %rsi, %rax\n\tcmp $4, %rax\n\tja 2f\n\t" \
	"mov 8(%r11), %rax\n\tcmp $-1, %eax\n\tjne 5f\n\tcmp $1, %rsi\n\tjne 1f\n\t" \
	"mov %edi, %eax\n\tand $0xffc, %eax\n\tadd %eax, %eax\n\tsub %rax, %r11\n\t" \
	"mov (%r11), %r11\n\tmov %edi, %eax\n\tand $0xfff, %eax\n\tmov (%r11,%rax,8), %rax\n\t" \
	"jmp 5f\n" \
	"2:\tcmp $8, %rax\n\tja 1f\n\tmov %edi, %eax\n\tand $0xffc, %eax\n\t" \
	"cmp $0xffc, %eax\n\tje 1f\n\tmov 8(%r11), %rax\n\tcmp $-1, %eax\n\tje 1f\n\t" \
	"cmp 16(%r11), %rax\n\tjne 1f\n5:\t"
/* As label_of() does for a writer that is a number: 1 (same activation), 2 (before) or 3; then goes
 * to `end`. */
#define LABEL_OF_IT(end) \
	"lea -1(%rax), %r11d\n\tcmp $" TEXT( \
	    DUCT_WRITER_ALIEN) " - 1, %r11d\n\tjae 1f\n\t" \
	                       "mov %rax, %r11\n\tmov %eax, %eax\n\tshr $32, %r11\n\tcmp %edx, %r11d\n\tjb 7f\n\tje 6f\n\t" \
	                       "bts $" TEXT(DUCT_LABEL_WHEN) " + 1, %rax\n6:\tbts $" TEXT( \
	                           DUCT_LABEL_WHEN) ", %rax\n\t" end "\n" \
	                                            "7:\tbts $" TEXT( \
	                                                DUCT_LABEL_WHEN) " + 1, %rax\n\t" end "\n"
#define LAST_USE(first, end) first PAGE_OF("%rax") WORD_OF("%rax") LAST_OF_ALL LABEL_OF_IT(end)
__asm__(BEGIN(duct_rt_last_use)
        LAST_USE("", "ret") "9:\txor %eax, %eax\n\tret\n"
                            "1:\t" SAVE "call duct_rt_last_use\n\t" RESTORE END(duct_rt_last_use));
#define CONCRETE "test %ecx, %ecx\n\tjne 1f\n\t"
__asm__(BEGIN(duct_rt_last_use_at) LAST_USE(
    CONCRETE, "ret") "9:\txor %eax, %eax\n\tret\n"
                     "1:\t" SAVE "call duct_rt_last_use_at\n\t" RESTORE END(duct_rt_last_use_at));
/* Compares with the slot's last label, too. */
__asm__(BEGIN(duct_rt_pair_read) LAST_USE(CONCRETE,
    "jmp 8f") "8:\tmov 16(%r8), %r11\n\tcmp %rax, (%r11,%r9,8)\n\tjne 2f\n9:\tret\n"
              "2:\tpush %rdi\n\tpush %rsi\n\tpush %rdx\n\t.cfi_adjust_cfa_offset 24\n\t"
              "mov %r8, %rdi\n\tmov %r9d, %esi\n\tmov %rax, %rdx\n\tcall duct_rt_pair_kept\n\t"
              "pop %rdx\n\tpop %rsi\n\tpop %rdi\n\t.cfi_adjust_cfa_offset -24\n\tret\n"
              "1:\t" SAVE "call duct_rt_last_use_at\n\t" RESTORE
              "jmp 8b\n\t" END(duct_rt_pair_read));
/* rax: the writer and its activation << 32. Stored in one piece: uses load it so. */
#define BOTH \
	"mov %ecx, %eax\n\tshl $32, %rax\n\tpush %rdx\n\tmov %edx, %edx\n\tor %rdx, %rax\n\tpop %rdx\n\t"
/* A word, or two, that this writer wrote last; any writer where it is not counted how many bytes
 * are left of each. */
#define LAST_DEF(name, first) \
	WITHOUT_RESULT_AT(name, \
	    "push %rax\n\t" first PAGE_OF("%rax") "test $3, %dil\n\tjne 1f\n\t" WORD_OF( \
	        "%rax") "mov %edx, %eax\n\tcmpq $0, duct_left(%rip)\n\tjne 2f\n\tmov 8(%r11), %eax\n" \
	                "2:\tcmp $-1, %eax\n\tje 1f\n\tcmp 8(%r11), %eax\n\tjne 1f\n\t" \
	                "cmp $4, %rsi\n\tje 3f\n\tcmp $8, %rsi\n\tjne 1f\n\t" \
	                "mov %edi, %eax\n\tand $0xffc, %eax\n\tcmp $0xffc, %eax\n\tje 1f\n\t" \
	                "mov 8(%r11), %eax\n\tcmp 16(%r11), %eax\n\tjne 1f\n\t" BOTH \
	                "mov %rax, 16(%r11)\n\tmov %rax, 8(%r11)\n\tpop %rax\n\tret\n" \
	                "3:\t" BOTH "mov %rax, 8(%r11)\n\tpop %rax\n\tret\n" \
	                "9:\tcmpq $0, duct_left(%rip)\n\tjne 1f\n\tcmpl $0, duct_alias_tracked(%rip)\n\tjne 1f\n\t" \
	                "pop %rax\n\tret\n1:\tpop %rax\n\t")
LAST_DEF(duct_rt_last_def, "")
LAST_DEF(duct_rt_last_def_at, "mov %r8d, %eax\n\tor %r9d, %eax\n\tjne 1f\n\t")
WITH_RESULT(duct_rt_load_any)
WITH_RESULT(duct_rt_binary)
WITH_RESULT(duct_rt_unary)
WITH_RESULT(duct_rt_pointer)
WITHOUT_RESULT(duct_rt_store)
WITHOUT_RESULT(duct_rt_steps)
WITHOUT_RESULT(duct_rt_way)
WITHOUT_RESULT(duct_rt_branch)
WITHOUT_RESULT(duct_rt_branch_merged)
WITHOUT_RESULT(duct_rt_condition)
WITHOUT_RESULT(duct_rt_safe)
/* Nothing is new where the slot, rax, was told this label lately (lastpair.c): the label is then
 * its last one again. */
_Static_assert(offsetof(struct duct_pairs, cache) == 16, "the code below has its offset");
_Static_assert(offsetof(struct duct_pairs, first_slot) == 44, "the code below has its offset");
_Static_assert(offsetof(struct duct_group, slot) == 0, "the code below has its offset");
#define UNLESS_RECENT(name, slot) \
	WITHOUT_RESULT_AT(name, \
	    "push %rax\n\tpush %rcx\n\t" slot \
	    "mov %rax, %rcx\n\tadd 44(%rdi), %eax\n\tmov %rax, %r11\n\tshl $32, %r11\n\t" \
	    "xor %rax, %r11\n\txor %rdx, %r11\n\timul duct_recent_factor(%rip), %r11\n\t" \
	    "shr $52, %r11\n\tshl $4, %r11\n\tpush %rcx\n\tlea duct_recent(%rip), %rcx\n\t" \
	    "add %rcx, %r11\n\tpop %rcx\n\tcmp %rdx, (%r11)\n\tjne 1f\n\tcmp %eax, 8(%r11)\n\tjne 1f\n\t" \
	    "mov 16(%rdi), %r11\n\tmov %rdx, (%r11,%rcx,8)\n\tpop %rcx\n\tpop %rax\n\tret\n" \
	    "1:\tpop %rcx\n\tpop %rax\n\t")
UNLESS_RECENT(duct_rt_pair, "mov %esi, %eax\n\t")
UNLESS_RECENT(duct_rt_pairs, "mov (%rsi), %eax\n\tadd %ecx, %eax\n\t")
