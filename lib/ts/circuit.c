/* circuit: the system as bits: leaves, what latches become, some conditions. */
#include "lib/ts/ts.h"

#include "lib/base/grow.h"

#include <stdlib.h>

static void bind(struct ts_circuit *c, const struct ts *t, expr input)
{
	unsigned width = expr_width(t->pool, input);
	lit at[BLAST_MOST];
	blast_inputs(c->g, width, at);
	blast_bind(c->b, expr_input_var(t->pool, input), at);
	for (unsigned i = 0; i < width; i++)
		*PUSH(c->latch, c->latches) = (struct aiger_latch){ at[i], LIT_FALSE, AIGER_ZERO };
}

static void set_next(struct ts_circuit *c, const struct ts *t, size_t *at, expr next)
{
	const lit *l = blast_expr(c->b, next);
	for (unsigned i = 0; i < expr_width(t->pool, next); i++)
		c->latch[(*at)++].next = l[i];
}

struct ts_circuit ts_circuit(
    const struct ts *t, const struct ts_cone *cone, const expr *bad, size_t n)
{
	struct ts_circuit c = { .g = aig_new() };
	size_t at = 0;
	c.b = blast_new(t->pool, c.g);
	bind(&c, t, t->pc);
	for (uint32_t i = 0; i < cone->slots; i++)
		bind(&c, t, t->slot[cone->slot[i]].latch);
	set_next(&c, t, &at, t->pc_next);
	for (uint32_t i = 0; i < cone->slots; i++)
		set_next(&c, t, &at, t->slot[cone->slot[i]].next);
	for (size_t i = 0; i < n; i++)
		*PUSH(c.output, c.outputs) = *blast_expr(c.b, bad[i]);
	for (uint32_t i = 0; i < cone->vars; i++) {
		const lit *l = blast_var(c.b, cone->var[i]);
		for (unsigned k = 0; l && k < expr_var_width(t->pool, cone->var[i]); k++)
			*PUSH(c.input, c.inputs) = l[k];
	}
	return c;
}

void ts_circuit_free(struct ts_circuit *c)
{
	blast_free(c->b);
	aig_free(c->g);
	free(c->latch);
	free(c->input);
	free(c->output);
}
