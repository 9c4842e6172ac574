/* write: goals(5). Points form a tree, so that pairs share prefixes; redefinitions are written once
 * per place. */
#include <stdlib.h>
#include <string.h>

#include "lib/goals/goals.h"
#include "lib/base/grow.h"
#include "lib/base/map.h"
#include "lib/protocol/checks.h"

struct goals_writer {
	struct rec_writer w;
	struct defuse *d;
	struct map pair_of; /* key -> 1 + index in d */
	struct map place_of, point_of;
	uint32_t *unit, units, places, points, goals, outcomes;
	struct defuse_point *last;
	size_t lasts;      /* points of the preceding goal */
	uint32_t *last_id; /* and their ids */
};

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

/* The number of a key; *fresh: the key is new. */
static uint32_t number(struct map *m, uint64_t key, uint32_t *count, bool *fresh)
{
	uint32_t *at = map_at(m, key ? key : 1, fresh);
	if (*fresh)
		*at = ++*count;
	return *at;
}

static uint32_t write_unit(struct goals_writer *to, uint32_t unit)
{
	const struct flow_unit *u = &to->d->flow->unit[unit];
	char key[17];
	if (!to->unit[unit]) {
		to->unit[unit] = ++to->units;
		snprintf(key, sizeof key, "%016llx", (unsigned long long)u->key);
		rec_putf(&to->w, "suss", "unit", (uint64_t)to->units, key, u->name);
	}
	return to->unit[unit];
}

static uint32_t write_place(struct goals_writer *to, uint32_t pair)
{
	const struct defuse_pair *p = &to->d->pair[pair];
	uint64_t key =
	    mix(mix(mix(mix(7, p->place.object), p->place.stride), (uint64_t)p->place.offset),
	        p->place.size);
	struct defuse_kill *kill;
	uint32_t id;
	bool fresh;
	size_t n;
	if (p->place.object == ALIAS_NONE)
		return 0;
	id = number(&to->place_of, key, &to->places, &fresh);
	if (!fresh)
		return id;
	kill = defuse_kills(to->d, pair, &n);
	for (size_t i = 0; i < n; i++)
		write_unit(to, to->d->access[kill[i].access].unit);
	rec_putf(&to->w, "sus", "place", (uint64_t)id, p->name);
	for (size_t i = 0; i < n; i++) {
		const struct defuse_access *a = &to->d->access[kill[i].access];
		rec_putf(&to->w, "suuus", "kill", (uint64_t)id, (uint64_t)to->unit[a->unit],
		    (uint64_t)a->inst, kill[i].must ? "must" : "may");
	}
	free(kill);
	return id;
}

static uint32_t write_point(struct goals_writer *to, uint32_t up, const struct defuse_point *p)
{
	static const char *const roles[] = { "cut", "def", "use" };
	uint64_t key = mix(mix(mix(mix(3, up), p->unit), p->inst), p->role);
	uint32_t unit, id;
	bool fresh;
	id = number(&to->point_of, key, &to->points, &fresh);
	if (fresh) {
		unit = write_unit(to, p->unit);
		rec_putf(&to->w, "suuuus", "point", (uint64_t)id, (uint64_t)up, (uint64_t)unit,
		    (uint64_t)p->inst, roles[p->role]);
	}
	return id;
}

/* Goals are ordered by definition: most share a prefix with the preceding one. */
static uint32_t write_points(struct goals_writer *to, uint32_t pair)
{
	size_t n, same = 0;
	struct defuse_point *point = defuse_points(to->d, pair, &n);
	uint32_t *id = resized(to->last_id, n + 1, sizeof *id);
	while (same < n && same < to->lasts && point[same].unit == to->last[same].unit
	    && point[same].inst == to->last[same].inst && point[same].role == to->last[same].role)
		same++;
	for (size_t i = same; i < n; i++)
		id[i] = write_point(to, i ? id[i - 1] : 0, &point[i]);
	free(to->last);
	to->last = point;
	to->lasts = n;
	to->last_id = id;
	return n ? id[n - 1] : 0;
}

static int fail(char **error, const char *what, unsigned long long n)
{
	*error = formatted(what, n);
	return -1;
}

/* at: its index in d; id: its number in pairs(5). */
static void write_goal(
    struct goals_writer *to, const struct pairs_pair *pair, uint32_t at, uint64_t id)
{
	uint32_t place = write_place(to, at), point = write_points(to, at);
	char key[17];
	snprintf(key, sizeof key, "%016llx", (unsigned long long)pair->key);
	rec_putf(&to->w, "suuuususs", "goal", (uint64_t)++to->goals, id, (uint64_t)point,
	    (uint64_t)place, pair->kind, (uint64_t)(pair->outcome == DEFUSE_C ? 0 : pair->outcome),
	    key, pair->name);
}

/* One of pairs(5), which was perhaps made from another flow. */
static int write_read_pair(struct goals_writer *to, const struct pairs *p, size_t i, char **error)
{
	const struct pairs_pair *pair = &p->pair[i];
	uint32_t at = map_get(&to->pair_of, pair->key ? pair->key : 1);
	if (!at)
		return fail(error, "pair %llu is not in the flow, or was made with other options",
		    (unsigned long long)i + 1);
	write_goal(to, pair, at - 1, i + 1);
	return 0;
}

static void write_own_pair(struct goals_writer *to, uint32_t i)
{
	const struct defuse_pair *p = &to->d->pair[i];
	char kind[32];
	struct pairs_pair pair = { .outcome = p->outcome,
		.key = p->key,
		.kind = (char *)(uintptr_t)defuse_kind_name(to->d, p, kind),
		.name = p->name };
	write_goal(to, &pair, i, i + 1);
}

static void index_pairs(struct goals_writer *to)
{
	bool fresh;
	for (size_t i = 0; i < to->d->pairs; i++)
		*map_at(&to->pair_of, to->d->pair[i].key ? to->d->pair[i].key : 1, &fresh) =
		    (uint32_t)i + 1;
}

static void write_branch(struct goals_writer *to, uint32_t unit, uint32_t branch)
{
	const struct flow_branch *b = &to->d->flow->unit[unit].branch[branch];
	uint32_t last = b->first + (b->kind == 's' ? (uint32_t)b->cases : 1),
	         id = write_unit(to, unit);
	for (uint32_t k = b->first; k <= last && b->kind != 'a'; k++)
		rec_putf(&to->w, "suuuu", "outcome", (uint64_t)++to->outcomes, (uint64_t)id,
		    (uint64_t)branch + 1, (uint64_t)k);
}

static void write_condition(struct goals_writer *to, uint32_t unit, const struct flow_check *c)
{
	uint32_t id = c->criterion ? write_unit(to, unit) : 0;
	if (id)
		rec_putf(&to->w, "suuus", "condition", (uint64_t)++to->outcomes, (uint64_t)id,
		    (uint64_t)c->inst, check_name(c->kind));
}

/* ---- evaluations of decisions */

enum { MOST_EVALUATIONS = 100, LONGEST_EVALUATION = 60 };

struct evaluations {
	const struct flow_unit *u;
	uint32_t list[LONGEST_EVALUATION], n;
	char *text[MOST_EVALUATIONS];
	size_t found;
	bool many;
};

static void add_evaluation(struct evaluations *e)
{
	size_t size;
	FILE *f;
	e->many |= e->found == MOST_EVALUATIONS;
	if (e->many)
		return;
	f = text_stream(&e->text[e->found], &size);
	for (uint32_t i = 0; i < e->n; i++)
		fprintf(f, "%s%u", i ? "," : "", e->list[i]);
	fclose(f);
	e->found++;
}

/* All ways from the branch on to an outcome that ends its decision. */
static void follow(struct evaluations *e, uint32_t branch)
{
	const struct flow_branch *b = &e->u->branch[branch - 1];
	for (uint32_t k = 0; k < 2 && !e->many; k++) {
		if (e->n == LONGEST_EVALUATION) {
			e->many = true;
			return;
		}
		e->list[e->n++] = b->first + k;
		if (b->next[k] == FLOW_IS_TRUE || b->next[k] == FLOW_IS_FALSE)
			add_evaluation(e);
		else if (b->next[k] && b->next[k] <= e->u->branches)
			follow(e, b->next[k]);
		else
			e->many = true;
		e->n--;
	}
}

/* Is this condition the one of its decision that is evaluated first? */
static bool is_root(const struct flow_unit *u, uint32_t branch)
{
	const struct flow_branch *b = &u->branch[branch - 1];
	for (size_t i = 0; i < u->branches && b->decision; i++)
		if (u->branch[i].func == b->func && u->branch[i].decision == b->decision
		    && (u->branch[i].next[0] == branch || u->branch[i].next[1] == branch))
			return false;
	return b->decision != 0;
}

/* Of a decision with too many, none is written. */
static void write_evaluations(struct goals_writer *to, uint32_t unit, uint32_t branch)
{
	struct evaluations e = { .u = &to->d->flow->unit[unit] };
	uint32_t id;
	if (!is_root(e.u, branch))
		return;
	follow(&e, branch);
	id = write_unit(to, unit);
	for (size_t i = 0; i < e.found; i++) {
		if (!e.many)
			rec_putf(&to->w, "suus", "evaluation", (uint64_t)++to->outcomes,
			    (uint64_t)id, e.text[i]);
		free(e.text[i]);
	}
}

/* Of functions reachable from the entry; without an entry, of all. */
static void write_others(struct goals_writer *to, unsigned kinds)
{
	const struct flow *fl = to->d->flow;
	const char *entry = to->d->options.alias.entry ? to->d->options.alias.entry : "main";
	const struct flow_unit *in;
	bool all = !flow_find(fl, entry, &in), **mark = flow_reachable(fl, entry);
	for (uint32_t k = 0; k < fl->units; k++) {
		const struct flow_unit *u = &fl->unit[k];
		for (uint32_t f = 0; f < u->funcs; f++)
			mark[k][f] =
			    (all || mark[k][f]) && !u->func[f].is_harness && !u->func[f].in_system;
		for (uint32_t b = 0; b < u->branches && kinds & GOALS_OF_OUTCOMES; b++)
			if (mark[k][u->branch[b].func - 1])
				write_branch(to, k, b);
		for (size_t i = 0; i < u->checks && kinds & GOALS_OF_CONDITIONS; i++)
			if (mark[k][u->check[i].func - 1])
				write_condition(to, k, &u->check[i]);
		for (uint32_t b = 0; b < u->branches && kinds & GOALS_OF_DECISIONS; b++)
			if (mark[k][u->branch[b].func - 1])
				write_evaluations(to, k, b + 1);
	}
	flow_marks_free(fl, mark);
}

static void begin(struct goals_writer *to, FILE *f)
{
	to->unit = zeroed(to->d->flow->units, sizeof *to->unit);
	rec_begin(&to->w, f, "goals", 1, "cutpoints-" DUCT_VERSION);
	defuse_write_meta(&to->w, &to->d->options);
}

static void end(struct goals_writer *to)
{
	map_close(&to->pair_of);
	map_close(&to->place_of);
	map_close(&to->point_of);
	free(to->unit);
	free(to->last);
	free(to->last_id);
}

int goals_write(
    struct defuse *d, const struct pairs *p, uint32_t only, unsigned kinds, FILE *f, char **error)
{
	struct goals_writer to = { .d = d };
	int result = 0;
	*error = NULL;
	begin(&to, f);
	index_pairs(&to);
	for (size_t i = 0; !result && i < p->pairs; i++)
		if (!only || only == i + 1)
			result = write_read_pair(&to, p, i, error);
	if (!result) {
		write_others(&to, kinds);
		result = rec_end(&to.w);
	}
	end(&to);
	return result;
}

int goals_write_all(struct defuse *d, unsigned kinds, FILE *f)
{
	struct goals_writer to = { .d = d };
	int result;
	begin(&to, f);
	for (uint32_t i = 0; i < d->pairs; i++)
		write_own_pair(&to, i);
	write_others(&to, kinds);
	result = rec_end(&to.w);
	end(&to);
	return result;
}
