/* uses: the data-flow criteria of Rapps and Weyuker, and data coupling, as projections of def-use
 * pairs: an objective is a set of pairs, one of which has to be covered. */
#include "lib/criteria/inner.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_c_use(const struct view_pair *p)
{
	return !strcmp(p->kind, "c");
}

/* Pairs are sorted by definitions, which differ in function or place. */
static bool is_same_definition(const struct view_pair *p, const struct view_pair *q)
{
	return p->def_line == q->def_line && p->def_col == q->def_col
	    && !strcmp(p->variable, q->variable) && !strcmp(p->def_file, q->def_file)
	    && !strcmp(p->function, q->function);
}

/* The function in which a line of a file stands, or NULL. */
static const struct view_function *function_at(
    const struct store_view *v, const char *file, uint32_t line)
{
	for (size_t i = 0; i < v->functions; i++)
		if (v->function[i].line <= line && line <= v->function[i].end
		    && !strcmp(v->function[i].file, file))
			return &v->function[i];
	return NULL;
}

/* Were only some of the pairs watched? Then the others may be feasible. */
static bool is_partial(const struct store_view *v)
{
	bool partial = v->unlisted > 0;

	for (size_t i = 0; v->parameter && v->parameter[i]; i++)
		partial |= !strcmp(v->parameter[i], "option criterion=all-c-uses")
		    || !strcmp(v->parameter[i], "option criterion=all-p-uses");
	return partial;
}

/* ---- sets of pairs */

struct pair_set {
	struct criterion_item *to;
	const struct view_pair *open, *closed, *first; /* first: of the tests that cover one */
	size_t pairs;
};

static void add_to(struct pair_set *s, const struct view_pair *p)
{
	s->pairs++;
	if (p->verdict == VERDICT_COVERED) {
		if (!s->first || (p->test && (!s->first->test || p->test < s->first->test)))
			s->first = p;
	} else if (p->verdict == VERDICT_UNKNOWN && !s->open) {
		s->open = p;
	} else if (p->verdict == VERDICT_INFEASIBLE && !s->closed) {
		s->closed = p;
	}
}

/* Covered by one of the pairs; infeasible if all pairs are and none is left out. */
static void judge(struct pair_set *s, bool partial)
{
	struct criterion_item *to = s->to;

	if (s->first) {
		to->verdict = VERDICT_COVERED;
		to->test = s->first->test;
		to->evidence = copied(reason_pair(s->first));
	} else if (s->open || partial) {
		to->evidence =
		    copied(s->open ? reason_pair(s->open)
		                   : "some pairs were not recorded; all others are infeasible");
	} else {
		to->verdict = VERDICT_INFEASIBLE;
		to->evidence = s->pairs == 1 ? copied(reason_pair(s->closed))
		                             : formatted("none of %zu pairs is feasible: %s",
		                                   s->pairs, reason_pair(s->closed));
	}
}

/* ---- criteria of definitions and their uses */

static bool wants(enum criterion c, const struct view_pair *p, bool any_c, bool any_p)
{
	switch (c) {
	case CRITERION_ALL_C_USES: return is_c_use(p);
	case CRITERION_ALL_P_USES: return !is_c_use(p);
	case CRITERION_C_USES_SOME_P: return is_c_use(p) || !any_c;
	case CRITERION_P_USES_SOME_C: return !is_c_use(p) || !any_p;
	default: return true;
	}
}

/* For a definition without uses of the one kind, any use of the other kind is enough. */
static bool any_does(enum criterion c, bool any_c, bool any_p)
{
	return c == CRITERION_ALL_DEFS || (c == CRITERION_C_USES_SOME_P && !any_c)
	    || (c == CRITERION_P_USES_SOME_C && !any_p);
}

static struct criterion_item *add_definition(struct criterion_list *l, const struct view_pair *p)
{
	struct criterion_item *to =
	    criteria_add(l, p->function, p->def_file, p->def_line, p->def_col);

	to->name = formatted(
	    "%s:%s:%s:%u:%u", p->def_file, p->function, p->variable, p->def_line, p->def_col);
	to->text = formatted("%s", p->variable);
	return to;
}

static void add_definition_uses(const struct store_view *v, struct criterion_list *l,
    enum criterion c, size_t first, size_t end)
{
	struct pair_set all = { NULL, NULL, NULL, NULL, 0 };
	bool any_c = false, any_p = false;

	for (size_t i = first; i < end; i++) {
		any_c |= is_c_use(&v->pair[i]);
		any_p |= !is_c_use(&v->pair[i]);
	}
	if (any_does(c, any_c, any_p)) {
		all.to = add_definition(l, &v->pair[first]);
		for (size_t i = first; i < end; i++)
			add_to(&all, &v->pair[i]);
		judge(&all, is_partial(v));
		return;
	}
	for (size_t i = first; i < end; i++)
		if (wants(c, &v->pair[i], any_c, any_p))
			criteria_add_pair(l, &v->pair[i]);
}

void uses_list(const struct store_view *v, struct criterion_list *l, enum criterion c)
{
	for (size_t first = 0, end; first < v->pairs; first = end) {
		end = first + 1;
		while (end < v->pairs && is_same_definition(&v->pair[first], &v->pair[end]))
			end++;
		add_definition_uses(v, l, c, first, end);
	}
}

/* ---- data coupling */

/* The objective for a variable that flows from one function to another, or NULL if it stays within
 * a function. */
static struct pair_set *coupling(const struct store_view *v, struct criterion_list *l,
    struct pair_set **sets, const struct view_pair *p)
{
	const struct view_function *to = function_at(v, p->use_file, p->use_line);
	char *name;

	if (!to || (!strcmp(to->name, p->function) && !strcmp(p->def_file, p->use_file)))
		return NULL;
	name = formatted(
	    "%s:%s:%s:%s:%s", p->def_file, p->function, p->use_file, to->name, p->variable);
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->at[i].name, name)) {
			free(name);
			return &(*sets)[i];
		}
	struct criterion_item *o =
	    criteria_add(l, p->function, p->def_file, p->def_line, p->def_col);
	o->name = name;
	o->text = formatted("%s from %s to %s%s%s", p->variable, p->function, to->name,
	    strcmp(p->def_file, p->use_file) ? " in " : "",
	    strcmp(p->def_file, p->use_file) ? p->use_file : "");
	*sets = grow_one(*sets, l->n - 1, sizeof **sets);
	(*sets)[l->n - 1] = (struct pair_set){ NULL, NULL, NULL, NULL, 0 };
	return &(*sets)[l->n - 1];
}

void data_coupling_list(const struct store_view *v, struct criterion_list *l, enum criterion c)
{
	struct pair_set *sets = NULL;

	(void)c;
	for (size_t i = 0; i < v->pairs; i++) {
		struct pair_set *s = coupling(v, l, &sets, &v->pair[i]);
		if (s)
			add_to(s, &v->pair[i]);
	}
	for (size_t i = 0; i < l->n; i++) {
		sets[i].to = &l->at[i];
		judge(&sets[i], is_partial(v));
	}
	free(sets);
}
