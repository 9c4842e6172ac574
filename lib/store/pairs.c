/* pairs: the def-use pairs that a session watches, as rows. */
#include "lib/store/db.h"
#include "lib/base/clock.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

static const char *file_of(const struct defuse *d, const struct defuse_access *a)
{
	const struct flow_unit *u = &d->flow->unit[a->unit];

	return a->pos.file ? u->file[a->pos.file - 1] : u->name;
}

/* The text of the options that define which pairs there are: verdicts under other options do not
 * apply. */
static void rules(const struct defuse_options *o, char text[32])
{
	snprintf(text, 32, "%s %s", o->paper ? "paper" : "default", o->inter ? "inter" : "intra");
}

/* The rows of the functions that hold definitions, by number; 0: not yet looked up. */
static int function_of(struct store *s, int64_t *rows, uint32_t number, int64_t *row)
{
	uint32_t unit, id;
	bool fresh;

	if (!rows[number]) {
		alias_function_of(s->defuse->alias, number, &unit, &id);
		if (store_function_row(s, unit, id, &rows[number], &fresh))
			return -1;
	}
	*row = rows[number];
	return 0;
}

/* More watched pairs than this get rows only when something is known about them. */
enum { MANY = 100000 };
static const double PATHS_SECONDS =
    0.3; /* time limit for finding paths of a session's open pairs */

bool store_has_many(const struct store *s)
{
	return s->defuse && s->defuse->pairs > MANY && !s->by_definition;
}

struct defuse_paths *store_paths(const struct defuse *d)
{
	return d->pairs > MANY ? NULL : defuse_paths_new(d);
}

/* The columns of a pair's row, for all that inserts one. */
#define INSERT_PAIR \
	"INSERT INTO pair (function, rules, key, number, variable, kind, def_file, def_line," \
	" def_col, use_file, use_line, use_col, path) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

/* Has a function rows of pairs of these rules? */
static bool has_pairs(struct store *s, int64_t function, const char *rule)
{
	int64_t any = 0;

	store_get(s, &any, 0, "SELECT EXISTS (SELECT 1 FROM pair WHERE function = ? AND rules = ?)",
	    "it", function, rule);
	return any;
}

int store_pair_row(struct store *s, const struct defuse *d, struct defuse_paths *paths, uint32_t i,
    struct store_pair_turn *turn, int64_t *row)
{
	const struct defuse_pair *p = &d->pair[i];
	const struct defuse_access *def = &d->access[p->def], *use = &d->access[p->use];
	char kind[32], key[17], rule[32], *path = paths ? defuse_path(paths, i) : NULL;
	int rc;

	rules(&d->options, rule);
	if (turn->function != turn->before)
		turn->fresh = !has_pairs(s, turn->function, rule);
	turn->before = turn->function;
	snprintf(key, sizeof key, "%016llx", (unsigned long long)p->key);
	/* a plain INSERT takes half the time */
	rc = store_get(s, row, 0,
	    turn->fresh ? INSERT_PAIR
	                : INSERT_PAIR
	        " ON CONFLICT DO UPDATE SET number = excluded.number, path = coalesce(excluded.path, path) RETURNING id",
	    "ittntttnntnnt", turn->function, rule, key, (int)i + 1, p->name,
	    defuse_kind_name(d, p, kind), file_of(d, def), (int)def->pos.line, (int)def->pos.col,
	    file_of(d, use), (int)use->pos.line, (int)use->pos.col, path);
	if (turn->fresh)
		*row = sqlite3_last_insert_rowid(s->db);
	free(path);
	return rc;
}

static int pair_row(struct store *s, uint32_t i, struct store_pair_turn *turn)
{
	return function_of(s, s->function_row, s->defuse->access[s->defuse->pair[i].def].func,
	           &turn->function)
	        || store_pair_row(s, s->defuse, NULL, i, turn, &s->known[STORE_PAIRS].at[i].id)
	    ? -1
	    : 0;
}

/* An existing row, found by function and key. */
struct row_of {
	int64_t function, id;
	uint64_t key;
};

static int by_key(const void *a, const void *b)
{
	const struct row_of *x = a, *y = b;
	int of = (x->function > y->function) - (x->function < y->function);

	return of ? of : (x->key > y->key) - (x->key < y->key);
}

static struct row_of *known_rows(struct store *s, size_t *n)
{
	struct row_of *list = NULL;
	char rule[32];

	rules(&s->defuse->options, rule);
	sqlite3_stmt *st = store_sql(s,
	    "SELECT function, pair.id, key FROM pair JOIN function ON function.id = function"
	    " WHERE program = ? AND rules = ?",
	    "it", s->program, rule);
	for (*n = 0; store_row(s, st); ++*n) {
		list = grow_one(list, *n, sizeof *list);
		list[*n] = (struct row_of){ sqlite3_column_int64(st, 0),
			sqlite3_column_int64(st, 1), strtoull(store_string(st, 2), NULL, 16) };
	}
	if (*n)
		qsort(list, *n, sizeof *list, by_key);
	return list;
}

/* If there are very many pairs, only those about which something is known get rows; their number is
 * a figure of the session. */
static int find_rows(struct store *s)
{
	const struct defuse *d = s->defuse;
	size_t n;
	struct row_of *list = known_rows(s, &n), *at;
	int rc = 0;

	for (uint32_t i = 0; i < d->pairs && !rc; i++) {
		struct objective_state *k = &s->known[STORE_PAIRS].at[i];
		struct row_of key = { .key = d->pair[i].key };
		k->changed = k->dirty = false;
		if (!n)
			continue;
		rc = function_of(s, s->function_row, d->access[d->pair[i].def].func, &key.function);
		if (!rc && (at = bsearch(&key, list, n, sizeof *list, by_key)))
			k->id = at->id;
	}
	free(list);
	return rc || s->error ? -1
	                      : store_do(s, "INSERT INTO figure VALUES (?, 'pairs', ?)", "id",
	                            s->session, (double)d->pairs);
}

/* The session's findings, all unknown: rows that were made one after the other in one statement,
 * which takes a third of the time, others when they are written next. */
static int add_findings(struct store *s)
{
	struct known_set *k = &s->known[STORE_PAIRS];
	int64_t first = k->n ? k->at[0].id : 0;
	bool row = k->n > 0;

	for (size_t i = 0; i < k->n; i++)
		row &= k->at[i].id == first + (int64_t)i;
	for (size_t i = 0; i < k->n; i++)
		k->at[i].changed = k->at[i].dirty = !row;
	return row ? store_do(s,
	                 "INSERT INTO objective SELECT ?, 'pair', id, 'unknown', '', 0 FROM pair"
	                 " WHERE id BETWEEN ? AND ?",
	                 "iii", s->session, first, first + (int64_t)k->n - 1)
	           : 0;
}

int store_add_pairs(struct store *s)
{
	const struct defuse *d = s->defuse;
	struct store_pair_turn turn = { 0 };
	int rc = 0;

	if (!d)
		return 0;
	s->function_row = zeroed(alias_functions(d->alias) + 1, sizeof *s->function_row);
	for (uint32_t i = 0; i < d->pairs; i++)
		known_add(&s->known[STORE_PAIRS]);
	if (store_has_many(s))
		return find_rows(s);
	for (uint32_t i = 0; i < d->pairs && !rc; i++)
		rc = pair_row(s, i, &turn);
	return rc ? rc : add_findings(s);
}

/* Does its row have no path yet? */
static bool has_no_path(struct store *s, int64_t id)
{
	int64_t none = 0;

	store_get(s, &none, 0, "SELECT path IS NULL FROM pair WHERE id = ?", "i", id);
	return none;
}

/* Adds paths of pairs in the order of the program, until the time is over. */
static int add_paths(struct store *s, struct defuse_paths *paths, double end)
{
	const struct known_set *k = &s->known[STORE_PAIRS];
	int rc = 0;

	for (uint32_t i = 0; !rc && i < k->n && clock_now() < end; i++) {
		if (k->at[i].verdict == VERDICT_COVERED || !k->at[i].id
		    || !has_no_path(s, k->at[i].id))
			continue;
		char *path = defuse_path(paths, i);
		rc = store_do(s, "UPDATE pair SET path = ? WHERE id = ?", "ti", path ? path : "",
		    k->at[i].id);
		free(path);
	}
	return rc;
}

int store_add_paths(struct store *s)
{
	struct defuse_paths *paths = s->defuse ? store_paths(s->defuse) : NULL;
	int rc;

	if (!paths || s->error)
		return s->error ? -1 : 0;
	if (!(rc = store_do(s, "BEGIN IMMEDIATE", ""))) {
		rc = add_paths(s, paths, clock_now() + PATHS_SECONDS);
		rc = store_do(s, rc ? "ROLLBACK" : "COMMIT", "") || rc ? -1 : 0;
	}
	defuse_paths_free(paths);
	return rc;
}

int store_new_pairs(struct store *s)
{
	const struct known_set *k = &s->known[STORE_PAIRS];
	struct store_pair_turn turn = { 0 };

	for (size_t i = 0; i < k->n; i++)
		if (!k->at[i].id && (k->at[i].changed || k->at[i].dirty)
		    && pair_row(s, (uint32_t)i, &turn))
			return -1;
	return 0;
}

void store_forget_pairs(struct store *s)
{
	struct known_set *k = &s->known[STORE_PAIRS];
	int64_t last;

	if (!s->defuse)
		return;
	store_get(s, &last, 0, "SELECT max(id) FROM pair", "");
	for (size_t i = 0; i < k->n; i++)
		if (k->at[i].id > last)
			k->at[i].id = 0;
	memset(
	    s->function_row, 0, (alias_functions(s->defuse->alias) + 1) * sizeof *s->function_row);
}
