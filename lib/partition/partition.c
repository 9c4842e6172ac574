#include "lib/partition/partition.h"

#include "lib/base/grow.h"
#include "lib/protocol/op.h"

#include <stdlib.h>
#include <string.h>

struct partition *partition_new(void)
{
	return zeroed(1, sizeof(struct partition));
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
	map_close(&p->edge_at);
	free(p->unite);
	map_close(&p->by_name);
	free(p);
}

static uint64_t hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * 0x100000001b3u;
	return h ? h : 1;
}

uint32_t partition_find(const struct partition *p, const char *name)
{
	uint32_t i = map_get(&p->by_name, hash(name));
	while (i && strcmp(p->input[i - 1].name, name))
		i = p->input[i - 1].same;
	return i;
}

uint32_t partition_class(const struct partition *p, uint32_t input)
{
	while (p->input[input - 1].parent != input)
		input = p->input[input - 1].parent =
		    p->input[p->input[input - 1].parent - 1].parent;
	return input;
}

size_t partition_class_size(const struct partition *p, uint32_t class)
{
	size_t n = 0;
	for (uint32_t i = 1; i <= p->inputs; i++)
		n += partition_class(p, i) == class;
	return n;
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

/* Adds a block with one input. Returns its number. */
static uint32_t add_input(struct partition *p, const char *name)
{
	uint32_t known = partition_find(p, name), number = (uint32_t)p->inputs + 1;
	uint32_t *first;
	bool fresh;
	if (known)
		return known;
	first = map_at(&p->by_name, hash(name), &fresh);
	*PUSH(p->input, p->inputs) =
	    (struct partition_input){ .name = copied(name), .parent = number, .same = *first };
	*first = number;
	p->changes++;
	return number;
}

/* Unites the classes of a and b; the lesser input represents them. */
static void join(struct partition *p, uint32_t a, uint32_t b)
{
	p->input[a < b ? b - 1 : a - 1].parent = a < b ? a : b;
	p->changes++;
}

void partition_unite(struct partition *p, const char *const *name, size_t names)
{
	uint64_t before = p->changes;
	uint32_t first = names ? add_input(p, name[0]) : 0;
	for (size_t i = 1; i < names; i++) {
		uint32_t a = partition_class(p, first),
		         b = partition_class(p, add_input(p, name[i]));
		if (a != b)
			join(p, a, b);
	}
	p->settled = p->settled && p->changes == before;
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

static void meet(
    struct partition *p, uint32_t a, uint32_t b, uint32_t line, uint32_t col, const char *text)
{
	uint32_t x = partition_class(p, a), y = partition_class(p, b);
	struct partition_merge m = { x < y ? x : y, x < y ? y : x, a, b, line, col, (char *)text };
	bool kept = p->keep && p->input[x - 1].given && p->input[y - 1].given;
	if (x == y || (kept && is_told(p, &m)))
		return;
	m.text = copied(text);
	*PUSH(p->merge, p->merges) = m;
	p->changes++;
	if (!kept)
		join(p, x, y);
	if (!kept && (p->input[x - 1].given || p->input[y - 1].given))
		p->input[m.block - 1].given = true;
}

/* Input a guards b. */
static void guard(
    struct partition *p, uint32_t a, uint32_t b, uint32_t line, uint32_t col, const char *text)
{
	uint64_t edge = (uint64_t)a << 32 | b;
	bool fresh;
	if (!p->share) {
		meet(p, a, b, line, col, text);
		return;
	}
	map_at(&p->edge_at, edge, &fresh);
	if (!fresh)
		return;
	*PUSH(p->edge, p->edges) = (struct partition_merge){ 0, 0, a, b, line, col, copied(text) };
	p->changes++;
}

static void learn_meet(struct partition *p, const struct trace_meet *m, const uint32_t *number)
{
	uint32_t a = number[m->a - 1], b = number[m->b - 1];
	if (!a || !b || m->kind == MEET_DECIDES)
		return;
	(m->kind == MEET_GUARD ? guard : meet)(p, a, b, m->line, m->col, m->text);
}

/* The inputs of an expression meet input a. Operands come before what is made of them. */
static void meet_inputs(
    struct partition *p, const struct trace *t, uint32_t node, const uint32_t *number, uint32_t a)
{
	bool *used = zeroed(node + 1, sizeof *used);

	used[node] = true;
	for (uint32_t i = node; i; i--) {
		const struct channel_node *n = &t->node[i - 1];
		uint32_t operand[3] = { n->a, n->b, n->c };
		if (!used[i])
			continue;
		if (n->op == OP_INPUT && number[n->a])
			meet(p, a, number[n->a], 0, 0, "a run ended by what its caller passed");
		for (int k = 0; k < op_arity((enum op)n->op); k++)
			used[operand[k]] = true;
	}
	free(used);
}

/* The run ended by what its caller passed, in the scope of a decision: what the last condition is
 * about interacts with what decides whether control comes there. */
static void learn_need(struct partition *p, const struct trace *t, const uint32_t *number)
{
	uint32_t last = 0;

	for (size_t i = 0; i < t->events; i++)
		last = t->event[i].kind == EV_MODEL && t->event[i].node ? t->event[i].node : last;
	meet_inputs(p, t, last, number, number[t->control - 1]);
}

void partition_learn(struct partition *p, const struct trace *t)
{
	uint64_t before = p->changes;
	uint32_t *number = zeroed(t->vars, sizeof *number);
	const char *why = NULL;
	for (size_t i = 0; i < t->vars; i++)
		if (t->var[i].kind != 'o') { /* o: created by the run itself, not an input */
			number[i] = add_input(p, t->var[i].name);
			p->input[number[i] - 1].kind = t->var[i].kind;
			p->input[number[i] - 1].width = t->var[i].width;
		}
	for (size_t i = 0; i < t->meets; i++) {
		if (t->meet[i].a)
			learn_meet(p, &t->meet[i], number);
		else
			why = t->meet[i].text;
	}
	if (t->end == END_NEED && t->control && number[t->control - 1])
		learn_need(p, t, number);
	if (!t->flows)
		why = "the program was not built with --flows";
	p->unfollowed |= why != NULL;
	for (uint32_t i = 2; p->unfollowed && i <= p->inputs; i++)
		meet(p, 1, i, 0, 0, why ? why : "not followed before");
	free(number);
	p->settled = p->settled && p->changes == before;
}

/* ---- reading initial blocks */

struct partition_reader {
	struct partition *p;
	struct rec_reader *r;
	uint32_t *first;
	size_t blocks;
};

static bool read_input(struct partition_reader *d, const struct rec *rec)
{
	uint64_t block;
	uint32_t number;
	if (!rec_want(d->r, rec, 3, 3) || !rec_u64(d->r, rec, 1, "block", 1, d->blocks, &block))
		return false;
	if (!rec->len[2] || strlen(rec->field[2]) != rec->len[2]
	    || partition_find(d->p, rec->field[2]))
		return rec_fail(d->r, "`%.60s` is no input, or is in two blocks", rec->field[2])
		    == REC_OK;
	number = add_input(d->p, rec->field[2]);
	if (d->first[block - 1])
		join(d->p, partition_class(d->p, d->first[block - 1]), number);
	else
		d->first[block - 1] = number;
	d->p->input[number - 1].given = true;
	return true;
}

/* Replays a merge record, so that the output of partition(1) can be read again. */
static bool read_merge(struct partition_reader *d, const struct rec *rec)
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

static bool read_record(struct partition_reader *d, const struct rec *rec)
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
	(void)PUSH(d->first, d->blocks);
	return true;
}

bool partition_read(struct partition *p, FILE *f, const char *name, char **error)
{
	struct partition_reader d = { .p = p, .r = rec_open(f, name, "blocks", NULL) };
	enum rec_status status = REC_ERROR;
	struct rec rec;
	while (d.r && (status = rec_next(d.r, &rec)) == REC_OK)
		if (!read_record(&d, &rec)) {
			status = REC_ERROR;
			break;
		}
	*error = d.r && status == REC_ERROR ? copied(rec_error(d.r)) : NULL;
	rec_close(d.r);
	free(d.first);
	p->settled = false;
	return status == REC_END;
}
