/* reachable: functions that the entry reaches. An undefined function can only call back functions
 * whose address the reached code, or an initialiser, has. */
#include "lib/defuse/inner.h"

#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

struct reachable_code {
	struct defuse *d;
	struct flow_names *names;
	bool *mark;  /* by function */
	bool *known; /* by function: its address is taken there */
	uint32_t *todo;
	size_t n;
	bool calls_back;    /* the reached code calls an undefined function */
	bool **reached;     /* flow_reachable: what pointers of outside code lead to by their types;
	                       NULL: without an entry */
	bool calls_outside; /* the reached code calls outside code through pointers */
};

static void visit(struct reachable_code *s, uint32_t function)
{
	if (s->mark[function])
		return;
	s->mark[function] = true;
	s->todo[s->n++] = function;
}

static void learn(struct reachable_code *s, uint32_t unit, const struct flow_operand *o)
{
	struct flow_meaning m;

	if (o->kind == '@' && o->name && flow_names_find(s->names, unit, o->name, &m))
		s->known[alias_function(s->d->alias, m.unit, m.func + 1)] = true;
}

/* An initialiser may contain the address of any function. */
static void learn_initialisers(struct reachable_code *s)
{
	for (uint32_t i = 0; i < s->d->flow->units; i++) {
		const struct flow_unit *u = &s->d->flow->unit[i];
		for (size_t k = 0; k < u->relocs; k++)
			learn(s, i, &u->reloc[k].target);
	}
}

static void learn_block(struct reachable_code *s, uint32_t block)
{
	const struct block *b = &s->d->index->block[block];
	const struct flow_unit *u = &s->d->flow->unit[b->unit];
	uint32_t first = defuse_first_inst(s->d, block), id;

	if (!first)
		return;
	id = u->inst[first - 1].block;
	for (uint32_t i = first; i <= u->insts && u->inst[i - 1].block == id; i++) {
		const struct flow_inst *inst = &u->inst[i - 1];
		for (uint32_t k = inst->op == FLOW_CALL; k < inst->operands; k++)
			learn(s, b->unit, &u->operand[inst->first + k]);
	}
}

static void follow(struct reachable_code *s, const struct alias_call *c)
{
	s->calls_outside |= c->unknown && !c->name;
	s->calls_back |= c->unknown && c->name && !c->callees && strncmp(c->name, "duct_rt_", 8);
	for (size_t k = 0; k < c->callees; k++)
		visit(s, c->callee[k]);
}

static void follow_function(struct reachable_code *s, uint32_t function)
{
	const struct defuse_index *x = s->d->index;

	for (uint32_t b = defuse_entry_block(s->d, function);
	    b < x->blocks && x->block[b].func == function; b++) {
		learn_block(s, b);
		for (uint32_t c = x->block[b].first_call;
		    c < x->block[b].first_call + x->block[b].calls; c++)
			follow(s, alias_call(s->d->alias, c));
	}
}

/* May outside code call the function back? Outside code that is called by name may call each
 * function that it may know; outside code that is called through a pointer, only those of these
 * that flow_reachable has. */
static bool is_called_back(const struct reachable_code *s, uint32_t function)
{
	uint32_t unit, id;

	alias_function_of(s->d->alias, function, &unit, &id);
	return s->known[function]
	    && (s->calls_back || (s->calls_outside && (!s->reached || s->reached[unit][id - 1])));
}

static void follow_all(struct reachable_code *s)
{
	size_t backs;
	const uint32_t *back = alias_called_back(s->d->alias, &backs);

	for (size_t i = 0; i < s->n; i++) {
		follow_function(s, s->todo[i]);
		for (size_t k = 0; i + 1 == s->n && k < backs; k++)
			if (is_called_back(s, back[k]))
				visit(s, back[k]);
	}
}

void defuse_reachable(struct defuse *d)
{
	struct defuse_index *x = d->index;
	uint32_t functions = alias_functions(d->alias);
	struct reachable_code s = { .d = d,
		.names = flow_names_new(d->flow),
		.mark = zeroed(functions + 1u, sizeof *s.mark),
		.known = zeroed(functions + 1u, sizeof *s.known),
		.todo = zeroed(functions + 1u, sizeof *s.todo) };

	x->reachable = zeroed(functions + 1u, sizeof *x->reachable);
	x->runs = s.mark;
	x->incoming = zeroed(functions + 1u, sizeof *x->incoming);
	if (d->options.alias.entry)
		s.reached = flow_reachable(d->flow, d->options.alias.entry);
	learn_initialisers(&s);
	for (uint32_t f = 0; f < functions; f++)
		if (!d->options.alias.entry || alias_is_entry(d->alias, f))
			visit(&s, f);
	follow_all(&s);
	memcpy(x->reachable, s.mark, functions * sizeof *s.mark);
	for (uint32_t f = 0; f < functions; f++)
		if (d->options.alias.any_caller
		    || alias_function_of(d->alias, f, NULL, NULL)->is_harness)
			visit(&s, f);
	follow_all(&s);
	flow_marks_free(d->flow, s.reached);
	flow_names_free(s.names);
	free(s.known);
	free(s.todo);
}
