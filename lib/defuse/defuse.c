#include "lib/defuse/inner.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

struct defuse *defuse_new(const struct flow *fl, const struct defuse_options *o)
{
	struct defuse *d = zeroed(1, sizeof *d);
	d->flow = fl;
	d->options = *o;
	d->index = zeroed(1, sizeof *d->index);
	d->alias = alias_new(fl, &o->alias);
	defuse_collect(d);
	defuse_index(d);
	defuse_reach(d);
	defuse_finish_pairs(d);
	return d;
}

void defuse_free(struct defuse *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->accesses; i++) {
		free(d->access[i].path);
		free(d->access[i].place);
		free(d->access[i].outcome);
	}
	for (size_t i = 0; i < d->pairs; i++)
		free(d->pair[i].name);
	defuse_index_free(d);
	alias_free(d->alias);
	free(d->access);
	free(d->pair);
	free(d);
}

static const char *const criteria[] = { "all-uses", "all-defs", "all-c-uses", "all-p-uses" };

const char *defuse_criterion_name(enum defuse_criterion c)
{
	return criteria[c];
}

bool defuse_set_criterion(struct defuse_options *o, const char *name)
{
	for (size_t i = 0; i < sizeof criteria / sizeof *criteria; i++)
		if (!strcmp(name, criteria[i])) {
			o->criterion = (enum defuse_criterion)i;
			return true;
		}
	return false;
}

static bool choose(bool *out, const char *name, const char *no, const char *yes)
{
	*out = !strcmp(name, yes);
	return *out || !strcmp(name, no);
}

bool defuse_set_protocol(struct defuse_options *o, const char *name)
{
	return choose(&o->paper, name, "default", "paper");
}

bool defuse_set_scope(struct defuse_options *o, const char *name)
{
	return choose(&o->inter, name, "intra", "inter");
}

const struct flow_branch *defuse_branch(const struct defuse *d, uint32_t unit, uint32_t outcome)
{
	return &d->flow->unit[unit].branch[d->index->branch_of[unit][outcome] - 1];
}

const char *defuse_kind_name(const struct defuse *d, const struct defuse_pair *p, char buf[32])
{
	const struct flow_branch *b;
	uint32_t k;
	if (p->outcome == DEFUSE_C)
		return strcpy(buf, "c");
	b = defuse_branch(d, d->access[p->use].unit, p->outcome);
	k = p->outcome - b->first;
	if (b->kind == 's' && k < b->cases)
		snprintf(buf, 32, "p:case %lld", (long long)b->value[k]);
	else
		snprintf(buf, 32, "p:%s", b->kind == 's' ? "default" : k ? "false" : "true");
	return buf;
}
