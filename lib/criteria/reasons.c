/* reasons: why outcomes of conditions and pairs are not covered. */
#include "lib/criteria/criteria.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/grow.h"

static bool same_condition(const struct view_objective *a, const struct view_objective *b)
{
	return a->branch == b->branch && a->ordinal == b->ordinal
	    && !strcmp(a->function, b->function) && a->func_line == b->func_line;
}

void criterion_siblings(const struct store_view *v, size_t i, size_t *begin, size_t *end)
{
	*begin = *end = i;
	while (*begin > 0 && same_condition(&v->objective[*begin - 1], &v->objective[i]))
		--*begin;
	while (*end < v->objectives && same_condition(&v->objective[*end], &v->objective[i]))
		++*end;
}

uint64_t criterion_reached(const struct store_view *v, size_t i)
{
	size_t begin, end;
	uint64_t hits = 0;

	criterion_siblings(v, i, &begin, &end);
	for (size_t k = begin; k < end; k++)
		hits += v->objective[k].hits;
	return hits;
}

char *reason_reached(const struct store_view *v, size_t i)
{
	unsigned long long hits = criterion_reached(v, i);

	if (v->objective[i].verdict == VERDICT_INFEASIBLE)
		return copied("");
	if (!hits)
		return copied("its condition was never reached");
	return formatted("reached by %llu run%s, never taken", hits, hits == 1 ? "" : "s");
}

const char *reason_evidence(const struct view_objective *o)
{
	return o->verdict == VERDICT_INFEASIBLE || (o->evidence && *o->evidence)
	    ? o->evidence
	    : "no proof was tried";
}

const char *reason_common(const char *reached)
{
	return *reached == 'r' ? "reached, never taken" : reached;
}

const char *reason_pair(const struct view_pair *p)
{
	if (p->evidence && *p->evidence)
		return p->evidence;
	return p->verdict == VERDICT_UNKNOWN ? "no session looked for it" : "-";
}

void reason_print(FILE *f, const struct store_view *v, size_t i)
{
	char *reached = reason_reached(v, i);

	fprintf(f, "%s%s%s", reached, *reached ? "; " : "", reason_evidence(&v->objective[i]));
	free(reached);
}

bool reason_is_limited(enum store_verdict v, const char *evidence)
{
	return v == VERDICT_UNKNOWN && evidence && strstr(evidence, STORE_LIMITS);
}
