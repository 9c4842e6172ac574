/* Memory that a call of a function that may be abstract can reach through pointers. */
#include "lib/runtime/abstract.h"

#define MOST_BYTES 65536

static void reach_address(struct reachable_objects *r, uintptr_t p, duct_node n)
{
	struct duct_object *o;

	r->unknown |= duct_is_fresh(n) && !duct_implied(n, 4) && !duct_abstract_settle(n, false);
	o = duct_object_at(p);
	if (!o || o->constant || o->kind == DUCT_OBJECT_FREED)
		return;
	for (size_t i = 0; i < r->n; i++)
		if (r->object[i] == o || r->object[i]->base == o->base)
			return;
	r->bytes += o->size;
	if (r->n == MOST_OBJECTS || r->bytes > MOST_BYTES)
		r->unknown = true;
	else
		r->object[r->n++] = o;
}

static void reach_words(struct reachable_objects *r, uintptr_t p, size_t size)
{
	for (uintptr_t a = (p + 7) & ~(uintptr_t)7; a + 8 <= p + size && !r->unknown; a += 8) {
		struct duct_term t = duct_load_term(a, 8);

		reach_address(r, *(uintptr_t *)a, t.n);
	}
}

static void reach_arguments(
    struct reachable_objects *r, const struct callee *c, bool kept, const struct pointers *p)
{
	uint64_t which = p->which;

	for (uint32_t i = 0; i < p->n; i++) {
		uint64_t bit = which & (0 - which);

		if (((bit & c->kept) != 0) == kept)
			reach_address(r, (uintptr_t)p->pointer[i], p->node ? p->node[i] : 0);
		which &= which - 1;
	}
}

/* Adds everything that pointers in reached memory, in variables and in `more` point to. */
static void reach_on(
    struct reachable_objects *r, const struct callee *c, const struct reachable_objects *more)
{
	for (size_t i = 0; i < c->ranges; i++)
		reach_words(r, c->range[i].p, c->range[i].size);
	for (size_t i = 0; i < more->n; i++)
		reach_words(r, more->object[i]->base, more->object[i]->size);
	for (size_t i = 0; i < r->n && !r->unknown; i++)
		reach_words(r, r->object[i]->base, r->object[i]->size);
	r->unknown |= more->unknown;
}

void duct_reach_all(struct reachable_objects *r, const struct callee *c, const struct pointers *p)
{
	struct reachable_objects kept = { .n = 0 };

	if (c->kept)
		reach_arguments(&kept, c, true, p);
	reach_arguments(r, c, false, p);
	if (c->follows)
		reach_on(r, c, &kept);
	r->written = r->n;
	r->written_bytes = r->bytes;
	r->unknown_written = r->unknown;
	for (size_t i = 0; i < kept.n; i++)
		reach_address(r, kept.object[i]->base, 0);
	r->unknown |= kept.unknown;
}

/* Does it have a byte that would become an input if the call read it? */
static bool is_later(uintptr_t p, size_t size)
{
	for (uintptr_t a = p; (a = duct_next_flag(a, p + size)) < p + size; a++)
		if (duct_entry(a) == DUCT_ENTRY_LATER)
			return true;
	return false;
}

static bool is_symbolic(uintptr_t p, size_t size)
{
	return duct_flagged(p, size) && (duct_rt_symbolic((void *)p, size) || is_later(p, size));
}

bool duct_reads_symbolic(const struct callee *c, const struct reachable_objects *r)
{
	for (size_t i = 0; i < c->ranges; i++)
		if (!c->range[i].written && is_symbolic(c->range[i].p, c->range[i].size))
			return true;
	for (size_t i = 0; c->reads && i < r->n; i++)
		if (is_symbolic(r->object[i]->base, r->object[i]->size))
			return true;
	return false;
}
