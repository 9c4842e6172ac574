/* tree: explores programs of up to 4 inputs of 8 bits, told as traces by hand, by an execution tree
 * and a solver that tries values. */
#ifndef DUCT_TESTS_TREE_H
#define DUCT_TESTS_TREE_H

#include <stdlib.h>
#include <string.h>

#include "lib/tree/inner.h"
#include "tests/unit/tap.h"

enum { INPUTS = 4, ROOM = 64 };

struct world {
	uint8_t in[INPUTS];
	struct channel_node node[ROOM];
	uint32_t nodes;
	struct channel_event event[ROOM];
	size_t events;
	enum trace_end end;
};

static uint32_t node(
    struct world *w, enum op op, uint16_t width, uint32_t a, uint32_t b, uint64_t value)
{
	w->node[w->nodes++] = (struct channel_node){
		.op = (uint8_t)op, .width = width, .a = a, .b = b, .value = value
	};
	return w->nodes;
}

static uint32_t constant(struct world *w, uint8_t v)
{
	return node(w, OP_CONST, 8, 0, 0, v);
}

/* Inputs are nodes 1..INPUTS. */
static void event(
    struct world *w, int kind, uint32_t id, uint32_t n, uint64_t x, uint64_t y, int flags)
{
	w->event[w->events++] = (struct channel_event){ .kind = (uint16_t)kind,
		.id = id,
		.node = n,
		.x = x,
		.y = y,
		.flags = (uint16_t)flags };
}

/* in[i] < v, as a condition of this kind; its value. */
static bool less(struct world *w, int kind, uint32_t id, int i, uint8_t v, int flags)
{
	bool x = w->in[i] < v;
	uint32_t n = node(w, OP_ULT, 1, (uint32_t)i + 1, constant(w, v), x);
	event(w, kind, id, n, x, 0, flags);
	return x;
}

static bool less_var(struct world *w, uint32_t id, int i, int k)
{
	bool x = w->in[i] < w->in[k];
	event(w, EV_BRANCH, id, node(w, OP_ULT, 1, (uint32_t)i + 1, (uint32_t)k + 1, x), x, 0, 0);
	return x;
}

static const uint64_t cases[] = { 1, 5, 7 };

static size_t cases_of(void *arg, uint64_t key, uint32_t branch, const uint64_t **value)
{
	(void)key, (void)branch;
	*value = cases;
	return *(size_t *)arg;
}

/* Cases 1 and 5 run the same code. A case is wanted until a run that counts has taken it. */
static const uint32_t same_code[] = { 0, 0, 2 };
static bool with_ways, taken[20][4], again;

static const uint32_t *ways_of(void *arg, uint64_t key, uint32_t branch)
{
	(void)arg, (void)key, (void)branch;
	return same_code;
}

static bool is_wanted(void *arg, uint64_t key, uint32_t branch, uint32_t outcome)
{
	(void)arg, (void)key;
	return !taken[branch][outcome];
}

static void note_taken(const struct world *w)
{
	for (size_t i = 0; i < w->events; i++)
		if (w->event[i].kind == EV_SWITCH)
			taken[w->event[i].id][w->event[i].x] = true;
}

static void switch_on(struct world *w, uint32_t id, int i)
{
	uint64_t x = 0;
	while (x < 3 && cases[x] != w->in[i])
		x++;
	event(w, EV_SWITCH, id, (uint32_t)i + 1, x, w->in[i], 0);
}

/* ---- exploring */

typedef void program(struct world *);
static bool add_more; /* runs were added before: more of them */

struct result {
	struct tree_counts counts;
	unsigned runs, asked, conjuncts, mispredicted, rejected;
};

static bool run(struct tree *t, program *p, const uint8_t *in, uint64_t id, pending promised,
    struct tree_path *path)
{
	static const char *const names[INPUTS] = { "a", "b", "c", "d" };
	static struct world w;
	struct trace_var var[INPUTS];
	struct trace_unit unit = { .key = 77, .branches = 20, .outcomes = 60 };
	struct trace tr = { .id = id, .unit = &unit, .units = 1, .var = var, .vars = INPUTS };
	w = (struct world){ .nodes = 0 };
	memcpy(w.in, in, INPUTS);
	for (uint32_t i = 0; i < INPUTS; i++) {
		node(&w, OP_INPUT, 8, i, 0, in[i]);
		var[i] = (struct trace_var){ .name = (char *)names[i],
			.kind = INPUT_UINT,
			.width = 8,
			.value = { in[i], 0 } };
	}
	w.end = END_EXIT;
	p(&w);
	tr.node = w.node, tr.nodes = w.nodes, tr.event = w.event, tr.events = w.events,
	tr.end = w.end;
	(add_more ? tree_add_more : tree_add)(t, &tr, promised, path);
	if (!path->rejected)
		note_taken(&w);
	again = tree_doubt(t, promised);
	return true;
}

/* Values 0..9 for each input, those of the parent first. */
static bool solve(struct expr_pool *pool, const expr *cond, size_t n,
    const struct assignment *parent, uint8_t *in)
{
	struct assignment a = { 0 };
	for (int code = -1; code < 10000; code++) {
		bool good = true;
		for (int i = 0, rest = code; i < INPUTS; i++, rest /= 10) {
			in[i] = code < 0 ? (uint8_t)assignment_get(parent, (uint32_t)i).lo
			                 : (uint8_t)(rest % 10);
			assignment_set(&a, (uint32_t)i, (struct value){ in[i], 0 });
		}
		for (size_t k = n; good && k-- > 0;)
			good = expr_eval(pool, cond[k], &a).lo & 1;
		if (good) {
			assignment_clear(&a);
			return true;
		}
	}
	assignment_clear(&a);
	return false;
}

static uint32_t cut; /* conditions that a run adds at most, 0: as many as it has */

/* Depth first, to the end. */
static struct result explore(program *p, size_t known_cases, const uint8_t *first)
{
	struct expr_pool *pool = expr_pool_new();
	struct tree *t = tree_new(pool);
	struct result r = { 0 };
	struct tree_path path;
	pending stack[1000];
	size_t depth = 0, n;
	uint8_t in[INPUTS];
	pending b = 0;
	memcpy(in, first, INPUTS);
	tree_set_cases(t, cases_of, &known_cases);
	if (with_ways)
		tree_set_ways(t, ways_of, is_wanted, NULL);
	tree_cut(t, cut);
	for (bool go = true; go;) {
		if (!run(t, p, in, ++r.runs, b, &path) || r.runs > 50000)
			break;
		r.mispredicted += path.mispredicted;
		r.rejected += path.rejected;
		for (size_t i = 0; i < path.n; i++)
			stack[depth++] = path.added[i];
		if (again)
			stack[depth++] = b;
		for (go = false; depth && !go;) {
			struct tree_branch info;
			const expr *cond;
			b = stack[--depth];
			if (tree_shown(t, b))
				tree_waive(t, b);
			if (!tree_pending(t, b, &info))
				continue;
			tree_put_off(t, b);
			if (tree_pending(t, b, &info) || !tree_counts(t).unknown
			    || !tree_resume(t, b) || tree_resume(t, b))
				okf(false, "what is put off is not pending until it is resumed");
			cond = tree_query(t, b, &n);
			r.asked++;
			r.conjuncts += (unsigned)n;
			if (n != info.depth + 1)
				okf(false, "a query has its depth and one more");
			if (!(go = solve(pool, cond, n, tree_parent(t, b), in)))
				tree_close(t, b, true);
		}
	}
	r.counts = tree_counts(t);
	okf(tree_pending_count(t) == r.counts.pending, "pending branches are counted");
	tree_free(t);
	expr_pool_free(pool);
	return r;
}

#endif
