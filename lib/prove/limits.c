/* limits: calls of an entry other than main. The harness makes each pointer lead to an object of
 * its own, of a size that it chose, and calls the entry once, before anything else. A proof for any
 * call needs another view of the program: pointers that are passed in lead to anything that outside
 * code may know, and variables that the program writes may hold anything. A goal that is proved
 * unreachable in the harness's view only is unreachable within limits, which are named here. */
#include "lib/prove/inner.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

/* ---- views */

/* Identifies a pair in any analysis of the program: numbers of its accesses and of the outcome. */
struct identity {
	uint32_t word[9];
};

static void describe(const struct defuse_access *a, uint32_t *word)
{
	bool incoming = a->kind == DEFUSE_INCOMING;
	word[0] = (uint32_t)a->kind << 1 | a->is_def;
	word[1] = incoming ? a->func : a->unit;
	word[2] = incoming ? 0 : a->inst;
	word[3] = a->kind == DEFUSE_ACCESS ? a->record : a->formal ? a->var : 0;
}

static struct identity identify(const struct defuse *d, uint32_t pair)
{
	const struct defuse_pair *p = &d->pair[pair];
	struct identity i = { { 0 } };
	describe(&d->access[p->def], i.word);
	describe(&d->access[p->use], i.word + 4);
	i.word[8] = p->outcome;
	return i;
}

static uint64_t hash(const struct identity *i)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	for (size_t k = 0; k < sizeof i->word / sizeof *i->word; k++)
		h = (h ^ i->word[k]) * UINT64_C(0x9e3779b97f4a7c15) ^ h >> 29;
	return h ? h : 1;
}

/* Finds goals that are pairs in the other analysis. */
static void translate(struct pair_view *v, const struct defuse *from, const struct prove_goals *g)
{
	struct map of = { 0 };
	bool fresh;
	for (uint32_t i = 0; i < v->d->pairs; i++) {
		struct identity id = identify(v->d, i);
		*map_at(&of, hash(&id), &fresh) = i + 1;
	}
	for (size_t i = 0; i < g->n; i++) {
		struct identity id, found;
		if (g->goal[i] & PROVE_OUTCOME)
			continue;
		id = identify(from, g->goal[i]);
		v->goal[i] = map_get(&of, hash(&id)) - 1;
		if (v->goal[i] != NONE
		    && (found = identify(v->d, v->goal[i]), memcmp(&found, &id, sizeof id)))
			v->goal[i] = NONE;
	}
	map_close(&of);
}

struct pair_view *prove_view(struct defuse *d, const struct prove_goals *g, bool any_caller)
{
	struct pair_view *v = zeroed(1, sizeof *v);
	struct defuse_options o = d->options;
	v->own = any_caller;
	v->d = d;
	o.alias.any_caller = o.alias.may_alias = true;
	if (v->own)
		v->d = defuse_new(d->flow, &o);
	v->goal = zeroed(g->n, sizeof *v->goal);
	for (size_t i = 0; i < g->n; i++)
		v->goal[i] = g->goal[i];
	if (v->own)
		translate(v, d, g);
	v->index = prove_index(v->d->flow, v->d->alias);
	v->summary = summary_new(v->d->flow, v->d->alias);
	return v;
}

void prove_view_free(struct pair_view *v)
{
	if (!v)
		return;
	summary_free(v->summary);
	prove_index_free(v->d->flow, v->index);
	if (v->own)
		defuse_free(v->d);
	free(v->goal);
	free(v);
}

/* ---- what a call of the entry may find */

static bool is_harness(const struct defuse *d, uint32_t function)
{
	uint32_t unit, id;
	return alias_function_of(d->alias, function, &unit, &id)->is_harness;
}

uint32_t prove_root_of(const struct defuse *d, bool *is_main)
{
	uint32_t root = alias_root(d->alias, d->options.alias.entry);
	*is_main = root != ALIAS_NONE
	    && !strcmp(alias_function_of(d->alias, root, NULL, NULL)->name, "main");
	return root == ALIAS_NONE ? NONE : root;
}

static bool is_variable(const struct pair_view *v, uint32_t object)
{
	const struct alias_object *a = alias_object(v->d->alias, object);
	return a->kind == ALIAS_VARIABLE && a->owner == ALIAS_NONE
	    && v->d->flow->unit[a->unit].var[a->id - 1].defined == 1;
}

static bool does_write(const struct pair_view *v, uint32_t function, uint32_t object)
{
	return summary_does(v->summary, v->d->alias, function, object) & SUMMARY_WRITTEN;
}

bool *prove_find_written(const struct pair_view *v)
{
	bool *written = zeroed(alias_objects(v->d->alias), sizeof *written),
	     whole = flow_is_whole(v->d->flow);
	for (uint32_t f = 0; f < v->summary->functions; f++) {
		bool all = v->summary->function[f].all;
		for (uint32_t o = 0; o < v->summary->objects && !is_harness(v->d, f); o++)
			written[o] |= all || does_write(v, f, o);
	}
	for (uint32_t o = 0; !whole && o < v->summary->objects; o++)
		written[o] |= is_variable(v, o) && alias_object(v->d->alias, o)->escaped;
	return written;
}

/* Does the unit compare values that may be two addresses? */
static bool compares_addresses(const struct flow_unit *u)
{
	bool does = false;
	for (size_t i = 0; i < u->insts && !does; i++) {
		const struct flow_inst *in = &u->inst[i];
		const struct flow_operand *o = &u->operand[in->first];
		does = in->op == FLOW_COMPARE && in->width == 64 && in->operands >= 2
		    && o[0].kind != '#' && o[1].kind != '#';
	}
	return does;
}

/* Could it matter whether a pointer that is passed in leads to a variable of the program? Nothing
 * writes to a constant, so only its address may be compared. */
static bool shares_variables(const struct pair_view *v)
{
	bool constants = false;
	for (size_t i = 0; i < v->d->flow->units && !constants; i++)
		constants = compares_addresses(&v->d->flow->unit[i]);
	for (uint32_t i = 0; i < alias_objects(v->d->alias); i++) {
		const struct alias_object *a = alias_object(v->d->alias, i);
		if (a->escaped
		    && (is_variable(v, i)
		        || (constants && a->owner == ALIAS_NONE
		            && (a->kind == ALIAS_VARIABLE || a->kind == ALIAS_DATA))))
			return true;
	}
	return false;
}

/* ---- in words */

#define MOST_NAMES 4 /* of a kind */

struct limit_list {
	FILE *f;
	bool any;
};

static void add(struct limit_list *l, const char *kind, const char *name)
{
	fprintf(l->f, "%s%s %s", l->any ? ", " : "", kind, name);
	l->any = true;
}

static void add_pointers(struct limit_list *l, const struct pair_view *v, unsigned given)
{
	const char *entry = v->d->options.alias.entry;
	bool shared = shares_variables(v), more = false;
	for (size_t i = 0; i < v->d->flow->units; i++) {
		const struct flow_unit *u = &v->d->flow->unit[i];
		for (size_t k = 0; k < u->vars; k++) {
			const struct flow_var *p = &u->var[k];
			if (p->kind != 'p' || !p->func || !entry
			    || strcmp(u->func[p->func - 1].name, entry) || !p->type
			    || !strchr("psa", u->type[p->type - 1].kind))
				continue;
			if (!(given & PROVE_SIZES)) {
				add(l, "size", p->name);
				add(l, "null", p->name);
			}
			if (!(given & PROVE_DISTINCT) && (more || shared))
				add(l, "alias", p->name);
			more = true;
		}
	}
}

/* Is it a variable of another unit that a function of the program writes? */
static bool is_elsewhere(const struct pair_view *v, uint32_t object)
{
	const struct alias_object *a = alias_object(v->d->alias, object);
	bool direct = false;
	for (uint32_t f = 0; f < v->summary->functions && !direct; f++)
		direct = !is_harness(v->d, f)
		    && (v->summary->function[f].written[object / 64] >> object % 64 & 1);
	return direct && a->kind == ALIAS_VARIABLE && a->owner == ALIAS_NONE
	    && !v->d->flow->unit[a->unit].var[a->id - 1].defined;
}

static void add_state(struct limit_list *l, const struct pair_view *v)
{
	bool *written = prove_find_written(v);
	size_t n = 0;
	for (uint32_t i = 0; i < alias_objects(v->d->alias); i++) {
		const struct alias_object *a = alias_object(v->d->alias, i);
		if (((written[i] && is_variable(v, i)) || is_elsewhere(v, i)) && ++n <= MOST_NAMES)
			add(l, "calls", v->d->flow->unit[a->unit].var[a->id - 1].name);
	}
	if (n > MOST_NAMES)
		fprintf(l->f, " and %zu more", n - MOST_NAMES);
	free(written);
}

char *prove_limits(struct defuse *d, unsigned given)
{
	bool is_main;
	char *text = NULL;
	size_t size;
	struct prove_goals none = { NULL, 0, NULL };
	struct pair_view *v;
	struct limit_list l = { NULL, false };
	if (prove_root_of(d, &is_main) == NONE || is_main)
		return NULL;
	l.f = text_stream(&text, &size);
	v = prove_view(d, &none, true);
	add_pointers(&l, v, given);
	if (!(given & PROVE_STATE))
		add_state(&l, v);
	prove_view_free(v);
	fclose(l.f);
	if (!l.any) {
		free(text);
		text = NULL;
	}
	return text;
}
