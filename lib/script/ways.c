/* space:ways(store, defuse or nil): from now on the cases of a switch with the same target are one
 * way of the tree; a case is wanted by itself as long as its outcome, or a pair with it as the use,
 * is open. */
#include "lib/script/inner.h"

#include "lib/base/grow.h"
#include "lib/store/store.h"

#include <stdlib.h>

struct case_of {
	size_t objective; /* SIZE_MAX: none */
	uint32_t *pair;   /* those that it is the use of */
	size_t pairs;
};
struct switch_of {
	bool known;
	const uint32_t *way; /* the flow's; NULL: all cases run code of their own */
	struct case_of *cases;
	size_t n;
};
struct space_ways {
	struct space *space;
	struct store *const *store;        /* what it points to is NULL when it is closed */
	const struct defuse_box *defuse;   /* or NULL; the same */
	struct switch_of **unit;           /* by unit and branch; NULL: none was met */
	const struct flow_unit *last_unit; /* the one met last */
};

static const struct flow_unit *unit_of(struct space_ways *w, uint64_t key)
{
	if (!w->last_unit || w->last_unit->key != key)
		w->last_unit = flow_unit_by_key(w->space->flow, key);
	return w->last_unit;
}

static void find_pairs(
    const struct space_ways *w, const struct flow_unit *u, uint32_t first, struct switch_of *s)
{
	const struct defuse *d = w->defuse ? w->defuse->d : NULL;
	for (uint32_t i = 0; d && i < d->pairs; i++) {
		const struct defuse_pair *p = &d->pair[i];
		if (p->outcome == DEFUSE_C || p->outcome < first || p->outcome - first >= s->n
		    || d->flow->unit[d->access[p->use].unit].key != u->key)
			continue;
		struct case_of *c = &s->cases[p->outcome - first];
		*PUSH(c->pair, c->pairs) = i;
	}
}

static struct switch_of *switch_of(struct space_ways *w, uint64_t key, uint32_t branch)
{
	const struct flow_unit *u = unit_of(w, key);
	size_t i = u ? (size_t)(u - w->space->flow->unit) : 0;
	struct switch_of *s;
	if (!u || branch == 0 || branch > u->branches)
		return NULL;
	if (!w->unit[i])
		w->unit[i] = zeroed(u->branches, sizeof *w->unit[i]);
	s = &w->unit[i][branch - 1];
	if (s->known)
		return s;
	s->known = true;
	if (!(s->way = u->branch[branch - 1].way))
		return s;
	s->n = u->branch[branch - 1].cases;
	s->cases = zeroed(s->n, sizeof *s->cases);
	for (uint32_t k = 0; k < s->n; k++)
		s->cases[k].objective = *w->store
		    ? store_find_key(*w->store, key, u->branch[branch - 1].first + k)
		    : SIZE_MAX;
	find_pairs(w, u, u->branch[branch - 1].first, s);
	return s;
}

static const uint32_t *ways(void *arg, uint64_t key, uint32_t branch)
{
	const struct switch_of *s = switch_of(arg, key, branch);
	return s ? s->way : NULL;
}

static bool is_open(const struct store *s, enum store_aim aim, size_t i)
{
	return i != SIZE_MAX && store_known(s, aim, i).verdict == VERDICT_UNKNOWN;
}

static bool wanted(void *arg, uint64_t key, uint32_t branch, uint32_t outcome)
{
	const struct space_ways *w = arg;
	const struct switch_of *s = switch_of(arg, key, branch);
	bool open = !s || outcome >= s->n || !*w->store
	    || is_open(*w->store, STORE_BRANCHES, s->cases[outcome].objective);
	for (size_t i = 0; !open && i < s->cases[outcome].pairs; i++)
		open = is_open(*w->store, STORE_PAIRS, s->cases[outcome].pair[i]);
	return open;
}

void script_free_ways(struct space_ways *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->space->flow->units; i++) {
		const struct flow_unit *u = &w->space->flow->unit[i];
		for (size_t b = 0; w->unit[i] && b < u->branches; b++) {
			struct switch_of *s = &w->unit[i][b];
			for (size_t k = 0; k < s->n; k++)
				free(s->cases[k].pair);
			free(s->cases);
		}
		free(w->unit[i]);
	}
	free(w->unit);
	free(w);
}

int script_ways(lua_State *L)
{
	struct space *s = script_space(L, 1);
	struct store *const *store = script_store_held(L, 2);
	const struct defuse_box *d = lua_isnoneornil(L, 3) ? NULL : script_defuse(L, 3);
	luaL_argcheck(L, s->flow && !s->ways, 1, "without a flow, or it has ways already");
	s->ways = zeroed(1, sizeof *s->ways);
	*s->ways = (struct space_ways){ .space = s,
		.store = store,
		.defuse = d,
		.unit = zeroed(s->flow->units, sizeof *s->ways->unit) };
	tree_set_ways(s->tree, ways, wanted, s->ways);
	lua_createtable(L, 3, 0);
	lua_getiuservalue(L, 1, 1);
	lua_rawseti(L, -2, 1);
	for (int i = 2; i <= 3; i++) {
		lua_pushvalue(L, i);
		lua_rawseti(L, -2, i);
	}
	lua_setiuservalue(L, 1, 1);
	return 0;
}
