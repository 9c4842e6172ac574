/* limits: limits that duct itself set and that runs reached, needs of functions, and places that
 * runs cannot pass because of a fault. */
#include "lib/limits/limits.h"
#include "lib/store/db.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { SENTENCES = 12 }; /* in the evidence of one objective, at most */

static struct reached_limit *find(struct store *s, const char *kind, const char *name)
{
	for (size_t i = 0; i < s->limits; i++)
		if (!strcmp(s->limit[i].kind, kind) && !strcmp(s->limit[i].name, name))
			return &s->limit[i];
	return NULL;
}

/* The entry of the list for a limit, which is added if it is new; plan: the limit is known before
 * any run. */
static struct reached_limit *touch(
    struct store *s, const char *kind, const char *name, uint64_t value, bool plan)
{
	struct reached_limit *l = find(s, kind, name);

	if (!l) {
		l = PUSH(s->limit, s->limits);
		*l = (struct reached_limit){ .kind = copied(kind), .name = copied(name) };
	}
	/* several pointers may have this name; the limit stays that of the least decided one */
	l->value = l->runs && !strcmp(kind, "alias") && l->value < value ? l->value : value;
	l->runs += !plan;
	l->plan |= plan;
	s->limits_dirty = true;
	return l;
}

/* q <TAB> NAME <TAB> KIND <TAB> <TAB> VALUE of a plan, limit KIND VALUE NAME of a narrowing. */
static void touch_line(struct store *s, char *line, bool plan)
{
	static const char word[] = "limit ";
	char *field[5], *end;
	size_t n = 0;

	if (plan && !strncmp(line, "q\t", 2)) {
		while (n < 5 && (field[n] = strsep(&line, "\t")))
			n++;
		if (n == 5)
			touch(s, field[2], field[1], strtoull(field[4], NULL, 10), true);
	} else if (!plan && !strncmp(line, word, sizeof word - 1)) {
		char *kind = line + sizeof word - 1, *value = strchr(kind, ' ');
		if (!value)
			return;
		*value++ = 0;
		uint64_t v = strtoull(value, &end, 10);
		touch(s, kind, *end == ' ' ? end + 1 : end, v, true);
	}
}

static bool has_option(const char *const *parameter, const char *name, const char *value)
{
	char *line;
	bool found = false;

	line = formatted("option %s=%s", name, value);
	for (; parameter && *parameter; parameter++)
		found |= !strcmp(*parameter, line);
	free(line);
	return found;
}

static bool is_asked(const char *const *parameter, const char *option)
{
	for (; parameter && *parameter; parameter++)
		if (!strncmp(*parameter, option, strlen(option)))
			return true;
	return false;
}

/* An entry other than main may be called after others, unless the user says how often it is called
 * in all. */
static void touch_state(struct store *s, const struct store_start *st)
{
	if (is_asked(st->parameter, "option calls="))
		return;
	const struct flow *fl = st->defuse ? st->defuse->flow : st->records;
	char *text = fl && strcmp(st->entry, "main") ? flow_state(fl, st->entry) : NULL,
	     *rest = text, *kind, *name;

	while ((kind = strsep(&rest, "\n")))
		if ((name = strchr(kind, ' '))) {
			*name++ = 0;
			if (!has_option(st->parameter, "global", name))
				/* a line `u NAME`: the global is an input of runs with wider limits
				 */
				store_plan_named(st->plan, 'u', name, strlen(name))
				    ? touch(s, "state", name, 0, true)
				    : touch(s, kind, name, 1, true);
		}
	free(text);
}

void store_limits_begin(struct store *s, const struct store_start *st)
{
	const char *text[] = { st->plan, st->narrowing };

	for (int i = 0; i < 2; i++) {
		char *copy = copied(text[i] ? text[i] : ""), *rest = copy, *line;
		while ((line = strsep(&rest, "\n")))
			touch_line(s, line, i == 0);
		free(copy);
	}
	touch_state(s, st);
	s->assume_needs = has_option(st->parameter, "assume-needs", "true");
}

char *store_assumptions(const char *narrowing)
{
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	for (const char *line = narrowing ? narrowing : "", *end; *line;
	    line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		if (strncmp(line, "limit ", strlen("limit ")))
			fprintf(f, "%.*s\n", (int)(end - line), line);
	}
	fclose(f);
	return text;
}

/* Is the need about the shape of objects? Runs might continue with objects of another shape, which
 * duct does not create, or after calls of other functions. */
static bool is_shape(const struct trace_limit *need)
{
	return strcmp(need->kind, "null") && strcmp(need->kind, "shared")
	    && strcmp(need->kind, "apart") && strcmp(need->kind, "callee")
	    && strcmp(need->kind, "back") && strcmp(need->kind, "memory")
	    && strcmp(need->kind, "text");
}

void store_limits_add(struct store *s, const struct trace *t)
{
	for (size_t i = 0; i < t->limits; i++)
		touch(s, t->limit[i].kind, t->limit[i].name, t->limit[i].value, false);
	for (size_t i = 0; i < t->needs; i++)
		if (is_shape(&t->need[i]))
			touch(s, t->need[i].kind, t->need[i].name, t->need[i].value, false);
}

/* Forgets which limits of a kind (NULL: all) runs reached. */
static void forget(struct store *s, const char *kind)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->limits; i++) {
		if (s->limit[i].plan || (kind && strcmp(s->limit[i].kind, kind) != 0)) {
			s->limit[kept++] = s->limit[i];
			continue;
		}
		free(s->limit[i].kind);
		free(s->limit[i].name);
	}
	s->limits = kept;
	s->limits_dirty = true;
}

void store_widen(struct store *s)
{
	forget(s, NULL);
	store_needs_widened(s);
}

void store_unreach(struct store *s, const char *kind)
{
	forget(s, kind);
}

int store_drop_failures(struct store *s, const char *kind)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->failures; i++) {
		struct failure *f = &s->failure[i];
		if (kind && strcmp(f->kind, kind) != 0) {
			f->dirty = true; /* its number may change */
			s->failure[kept++] = *f;
			continue;
		}
		free(f->file);
		free(f->message);
	}
	s->failures = kept;
	for (size_t i = 0; i < s->pending_tests; i++)
		s->test[i].failure &= kind && strcmp(trace_end_name(s->test[i].end), kind) != 0;
	return store_do(s, "DELETE FROM failure WHERE session = ?", "i", s->session)
	        || store_do(s,
	            "UPDATE test SET failure = 0 WHERE session = ?1 AND ending = coalesce(?2, ending)",
	            "it", s->session, kind)
	    ? -1
	    : 0;
}

static const char grow_tag[] = "grow ";

/* Drops a limit of the plan that is a switch, once it is switched on. */
static void drop_if_gone(struct store *s, size_t i, const struct limit_kind *k)
{
	if (k->most > 1 || s->limit[i].value < k->most)
		return;
	free(s->limit[i].kind);
	free(s->limit[i].name);
	memmove(&s->limit[i], &s->limit[i + 1], (--s->limits - i) * sizeof *s->limit);
}

int store_grow(struct store *s, const char *name, uint64_t value)
{
	for (size_t i = s->limits; i-- > 0;) {
		const struct limit_kind *k = s->limit[i].plan ? limit_find(s->limit[i].kind) : NULL;
		if (!k || !k->grow || strcmp(k->grow, name))
			continue;
		s->limit[i].value = value;
		drop_if_gone(s, i, k);
	}
	return store_do(s, "INSERT OR REPLACE INTO figure VALUES (?, ? || ?, ?)", "ittu",
	    s->session, grow_tag, name, value);
}

uint64_t store_grown(struct store *s, const char *entry, const char *plan, const char *name)
{
	int64_t value = 0;

	store_get(s, &value, 0,
	    "SELECT coalesce(max(value), 0) FROM figure JOIN session ON session.id = session WHERE name = ? || ?"
	    " AND entry = ? AND plan = ?",
	    "tttt", grow_tag, name, entry, plan);
	return value > 0 ? (uint64_t)value : 0;
}

bool store_gives_state(struct store *s)
{
	int64_t n = 0;

	store_get(s, &n, 0,
	    "SELECT count(*) FROM figure JOIN session ON session.id = session WHERE name = ? || 'state'"
	    " AND entry = (SELECT entry FROM session WHERE id = ?)",
	    "ti", grow_tag, s->session);
	return n > 0;
}

bool store_limit(const struct store *s, size_t i, struct store_limit *out)
{
	if (i >= s->limits)
		return false;
	*out = (struct store_limit){ s->limit[i].kind, s->limit[i].name, s->limit[i].value,
		s->limit[i].runs };
	return true;
}

char *store_limits_text(const struct store *s)
{
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	for (size_t i = 0; i < s->limits && i < SENTENCES; i++) {
		char *sentence =
		    limit_sentence(s->limit[i].kind, s->limit[i].name, s->limit[i].value);
		fprintf(f, "%s%s", i ? "; " : STORE_LIMITS, sentence ? sentence : s->limit[i].kind);
		free(sentence);
	}
	if (s->limits > SENTENCES)
		fprintf(f, "; and %zu more", s->limits - SENTENCES);
	fclose(f);
	return text;
}

/* ---- runs outside of the question, and faults */

static void see(bool **seen, size_t n, const uint32_t *at, size_t count)
{
	if (!*seen)
		*seen = zeroed(n + 1, 1);
	for (size_t i = 0; i < count; i++)
		(*seen)[at[i]] = true;
}

void store_see(struct store *s, const struct store_run *run)
{
	const struct trace *t = run->trace;

	for (size_t i = 0; i < t->covers; i++) {
		uint32_t unit = store_unit(s, t, t->cover[i].unit);
		size_t k = unit ? store_find(s, unit - 1, t->cover[i].outcome) : SIZE_MAX;
		if (k != SIZE_MAX)
			see(&s->seen[STORE_BRANCHES], s->known[STORE_BRANCHES].n,
			    &(uint32_t){ (uint32_t)k }, 1);
	}
	see(&s->seen[STORE_PAIRS], s->known[STORE_PAIRS].n, run->pair, run->pairs);
}

bool store_undefined_end(enum trace_end end)
{
	return end == END_DIVISION || end == END_NULL || end == END_SEGV || end == END_BOUNDS
	    || end == END_SIGNAL;
}

void store_fault_at(struct store *s, const struct trace *t, const struct check_place *p)
{
	uint32_t unit = p ? p->unit + 1 : t->fault_block ? store_unit(s, t, t->fault_unit) : 0;
	uint32_t block = p ? p->check->block : t->fault_block;

	if (!store_undefined_end(t->end))
		return;
	if (!unit || block > s->flow->unit[unit - 1].blocks) {
		char text[80];
		snprintf(text, sizeof text,
		    STORE_ERROR "a run ended (%s) at no place of the program",
		    trace_end_name(t->end));
		store_lose(s, text);
		return;
	}
	if (!s->behind)
		s->behind = flow_behind_new(s->flow);
	flow_behind_add(s->behind, unit - 1, block);
}

/* The unit and block of an objective; for a pair, those of its use. */
static bool block_of(
    const struct store *s, enum store_aim aim, size_t i, uint32_t *unit, uint32_t *block)
{
	if (aim == STORE_BRANCHES) {
		*unit = s->objective[i].unit;
		*block = s->flow->unit[*unit].branch[s->objective[i].branch - 1].block;
		return true;
	}
	const struct defuse_access *use = &s->defuse->access[s->defuse->pair[i].use];
	const struct flow_unit *u = &s->defuse->flow->unit[use->unit],
	                       *own = flow_unit_by_key(s->flow, u->key);
	if (!own || !use->inst || use->inst > u->insts)
		return false;
	*unit = (uint32_t)(own - s->flow->unit);
	*block = u->inst_block[use->inst - 1];
	return true;
}

const char *store_open_end(const struct store *s, enum store_aim aim, size_t i)
{
	uint32_t unit, block;

	if (s->seen[aim] && s->seen[aim][i])
		return "only runs that violate an assumption or a need take it";
	if (s->behind
	    && (!block_of(s, aim, i, &unit, &block) || flow_is_behind(s->behind, unit, block)))
		return "a fault ends runs that would go on to it: see failures";
	return NULL;
}

bool store_place_open(const struct store *s, const struct check_place *p)
{
	return s->behind && flow_is_behind(s->behind, p->unit, p->check->block);
}

/* ---- runs that failed because of an error of duct */

bool store_entered(struct store *s, const struct trace *t)
{
	if (!s->entry_block)
		return true;
	for (size_t i = 0; i < t->blocks; i++)
		if (t->block[i].block == s->entry_block
		    && store_unit(s, t, t->block[i].unit) == s->entry_unit + 1)
			return true;
	return false;
}

void store_blame(struct store *s, const struct store_run *run)
{
	const struct trace *t = run->trace;
	bool exempt = t->end == END_REJECTED || t->end == END_NEED || t->end == END_LIMIT
	    || store_any_before(t);
	char text[160];

	if (t->end == END_CHECK) {
		snprintf(text, sizeof text, STORE_ERROR "duct itself failed in a run: %s",
		    t->fault_message ? t->fault_message : "a value differs from its expression");
		store_lose_at(s, t, text);
		return;
	}
	if (t->end == END_LOST_SERVER)
		snprintf(
		    text, sizeof text, STORE_ERROR "a run ended because the fork server ended");
	else if (!exempt && !store_entered(s, t))
		snprintf(text, sizeof text,
		    STORE_ERROR "a run ended (%s) before the first statement of the entry",
		    trace_end_name(t->end));
	else
		return;
	store_lose(s, text);
}

int store_write_limits(struct store *s)
{
	if (!s->limits_dirty)
		return 0;
	if (store_do(s, "DELETE FROM touched WHERE session = ?", "i", s->session))
		return -1;
	for (size_t i = 0; i < s->limits; i++) {
		const struct reached_limit *l = &s->limit[i];
		if (store_do(s, "INSERT INTO touched VALUES (?, ?, ?, ?, ?, ?)", "inttuu",
		        s->session, (int)i + 1, l->kind, l->name, l->value, l->runs))
			return -1;
	}
	return 0;
}

void store_limits_free(struct store *s)
{
	for (size_t i = 0; i < s->limits; i++) {
		free(s->limit[i].kind);
		free(s->limit[i].name);
	}
	free(s->limit);
	for (int i = 0; i < STORE_AIMS; i++)
		free(s->seen[i]);
	flow_behind_free(s->behind);
}
