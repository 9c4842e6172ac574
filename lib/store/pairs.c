/* pairs: the def-use pairs that a session watches, as rows. */
#include "lib/store/db.h"

#include <stdlib.h>
#include <string.h>

static const char *
file_of(const struct defuse *d, const struct defuse_access *a)
{
	const struct flow_unit *u = &d->flow->unit[a->unit];

	return a->pos.file ? u->file[a->pos.file - 1] : u->name;
}

/* What counts as a pair: verdicts under other rules are about something else. */
static void
rules(const struct defuse_options *o, char text[32])
{
	snprintf(text, 32, "%s %s", o->paper ? "paper" : "default", o->inter ? "inter" : "intra");
}

/* Rows of the functions that hold definitions, by number; 0: not yet asked for. */
static int
function_of(struct store *s, int64_t *rows, uint32_t number, int64_t *row)
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

/* Above that a person does not go through them one by one. */
enum { MANY = 100000 };

struct defuse_paths *
store_paths(const struct defuse *d)
{
	return d->pairs > MANY ? NULL : defuse_paths_new(d);
}

int
store_pair_row(struct store *s, const struct defuse *d, struct defuse_paths *paths, uint32_t i, int64_t function, int64_t *row)
{
	const struct defuse_pair *p = &d->pair[i];
	const struct defuse_access *def = &d->access[p->def], *use = &d->access[p->use];
	char kind[32], key[17], rule[32], *path = paths ? defuse_path(paths, i) : NULL;
	int rc;

	rules(&d->options, rule);
	snprintf(key, sizeof key, "%016llx", (unsigned long long)p->key);
	rc = store_get(s, row, 0, "INSERT INTO pair (function, rules, key, number, variable, kind, def_file, def_line,"
	               " def_col, use_file, use_line, use_col, path) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	               " ON CONFLICT DO UPDATE SET number = excluded.number, path = excluded.path RETURNING id",
	               "ittntttnntnnt", function, rule, key, (int)i + 1, p->name, defuse_kind_name(d, p, kind),
	               file_of(d, def), (int)def->pos.line, (int)def->pos.col, file_of(d, use), (int)use->pos.line,
	               (int)use->pos.col, path);
	free(path);
	return rc;
}

int
store_add_pairs(struct store *s)
{
	const struct defuse *d = s->defuse;
	struct known_set *k = &s->known[STORE_PAIRS];
	struct defuse_paths *paths;
	int64_t *rows, function;
	int rc = 0;

	if (!d)
		return 0;
	paths = store_paths(d);
	rows = calloc(alias_functions(d->alias) + 1, sizeof *rows);
	for (uint32_t i = 0; rows && !rc && i < d->pairs; i++) {
		known_add(k);
		rc = function_of(s, rows, d->access[d->pair[i].def].func, &function)
		     || store_pair_row(s, d, paths, i, function, &k->at[i].id) ? -1 : 0;
	}
	defuse_paths_free(paths);
	free(rows);
	return rows ? rc : store_fail(s, "out of memory");
}
