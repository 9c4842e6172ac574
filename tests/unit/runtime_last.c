/* Who wrote memory last: random definitions and uses of 1 to 16 bytes, at any address, on a few
 * pages, against a plain list of the last writer of each byte. */
#include "lib/runtime/last.h"
#include "tests/unit/tap.h"
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
extern const char duct_without_shadow; /* of lib/runtime */
const char duct_without_shadow = 1;
#endif

#define WRITERS 40
#define PAGE 4096
#define SPACE (3 * PAGE)
#define STEPS 60000

static struct duct_unit unit;
static uint64_t cache[1];
static const struct duct_slot slots[1];
/* The linker defines these in a program with a woven unit. */
static struct duct_pairs pairs __attribute__((section("duct_pairs"), used,
    aligned(8))) = { .unit = &unit, .slot = slots, .cache = cache, .slots = 1, .defs = WRITERS };

static unsigned char space[SPACE] __attribute__((aligned(PAGE)));
static struct last model[SPACE];

/* The entry points for woven code (kept.c), which may change no registers but rax and r11. */
typedef uint64_t use_function(const void *, size_t, uint32_t);
typedef void def_function(void *, size_t, uint32_t, uint32_t);
extern use_function duct_rt_last_use_kept, duct_rt_last_use_at_kept;
extern def_function duct_rt_last_def_kept;
extern uint64_t changed(void *f, const void *p, size_t n, uint64_t c, uint64_t d, uint64_t *result);
__asm__(".text\nchanged:\n\tpush %rbx\n\tpush %r9\n\tpush %rsi\n\tpush %rdx\n\tpush %rcx\n\t"
        "mov %rdi, %rax\n\tmov %rsi, %rdi\n\tmov %rdx, %rsi\n\tmov %rcx, %rdx\n\tmov %r8, %rcx\n\t"
        "mov $9, %r9\n\tmov $10, %r10\n\tmov %r8, %rbx\n\tcall *%rax\n\t"
        "sub $9, %r9\n\tsub $10, %r10\n\tor %r10, %r9\n\tsub %rbx, %rcx\n\tor %rcx, %r9\n\t"
        "sub %rbx, %r8\n\tor %r8, %r9\n\tpop %rcx\n\tsub %rcx, %rdx\n\tor %rdx, %r9\n\t"
        "pop %rdx\n\tsub %rdx, %rsi\n\tor %rsi, %r9\n\t"
        "pop %rsi\n\tsub %rsi, %rdi\n\tor %rdi, %r9\n\t"
        "pop %rdx\n\tmov %rax, (%rdx)\n\tpop %rbx\n\tmov %r9, %rax\n\tret\n");
static bool kept = true;

static void define_kept(void *p, size_t n, struct last v)
{
	uint64_t none;

	kept &= !changed((void *)duct_rt_last_def_kept, p, n, v.writer, v.serial, &none);
}

static uint64_t use_kept(const void *p, size_t n, uint32_t serial)
{
	uint64_t label;

	if (below(2)) /* the fourth argument is the address's node */
		kept &= !changed((void *)duct_rt_last_use_at_kept, p, n, serial, 0, &label);
	else
		kept &= !changed((void *)duct_rt_last_use_kept, p, n, serial, 7, &label);
	return label;
}

/* Half of the places are where pages meet, so that bytes are written often. */
static size_t place(size_t n)
{
	size_t at = below(2) ? PAGE - 32 + below(64) : below(SPACE - 16);

	return at + n <= SPACE ? at : 0;
}

static size_t size(void)
{
	static const size_t all[] = { 1, 2, 4, 4, 8, 8, 3, 5, 16, 7 };

	return all[below(sizeof all / sizeof *all)];
}

static void define(void)
{
	size_t n = size(), at = place(n);
	struct last v = { 1 + below(WRITERS), 1 + below(3) };

	if (below(3))
		at -= at % (n & -n);
	if (below(2) && model[at].writer && model[at].writer <= WRITERS)
		v.writer = model[at].writer;
	if (!below(20)) {
		v = (struct last){ DUCT_WRITER_DEAD, 0 };
		duct_last_lose((uintptr_t)space + at, n);
	} else if (below(2)) {
		define_kept(space + at, n, v);
	} else {
		duct_rt_last_def(space + at, n, v.writer, v.serial);
	}
	for (size_t i = 0; i < n; i++)
		model[at + i] = v;
}

static uint64_t label(struct last v, uint32_t serial)
{
	uint64_t when = v.serial == serial ? DUCT_SAME
	    : v.serial < serial            ? DUCT_BEFORE
	                                   : DUCT_CALLEE;

	if (v.writer == DUCT_WRITER_DEAD)
		return 0;
	return (v.writer ? when : (uint64_t)DUCT_BEFORE) << DUCT_LABEL_WHEN | v.writer;
}

/* One label, or several as one. */
static bool is(uint64_t have, const struct last_labels *want)
{
	const struct last_labels *f;

	if (want->n < 2)
		return have == (want->n ? want->label[0] : 0);
	if (have >> DUCT_LABEL_WHEN || !have)
		return false;
	f = duct_last_several(have);
	return f->n == want->n && !memcmp(f->label, want->label, f->n * sizeof *f->label);
}

static bool use(void)
{
	struct last_labels want = { .n = 0 };
	uint32_t serial = 1 + below(3);
	size_t n = size(), at = place(n);

	for (size_t i = 0; i < n; i++) {
		uint64_t one = label(model[at + i], serial);
		uint32_t k = 0;

		while (k < want.n && want.label[k] != one)
			k++;
		if (one && k == want.n)
			want.label[want.n++] = one;
	}
	return is(duct_rt_last_use(space + at, n, serial), &want)
	    && is(use_kept(space + at, n, serial), &want);
}

static bool counts_agree(void)
{
	uint32_t left[WRITERS + 1] = { 0 };

	for (size_t i = 0; i < SPACE; i++)
		if (model[i].writer <= WRITERS)
			left[model[i].writer]++;
	return !memcmp(left + 1, duct_left + 1, sizeof left - sizeof *left);
}

static bool all_agree(void)
{
	bool uses = true;

	for (int i = 0; i < STEPS && uses; i++) {
		define();
		uses = use();
	}
	return uses;
}

int main(void)
{
#ifdef __SANITIZE_ADDRESS__
	printf("1..0 # SKIP shadow memory lies where the sanitizer's does\n");
	return 0;
#endif
	duct_last_start(true, true);
	ok(duct_last_on() && duct_left, "definitions are followed");
	ok(all_agree(), "a use gets the labels of all its bytes");
	ok(counts_agree(), "of each writer as many bytes are left as it wrote last");
	duct_left = NULL;
	ok(all_agree(), "the same where bytes are not counted");
	ok(kept, "what woven code calls keeps all registers but two");
	return finish();
}
