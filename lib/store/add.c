/* add: accounts for runs in memory: coverage, failures, lost precision, tests to keep. */
#include "lib/protocol/checks.h"
#include "lib/store/db.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds between two transactions, and between two that write counts too. */
static const double batch = 0.2, batch_all = 1;

enum { MOST_TOLD = 3 }; /* losses of precision in the evidence of one objective, at most */

static char *copy(const char *s)
{
	return s ? copied(s) : NULL;
}

uint32_t store_unit(struct store *s, const struct trace *t, uint32_t unit)
{
	if (unit >= t->units)
		return 0;
	while (s->units < t->units) {
		s->unit_of = grow_one(s->unit_of, s->units, sizeof *s->unit_of);
		s->unit_key = grow_one(s->unit_key, s->units, sizeof *s->unit_key);
		const struct flow_unit *u = flow_unit_by_key(s->flow, t->unit[s->units].key);
		s->unit_key[s->units] = t->unit[s->units].key;
		s->unit_of[s->units++] = u ? (uint32_t)(u - s->flow->unit) + 1 : 0;
	}
	return s->unit_key[unit] == t->unit[unit].key ? s->unit_of[unit] : 0;
}

/* Records what the run covers; returns how many of the outcomes and blocks are new. */
static size_t add_coverage(struct store *s, const struct trace *t, struct covers *c)
{
	size_t fresh = 0;

	for (size_t i = 0; i < t->covers; i++) {
		uint32_t unit = store_unit(s, t, t->cover[i].unit);
		size_t k = unit ? store_find(s, unit - 1, t->cover[i].outcome) : SIZE_MAX;
		if (k == SIZE_MAX)
			continue;
		c->at[c->n++] = (uint32_t)k;
		fresh += known_cover(s, STORE_BRANCHES, k);
	}
	return fresh;
}

static size_t add_pairs(struct store *s, const struct store_run *run, struct covers *c)
{
	size_t fresh = 0;

	for (; c->n < run->pairs; c->n++) {
		c->at[c->n] = run->pair[c->n];
		fresh += known_cover(s, STORE_PAIRS, run->pair[c->n]);
	}
	return fresh;
}

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* The failure of this kind and place, which is added if it is new; *fresh tells. Counts it. */
static struct failure *add_failure(struct store *s, const struct failure *like, bool *fresh)
{
	for (size_t i = 0; i < s->failures; i++) {
		struct failure *f = &s->failure[i];
		if (same(f->kind, like->kind) && same(f->file, like->file)
		    && f->line == like->line) {
			f->count++;
			f->dirty = true;
			return f;
		}
	}
	struct failure *f = PUSH(s->failure, s->failures);
	*f = *like;
	f->file = copy(like->file);
	f->message = copy(like->message);
	f->count = 1;
	f->dirty = *fresh = true;
	return f;
}

void store_fail_null(struct store *s, const char *file, uint32_t line, const char *function,
    const char *message, uint64_t test)
{
	bool fresh = false;
	struct failure *f = add_failure(s,
	    &(struct failure){ .kind = "null",
	        .function = function,
	        .file = (char *)(uintptr_t)file,
	        .line = line,
	        .message = (char *)(uintptr_t)message },
	    &fresh);

	if (fresh)
		f->test = test;
}

static void add_shown(struct store *s, struct check_place *p, bool *fresh)
{
	if (!p->runs && p->proved)
		store_contradict_place(s, p);
	*fresh |= !p->runs;
	p->runs++;
	p->dirty = true;
}

/* Does the fault of that event end the program? Compiled code may divide only where the result of a
 * division is needed, or not at all if it never is. */
static bool ends_there(const struct trace *t, size_t event)
{
	const struct channel_event *e = &t->event[event];

	return e->kind == EV_CHECK && !e->x && !trace_is_aside(e);
}

/* Adds the faults of the run at checked places, and the objectives there, and counts the new ones.
 * The result is the fault that ended the run. */
static const struct check_place *add_faults(
    struct store *s, const struct trace *t, bool asks, bool *fresh, size_t *objectives)
{
	struct check_place *end = store_fault_end(s, t);
	bool ended = false, left = false; /* left: an index of the caller left its array before */

	if (end && asks)
		end->needed = true;
	else if (end)
		add_shown(s, end, fresh);

	for (size_t i = 0; i < t->events; i++) {
		struct check_place *p = store_fault(s, t, i);
		ended |= ends_there(t, i);
		if (!p)
			continue;
		if (p->check->criterion) {
			bool first = false;
			p->needed |= ended;
			if (ended)
				continue;
			add_shown(s, p, &first);
			*objectives += first;
			continue;
		}
		left = left || (asks && store_part_asks(s, t, i, p));
		if (left || (asks && store_division_asks(s, t, i))) {
			p->needed = true;
			continue;
		}
		add_shown(s, p, fresh);
		if (!store_went_on(t, i)) {
			end = p;
			continue;
		}
		add_failure(s,
		    &(struct failure){ .kind = check_name(p->check->kind),
		        .function = store_place_function(s, p),
		        .file = (char *)store_place_file(s, p),
		        .line = p->check->pos.line },
		    fresh);
	}
	return end;
}

static bool bad_access(enum trace_end end)
{
	return end == END_NULL || end == END_SEGV || end == END_BOUNDS || end == END_MEMORY
	    || end == END_SIGNAL;
}

/* The failure that a run ended with. If the place of a failing access is not known, all places of
 * that kind stay open. */
static struct failure end_failure(
    struct store *s, const struct trace *t, const struct check_place *p)
{
	struct failure f = { .kind = trace_end_name(t->end), .message = t->fault_message };

	f.file = (char *)store_place_of(s, t, t->fault_unit, t->fault_block, &f.line, &f.function);
	if (p) {
		f.file = (char *)store_place_file(s, p);
		f.line = p->check->pos.line;
		f.function = store_place_function(s, p);
	} else if (bad_access(t->end)) {
		s->doubts |= t->end == END_BOUNDS ? 1u << CHECK_BOUNDS
		                                  : 1u << CHECK_BOUNDS | 1u << CHECK_NULL;
	} else if (t->fault_file || t->fault_line) {
		f.file = t->fault_file ? t->fault_file : f.file;
		f.line = t->fault_line;
	}
	return f;
}

/* Sets the first test of the failures that no earlier test showed. */
static void credit_failures(struct store *s, uint64_t test)
{
	for (size_t i = 0; i < s->failures; i++)
		if (!s->failure[i].test)
			s->failure[i].test = test;
	for (size_t i = 0; i < s->places; i++)
		if (s->place[i].runs && !s->place[i].test)
			s->place[i].test = test;
}

/* Counts a loss of precision; without a place (line 0) it is told at the entry. */
static void count_lost(struct store *s, const char *file, uint32_t line, const char *reason)
{
	size_t k = 0;

	if ((!file || !line) && s->entry_block)
		file = store_block_place(s, s->entry_unit, s->entry_block, &line, NULL);
	while (k < s->losts
	    && (s->lost[k].file != file || s->lost[k].line != line
	        || strcmp(s->lost[k].reason, reason)))
		k++;
	if (k == s->losts)
		*PUSH(s->lost, s->losts) =
		    (struct lost){ .reason = copied(reason), .file = file, .line = line };
	s->lost[k].count++;
	s->lost[k].dirty = true;
}

static void lose_in_run(struct store *s, const struct trace *t, const struct trace_lost *l)
{
	uint32_t line;
	const char *file = store_place_of(s, t, l->unit, l->place, &line, NULL);

	count_lost(s, file, line, l->reason);
}

void store_lose(struct store *s, const char *reason)
{
	count_lost(s, NULL, 0, reason);
}

void store_lose_line(struct store *s, const char *file, uint32_t line, const char *reason)
{
	count_lost(s, file, line, reason);
}

void store_lose_in(struct store *s, size_t unit, struct flow_pos at, const char *reason)
{
	const struct flow_unit *u = unit < s->flow->units ? &s->flow->unit[unit] : NULL;

	if (!u || at.file > u->files)
		store_lose(s, reason);
	else
		count_lost(s, at.file ? u->file[at.file - 1] : u->name, at.line, reason);
}

void store_lose_at(struct store *s, const struct trace *t, const char *reason)
{
	lose_in_run(
	    s, t, &(struct trace_lost){ t->fault_unit, t->fault_block, (char *)(uintptr_t)reason });
}

static void name(char out[16], const char *origin)
{
	snprintf(out, 16, "%s", origin ? origin : "");
}

static void add_execution(struct store *s, const struct store_run *run)
{
	struct execution *e = PUSH(s->execution, s->executions);
	e->run = run->trace->id;
	e->parent = run->parent;
	e->steps = run->trace->steps;
	e->cpu_us = run->trace->cpu_us;
	e->end = run->trace->end;
	e->mispredicted = run->mispredicted;
	name(e->origin, run->origin);
}

void store_fill_test(
    struct store *s, const struct store_run *run, const struct covers *covers, struct kept_test *k)
{
	const struct trace *t = run->trace;

	*k = (struct kept_test){ .run = t->id,
		.end = t->end,
		.message = copy(t->fault_message),
		.file = copy(t->fault_file),
		.line = t->fault_line,
		.status = t->exit_status,
		.signal = t->signal,
		.has_result = t->has_result,
		.result = t->result,
		.failure = trace_end_failure(t->end),
		.inputs = store_inputs_print(t->var, t->vars),
		.wrote = store_inputs_print(t->wrote, t->wrotes),
		.ub = store_undefined(s, t),
		.output_size = t->output_size };
	memcpy(k->covers, covers, sizeof k->covers);
	name(k->origin, run->origin);
	if (t->output_size) {
		k->output = reserved(t->output_size, 1);
		memcpy(k->output, t->output, t->output_size);
	}
}

/* Keeps the run as a test, with the objectives that it covers. end: the failure that it ended with,
 * or empty. */
static void keep_test(struct store *s, const struct store_run *run, const struct covers *covers,
    bool fresh, const struct failure *end)
{
	struct kept_test *k = PUSH(s->test, s->pending_tests);
	store_fill_test(s, run, covers, k);
	k->number = ++s->tests;
	k->fresh = fresh;
	if (end->file) {
		free(k->file);
		k->file = copy(end->file);
		k->line = end->line;
	}
}

static bool counts(enum trace_end end)
{
	return end != END_REJECTED && end != END_NEED && end != END_CHECK && end != END_LOST_SERVER;
}

static int maybe_flush(struct store *s)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	double t = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
	if (!s->flushed && s->alone) /* no other process reads the store yet */
		s->flushed = s->flushed_all = t;
	if (t - s->flushed < batch)
		return 0;
	s->flushed = t;
	bool all = t - s->flushed_all >= batch_all;
	if (all)
		s->flushed_all = t;
	return store_write(s, all);
}

/* A run that ends with a need covers nothing, unless the need turns out to be a finding. */
static void add_needs(struct store *s, const struct store_run *run)
{
	const struct trace *t = run->trace;
	struct covers covers[STORE_AIMS] = { { NULL, 0 } };

	if (t->needs) {
		for (int i = 0; i < STORE_AIMS; i++)
			covers[i].at = reserved(t->covers + run->pairs + 1, sizeof(uint32_t));
		for (size_t i = 0; i < t->covers; i++) {
			uint32_t unit = store_unit(s, t, t->cover[i].unit);
			size_t k = unit ? store_find(s, unit - 1, t->cover[i].outcome) : SIZE_MAX;
			if (k != SIZE_MAX)
				covers[STORE_BRANCHES].at[covers[STORE_BRANCHES].n++] = (uint32_t)k;
		}
		for (; covers[STORE_PAIRS].n < run->pairs; covers[STORE_PAIRS].n++)
			covers[STORE_PAIRS].at[covers[STORE_PAIRS].n] =
			    run->pair[covers[STORE_PAIRS].n];
	}
	store_needs_add(s, run, covers);
	for (int i = 0; i < STORE_AIMS; i++)
		free(covers[i].at);
}

/* Did the run reach its time limit because of duct's own work? Then that is not a need. */
static bool was_slow(const struct store_run *run)
{
	return run->need && !strcmp(run->need, "time");
}

static bool is_excused(struct store *s, const struct store_run *run)
{
	if (run->need)
		store_needs_note(s, run->trace,
		    &(struct trace_limit){ .kind = (char *)run->need, .name = (char *)run->of });
	return run->need;
}

bool store_is_plain(const struct trace *t)
{
	bool plain = (t->end == END_EXIT || t->end == END_REJECTED) && !t->needs;

	for (size_t i = 0; plain && i < t->events; i++)
		plain = t->event[i].kind != EV_CHECK || t->event[i].x;
	return plain;
}

/* Does the run end because callers violate a condition that the function expects them to meet? */
static bool shows_need(struct store *s, const struct store_run *run)
{
	const struct trace *t = run->trace;

	return !run->partial
	    && (was_slow(run) || store_asserts_need(s, t) || store_loops_need(s, t)
	        || store_links_need(s, t) || store_indexes_need(s, t) || store_bytes_need(s, t)
	        || store_division_need(s, t) || store_memory_need(s, t) || store_list_need(s, t)
	        || store_waits(t) || is_excused(s, run));
}

/* Accounts for what holds of every run, whether its coverage counts or not. */
static void add_any(struct store *s, const struct store_run *run)
{
	const struct trace *t = run->trace;

	store_blame(s, run);
	s->addressed |= t->unaliased & UNALIASED_ALL;
	s->read_on |= t->unaliased & UNALIASED_READS;
	if (t->unpaireds && !s->unpaired)
		s->unpaired = copy(t->unpaired[0].reason);
	if (!run->partial && (t->needs || counts(t->end)))
		add_needs(s, run);
	if (!run->partial && !s->assume_needs)
		store_need_place(s, t);
}

/* Keeps the run as a test, which is the first one of what it covers or shows for the first time. */
static void keep_and_credit(struct store *s, const struct store_run *run, struct covers *covers,
    const struct failure *failure, bool objectives, struct store_added *out)
{
	keep_test(s, run, covers, out->covered > 0, failure);
	out->test = s->tests;
	for (int i = 0; i < STORE_AIMS; i++)
		known_credit(&s->known[i], &covers[i], out->test);
	if (out->failure || trace_end_failure(run->trace->end))
		store_order(s, run->trace, &s->test[s->pending_tests - 1].covers[STORE_BRANCHES]);
	if (out->failure || objectives)
		credit_failures(s, out->test);
	if (out->target)
		store_targets_credit(s, out->test);
}

/* Is it the first run of a function that has nothing to cover? A test then calls it once. */
static bool is_only_call(const struct store *s, const struct trace *t, bool needs)
{
	return !needs && t->end == END_EXIT && !s->tests && !s->known[STORE_BRANCHES].n
	    && !s->known[STORE_PAIRS].n;
}

/* Adds the coverage and the failure of a run that counts. */
static void add_counted(
    struct store *s, const struct store_run *run, bool needs, struct store_added *out)
{
	const struct trace *t = run->trace;
	const struct check_place *end;
	struct failure failure = { 0 };
	struct covers covers[STORE_AIMS];
	size_t objectives = 0;

	store_passed_add(s, t);
	covers[STORE_BRANCHES] = (struct covers){ reserved(t->covers + 1, sizeof(uint32_t)), 0 };
	covers[STORE_PAIRS] = (struct covers){ reserved(run->pairs + 1, sizeof(uint32_t)), 0 };
	out->pairs = add_pairs(s, run, &covers[STORE_PAIRS]);
	out->covered = add_coverage(s, t, &covers[STORE_BRANCHES]) + out->pairs;
	out->covered += store_vectors_add(s, &covers[STORE_BRANCHES]);
	end = add_faults(s, t, needs, &out->failure, &objectives);
	out->covered += objectives;
	store_fault_at(s, t, end);
	if (trace_end_failure(t->end) && !needs) {
		failure = end_failure(s, t, end);
		add_failure(s, &failure, &out->failure);
	}
	out->target = store_targets_add(s, t);
	out->kept =
	    run->keep || out->covered || out->failure || out->target || is_only_call(s, t, needs);
	if (out->kept) {
		keep_and_credit(s, run, covers, &failure, objectives, out);
		return;
	}
	for (int i = 0; i < STORE_AIMS; i++)
		free(covers[i].at);
}

int store_add(struct store *s, const struct store_run *run, struct store_added *out)
{
	const struct trace *t = run->trace;
	bool needs, counted, left_out;

	*out = (struct store_added){ 0 };
	if (!s->session)
		return store_fail(s, "no session");
	s->runs++;
	s->figures_dirty = true;
	add_execution(s, run);
	store_ends_note(s, t);
	for (size_t i = 0; i < t->losts; i++)
		lose_in_run(s, t, &t->lost[i]);
	store_limits_add(s, t);
	out->entered = store_entered(s, t);
	needs = shows_need(s, run);
	counted = counts(t->end) && !(needs && s->assume_needs)
	    && !(!run->partial && store_went_wrong_before(s, t));
	add_any(s, run);
	left_out = run->partial || (s->assume_needs && (t->needs || needs));
	if (!counted && !left_out) {
		store_see(s, run);
		store_see_places(s, t);
	}
	if (counted && !run->partial)
		add_counted(s, run, needs, out);
	return maybe_flush(s);
}

void store_progress(struct store *s, const struct store_figures *f)
{
	char *ended = copy(f->ended), *extra = copy(f->extra), *share = copy(f->share);

	free(s->ended);
	free(s->extra);
	free(s->share);
	s->figures = *f;
	s->figures.ended = s->ended = ended;
	s->figures.extra = s->extra = extra;
	s->figures.share = s->share = share;
	s->figures_dirty = true;
}

/* Did prove show that only very long runs reach the objective? Then wider limits would not help. */
static bool is_out_of_reach(const struct objective_state *o)
{
	return o->evidence && strstr(o->evidence, "a counter reaches its limit first");
}

/* Does the store have a row for the objective in which to write why it is open? If there are very
 * many pairs, only those with known results have rows: writing and reading the same reason for all
 * others would take seconds. */
static bool is_told(const struct store *s, enum store_aim aim, const struct objective_state *o)
{
	return aim != STORE_PAIRS || !store_has_many(s) || (o->evidence && *o->evidence);
}

/* Gives the limits as the reason why objectives that no path within them reaches are open. */
static void blame_limits(struct store *s)
{
	char *text = store_limits_text(s);

	for (int aim = 0; *text && aim < STORE_AIMS; aim++)
		for (size_t i = 0; i < s->known[aim].n; i++) {
			const struct objective_state *o = &s->known[aim].at[i];
			if (o->verdict == VERDICT_UNKNOWN && !is_out_of_reach(o)
			    && is_told(s, (enum store_aim)aim, o))
				store_decide(s, (enum store_aim)aim, i, VERDICT_UNKNOWN, text);
		}
	free(text);
}

/* Gives calls that were not followed as the reason why objectives are open, if there is no other.
 */
static void blame_lost(struct store *s)
{
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	for (size_t i = 0; i < s->losts && i < MOST_TOLD; i++) {
		const struct lost *l = &s->lost[i];
		fprintf(f, "%s%s", i ? "; " : "lost: ", l->reason);
		if (l->file)
			fprintf(f, " at %s:%u", l->file, l->line);
	}
	if (s->losts > MOST_TOLD)
		fprintf(f, "; and %zu more", s->losts - MOST_TOLD);
	fclose(f);
	for (int aim = 0; s->losts && aim < STORE_AIMS; aim++)
		for (size_t i = 0; i < s->known[aim].n; i++) {
			const struct objective_state *o = &s->known[aim].at[i];
			if (o->verdict == VERDICT_UNKNOWN && (!o->evidence || !*o->evidence)
			    && is_told(s, (enum store_aim)aim, o))
				store_decide(s, (enum store_aim)aim, i, VERDICT_UNKNOWN, text);
		}
	free(text);
}

int store_finish(struct store *s, const struct store_figures *f)
{
	store_progress(s, f);
	if (!s->ended)
		s->figures.ended = s->ended = copied("finished");
	for (int aim = 0; f->exhausted && !f->judged && aim < STORE_AIMS; aim++)
		for (size_t i = 0; i < s->known[aim].n; i++)
			store_exhaust(s, (enum store_aim)aim, i);
	if (f->within && !f->exhausted)
		blame_limits(s);
	else if (!f->exhausted)
		blame_lost(s);
	if (f->exhausted && !f->judged)
		store_prove_places(s);
	return store_flush(s) ? -1 : store_add_paths(s);
}

struct store_counts store_counts(const struct store *s)
{
	return (struct store_counts){ s->runs, s->tests, s->failures, s->losts, s->contradictions };
}

void store_test_free(struct kept_test *t)
{
	free(t->message);
	free(t->file);
	free(t->output);
	free(t->inputs);
	free(t->wrote);
	free(t->ub);
	for (int i = 0; i < STORE_AIMS; i++)
		free(t->covers[i].at);
}
