/* read: reads pairs(5) and goals(5) into arrays. */
#include <stdlib.h>
#include <string.h>

#include "lib/goals/goals.h"
#include "lib/protocol/checks.h"
#include "lib/table/table.h"
#include "lib/base/grow.h"

struct goals_reader {
	struct table *table;
	struct rec rec;
	bool failed;
};

static uint32_t number(const struct goals_reader *in, size_t i)
{
	return (uint32_t)strtoull(in->rec.field[i], NULL, 10);
}

static uint64_t key(const struct goals_reader *in, size_t i)
{
	return strtoull(in->rec.field[i], NULL, 16);
}

static char *text(struct goals_reader *in, size_t i)
{
	return copied(in->rec.field[i]);
}

/* The index of field i in `words`; the table has checked that it is one of them. */
static unsigned word(const struct goals_reader *in, size_t i, const char *const *words)
{
	unsigned k = 0;
	while (strcmp(in->rec.field[i], words[k]))
		k++;
	return k;
}

static bool check_kind(struct goals_reader *in, size_t i)
{
	const char *kind = in->rec.field[i];
	if (!strcmp(kind, "c") || !strcmp(kind, "p:true") || !strcmp(kind, "p:false")
	    || !strcmp(kind, "p:default") || (!strncmp(kind, "p:case ", 7) && kind[7]))
		return true;
	rec_fail(table_reader(in->table),
	    "kind is `%.40s`, expected c, p:true, p:false, p:case VALUE or p:default", kind);
	in->failed = true;
	return false;
}

static uint32_t outcome(const struct goals_reader *in, size_t kind)
{
	return strcmp(in->rec.field[kind], "c") ? number(in, kind + 1) : DEFUSE_C;
}

static bool next(struct goals_reader *in, size_t *tag, bool *first, enum rec_status *status)
{
	struct rec_reader *r = table_reader(in->table);
	if (in->failed)
		return false;
	*status = table_next(in->table, &in->rec, tag);
	if (*status == REC_OK && rec_first(r) && *first) {
		rec_fail(r, "a second stream, whose ids would begin at 1 again");
		in->failed = true;
	}
	*first |= *status == REC_OK;
	return *status == REC_OK && !in->failed;
}

static struct pairs_access access_of(struct goals_reader *in)
{
	static const char *const kinds[] = { "access", "library", "incoming", "argument",
		"result" };
	return (struct pairs_access){ .func = number(in, 2),
		.inst = number(in, 3),
		.kind = (enum defuse_kind)word(in, 4, kinds),
		.file = text(in, 5),
		.line = number(in, 6),
		.col = number(in, 7),
		.path = text(in, 8) };
}

static struct goals_unit unit_of(struct goals_reader *in)
{
	return (struct goals_unit){ key(in, 2), text(in, 3) };
}

static void take_pairs(struct goals_reader *in, struct pairs *p, size_t tag)
{
	switch (tag) {
	case 0: *PUSH(p->unit, p->units) = unit_of(in); break;
	case 1:
		*PUSH(p->func, p->funcs) =
		    (struct pairs_func){ number(in, 2), number(in, 3), text(in, 4) };
		break;
	case 2: *PUSH(p->def, p->defs) = access_of(in); break;
	case 3: *PUSH(p->use, p->uses) = access_of(in); break;
	default:
		if (check_kind(in, 4))
			*PUSH(p->pair, p->pairs) =
			    (struct pairs_pair){ number(in, 2), number(in, 3), outcome(in, 4),
				    key(in, 6), text(in, 4), text(in, 7) };
	}
}

static bool take_meta(struct goals_reader *in, struct defuse_options *o)
{
	struct rec_reader *r = table_reader(in->table);
	const char *criterion = rec_meta(r, "criterion"), *protocol = rec_meta(r, "protocol"),
	           *scope = rec_meta(r, "scope");
	const char *entry = rec_meta(r, "entry");
	if ((criterion && !defuse_set_criterion(o, criterion))
	    || (protocol && !defuse_set_protocol(o, protocol))
	    || (scope && !defuse_set_scope(o, scope))) {
		rec_fail(r, "unknown criterion, protocol or scope in #meta");
		return false;
	}
	o->alias.may_alias = rec_meta(r, "may-alias");
	o->alias.entry = entry ? copied(entry) : NULL;
	return true;
}

static char *message(struct goals_reader *in)
{
	return copied(rec_error(table_reader(in->table)));
}

struct pairs *pairs_read(FILE *f, const char *name, char **error)
{
	struct goals_reader in = { .table = table_open(f, name, "pairs", table_pairs) };
	struct pairs *p = zeroed(1, sizeof *p);
	enum rec_status status = REC_ERROR;
	bool first = false;
	size_t tag;
	while (next(&in, &tag, &first, &status))
		take_pairs(&in, p, tag);
	if (status == REC_END && !in.failed)
		in.failed = !take_meta(&in, &p->options);
	if (status != REC_END || in.failed) {
		*error = message(&in);
		pairs_free(p);
		p = NULL;
	}
	table_close(in.table);
	return p;
}

/* Numbers with commas between them. */
static bool read_list(struct goals_reader *in, const char *text, struct goals_outcome *o)
{
	char *end;
	for (const char *s = text;; s = end + 1) {
		*PUSH(o->list, o->n) = (uint32_t)strtoul(s, &end, 10);
		if (end == s || (*end && *end != ',')) {
			rec_fail(table_reader(in->table),
			    "`%.40s` is not a list of numbers separated by commas", text);
			return false;
		}
		if (!*end)
			return true;
	}
}

/* A goal without cut points. */
static void take_outcome(struct goals_reader *in, struct goals *g, enum goals_kind kind)
{
	struct goals_outcome o = { .kind = kind, .number = number(in, 1), .unit = number(in, 2) };
	if (kind == GOALS_OUTCOME) {
		o.branch = number(in, 3);
		o.outcome = number(in, 4);
	} else if (kind == GOALS_CONDITION) {
		o.inst = number(in, 3);
		o.what = check_find(in->rec.field[4]);
		if (!objective_is(o.what)) {
			rec_fail(table_reader(in->table), "`%.40s` is no kind of condition",
			    in->rec.field[4]);
			in->failed = true;
		}
	} else if (!read_list(in, in->rec.field[3], &o)) {
		in->failed = true;
	}
	*PUSH(g->outcome, g->outcomes) = o;
}

static void take_goals(struct goals_reader *in, struct goals *g, size_t tag)
{
	static const char *const force[] = { "must", "may" },
	                         *const roles[] = { "cut", "def", "use" };
	switch (tag) {
	case 0: *PUSH(g->unit, g->units) = unit_of(in); break;
	case 1: *PUSH(g->place, g->places) = text(in, 2); break;
	case 2:
		*PUSH(g->kill, g->kills) = (struct goals_kill){ number(in, 1), number(in, 2),
			number(in, 3), !word(in, 4, force) };
		break;
	case 3:
		*PUSH(g->point, g->points) = (struct goals_point){ number(in, 2), number(in, 3),
			number(in, 4), (enum defuse_role)word(in, 5, roles) };
		break;
	case 4:
		if (check_kind(in, 5))
			*PUSH(g->goal, g->goals) =
			    (struct goals_goal){ number(in, 2), number(in, 3), number(in, 4),
				    outcome(in, 5), key(in, 7), text(in, 5), text(in, 8) };
		break;
	default: take_outcome(in, g, (enum goals_kind)(tag - 5)); break;
	}
}

struct goals *goals_read(FILE *f, const char *name, char **error)
{
	struct goals_reader in = { .table = table_open(f, name, "goals", table_goals) };
	struct goals *g = zeroed(1, sizeof *g);
	enum rec_status status = REC_ERROR;
	bool first = false;
	size_t tag;
	while (next(&in, &tag, &first, &status))
		take_goals(&in, g, tag);
	if (status == REC_END && !in.failed)
		in.failed = !take_meta(&in, &g->options);
	if (status != REC_END || in.failed) {
		*error = message(&in);
		goals_free(g);
		g = NULL;
	}
	table_close(in.table);
	return g;
}

static void free_units(struct goals_unit *unit, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(unit[i].name);
	free(unit);
}

static void free_accesses(struct pairs_access *a, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(a[i].file);
		free(a[i].path);
	}
	free(a);
}

void pairs_free(struct pairs *p)
{
	if (!p)
		return;
	free_units(p->unit, p->units);
	free_accesses(p->def, p->defs);
	free_accesses(p->use, p->uses);
	for (size_t i = 0; i < p->funcs; i++)
		free(p->func[i].name);
	for (size_t i = 0; i < p->pairs; i++) {
		free(p->pair[i].kind);
		free(p->pair[i].name);
	}
	free(p->func);
	free(p->pair);
	free((char *)p->options.alias.entry);
	free(p);
}

void goals_drop_pairs(struct goals *g)
{
	for (size_t i = 0; i < g->goals; i++) {
		free(g->goal[i].kind);
		free(g->goal[i].name);
	}
	g->goals = 0;
}

void goals_free(struct goals *g)
{
	if (!g)
		return;
	free_units(g->unit, g->units);
	for (size_t i = 0; i < g->places; i++)
		free(g->place[i]);
	goals_drop_pairs(g);
	for (size_t i = 0; i < g->outcomes; i++)
		free(g->outcome[i].list);
	free((char *)g->options.alias.entry);
	free(g->place);
	free(g->kill);
	free(g->point);
	free(g->goal);
	free(g->outcome);
	free(g);
}
