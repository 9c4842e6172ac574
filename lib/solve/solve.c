/* solve: builds the chain; checks every model against the posed conditions before returning it. */
#include "lib/solve/layer.h"
#include "lib/base/clock.h"
#include "lib/solve/domains.h"
#include "lib/engine/process.h"
#include "lib/solve/serve.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

static const struct layer_class *const order[] = {
	&layer_aliases,
	&layer_listed,
	&layer_simplify,
	&layer_slice,
	&layer_reuse,
	&layer_cores,
	&layer_cuts,
	&layer_repair,
	&layer_known,
	&layer_numerals,
	&layer_equal,
	&layer_split,
	&layer_order,
	&layer_small,
	&layer_search,
	&layer_tables,
	&layer_intervals,
	&layer_numbers,
	&layer_texts,
	&layer_pinned,
	&layer_narrow,
	&layer_canon,
	&layer_arrays,
	&layer_engines,
};
#define LAYERS (sizeof order / sizeof *order)

struct solver {
	struct solve_options o;
	char *layers, *engines;
	struct solve_counts counts;
	struct chain chain;
	struct layer partial; /* on top of the others, if enabled */
	struct layer layer[LAYERS];
	size_t n;
	struct assignment *out;  /* of the question that is asked: values for the caller */
	struct assignment model; /* the co-process's answer */
	expr *cond;
	size_t cond_cap;
	expr *implied;
	size_t implieds, implied_cap;
	uint32_t vars_seen;
	struct remote *remote; /* the co-process that answers; then the only layers are
	                          partial, if enabled, and the one that calls it */
};

static enum answer ask_remote(struct layer *l, const struct problem *q);
static const struct layer_class class_remote = { "remote", NULL, ask_remote, NULL };

int solve_refine(const char *name)
{
	static const char *const names[] = { "first", "last", "all", "shared", "paper" };
	for (int i = 0; i < 5; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}

void *layer_state(struct layer *l, size_t size)
{
	l->state = zeroed(1, size);
	return l->state;
}

enum answer layer_pass(struct layer *l, const struct problem *q)
{
	return l->next->class->ask(l->next, q);
}

enum answer layer_pass_within(struct layer *l, const struct problem *q, double share)
{
	double deadline = l->chain->deadline, now = clock_now();

	l->chain->deadline = now + share * (deadline - now);
	enum answer a = layer_pass(l, q);
	l->chain->deadline = deadline;
	return a;
}

enum answer layer_own(struct layer *l, enum answer a)
{
	l->answered++;
	l->chain->why = l->class->name;
	l->chain->by_engine = false;
	return a;
}

const struct range *layer_range(struct chain *c, expr cond)
{
	struct range r;
	c->range_at = grow(c->range_at, &c->range_at_cap, (size_t)cond + 1, sizeof *c->range_at);
	if (!c->range_at[cond]) {
		c->range_at[cond] = 1;
		if (range_of(c->p, cond, &r)) {
			c->range = grow(c->range, &c->range_cap, c->ranges + 1, sizeof *c->range);
			c->range[c->ranges] = r;
			c->range_at[cond] = (uint32_t)c->ranges++ + 2;
		}
	}
	return c->range_at[cond] > 1 ? &c->range[c->range_at[cond] - 2] : NULL;
}

void layer_bind(struct chain *c, uint32_t var, struct value v)
{
	c->bound = grow(c->bound, &c->bound_cap, c->bounds + 1, sizeof *c->bound);
	c->bound[c->bounds++] = (struct binding){ var, v };
}

void layer_unbind_all(struct chain *c)
{
	c->bounds = 0;
}

bool layer_bound(const struct chain *c, uint32_t var, struct value *v)
{
	for (size_t i = c->bounds; i-- > 0;)
		if (c->bound[i].var == var) {
			*v = c->bound[i].v;
			return true;
		}
	return false;
}

int layer_place(uint32_t *list, size_t *n, size_t most, uint32_t var)
{
	for (size_t i = 0; i < *n; i++)
		if (list[i] == var)
			return (int)i;
	if (*n == most)
		return -1;
	list[*n] = var;
	return (int)(*n)++;
}

void layer_values(const struct chain *c, const struct problem *q, struct assignment *a)
{
	struct assignment empty = { 0 };
	assignment_copy(a, q->parent ? q->parent : &empty);
	for (size_t i = 0; i < c->bounds; i++)
		assignment_set(a, c->bound[i].var, c->bound[i].v);
}

/* Is name in a comma-separated list? NULL contains all. */
static bool listed(const char *list, const char *name)
{
	size_t len = strlen(name);
	if (!list)
		return true;
	for (const char *s = list; *s; s += strcspn(s, ","), s += *s == ',')
		if (strncmp(s, name, len) == 0 && (s[len] == ',' || !s[len]))
			return true;
	return false;
}

/* Layers that cannot be disabled; those below depend on them. */
static bool always(const struct layer_class *c)
{
	return c == &layer_aliases || c == &layer_arrays || c == &layer_engines;
}

/* Error: there is no such layer; names those that there are. */
static void unknown_layer(const char *name, size_t len, char **error)
{
	size_t size;
	FILE *f = text_stream(error, &size);
	fprintf(f, "unknown layer %.*s (", (int)len, name);
	for (size_t i = 1, n = 0; i < LAYERS; i++)
		if (!always(order[i]))
			fprintf(f, "%s%s", n++ ? " " : "", order[i]->name);
	fputc(')', f);
	fclose(f);
}

static bool known_layers(const char *list, char **error)
{
	if (!list || strcmp(list, "none") == 0)
		return true;
	for (const char *s = list; *s; s += strcspn(s, ","), s += *s == ',') {
		size_t len = strcspn(s, ","), i = 1;
		while (
		    i < LAYERS && !(strncmp(order[i]->name, s, len) == 0 && !order[i]->name[len]))
			i++;
		if (i < LAYERS)
			continue;
		unknown_layer(s, len, error);
		return false;
	}
	return true;
}

static bool build(struct solver *s, char **error)
{
	s->chain.domains = domains_new(s->chain.p);
	for (size_t i = s->o.aliases ? 0 : 1; i < LAYERS; i++)
		if (always(order[i]) || listed(s->o.layers, order[i]->name))
			s->layer[s->n++] = (struct layer){ .class = order[i], .chain = &s->chain };
	for (size_t i = 0; i < s->n; i++) {
		s->layer[i].next = i + 1 < s->n ? &s->layer[i + 1] : NULL;
		if (s->layer[i].class->open && !s->layer[i].class->open(&s->layer[i], error))
			return false;
	}
	return true;
}

static bool build_remote(struct solver *s, char **error)
{
	s->layer[s->n++] = (struct layer){ .class = &class_remote, .chain = &s->chain, .state = s };
	return (s->remote = remote_open(s->chain.p, &s->o, error)) != NULL;
}

struct solver *solve_open(struct expr_pool *p, const struct solve_options *o, char **error)
{
	struct solver *s = zeroed(1, sizeof *s);
	*error = NULL;
	if (o)
		s->o = *o;
	s->o.layers = s->layers = s->o.layers ? copied(s->o.layers) : NULL;
	s->o.engines = s->engines = s->o.engines ? copied(s->o.engines) : NULL;
	if (s->o.timeout <= 0)
		s->o.timeout = 10;
	s->chain = (struct chain){ .p = p, .o = &s->o, .counts = &s->counts };
	if (s->o.command ? !build_remote(s, error)
	                 : !known_layers(s->o.layers, error) || !build(s, error)) {
		solve_close(s);
		return NULL;
	}
	s->partial =
	    (struct layer){ .class = &layer_partial, .chain = &s->chain, .next = &s->layer[0] };
	s->partial.class->open(&s->partial, error);
	return s;
}

void solve_partial(struct solver *s, enum solve_refine how)
{
	s->o.partial = true;
	s->o.refine = how;
}

void solve_close(struct solver *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++)
		if (s->layer[i].class->close && s->layer[i].state)
			s->layer[i].class->close(&s->layer[i]);
	if (s->partial.state)
		s->partial.class->close(&s->partial);
	if (s->remote)
		remote_close(s->remote);
	assignment_clear(&s->model);
	domains_free(s->chain.domains);
	free(s->chain.bound), free(s->chain.range_at), free(s->chain.range);
	free(s->cond), free(s->implied), free(s->layers), free(s->engines);
	free(s);
}

/* Adds conditions implied by the kinds of inputs: a bool is 0 or 1. Considers inputs added since
 * the last query. */
static void learn_kinds(struct solver *s)
{
	struct expr_pool *p = s->chain.p;
	for (; s->vars_seen < expr_var_count(p); s->vars_seen++) {
		uint32_t w = expr_var_width(p, s->vars_seen);
		if (expr_var_kind(p, s->vars_seen) != INPUT_BOOL || w < 2)
			continue;
		s->implied = grow(s->implied, &s->implied_cap, s->implieds + 1, sizeof *s->implied);
		s->implied[s->implieds++] = expr_make(p, OP_ULT, 1, expr_input(p, s->vars_seen),
		    expr_const(p, w, (struct value){ 2, 0 }), 0);
	}
}

/* The implied conditions followed by the posed ones. */
static struct problem pose(struct solver *s, const struct query *q)
{
	if (!s->remote) /* the co-process adds them itself */
		learn_kinds(s);
	size_t k = s->chain.implied = q->n ? s->implieds : 0;
	s->cond = grow(s->cond, &s->cond_cap, k + q->n, sizeof *s->cond);
	if (k)
		memcpy(s->cond, s->implied, k * sizeof *s->cond);
	if (q->n)
		memcpy(s->cond + k, q->cond, q->n * sizeof *s->cond);
	return (struct problem){ s->cond, k + q->n, q->n ? k + q->n - 1 : 0, q->parent };
}

/* Do the parent's values, overridden by the answer's, satisfy all conditions? */
static bool model_holds(struct solver *s, const struct problem *posed)
{
	layer_values(&s->chain, posed, s->out);
	return expr_first_false(s->chain.p, posed->cond, posed->n, s->out) == posed->n;
}

static enum answer judge(struct solver *s, const struct problem *posed, enum answer a)
{
	if (a == ANSWER_SAT && s->chain.checked)
		layer_values(&s->chain, posed, s->out);
	if (a != ANSWER_SAT || s->chain.checked || model_holds(s, posed))
		return a;
	if (s->remote)
		return ANSWER_UNKNOWN;
	/* a layer assumed that the parent satisfies the prefix: ask for everything at once */
	layer_unbind_all(&s->chain);
	struct layer *last = &s->layer[s->n - 2]; /* arrays, engines */
	a = last->class->ask(last, posed);
	if (a != ANSWER_SAT || model_holds(s, posed))
		return a;
	s->counts.bad_models++;
	s->chain.why = "model does not satisfy the conditions";
	return ANSWER_UNKNOWN;
}

/* Compares a layer's answer with the engines' answer to the posed conditions (--cross). */
static enum answer compare(struct solver *s, const struct problem *posed, enum answer a)
{
	struct layer *last = &s->layer[s->n - 2]; /* arrays, engines */
	const char *why = s->chain.why;
	bool by_engine = s->chain.by_engine;
	if (a == ANSWER_UNKNOWN || s->n == 2)
		return a; /* nothing to compare, or the engines have just answered this */
	layer_unbind_all(&s->chain);
	enum answer b = last->class->ask(last, posed);
	s->chain.by_engine = by_engine;
	if (b != ANSWER_UNKNOWN && b != a) {
		s->counts.disagreed++;
		s->chain.why = "layers and engines disagree";
		return ANSWER_UNKNOWN;
	}
	s->chain.why = why;
	return a;
}

void layer_count(struct chain *c, size_t n, enum answer a)
{
	struct solve_counts *k = c->counts;
	k->asked++;
	k->conjuncts += n;
	if (n > k->conjuncts_max)
		k->conjuncts_max = n;
	k->sat += a == ANSWER_SAT;
	k->unsat += a == ANSWER_UNSAT;
	k->unknown += a == ANSWER_UNKNOWN;
	k->engine += c->by_engine;
	k->cached += !c->by_engine;
}

static enum answer ask_remote(struct layer *l, const struct problem *q)
{
	struct solver *s = l->state;
	struct chain *c = l->chain;
	struct query down = { q->cond, q->n, q->parent, c->wish ? c->wish->cond : NULL,
		c->wish ? c->wish->n : 0, 0, c->no_engine };
	enum answer a = remote_ask(
	    s->remote, &down, &s->model, s->o.timeout, &c->why, &c->by_engine, c->counts);
	for (uint32_t i = 0; a == ANSWER_SAT && i < s->model.n; i++)
		if (s->model.set[i])
			layer_bind(c, i, s->model.v[i]);
	return a;
}

static enum answer ask_chain(struct solver *s, const struct query *q, struct assignment *model)
{
	struct problem posed = pose(s, q);
	struct layer *top = s->o.partial ? &s->partial : &s->layer[0];
	struct problem whole = { q->whole, q->wholes, 0, q->parent };
	s->chain.checked = false;
	s->chain.no_engine = q->cheap;
	s->chain.wish = q->whole ? &whole : NULL;
	s->out = model;
	enum answer a = judge(s, &posed, top->class->ask(top, &posed));
	s->chain.wish = NULL;
	s->chain.no_engine = false;
	if (s->o.cross && !s->remote)
		a = compare(s, &posed, a);
	return a;
}

enum answer solve_ask(
    struct solver *s, const struct query *q, struct assignment *model, const char **why)
{
	double begin = clock_now();
	s->chain.deadline =
	    begin + (q->seconds > 0 && q->seconds < s->o.timeout ? q->seconds : s->o.timeout);
	s->chain.why = "no conditions";
	s->chain.by_engine = false;
	layer_unbind_all(&s->chain);
	enum answer a = ask_chain(s, q, model);
	if (why)
		*why = s->chain.why;
	s->counts.questions++;
	s->counts.infeasible += a == ANSWER_UNSAT;
	if (!s->o.partial)
		layer_count(&s->chain, q->n, a);
	s->counts.seconds += clock_now() - begin;
	if (!s->remote)
		s->counts.child_seconds = engines_cpu(&s->layer[s->n - 1]);
	return a;
}

const struct solve_counts *solve_counts(const struct solver *s)
{
	return &s->counts;
}

bool solve_layer(const struct solver *s, size_t i, const char **name, uint64_t *answered)
{
	if (s->remote)
		return remote_layer(s->remote, i, name, answered);
	if (i >= s->n - 1)
		return engines_count(&s->layer[s->n - 1], i - (s->n - 1), name, answered);
	*name = s->layer[i].class->name;
	*answered = s->layer[i].answered;
	return true;
}
