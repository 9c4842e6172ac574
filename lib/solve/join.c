#include "lib/solve/join.h"
#include "lib/base/grow.h"
#include "lib/expr/batch.h"
#include "lib/solve/ranges.h"

#include <stdlib.h>
#include <string.h>

#define MOST_VARS 64
#define MOST_VALUES 4096 /* of an input */
#define MOST_CONDS 512
#define MOST_POINTS 4096 /* of the table */
#define SOME_POINTS 256  /* of one that has lost some solutions */

/* An input. Of values that no term of the conditions tells apart only one is tried, the parent's
 * first. */
struct side {
	uint32_t var;
	unsigned width;
	bool joined;           /* is it in the table? */
	unsigned uses;         /* conditions on it and on others */
	struct domain allowed; /* up to DOMAIN_BITS bits */
	struct ranges in;      /* wider ones */
	bool bounded;          /* are the values listed? */
	bool fixed;            /* to the parent's value? */
	uint64_t *value;
	size_t values, value_cap;
	struct value_classes classes; /* of values that no term tells apart */
};

struct clause {
	expr cond;
	uint64_t uses; /* inputs, as a bit set */
	bool done;
};

struct join {
	struct expr_pool *p;
	struct domains *d;
	struct batch *batch;
	struct side side[MOST_VARS];
	size_t sides;
	struct clause clause[MOST_CONDS];
	size_t clauses;
	uint32_t order[MOST_VARS]; /* inputs in the table: variables, in the order of its columns */
	const struct side *by_column[MOST_VARS];
	size_t columns;
	uint64_t *table, *spare; /* columns one after another */
	size_t points;
	uint64_t work, most;
	const struct inputs *free; /* NULL: all */
	bool exact;                /* are all conditions considered? */
	bool complete;             /* does the table have all solutions? */
	uint32_t *seen;            /* by term: the last question with it */
	size_t seen_cap;
	uint32_t now;
};

struct join *join_new(struct expr_pool *p, struct domains *d)
{
	struct join *s = zeroed(1, sizeof *s);

	s->p = p;
	s->d = d;
	s->batch = batch_new(p);
	s->table = reserved(MOST_VARS * MOST_POINTS, sizeof *s->table);
	s->spare = reserved(MOST_VARS * MOST_POINTS, sizeof *s->spare);
	return s;
}

void join_free(struct join *s)
{
	for (size_t i = 0; i < MOST_VARS; i++)
		free(s->side[i].value);
	batch_free(s->batch);
	free(s->table), free(s->spare), free(s->seen);
	free(s);
}

/* ---- the inputs and what each may be */

/* NULL: there are too many. */
static struct side *side_of(struct join *s, uint32_t var)
{
	size_t i = 0;

	while (i < s->sides && s->side[i].var != var)
		i++;
	if (i == MOST_VARS || i < s->sides)
		return i < s->sides ? &s->side[i] : NULL;
	struct side *v = &s->side[s->sides++];
	v->var = var;
	v->width = expr_var_width(s->p, var);
	v->joined = false;
	v->fixed = s->free && !inputs_has(s->free, var);
	v->uses = 0;
	v->bounded = v->width <= DOMAIN_BITS;
	v->values = 0;
	if (v->bounded)
		domain_all(&v->allowed, v->width);
	else if (v->width <= 64)
		ranges_all(&v->in, v->width);
	return v;
}

/* A condition on one narrow input alone. UNSAT: its values are none. */
static enum answer restrict_side(struct join *s, struct side *v, expr cond)
{
	struct domain holds;

	if (!domains_of(s->d, cond, &holds))
		s->exact = false;
	else if (!domain_keep(&v->allowed, &holds))
		return ANSWER_UNSAT;
	return ANSWER_UNKNOWN;
}

/* A condition on others; false: it has too many inputs. */
static bool add_clause(struct join *s, struct chain *c, expr cond)
{
	const struct range *r = layer_range(c, cond);
	size_t n;
	const uint32_t *var = expr_vars(s->p, cond, &n);
	uint64_t uses = 0;

	if (s->clauses == MOST_CONDS || n > MOST_VARS)
		return false;
	for (size_t i = 0; i < n; i++) {
		struct side *v = side_of(s, var[i]);
		if (!v)
			return false;
		uses |= 1ull << (v - s->side);
		v->uses += n > 1;
		if (r && v->width <= 64)
			ranges_keep(&v->in, r->lo, r->hi);
	}
	s->clause[s->clauses++] = (struct clause){ cond, uses, false };
	return true;
}

/* UNSAT: already; SAT: go on. */
static enum answer load(struct join *s, struct chain *c, const struct problem *q)
{
	struct value k;

	for (size_t i = q->n; i-- > 0;) {
		if (s->free && !inputs_meet(s->free, s->p, q->cond[i]))
			continue;
		uint32_t var = domains_input(s->p, q->cond[i]);
		struct side *v = var == UINT32_MAX ? NULL : side_of(s, var);
		if (expr_is_const(s->p, q->cond[i], &k)) {
			if (!k.lo)
				return ANSWER_UNSAT;
		} else if (v) {
			if (restrict_side(s, v, q->cond[i]) == ANSWER_UNSAT)
				return ANSWER_UNSAT;
		} else if (!add_clause(s, c, q->cond[i])) {
			s->exact = false;
		}
	}
	return ANSWER_SAT;
}

/* Tells apart what the terms of the conditions on several inputs tell apart. */
static void tell_apart(struct join *s)
{
	s->seen = grow(s->seen, &s->seen_cap, expr_count(s->p) + 1, sizeof *s->seen);
	s->now++;
	for (size_t i = 0; i < s->sides; i++)
		value_classes_start(&s->side[i].classes);
	for (size_t i = 0; i < s->clauses; i++) {
		size_t n;
		const expr *term = domains_terms(s->d, s->clause[i].cond, &n);
		for (size_t k = 0; k < n; k++) {
			struct side *v = side_of(s, domains_input(s->p, term[k]));
			if (v->fixed || s->seen[term[k]] == s->now)
				continue;
			s->seen[term[k]] = s->now;
			value_classes_refine(&v->classes, s->d, term[k], &v->allowed, v->width);
		}
	}
}

static void room(struct side *v, size_t values)
{
	v->value = grow(v->value, &v->value_cap, values, sizeof *v->value);
}

static void add_value(struct side *v, uint64_t value)
{
	v->value[v->values++] = value;
}

static void list_narrow(struct side *v, uint64_t parent)
{
	bool had[DOMAIN_VALUES] = { false };

	room(v, DOMAIN_VALUES);

	for (unsigned i = 0, n = 1u << v->width; i <= n; i++) {
		unsigned value = i ? i - 1 : (unsigned)parent & (n - 1);
		unsigned k = v->classes.number[value];
		if (!domain_has(&v->allowed, value) || had[k])
			continue;
		had[k] = true;
		add_value(v, value);
	}
}

static void list_wide(struct side *v, uint64_t parent)
{
	uint64_t base, count, m = v->width >= 64 ? ~0ull : (1ull << v->width) - 1, at;

	if (v->width > 64)
		return;
	ranges_hull(&v->in, &base, &count);
	if (!count || count > MOST_VALUES)
		return;
	v->bounded = true;
	room(v, count);
	at = (parent - base) & m;
	if (at < count)
		add_value(v, parent & m);
	for (uint64_t i = 0; i < count; i++)
		if (i != at)
			add_value(v, (base + i) & m);
}

static void list_values(struct side *v, uint64_t parent)
{
	if (v->fixed && v->width <= 64) {
		v->bounded = true;
		room(v, 1);
		add_value(v, parent);
	} else {
		(v->bounded ? list_narrow : list_wide)(v, parent);
	}
}

/* Lists the values of all inputs, and drops conditions on those that have too many. */
static void list(struct join *s, const struct assignment *parent)
{
	uint64_t unbounded = 0;
	size_t kept = 0;

	tell_apart(s);
	for (size_t i = 0; i < s->sides; i++) {
		struct side *v = &s->side[i];
		list_values(v, assignment_get(parent, v->var).lo);
		unbounded |= (uint64_t)!v->bounded << i;
	}
	for (size_t i = 0; i < s->clauses; i++) {
		if (s->clause[i].uses & unbounded)
			s->exact = false;
		else
			s->clause[kept++] = s->clause[i];
	}
	s->clauses = kept;
}

/* ---- the table */

static unsigned log_of(uint64_t n)
{
	return n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 0;
}

/* The next input: one that decides many conditions, occurs in many, and has few values. NULL: none
 * is left. */
static struct side *next_side(struct join *s, uint64_t fixed)
{
	struct side *best = NULL;
	int most = 0;

	for (size_t i = 0; i < s->sides; i++) {
		struct side *v = &s->side[i];
		int score = (int)v->uses - 16 * (int)log_of(v->values);
		if (v->joined || !v->bounded)
			continue;
		for (size_t k = 0; k < s->clauses; k++)
			if ((s->clause[k].uses >> i & 1)
			    && !(s->clause[k].uses & ~(fixed | 1ull << i)))
				score += 64;
		if (!best || score > most)
			best = v, most = score;
	}
	return best;
}

/* Each row, with each value of the input; only the first rows when these are too many. */
static void widen(struct join *s, struct side *v)
{
	size_t old = s->points, most = (s->complete ? MOST_POINTS : SOME_POINTS) / v->values;
	uint64_t *swap = s->spare;

	if (old > most) {
		most = SOME_POINTS / v->values;
		s->points = most ? most : 1;
		s->complete = false;
	}
	size_t points = s->points * v->values;
	for (size_t k = 0; k < s->columns; k++) {
		uint64_t *to = s->spare + k * points;
		for (size_t i = 0; i < s->points; i++)
			for (size_t j = 0; j < v->values; j++)
				*to++ = s->table[k * old + i];
	}
	for (size_t i = 0; i < points; i++)
		s->spare[s->columns * points + i] = v->value[i % v->values];
	s->work += points * (s->columns + 1) / 4;
	s->by_column[s->columns] = v;
	s->order[s->columns++] = v->var;
	s->points = points;
	v->joined = true;
	s->spare = s->table, s->table = swap;
}

/* Keeps the rows whose bit is set. */
static void keep(struct join *s, const uint64_t *bit)
{
	size_t left = 0;

	for (size_t i = 0; i < (s->points + 63) / 64; i++)
		left += (size_t)__builtin_popcountll(bit[i]);
	for (size_t k = 0; k < s->columns && left < s->points; k++) {
		const uint64_t *from = s->table + k * s->points;
		uint64_t *to = s->table + k * left;
		for (size_t i = 0; i < s->points; i++)
			if (bit[i / 64] >> i % 64 & 1)
				*to++ = from[i];
	}
	s->points = left;
}

/* Applies the conditions whose inputs are all in the table. False: too much work. */
static bool apply(struct join *s, uint64_t fixed)
{
	uint64_t bit[MOST_POINTS / 64];

	for (size_t i = 0; i < s->clauses && s->points; i++) {
		struct clause *c = &s->clause[i];
		struct batch_points rows = { s->order, s->columns, s->table, s->points };
		if (c->done || (c->uses & ~fixed))
			continue;
		uint32_t cost = batch_cost(s->batch, c->cond);
		c->done = true;
		s->work += (uint64_t)cost * (s->points + 64);
		if (cost != UINT32_MAX && s->work > s->most)
			return false;
		if (cost == UINT32_MAX || !batch_run_list(s->batch, c->cond, &rows, bit))
			s->exact = false;
		else
			keep(s, bit);
	}
	return true;
}

static enum answer fill(struct join *s)
{
	uint64_t fixed = 0;
	struct side *v;

	s->columns = 0;
	s->points = 1;
	s->complete = true;
	while (s->points && (v = next_side(s, fixed))) {
		if (!v->values)
			return ANSWER_UNSAT;
		fixed |= 1ull << (v - s->side);
		widen(s, v);
		if (!apply(s, fixed))
			return ANSWER_UNKNOWN;
	}
	return s->points ? ANSWER_SAT : s->complete ? ANSWER_UNSAT : ANSWER_UNKNOWN;
}

enum answer join_ask(struct join *s, struct chain *c, const struct problem *q,
    const struct inputs *free, uint64_t most)
{
	s->free = free;
	s->sides = s->clauses = 0;
	s->exact = true;
	s->work = 0;
	s->most = most;
	if (load(s, c, q) == ANSWER_UNSAT)
		return ANSWER_UNSAT;
	list(s, q->parent);
	return fill(s);
}

bool join_is_exact(const struct join *s)
{
	return s->exact;
}

size_t join_rows(const struct join *s)
{
	return s->points;
}

bool join_value(const struct join *s, size_t row, size_t i, uint32_t *var, uint64_t *value)
{
	if (i >= s->columns)
		return false;
	*var = s->order[i];
	*value = s->table[i * s->points + row];
	return true;
}

bool join_alike(const struct join *s, size_t i, uint64_t value, uint64_t that)
{
	const struct side *v = s->by_column[i];

	if (v->width > DOMAIN_BITS)
		return value == that;
	return domain_has(&v->allowed, (unsigned)value)
	    && v->classes.number[value] == v->classes.number[that];
}
