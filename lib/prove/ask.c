/* ask: makes the questions about the goals: an encoding for each function and context, within the
 * time that is left. */
#include "lib/prove/returns.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The function of a goal without cut points, in its unit. */
static uint32_t function_in(const struct flow *fl, const struct prove_outcome *o)
{
	const struct flow_unit *u = &fl->unit[o->unit];
	enum flow_side side;
	size_t which;
	switch (o->kind) {
	case GOALS_OUTCOME: return flow_outcome(u, o->outcome, &side, &which)->func;
	case GOALS_CONDITION: return u->check[o->check].func;
	case GOALS_BLOCKS: return u->block_func[o->list[0] - 1];
	case GOALS_EVALUATION: break;
	}
	return flow_outcome(u, o->list[0], &side, &which)->func;
}

uint32_t prove_function_of(const struct defuse *d, const struct prove_goals *g, uint32_t goal)
{
	const struct prove_outcome *o = &g->outcome[goal & ~PROVE_OUTCOME];
	return goal & PROVE_OUTCOME ? alias_function(d->alias, o->unit, function_in(d->flow, o))
	                            : d->access[d->pair[goal].use].func;
}

static bool is_used(const struct flow *fl, const char *name)
{
	bool used = false;
	for (size_t i = 0; i < fl->units && !used; i++) {
		const struct flow_unit *u = &fl->unit[i];
		for (size_t k = 0; k < u->vars; k++)
			used |= u->var[k].kind == 'g' && !u->var[k].is_static
			    && !strcmp(u->var[k].name, name);
		for (size_t k = 0; k < u->operands; k++)
			used |= u->operand[k].kind == '@' && !strcmp(u->operand[k].name, name);
	}
	return used;
}

/* Does the program use a variable by a weak name, which another object may define? */
static bool has_weak_names(const struct flow *fl)
{
	for (size_t i = 0; i < fl->units; i++)
		for (size_t k = 0; k < fl->unit[i].aliases; k++) {
			const struct flow_alias *a = &fl->unit[i].alias[k];
			if (a->is_weak && a->target.kind == '&' && is_used(fl, a->name))
				return true;
		}
	return false;
}

struct claims {
	const struct prove_claim *claim;
	size_t n;
};

struct question {
	struct defuse *d;
	struct pair_view *given, *any; /* for the harness's calls, and for any caller */
	char *limits;                  /* what the first assumes and the second does not */
	bool steady; /* only the harness's calls write the state, see prove_is_closed */
	bool *cut;   /* the time for any call was over before all goals were decided */
	const struct prove_goals *goals;
	const struct prove_options *options;
	const struct prove_sink *sink;
	const struct claims *claims; /* to be checked; NULL: none */
	double deadline;
	bool
	    *proved; /* by goal, as given: it is infeasible, or reached by an input that was told */
	struct prove_returns *returns;
};

/* A question: the encoding begins at `root`, has at most so many instructions, and decides these
 * goals. With `proofs only`, goals that are not proved infeasible remain open. A `part` is about
 * the goals of one function; it follows only calls that lead to this function, or that it makes.
 * One that proposes only reports counterexamples, see startup.c. */
struct inquiry {
	enum prove_context context;
	uint32_t root, *goal;
	size_t n;
	bool proofs_only, alone, part, proposes;
	size_t insts;
	double deadline;
};

uint64_t prove_memory_left(void)
{
	struct rlimit most;
	unsigned long long pages = 0;
	FILE *f;
	if (getrlimit(RLIMIT_AS, &most) || most.rlim_cur == RLIM_INFINITY
	    || !(f = fopen("/proc/self/statm", "r")))
		return UINT64_MAX;
	if (fscanf(f, "%llu", &pages) != 1)
		pages = 0;
	fclose(f);
	pages *= (unsigned long long)sysconf(_SC_PAGESIZE);
	return pages < most.rlim_cur ? most.rlim_cur - pages : 0;
}

/* Finds state that only the harness's calls write; the encoding then makes any number of calls. */
static void find_closed(struct encoding *m, const struct pair_view *v)
{
	bool any = false;
	m->closed = prove_find_closed(v, m->written);
	for (uint32_t i = 0; i < alias_objects(m->alias); i++) {
		any |= m->closed[i];
		m->written[i] &= !m->closed[i];
	}
	m->once &= !any;
	if (!any) {
		free(m->closed);
		m->closed = NULL;
	}
}

/* Makes the encoding before the time `until`. False when the root has no blocks. */
static bool make_encoding(struct encoding *m, const struct question *a, const struct inquiry *q,
    size_t insts, double until)
{
	uint32_t *goal = zeroed(q->n, sizeof *goal), unit, id;
	bool built, entry = q->context == PROVE_ENTRY;
	const struct pair_view *v = entry ? a->given : a->any;
	unsigned given = a->options->given | (a->steady && entry ? PROVE_STATE : 0);
	uint32_t toward =
	    q->part ? prove_function_of(a->d, a->goals, a->goals->goal[q->goal[0]]) : NONE;
	struct expr_pool *pool = expr_pool_new();
	*m = (struct encoding){ .led = q->part ? prove_led(v->d->alias, toward) : NULL,
		.flow = v->d->flow,
		.defuse = v->d,
		.alias = v->d->alias,
		.index = v->index,
		.summary = v->summary,
		.options = a->options,
		.asked = a->goals,
		.pool = pool,
		.ts.pool = pool,
		.arbitrary = q->context == PROVE_ANY,
		.loose = q->context == PROVE_CALL,
		.steady = a->steady && entry,
		.deadline = until,
		.most_insts = insts,
		.returns = a->returns,
		.spare = a->claims ? 0 : prove_memory_left() / 2 };
	m->harness =
	    q->context != PROVE_ANY && alias_function_of(m->alias, q->root, &unit, &id)->is_harness;
	m->placed = m->harness && entry;
	m->loose_numbers = prove_is_loose(m->alias);
	m->once = m->harness && (m->loose || !(given & PROVE_STATE) || (given & PROVE_ONCE));
	m->written = m->loose && !(given & PROVE_STATE) ? prove_find_written(v)
	                                                : zeroed(alias_objects(m->alias), 1);
	if (m->loose && m->harness && !a->steady && !(given & PROVE_STATE))
		find_closed(m, v);
	m->primed = m->loose && m->harness && prove_is_primed(m->alias, a->d->options.alias.entry);
	if ((built = prove_build(m, q->root))) {
		if (q->proposes)
			prove_startup_new(m);
		if (m->primed && !m->calls)
			m->broken = "other calls may not follow those that the harness begins with";
		if (has_weak_names(m->flow))
			m->broken = "a variable with a weak second name is not modelled";
		for (size_t i = 0; i < q->n; i++)
			goal[i] = v->goal[q->goal[i]];
		prove_outside(m);
		prove_watch(m, goal, q->n);
		prove_walk(m);
		for (size_t i = 0; i < q->n; i++)
			m->output[i].goal = a->goals->goal[q->goal[i]];
	}
	free(goal);
	return built;
}

#define AMPLE 2.0 /* seconds for a question */

/* Did the stages need more than half of the time, or have so little time that each was cut
 * short? */
static bool is_cut(double began, double deadline)
{
	return deadline - began < AMPLE || clock_now() > began + (deadline - began) / 2;
}

/* Asks one question. An encoding that is not ready within its part of the time and of the memory is
 * replaced by one that follows fewer calls. */
static const char *ask(const struct question *a, const struct inquiry *q)
{
	struct encoding m;
	struct prover r = { .m = &m,
		.sink = a->sink,
		.proofs_only = q->proofs_only,
		.alone = q->alone,
		.proposes = q->proposes,
		.announce = prove_announce_question,
		.limits = q->context == PROVE_ENTRY ? a->limits : NULL,
		.cut = q->context == PROVE_ENTRY && *a->cut };
	size_t insts = q->insts;
	const char *late = NULL;
	double began = clock_now();
	bool built;
	while ((built = make_encoding(&m, a, q, insts,
	            a->claims ? q->deadline : clock_now() + 0.5 * (q->deadline - clock_now())))
	    && m.late && m.frames > 1 && !a->claims) {
		insts = m.insts / 4;
		late = m.late;
		prove_encoding_free(&m);
		malloc_trim(0);
	}
	if (built) {
		if (late)
			prove_note(&m, false, "%s for a larger model", late);
		if ((!q->proofs_only && !q->proposes) || m.options->statistics)
			prove_announce(&r);
		r.open = zeroed(m.outputs, sizeof *r.open);
		for (; r.opens < m.outputs; r.opens++)
			r.open[r.opens] = (uint32_t)r.opens;
		if (a->claims)
			prove_check_claims(&r, a->claims->claim, a->claims->n, q->deadline);
		else
			prove_run_stages(&r, q->deadline);
		if (q->context == PROVE_CALL && !q->part)
			*a->cut = late || (r.left > 0 && is_cut(began, q->deadline));
	}
	for (size_t i = 0; i < r.proofs; i++)
		a->proved[q->goal[r.proved[i]]] = true;
	free(r.open);
	free(r.proved);
	prove_encoding_free(&m);
	return built ? NULL : "the function has no blocks";
}

/* ---- functions by themselves */

struct function_goals {
	uint32_t function;
	uint32_t *goal; /* those that it decides */
	size_t n;
	size_t insts; /* its instructions */
};

static int by_size(const void *a, const void *b)
{
	const struct function_goals *x = a, *y = b;
	return x->insts != y->insts ? (x->insts > y->insts) - (x->insts < y->insts)
	                            : (x->function > y->function) - (x->function < y->function);
}

/* Groups the goals by function, small functions first. */
static struct function_goals *find_parts(const struct question *a)
{
	uint32_t functions = alias_functions(a->d->alias), unit, id;
	struct function_goals *part = zeroed(functions, sizeof *part);
	for (uint32_t f = 0; f < functions; f++) {
		alias_function_of(a->d->alias, f, &unit, &id);
		part[f].function = f;
		part[f].insts = a->any->index[unit].func[id - 1].n;
	}
	for (size_t i = 0; i < a->goals->n; i++) {
		struct function_goals *p =
		    &part[prove_function_of(a->d, a->goals, a->goals->goal[i])];
		if (a->any->goal[i] != NONE)
			*PUSH(p->goal, p->n) = (uint32_t)i;
	}
	qsort(part, functions, sizeof *part, by_size);
	return part;
}

static size_t keep_open(const struct question *a, uint32_t *goal, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (!a->proved[goal[i]])
			goal[kept++] = goal[i];
	return kept;
}

/* Is the function called in one place of a program that begins with main, and most of that program?
 * Then the encoding from the entry is about as small, and has more information. */
static bool is_most(const struct question *a, uint32_t function)
{
	struct alias *al = a->d->alias;
	bool is_main, *of_root;
	uint32_t root = prove_root_of(a->d, &is_main);
	size_t all = 0, own = 0, called = 0, back;
	const uint32_t *by_others = alias_called_back(al, &back);
	if (root == NONE || !is_main || a->any != a->given || alias_is_recursive(al, function))
		return false;
	of_root = prove_calling(al, root, false);
	for (uint32_t f = 0; f < alias_functions(al); f++) {
		uint32_t unit, id;
		size_t n;
		alias_function_of(al, f, &unit, &id);
		n = a->any->index[unit].func[id - 1].n;
		all += of_root[f] || f == root ? n : 0;
		own = f == function ? n : own;
	}
	free(of_root);
	for (size_t i = 0; i < alias_calls(al); i++)
		for (size_t k = 0; k < alias_call(al, i)->callees; k++)
			called += alias_call(al, i)->callee[k] == function;
	for (size_t i = 0; i < back; i++)
		called += 2 * (by_others[i] == function);
	return called + (function == root) == 1 && own + own / 4 > all;
}

/* Asks about each function in any state, until the given time. Each goal has an equal share of the
 * time; what one does not use is left to the others. With `alone`, no calls are followed, and only
 * infeasible goals are reported. */
static const char *ask_each(const struct question *a, bool alone, double until)
{
	uint32_t functions = alias_functions(a->d->alias);
	struct function_goals *part = find_parts(a);
	const char *error = NULL;
	size_t left = 0;
	for (uint32_t f = 0; f < functions; f++) {
		part[f].n = alone && part[f].n && is_most(a, part[f].function)
		    ? 0
		    : keep_open(a, part[f].goal, part[f].n);
		left += part[f].n;
	}
	for (uint32_t f = 0; f < functions; f++) {
		double now = clock_now(), share = part[f].n ? (double)part[f].n / (double)left : 0;
		struct inquiry q = { .context = PROVE_ANY,
			.root = part[f].function,
			.goal = part[f].goal,
			.n = part[f].n,
			.proofs_only = alone,
			.alone = alone,
			.insts = alone ? 0 : a->options->most_insts,
			.deadline = a->claims ? until : now + (until - now) * share };
		left -= part[f].n;
		if (q.n && !error && (now < until || !alone))
			error = ask(a, &q);
		free(part[f].goal);
	}
	free(part);
	return error;
}

/* Seconds when the user sets no time limit. */
#define ALONE 10.0   /* for all functions by themselves */
#define PARTS 30.0   /* for all functions as the program calls them */
#define LOOSE 60.0   /* for any call of the entry */
#define RETURNS 10.0 /* for what functions return; as long where proofs are checked */
#define RETURNS_SHARE 0.2
#define RETURNS_LEAST 1.0 /* seconds */
#define PROPOSALS 20.0    /* for runs of main to try */
#define PROPOSALS_SHARE 0.25

/* Asks about the goals of a view that are still open. */
static const char *ask_open(const struct question *a, struct inquiry q)
{
	const struct pair_view *v = q.context == PROVE_ENTRY ? a->given : a->any;
	const char *error = NULL;
	q.goal = zeroed(a->goals->n, sizeof *q.goal);
	for (size_t i = 0; i < a->goals->n; i++)
		if (v->goal[i] != NONE)
			q.goal[q.n++] = (uint32_t)i;
	q.n = keep_open(a, q.goal, q.n);
	if (q.n || (!a->goals->n && !q.proofs_only && !q.proposes))
		error = ask(a, &q);
	free(q.goal);
	return error;
}

static const char *ask_root(const struct question *a, uint32_t root, enum prove_context context,
    bool proofs_only, double until)
{
	return ask_open(a,
	    (struct inquiry){ .context = context,
	        .root = root,
	        .proofs_only = proofs_only,
	        .part = a->claims && a->options->given & PROVE_PART,
	        .insts = a->options->most_insts,
	        .deadline = until });
}

/* Proposes runs of a main that gets something from outside. What is reached here is reached in the
 * encoding for proofs, too, as that one allows more. */
static const char *propose(const struct question *a, uint32_t root)
{
	double now = clock_now(), seconds = a->options->seconds;
	bool is_main;
	return prove_root_of(a->d, &is_main) != NONE && is_main && prove_has_startup(a->d->flow)
	    ? ask_open(a,
	          (struct inquiry){ .context = PROVE_ENTRY,
	              .root = root,
	              .proposes = true,
	              .insts = a->options->most_insts,
	              .deadline = seconds > 0 ? now + (a->deadline - now) * PROPOSALS_SHARE
	                                      : now + PROPOSALS })
	    : NULL;
}

/* For an entry other than main: asks first about any call, for half of the time; then about the
 * harness's call, to propose runs and to find the limits within which goals are not reached. */
static const char *ask_entry(const struct question *a, uint32_t root)
{
	double now = clock_now();
	const char *error = NULL;
	if (a->limits || a->steady)
		error = ask_root(a, root, PROVE_CALL, true,
		    a->options->seconds > 0 ? now + (a->deadline - now) / 2 : now + LOOSE);
	return error ? error : ask_root(a, root, PROVE_ENTRY, false, a->deadline);
}

/* Does the root's program have a call that the encoding of this function would not follow? */
static bool is_part(struct alias *a, uint32_t root, uint32_t function)
{
	bool *of_root = prove_led(a, root), *of_function = prove_led(a, function), less = false;
	for (uint32_t f = 0; f < alias_functions(a); f++)
		less |= of_root[f] && !of_function[f];
	less &= of_function[root];
	free(of_root);
	free(of_function);
	return less;
}

/* Asks about each function as the program calls it: from the root on, following only calls that
 * lead to the function or that it makes. Other calls may have any effect, so that only infeasible
 * goals are reported. */
static const char *ask_parts(
    const struct question *a, uint32_t root, enum prove_context context, double until)
{
	const struct pair_view *v = context == PROVE_ENTRY ? a->given : a->any;
	uint32_t functions = alias_functions(a->d->alias);
	struct function_goals *part = find_parts(a);
	const char *error = NULL;
	size_t left = 0;
	for (uint32_t f = 0; f < functions; f++) {
		part[f].n = is_part(v->d->alias, root, part[f].function)
		    ? keep_open(a, part[f].goal, part[f].n)
		    : 0;
		left += part[f].n;
	}
	for (uint32_t f = 0; f < functions; f++) {
		double now = clock_now();
		struct inquiry q = { .context = context,
			.root = root,
			.goal = part[f].goal,
			.n = part[f].n,
			.proofs_only = true,
			.part = true,
			.insts = a->options->most_insts };
		if (q.n && !error && now < until) {
			q.deadline = now + (until - now) * (double)q.n / (double)left;
			error = ask(a, &q);
		}
		left -= part[f].n;
		free(part[f].goal);
	}
	free(part);
	return error;
}

/* Checks the claims of stored proofs; all claims are about one encoding. */
static const char *check_all(struct question *a, uint32_t root)
{
	enum prove_context context = a->options->context;
	return context == PROVE_ANY ? ask_each(a, false, a->deadline)
	                            : ask_root(a, root, context, false, a->deadline);
}

static const char *prove_all(struct question *a, uint32_t root, bool any)
{
	double now = clock_now(), seconds = a->options->seconds;
	enum prove_context context;
	const char *error = ask_each(
	    a, true, now + (seconds > 0 ? (a->deadline - now) * (any ? 0.5 : 0.4) : ALONE));
	if (error)
		return error;
	if (any)
		return ask_each(a, false, a->deadline);
	context =
	    a->options->context == PROVE_CALL || a->limits || a->steady ? PROVE_CALL : PROVE_ENTRY;
	now = clock_now();
	if ((error = ask_parts(
	         a, root, context, now + (seconds > 0 ? (a->deadline - now) * 0.4 : PARTS))))
		return error;
	if (a->options->context == PROVE_CALL)
		return ask_root(a, root, PROVE_CALL, false, a->deadline);
	error = propose(a, root);
	return error ? error : ask_entry(a, root);
}

/* By function: does it have goals? */
static bool *with_goals(const struct question *a)
{
	bool *has = zeroed(alias_functions(a->d->alias), sizeof *has);
	for (size_t i = 0; i < a->goals->n; i++)
		has[prove_function_of(a->d, a->goals, a->goals->goal[i])] = true;
	return has;
}

/* Seconds for results of functions: a fifth of all, or more where a fifth is less than they
 * need. */
static double share_of_returns(const struct question *a)
{
	double left = a->deadline - clock_now(), share = RETURNS_SHARE * left,
	       least = RETURNS_LEAST < left / 2 ? RETURNS_LEAST : left / 2;
	return share > least ? share : least;
}

/* Drops the limit `calls` where proofs about the harness's calls depend on no other limit and the
 * harness's calls write all of the state. */
static void find_steady(struct question *a)
{
	char *others = a->limits ? prove_limits(a->d, a->options->given | PROVE_STATE) : NULL;
	a->steady =
	    a->limits && !others && !(a->options->given & PROVE_ONCE) && prove_is_closed(a->any);
	free(others);
	if (a->steady) {
		free(a->limits);
		a->limits = NULL;
	}
}

static const char *ask_all(struct question *a)
{
	const struct prove_options *o = a->options;
	const char *error = NULL;
	bool is_main, any, cut = false, *goals;
	uint32_t root = prove_root_of(a->d, &is_main);
	a->cut = &cut;
	any = o->context == PROVE_ANY || (o->context == PROVE_AUTO && root == NONE);
	if (!any && root == NONE)
		return "the program has no entry: name it to defuse -e, or prove in any state: --context any";
	a->deadline = (o->began > 0 ? o->began : clock_now()) + (o->seconds > 0 ? o->seconds : 1e6);
	a->limits =
	    any || is_main || o->context == PROVE_CALL ? NULL : prove_limits(a->d, o->given);
	a->given = prove_view(a->d, a->goals, false);
	a->any = is_main && !any ? a->given : prove_view(a->d, a->goals, true);
	find_steady(a);
	a->proved = zeroed(a->goals->n, sizeof *a->proved);
	goals = with_goals(a);
	a->returns = prove_returns_new(a->any, o, goals,
	    a->claims || o->seconds <= 0 ? clock_now() + RETURNS
	                                 : clock_now() + share_of_returns(a));
	error = a->claims ? check_all(a, root) : prove_all(a, root, any);
	if (a->any != a->given)
		prove_view_free(a->any);
	prove_view_free(a->given);
	prove_returns_free(a->returns);
	free(goals);
	free(a->limits);
	free(a->proved);
	return error;
}

const char *prove_goals(struct defuse *d, const struct prove_goals *g,
    const struct prove_options *o, const struct prove_sink *sink)
{
	return ask_all(&(struct question){ .d = d, .goals = g, .options = o, .sink = sink });
}

const char *prove_check(struct defuse *d, const struct prove_goals *g,
    const struct prove_options *o, const struct prove_claim *claim, size_t claims,
    const struct prove_sink *sink)
{
	return ask_all(&(struct question){ .d = d,
	    .goals = g,
	    .options = o,
	    .sink = sink,
	    .claims = &(struct claims){ claim, claims } });
}
