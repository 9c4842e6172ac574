/* Texts that are read as a whole: what a model asks of a text becomes one expression over its
 * bytes, instead of a path for each position and kind of character (Xu, Majumdar and Sen's symbolic
 * length abstraction, 2008, is the idea). The text must end within the bytes that are known. */
#include "lib/runtime/rt.h"

/* Bytes from a on, up to one that ends the text whatever the inputs are. True: some are symbolic.
 */
static bool read_bytes(struct duct_text *t, uintptr_t a, const struct duct_object *o)
{
	uintptr_t end = o->base + o->size;
	bool symbolic = false;

	for (t->n = 0; t->n < DUCT_MOST_TEXT && a < end; a++) {
		struct duct_term c;

		if (duct_entry(a) == DUCT_ENTRY_LATER)
			duct_grow_read(a, 1);
		if (duct_entry(a) && duct_entry(a) < DUCT_ENTRY_NODE)
			break; /* of an array, or never written */
		c = duct_load_term(a, 1);
		if (c.n && duct_implied(c.n, 4))
			c.n = 0;
		if (!c.n && !c.v) {
			t->ends = true;
			duct_text_limit(a);
			break;
		}
		t->at[t->n++] = c;
		symbolic |= c.n != 0;
	}
	return symbolic;
}

bool duct_text_read(struct duct_text *t, const char *s, duct_node n)
{
	const struct duct_object *o;

	t->n = 0;
	t->ends = false;
	if (n && duct_settle(duct_block_unit, duct_block, duct_term(n)).n)
		return false;
	o = (uintptr_t)s < 4096 ? NULL : duct_object_at((uintptr_t)s);
	if (!o || o->limit || o->kind == DUCT_OBJECT_FREED || (uintptr_t)s < o->base)
		return false;
	return read_bytes(t, (uintptr_t)s, o);
}

void duct_text_store(void *to, uint32_t bytes, struct duct_term t)
{
	for (uint32_t i = 0; i < bytes; i++)
		((uint8_t *)to)[i] = (uint8_t)(t.v >> i * 8);
	duct_store_term((uintptr_t)to, bytes, duct_t_extend(OP_ZEXT, bytes * 8, t).n);
}
