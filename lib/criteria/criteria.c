#include "lib/criteria/inner.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/grow.h"

struct criterion_item *criteria_add(
    struct criterion_list *l, const char *function, const char *file, uint32_t line, uint32_t col)
{
	struct criterion_item *i = PUSH(l->at, l->n);
	*i =
	    (struct criterion_item){ .function = function, .file = file, .line = line, .col = col };
	return i;
}

/* How many of the last objectives have this name, with or without a number? One expansion of a
 * macro may put several at one place. */
static size_t namesakes(const struct criterion_list *l, const char *name)
{
	size_t n = 0, size = strlen(name);

	while (n < l->n && !strncmp(l->at[l->n - 1 - n].name, name, size)
	    && strchr("#", l->at[l->n - 1 - n].name[size]))
		n++;
	return n;
}

static void target_list(const struct store_view *v, struct criterion_list *l, enum criterion c)
{
	const char *criterion = criterion_target(c);

	for (size_t i = 0; i < v->targets; i++) {
		const struct view_target *t = &v->target[i];
		if (strcmp(t->criterion, criterion))
			continue;
		char *name = criterion_places(c) == PLACES_ENTRIES
		    ? formatted("%s:%s", t->file, t->name)
		    : formatted("%s:%s:%s:%u:%u", t->file, t->function, t->name, t->line, t->col);
		size_t same = namesakes(l, name);
		struct criterion_item *to = criteria_add(l, t->function, t->file, t->line, t->col);
		to->name = same ? formatted("%s#%zu", name, same + 1) : copied(name);
		to->text = formatted("%s", t->name);
		to->verdict = t->verdict;
		to->evidence = copied(t->evidence);
		to->test = t->test;
		free(name);
	}
}

/* For sessions without this criterion: the functions that runs entered. */
static void function_list(const struct store_view *v, struct criterion_list *l, enum criterion c)
{
	(void)c;
	for (size_t i = 0; i < v->functions; i++) {
		const struct view_function *f = &v->function[i];
		struct criterion_item *to = criteria_add(l, f->name, f->file, f->line, 1);
		to->name = formatted("%s:%s", f->file, f->name);
		to->text = formatted("%s", f->name);
		to->verdict = f->hits ? VERDICT_COVERED : VERDICT_UNKNOWN;
		to->evidence =
		    formatted(f->hits ? "%" PRIu64 " runs" : "no run entered it", f->hits);
	}
}

static void statement_list(const struct store_view *v, struct criterion_list *l, enum criterion c)
{
	(void)c;
	for (size_t i = 0; i < v->functions; i++)
		for (size_t k = 0; k < v->function[i].lines; k++) {
			const struct view_function *f = &v->function[i];
			const struct view_line *line = &f->passed[k];
			struct criterion_item *to =
			    criteria_add(l, f->name, f->file, line->number, 1);
			to->name =
			    formatted("%s:%s:+%" PRIu32, f->file, f->name, line->number - f->line);
			to->text = formatted("line %" PRIu32, line->number);
			to->verdict = line->hits ? VERDICT_COVERED : VERDICT_UNKNOWN;
			to->evidence = formatted(
			    line->hits ? "%" PRIu64 " runs" : "no run passed it", line->hits);
		}
}

char *criteria_evidence(const struct store_view *v, size_t i)
{
	const struct view_objective *o = &v->objective[i];
	char *text = NULL;
	size_t size;
	FILE *f;

	if (o->verdict != VERDICT_UNKNOWN)
		return copied(o->evidence ? o->evidence : "");
	f = text_stream(&text, &size);
	reason_print(f, v, i);
	fclose(f);
	return text;
}

static char *side_text(const struct view_objective *o)
{
	switch (o->side) {
	case FLOW_TRUE: return formatted("true");
	case FLOW_FALSE: return formatted("false");
	case FLOW_CASE: return formatted("case %" PRId64, o->value);
	case FLOW_DEFAULT: break;
	}
	return formatted("default");
}

/* Outcomes; for the criterion `conditions`, without those of switches. */
static void branch_list(const struct store_view *v, struct criterion_list *l, enum criterion c)
{
	bool two_way = c == CRITERION_CONDITIONS;

	for (size_t i = 0; i < v->objectives; i++) {
		const struct view_objective *o = &v->objective[i];
		char *side;
		if (two_way && o->side != FLOW_TRUE && o->side != FLOW_FALSE)
			continue;
		struct criterion_item *to = criteria_add(l, o->function, o->file, o->line, o->col);
		side = side_text(o);
		to->name = formatted("%s:%s:%u:%s", o->file, o->function, o->ordinal, side);
		to->text = formatted("%s of `%s`", side, o->text);
		to->verdict = o->verdict;
		to->evidence = criteria_evidence(v, i);
		to->test = o->test;
		free(side);
	}
}

void criteria_add_pair(struct criterion_list *l, const struct view_pair *p)
{
	struct criterion_item *to =
	    criteria_add(l, p->function, p->use_file, p->use_line, p->use_col);

	to->name = formatted("%s:%s:%s:%u:%u:%u:%u:%s", p->def_file, p->function, p->variable,
	    p->def_line, p->def_col, p->use_line, p->use_col, p->kind);
	to->text =
	    formatted("%s %s:%u:%u %s", p->variable, p->def_file, p->def_line, p->def_col, p->kind);
	to->verdict = p->verdict;
	to->evidence = copied(reason_pair(p));
	to->test = p->test;
}

/* Enumerations from the facts of all sessions. If a criterion also has targets, its enumeration is
 * for sessions without this criterion. */
static void (*const lists[CRITERIA])(
    const struct store_view *, struct criterion_list *, enum criterion) = {
	[CRITERION_FUNCTIONS] = function_list,
	[CRITERION_STATEMENTS] = statement_list,
	[CRITERION_BRANCHES] = branch_list,
	[CRITERION_CONDITIONS] = branch_list,
	[CRITERION_DECISIONS] = decision_list,
	[CRITERION_MCDC] = mcdc_list,
	[CRITERION_MASKING] = mcdc_list,
	[CRITERION_PAIRS] = uses_list,
	[CRITERION_ALL_DEFS] = uses_list,
	[CRITERION_ALL_C_USES] = uses_list,
	[CRITERION_ALL_P_USES] = uses_list,
	[CRITERION_ALL_USES] = uses_list,
	[CRITERION_C_USES_SOME_P] = uses_list,
	[CRITERION_P_USES_SOME_C] = uses_list,
	[CRITERION_DATA_COUPLING] = data_coupling_list,
};

struct criterion_list criterion_list(const struct store_view *v, enum criterion c)
{
	struct criterion_list l = { NULL, 0 };

	if (criterion_target(c))
		target_list(v, &l, c);
	if (!l.n && lists[c])
		lists[c](v, &l, c);
	return l;
}

void criterion_free(struct criterion_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->at[i].name);
		free(l->at[i].text);
		free(l->at[i].evidence);
	}
	free(l->at);
	*l = (struct criterion_list){ NULL, 0 };
}

struct store_totals criterion_totals(const struct criterion_list *l)
{
	struct store_totals t = { .total = l->n };

	for (size_t i = 0; i < l->n; i++) {
		t.covered += l->at[i].verdict == VERDICT_COVERED;
		t.infeasible += l->at[i].verdict == VERDICT_INFEASIBLE;
		t.unknown += l->at[i].verdict == VERDICT_UNKNOWN;
		t.limited += reason_is_limited(l->at[i].verdict, l->at[i].evidence);
	}
	return t;
}
