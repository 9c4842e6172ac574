/* prove: from goals to questions: a model for each function, and its stages in order. */
#include "lib/prove/returns.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

void prove_model_free(struct model *m)
{
	for (uint32_t i = 0; i < m->frames; i++) {
		free(m->frame[i].node);
		free(m->frame[i].reg);
		free(m->frame[i].arg);
		free(m->frame[i].object);
		free(m->frame[i].defined);
	}
	for (uint32_t i = 0; i < m->objects; i++) {
		free(m->object[i].cell);
		free(m->object[i].ghost);
	}
	for (size_t i = 0; i < m->member_lists; i++)
		free(m->members[i]);
	for (uint32_t i = 0; i < m->inputs; i++)
		free(m->input[i].name);
	for (uint32_t i = 0; i < m->notes; i++)
		free(m->note[i].text);
	for (size_t i = 0; i < m->names; i++)
		free(m->name[i]);
	for (size_t i = 0; i < m->bytes; i++)
		free(m->byte[i]);
	for (size_t i = 0; i < m->results; i++)
		free(m->result[i].arg);
	map_close(&m->object_of);
	map_close(&m->events_at);
	map_close(&m->goals_at);
	map_close(&m->marks_at);
	void *arrays[] = { m->frame, m->node, m->object, m->ghost, m->event, m->goal, m->mark,
		m->loop, m->loop_of, m->members, m->input, m->order, m->cut, m->output, m->note,
		m->outside, m->below, m->depth, m->led, m->beside, m->shared, m->renewal,
		m->written, m->nondet, m->name, m->byte, m->result };
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
		free(arrays[i]);
	ts_free(&m->ts);
	expr_pool_free(m->pool);
}

static bool has_stage(const struct run *r, const char *name)
{
	const char *list = r->m->options->stages, *at = list ? strstr(list, name) : NULL;
	size_t n = strlen(name);
	return !list || (at && (at == list || at[-1] == ',') && (at[n] == ',' || !at[n]));
}

/* Does the model give an entry's parameters objects, each one of its own, where callers may do
 * otherwise? Nothing but the system calls main. */
static bool gives_objects(const struct defuse *d)
{
	bool is_main;
	if (prove_root_of(d, &is_main) != NONE && is_main)
		return false;
	for (uint32_t i = 0; i < alias_objects(d->alias); i++)
		if (alias_object(d->alias, i)->kind == ALIAS_POINTEE)
			return true;
	return false;
}

static void tell_question(struct run *r)
{
	const struct model *m = r->m;
	const struct prove_sink *sink = r->sink;
	uint32_t unit, id, *goal = NULL;
	size_t n = 0;
	const struct flow_func *f = alias_function_of(m->alias, m->frame[0].number, &unit, &id);
	sink->question(sink->ctx, f->hash, f->name);
	sink->narrow(sink->ctx,
	    m->arbitrary   ? "from any state"
	        : m->loose ? "any call of the entry, in any state"
	                   : "from the entry, globals as they are initialised");
	if (!m->defuse->options.alias.may_alias && gives_objects(m->defuse))
		sink->narrow(sink->ctx, "pointers that come in are distinct");
	for (uint32_t i = 0; i < m->notes; i++)
		sink->narrow(sink->ctx, m->note[i].text);
	for (uint32_t i = 0; i < m->outputs; i++)
		*PUSH(goal, n) = m->output[i].goal;
	sink->model(sink->ctx,
	    m->arbitrary   ? PROVE_ANY
	        : m->loose ? PROVE_CALL
	                   : PROVE_ENTRY,
	    m->options->given | (m->led ? PROVE_PART : 0), m->most_insts, goal, n);
	free(goal);
}

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

/* Goals that are met where the model does not follow. */
static void leave_out(struct run *r)
{
	struct model *m = r->m;
	for (size_t i = 0, before = r->opens; i < r->opens;
	    i += r->opens == before, before = r->opens) {
		const struct output *o = &m->output[r->open[i]];
		if (m->broken || m->late)
			prove_decide(
			    r, r->open[i], PROVE_UNKNOWN, "%s", m->broken ? m->broken : m->late);
		else if (o->unfollowed)
			prove_decide(r, r->open[i], PROVE_UNKNOWN,
			    "the call that gives the value is not followed");
		else if (m->outside[o->func] && !(m->arbitrary && o->func == m->frame[0].number))
			prove_decide(r, r->open[i], PROVE_UNKNOWN,
			    "its function also runs where calls are not followed");
	}
}

/* Shares of the time that is left; alone: of a function by itself, in any state. */
static const struct {
	const char *name;
	bool loops;
	double share, alone;
	void (*work)(struct run *);
} stages[] = {
	{ "simplify", false, 1, 1, prove_stage_trivial },
	{ "query", false, 0.5, 0.5, prove_stage_query },
	{ "runs", true, 0.1, 0.1, prove_stage_runs },
	{ "bmc", true, 0.1, 0, prove_stage_bmc },
	{ "states", true, 0.3, 0.8, prove_stage_states },
	{ "induction", true, 0.3, 0, prove_stage_induction },
	{ "facts", true, 0.3, 0.5, prove_stage_facts },
	{ "bounded", true, 0.3, 0.3, prove_stage_bounded },
	{ "pdr", true, 1, 0, prove_stage_pdr },
};

const char *prove_stage_name(size_t i)
{
	return i < sizeof stages / sizeof *stages ? stages[i].name : NULL;
}

#define PATIENCE 0.5 /* seconds of a stage before pdr begins beside it */
#define GRACE 1.0    /* that it has at least, when pdr has decided all */

bool prove_enough(void *run)
{
	struct run *r = run;
	double now = clock_now();
	if (r->patience > 0 && !r->pdr && now - r->began > PATIENCE)
		prove_pdr_begin(r, r->patience);
	return now >= r->deadline || (now - r->began > GRACE && prove_pdr_decided(r));
}

#define BESIDE 4 /* the first stage that pdr may run beside */

static void run_stage(struct run *r, size_t i)
{
	struct prove_stage s = {
		.name = stages[i].name, .infeasible = r->proofs, .reached = r->reached
	};
	r->began = clock_now();
	stages[i].work(r);
	s.seconds = clock_now() - r->began;
	s.infeasible = r->proofs - s.infeasible;
	s.reached = r->reached - s.reached;
	if (r->m->options->statistics)
		r->sink->stage(r->sink->ctx, &s);
}

static void leave_open(struct run *r, uint32_t output, bool late)
{
	char why[sizeof r->trouble + 40];
	bool alone = !*r->trouble || (late && !strcmp(r->trouble, PROVE_LATE));
	const char *end = late ? PROVE_LATE : *r->trouble ? "" : "no stage decides it";
	snprintf(
	    why, sizeof why, "%s%s%s", alone ? "" : r->trouble, alone || !*end ? "" : "; ", end);
	uint32_t steps = r->m->output[output].steps;
	if (steps)
		prove_decide(r, output, PROVE_UNKNOWN, "%s; no path within %u step%s", why, steps,
		    steps == 1 ? "" : "s");
	else
		prove_decide(r, output, PROVE_UNKNOWN, "%s", why);
}

/* Each stage has its share of the time that is left. */
static void run_stages(struct run *r, double end)
{
	leave_out(r);
	for (size_t i = 0; i < sizeof stages / sizeof *stages && clock_now() < end; i++) {
		r->patience = i >= BESIDE && !r->alone && has_stage(r, "pdr")
		    ? clock_now() + 0.7 * (end - clock_now())
		    : 0;
		double share = r->alone ? stages[i].alone : stages[i].share;
		r->deadline = clock_now() + (end - clock_now()) * share;
		prove_cut_cone(r);
		if (r->opens && has_stage(r, stages[i].name)
		    && (r->m->ts.cuts > 1 || !stages[i].loops) && share > 0)
			run_stage(r, i);
	}
	prove_pdr_end(r);
	while (r->opens)
		leave_open(r, r->open[0], clock_now() >= end);
	ts_cone_free(&r->cone);
}

struct claims {
	const struct prove_claim *claim;
	size_t n;
};

/* Only those that are claimed are told. */
static void keep_claimed(struct run *r, const struct claims *c)
{
	size_t kept = 0;
	for (size_t i = 0; i < r->opens; i++) {
		bool claimed = false;
		for (size_t k = 0; k < c->n; k++)
			claimed |= c->claim[k].goal == r->m->output[r->open[i]].goal;
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

/* Does the program use a variable by a weak name, so that nobody knows whether it is that variable?
 */
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

struct question {
	struct defuse *d;
	struct view *given,
	    *any;     /* as the harness calls, and as anybody may: the same where that is known */
	char *limits; /* what the first assumes and the second does not */
	const struct prove_goals *goals;
	const struct prove_options *options;
	const struct prove_sink *sink;
	const struct claims *claims; /* to be checked; NULL: none */
	double deadline;
	bool *proved; /* by goal, as given: it is infeasible */
	struct prove_returns *returns;
};

/* A question: a root, of so many instructions, and these goals, as given. Proofs only: goals that
 * are not infeasible are asked again. Part: the goals are of one function, and calls that neither
 * lead to it nor are its own are not followed. */
struct inquiry {
	enum prove_context context;
	uint32_t root, *goal;
	size_t n;
	bool proofs_only, alone, part;
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

/* As long as `until`. False when the root has no blocks. */
static bool make_model(
    struct model *m, const struct question *a, const struct inquiry *q, size_t insts, double until)
{
	uint32_t *goal = zeroed(q->n, sizeof *goal), unit, id;
	bool built, entry = q->context == PROVE_ENTRY;
	const struct view *v = entry ? a->given : a->any;
	unsigned given = a->options->given;
	uint32_t toward =
	    q->part ? prove_function_of(a->d, a->goals, a->goals->goal[q->goal[0]]) : NONE;
	struct expr_pool *pool = expr_pool_new();
	*m = (struct model){ .led = q->part ? prove_led(v->d->alias, toward) : NULL,
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
		.deadline = until,
		.most_insts = insts,
		.returns = a->returns,
		.spare = a->claims ? 0 : prove_memory_left() / 2 };
	if (!m->pool)
		no_memory();
	m->harness =
	    q->context != PROVE_ANY && alias_function_of(m->alias, q->root, &unit, &id)->is_harness;
	m->placed = m->harness && entry;
	m->loose_numbers = prove_is_loose(m->alias);
	m->once = m->harness && (m->loose || !(given & PROVE_STATE) || (given & PROVE_ONCE));
	m->written = m->loose && !(given & PROVE_STATE) ? prove_find_written(v)
	                                                : zeroed(alias_objects(m->alias), 1);
	if ((built = prove_build(m, q->root))) {
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

/* A model that is not ready within a part of the time and of the memory follows fewer calls. */
static const char *ask(const struct question *a, const struct inquiry *q)
{
	struct model m;
	struct run r = { .m = &m,
		.sink = a->sink,
		.proofs_only = q->proofs_only,
		.alone = q->alone,
		.announce = tell_question,
		.limits = q->context == PROVE_ENTRY ? a->limits : NULL };
	size_t insts = q->insts;
	const char *late = NULL;
	bool built;
	while ((built = make_model(&m, a, q, insts,
	            a->claims ? q->deadline : clock_now() + 0.5 * (q->deadline - clock_now())))
	    && m.late && m.frames > 1 && !a->claims) {
		insts = m.insts / 4;
		late = m.late;
		prove_model_free(&m);
		malloc_trim(0);
	}
	if (built) {
		if (late)
			prove_note(&m, false, "%s for a larger model", late);
		if (!q->proofs_only || m.options->statistics)
			prove_announce(&r);
		r.open = zeroed(m.outputs, sizeof *r.open);
		for (; r.opens < m.outputs; r.opens++)
			r.open[r.opens] = (uint32_t)r.opens;
		if (a->claims)
			check_claims(&r, a->claims, q->deadline);
		else
			run_stages(&r, q->deadline);
	}
	for (size_t i = 0; i < r.proofs; i++)
		a->proved[q->goal[r.proved[i]]] = true;
	free(r.open);
	free(r.proved);
	prove_model_free(&m);
	return built ? NULL : "the function has no blocks";
}

/* ---- functions by themselves */

struct part {
	uint32_t function, *goal;
	size_t n, insts;
}; /* goals that it decides; its instructions */

static int by_size(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	return x->insts != y->insts ? (x->insts > y->insts) - (x->insts < y->insts)
	                            : (x->function > y->function) - (x->function < y->function);
}

/* By function, the small ones first. */
static struct part *find_parts(const struct question *a)
{
	uint32_t functions = alias_functions(a->d->alias), unit, id;
	struct part *part = zeroed(functions, sizeof *part);
	for (uint32_t f = 0; f < functions; f++) {
		alias_function_of(a->d->alias, f, &unit, &id);
		part[f].function = f;
		part[f].insts = a->any->index[unit].func[id - 1].n;
	}
	for (size_t i = 0; i < a->goals->n; i++) {
		struct part *p = &part[prove_function_of(a->d, a->goals, a->goals->goal[i])];
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

/* Each function in any state, all until then: a share for each goal, and what is not needed the
 * others have. Alone: no calls are followed, and only what is infeasible is told. */
static const char *ask_each(const struct question *a, bool alone, double until)
{
	uint32_t functions = alias_functions(a->d->alias);
	struct part *part = find_parts(a);
	const char *error = NULL;
	size_t left = 0;
	for (uint32_t f = 0; f < functions; f++)
		left += part[f].n = keep_open(a, part[f].goal, part[f].n);
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

/* Seconds where there is no limit. */
#define ALONE 10.0   /* for all functions by themselves */
#define PARTS 30.0   /* for all functions as the program calls them */
#define LOOSE 60.0   /* for any call of the entry */
#define RETURNS 10.0 /* for what functions return; as long where proofs are checked */

/* Goals that are still open: of a view that has them. */
static const char *ask_root(const struct question *a, uint32_t root, enum prove_context context,
    bool proofs_only, double until)
{
	const struct view *v = context == PROVE_ENTRY ? a->given : a->any;
	struct inquiry q = { .context = context,
		.root = root,
		.goal = zeroed(a->goals->n, sizeof *q.goal),
		.proofs_only = proofs_only,
		.part = a->claims && a->options->given & PROVE_PART,
		.insts = a->options->most_insts,
		.deadline = until };
	const char *error = NULL;
	for (size_t i = 0; i < a->goals->n; i++)
		if (v->goal[i] != NONE)
			q.goal[q.n++] = (uint32_t)i;
	q.n = keep_open(a, q.goal, q.n);
	if (q.n || (!a->goals->n && !proofs_only))
		error = ask(a, &q);
	free(q.goal);
	return error;
}

/* Where the harness's call is one of many: first any call, for half of the time; then that one, for
 * runs to try, and to say within which limits nothing is reached. */
static const char *ask_entry(const struct question *a, uint32_t root)
{
	double now = clock_now();
	const char *error = NULL;
	if (a->limits)
		error = ask_root(a, root, PROVE_CALL, true,
		    a->options->seconds > 0 ? now + (a->deadline - now) / 2 : now + LOOSE);
	return error ? error : ask_root(a, root, PROVE_ENTRY, false, a->deadline);
}

/* Is there a call, of what the root calls, that the model of this function would not follow? */
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

/* Each function as the program calls it: from the root on, without the calls that do not lead to it
 * and are not its own. What they would do is left open, so that only what is infeasible is told. */
static const char *ask_parts(
    const struct question *a, uint32_t root, enum prove_context context, double until)
{
	const struct view *v = context == PROVE_ENTRY ? a->given : a->any;
	uint32_t functions = alias_functions(a->d->alias);
	struct part *part = find_parts(a);
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

/* Claims are of one model. */
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
	context = a->options->context == PROVE_CALL || a->limits ? PROVE_CALL : PROVE_ENTRY;
	now = clock_now();
	if ((error = ask_parts(
	         a, root, context, now + (seconds > 0 ? (a->deadline - now) * 0.4 : PARTS))))
		return error;
	return a->options->context == PROVE_CALL ? ask_root(a, root, PROVE_CALL, false, a->deadline)
	                                         : ask_entry(a, root);
}

/* By function: it has goals. */
static bool *with_goals(const struct question *a)
{
	bool *has = zeroed(alias_functions(a->d->alias), sizeof *has);
	for (size_t i = 0; i < a->goals->n; i++)
		has[prove_function_of(a->d, a->goals, a->goals->goal[i])] = true;
	return has;
}

static const char *ask_all(struct question *a)
{
	const struct prove_options *o = a->options;
	const char *error = NULL;
	bool is_main, any, *goals;
	uint32_t root = prove_root_of(a->d, &is_main);
	any = o->context == PROVE_ANY || (o->context == PROVE_AUTO && root == NONE);
	if (!any && root == NONE)
		return "the program has no entry: name it to defuse -e, or prove in any state: --context any";
	a->deadline = (o->began > 0 ? o->began : clock_now()) + (o->seconds > 0 ? o->seconds : 1e6);
	a->limits =
	    any || is_main || o->context == PROVE_CALL ? NULL : prove_limits(a->d, o->given);
	a->given = prove_view(a->d, a->goals, false);
	a->any = is_main && !any ? a->given : prove_view(a->d, a->goals, true);
	a->proved = zeroed(a->goals->n, sizeof *a->proved);
	goals = with_goals(a);
	a->returns = prove_returns_new(a->any, o, goals,
	    a->claims || o->seconds <= 0 ? clock_now() + RETURNS
	                                 : clock_now() + 0.1 * (a->deadline - clock_now()));
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
