/* circuit: the system as bits: leaves, what latches become, the open outputs. */
#include "lib/prove/inner.h"

#include <stdlib.h>

static void bind(struct circuit *c, struct model *m, expr input)
{
	unsigned width = expr_width(m->pool, input);
	lit at[BLAST_MOST];
	blast_inputs(c->g, width, at);
	blast_bind(c->b, expr_input_var(m->pool, input), at);
	for (unsigned i = 0; i < width; i++)
		*PUSH(c->latch, c->latches) = (struct aiger_latch){ at[i], LIT_FALSE, AIGER_ZERO };
}

static void set_next(struct circuit *c, struct model *m, size_t *at, expr next)
{
	const lit *l = blast_expr(c->b, next);
	for (unsigned i = 0; i < expr_width(m->pool, next); i++)
		c->latch[(*at)++].next = l[i];
}

struct circuit prove_circuit(struct run *r)
{
	struct model *m = r->m;
	struct circuit c = { .g = aig_new() };
	size_t at = 0;
	c.b = blast_new(m->pool, c.g);
	bind(&c, m, m->pc);
	for (uint32_t i = 0; i < r->cone.slots; i++)
		bind(&c, m, m->slot[r->cone.slot[i]].latch);
	set_next(&c, m, &at, m->pc_next);
	for (uint32_t i = 0; i < r->cone.slots; i++)
		set_next(&c, m, &at, m->slot[r->cone.slot[i]].next);
	for (size_t i = 0; i < r->opens; i++)
		*PUSH(c.output, c.outputs) = *blast_expr(c.b, m->output[r->open[i]].bad);
	for (uint32_t i = 0; i < r->cone.vars; i++) {
		const lit *l = blast_var(c.b, r->cone.var[i]);
		for (unsigned k = 0; l && k < expr_var_width(m->pool, r->cone.var[i]); k++)
			*PUSH(c.input, c.inputs) = l[k];
	}
	return c;
}

void prove_circuit_free(struct circuit *c)
{
	blast_free(c->b);
	aig_free(c->g);
	free(c->latch);
	free(c->input);
	free(c->output);
}
