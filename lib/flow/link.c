/* link: resolves function names as the linker does. */
#include "lib/flow/flow.h"
#include "lib/base/grow.h"

#include "lib/base/search.h"

#include <stdlib.h>
#include <string.h>

struct linked_name {
	const char *name;
	bool is_static;
	struct flow_meaning is;
};
struct flow_names {
	struct linked_name *name;
	size_t n;
};

/* By name, then by preference. */
static int compare(const void *a, const void *b)
{
	const struct linked_name *x = a, *y = b;
	int c = strcmp(x->name, y->name);
	if (c)
		return c;
	if (x->is.weak != y->is.weak)
		return x->is.weak - y->is.weak;
	return (x->is.unit > y->is.unit) - (x->is.unit < y->is.unit);
}

static void add_aliases(struct flow_names *l, const struct flow_unit *u, uint32_t unit)
{
	for (size_t i = 0; i < u->aliases; i++)
		for (uint32_t k = 0; u->alias[i].target.kind == '@' && k < u->funcs; k++)
			if (!strcmp(u->func[k].name, u->alias[i].target.name))
				l->name[l->n++] = (struct linked_name){ u->alias[i].name, false,
					{ unit, k, u->alias[i].is_weak } };
}

struct flow_names *flow_names_new(const struct flow *fl)
{
	struct flow_names *l = zeroed(1, sizeof *l);
	size_t n = 0;
	for (size_t i = 0; i < fl->units; i++)
		n += fl->unit[i].funcs + fl->unit[i].aliases;
	l->name = zeroed(n + 1, sizeof *l->name);
	for (uint32_t i = 0; i < fl->units; i++) {
		const struct flow_unit *u = &fl->unit[i];
		for (uint32_t k = 0; k < u->funcs; k++)
			l->name[l->n++] = (struct linked_name){ u->func[k].name,
				u->func[k].is_static, { i, k, u->func[k].is_weak } };
		add_aliases(l, u, i);
	}
	qsort(l->name, l->n, sizeof *l->name, compare);
	return l;
}

static int by_name(const void *name, const void *named)
{
	return strcmp(name, ((const struct linked_name *)named)->name);
}

bool flow_names_find(
    const struct flow_names *l, uint32_t unit, const char *name, struct flow_meaning *m)
{
	size_t first = lower_bound(name, l->name, l->n, sizeof *l->name, by_name), found = SIZE_MAX;

	for (size_t i = first; i < l->n && !strcmp(l->name[i].name, name); i++)
		if (l->name[i].is_static ? l->name[i].is.unit == unit : found == SIZE_MAX)
			found = i;
	if (found != SIZE_MAX)
		*m = l->name[found].is;
	return found != SIZE_MAX;
}

void flow_names_free(struct flow_names *l)
{
	if (l)
		free(l->name);
	free(l);
}
