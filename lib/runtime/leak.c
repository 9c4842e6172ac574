/* Memory that nothing points to when the program ends (--check leak). Conservative: every word of
 * globals, stack, registers and of what they reach that could be an address counts as one. */
#include "lib/runtime/rt.h"
#include <link.h>

extern void *__libc_stack_end;

struct pointer_queue {
	struct duct_object **list;
	size_t n, room;
	bool exact;
};

static void reach(struct pointer_queue *w, uintptr_t p)
{
	struct duct_object *o = duct_treap_floor(p);

	if (!o || o->kind != DUCT_OBJECT_HEAP || o->reached
	    || p - o->base > (w->exact ? 0 : o->size))
		return;
	o->reached = 1;
	if (w->n == w->room) {
		size_t bigger = w->room ? w->room * 2 : 256;
		struct duct_object **to = duct_arena(bigger * sizeof *to);

		for (size_t i = 0; i < w->n; i++)
			to[i] = w->list[i];
		w->list = to;
		w->room = bigger;
	}
	w->list[w->n++] = o;
}

static void scan(struct pointer_queue *w, uintptr_t from, uintptr_t to)
{
	for (uintptr_t p = (from + 7) & ~(uintptr_t)7; p + 8 <= to; p += 8)
		reach(w, *(const volatile uintptr_t *)p);
}

/* The C library's allocator itself points to where its next chunk begins, which is in a block. */
static bool is_libc(const char *name)
{
	const char *last = name;

	for (; *name; name++)
		if (*name == '/')
			last = name + 1;
	for (const char *s = "libc.so"; *s; s++)
		if (*last++ != *s)
			return false;
	return true;
}

static int scan_module(struct dl_phdr_info *info, size_t size, void *work)
{
	struct pointer_queue *w = work;

	(void)size;
	w->exact = is_libc(info->dlpi_name);
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];

		if (h->p_type == PT_LOAD && h->p_flags & PF_W)
			scan(w, info->dlpi_addr + h->p_vaddr,
			    info->dlpi_addr + h->p_vaddr + h->p_memsz);
	}
	return 0;
}

static void tell(void)
{
	uintptr_t at = UINTPTR_MAX;

	for (struct duct_object *o; (o = duct_treap_floor(at)); at = o->base - 1) {
		if (o->kind == DUCT_OBJECT_HEAP && !o->reached && o->inst)
			duct_fault(o->unit, o->inst, CHECK_LEAK);
		if (!o->base)
			break;
	}
}

__attribute__((noinline)) static void from_here(struct pointer_queue *w)
{
	dl_iterate_phdr(scan_module, w);
	w->exact = false;
	scan(w, (uintptr_t)__builtin_frame_address(0), (uintptr_t)__libc_stack_end);
	while (w->n) {
		struct duct_object *o = w->list[--w->n];

		scan(w, o->base, o->base + o->size);
	}
	tell();
}

void duct_leaks(uint64_t result)
{
	static bool done;
	struct pointer_queue w = { 0 };

	if (done || !duct_watches(CHECK_LEAK))
		return;
	done = true;
	__builtin_unwind_init(); /* registers onto the stack */
	reach(&w, result);
	from_here(&w);
}
