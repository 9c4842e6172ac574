/* mcdc: decisions, and modified condition/decision coverage: does each condition decide the outcome
 * by itself? A test is known by the outcomes of conditions that it takes, not by their order. Two
 * different evaluations of a decision part at a condition that comes out both ways; so where the
 * taken outcomes leave one way only to an outcome that ends the decision, that very evaluation has
 * happened. What they leave open is not counted. */
#include "lib/criteria/inner.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IS_TRUE = -1, IS_FALSE = -2, MOST_VECTORS = 4000 };

static bool is_same_decision(const struct view_objective *a, const struct view_objective *b)
{
	return a->decision == b->decision && a->func_line == b->func_line
	    && !strcmp(a->function, b->function) && !strcmp(a->file, b->file);
}

bool decision_at(const struct store_view *v, size_t i, struct decision *d)
{
	const struct view_objective *o = &v->objective[i];

	*d = (struct decision){ .conditions = 0 };
	if (!o->decision || o->side != FLOW_TRUE)
		return false;
	for (size_t k = i; k-- > 0 && v->objective[k].func_line == o->func_line;)
		if (is_same_decision(&v->objective[k], o))
			return false;
	for (size_t k = i; k + 1 < v->objectives && v->objective[k].func_line == o->func_line; k++)
		if (is_same_decision(&v->objective[k], o) && v->objective[k].side == FLOW_TRUE) {
			if (d->conditions == MOST_CONDITIONS
			    || v->objective[k + 1].ordinal != v->objective[k].ordinal)
				return false;
			d->first[d->conditions++] = k;
		}
	return d->conditions > 1;
}

int decision_next(const struct store_view *v, const struct decision *d, size_t k, unsigned outcome)
{
	int32_t next = v->objective[d->first[k] + outcome].next;

	for (size_t i = 0; next > 0 && i < d->conditions; i++)
		if (v->objective[d->first[i]].ordinal == (uint32_t)next)
			return (int)i;
	return next == 0 ? IS_TRUE : IS_FALSE;
}

/* ---- evaluations */

static void add_vector(struct vectors *l, struct vector x)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->at[i].evaluated == x.evaluated && l->at[i].values == x.values)
			return;
	*PUSH(l->at, l->n) = x;
}

static int by_number(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

static bool takes(const struct view_test *t, size_t objective)
{
	return t->n && bsearch(&objective, t->covers, t->n, sizeof *t->covers, by_number);
}

/* The only taken outcome after which condition k is evaluated: 2 * condition + outcome; -1: none,
 * -2: several. */
static int before(
    const struct store_view *v, const struct decision *d, const struct view_test *t, size_t k)
{
	int found = -1;

	for (size_t i = 0; i < d->conditions; i++)
		for (unsigned outcome = 0; outcome < 2; outcome++)
			if (takes(t, d->first[i] + outcome)
			    && decision_next(v, d, i, outcome) == (int)k)
				found = found == -1 ? (int)(2 * i + outcome) : -2;
	return found;
}

/* The evaluation that ended with this outcome of condition k, if only one is possible; else
 * false. */
static bool add_ended(const struct store_view *v, const struct decision *d,
    const struct view_test *t, size_t k, unsigned outcome, struct vectors *l)
{
	struct vector x = { .result = decision_next(v, d, k, outcome) == IS_TRUE,
		.test = t->number };
	int at = (int)(2 * k + outcome);

	for (; at >= 0; at = before(v, d, t, (size_t)at / 2)) {
		if (x.evaluated >> at / 2 & 1) /* an inconsistent store */
			return false;
		x.evaluated |= (uint64_t)1 << at / 2;
		x.values |= (uint64_t)!(at % 2) << at / 2;
	}
	if (at == -1)
		add_vector(l, x);
	return at == -1;
}

struct vectors vectors_seen(const struct store_view *v, const struct decision *d, bool *all)
{
	struct vectors l = { NULL, 0 };

	*all = true;
	for (size_t i = 0; i < v->tests; i++)
		for (size_t k = 0; k < d->conditions; k++)
			for (unsigned outcome = 0; outcome < 2; outcome++)
				if (takes(&v->test[i], d->first[k] + outcome)
				    && decision_next(v, d, k, outcome) < 0)
					*all &= add_ended(v, d, &v->test[i], k, outcome, &l);
	return l;
}

/* The proof that this evaluation is impossible, or NULL. */
static const struct view_evaluation *disproved(
    const struct store_view *v, const struct decision *d, const struct vector *x)
{
	for (size_t i = 0; i < v->evaluations; i++) {
		const struct view_evaluation *e = &v->evaluation[i];
		size_t n = 0, of = 0;
		for (size_t k = 0; k < d->conditions; k++) {
			size_t outcome = d->first[k] + !(x->values >> k & 1);
			if (!(x->evaluated >> k & 1))
				continue;
			n++;
			for (size_t j = 0; j < e->n; j++)
				of += e->outcome[j] == outcome;
		}
		if (n == e->n && of == n)
			return e;
	}
	return NULL;
}

/* Adds all evaluations from condition k on that take no infeasible outcome and that no proof
 * excludes; false: there are too many. */
static bool add_possible(
    const struct store_view *v, const struct decision *d, int k, struct vector x, struct vectors *l)
{
	if (l->n > MOST_VECTORS || (k >= 0 && x.evaluated >> k & 1))
		return false;
	if (k < 0) {
		x.result = k == IS_TRUE;
		if (!disproved(v, d, &x))
			add_vector(l, x);
		return true;
	}
	x.evaluated |= (uint64_t)1 << k;
	for (unsigned outcome = 0; outcome < 2; outcome++) {
		struct vector y = x;
		y.values |= (uint64_t)!outcome << k;
		if (v->objective[d->first[k] + outcome].verdict != VERDICT_INFEASIBLE
		    && !add_possible(v, d, decision_next(v, d, (size_t)k, outcome), y, l))
			return false;
	}
	return true;
}

/* ---- independence */

/* Would the decision have the other outcome if only condition k had, whatever the values of
 * conditions are that were not evaluated? */
static bool decides(
    const struct store_view *v, const struct decision *d, const struct vector *x, size_t k)
{
	bool seen[MOST_CONDITIONS] = { false };
	int open[2 * MOST_CONDITIONS + 1];
	size_t n = 0;

	open[n++] = decision_next(v, d, k, x->values >> k & 1);
	while (n) {
		int at = open[--n];
		if (at < 0 && (at == IS_TRUE) != x->result)
			return true;
		if (at < 0 || seen[at])
			continue;
		seen[at] = true;
		for (unsigned outcome = 0; outcome < 2; outcome++)
			if (!(x->evaluated >> at & 1) || (x->values >> at & 1) != outcome)
				open[n++] = decision_next(v, d, (size_t)at, outcome);
	}
	return false;
}

static bool shows(const struct store_view *v, const struct decision *d, const struct vector *a,
    const struct vector *b, size_t k, bool masking)
{
	uint64_t both = a->evaluated & b->evaluated, bit = (uint64_t)1 << k;

	if (!(both & bit) || !((a->values ^ b->values) & bit) || a->result == b->result)
		return false;
	if (masking)
		return decides(v, d, a, k) && decides(v, d, b, k);
	return !((a->values ^ b->values) & both & ~bit);
}

static bool find_pair(const struct store_view *v, const struct decision *d, const struct vectors *l,
    size_t k, bool masking, size_t pair[2])
{
	for (pair[1] = 0; pair[1] < l->n; pair[1]++)
		for (pair[0] = 0; pair[0] < pair[1]; pair[0]++)
			if (shows(v, d, &l->at[pair[0]], &l->at[pair[1]], k, masking))
				return true;
	return false;
}

/* Is the outcome one of this decision? */
static bool is_of(const struct decision *d, size_t outcome)
{
	for (size_t k = 0; k < d->conditions; k++)
		if (outcome == d->first[k] || outcome == d->first[k] + 1)
			return true;
	return false;
}

/* The evidence when a proof rules out an evaluation. */
static char *proved_text(const struct store_view *v, const struct view_evaluation *e)
{
	char *text;
	size_t size;
	FILE *f = text_stream(&text, &size);

	fputs("no pair of evaluations can show it: none has ", f);
	for (size_t i = 0; i < e->n; i++) {
		const struct view_objective *o = &v->objective[e->outcome[i]];
		fprintf(f, "%s`%s` %s", i ? " and " : "", o->text,
		    o->side == FLOW_TRUE ? "true" : "false");
	}
	fprintf(f, ": %s", e->evidence);
	fclose(f);
	return text;
}

/* The infeasible outcome or evaluation of the decision that the evidence names. */
static char *why_not(const struct store_view *v, const struct decision *d)
{
	for (size_t k = 0; k < 2 * d->conditions; k++) {
		const struct view_objective *o = &v->objective[d->first[k / 2] + k % 2];
		if (o->verdict == VERDICT_INFEASIBLE)
			return formatted(
			    "no pair of evaluations can show it: %s of `%s` is infeasible: %s",
			    k % 2 ? "false" : "true", o->text, o->evidence ? o->evidence : "");
	}
	for (size_t i = 0; i < v->evaluations; i++)
		if (is_of(d, v->evaluation[i].outcome[0]))
			return proved_text(v, &v->evaluation[i]);
	return formatted("the other operands rule out each pair of evaluations that could show it");
}

/* Was every path run, and a test of each evaluation kept? Not if a fault or an assumption ended
 * some paths. */
static bool is_exhausted(const struct store_view *v, const struct decision *d)
{
	uint32_t asked = criteria_among((const char *const *)v->parameter, "criteria")
	    & criteria_with(CRITERION_EVALUATIONS);

	return asked && !v->all && v->figures.exhausted && !v->failures && !v->needs
	    && !(v->narrowing && *v->narrowing) && d->conditions <= STORE_VECTOR;
}

static void judge(const struct store_view *v, const struct decision *d, size_t k, bool masking,
    const struct vectors *seen, const struct vectors *possible, bool exhausted,
    struct criterion_item *to)
{
	size_t pair[2];

	if (find_pair(v, d, seen, k, masking, pair)) {
		to->verdict = VERDICT_COVERED;
		to->test = seen->at[pair[0]].test;
		to->other = seen->at[pair[1]].test;
		to->evidence = formatted("tests %" PRIu64 " and %" PRIu64, to->test, to->other);
	} else if (possible && !find_pair(v, d, possible, k, masking, pair)) {
		to->verdict = VERDICT_INFEASIBLE;
		to->evidence = why_not(v, d);
	} else if (exhausted) {
		to->verdict = VERDICT_INFEASIBLE;
		to->evidence = copied("exhaustion");
	} else {
		to->evidence = formatted("no two tests show it: %zu evaluation%s known", seen->n,
		    seen->n == 1 ? " is" : "s are");
	}
}

/* The condition that is evaluated first. */
static int root(const struct store_view *v, const struct decision *d)
{
	bool later[MOST_CONDITIONS] = { false };

	for (size_t k = 0; k < 2 * d->conditions; k++) {
		int next = decision_next(v, d, k / 2, k % 2);
		if (next >= 0)
			later[next] = true;
	}
	for (size_t k = 0; k < d->conditions; k++)
		if (!later[k])
			return (int)k;
	return 0;
}

static void add_decision(
    const struct store_view *v, const struct decision *d, bool masking, struct criterion_list *l)
{
	bool resolved;
	struct vectors seen = vectors_seen(v, d, &resolved), possible = { NULL, 0 };
	bool all = add_possible(v, d, root(v, d), (struct vector){ 0 }, &possible);

	for (size_t k = 0; k < d->conditions; k++) {
		const struct view_objective *o = &v->objective[d->first[k]];
		struct criterion_item *to = criteria_add(l, o->function, o->file, o->line, o->col);
		to->name = formatted("%s:%s:%u", o->file, o->function, o->ordinal);
		to->text = formatted("`%s` in decision %u", o->text, o->decision);
		judge(v, d, k, masking, &seen, all ? &possible : NULL,
		    resolved && is_exhausted(v, d), to);
	}
	free(seen.at);
	free(possible.at);
}

void mcdc_list(const struct store_view *v, struct criterion_list *l, enum criterion c)
{
	struct decision d;

	for (size_t i = 0; i < v->objectives; i++)
		if (decision_at(v, i, &d))
			add_decision(v, &d, c == CRITERION_MASKING, l);
}

/* ---- outcomes of decisions */

/* Covered if a condition ends the decision with this outcome; infeasible if none can. */
static void add_outcome(
    const struct store_view *v, const struct decision *d, bool outcome, struct criterion_list *l)
{
	const struct view_objective *first = &v->objective[d->first[0]], *open = NULL,
	                            *closed = NULL;
	struct criterion_item *to =
	    criteria_add(l, first->function, first->file, first->line, first->col);

	for (size_t k = 0; k < 2 * d->conditions; k++) {
		const struct view_objective *o = &v->objective[d->first[k / 2] + k % 2];
		if (decision_next(v, d, k / 2, k % 2) != (outcome ? IS_TRUE : IS_FALSE))
			continue;
		if (o->verdict == VERDICT_COVERED
		    && (!to->test || (o->test && o->test < to->test))) {
			to->verdict = VERDICT_COVERED;
			to->test = o->test;
		}
		open = o->verdict == VERDICT_UNKNOWN ? o : open;
		closed = o->verdict == VERDICT_INFEASIBLE ? o : closed;
	}
	if (to->verdict != VERDICT_COVERED)
		to->verdict = open || !closed ? VERDICT_UNKNOWN : VERDICT_INFEASIBLE;
	to->name = formatted("%s:%s:%u:%s", first->file, first->function, first->ordinal,
	    outcome ? "true" : "false");
	to->text = formatted("decision %u %s", first->decision, outcome ? "true" : "false");
	to->evidence = to->test ? formatted("test %" PRIu64, to->test)
	    : to->verdict == VERDICT_COVERED || !(open ? open : closed)
	    ? copied("")
	    : criteria_evidence(v, (size_t)((open ? open : closed) - v->objective));
}

/* A condition by itself. */
static void add_single(const struct store_view *v, size_t i, struct criterion_list *l)
{
	const struct view_objective *o = &v->objective[i];
	struct criterion_item *to = criteria_add(l, o->function, o->file, o->line, o->col);
	const char *side = o->side == FLOW_TRUE ? "true" : "false";

	to->name = formatted("%s:%s:%u:%s", o->file, o->function, o->ordinal, side);
	to->text = formatted("`%s` %s", o->text, side);
	to->verdict = o->verdict;
	to->evidence = criteria_evidence(v, i);
	to->test = o->test;
}

void decision_list(const struct store_view *v, struct criterion_list *l, enum criterion c)
{
	struct decision d;

	(void)c;
	for (size_t i = 0; i < v->objectives; i++) {
		const struct view_objective *o = &v->objective[i];
		if (!o->decision && (o->side == FLOW_TRUE || o->side == FLOW_FALSE))
			add_single(v, i, l);
		if (!decision_at(v, i, &d))
			continue;
		add_outcome(v, &d, true, l);
		add_outcome(v, &d, false, l);
	}
}
