/* view_objectives: outcomes of conditions and pairs of a view, with the findings of all its
 * sessions. */
#include "lib/store/view.h"

#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The finding of a view about an objective. `open`: some strategy left it unknown. */
struct finding {
	enum store_verdict *verdict;
	char **evidence;
	uint64_t *hits;
	bool *open;
	struct verdict_scope *scope;
};

/* Of the rows of an objective so far: the program in which it is infeasible for all callers of its
 * function, 0: none; the program in which it was left open, 0: none, -1: several. */
struct verdict_scope {
	int64_t general, asked;
};

/* The columns that read_finding needs, behind those of the objective. */
#define FINDING \
	"verdict, runs, evidence, session.id, strategy, entry, narrowing, session.program, before"

/* Evidence of a session with the numbers of tests in the view, which begin at before + 1 for this
 * session. The caller frees it. */
static char *renumber(const char *evidence, int64_t before)
{
	const char *at = strstr(evidence, STORE_CLOSEST);
	char *end, *text;

	if (!at || !before)
		return copied(evidence);
	at += strlen(STORE_CLOSEST);
	unsigned long long number = strtoull(at, &end, 10);
	text = formatted(
	    "%.*s%llu%s", (int)(at - evidence), evidence, number + (unsigned long long)before, end);
	return text;
}

/* A session's findings about an objective: columns from `col` on are FINDING; column 1 is the
 * function. An answer holds for the question that it was given to, with all that the user stated
 * there, so what a session calls infeasible is unknown when another one left it open. But an entry
 * other than main about which nothing was stated may be called by anybody: what is infeasible there
 * is so for all questions about the same program. Exhaustion of a session's paths says nothing
 * about other callers of a function. */
static void read_finding(const struct store_view *v, struct finding have, sqlite3_stmt *st, int col)
{
	enum store_verdict verdict = store_verdict_find(store_string(st, col));
	const char *evidence = store_string(st, col + 2), *entry = store_string(st, col + 5);
	bool strategy = strcmp(store_string(st, col + 4), "cover");
	bool own = !strcmp(entry, store_string(st, 1)) && strcmp(entry, "main");
	bool narrow = v->all && !own && verdict == VERDICT_INFEASIBLE
	    && !strncmp(evidence, "exhaustion", strlen("exhaustion"));
	bool stated = *store_string(st, col + 6);
	int64_t program = sqlite3_column_int64(st, col + 7);
	struct verdict_scope *scope = have.scope;

	if (narrow)
		verdict = VERDICT_UNKNOWN;
	*have.hits += (uint64_t)sqlite3_column_int64(st, col + 1);
	if (strategy && verdict == VERDICT_UNKNOWN) {
		*have.open = true;
		scope->asked = scope->asked && scope->asked != program ? -1 : program;
	}
	bool general = verdict == VERDICT_INFEASIBLE && own && !stated
	    && (!scope->asked || scope->asked == program);
	if (*have.verdict == VERDICT_COVERED
	    || (verdict == VERDICT_INFEASIBLE && *have.open && !general)
	    || (*have.evidence && verdict == VERDICT_UNKNOWN && !strategy)
	    || (*have.verdict == VERDICT_INFEASIBLE && scope->general == program
	        && verdict != VERDICT_COVERED))
		return;
	scope->general = general ? program : 0;
	*have.verdict = verdict;
	free(*have.evidence);
	if (!v->all || !strategy || !evidence || !*evidence) {
		*have.evidence = copied(evidence ? evidence : "");
		return;
	}
	char *text = renumber(evidence, sqlite3_column_int64(st, col + 8));
	*have.evidence =
	    formatted("%s, session %lld: %s%s", entry, (long long)sqlite3_column_int64(st, col + 3),
	        narrow ? "not for its inputs, " : "", text);
	free(text);
}

/* Is it the first row of an objective? Objectives of functions that the suite lacks are left out.
 */
static bool is_new(
    const struct store_view *v, int64_t first, int64_t last, int64_t session, bool *told)
{
	if (first != last)
		*told = !v->folder || session == v->session;
	return first != last && *told;
}

static enum flow_side side_of(const char *name)
{
	for (int i = FLOW_TRUE; i < FLOW_DEFAULT; i++)
		if (!strcmp(name, store_side_name((enum flow_side)i)))
			return (enum flow_side)i;
	return FLOW_DEFAULT;
}

static int by_id(const void *a, const void *b)
{
	const struct place_of *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static void add_place(struct places *p, int64_t id, size_t at)
{
	*PUSH(p->at, p->n) = (struct place_of){ id, at };
}

static void sort_places(struct places *p)
{
	if (p->n)
		qsort(p->at, p->n, sizeof *p->at, by_id);
}

/* A kind of objectives. The SQL selects for each of each session its identity, the function, then
 * other columns; `add` makes the view's objective of them, `last` is the finding about that. */
struct objective_source {
	const char *sql;
	int own, finding; /* columns: the identity of it in the session; the first of FINDING */
	size_t (*add)(struct store_view *v, sqlite3_stmt *st); /* its index */
	struct finding (*last)(struct store_view *v);
};

/* Reads the objectives of a kind; the result has their indices in the view by the ids of their
 * rows. */
static struct places read_kind(
    struct store *s, struct store_view *v, const struct objective_source *kind)
{
	sqlite3_stmt *st = store_sql(s, kind->sql, "");
	struct places places = { 0 };
	struct verdict_scope scope = { 0 };
	bool told = false;
	size_t at = 0;

	for (int64_t last = 0; store_row(s, st); last = sqlite3_column_int64(st, 0)) {
		if (is_new(v, sqlite3_column_int64(st, 0), last,
		        sqlite3_column_int64(st, kind->finding + 3), &told)) {
			scope = (struct verdict_scope){ 0 };
			at = kind->add(v, st);
		}
		if (!told)
			continue;
		struct finding f = kind->last(v);
		f.scope = &scope;
		read_finding(v, f, st, kind->finding);
		add_place(&places, sqlite3_column_int64(st, kind->own), at);
	}
	sort_places(&places);
	return places;
}

static size_t add_objective(struct store_view *v, sqlite3_stmt *st)
{
	v->objective = grow_one(v->objective, v->objectives, sizeof *v->objective);
	v->objective[v->objectives] = (struct view_objective){ .id = sqlite3_column_int64(st, 0),
		.function = view_text(st, 1),
		.file = view_text(st, 2),
		.text = view_text(st, 3),
		.line = view_small(st, 4),
		.col = view_small(st, 5),
		.branch = view_small(st, 6),
		.outcome = view_small(st, 7),
		.ordinal = view_small(st, 8),
		.func_line = view_small(st, 9),
		.side = side_of(store_string(st, 10)),
		.value = sqlite3_column_int64(st, 11),
		.decision = view_small(st, 22),
		.next = sqlite3_column_int(st, 23) };
	return v->objectives++;
}

static struct finding last_objective(struct store_view *v)
{
	struct view_objective *o = &v->objective[v->objectives - 1];

	return (struct finding){ &o->verdict, &o->evidence, &o->hits, &o->open, NULL };
}

struct places view_objectives(struct store *s, struct store_view *v)
{
	static const struct objective_source kind = {
		"SELECT coalesce(first, goal), function.name, branch.file, condition,"
		" branch.line, col, branch.branch, outcome, number, function.line, side, branch.value, goal,"
		" " FINDING
		", decision, next FROM told CROSS JOIN objective ON objective.session = told.session AND kind = 'branch' JOIN session ON session.id = told.session"
		" LEFT JOIN same_branch ON same_branch.id = goal"
		" JOIN branch ON branch.id = coalesce(first, goal)"
		" JOIN function ON branch.function = function.id ORDER BY 1, objective.session",
		12, 13, add_objective, last_objective
	};

	return read_kind(s, v, &kind);
}

static size_t add_pair(struct store_view *v, sqlite3_stmt *st)
{
	*PUSH(v->pair, v->pairs) = (struct view_pair){ .id = sqlite3_column_int64(st, 0),
		.function = view_text(st, 1),
		.variable = view_text(st, 2),
		.kind = view_text(st, 3),
		.def_file = view_text(st, 4),
		.use_file = view_text(st, 5),
		.def_line = view_small(st, 6),
		.def_col = view_small(st, 7),
		.use_line = view_small(st, 8),
		.use_col = view_small(st, 9),
		.path = view_text_or_null(st, 20) };
	return v->pairs - 1;
}

static struct finding last_pair(struct store_view *v)
{
	struct view_pair *p = &v->pair[v->pairs - 1];

	return (struct finding){ &p->verdict, &p->evidence, &p->hits, &p->open, NULL };
}

struct places view_pairs(struct store *s, struct store_view *v)
{
	static const struct objective_source kind = {
		"SELECT coalesce(first, goal), function.name, variable, pair.kind, def_file, use_file,"
		" def_line, def_col, use_line, use_col, goal, " FINDING ", path"
		" FROM told CROSS JOIN objective AS o ON o.session = told.session AND o.kind = 'pair' JOIN session ON session.id = told.session"
		" LEFT JOIN same_pair ON same_pair.id = goal JOIN pair ON pair.id = coalesce(first, goal)"
		" JOIN function ON pair.function = function.id ORDER BY pair.number, 1, o.session",
		10, 11, add_pair, last_pair
	};

	return read_kind(s, v, &kind);
}

static int by_value(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Sorts them and leaves one of each. */
static size_t unique(size_t *list, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(list, n, sizeof *list, by_value);
	for (size_t i = 0; i < n; i++)
		if (!i || list[i] != list[i - 1])
			list[kept++] = list[i];
	return kept;
}

/* The places of ids in a JSON list, in its order; *all: no id is unknown. */
static size_t *listed(const struct places *places, const char *json, size_t *n, bool *all)
{
	size_t *list = NULL;
	char *end;

	*n = 0;
	*all = true;
	for (json += *json != 0; *json && *json != ']'; json = *end == ',' ? end + 1 : end) {
		struct place_of key = { strtoll(json, &end, 10), 0 }, *p = NULL;
		if (end == json) {
			*all = false;
			break;
		}
		if (places->n)
			p = bsearch(&key, places->at, places->n, sizeof *places->at, by_id);
		if (p)
			*PUSH(list, *n) = p->at;
		else
			*all = false;
	}
	return list;
}

size_t *view_listed(const struct places *places, const char *json, size_t *n)
{
	bool all, *seen;
	size_t kept = 0, most = 0, *list = listed(places, json, n, &all);

	for (size_t i = 0; i < *n; i++)
		most = list[i] > most ? list[i] : most;
	seen = zeroed(most + 1, sizeof *seen);
	for (size_t i = 0; i < *n; i++)
		if (!seen[list[i]]) {
			seen[list[i]] = true;
			list[kept++] = list[i];
		}
	free(seen);
	*n = kept;
	return list;
}

size_t *view_placed(const struct places *places, const char *json, size_t *n, bool *all)
{
	size_t *list = listed(places, json, n, all);

	*n = unique(list, *n);
	return list;
}
