#include "lib/partition/partition.h"

#include <stdlib.h>
#include <string.h>

struct partition *partition_new(void)
{
	struct partition *p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	p->mask = 63;
	if (!(p->slot = calloc(p->mask + 1, sizeof *p->slot))) {
		free(p);
		return NULL;
	}
	return p;
}

void partition_free(struct partition *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->inputs; i++)
		free(p->input[i].name);
	for (size_t i = 0; i < p->merges; i++)
		free(p->merge[i].text);
	for (size_t i = 0; i < p->edges; i++)
		free(p->edge[i].text);
	free(p->input);
	free(p->merge);
	free(p->edge);
	free(p->edge_slot);
	free(p->unite);
	free(p->slot);
	free(p);
}

static uint64_t hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * 0x100000001b3u;
	return h ^ h >> 32;
}

static uint32_t *slot_of(const struct partition *p, const char *name)
{
	size_t i = hash(name) & p->mask;
	while (p->slot[i] && strcmp(p->input[p->slot[i] - 1].name, name))
		i = (i + 1) & p->mask;
	return &p->slot[i];
}

uint32_t partition_find(const struct partition *p, const char *name)
{
	return *slot_of(p, name);
}

uint32_t partition_class(const struct partition *p, uint32_t input)
{
	while (p->input[input - 1].parent != input)
		input = p->input[input - 1].parent =
		    p->input[p->input[input - 1].parent - 1].parent;
	return input;
}

uint32_t partition_block(const struct partition *p, uint32_t input)
{
	return p->input[input - 1].block;
}

uint32_t partition_guard(const struct partition *p, uint32_t block)
{
	return p->input[block - 1].guard;
}

uint32_t partition_next(const struct partition *p, uint32_t input)
{
	return p->input[input - 1].next;
}

uint32_t partition_size(const struct partition *p, uint32_t block)
{
	return p->input[block - 1].size;
}

size_t partition_blocks(const struct partition *p)
{
	size_t n = 0;
	for (uint32_t i = 1; i <= p->inputs; i++)
		n += p->input[i - 1].block == i;
	return n;
}

static bool more_slots(struct partition *p)
{
	uint32_t *slot = calloc(2 * p->mask + 2, sizeof *slot);
	if (!slot)
		return false;
	free(p->slot);
	p->slot = slot;
	p->mask = 2 * p->mask + 1;
	for (uint32_t i = 1; i <= p->inputs; i++)
		*slot_of(p, p->input[i - 1].name) = i;
	return true;
}

/* Grows an array of n elements for one more; the capacity is a power of two. */
static bool grow(void *list, size_t n, size_t size)
{
	void **p = list, *to;
	if (n & (n - 1))
		return true;
	if (!(to = realloc(*p, (n ? 2 * n : 1) * size)))
		return false;
	*p = to;
	return true;
}

/* Adds a block with one input. Returns its number; 0: out of memory. */
static uint32_t add_input(struct partition *p, const char *name)
{
	uint32_t known = partition_find(p, name), number = (uint32_t)p->inputs + 1;
	char *copy;
	if (known)
		return known;
	if (2 * number > p->mask && !more_slots(p))
		return 0;
	if (!grow(&p->input, p->inputs, sizeof *p->input) || !(copy = strdup(name)))
		return 0;
	p->input[p->inputs++] = (struct partition_input){ .name = copy, .parent = number };
	*slot_of(p, name) = number;
	p->changes++;
	return number;
}

/* Unites the classes of a and b; the lesser input represents them. */
static void join(struct partition *p, uint32_t a, uint32_t b)
{
	p->input[a < b ? b - 1 : a - 1].parent = a < b ? a : b;
	p->changes++;
}

/* Is this violation already recorded? */
static bool is_told(const struct partition *p, const struct partition_merge *m)
{
	for (size_t i = 0; i < p->merges; i++) {
		const struct partition_merge *x = &p->merge[i];
		if (x->block == m->block && x->with == m->with && x->line == m->line
		    && x->col == m->col && !strcmp(x->text, m->text))
			return true;
	}
	return false;
}

static bool meet(
    struct partition *p, uint32_t a, uint32_t b, uint32_t line, uint32_t col, const char *text)
{
	uint32_t x = partition_class(p, a), y = partition_class(p, b);
	struct partition_merge m = { x < y ? x : y, x < y ? y : x, a, b, line, col, (char *)text };
	bool kept = p->keep && p->input[x - 1].given && p->input[y - 1].given;
	if (x == y || (kept && is_told(p, &m)))
		return true;
	if (!grow(&p->merge, p->merges, sizeof *p->merge) || !(m.text = strdup(text)))
		return false;
	p->merge[p->merges++] = m;
	p->changes++;
	if (!kept)
		join(p, x, y);
	if (!kept && (p->input[x - 1].given || p->input[y - 1].given))
		p->input[m.block - 1].given = true;
	return true;
}

static uint64_t *edge_slot(const struct partition *p, uint64_t edge)
{
	size_t i = (edge * 0x9e3779b97f4a7c15u >> 32) & p->edge_mask;
	while (p->edge_slot[i] && p->edge_slot[i] != edge)
		i = (i + 1) & p->edge_mask;
	return &p->edge_slot[i];
}

static bool more_edge_slots(struct partition *p)
{
	size_t old = p->edge_slot ? p->edge_mask + 1 : 0, now = old ? 2 * old : 256;
	uint64_t *was = p->edge_slot, *slot = calloc(now, sizeof *slot);
	if (!slot)
		return false;
	p->edge_slot = slot;
	p->edge_mask = now - 1;
	for (size_t i = 0; i < old; i++)
		if (was[i])
			*edge_slot(p, was[i]) = was[i];
	free(was);
	return true;
}

/* Input a guards b. */
static bool guard(
    struct partition *p, uint32_t a, uint32_t b, uint32_t line, uint32_t col, const char *text)
{
	uint64_t edge = (uint64_t)a << 32 | b;
	char *copy;
	if (!p->share)
		return meet(p, a, b, line, col, text);
	if (2 * p->edges >= p->edge_mask && !more_edge_slots(p))
		return false;
	if (*edge_slot(p, edge))
		return true;
	if (!grow(&p->edge, p->edges, sizeof *p->edge) || !(copy = strdup(text)))
		return false;
	*edge_slot(p, edge) = edge;
	p->edge[p->edges++] = (struct partition_merge){ 0, 0, a, b, line, col, copy };
	p->changes++;
	return true;
}

static bool learn_meet(struct partition *p, const struct trace_meet *m, const uint32_t *number)
{
	uint32_t a = number[m->a - 1], b = number[m->b - 1];
	if (!a || !b || m->kind == MEET_DECIDES)
		return true;
	return (m->kind == MEET_GUARD ? guard : meet)(p, a, b, m->line, m->col, m->text);
}

bool partition_learn(struct partition *p, const struct trace *t)
{
	uint64_t before = p->changes;
	uint32_t *number = calloc(t->vars + 1, sizeof *number);
	bool ok = number != NULL;
	const char *why = NULL;
	for (size_t i = 0; ok && i < t->vars; i++)
		/* o: created by the run itself, not an input */
		if (t->var[i].kind != 'o'
		    && (ok = (number[i] = add_input(p, t->var[i].name)) != 0)) {
			p->input[number[i] - 1].kind = t->var[i].kind;
			p->input[number[i] - 1].width = t->var[i].width;
		}
	for (size_t i = 0; ok && i < t->meets; i++) {
		if (t->meet[i].a)
			ok = learn_meet(p, &t->meet[i], number);
		else
			why = t->meet[i].text;
	}
	if (!t->flows)
		why = "the program was not built with --flows";
	p->unfollowed |= why != NULL;
	for (uint32_t i = 2; ok && p->unfollowed && i <= p->inputs; i++)
		ok = meet(p, 1, i, 0, 0, why ? why : "not followed before");
	free(number);
	p->settled = p->settled && p->changes == before;
	return ok;
}

/* ---- reading initial blocks */

struct reader {
	struct partition *p;
	struct rec_reader *r;
	uint32_t *first;
	size_t blocks;
};

static bool read_input(struct reader *d, const struct rec *rec)
{
	uint64_t block;
	uint32_t number;
	if (!rec_want(d->r, rec, 3, 3) || !rec_u64(d->r, rec, 1, "block", 1, d->blocks, &block))
		return false;
	if (!rec->len[2] || strlen(rec->field[2]) != rec->len[2]
	    || partition_find(d->p, rec->field[2]))
		return rec_fail(d->r, "`%.60s` is no input, or is in two blocks", rec->field[2])
		    == REC_OK;
	if (!(number = add_input(d->p, rec->field[2])))
		return rec_fail(d->r, "out of memory") == REC_OK;
	if (d->first[block - 1])
		join(d->p, partition_class(d->p, d->first[block - 1]), number);
	else
		d->first[block - 1] = number;
	d->p->input[number - 1].given = true;
	return true;
}

/* Replays a merge record, so that the output of partition(1) can be read again. */
static bool read_merge(struct reader *d, const struct rec *rec)
{
	uint64_t a, b;
	if (!rec_want(d->r, rec, 7, 7) || !rec_u64(d->r, rec, 1, "block", 1, d->blocks, &a)
	    || !rec_u64(d->r, rec, 2, "block", 1, d->blocks, &b))
		return false;
	if (!d->first[a - 1] || !d->first[b - 1])
		return rec_fail(d->r, "a block without inputs") == REC_OK;
	a = partition_class(d->p, d->first[a - 1]);
	b = partition_class(d->p, d->first[b - 1]);
	if (a != b)
		join(d->p, (uint32_t)a, (uint32_t)b);
	return true;
}

static bool read_record(struct reader *d, const struct rec *rec)
{
	uint64_t id;
	if (!strcmp(rec->field[0], "input"))
		return read_input(d, rec);
	if (!strcmp(rec->field[0], "merge"))
		return read_merge(d, rec);
	if (strcmp(rec->field[0], "block"))
		return true; /* ignore unknown tags */
	if (!rec_want(d->r, rec, 2, 2)
	    || !rec_u64(d->r, rec, 1, "block", d->blocks + 1, d->blocks + 1, &id))
		return false;
	if (!grow(&d->first, d->blocks, sizeof *d->first))
		return rec_fail(d->r, "out of memory") == REC_OK;
	d->first[d->blocks++] = 0;
	return true;
}

bool partition_read(struct partition *p, FILE *f, const char *name, char **error)
{
	struct reader d = { .p = p, .r = rec_open(f, name, "blocks", NULL) };
	enum rec_status status = REC_ERROR;
	struct rec rec;
	while (d.r && (status = rec_next(d.r, &rec)) == REC_OK)
		if (!read_record(&d, &rec)) {
			status = REC_ERROR;
			break;
		}
	*error = d.r && status == REC_ERROR ? strdup(rec_error(d.r)) : NULL;
	rec_close(d.r);
	free(d.first);
	p->settled = false;
	return status == REC_END;
}
