/* proved: verdicts of proofs about objectives other than branches and pairs: conditions at
 * instructions, targets, and evaluations of decisions. */
#include "lib/store/db.h"
#include "lib/base/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The place of a condition; NULL: the session has none there. */
static struct check_place *place_of(const struct store *s, const struct store_goal *g)
{
	for (size_t i = 0; i < s->places; i++)
		if (s->place[i].unit == g->unit && g->n == 2
		    && s->place[i].check->inst == g->list[0]
		    && s->place[i].check->kind == g->list[1] && s->place[i].check->criterion)
			return &s->place[i];
	return NULL;
}

static bool has_blocks(const struct target *t, const struct store_goal *g)
{
	if (t->unit != g->unit || t->alsos + 1 != g->n || t->block != g->list[0])
		return false;
	for (size_t i = 0; i < t->alsos; i++)
		if (t->also[i] != g->list[i + 1])
			return false;
	return true;
}

bool store_goal_open(const struct store *s, const struct store_goal *g)
{
	const struct check_place *p;

	switch (g->kind) {
	case GOALS_CONDITION: p = place_of(s, g); return p && !p->runs && !p->proved;
	case GOALS_BLOCKS:
		for (size_t i = 0; i < s->targets; i++)
			if (has_blocks(&s->target[i], g) && !s->target[i].runs
			    && !s->target[i].proved)
				return true;
		return false;
	case GOALS_OUTCOME:
	case GOALS_EVALUATION: break;
	}
	for (size_t i = 0; i < g->n; i++)
		if (store_find(s, g->unit, g->list[i]) == SIZE_MAX)
			return false;
	return g->n > 0;
}

/* The verdict of a proof on a goal. */
struct finding {
	enum store_verdict verdict;
	const char *evidence;
};

static int write_proved(
    struct store *s, size_t place, size_t target, const char *outcomes, const struct finding *f)
{
	return store_do(s, "INSERT OR REPLACE INTO proved VALUES (?, ?, ?, ?, ?, ?)", "innttt",
	    s->session, (int)place, (int)target, outcomes,
	    f->verdict == VERDICT_INFEASIBLE ? "infeasible" : "unknown", f->evidence);
}

/* Rows of outcomes, as JSON; the caller frees it. */
static char *rows(const struct store *s, const struct store_goal *g)
{
	char *text;
	size_t size;
	FILE *f = text_stream(&text, &size);

	for (size_t i = 0; i < g->n; i++)
		fprintf(f, "%c%lld", i ? ',' : '[',
		    (long long)s->known[STORE_BRANCHES].at[store_find(s, g->unit, g->list[i])].id);
	fputs("]", f);
	fclose(f);
	return text;
}

static void rule_out(struct store *s, const struct store_goal *g)
{
	uint32_t *list = zeroed(g->n + 1, sizeof *list);

	for (size_t i = 0; i < g->n; i++)
		list[i] = (uint32_t)store_find(s, g->unit, g->list[i]);
	store_vectors_rule_out(s, list, g->n);
	free(list);
}

/* Records a verdict for all targets at the place; several criteria may have one there. */
static int judge_targets(struct store *s, const struct store_goal *g, const struct finding *f)
{
	int rc = 0;

	for (size_t i = 0; i < s->targets && !rc; i++) {
		if (!has_blocks(&s->target[i], g))
			continue;
		s->target[i].proved = f->verdict == VERDICT_INFEASIBLE;
		rc = write_proved(s, 0, i + 1, "", f);
	}
	return rc;
}

int store_goal_judge(
    struct store *s, const struct store_goal *g, enum store_verdict verdict, const char *evidence)
{
	const struct finding f = { verdict, evidence };
	struct check_place *p = g->kind == GOALS_CONDITION ? place_of(s, g) : NULL;
	char *outcomes;
	int rc;

	if (!store_goal_open(s, g)) {
		if (p && p->runs && verdict == VERDICT_INFEASIBLE)
			store_contradict_place(s, p);
		return 0;
	}
	if (p) {
		p->proved = verdict == VERDICT_INFEASIBLE;
		return write_proved(s, (size_t)(p - s->place) + 1, 0, "", &f);
	}
	if (g->kind == GOALS_BLOCKS)
		return judge_targets(s, g, &f);
	if (verdict == VERDICT_INFEASIBLE)
		rule_out(s, g);
	outcomes = rows(s, g);
	rc = write_proved(s, 0, 0, outcomes, &f);
	free(outcomes);
	return rc;
}

/* ---- proofs of earlier sessions of the same program and question */

/* SQL: pairs rows of this session with rows of another one that have the same fields, if these
 * fields are unique in both sessions. */
#define FIELDS(as, kind) \
	as "." kind " = old." kind " AND " as ".function = old.function AND " as \
	   ".file = old.file AND " as ".line = old.line AND " as ".col = old.col"
#define EARLIER \
	" JOIN session ON session.id = proved.session AND session.program = ?2 AND session.question" \
	" = ?3 AND session.id < ?1 AND proved.verdict = 'infeasible'"
#define ONLY(table, session, kind) \
	"(SELECT count(*) FROM " table " AS x WHERE x.session = " session \
	" AND " FIELDS("x", kind) ") = 1"
#define INHERIT(table, numbers, kind, also) \
	"INSERT OR IGNORE INTO proved SELECT ?1, " numbers ", '', 'infeasible', proved.evidence" \
	" FROM proved" EARLIER " JOIN " table " AS old ON old.session = proved.session AND" \
	" old.number = proved." table " JOIN " table \
	" AS new ON new.session = ?1 AND " FIELDS("new", kind) also \
	    " WHERE " ONLY(table, "?1", kind) " AND " ONLY(table, "old.session", kind)

static const char *const inherits[] = {
	INHERIT("place", "new.number, 0", "kind", ""),
	INHERIT("target", "0, new.number", "name", " AND new.criterion = old.criterion"),
	"INSERT OR IGNORE INTO proved SELECT ?1, 0, 0, outcomes, 'infeasible', evidence FROM proved" EARLIER
	" WHERE outcomes <> ''",
};

/* The objective of a row; SIZE_MAX: of none. */
static size_t objective_of(const struct store *s, long long row)
{
	for (size_t i = 0; i < s->known[STORE_BRANCHES].n; i++)
		if (s->known[STORE_BRANCHES].at[i].id == row)
			return i;
	return SIZE_MAX;
}

/* Adopts earlier proofs that rule out evaluations, given as lists of rows. */
static void inherit_evaluations(struct store *s)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT outcomes FROM proved WHERE session = ? AND verdict = 'infeasible' AND outcomes"
	    " <> ''",
	    "i", s->session);

	while (store_row(s, st)) {
		const char *at = store_string(st, 0);
		uint32_t *list = NULL;
		size_t n = 0;
		while (*at++ && *at && *at != ']') {
			size_t i = objective_of(s, strtoll(at, NULL, 10));
			if (i != SIZE_MAX)
				*PUSH(list, n) = (uint32_t)i;
			at += strcspn(at, ",]");
		}
		store_vectors_rule_out(s, list, n);
		free(list);
	}
}

int store_inherit_proved(struct store *s)
{
	sqlite3_stmt *st;

	if (store_write_places(s) || store_write_targets(s))
		return -1;
	for (size_t i = 0; i < sizeof inherits / sizeof *inherits; i++)
		if (store_do(s, inherits[i], "iii", s->session, s->program, s->question))
			return -1;
	st = store_sql(s,
	    "SELECT place, target FROM proved WHERE session = ? AND verdict = 'infeasible'", "i",
	    s->session);
	while (store_row(s, st)) {
		size_t place = (size_t)sqlite3_column_int64(st, 0),
		       target = (size_t)sqlite3_column_int64(st, 1);
		if (place && place <= s->places)
			s->place[place - 1].proved = true;
		if (target && target <= s->targets)
			s->target[target - 1].proved = true;
	}
	inherit_evaluations(s);
	return s->error ? -1 : 0;
}

/* Are all blocks of the target in one function, as goals require? */
static bool is_of_one(const struct flow_unit *u, const struct target *t)
{
	for (size_t i = 0; i < t->alsos; i++)
		if (u->block_func[t->also[i] - 1] != u->block_func[t->block - 1])
			return false;
	return true;
}

bool store_goal_target(const struct store *s, size_t i, struct store_goal *g, uint32_t **owned)
{
	const struct target *t;

	*owned = NULL;
	if (i >= s->targets)
		return false;
	t = &s->target[i];
	*g = (struct store_goal){ GOALS_BLOCKS, t->unit, NULL, t->alsos + 1 };
	if (t->runs || t->proved || !t->open || !is_of_one(&s->flow->unit[t->unit], t))
		return true;
	*owned = zeroed(g->n, sizeof **owned);
	(*owned)[0] = t->block;
	for (size_t k = 0; k < t->alsos; k++)
		(*owned)[k + 1] = t->also[k];
	g->list = *owned;
	return true;
}

/* ---- proofs of earlier sessions of other programs, to be checked again */

int store_keep_proof(struct store *s, const char *verdicts, size_t n)
{
	s->kept += n;
	return store_add_proof(s, verdicts);
}

char **store_earlier_proofs(struct store *s)
{
	sqlite3_stmt *st = store_sql(s,
	    "SELECT verdicts FROM proof JOIN session ON proof.session = session.id WHERE question ="
	    " (SELECT question FROM proof JOIN session ON proof.session = session.id WHERE entry ="
	    " (SELECT entry FROM session WHERE id = ?1) AND question <> ?2 AND session.id < ?1 ORDER BY session.id DESC LIMIT 1)"
	    " ORDER BY proof.session, proof.number",
	    "ii", s->session, s->question);
	char **list = NULL;
	size_t n = 0;

	while (store_row(s, st))
		*PUSH(list, n) = copied(store_string(st, 0));
	*PUSH(list, n) = NULL;
	return list;
}
