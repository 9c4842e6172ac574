/* left: the lines that a run executed. In a block that it left in the middle, by a call that did
 * not return or by a fault, only the lines up to there count. */
#include "lib/store/db.h"
#include "lib/base/grow.h"
#include "lib/flow/ends.h"

#include <stdlib.h>

/* The result of ends_new for a place, kept for further runs that end there. */
struct place_left {
	enum ends_how how;
	uint32_t unit, block, inst;
	struct ends ends;
};

struct left {
	struct ends_unit **unit;
	uint8_t **cover; /* by unit: bytes of the current run */
	size_t units;
	struct place_left *at;
	size_t n;
};

static struct left *get(struct store *s)
{
	struct left *l = s->left;
	struct texts names = { 0 };

	if (l)
		return l;
	l = s->left = zeroed(1, sizeof *l);
	l->unit = zeroed(s->flow->units + 1, sizeof *l->unit);
	l->cover = zeroed(s->flow->units + 1, sizeof *l->cover);
	for (; l->units < s->flow->units; l->units++) {
		const struct flow_unit *u = &s->flow->unit[l->units];
		l->unit[l->units] = ends_unit_new(u, &names);
		l->cover[l->units] = zeroed((size_t)u->outcomes + u->blocks + 1, 1);
	}
	texts_close(&names);
	return l;
}

/* The line of an instruction that may fail, 0: not known. */
static uint32_t line_of(const struct flow_unit *u, uint32_t block, uint32_t inst)
{
	for (size_t i = 0; inst && i < u->checks; i++)
		if (u->check[i].inst == inst && u->check[i].block == block)
			return u->check[i].pos.line;
	return 0;
}

static const struct ends *ends_at(
    struct store *s, enum ends_how how, uint32_t unit, uint32_t block, uint32_t inst)
{
	struct left *l = get(s);

	for (size_t i = 0; i < l->n; i++)
		if (l->at[i].how == how && l->at[i].unit == unit && l->at[i].block == block
		    && l->at[i].inst == inst)
			return &l->at[i].ends;
	uint32_t line = unit ? line_of(&s->flow->unit[unit - 1], block, inst) : 0;
	struct ends e =
	    ends_new(l->unit, l->units, how, false, unit ? l->unit[unit - 1] : NULL, block, line);
	struct place_left *to = PUSH(l->at, l->n);
	*to = (struct place_left){ how, unit, block, inst, e };
	return &to->ends;
}

/* Where the run ended; NULL: the entry returned. */
static const struct ends *ends_of(struct store *s, const struct trace *t)
{
	bool called = t->end == END_ABORT || t->end == END_ASSERT || t->end == END_ERROR;
	uint32_t unit;

	if (t->end == END_EXIT && !t->left_block)
		return NULL;
	if (t->end == END_EXIT) {
		unit = store_unit(s, t, t->left_unit);
		return ends_at(s, unit ? ENDS_CALL : ENDS_UNKNOWN, unit, t->left_block, 0);
	}
	unit = t->fault_block ? store_unit(s, t, t->fault_unit) : 0;
	return ends_at(s,
	    !unit        ? ENDS_UNKNOWN
	        : called ? ENDS_CALL
	                 : ENDS_WITHIN,
	    unit, unit ? t->fault_block : 0, unit && !called ? t->fault_inst : 0);
}

/* Sets the bytes of the run's outcomes and blocks to the value. */
static void mark(struct store *s, const struct trace *t, uint8_t value)
{
	for (size_t i = 0; i < t->blocks; i++) {
		uint32_t unit = store_unit(s, t, t->block[i].unit);
		if (unit && t->block[i].block <= s->flow->unit[unit - 1].blocks)
			s->left->cover[unit - 1][s->flow->unit[unit - 1].outcomes
			    + t->block[i].block - 1] = value;
	}
	for (size_t i = 0; i < t->covers; i++) {
		uint32_t unit = store_unit(s, t, t->cover[i].unit);
		if (unit && t->cover[i].outcome < s->flow->unit[unit - 1].outcomes)
			s->left->cover[unit - 1][t->cover[i].outcome] = value;
	}
}

static void add_part(struct store *s, const struct ends *e, uint32_t unit, uint32_t block)
{
	const struct ends_unit *u = s->left->unit[unit];
	uint32_t lines, calls;

	ends_reached(e, u, block, &lines, &calls);
	for (uint32_t i = 0; i < lines; i++)
		passed_line(s, unit, u->first_line[block] + i, true);
}

void store_passed_add(struct store *s, const struct trace *t)
{
	const struct ends *e = ends_of(s, t);

	passed_run(s);
	if (e)
		mark(s, t, 1);
	for (size_t i = 0; i < t->blocks; i++) {
		uint32_t unit = store_unit(s, t, t->block[i].unit), block = t->block[i].block;
		if (!unit || !block || block > s->flow->unit[unit - 1].blocks)
			continue;
		if (!e || ends_passed(e, s->left->unit[unit - 1], s->left->cover[unit - 1], block))
			passed_block(s, unit - 1, block, true);
		else
			add_part(s, e, unit - 1, block);
	}
	if (e)
		mark(s, t, 0);
}

void store_left_free(struct left *l)
{
	for (size_t i = 0; l && i < l->units; i++) {
		ends_unit_free(l->unit[i]);
		free(l->cover[i]);
	}
	for (size_t i = 0; l && i < l->n; i++)
		ends_free(&l->at[i].ends);
	if (l) {
		free(l->unit);
		free(l->cover);
		free(l->at);
	}
	free(l);
}
