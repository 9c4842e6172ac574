/* prove: from pairs to questions: a model for each function, and its stages in order. */
#include "lib/prove/inner.h"

#include <stdlib.h>
#include <string.h>

static void free_model(struct model *m)
{
	for (uint32_t i = 0; i < m->frames; i++) {
		free(m->frame[i].node);
		free(m->frame[i].reg);
		free(m->frame[i].arg);
		free(m->frame[i].object);
	}
	for (uint32_t i = 0; i < m->objects; i++) {
		free(m->object[i].cell);
		free(m->object[i].ghost);
	}
	for (uint32_t i = 0; i < m->inputs; i++)
		free(m->input[i].name);
	for (uint32_t i = 0; i < m->notes; i++)
		free(m->note[i].text);
	map_close(&m->object_of);
	map_close(&m->events_at);
	map_close(&m->goals_at);
	void *arrays[] = { m->frame, m->node, m->object, m->slot, m->ghost, m->event, m->goal, m->input, m->order, m->cut,
	                   m->output, m->note, m->outside };
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
		free(arrays[i]);
	expr_pool_free(m->pool);
}

static bool has_stage(const struct run *r, const char *name)
{
	const char *list = r->m->options->stages, *at = list ? strstr(list, name) : NULL;
	size_t n = strlen(name);
	return !list || (at && (at == list || at[-1] == ',') && (at[n] == ',' || !at[n]));
}

static void tell_question(const struct model *m, const struct prove_sink *sink)
{
	uint32_t unit, id;
	const struct flow_func *f = alias_function_of(m->alias, m->frame[0].number, &unit, &id);
	sink->question(sink->ctx, f->hash, f->name);
	sink->narrow(sink->ctx, m->arbitrary ? "from any state" : "from the entry, globals as they are initialised");
	if (!m->defuse->options.alias.may_alias)
		sink->narrow(sink->ctx, "pointers that come in are distinct");
	for (uint32_t i = 0; i < m->notes; i++)
		sink->narrow(sink->ctx, m->note[i].text);
}

/* Pairs that run where the model does not follow. */
static void leave_out(struct run *r)
{
	struct model *m = r->m;
	for (size_t i = 0, before = r->opens; i < r->opens; i += r->opens == before, before = r->opens) {
		const struct defuse_pair *p = &m->defuse->pair[m->output[r->open[i]].pair];
		const struct defuse_access *def = &m->defuse->access[p->def], *use = &m->defuse->access[p->use];
		if (m->broken)
			prove_decide(r, r->open[i], PROVE_UNKNOWN, "%s", m->broken);
		else if (def->kind > DEFUSE_INCOMING || use->kind > DEFUSE_INCOMING)
			prove_decide(r, r->open[i], PROVE_UNKNOWN, "values that pass through a call are not modelled");
		else if (m->outside[use->func] && !(m->arbitrary && use->func == m->frame[0].number))
			prove_decide(r, r->open[i], PROVE_UNKNOWN, "its function also runs where calls are not followed");
	}
}

static const struct { const char *name; bool loops; double share; void (*work)(struct run *); } stages[] = {
	{ "query", false, 0.5, prove_stage_query }, { "induction", true, 0.3, prove_stage_induction },
	{ "facts", true, 0.3, prove_stage_facts }, { "pdr", true, 1, prove_stage_pdr },
};

/* Each stage has its share of the time that is left. */
static void run_stages(struct run *r, double end)
{
	leave_out(r);
	if (has_stage(r, "simplify"))
		prove_stage_trivial(r);
	r->cone = prove_cone(r->m, r->open, r->opens);
	for (size_t i = 0; i < sizeof stages / sizeof *stages && prove_now() < end; i++) {
		r->deadline = prove_now() + (end - prove_now()) * stages[i].share;
		if (r->opens && has_stage(r, stages[i].name) && (r->m->cuts > 1 || !stages[i].loops))
			stages[i].work(r);
	}
	while (r->opens)
		prove_decide(r, r->open[0], PROVE_UNKNOWN, prove_now() >= end ? "the time was up" : "no stage decides it");
	prove_cone_free(&r->cone);
}

struct claims { const struct prove_claim *claim; size_t n; };

/* Only those that are claimed are told. */
static void keep_claimed(struct run *r, const struct claims *c)
{
	size_t kept = 0;
	for (size_t i = 0; i < r->opens; i++) {
		bool claimed = false;
		for (size_t k = 0; k < c->n; k++)
			claimed |= c->claim[k].pair == r->m->output[r->open[i]].pair;
		if (claimed)
			r->open[kept++] = r->open[i];
	}
	r->opens = kept;
}

static void check_claims(struct run *r, const struct claims *c, double end)
{
	r->deadline = end;
	keep_claimed(r, c);
	leave_out(r);
	prove_claims(r, c->claim, c->n);
}

static bool is_harness(const struct defuse *d, uint32_t function)
{
	uint32_t unit, id;
	return alias_function_of(d->alias, function, &unit, &id)->is_harness;
}

static const char *ask(struct defuse *d, struct unit_index *x, uint32_t root, const uint32_t *pair, size_t n,
                       const struct prove_options *o, const struct prove_sink *sink, double deadline, bool any,
                       const struct claims *claims)
{
	struct model m = { .flow = d->flow, .defuse = d, .alias = d->alias, .index = x, .options = o,
		.pool = expr_pool_new(), .arbitrary = any, .deadline = deadline };
	struct run r = { .m = &m, .sink = sink };
	bool built;
	if (!m.pool || !map_open(&m.object_of) || !map_open(&m.events_at) || !map_open(&m.goals_at))
		abort();
	m.harness = !any && is_harness(d, root);
	built = prove_build(&m, root);
	if (built) {
		prove_outside(&m);
		prove_watch(&m, pair, n);
		prove_walk(&m);
		tell_question(&m, sink);
		sink->model(sink->ctx, any ? PROVE_ANY : PROVE_ENTRY, o->most_insts, pair, n);
		r.open = prove_room(m.outputs, sizeof *r.open);
		for (; r.opens < m.outputs; r.opens++)
			r.open[r.opens] = (uint32_t)r.opens;
		if (claims)
			check_claims(&r, claims, deadline);
		else
			run_stages(&r, deadline);
	}
	free(r.open);
	free_model(&m);
	return built ? NULL : "the function has no blocks";
}

/* The function where everything starts: the harness, when there is one. */
static uint32_t root_of(const struct defuse *d)
{
	const char *entry = d->options.alias.entry;
	uint32_t unit, id, found = NONE;
	for (uint32_t f = 0; f < alias_functions(d->alias); f++) {
		const struct flow_func *func = alias_function_of(d->alias, f, &unit, &id);
		if (func->is_harness && func->blocks)
			return f;
		if (!strcmp(func->name, entry ? entry : "main") && func->blocks)
			found = f;
	}
	return found;
}

static const char *all(struct defuse *d, const uint32_t *pair, size_t n, const struct prove_options *o,
                       const struct prove_sink *sink, const struct claims *claims)
{
	double deadline = o->seconds > 0 ? prove_now() + o->seconds : prove_now() + 1e6;
	struct unit_index *x;
	const char *error = NULL;
	uint32_t root = root_of(d);
	bool any = o->context == PROVE_ANY || (o->context == PROVE_AUTO && root == NONE);
	if (!any && root == NONE)
		return "the program has no entry: name one, or prove in any state";
	x = prove_index(d->flow, d->alias);
	if (!any) {
		error = ask(d, x, root, pair, n, o, sink, deadline, false, claims);
	} else {
		uint32_t *part = prove_room(n, sizeof *part);
		for (uint32_t f = 0; f < alias_functions(d->alias) && !error; f++) {
			size_t parts = 0;
			for (size_t i = 0; i < n; i++)
				if (d->access[d->pair[pair[i]].use].func == f)
					part[parts++] = pair[i];
			if (parts)
				error = ask(d, x, f, part, parts, o, sink, deadline, true, claims);
		}
		free(part);
	}
	prove_index_free(d->flow, x);
	return error;
}

const char *prove_pairs(struct defuse *d, const uint32_t *pair, size_t n, const struct prove_options *o,
                        const struct prove_sink *sink)
{
	return all(d, pair, n, o, sink, NULL);
}

const char *prove_check(struct defuse *d, const uint32_t *pair, size_t n, const struct prove_options *o,
                        const struct prove_claim *claim, size_t claims, const struct prove_sink *sink)
{
	return all(d, pair, n, o, sink, &(struct claims){ claim, claims });
}
