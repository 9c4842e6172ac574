/* channel: reads a trace from shared memory that the program under test may have corrupted.
 * Everything is copied before it is checked, since a surviving process could still write there. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/utf8.h"
#include "lib/protocol/op.h"
#include "lib/base/grow.h"
#include "lib/trace/arena.h"

struct channel_copy {
	const uint8_t *base;
	size_t mapped;
	struct channel head; /* a copy */
	struct trace *t;
	struct channel_var *var; /* copied areas */
	struct channel_unit *unit;
	char **error;
};

static int __attribute__((format(printf, 2, 3))) fail(struct channel_copy *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!*s->error) /* keep the first message */
		*s->error = formatted_list(fmt, ap);
	va_end(ap);
	return -1;
}

/* Copies the used part of an area; NULL after fail. The pointer for an empty area must not be
 * dereferenced. */
static void *copy_area(
    struct channel_copy *s, const char *name, const struct channel_area *a, size_t size, size_t *n)
{
	void *p;

	if (a->offset > s->mapped || a->used > s->mapped - a->offset || a->used > a->capacity) {
		fail(s, "%s area: %llu bytes do not fit", name, (unsigned long long)a->used);
		return NULL;
	}
	if (a->used % size) {
		fail(s, "%s area: %llu bytes are no whole records", name,
		    (unsigned long long)a->used);
		return NULL;
	}
	*n = a->used / size;
	p = arena_alloc(s->t, a->used + 1);
	memcpy(p, s->base + a->offset, a->used);
	return p;
}

static int copy_areas(struct channel_copy *s)
{
	struct trace *t = s->t;
	struct channel *h = &s->head;

	if (!(t->node = copy_area(s, "node", &h->node, sizeof *t->node, &t->nodes))
	    || !(s->var = copy_area(s, "variable", &h->var, sizeof *s->var, &t->vars))
	    || !(t->event = copy_area(s, "event", &h->event, sizeof *t->event, &t->events))
	    || !(t->address =
	             copy_area(s, "address", &h->address, sizeof *t->address, &t->addresses))
	    || !(s->unit = copy_area(s, "unit", &h->unit, sizeof *s->unit, &t->units))
	    || !(t->pair = copy_area(s, "pair", &h->pair, sizeof *t->pair, &t->pairs))
	    || !(t->blob = copy_area(s, "text", &h->blob, 1, &t->blob_size)))
		return -1;
	t->blob[t->blob_size] = 0; /* terminates any text in it */
	return 0;
}

/* The text at an offset of the blob; NULL when outside. */
static char *text_at(const struct channel_copy *s, uint64_t offset)
{
	return offset < s->t->blob_size ? (char *)s->t->blob + offset : NULL;
}

/* The same of text for people, which can have all that the program writes, such as what a terminal
 * would obey. */
static char *words_at(const struct channel_copy *s, uint64_t offset)
{
	char *words = text_at(s, offset);

	if (words)
		utf8_tidy(words);
	return words;
}

static void set_value(struct value *v, const uint8_t *bytes, unsigned width)
{
	unsigned i, n = (width + 7) / 8;

	v->lo = v->hi = 0;
	for (i = 0; i < n && i < 8; i++)
		v->lo |= (uint64_t)bytes[i] << 8 * i;
	for (; i < n && i < 16; i++)
		v->hi |= (uint64_t)bytes[i] << 8 * (i - 8);
}

static bool read_var(
    const struct channel_copy *s, const struct channel_var *from, struct trace_var *v)
{
	*v = (struct trace_var){ .name = text_at(s, from->name),
		.kind = from->kind,
		.width = from->width,
		.offset = from->offset };
	set_value(&v->value, from->value, v->width);
	return v->name && *v->name;
}

static int read_vars(struct channel_copy *s)
{
	struct trace *t = s->t;
	size_t i;

	t->var = arena_alloc(t, (t->vars + 1) * sizeof *t->var);
	for (i = 0; i < t->vars; i++)
		if (!read_var(s, &s->var[i], &t->var[i]))
			return fail(s, "variable %zu: no name", i + 1);
	return 0;
}

static int read_wrote(struct channel_copy *s)
{
	struct trace *t = s->t;
	const struct channel_var *from =
	    copy_area(s, "wrote", &s->head.wrote, sizeof *from, &t->wrotes);
	size_t i;

	if (!from)
		return -1;
	t->wrote = arena_alloc(t, (t->wrotes + 1) * sizeof *t->wrote);
	for (i = 0; i < t->wrotes; i++)
		if (!read_var(s, &from[i], &t->wrote[i]))
			return fail(s, "written variable %zu: no name", i + 1);
	return 0;
}

/* Sets the fields that an event kind does not use to 0. */
static void trim_events(struct trace *t)
{
	size_t i;

	for (i = 0; i < t->events; i++) {
		struct channel_event *e = &t->event[i];

		e->flags =
		    e->kind == EV_ASSUME_BRANCH || e->kind == EV_CHECK || e->kind == EV_RETURN
		    ? e->flags & 1
		    : 0;
		if (e->kind != EV_SWITCH && e->kind != EV_BOUNDS && e->kind != EV_CHECK
		    && e->kind != EV_EFFECT)
			e->y = 0;
		if (e->kind == EV_CALL || (e->kind == EV_RETURN && !e->flags))
			e->node = 0;
		if (e->kind == EV_CALL || (e->kind == EV_RETURN && !e->flags))
			e->x = 0;
		if (e->kind == EV_ASKED)
			e->node = 0;
		if (!t->units && !e->id)
			e->unit = 0;
	}
}

/* Sets the fields that an operation does not use to 0. */
static void trim_nodes(struct trace *t)
{
	size_t i;

	for (i = 0; i < t->nodes; i++) {
		struct channel_node *n = &t->node[i];
		int arity = n->op < OP_COUNT ? op_arity(n->op) : 3;

		n->reserved = 0;
		if (n->op == OP_TABLE || n->op == OP_STORE)
			n->value = 0;
		if (arity < 1 && n->op != OP_INPUT && n->op != OP_TABLE)
			n->a = 0;
		if (arity < 2 && n->op != OP_TABLE)
			n->b = 0;
		if (arity < 3 && n->op != OP_EXTRACT)
			n->c = 0;
	}
}

static size_t count_lost(const struct trace *t)
{
	size_t i, n = 0;

	for (i = 0; i < t->events; i++)
		n += t->event[i].kind == EV_LOST;
	return n;
}

static int read_lost(struct channel_copy *s)
{
	struct trace *t = s->t;
	size_t i, n = count_lost(t);

	t->lost = arena_alloc(t, (n + 1) * sizeof *t->lost);
	for (i = 0; i < t->events; i++) {
		struct channel_event *e = &t->event[i];
		struct trace_lost *l = &t->lost[t->losts];

		if (e->kind != EV_LOST)
			continue;
		if (!(l->reason = words_at(s, e->x)) || !*l->reason)
			return fail(s, "event %zu: no reason", i + 1);
		l->unit = e->unit;
		l->place = e->id;
		e->x = t->losts++;
		e->node = 0;
		e->y = 0;
	}
	return 0;
}

/* Splits "KIND NAME" in place. */
static bool split_limit(
    const struct channel_copy *s, const struct channel_event *e, struct trace_limit *l)
{
	char *blank;

	l->kind = words_at(s, e->y);
	l->value = e->x;
	if (!l->kind || !(blank = strchr(l->kind, ' ')) || blank == l->kind)
		return false;
	*blank = 0;
	l->name = blank + 1;
	return true;
}

/* Splits EV_LIMIT and EV_NEED events into lists. Rejects texts shared by two events, which would be
 * split twice. */
static int read_limits(struct channel_copy *s)
{
	struct trace *t = s->t;
	size_t n = 0;

	for (size_t i = 0; i < t->events; i++)
		n += t->event[i].kind == EV_LIMIT || t->event[i].kind == EV_NEED;
	t->limit = arena_alloc(t, (n + 1) * sizeof *t->limit);
	t->need = arena_alloc(t, (n + 1) * sizeof *t->need);
	for (size_t i = 0; n && i < t->events; i++) {
		struct channel_event *e = &t->event[i];

		if (e->kind != EV_LIMIT && e->kind != EV_NEED)
			continue;
		if (!split_limit(
		        s, e, e->kind == EV_LIMIT ? &t->limit[t->limits] : &t->need[t->needs]))
			return fail(s, "event %zu: no limit", i + 1);
		*e = (struct channel_event){ .kind = e->kind,
			.x = e->kind == EV_LIMIT ? t->limits++ : t->needs++ };
	}
	return 0;
}

/* Separates pairs from those that are only possible and from calls that are not followed, which
 * share an area. */
static int read_pairs(struct channel_copy *s)
{
	struct trace *t = s->t;
	size_t i, all = t->pairs;

	t->unpaired = arena_alloc(t, (all + 1) * sizeof *t->unpaired);
	t->possible = arena_alloc(t, (all + 1) * sizeof *t->possible);
	for (i = t->pairs = 0; i < all; i++) {
		struct channel_pair p = t->pair[i];
		struct trace_lost *l = &t->unpaired[t->unpaireds];

		if (p.use_kind == DUCT_PAIR_UNALIASED) {
			t->unaliased |= p.outcome & (UNALIASED_ALL | UNALIASED_READS);
			continue;
		}
		if (p.use_kind != DUCT_PAIR_LOST) {
			*(p.possible ? &t->possible[t->possibles++] : &t->pair[t->pairs++]) = p;
			continue;
		}
		if (p.use_unit >= t->units || !(l->reason = words_at(s, p.outcome)))
			return fail(s, "pair %zu: no reason", i + 1);
		l->unit = p.use_unit;
		l->place = p.use;
		t->unpaireds++;
	}
	return 0;
}

static int read_meets(struct channel_copy *s)
{
	struct trace *t = s->t;
	const struct channel_meet *meet;

	if (!(meet = copy_area(s, "meeting", &s->head.meet, sizeof *meet, &t->meets)))
		return -1;
	t->meet = arena_alloc(t, (t->meets + 1) * sizeof *t->meet);
	for (size_t i = 0; i < t->meets; i++) {
		t->meet[i] = (struct trace_meet){ meet[i].a, meet[i].b, meet[i].line, meet[i].col,
			text_at(s, meet[i].text), (enum channel_meet_kind)meet[i].kind };
		if (!t->meet[i].text)
			return fail(s, "meeting %zu: no text", i + 1);
	}
	t->flows = s->head.flows;
	t->control = t->flows ? s->head.flow_control : 0;
	t->risk = t->flows ? s->head.flow_risk : 0;
	t->learned = t->flows ? s->head.flow_learned : 0;
	return 0;
}

static size_t count_set(const uint8_t *p, size_t n)
{
	size_t i, k = 0;

	for (i = 0; i < n; i++)
		k += p[i] != 0;
	return k;
}

/* Appends the indices of nonzero bytes, at most max, to out. Skips zeros by words. */
static size_t list_set(
    const uint8_t *p, size_t n, uint32_t unit, uint32_t base, struct trace_cover *out, size_t max)
{
	size_t i = 0, k = 0;
	uint64_t w;

	while (i < n && k < max) {
		if (i + 8 <= n) {
			memcpy(&w, p + i, 8);
			if (!w) {
				i += 8;
				continue;
			}
		}
		if (p[i])
			out[k++] = (struct trace_cover){ unit, (uint32_t)i + base };
		i++;
	}
	return k;
}

static const uint8_t *unit_cover(struct channel_copy *s, size_t i)
{
	const struct channel_unit *u = &s->unit[i];
	const struct channel_area *a = &s->head.cover;
	uint64_t size = (uint64_t)u->outcomes + u->blocks;

	if (a->offset > s->mapped || a->capacity > s->mapped - a->offset || u->cover > a->capacity
	    || size > a->capacity - u->cover) {
		fail(s, "unit %zu: coverage does not fit", i + 1);
		return NULL;
	}
	return s->base + a->offset + u->cover;
}

/* struct trace_block is listed as trace_cover: both are a unit and a number. */
_Static_assert(sizeof(struct trace_block) == sizeof(struct trace_cover), "one layout");

static int read_cover(struct channel_copy *s)
{
	struct trace *t = s->t;
	size_t i, covers = 0, blocks = 0;
	const uint8_t *p;

	for (i = 0; i < t->units; i++) {
		const struct channel_unit *u = &s->unit[i];

		if (!(p = unit_cover(s, i)))
			return -1;
		if (u->flags & 1) /* library models have no objectives */
			continue;
		covers += count_set(p, u->outcomes);
		blocks += count_set(p + u->outcomes, u->blocks);
	}
	t->cover = arena_alloc(t, (covers + 1) * sizeof *t->cover);
	t->block = arena_alloc(t, (blocks + 1) * sizeof *t->block);
	for (i = 0; i < t->units; i++) {
		const struct channel_unit *u = &s->unit[i];

		if (u->flags & 1)
			continue;
		p = unit_cover(s, i);
		t->covers +=
		    list_set(p, u->outcomes, i, 0, t->cover + t->covers, covers - t->covers);
		t->blocks += list_set(p + u->outcomes, u->blocks, i, 1,
		    (struct trace_cover *)t->block + t->blocks, blocks - t->blocks);
	}
	return 0;
}

/* The unit whose coverage range contains an offset, by bisection. */
static size_t unit_at(const struct channel_copy *s, uint32_t cover)
{
	size_t low = 0, high = s->t->units;

	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (s->unit[mid].cover <= cover)
			low = mid;
		else
			high = mid;
	}
	return low;
}

static bool read_step(
    struct channel_copy *s, const struct channel_step *step, struct trace_step *to)
{
	bool inst = step->def & CHANNEL_STEP_INST;
	size_t u = step->def ? step->cover : unit_at(s, step->cover);
	uint64_t first;

	if (u >= s->t->units)
		return false;
	first = s->unit[u].cover + s->unit[u].outcomes;
	*to = (struct trace_step){ step->events, (uint32_t)u, 0, step->def & ~CHANNEL_STEP_INST,
		inst ? DUCT_PAIR_LIBRARY : DUCT_PAIR_RECORD };
	if (step->def)
		return to->def;
	to->block = (uint32_t)(step->cover - first) + 1;
	return step->cover >= first && step->cover - first < s->unit[u].blocks;
}

/* Reads the sequence of blocks up to the first invalid one; it only guides searches. */
static int read_way(struct channel_copy *s)
{
	struct trace *t = s->t;
	const struct channel_step *step;
	size_t i, n, last = 0;

	if (!(step = copy_area(s, "step", &s->head.step, sizeof *step, &n)))
		return -1;
	t->step = arena_alloc(t, (n + 1) * sizeof *t->step);
	for (i = 0; i < n && t->units; i++) {
		if (step[i].events < last || step[i].events > t->events
		    || !read_step(s, &step[i], &t->step[t->path]))
			break;
		last = step[i].events;
		t->path++;
	}
	return 0;
}

static int read_units(struct channel_copy *s)
{
	struct trace *t = s->t;
	size_t i;

	t->unit = arena_alloc(t, (t->units + 1) * sizeof *t->unit);
	for (i = 0; i < t->units; i++) {
		const struct channel_unit *u = &s->unit[i];

		t->unit[i] =
		    (struct trace_unit){ u->key, u->branches, u->outcomes, u->blocks, u->flags };
	}
	return 0;
}

/* Reads where and why the run ended; invalid values are dropped, they are not part of the path. */
static void read_fault(struct channel_copy *s)
{
	struct trace *t = s->t;
	const struct channel *h = &s->head;

	if (h->fault_unit < t->units && h->fault_id <= t->unit[h->fault_unit].blocks) {
		t->fault_unit = h->fault_unit;
		t->fault_block = h->fault_id;
		t->fault_inst = h->fault_at;
		t->left_unit = h->finished == CHANNEL_LEFT ? h->fault_unit : 0;
		t->left_block = h->finished == CHANNEL_LEFT ? h->fault_id : 0;
	}
	t->fault_line = h->fault_line;
	if (h->fault_message)
		t->fault_message = words_at(s, h->fault_message);
	if (h->fault_file)
		t->fault_file = text_at(s, h->fault_file);
	t->has_result = h->has_result == 1;
	t->result = t->has_result ? h->result : 0;
	t->steps = h->steps;
}

int trace_from_channel(const struct channel *c, size_t mapped, struct trace *t, char **error)
{
	struct channel_copy s = {
		.base = (const uint8_t *)c, .mapped = mapped, .t = t, .error = error
	};
	char buf[120];
	const char *why;

	memset(t, 0, sizeof *t);
	*error = NULL;
	if (mapped < sizeof s.head)
		return fail(&s, "mapping too small");
	memcpy(&s.head, c, sizeof s.head);
	if (copy_areas(&s) || read_units(&s) || read_vars(&s) || read_wrote(&s) || read_lost(&s)
	    || read_limits(&s) || read_pairs(&s) || read_meets(&s) || read_cover(&s)
	    || read_way(&s)) {
		trace_clear(t);
		return -1;
	}
	trim_nodes(t);
	trim_events(t);
	read_fault(&s);
	if ((why = trace_check(t, buf, sizeof buf))) {
		trace_clear(t);
		return fail(&s, "%s", why);
	}
	free(*error); /* errors in optional parts */
	*error = NULL;
	return 0;
}
