#include "lib/solve/abstraction.h"
#include "lib/base/grow.h"
#include "lib/solve/domains.h"
#include "lib/solve/layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BITS 6
#define MOST_DIFFERENT (1u << DOMAIN_BITS)
#define MOST_OFFSETS (1u << 16)

struct abstraction {
	struct expr_pool *p;
	struct rewrite rw; /* never started again: what it replaced is final */
	expr *low;         /* by term: the input that stands for its lowest MOST_BITS bits */
	size_t low_cap, made;
	expr *of; /* by input of its own: 1 + the term */
	expr *to; /* by condition: its abstraction; 0: not known */
	size_t of_cap, to_cap;
};

static expr new_input(struct abstraction *s, unsigned w, expr term)
{
	char name[40];

	snprintf(name, sizeof name, "%%cut.%zu", s->made++);
	uint32_t var = expr_var(s->p, name, INPUT_UINT, w);
	s->of = grow(s->of, &s->of_cap, (size_t)var + 1, sizeof *s->of);
	s->of[var] = 1 + term;
	return expr_input(s->p, var);
}

static expr lowest_bits(struct abstraction *s, expr term)
{
	s->low = grow(s->low, &s->low_cap, (size_t)term + 1, sizeof *s->low);
	if (!s->low[term]) {
		unsigned w = expr_width(s->p, term);
		s->low[term] = new_input(s, w < MOST_BITS ? w : MOST_BITS, term);
	}
	return s->low[term];
}

static bool is_const(const struct abstraction *s, expr e)
{
	return expr_is_const(s->p, e, NULL);
}

/* The bits of a term that an EXTRACT takes: those of the input for the term's lowest bits, so that
 * two of different width agree. */
static expr extracted(struct abstraction *s, expr e)
{
	expr of = expr_operand(s->p, e, 0);
	uint32_t low = expr_extract_low(s->p, e), w = expr_width(s->p, e);

	if (low + w > MOST_BITS)
		return lowest_bits(s, e);
	return expr_make(s->p, OP_EXTRACT, w, lowest_bits(s, of), 0, low);
}

/* ---- reads of constant tables */

/* Different elements of a table, each once. */
struct elements {
	uint8_t byte[MOST_DIFFERENT * 8];
	unsigned bytes; /* of an element */
	size_t n;
};

/* False: there are too many. */
static bool add_element(struct elements *s, const uint8_t *element)
{
	for (size_t i = 0; i < s->n; i++)
		if (memcmp(s->byte + i * s->bytes, element, s->bytes) == 0)
			return true;
	if (s->n == MOST_DIFFERENT)
		return false;
	memcpy(s->byte + s->n++ * s->bytes, element, s->bytes);
	return true;
}

/* Collects what a READ can give; an access that is not inside the table gives 0 in some of its
 * bytes. */
static bool find_elements(struct abstraction *s, expr read, struct elements *found)
{
	uint32_t size;
	const uint8_t *table = expr_table_bytes(s->p, expr_operand(s->p, read, 0), &size);
	struct layer_offsets o;

	found->n = 0;
	found->bytes = expr_width(s->p, read) / 8;
	if (found->bytes > 8
	    || !arrays_offsets(s->p, expr_operand(s->p, read, 1), size, found->bytes, &o)
	    || o.n > MOST_OFFSETS || o.n <= 1u << MOST_BITS)
		return false;
	if (!o.all && (found->bytes > 1 || !add_element(found, (const uint8_t[1]){ 0 })))
		return false;
	for (uint64_t i = 0; i < o.n; i++) {
		uint64_t at = o.first + i * o.stride;
		if (at >= size || size - at < found->bytes || !add_element(found, table + at))
			return false;
	}
	return found->n > 0;
}

/* An element of a table with the different elements, at an offset of its own. 0: there are too
 * many. */
static expr any_element(struct abstraction *s, expr read)
{
	struct elements e;
	unsigned bits = 1, w = expr_width(s->p, read);

	if (!find_elements(s, read, &e))
		return 0;
	while (1u << bits < e.n)
		bits++;
	for (size_t i = e.n; i < 1u << bits; i++)
		memcpy(e.byte + i * e.bytes, e.byte, e.bytes);
	expr offset = expr_make(s->p, OP_ZEXT, 64, new_input(s, bits, 0), 0, 0);
	offset = expr_make(
	    s->p, OP_MUL, 64, offset, expr_const(s->p, 64, (struct value){ e.bytes, 0 }), 0);
	return expr_make(s->p, OP_READ, w, expr_table(s->p, e.byte, e.bytes << bits), offset, 0);
}

/* ---- */

/* Replaces a term; 0: its operands are replaced. Those on one input are left, as are the conditions
 * that terms are compared in. */
static expr node(struct rewrite *rw, expr e, void *ctx)
{
	struct abstraction *s = ctx;
	uint32_t w = expr_width(rw->p, e);
	enum op op = expr_op(rw->p, e);
	size_t n;
	const uint32_t *var = expr_vars(rw->p, e, &n);

	if (n == 0 || (n == 1 && expr_var_width(rw->p, var[0]) <= DOMAIN_BITS))
		return e;
	if (op == OP_READ && expr_op(rw->p, expr_operand(rw->p, e, 0)) == OP_TABLE)
		return any_element(s, e);
	if (!w || w > MOST_BITS)
		return 0;
	if (op == OP_EXTRACT)
		return extracted(s, e);
	if (w < 2 || op_arity(op) != 2 || op == OP_CONCAT || is_const(s, expr_operand(rw->p, e, 0))
	    || is_const(s, expr_operand(rw->p, e, 1)))
		return 0;
	return lowest_bits(s, e);
}

static expr leaf(struct rewrite *rw, expr e, void *ctx)
{
	(void)rw, (void)ctx;
	return e;
}

struct abstraction *abstraction_new(struct expr_pool *p)
{
	struct abstraction *s = zeroed(1, sizeof *s);

	s->p = p;
	s->rw = (struct rewrite){ .p = p, .leaf = leaf, .node = node, .ctx = s };
	rewrite_start(&s->rw);
	return s;
}

void abstraction_free(struct abstraction *s)
{
	rewrite_clear(&s->rw);
	free(s->low), free(s->of), free(s->to);
	free(s);
}

expr abstraction_of(struct abstraction *s, expr cond)
{
	s->to = grow(s->to, &s->to_cap, (size_t)cond + 1, sizeof *s->to);
	if (!s->to[cond])
		s->to[cond] = rewrite(&s->rw, cond);
	return s->to[cond];
}

bool abstraction_own(const struct abstraction *s, uint32_t var)
{
	return var < s->of_cap && s->of[var];
}

expr abstraction_term(const struct abstraction *s, uint32_t var)
{
	return abstraction_own(s, var) ? s->of[var] - 1 : 0;
}
