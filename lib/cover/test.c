/* Tests of a suite, from the records of their processes. A test is identified by its key; it has
 * one row of bits, in which each unit's outcomes have a range. */
#include "lib/cover/inner.h"
#include "lib/base/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 200 }; /* maximum length of a test's name in bytes */

static uint64_t hash(const char *s, uint64_t h)
{
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h;
}

static uint64_t key_of(const struct cover *c, const struct record_file *f)
{
	const struct record *r = f->r;
	const char *name = record_text(f, r->test);

	if (name)
		return hash(name, 1);
	switch (c->o->per) {
	case COVER_PROCESS: return r->id;
	case COVER_COMMAND: return hash(record_text(f, r->command), 2);
	case COVER_PROGRAM: return hash(record_text(f, r->program), 3);
	case COVER_TREE: break;
	}
	return r->root;
}

static struct test *cover_find_test(struct cover *c, uint64_t key)
{
	for (size_t i = c->tests; i-- > 0;)
		if (c->test[i].key == key)
			return &c->test[i];
	return NULL;
}

/* The name of a test, such as "make/test -x"; the program's path is relative to the folder. */
static char *name_of(const struct cover *c, const struct record_file *f)
{
	const struct record *r = f->r;
	const char *marked = record_text(f, r->test);
	const char *text =
	    marked ? marked : record_text(f, c->o->per == COVER_PROGRAM ? r->program : r->command);
	char *name = marked ? copied(text) : cover_tidy(c->o->folder, NULL, text);

	if (strlen(name) > NAME)
		strcpy(name + NAME - 3, "...");
	return name;
}

/* Appends a number to a name that is already in use. */
static char *distinct(const struct cover *c, const char *base)
{
	size_t same = 1;

	for (size_t i = 0; i < c->tests; i++)
		same += c->test[i].name && !strcmp(c->test[i].base, base);
	return same == 1 ? copied(base) : formatted("%s #%zu", base, same);
}

static struct test *get_test(struct cover *c, const struct record_file *f)
{
	uint64_t key = key_of(c, f);
	struct test *t = cover_find_test(c, key);

	if (t)
		return t;
	t = PUSH(c->test, c->tests);
	*t = (struct test){ .key = key, .began = UINT64_MAX };
	return t;
}

/* Sets a bit; returns whether it was clear. */
static bool set_bit(struct bit_set *b, size_t at)
{
	uint64_t mask = (uint64_t)1 << at % 64;

	while (b->words <= at / 64) {
		*PUSH(b->word, b->words) = 0;
	}
	if (b->word[at / 64] & mask)
		return false;
	b->word[at / 64] |= mask;
	return true;
}

static void take(struct test *t, const struct unit *u, uint32_t fact)
{
	if (!set_bit(&t->facts, u->first + fact))
		return;
	*PUSH(t->taken, t->n) = (struct store_taken){ u->key, fact };
}

static void take_part(struct test *t, const struct unit *u, const struct ends *e, uint32_t block)
{
	const struct ends_unit *m = u->ends;
	uint32_t lines, calls;

	take(t, u, u->fact[FACT_ENTERED] + block - 1);
	ends_reached(e, m, block, &lines, &calls);
	for (uint32_t i = 0; i < lines; i++)
		take(t, u, u->fact[FACT_LINE] + m->first_line[block] + i);
	for (uint32_t i = 0; i < calls; i++)
		take(t, u, u->fact[FACT_CALL] + m->first_call[block] + i);
}

/* Adds the facts of a unit that a process covered. */
static void take_unit(
    struct test *t, const struct unit *u, const struct ends *e, const uint8_t *cover)
{
	const struct ends_unit *m = u->ends;

	for (uint32_t k = 0; k < m->outcomes; k++)
		if (cover[k])
			take(t, u, k);
	for (uint32_t b = 1; b <= m->blocks; b++) {
		if (!cover[m->outcomes + b - 1])
			continue;
		if (ends_passed(e, m, cover, b))
			take(t, u, u->fact[FACT_PASSED] + b - 1);
		else
			take_part(t, u, e, b);
	}
}

/* The earliest process of a test determines its name and ending. */
static void note_first(const struct cover *c, struct test *t, const struct record_file *f)
{
	const struct record *r = f->r;

	if (r->began >= t->began)
		return;
	t->began = r->began;
	free(t->base);
	t->base = name_of(c, f);
	bool finished = r->end == RECORD_EXIT || r->end == RECORD_RETURN;
	t->t.ending = finished ? "exit" : r->end == RECORD_ABORT ? "abort" : "unknown";
	t->t.status = finished ? r->status & 255 : 0;
	t->t.failure = r->end == RECORD_ABORT;
}

struct recorded_process *cover_find_process(const struct cover *c, uint64_t id)
{
	for (size_t i = c->processes; i-- > 0;)
		if (c->process[i].id == id)
			return &c->process[i];
	return NULL;
}

static void note_process(struct cover *c, const struct test *t, const struct record_file *f)
{
	struct recorded_process *p = cover_find_process(c, f->r->id);

	if (!p) {
		p = PUSH(c->process, c->processes);
		*p = (struct recorded_process){ .id = f->r->id,
			.test = t->key,
			.program = cover_tidy(c->o->folder, NULL, record_text(f, f->r->program)) };
	}
	process_add(p, f);
}

/* Adds the pairs that the test was not yet known to cover. */
static void add_pairs(struct test *t, const int64_t *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!set_bit(&t->rows, (size_t)row[i]))
			continue;
		*PUSH(t->pair, t->pairs) = row[i];
	}
	t->changed |= n > 0;
}

/* Adds the objectives at instructions of a record. Are there pairs, too? */
static bool add_objectives(
    struct cover *c, struct test *t, const struct recorded_process *p, const struct record_file *f)
{
	const struct channel_pair *list;
	bool pairs = false;
	size_t n, k;

	list = record_pairs(f, &n);
	for (size_t i = 0; i < n; i++) {
		const struct unit *u = list[i].use_unit < p->keys
		    ? cover_find_unit(c, p->key[list[i].use_unit])
		    : NULL;
		pairs |= list[i].use_kind && list[i].use_kind != DUCT_PAIR_OBJECTIVE;
		if (list[i].use_kind == DUCT_PAIR_OBJECTIVE && u
		    && ends_find_check(u->ends, list[i].use, list[i].outcome, &k)) {
			take(t, u, u->fact[FACT_CHECK] + (uint32_t)k);
			t->changed = true;
		}
	}
	return pairs;
}

int cover_add_pairs(struct cover *c, const struct record_file *f, char **error)
{
	const struct recorded_process *p = cover_find_process(c, f->r->id);
	struct test *t = p ? cover_find_test(c, p->test) : NULL;
	int64_t *row;
	size_t n;

	if (!t || !add_objectives(c, t, p, f))
		return 0;
	if (cover_pairs_of(c, p, f, &row, &n))
		return cover_fail(error, "%s", store_error(c->store));
	add_pairs(t, row, n);
	free(row);
	return 0;
}

/* The unit of the call that ended the process. */
static const struct unit *last_unit(
    const struct cover *c, const struct recorded_process *p, const struct record *r)
{
	bool known = (r->end == RECORD_EXIT || r->end == RECORD_ABORT) && r->end_unit < p->keys;

	return known ? cover_find_unit(c, p->key[r->end_unit]) : NULL;
}

void cover_add_record(struct cover *c, const struct record_file *f, bool process)
{
	const struct channel_unit *u = record_units(f);
	const struct record *r = f->r;
	struct test *t = get_test(c, f);

	note_process(c, t, f);
	const struct unit *last = last_unit(c, cover_find_process(c, r->id), r);
	enum ends_how how = r->end == RECORD_RETURN ? ENDS_RETURN : last ? ENDS_CALL : ENDS_UNKNOWN;
	struct ends e = ends_new(
	    c->unit_ends, c->units, how, r->threads, last ? last->ends : NULL, r->end_block, 0);
	for (uint32_t i = 0; i < r->units; i++) {
		const struct unit *known = cover_find_unit(c, u[i].key);
		if (known && u[i].outcomes == known->ends->outcomes
		    && u[i].blocks == known->ends->blocks)
			take_unit(t, known, &e, record_cover(f, &u[i]));
	}
	if (last && r->end == RECORD_ABORT && r->end_block && r->end_block <= last->ends->blocks)
		take(t, last, last->fact[FACT_ABORTED] + r->end_block - 1);
	ends_free(&e);
	t->changed = true;
	note_first(c, t, f);
	c->counts.threads += f->r->threads;
	t->t.processes += process;
	c->counts.processes += process;
}

void cover_keep_waiting(struct cover *c, const char *path)
{
	struct record_file f;
	struct test *t;

	if (record_read(path, &f) && f.r->units && (t = cover_find_test(c, key_of(c, &f))))
		t->waits = true;
	record_free(&f);
}

int cover_write_tests(struct cover *c, bool last, char **error)
{
	for (size_t i = 0; i < c->tests; i++) {
		struct test *t = &c->test[i];
		if (!t->changed || (t->waits && !last))
			continue;
		if (!t->name)
			t->name = distinct(c, t->base);
		t->t.name = t->name;
		t->t.pair = t->pair;
		t->t.pairs = t->pairs;
		if (store_suite_test(c->store, &t->t, t->taken, t->n))
			return cover_fail(error, "%s", store_error(c->store));
		t->changed = false;
	}
	return 0;
}

void cover_free_tests(struct cover *c)
{
	for (size_t i = 0; i < c->tests; i++) {
		free(c->test[i].facts.word);
		free(c->test[i].rows.word);
		free(c->test[i].taken);
		free(c->test[i].pair);
		free(c->test[i].base);
		free(c->test[i].name);
	}
	for (size_t i = 0; i < c->processes; i++)
		process_free(&c->process[i]);
}
