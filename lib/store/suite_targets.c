#include "lib/store/suite_targets.h"
#include "lib/base/grow.h"
#include "lib/base/search.h"
#include "lib/protocol/criterion.h"

#include <stdlib.h>
#include <string.h>

static void add(struct suite_targets *t, uint32_t fact, bool is_place, int64_t number)
{
	*PUSH(t->at, t->n) = (struct suite_target){ fact, is_place, number };
}

/* ---- rows */

enum { TARGET, PLACE };

/* All fields that identify a row, as one text. */
static char *key_of(const char *kind, const char *name, const char *function, const char *file,
    uint32_t line, uint32_t col)
{
	return formatted("%zu:%s%zu:%s%zu:%s%s:%u:%u", strlen(kind), kind, strlen(name), name,
	    strlen(function), function, file, line, col);
}

/* The number of the row, 0 if there is none yet. Frees the key. */
static int64_t *number_at(struct suite_rows *r, int table, char *key)
{
	size_t n = r->key[table].n, i = texts_number(&r->key[table], key) - 1;

	free(key);
	if (i == n)
		*PUSH(r->number[table], n) = 0;
	return &r->number[table][i];
}

static int read_rows(struct store *s, struct suite_rows *r)
{
	static const char *const sql[] = {
		"SELECT number, criterion, name, function, file, line, col FROM target WHERE session = ?",
		"SELECT number, kind, '', function, file, line, col FROM place WHERE session = ?",
	};

	for (int table = TARGET; table <= PLACE && !r->read; table++) {
		sqlite3_stmt *st = store_sql(s, sql[table], "i", s->session);
		while (store_row(s, st)) {
			int64_t number = sqlite3_column_int64(st, 0);
			char *text[4];
			for (int i = 0; i < 4; i++)
				text[i] = copied(store_string(st, i + 1));
			*number_at(r, table,
			    key_of(text[0], text[1], text[2], text[3],
			        (uint32_t)sqlite3_column_int64(st, 5),
			        (uint32_t)sqlite3_column_int64(st, 6))) = number;
			r->last[table] = number > r->last[table] ? number : r->last[table];
			for (int i = 0; i < 4; i++)
				free(text[i]);
		}
		if (r->last[table] > INT64_C(1) << 53)
			return store_fail(s, "a row of a suite has an impossible number");
	}
	r->read = true;
	return s->error ? -1 : 0;
}

void suite_rows_free(struct suite_rows *r)
{
	for (int table = TARGET; table <= PLACE; table++) {
		texts_close(&r->key[table]);
		free(r->number[table]);
	}
}

/* The number of the row; *fresh: there was none. */
static int64_t number_of(struct suite_rows *r, int table, char *key, bool *fresh)
{
	int64_t *at = number_at(r, table, key);

	if ((*fresh = !*at))
		*at = ++r->last[table];
	return *at;
}

static int target_row(
    struct store *s, struct suite_rows *r, const struct target *t, int64_t *number)
{
	const struct flow_unit *u = &s->flow->unit[t->unit];
	const char *function = u->func[u->block_func[t->block - 1] - 1].name,
	           *file = t->pos.file ? u->file[t->pos.file - 1] : u->name;
	bool fresh;

	*number = number_of(r, TARGET,
	    key_of(
	        criterion_target(t->criterion), t->name, function, file, t->pos.line, t->pos.col),
	    &fresh);
	return fresh ? store_do(s, "INSERT INTO target VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, 0, 0)",
	                   "iittttnn", s->session, *number, criterion_target(t->criterion), t->name,
	                   function, file, (int)t->pos.line, (int)t->pos.col)
	             : 0;
}

static int place_row(struct store *s, struct suite_rows *r, const struct flow_unit *u,
    const struct flow_check *c, int64_t *number)
{
	const char *function = u->func[c->func - 1].name,
	           *file = c->pos.file ? u->file[c->pos.file - 1] : u->name;
	bool fresh;
	char *kind;
	int rc = 0;

	kind = formatted("%s %s", c->criterion, c->text);
	*number =
	    number_of(r, PLACE, key_of(kind, "", function, file, c->pos.line, c->pos.col), &fresh);
	if (fresh)
		rc = store_do(s, "INSERT INTO place VALUES (?, ?, ?, ?, ?, ?, ?, 'unknown', 0, 0)",
		    "iitttnn", s->session, *number, kind, function, file, (int)c->pos.line,
		    (int)c->pos.col);
	free(kind);
	return rc;
}

/* ---- targets of a unit */

/* Adds a target with the facts that show that a test reached it. */
static void add_target(
    struct suite_targets *to, const struct flow_unit *u, const struct target *t, int64_t number)
{
	if (t->end != END_COUNT) {
		add(to, store_fact(u, FACT_ABORTED, t->block - 1), false, number);
		return;
	}
	add(to, store_fact(u, FACT_PASSED, t->block - 1), false, number);
	add(to,
	    t->call ? store_fact(u, FACT_CALL, t->call - 1)
	            : store_fact(u, FACT_ENTERED, t->block - 1),
	    false, number);
}

static int add_places(
    struct store *s, struct suite_rows *r, uint32_t unit, const bool *mark, struct suite_targets *t)
{
	const struct flow_unit *u = &s->flow->unit[unit];
	int64_t number;
	int rc = 0;

	for (size_t i = 0; !rc && i < u->checks; i++) {
		const struct flow_check *c = &u->check[i];
		if (!c->criterion || !mark[c->func - 1])
			continue;
		rc = place_row(s, r, u, c, &number);
		add(t, store_fact(u, FACT_CHECK, i), true, number);
	}
	return rc;
}

static int by_fact(const void *a, const void *b)
{
	const struct suite_target *x = a, *y = b;

	return (x->fact > y->fact) - (x->fact < y->fact);
}

int suite_targets_add(struct store *s, struct suite_rows *rows, uint32_t unit, const bool *mark,
    uint32_t criteria, struct suite_targets *t)
{
	int64_t number;
	int rc = read_rows(s, rows);

	store_find_unit_targets(s, unit, mark,
	    (criteria & criteria_with(CRITERION_CALLS)) | criteria_with(CRITERION_ALWAYS));
	for (size_t i = 0; !rc && i < s->targets; i++) {
		rc = target_row(s, rows, &s->target[i], &number);
		add_target(t, &s->flow->unit[unit], &s->target[i], number);
	}
	store_targets_free(s);
	s->target = NULL;
	s->targets = 0;
	rc = rc || add_places(s, rows, unit, mark, t);
	if (t->n)
		qsort(t->at, t->n, sizeof *t->at, by_fact);
	return rc ? -1 : 0;
}

static int fact_order(const void *fact, const void *target)
{
	uint32_t f = *(const uint32_t *)fact, g = ((const struct suite_target *)target)->fact;

	return (f > g) - (f < g);
}

/* The index of the first target with a fact not less than the given one. */
static size_t find(const struct suite_targets *t, uint32_t fact)
{
	return lower_bound(&fact, t->at, t->n, sizeof *t->at, fact_order);
}

static int reach(struct store *s, const struct suite_target *t, int64_t number, bool *fresh)
{
	int rc = store_do(s,
	    t->is_place
	        ? "UPDATE place SET test = ?, verdict = 'found' WHERE session = ? AND number = ? AND NOT test"
	        : "UPDATE target SET test = ? WHERE session = ? AND number = ? AND NOT test",
	    "iii", number, s->session, t->number);

	*fresh |= !rc && sqlite3_changes(s->db) > 0;
	return rc
	    || store_do(s,
	        t->is_place ? "UPDATE place SET runs = runs + 1 WHERE session = ? AND number = ?"
	                    : "UPDATE target SET runs = runs + 1 WHERE session = ? AND number = ?",
	        "ii", s->session, t->number);
}

int suite_targets_reach(
    struct store *s, const struct suite_targets *t, uint32_t fact, int64_t number, bool *fresh)
{
	int rc = 0;

	for (size_t i = find(t, fact); !rc && i < t->n && t->at[i].fact == fact; i++)
		rc = reach(s, &t->at[i], number, fresh);
	return rc ? -1 : 0;
}

void suite_targets_free(struct suite_targets *t)
{
	free(t->at);
}
