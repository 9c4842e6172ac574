/* write: writes the additions since the last batch in one short transaction. */
#include "lib/store/db.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

const char *store_verdict_name(enum store_verdict v)
{
	return v == VERDICT_COVERED   ? "covered"
	    : v == VERDICT_INFEASIBLE ? "infeasible"
	                              : "unknown";
}

enum store_verdict store_verdict_find(const char *name)
{
	return !strcmp(name, "covered")   ? VERDICT_COVERED
	    : !strcmp(name, "infeasible") ? VERDICT_INFEASIBLE
	                                  : VERDICT_UNKNOWN;
}

const char *store_side_name(enum flow_side side)
{
	static const char *const names[] = { "true", "false", "case", "default" };

	return names[side];
}

static int write_executions(struct store *s)
{
	for (size_t i = 0; i < s->executions; i++) {
		const struct execution *e = &s->execution[i];
		if (store_do(s, "INSERT INTO execution VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		        "iuuuttudn", s->session, s->written_runs + i + 1, e->run, e->parent,
		        e->origin, trace_end_name(e->end), e->steps, 1e-6 * (double)e->cpu_us,
		        (int)e->mispredicted))
			return -1;
	}
	return 0;
}

/* The ids of the objectives that a test covers, as JSON. */
static char *covers_text(const struct known_set *k, const struct covers *c)
{
	char *text = reserved(21 * c->n + 3, 1), *to = text;

	*to++ = '[';
	for (size_t i = 0; i < c->n; i++) {
		if (i)
			*to++ = ',';
		to = store_put_decimal(to, (uint64_t)k->at[c->at[i]].id);
	}
	strcpy(to, "]");
	return text;
}

static int write_test(struct store *s, const struct kept_test *t)
{
	char *branches = covers_text(&s->known[STORE_BRANCHES], &t->covers[STORE_BRANCHES]);
	char *pairs = covers_text(&s->known[STORE_PAIRS], &t->covers[STORE_PAIRS]);
	char result[24];

	snprintf(result, sizeof result, "%lld",
	    (long long)t->result); /* SQLite converts it to a number, by the column's type */
	int rc = store_do(s,
	    "INSERT INTO test (session, number, run, origin, ending, message, file, line,"
	    " status, signal, result, failure, fresh, ub, output, inputs, branches, pairs, wrote)"
	    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	    "iuuttttnnntnntbtttt", s->session, t->number, t->run, t->origin, trace_end_name(t->end),
	    t->message, t->file, (int)t->line, t->status, t->signal, t->has_result ? result : NULL,
	    (int)t->failure, (int)t->fresh, t->ub, t->output, t->output_size, t->inputs, branches,
	    pairs, t->wrote);
	free(branches);
	free(pairs);
	return rc;
}

static int write_tests(struct store *s)
{
	for (size_t i = 0; i < s->pending_tests; i++)
		if (write_test(s, &s->test[i]))
			return -1;
	return 0;
}

static int write_failures(struct store *s)
{
	for (size_t i = 0; i < s->failures; i++) {
		const struct failure *f = &s->failure[i];
		if (f->dirty
		    && store_do(s,
		        "INSERT OR REPLACE INTO failure VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		        "inttnttuu", s->session, (int)i + 1, f->kind, f->file, (int)f->line,
		        f->function, f->message, f->test, f->count))
			return -1;
	}
	for (size_t i = 0; i < s->losts; i++) {
		const struct lost *l = &s->lost[i];
		if (l->dirty
		    && store_do(s, "INSERT OR REPLACE INTO lost VALUES (?, ?, ?, ?, ?, ?)",
		        "inttnu", s->session, (int)i + 1, l->reason, l->file, (int)l->line,
		        l->count))
			return -1;
	}
	return 0;
}

static int write_figure(struct store *s, const char *name, double value)
{
	return store_do(
	    s, "INSERT OR REPLACE INTO figure VALUES (?, ?, ?)", "itd", s->session, name, value);
}

/* Figures are written as doubles, which keep 53 bits. */
static int write_figures(struct store *s)
{
	const struct store_figures *f = &s->figures;
	const struct {
		const char *name;
		double value;
	} all[] = {
		{ "seconds", f->seconds },
		{ "cpu_run", f->cpu_run },
		{ "cpu_solve", f->cpu_solve },
		{ "cpu_prove", f->cpu_prove },
		{ "cpu_strategy", f->cpu_strategy },
		{ "runs", (double)s->runs },
		{ "paths", (double)f->paths },
		{ "mispredicted", (double)f->mispredicted },
		{ "cut", (double)f->cut },
		{ "pending", (double)f->pending },
		{ "asked", (double)f->asked },
		{ "cached", (double)f->cached },
		{ "engine", (double)f->engine },
		{ "sat", (double)f->sat },
		{ "unsat", (double)f->unsat },
		{ "unknown", (double)f->unknown },
		{ "disagreed", (double)f->disagreed },
		{ "confirmed", (double)f->confirmed },
		{ "conjuncts", (double)f->conjuncts },
		{ "conjuncts_max", (double)f->conjuncts_max },
		{ "questions", (double)f->questions },
		{ "infeasible", (double)f->infeasible },
		{ "pruned", (double)f->pruned },
		{ "rounds_max", (double)f->rounds_max },
		{ "kept", (double)s->kept },
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (write_figure(s, all[i].name, all[i].value))
			return -1;
	if ((f->common && write_figure(s, "common", (double)f->common))
	    || (f->share
	        && (write_figure(s, "tree", (double)f->tree)
	            || write_figure(s, "complete", f->exhausted)
	            || write_figure(s, "given", (double)f->given)
	            || write_figure(s, "adopted", (double)f->adopted))))
		return -1;
	return store_do(s, "UPDATE session SET ended = ?, exhausted = ?, extra = ? WHERE id = ?",
	    "tnti", f->ended, f->exhausted && !f->share, f->extra, s->session);
}

static void forget_written(struct store *s, bool all)
{
	for (size_t i = 0; i < s->pending_tests; i++)
		store_test_free(&s->test[i]);
	s->written_runs += s->executions;
	s->pending_tests = s->executions = 0;
	for (int i = 0; i < STORE_AIMS; i++)
		known_written(&s->known[i], all);
	for (size_t i = 0; i < s->failures; i++)
		s->failure[i].dirty = false;
	for (size_t i = 0; i < s->losts; i++)
		s->lost[i].dirty = false;
	if (all)
		passed_written(s);
	for (size_t i = 0; i < s->places; i++)
		s->place[i].dirty = false;
	store_targets_written(s);
	store_needs_written(s);
	s->figures_dirty = s->limits_dirty = false;
}

int store_write(struct store *s, bool all)
{
	if (!s->session)
		return 0;
	if (store_do(s, "BEGIN IMMEDIATE", ""))
		return -1;
	if (store_new_pairs(s) || write_executions(s) || write_tests(s)
	    || known_write(s, STORE_BRANCHES, all) || known_write(s, STORE_PAIRS, all)
	    || write_failures(s) || store_write_limits(s) || store_write_needs(s)
	    || (all && passed_write(s)) || store_write_places(s) || store_write_targets(s)
	    || (s->figures_dirty && write_figures(s)) || store_do(s, "COMMIT", "")) {
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
		store_forget_pairs(s);
		return -1;
	}
	forget_written(s, all);
	return 0;
}

int store_add_proof(struct store *s, const char *verdicts)
{
	return store_do(s,
	    "INSERT INTO proof SELECT ?, count(*) + 1, ? FROM proof WHERE session = ?", "iti",
	    s->session, verdicts, s->session);
}

int store_copy(struct store *s, const char *path)
{
	return store_do(s, "VACUUM INTO ?", "t", path);
}

int store_flush(struct store *s)
{
	return store_write(s, true);
}
