/* Texts that are read as a whole: the result of a library model becomes one expression over the
 * bytes of the text, instead of a path for each position and kind of character (after the symbolic
 * length abstraction of Xu, Majumdar and Sen, 2008). The text must end within the known bytes. */
#include "lib/runtime/last.h"

bool duct_text_open(struct duct_text *t, const void *s, duct_node n)
{
	const struct duct_object *o;

	if (n && duct_settle(duct_block_unit, duct_block, duct_term(n)).n)
		return false;
	t->at = (uintptr_t)s;
	o = t->at < 4096 ? NULL : duct_object_again(t->at);
	if (!o || o->limit || o->kind == DUCT_OBJECT_FREED || t->at < o->base)
		return false;
	t->end = o->base + o->size;
	return true;
}

bool duct_text_next(struct duct_text *t, struct duct_term *c)
{
	if (t->at >= t->end)
		return false;
	if (duct_entry(t->at) == DUCT_ENTRY_LATER)
		duct_grow_read(t->at, 1);
	if (duct_entry(t->at) && duct_entry(t->at) < DUCT_ENTRY_NODE)
		return false; /* of an array, or never written */
	*c = duct_load_term(t->at, 1);
	if (c->n && duct_implied(c->n, 4))
		c->n = 0;
	if (!c->n && !c->v)
		duct_text_limit(t->at);
	t->at++;
	return true;
}

void duct_text_store(void *to, uint32_t bytes, struct duct_term t)
{
	for (uint32_t i = 0; i < bytes; i++)
		((uint8_t *)to)[i] = (uint8_t)(t.v >> i * 8);
	duct_store_term((uintptr_t)to, bytes, duct_t_extend(OP_ZEXT, bytes * 8, t).n);
}

/* ---- comparisons */

static struct duct_term lower(struct duct_term c)
{
	struct duct_term from = duct_t_binary(OP_SUB, c, duct_constant(8, 'A'));
	struct duct_term upper = duct_t_binary(OP_ULT, from, duct_constant(8, 26));

	return duct_t_ite(upper, duct_t_binary(OP_ADD, c, duct_constant(8, 32)), c);
}

static struct duct_term differ(struct duct_term a, struct duct_term b)
{
	return duct_t_not(duct_t_binary(OP_EQ, a, b));
}

/* Two texts as far as they are looked at: what is the same so far. */
struct comparison {
	struct duct_term a[DUCT_MOST_TEXT], b[DUCT_MOST_TEXT];
	uint32_t n;
	bool over; /* it is decided there, whatever the inputs are */
};

static bool read_both(
    struct comparison *c, struct duct_text *x, struct duct_text *y, size_t n, uint32_t how)
{
	bool text = !(how & COMPARE_BYTES), symbolic = false;

	for (c->n = 0, c->over = false; c->n < DUCT_MOST_TEXT && !c->over; c->n++) {
		struct duct_term *a = &c->a[c->n], *b = &c->b[c->n];

		if (c->n == n) {
			c->over = true;
			break;
		}
		if (!duct_text_next(x, a) || !duct_text_next(y, b))
			break;
		symbolic |= a->n || b->n;
		c->over = text && ((!a->n && !a->v) || (!b->n && !b->v));
		if (how & COMPARE_ALIKE) {
			*a = lower(*a);
			*b = lower(*b);
		}
		c->over |= !a->n && !b->n && a->v != b->v;
	}
	return symbolic;
}

/* Is the text at an end there, when the other one has the same character? */
static struct duct_term ends(struct duct_term a, struct duct_term b, uint32_t how)
{
	if (how & COMPARE_BYTES || (!b.n && b.v))
		return duct_constant(1, 0);
	return duct_t_binary(OP_EQ, a, duct_constant(8, 0));
}

/* Where it is not known how the texts go on, they differ or end before: a condition. */
static bool decided(const struct comparison *c, uint32_t how)
{
	struct duct_term here = duct_constant(1, c->over);

	for (uint32_t i = c->n; i-- > 0 && !c->over;) {
		here = duct_t_binary(OP_OR, here, differ(c->a[i], c->b[i]));
		here = duct_t_binary(OP_OR, here, ends(c->a[i], c->b[i], how));
	}
	duct_model_condition(NULL, 0, here);
	return here.v != 0;
}

static struct duct_term difference(struct duct_term a, struct duct_term b)
{
	return duct_t_binary(OP_SUB, duct_t_extend(OP_ZEXT, 32, a), duct_t_extend(OP_ZEXT, 32, b));
}

/* Do the texts differ in their first bytes, independently of inputs, as most texts do? */
static bool differ_plainly(const struct duct_text *x, const struct duct_text *y, uint32_t how)
{
	return x->at < x->end && y->at < y->end && !(how & COMPARE_ALIKE) && !duct_flagged(x->at, 1)
	    && !duct_flagged(y->at, 1) && *(const char *)x->at != *(const char *)y->at;
}

int duct_rt_compare(int *to, const void *a, const void *b, size_t n, uint32_t how)
{
	bool passed = duct_args_for == (void *)duct_rt_compare;
	duct_node na = passed ? duct_args[1] : 0, nb = passed ? duct_args[2] : 0;
	struct duct_term result = duct_constant(32, 0);
	struct comparison c;
	struct duct_text x, y;

	duct_args_for = NULL;
	if (!duct_channel || (passed && duct_args[3]) || !duct_text_open(&x, a, na)
	    || !duct_text_open(&y, b, nb) || differ_plainly(&x, &y, how)
	    || !read_both(&c, &x, &y, n, how) || !decided(&c, how))
		return 0;
	for (uint32_t i = c.n; i-- > 0;) {
		result = duct_t_ite(ends(c.a[i], c.b[i], how), duct_constant(32, 0), result);
		result = duct_t_ite(differ(c.a[i], c.b[i]), difference(c.a[i], c.b[i]), result);
	}
	if (result.n)
		duct_last_unaliased_reads();
	duct_text_store(to, sizeof *to, result);
	return 1;
}

/* ---- the first byte of a kind */

/* The bytes are the same for all inputs, and it is known where they end. */
static bool read_plain(struct duct_term *at, uint32_t *n, struct duct_text *t, size_t most)
{
	for (*n = 0; *n < most; ++*n) {
		if (*n == DUCT_MOST_TEXT || !duct_text_next(t, &at[*n]) || at[*n].n)
			return false;
		if (most == SIZE_MAX && !at[*n].v) {
			++*n; /* the end is part of the text */
			return true;
		}
	}
	return true;
}

int duct_rt_find(char **to, const void *s, int c, size_t n)
{
	bool passed = duct_args_for == (void *)duct_rt_find;
	struct duct_term at[DUCT_MOST_TEXT], index = duct_constant(8, 0), wanted;
	struct duct_term found = duct_constant(1, 0), none = duct_constant(64, 0), hit;
	struct duct_text text;
	uint32_t length;

	duct_args_for = NULL;
	if (!duct_channel || !passed || !duct_args[2] || duct_args[3]
	    || duct_implied(duct_args[2], 4) || !duct_text_open(&text, s, duct_args[1])
	    || !read_plain(at, &length, &text, n))
		return 0;
	wanted = duct_t_extract(8, 0, (struct duct_term){ (uint32_t)c, duct_args[2], 32 });
	for (uint32_t i = length; i-- > 0;) {
		hit = duct_t_binary(OP_EQ, wanted, at[i]);
		index = duct_t_ite(hit, duct_constant(8, i), index);
		found = duct_t_binary(OP_OR, found, hit);
	}
	index = duct_t_binary(
	    OP_ADD, duct_t_extend(OP_ZEXT, 64, index), duct_constant(64, (uintptr_t)s));
	duct_last_unaliased_reads();
	duct_text_store(to, sizeof *to, duct_t_ite(found, index, none));
	return 1;
}
