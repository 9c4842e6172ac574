/* pairs: analyses a process's program and libraries together, once for processes with the same
 * flows; the recorded last definitions then give the covered pairs. */
#include "lib/cover/pairs.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

struct analysis {
	uint64_t set;
	uint64_t *flow_key;
	size_t flow_keys;
	struct flow *flow; /* NULL: one is unreadable */
	struct defuse *defuse;
	int64_t *row; /* by pair: its row in the store */
};

static bool has(const uint64_t *list, size_t n, uint64_t what)
{
	while (n)
		if (list[--n] == what)
			return true;
	return false;
}

void process_add(struct recorded_process *p, const struct record_file *f)
{
	const struct channel_unit *u = record_units(f);

	for (uint64_t i = 0; i < f->r->units && f->r->first_unit + i < UINT32_MAX / 2; i++) {
		while (p->keys <= f->r->first_unit + i) {
			*PUSH(p->key, p->keys) = 0;
		}
		p->key[f->r->first_unit + i] = u[i].key;
	}
	if (has(p->flow_key, p->flow_keys, f->r->model))
		return;
	*PUSH(p->flow_key, p->flow_keys) = f->r->model;
	p->set += f->r->model * 0x9e3779b97f4a7c15u;
}

void process_free(struct recorded_process *p)
{
	free(p->key);
	free(p->flow_key);
	free(p->program);
}

/* Appends the units of `from` to `to`. */
static void append(struct flow *to, struct flow *from)
{
	for (size_t i = 0; i < from->units; i++) {
		if (flow_unit_by_key(to, from->unit[i].key))
			continue;
		*PUSH(to->unit, to->units) = from->unit[i];
		from->unit[i] = (struct flow_unit){ .key = 0 };
	}
	flow_free(from);
}

static void read_flows(struct analysis *a, const struct analysis_source *from)
{
	for (size_t i = 0; i < a->flow_keys; i++) {
		struct flow *fl = from->read(from->data, a->flow_key[i]);
		if (!fl) {
			flow_free(a->flow);
			a->flow = NULL;
			return;
		}
		append(a->flow, fl);
	}
}

static struct analysis *new_analysis(const struct recorded_process *p)
{
	struct analysis *a = zeroed(1, sizeof *a);

	a->flow_key = zeroed(p->flow_keys + 1, sizeof *a->flow_key);
	a->flow = zeroed(1, sizeof *a->flow);
	a->set = p->set;
	a->flow_keys = p->flow_keys;
	memcpy(a->flow_key, p->flow_key, p->flow_keys * sizeof *a->flow_key);
	return a;
}

static bool sound(const struct channel_pair *c, size_t units)
{
	return c->use_kind && c->use_kind != DUCT_PAIR_OBJECTIVE && c->use_unit < units
	    && c->def_unit < units && c->site_unit < units;
}

/* Converts the units and pairs of a record to a trace. */
static struct trace trace_of(const struct recorded_process *p, const struct record_file *f)
{
	struct trace t = { .units = p->keys };
	const struct channel_pair *c;
	size_t n;

	c = record_pairs(f, &n);
	t.unit = zeroed(p->keys + 1, sizeof *t.unit);
	t.pair = zeroed(n + 1, sizeof *t.pair);
	for (size_t i = 0; i < p->keys; i++)
		t.unit[i].key = p->key[i];
	for (size_t i = 0; i < n; i++)
		if (sound(&c[i], p->keys))
			t.pair[t.pairs++] = c[i];
	return t;
}

static void credit(const struct analysis *a, const struct recorded_process *p,
    const struct record_file *f, int64_t **row, size_t *n)
{
	struct trace t = trace_of(p, f);
	uint32_t *pair;
	size_t covered;

	defuse_covered(a->defuse, &t, &pair, &covered);
	*row = zeroed(covered + 1, sizeof **row);
	for (size_t i = 0; i < covered; i++)
		if (a->row[pair[i]])
			(*row)[(*n)++] = a->row[pair[i]];
	free(pair);
	free(t.unit);
	free(t.pair);
}

int analysis_covered(struct analysis **last, const struct analysis_source *from,
    const struct recorded_process *p, const struct record_file *f, int64_t **row, size_t *n)
{
	const struct cover_options *o = from->options;
	struct analysis *a = *last;

	*row = NULL;
	*n = 0;
	if (!a || a->set != p->set) {
		if (o->progress)
			fprintf(o->progress, "cover: analysing the pairs of %s\n", p->program);
		analysis_free(a);
		a = *last = new_analysis(p);
		read_flows(a, from);
		if (a->flow)
			a->defuse = defuse_new(a->flow, &o->pairs);
		if (a->flow
		    && !(
		        a->row = store_suite_pairs(from->store, a->defuse, from->wants, (void *)o)))
			return -1;
	}
	if (a->row)
		credit(a, p, f, row, n);
	return 0;
}

void analysis_free(struct analysis *a)
{
	if (!a)
		return;
	if (a->defuse)
		defuse_free(a->defuse);
	flow_free(a->flow);
	free(a->flow_key);
	free(a->row);
	free(a);
}
